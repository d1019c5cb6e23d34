package classify

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/scatter"
)

// Scatter holds the scatter matrices of labelled inputs, PRML 4.1.6:
//
//	S_W = Σ_k Σ_{n∈C_k} (x_n − m_k)(x_n − m_k)ᵀ   (4.40), (4.41)
//	S_B = Σ_k N_k (m_k − m)(m_k − m)ᵀ             (4.46)
//	S_T = Σ_n (x_n − m)(x_n − m)ᵀ = S_W + S_B     (4.43), (4.45)
//
// They are sums, not divided by N. For two classes PRML (4.27) calls
// (m₂ − m₁)(m₂ − m₁)ᵀ by the same name S_B; it is N/(N₁N₂) times this one
// (erratum P10). Unlike a fitted model, a Scatter cannot be saved as JSON or gob.
//
// Equations: PRML (4.21), (4.27), (4.28), (4.36), (4.40)–(4.46).
type Scatter struct {
	Within     *mat.SymDense // S_W, D×D
	Between    *mat.SymDense // S_B, D×D
	Total      *mat.SymDense // S_T, D×D
	Mean       []float64     // m, D entries
	ClassMeans *mat.Dense    // m_k, K×D; the row of an empty class is m
	Counts     []int         // N_k: with weights that are not whole, rounded
	// ClassWeights is N_k before rounding; nil in a model from a file that does not
	// tell it.
	ClassWeights []float64
}

// NewScatter returns the scatter matrices of inputs x (N×D) with labels 0…k−1.
// One pass with a shift per class computes them: an offset of the inputs, however
// large, costs no more digits than it costs the inputs themselves. An empty class
// contributes nothing.
//
// Errors: shapes that do not agree, NaN or Inf in x, labels out of range, labels
// of a single class, squares of x beyond the range of float64.
//
// Equations: PRML (4.27), (4.28), (4.40)–(4.46); Notes on part I (between-two).
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

// threshold places y0 between the projected classes. With h = y − wᵀm₂ and
// densities N(h|d, v₁), N(h|0, v₂) the log ratio ln(N₁p₁/N₂p₂) is the quadratic
// a·h² + b·h + c; y0 is its zero with a positive slope.
func (m *Fisher) threshold(how FisherThreshold) {
	m1, m2 := m.ProjectedMeans[0], m.ProjectedMeans[1]
	d := m1 - m2
	m.Threshold = m2 + d/2
	if how == FisherThresholdMidpoint {
		m.Reason = "midpoint of the projected means"
		return
	}
	n := m.Scatter.perClass()
	n1, n2 := n[0], n[1]
	v1, v2 := m.ProjectedScatters[0]/n1, m.ProjectedScatters[1]/n2
	if !(v1 > 0 && v2 > 0 && d > 0) {
		m.Reason = "midpoint of the projected means, because a class has no projected spread"
		return
	}
	// In units of d and divided by b, so that no square overflows: b = 1.
	q1 := v1 / d / d
	a := (v1/v2 - 1) / 2
	c := q1*(math.Log(n1/n2)+math.Log(v2/v1)/2) - 0.5
	disc := 1 - 4*a*c
	// The zero with slope +√disc, in the form without cancellation.
	h := -2 * c / (1 + math.Sqrt(disc))
	if !(disc >= 0) || math.IsInf(h, 0) || math.IsNaN(h) {
		m.Reason = "midpoint of the projected means, because one class outweighs the other everywhere"
		return
	}
	m.Threshold = m2 + h*d
	m.Reason = "equal projected Gaussian densities"
	if h < 0 || h > 1 {
		m.Reason += " (outside the means: one class outweighs the other between them)"
	}
}

