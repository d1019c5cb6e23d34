package learner

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Mistake is what a known misunderstanding makes of a problem of type P.
type Mistake[P any] struct {
	Key     string
	Hint    int
	Message string
	Value   func(P) []float64 // nil where the mistake is not told apart on this problem
}

// recogniseTol is the agreement that names a mistake, relative to the largest
// entry: far tighter than two different formulas agree by chance.
var recogniseTol = verify.Tolerance{Rel: 1e-6}

// Recognise returns the verdict of the first mistake in the list that explains
// what the learner returned for p, and false if none does.
func Recognise[P any](list []Mistake[P], p P, got []float64) (verify.Verdict, bool) {
	for _, m := range list {
		want := m.Value(p)
		if want == nil || len(want) != len(got) {
			continue
		}
		if f := verify.CloseSlice(got, want, recogniseTol); f.OK {
			return verify.Fail(m.Key, m.Hint, "%s", m.Message), true
		}
	}
	return verify.Verdict{}, false
}

// Factor returns c with got = c·right, entry by entry, if there is a finite c
// other than 0 and 1.
func Factor(got, right []float64) (c float64, ok bool) {
	if len(got) != len(right) {
		return 0, false
	}
	top := 0
	for i := range right {
		if math.Abs(right[i]) > math.Abs(right[top]) {
			top = i
		}
	}
	if len(right) == 0 || right[top] == 0 {
		return 0, false
	}
	c = got[top] / right[top]
	if c == 0 || math.IsNaN(c) || math.IsInf(c, 0) || math.Abs(c-1) < 1e-6 {
		return 0, false
	}
	scaled := make([]float64, len(right))
	for i := range right {
		scaled[i] = c * right[i]
	}
	return c, verify.CloseSlice(got, scaled, recogniseTol).OK
}

// Entries returns the entries of a matrix, row by row, as a new slice.
func Entries(m *mat.Dense) []float64 {
	r, c := m.Dims()
	out := make([]float64, 0, r*c)
	for i := range r {
		out = append(out, m.RawRowView(i)...)
	}
	return out
}

// NotFinite returns the place and value of the first entry that is no finite
// number, and false if there is none.
func NotFinite(v []float64) (i int, value float64, found bool) {
	for i, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return i, x, true
		}
	}
	return 0, 0, false
}
