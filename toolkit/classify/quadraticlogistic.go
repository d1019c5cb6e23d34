package classify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

var (
	_ Predictor = (*QuadraticLogistic)(nil)
	_ Scorer    = (*QuadraticLogistic)(nil)
	_ Prober    = (*QuadraticLogistic)(nil)
)

// QuadraticLogisticOptions of FitQuadraticLogistic. The zero value is maximum likelihood
// with a full matrix for each class.
type QuadraticLogisticOptions struct {
	// Lambda shrinks the quadratic part: it adds Lambda/2·Σ_k‖W_k‖² (sum of squared
	// elements) to the error. The larger, the nearer to FitSoftmax. 0 is none.
	Lambda float64
	// Alpha adds Alpha/2·Σ_k‖w_k‖² for the linear part, biases excepted. 0 is none.
	Alpha float64
	// Weights says how often each row counts; nil is once (see the package comment).
	Weights []float64
	// Rank bounds the rank of the matrices; 0 is D. They then are U·V_k·Uᵀ with U,
	// D×Rank, the leading eigenvectors of Σ_k W_k² of the full fit, and everything
	// else is fitted again.
	Rank int
	// MaxIterations bounds the iterations of each fit; 0 is 100 for Newton.
	MaxIterations int
	// Tolerance is as in SoftmaxOptions; 0 is 1e-10.
	Tolerance float64
	// Solver is the way to the optimum; nil is Newton{}.
	Solver Solver
}

// QuadraticLogistic is logistic discrimination with quadratic discriminants,
// Alpaydin (10.34), where the text's (10.2) has w_ix for w_iᵀx (erratum A1):
//
//	p(C_k|x) = exp(a_k)/Σ_j exp(a_j),  a_k = zᵀW_kz + w_kᵀz + w_k0,  z = (x−Mean)/Std.
//
// It is softmax regression on the inputs and their products, of which each class
// has D(D+1)/2: the standardised inputs make Lambda independent of the units.
// It has the boundaries of Gaussian classes with covariances of their own, without
// assuming them. As with Softmax, Σ_k of the weights is 0.
//
// Equations: Alpaydin (10.2), (10.34).
type QuadraticLogistic struct {
	Mean, Std     []float64       // D each, of the columns of x (Std is 1 for a constant one)
	Bias          []float64       // w_k0, K
	Linear        *mat.Dense      // D×K, columns w_k
	Quadratic     []*mat.SymDense // K of D×D: W_k
	E             float64         // the objective
	LogLikelihood float64         // ln p(T|W)
	MatrixRank    int             // the bound on the rank of W_k
	N             int             // rows of the fit: the sum of their weights, rounded
	SumWeights    float64         // that sum; 0 in a model from a file that does not tell it
	Iterations    int             // steps taken, in the last of the fits
	Converged     bool            // the optimum was found
	Reason        string          // why the fit stopped
	Separable     bool            // the maximum does not exist: quadratic surfaces separate some classes
}

// FitQuadraticLogistic fits inputs x (N×D) with labels 0…k−1. A full fit has
// K(1+D+D(D+1)/2) weights and builds a Hessian of that size; products are made
// row by row, there is no temporary of N rows. The time of a step grows with the cube of
// that number: a fit of a few classes takes a minute with 30 columns.
//
// Errors: those of FitSoftmax, a negative Lambda, Alpha or Rank, a Rank above D,
// and dependent columns when Lambda is set but Alpha is not.
//
// Equations: Alpaydin (10.34).
func FitQuadraticLogistic(x mat.Matrix, labels []int, k int, o QuadraticLogisticOptions) (*QuadraticLogistic, error) {
	m, err := fitQuadratic(x, labels, k, o)
	if err != nil {
		return nil, weightedFailure("FitQuadraticLogistic", o.Weights, err)
	}
	return m, nil
}

func fitQuadratic(x mat.Matrix, labels []int, k int, o QuadraticLogisticOptions) (*QuadraticLogistic, error) {
	x, labels, err := weigh(x, labels, o.Weights)
	if err != nil {
		return nil, err
	}
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	_, d := src.Dims()
	for name, v := range map[string]float64{"Lambda": o.Lambda, "Alpha": o.Alpha} {
		if !(v >= 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("option %s is %v: it must not be negative (0 is none)", name, v)
		}
	}
	if o.Rank < 0 || o.Rank > d {
		return nil, fmt.Errorf("option Rank is %d: with %d columns it is 1…%d, or 0 for all", o.Rank, d, d)
	}
	q := &quadFeatures{src: src, mean: cols.Mean, std: spread(src, cols)}
	if _, c := q.Dims(); k >= 2 {
		if err := glm.SoftmaxSize(c+1, k); err != nil {
			return nil, err
		}
	}
	t, err := glm.SoftmaxLabels(labels, src, k)
	if err != nil {
		return nil, err
	}
	if o.Lambda > 0 && o.Alpha == 0 {
		m, err := o.linearFirst(q, t)
		if m != nil || err != nil {
			return m, err
		}
	}
	m, err := o.fit(q, t)
	if err != nil || o.Rank == 0 || o.Rank == d {
		return m, err
	}
	low := *q
	low.axes = m.axes(o.Rank)
	return o.fit(&low, t)
}

