package learner

import "gonum.org/v1/gonum/mat"

// Sym returns a copy of m to hand to the learner under this name.
func (in *Inputs) Sym(name string, m *mat.SymDense) *mat.SymDense {
	out := mat.NewSymDense(m.SymmetricDim(), nil)
	out.CopySym(m)
	in.names = append(in.names, name)
	in.same = append(in.same, func() bool { return mat.Equal(out, m) })
	return out
}
