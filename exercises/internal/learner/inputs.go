// Package learner is what the checks need around a learner's function: copies of
// what it is handed, a watch over them, and the recognition of known mistakes.
package learner

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Inputs hands out copies of a function's arguments and tells afterwards which of
// them were changed. The zero value is ready.
type Inputs struct {
	names []string
	same  []func() bool
}

// Dense returns a copy of m to hand to the learner under this name.
func (in *Inputs) Dense(name string, m *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(m)
	in.names = append(in.names, name)
	in.same = append(in.same, func() bool { return mat.Equal(out, m) })
	return out
}

// Slice returns a copy of v to hand to the learner under this name.
func (in *Inputs) Slice(name string, v []float64) []float64 {
	out := slices.Clone(v)
	in.names = append(in.names, name)
	in.same = append(in.same, func() bool { return slices.Equal(out, v) })
	return out
}

// Changed is the verdict on the first argument that was changed, or nil.
func (in *Inputs) Changed(hint int) *verify.Verdict {
	for i, same := range in.same {
		if !same() {
			return Fail("mutates-inputs", hint, "Your function changed its argument %s. A slice and a *mat.Dense are shared with the caller: work on a copy, or write into a new one.", in.names[i])
		}
	}
	return nil
}

// Fail is verify.Fail as a pointer, for helpers that return nil where all is well.
func Fail(key string, hint int, format string, args ...any) *verify.Verdict {
	v := verify.Fail(key, hint, format, args...)
	return &v
}
