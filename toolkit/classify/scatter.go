package classify

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
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
	f, err := newScatterFit(x, labels, k, false)
	if err != nil {
		return nil, failure("NewScatter", err)
	}
	s, err := f.scatter()
	if err != nil {
		return nil, failure("NewScatter", err)
	}
	return s, nil
}

// scatterFit is the result of a scatterPlan.
type scatterFit struct {
	plan    *scatterPlan
	n, d, k int
	counts  []int
	filled  int // classes with rows
	scale   []float64
	mean    []float64       // m
	means   *mat.Dense      // m_k, K×D
	delta   [][]float64     // s·(m_k − m), K of D
	root    []*linalg.Upper // R with RᵀR the scatter of s·x: of S_W, or own for each class
	sound   []bool          // R is known to be well conditioned
}

var errScatterRange = errors.New("the squares of x leave the range of float64: choose other units for x")

func newScatterFit(x mat.Matrix, labels []int, k int, own bool) (*scatterFit, error) {
	f, cols, err := newScatterPlan(x, labels, k, own)
	if err != nil {
		return nil, err
	}
	shift, centre := f.plan.shifts()
	var sum [][]float64
	sum, f.root, f.sound = f.plan.roots(shift)
	return f, f.place(cols, centre, shift, sum)
}

// newScatterPlan checks the arguments and chooses the scale.
func newScatterPlan(x mat.Matrix, labels []int, k int, own bool) (*scatterFit, *block.Columns, error) {
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, nil, err
	}
	n, d := src.Dims()
	counts, err := check.Labels(labels, n, k)
	if err != nil {
		return nil, nil, err
	}
	scale := linalg.NewCoordinates(cols, nil).Scale
	p := &scatterPlan{src: src, labels: labels, k: k, d: d, counts: counts, scale: scale, own: own}
	return &scatterFit{
		plan: p, n: n, d: d, k: k, counts: counts, scale: scale,
		mean: make([]float64, d), means: mat.NewDense(k, d, nil), delta: make([][]float64, k),
	}, cols, nil
}

// place computes the means from the sums Σ s·(x − c_k). Differences of means are
// taken about the middle of all rows, which keeps the digits that m_k itself has
// no room for when the offset is large.
func (f *scatterFit) place(cols *block.Columns, centre, shift, sum [][]float64) error {
	inner := make([]float64, f.d)
	for c, n := range f.counts {
		f.delta[c] = make([]float64, f.d)
		if n == 0 {
			continue
		}
		f.filled++
		for j, v := range sum[c] {
			e := v / float64(n)
			f.means.Set(c, j, centre[c][j]+e/f.scale[j])
			f.delta[c][j] = (shift[c][j] - cols.Mean[j]*f.scale[j]) + e
			inner[j] += f.delta[c][j] * (float64(n) / float64(f.n))
		}
	}
	for j, v := range inner {
		f.mean[j] = cols.Mean[j] + v/f.scale[j]
	}
	for c, n := range f.counts {
		if n == 0 {
			f.means.SetRow(c, f.mean)
			continue
		}
		for j, v := range inner {
			f.delta[c][j] -= v
		}
	}
	if !allFinite(f.mean) || !allFinite(f.means.RawMatrix().Data) {
		return errScatterRange
	}
	return nil
}

// sym returns RᵀR·factor in the units of x.
func (f *scatterFit) sym(r *linalg.Upper, factor float64) (*mat.SymDense, error) {
	s := mat.NewSymDense(f.d, nil)
	for i := range f.d {
		for j := i; j < f.d; j++ {
			var v float64
			for l := 0; l <= i; l++ {
				v += r.At(l, i) * r.At(l, j)
			}
			u := v * factor / f.scale[i] / f.scale[j]
			if math.IsInf(u, 0) || math.IsNaN(u) || (i == j && v > 0 && u == 0) {
				return nil, errScatterRange
			}
			s.SetSym(i, j, u)
		}
	}
	return s, nil
}

// scatter returns the matrices in the units of x.
func (f *scatterFit) scatter() (*Scatter, error) {
	w, err := f.sym(f.root[0], 1)
	if err != nil {
		return nil, err
	}
	b, t := mat.NewSymDense(f.d, nil), mat.NewSymDense(f.d, nil)
	for i := range f.d {
		for j := i; j < f.d; j++ {
			var v float64
			for k, e := range f.delta {
				v += float64(f.counts[k]) * e[i] * e[j]
			}
			v = v / f.scale[i] / f.scale[j]
			if math.IsInf(v, 0) || math.IsInf(v+w.At(i, j), 0) {
				return nil, errScatterRange
			}
			b.SetSym(i, j, v)
			t.SetSym(i, j, v+w.At(i, j))
		}
	}
	return &Scatter{w, b, t, f.mean, f.means, f.counts}, nil
}
