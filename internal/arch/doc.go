// Package arch holds tests only: which package may import which, which modules
// the program may depend on, and what no package may do.
package arch
