// Package browsertest drives the site in a real Chromium. It holds tests only.
//
// The tests look for chromium on the PATH, or at $CHROMIUM, and skip with a
// message where there is none. With PRECEDENT_SHOTS=DIR they also write a
// picture of every kind of page, in both languages, light and dark, on a desk
// and on a phone, to look at.
package browsertest