// linearFirst looks whether the unpenalised linear part alone separates classes:
// then the objective approaches its lowest value without any quadratic part, as
// the linear weights grow, and that iterate is the model.
func (o QuadraticLogisticOptions) linearFirst(q *quadFeatures, t *glm.ClassTargets) (*QuadraticLogistic, error) {
	lin := *q
	lin.linear = true
	src := block.NewSource(&lin).Weighted(q.src.Weights())
	s, err := fitSoftmax(src, block.Inspect(src), t, SoftmaxOptions{MaxIterations: o.MaxIterations}, nil)
	if err != nil {
		return nil, err
	}
	if r, _ := s.W.Dims(); s.Rank < r {
		return nil, fmt.Errorf("the linear part is not unique (%s): set Alpha, or leave columns out", s.Reason)
	}
	if !s.Separable {
		return nil, nil
	}
	m := o.model(&lin, s)
	m.Reason = "without the quadratic part " + m.Reason + ", or set Alpha"
	return m, nil
}

func (o QuadraticLogisticOptions) fit(q *quadFeatures, t *glm.ClassTargets) (*QuadraticLogistic, error) {
	src := block.NewSource(q).Weighted(q.src.Weights())
	cols := block.Inspect(src)
	if cols.BadRow >= 0 {
		return nil, fmt.Errorf("the products of row %d overflow: choose other units for x", cols.BadRow)
	}
	_, c := q.Dims()
	s, err := fitSoftmax(src, cols, t, SoftmaxOptions{MaxIterations: o.MaxIterations, Tolerance: o.Tolerance, Solver: o.Solver}, o.prior(q, c+1, t.K))
	if err != nil {
		return nil, err
	}
	return o.model(q, s), nil
}

// prior returns the penalties in the form of a prior, nil if there are none.
func (o QuadraticLogisticOptions) prior(q *quadFeatures, m, k int) *glm.Gaussian {
	if o.Lambda == 0 && o.Alpha == 0 {
		return nil
	}
	_, d := q.src.Dims()
	one := &glm.Gaussian{Mean: make([]float64, m), Free: true}
	for i := 1; i < m; i++ {
		v := o.Lambda
		if i <= d {
			v = o.Alpha
		}
		if v > 0 {
			row := make([]float64, m)
			row[i] = math.Sqrt(v)
			one.Root = append(one.Root, row)
		}
	}
	return one.Repeat(m, k)
}

func (o QuadraticLogisticOptions) model(q *quadFeatures, s *Softmax) *QuadraticLogistic {
	_, d := q.src.Dims()
	_, k := s.W.Dims()
	m := &QuadraticLogistic{
		Mean: q.mean, Std: q.std, Linear: mat.DenseCopyOf(s.W.Slice(1, d+1, 0, k)),
		E: s.E, LogLikelihood: s.LogLikelihood, MatrixRank: q.rank(), N: s.N, SumWeights: s.SumWeights,
		Iterations: s.Iterations, Converged: s.Converged, Reason: s.Reason, Separable: s.Separable,
	}
	for j := range k {
		w := mat.Col(nil, j, s.W)
		m.Bias = append(m.Bias, w[0])
		if q.linear {
			m.Quadratic = append(m.Quadratic, mat.NewSymDense(d, nil))
		} else {
			m.Quadratic = append(m.Quadratic, q.symmetric(w[d+1:]))
		}
	}
	return m
}

// axes returns the r leading eigenvectors of Σ_k W_k².
func (m *QuadraticLogistic) axes(r int) *mat.Dense {
	d := len(m.Mean)
	sum := mat.NewDense(d, d, nil)
	for _, w := range m.Quadratic {
		var s mat.Dense
		s.Mul(w, w)
		sum.Add(sum, &s)
	}
	var eig mat.EigenSym
	eig.Factorize(linalg.Symmetrised(sum), true) // finite and symmetric: it cannot fail
	var v mat.Dense
	eig.VectorsTo(&v)
	u := mat.NewDense(d, r, nil)
	for j := range r {
		u.SetCol(j, mat.Col(nil, d-1-j, &v))
	}
	return u
}
