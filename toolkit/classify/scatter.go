package classify

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/scatter"
)

// Scatter holds the scatter matrices of labelled inputs, PRML 4.1.6:
//
//	S_W = Σ_k Σ_{n∈C_k} (x_n − m_k)(x_n − m_k)ᵀ   (4.40), (4.41)
//	S_B = Σ_k N_k (m_k − m)(m_k − m)ᵀ             (4.46)
//	S_T = Σ_n (x_n − m)(x_n − m)ᵀ = S_W + S_B     (4.43), (4.45)
//
// They are sums, not divided by N. For two classes PRML (4.27) calls
// (m₂ − m₁)(m₂ − m₁)ᵀ by the same name S_B; it is N/(N₁N₂) times this one.
type Scatter struct {
	Within     *mat.SymDense // S_W, D×D
	Between    *mat.SymDense // S_B, D×D
	Total      *mat.SymDense // S_T, D×D
	Mean       []float64     // m, D entries
	ClassMeans *mat.Dense    // m_k, K×D; the row of an empty class is m
	Counts     []int         // N_k
}

// NewScatter returns the scatter matrices of inputs x (N×D) with labels 0…k−1.
// One pass with a shift per class computes them: an offset of the inputs, however
// large, costs no more digits than it costs the inputs themselves. An empty class
// contributes nothing.
//
// Errors: shapes that do not agree, NaN or Inf in x, labels out of range, labels
// of a single class, squares of x beyond the range of float64.
func NewScatter(x mat.Matrix, labels []int, k int) (*Scatter, error) {
	f, err := scatter.New(x, labels, k, false)
	if err != nil {
		return nil, failure("NewScatter", err)
	}
	s, err := scatterOf(f)
	if err != nil {
		return nil, failure("NewScatter", err)
	}
	return s, nil
}

// scatterOf returns the matrices in the units of x.
func scatterOf(f *scatter.Fit) (*Scatter, error) {
	w, err := f.Sym(f.Root[0], 1)
	if err != nil {
		return nil, err
	}
	b, t := mat.NewSymDense(f.D, nil), mat.NewSymDense(f.D, nil)
	for i := range f.D {
		for j := i; j < f.D; j++ {
			var v float64
			for k, e := range f.Delta {
				v += float64(f.Counts[k]) * e[i] * e[j]
			}
			v = v / f.Scale[i] / f.Scale[j]
			if math.IsInf(v, 0) || math.IsInf(v+w.At(i, j), 0) {
				return nil, scatter.ErrRange
			}
			b.SetSym(i, j, v)
			t.SetSym(i, j, v+w.At(i, j))
		}
	}
	return &Scatter{w, b, t, f.Mean, f.Means, f.Counts}, nil
}
