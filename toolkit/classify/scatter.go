package classify

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/scatter"
)

// Scatter holds the scatter matrices of labelled inputs, PRML 4.1.6:
//
//	S_W = Σ_k Σ_{n∈C_k} (x_n − m_k)(x_n − m_k)ᵀ   (4.40), (4.41)
//	S_B = Σ_k N_k (m_k − m)(m_k − m)ᵀ             (4.46)
//	S_T = Σ_n (x_n − m)(x_n − m)ᵀ = S_W + S_B     (4.43), (4.45)
//
// The matrices are sums, not divided by N. For two classes PRML (4.27) uses the same name S_B for
// (m₂ − m₁)(m₂ − m₁)ᵀ, which is N/(N₁N₂) times this S_B (erratum P10). A Scatter cannot be saved.
// Save the model that FitFisher returns instead.
//
// Equations: PRML (4.21), (4.27), (4.28), (4.36), (4.40)–(4.46).
type Scatter struct {
	Within     *mat.SymDense // S_W, D×D
	Between    *mat.SymDense // S_B, D×D
	Total      *mat.SymDense // S_T, D×D
	Mean       []float64     // m, D entries
	ClassMeans *mat.Dense    // class means m_k, K×D; the row of an empty class is the mean m of all rows
	Counts     []int         // the class sizes N_k, rounded if the weights are not whole numbers
	// ClassWeights contains N_k before rounding; nil for a model from a file without ClassWeights.
	ClassWeights []float64
}

// NewScatter returns the scatter matrices of inputs x (N×D) with labels 0…k−1. NewScatter sums the
// squares in one pass over x, and makes a second pass if S_W is ill-conditioned. For each class it
// chooses a vector near the rows and subtracts this vector from all rows of the class. A large offset
// of x therefore does not make the scatter matrices less accurate than x itself. An empty class
// contributes nothing.
//
// Errors: shapes that do not agree, NaN or Inf in x, labels out of range, labels of a single class,
// squares of x beyond the range of float64.
//
// Equations: PRML (4.27), (4.28), (4.40)–(4.46); Notes on part I (between-two).
func NewScatter(x mat.Matrix, labels []int, k int) (*Scatter, error) {
	d := requirements{labels: true, inspects: true}
	return fitFrom("NewScatter", InMemory{X: x, Labels: labels, K: k}, d, func(in *check.Data) (*Scatter, error) {
		f, err := scatter.Of(in, false)
		if err != nil {
			return nil, err
		}
		return scatterOf(f)
	})
}

// scatterOf returns the scatter matrices of the unscaled columns of x.
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
				v += f.Counts[k] * e[i] * e[j]
			}
			v = v / f.Scale[i] / f.Scale[j]
			if math.IsInf(v, 0) || math.IsInf(v+w.At(i, j), 0) {
				return nil, scatter.ErrRange
			}
			b.SetSym(i, j, v)
			t.SetSym(i, j, v+w.At(i, j))
		}
	}
	return &Scatter{w, b, t, f.Mean, f.Means, wholeCounts(f.Counts), f.Counts}, nil
}

// perClass returns N_k.
func (s *Scatter) perClass() []float64 { return sumsOr(s.ClassWeights, s.Counts) }

func (s *Scatter) checkSizes() error {
	if s == nil {
		return errors.New("scatter is missing")
	}
	z, d := sizeChecker{}, len(s.Mean)
	z.requireMatrix("within", s.Within, d, d)
	z.requireMatrix("between", s.Between, d, d)
	z.requireMatrix("total", s.Total, d, d)
	z.requireMatrix("class_means", s.ClassMeans, len(s.Counts), d)
	z.checkVector("class_weights", s.ClassWeights, len(s.Counts))
	return z.err
}
