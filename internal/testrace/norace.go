//go:build !race

package testrace

// Enabled says whether the race detector runs.
const Enabled = false