// LeastSquaresWeights returns the weights (w0, w) of the least-squares fit to
// the targets N/N₁ for C₁ and −N/N₂ for C₂, PRML (4.31)–(4.37): the same
// direction, with w0 = −wᵀm (4.34). It is an error if S_W was singular or shrunk.
//
// Equations: PRML (4.31)–(4.38); Notes on part I (normal-equations).
func (m *Fisher) LeastSquaresWeights() ([]float64, error) {
	if !m.regular {
		return nil, failure("LeastSquaresWeights", errors.New("the direction comes from a changed S_W and is not the least-squares one: use FitLeastSquares"))
	}
	n := m.Scatter.perClass()
	n1, n2 := n[0], n[1]
	// (S_W + N₁N₂/N·S_B)w = N(m₁−m₂) with w = c·S_W⁻¹(m₁−m₂); Direction is that
	// vector divided by its length J/wᵀ(m₁−m₂).
	c := (n1 + n2) / (1 + n1*n2/(n1+n2)*m.J)
	var diff float64
	for j, w := range m.Direction {
		diff += w * (m.Scatter.ClassMeans.At(0, j) - m.Scatter.ClassMeans.At(1, j))
	}
	w := make([]float64, len(m.W))
	for j, v := range m.Direction {
		w[j+1] = c * (m.J / diff) * v
		w[0] -= w[j+1] * m.Scatter.Mean[j]
	}
	return w, nil
}

// columns returns the columns of W, bias 0 first.
func (m *FisherMulti) columns() [][]float64 {
	d, f := m.W.Dims()
	w := make([][]float64, f)
	for j := range w {
		w[j] = make([]float64, d+1)
		mat.Col(w[j][1:], j, m.W)
	}
	return w
}

// Transform returns the features y = Wᵀx of each row, N×D′. Errors: those of
// Scores.
func (m *FisherMulti) Transform(x mat.Matrix) (*mat.Dense, error) {
	if m == nil || m.W == nil {
		return nil, failure("FisherMulti", errFisherEmpty)
	}
	y, err := linearScores(x, m.columns())
	if err != nil {
		return nil, failure("FisherMulti", err)
	}
	return y, nil
}

var errFisherEmpty = errors.New("the model is empty: make it with FitFisherMulti")

// Scores returns the N×K activations a_k = N·{z_kᵀz − ½‖z_k‖²} + ln p(C_k) of the
// projection z = Wᵀ(x − m) and the projected means z_k = Wᵀ(m_k − m).
func (m *FisherMulti) Scores(x mat.Matrix) (*mat.Dense, error) {
	if m == nil || m.W == nil {
		return nil, failure("FisherMulti", errFisherEmpty)
	}
	d, f := m.W.Dims()
	k, _ := m.z.Dims()
	n := floats.Sum(m.Scatter.perClass())
	project := linear(m.Scatter.Mean, m.columns())
	scores := func(rows int) activations {
		p, all, z := project(rows), make([]float64, f*rows), make([]float64, f)
		return func(a []float64, lda int, x []float64, stride, count int) {
			p(all, rows, x, stride, count)
			for r := range count {
				for i := range z {
					z[i] = all[i*rows+r]
				}
				for c, prior := range m.Priors {
					zc := m.z.RawRowView(c)
					a[c*lda+r] = n*(linalg.Dot(zc, z)-linalg.Dot(zc, zc)/2) + math.Log(prior)
				}
			}
		}
	}
	out, err := newPrediction(x, k, func(dst *mat.Dense) error { return generatedTo(dst, x, k, d, nil, scores, byColumn, nil) })
	if err != nil {
		return nil, failure("FisherMulti", err)
	}
	return out, nil
}

// Posterior returns the N×K probabilities of the classes in the projected space.
func (m *FisherMulti) Posterior(x mat.Matrix) (*mat.Dense, error) {
	s, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	n, _ := s.Dims()
	for i := range n {
		kernels.Softmax(s.RawRowView(i), s.RawRowView(i))
	}
	return s, nil
}

// Predict returns the most probable class of each row: with equal priors the one
// whose projected mean is nearest.
func (m *FisherMulti) Predict(x mat.Matrix) ([]int, error) { return largestOf(m.Scores(x)) }
