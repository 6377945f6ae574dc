package des

import (
	"context"
	"encoding/hex"
	"flag"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the vectors of this package")

const vectorFile = "testdata/vectors.txt"

// vectors are the first draws of each variate, bit by bit, functions at odd
// points, and the hash of the series of a run.
func vectors() string {
	var b strings.Builder
	line := func(name string, of func(i int) uint64) {
		b.WriteString(name)
		for i := range 8 {
			b.WriteString(" " + strconv.FormatUint(of(i), 16))
		}
		b.WriteString("\n")
	}
	floats := func(name string, of func(i int) float64) {
		line(name, func(i int) uint64 { return math.Float64bits(of(i)) })
	}
	s := NewStream(42, "vectors")
	line("bits", func(int) uint64 { return s.Uint64() })
	line("intn", func(i int) uint64 { return uint64(s.IntN(3 + 1000*i)) })
	line("span", func(int) uint64 { return uint64(s.Span(Second)) })
	floats("uniform", func(int) float64 { return s.Float64() })
	// Sums of many draws meet the rare branches, too.
	many := func(draw func() float64) func(int) float64 {
		return func(int) float64 {
			sum := 0.0
			for range 10_000 {
				sum += draw()
			}
			return sum
		}
	}
	floats("exponential", func(int) float64 { return s.Exp() })
	floats("exponentials", many(s.Exp))
	floats("normal", func(int) float64 { return s.Norm() })
	floats("normals", many(s.Norm))
	floats("log", func(i int) float64 { return Log(math.Sqrt(float64(i) + 0.1)) })
	floats("exp", func(i int) float64 { return Exp(float64(i-4) / 0.7) })
	floats("pow", func(i int) float64 { return Pow(float64(i)+0.3, float64(i-4)/0.7) })
	mixed, _ := Mixture([]float64{1, 2, 4}, []float64{0.2, 0, 0.7})
	for _, d := range []Dist{Uniform(1, 3.3), Erlang(3, 1.1), LogNormal(0.3, 1.7), Pareto(0.1, 1.3), mixed} {
		floats(string(d.Shape()), many(func() float64 { return d.Draw(s) }))
	}
	m, r := newQueueModel(7, 125*Millisecond, 100*Millisecond)
	m.sim.Run(context.Background(), Budget{Until: 2 * Hour})
	r.Finish()
	sum := digest(r)
	b.WriteString("run " + hex.EncodeToString(sum[:]) + "\n")
	return b.String()
}

// TestVectors compares this machine with the one that wrote the file.
func TestVectors(t *testing.T) {
	got := vectors()
	if *update {
		if err := os.WriteFile(vectorFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(vectorFile)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	if len(gotLines) != len(wantLines) {
		t.Fatalf("%d lines, want %d", len(gotLines), len(wantLines))
	}
	for i := range gotLines {
		if gotLines[i] != wantLines[i] {
			t.Errorf("%s/%s differs from the vectors:\n got %s\nwant %s",
				runtime.GOOS, runtime.GOARCH, gotLines[i], wantLines[i])
		}
	}
}
