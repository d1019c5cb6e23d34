package classify

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

var (
	_ Predictor = (*QuadraticLogistic)(nil)
	_ Scorer    = (*QuadraticLogistic)(nil)
	_ Prober    = (*QuadraticLogistic)(nil)
)

// QuadraticLogisticOptions are the options of FitQuadraticLogistic. The zero value means maximum
// likelihood with a full matrix for each class.
type QuadraticLogisticOptions struct {
	// Lambda is the factor of the penalty Lambda/2·Σ_k‖W_k‖², where ‖W_k‖² is the sum of the
	// squared elements. With a larger Lambda, the model is closer to the model of FitSoftmax. 0
	// means no penalty.
	Lambda float64
	// Alpha is the factor of the penalty Alpha/2·Σ_k‖w_k‖² on the linear weights without the
	// biases. 0 means no penalty.
	Alpha float64
	// Weights says how often each row counts; nil counts each row once (see the package
	// comment).
	Weights []float64
	// Rank is the maximum rank of the matrices W_k; 0 means D. With a smaller Rank, W_k = U·V_k·Uᵀ,
	// where U is D×Rank, and the model is fitted twice. The first fit has full matrices W_k, and the
	// columns of U are the leading eigenvectors of Σ_k W_k² for these matrices. The second fit
	// determines V_k and the other weights.
	Rank int
	// MaxIterations is the maximum number of iterations of each fit; 0 means 100 for Newton and more
	// for slower solvers.
	MaxIterations int
	// Tolerance has the same meaning as in SoftmaxOptions; 0 means 1e-10.
	Tolerance float64
	// Solver is the solver that finds the optimum; nil means Newton{}.
	Solver Solver
}

// QuadraticLogistic is logistic discrimination with quadratic discriminants, Alpaydin (10.34):
//
//	p(C_k|x) = exp(a_k)/Σ_j exp(a_j),  a_k = zᵀW_kz + w_kᵀz + w_k0,  z = (x−Mean)/Std.
//
// Alpaydin (10.2) prints w_ix instead of w_iᵀx (erratum A1).
//
// The model is softmax regression on the D inputs and on their D(D+1)/2 squares and products.
// Because the inputs are standardised, the effect of Lambda and Alpha does not depend on the units of
// x. The boundaries have the same form as the boundaries of QDA, but the model does not assume Gaussian
// classes. The weights sum to 0 over the classes, as in Softmax.
//
// Equations: Alpaydin (10.2), (10.34).
type QuadraticLogistic struct {
	Mean, Std     []float64       // mean and standard deviation of the D columns of x (Std is 1 for a constant column)
	Bias          []float64       // w_k0, K
	Linear        *mat.Dense      // D×K, columns w_k
	Quadratic     []*mat.SymDense // K matrices W_k, each D×D
	E             float64         // the objective
	LogLikelihood float64         // ln p(T|W)
	MatrixRank    int             // the maximum rank of W_k
	N             int             // number of rows in the fit: the sum of the row weights, rounded
	SumWeights    float64         // the sum of the row weights; 0 for a model from a file without this sum
	Iterations    int             // number of iterations of the last fit
	Converged     bool            // reports whether the last fit reached the optimum
	Reason        string          // why the fit stopped
	// reports whether the objective has no minimum, because terms without a penalty separate some classes; only linear
	// terms count if only Lambda is set, only quadratic terms if only Alpha is set, and all terms if neither is set
	Separable bool
}

// FitQuadraticLogistic fits a softmax with quadratic discriminants to inputs x (N×D) with labels
// 0…k−1. A fit with full matrices has M = K(1+D+D(D+1)/2) weights and computes an M×M Hessian.
// FitQuadraticLogistic computes the products of inputs row by row, without a temporary matrix of N
// rows. The time of a Newton iteration grows like N·M² + M³. For example, three classes and 30 columns
// need M = 1488 weights.
//
// Errors: the errors of FitSoftmax; a Lambda or Alpha that is negative, NaN or Inf; a Rank outside
// 0…D; products of inputs that overflow. If only Lambda is set, dependent columns are also an error. If
// only Alpha is set, dependent squares and products of columns are also an error.
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
	in, err := InMemory{X: x, Labels: labels, K: k}.checkedData(requirements{weights: o.Weights, labels: true, oneClass: true})
	if err != nil {
		return nil, err
	}
	_, d := in.Src.Dims()
	for _, penalty := range []struct {
		name  string
		value float64
	}{{"Lambda", o.Lambda}, {"Alpha", o.Alpha}} {
		if v := penalty.value; !(v >= 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("option %s is %v: want a finite number, at least 0 (0 means no penalty)", penalty.name, v)
		}
	}
	if o.Rank < 0 || o.Rank > d {
		return nil, fmt.Errorf("option Rank is %d: with %d columns it must be 1…%d, or 0 for the number of columns", o.Rank, d, d)
	}
	q := &quadFeatures{src: in.Src, mean: in.Cols.Mean, std: columnSpreads(in.Src, in.Cols)}
	if _, c := q.Dims(); k >= 2 {
		if err := glm.SoftmaxSize(c+1, k); err != nil {
			return nil, err
		}
	}
	t, err := glm.SoftmaxLabels(in)
	if err != nil {
		return nil, err
	}
	if (o.Lambda > 0) != (o.Alpha > 0) {
		m, err := o.unpenalisedFirst(q, t)
		if m != nil || err != nil {
			return m, err
		}
	}
	m, err := o.fit(q, t)
	if err != nil || o.Rank == 0 || o.Rank == d {
		return m, err
	}
	low := *q
	low.axes = m.leadingAxes(o.Rank)
	return o.fit(&low, t)
}

// unpenalisedFirst fits a model with only those features that have no penalty, for options with
// exactly one of Lambda and Alpha. It returns nil if this model does not separate classes. If the
// model separates some classes, the objective of the full model has no minimum, because the
// unpenalised weights can grow. unpenalisedFirst then returns the last iterate of the model, in which
// the penalised weights are 0.
func (o QuadraticLogisticOptions) unpenalisedFirst(q *quadFeatures, t *glm.ClassTargets) (*QuadraticLogistic, error) {
	free := *q
	free.part = onlyLinear
	weights, left, remedy := "linear", "quadratic", "set Alpha"
	if o.Alpha > 0 {
		free.part = onlyProducts
		weights, left, remedy = "quadratic", "linear", "set Lambda"
	}
	src := block.NewSource(&free).Weighted(q.src.Weights())
	cols := block.Inspect(src)
	if cols.BadRow >= 0 {
		return nil, fmt.Errorf("the products of row %d overflow: choose other units for x", cols.BadRow)
	}
	s, err := fitSoftmax(src, cols, t, SoftmaxOptions{MaxIterations: o.MaxIterations}, nil)
	if err != nil {
		return nil, err
	}
	if r, _ := s.W.Dims(); s.Rank < r {
		return nil, fmt.Errorf("the %s weights are not unique (%s): %s, or remove columns", weights, s.Reason, remedy)
	}
	if !s.Separable {
		return nil, nil
	}
	m := o.model(&free, s)
	m.Reason = fmt.Sprintf("without the %s part %s", left, strings.Replace(s.Reason, "use a Prior", remedy, 1))
	return m, nil
}

func (o QuadraticLogisticOptions) fit(q *quadFeatures, t *glm.ClassTargets) (*QuadraticLogistic, error) {
	src := block.NewSource(q).Weighted(q.src.Weights())
	cols := block.Inspect(src)
	if cols.BadRow >= 0 {
		return nil, fmt.Errorf("the products of row %d overflow: choose other units for x", cols.BadRow)
	}
	_, c := q.Dims()
	s, err := fitSoftmax(src, cols, t,
		SoftmaxOptions{MaxIterations: o.MaxIterations, Tolerance: o.Tolerance, Solver: o.Solver}, o.prior(q, c+1, t.K))
	if err != nil {
		return nil, err
	}
	return o.model(q, s), nil
}

// prior returns the penalties in the form of a prior, or nil if there are no penalties.
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
		Mean: q.mean, Std: q.std, Linear: mat.NewDense(d, k, nil),
		E: s.E, LogLikelihood: s.LogLikelihood, MatrixRank: q.rank(), N: s.N, SumWeights: s.SumWeights,
		Iterations: s.Iterations, Converged: s.Converged, Separable: s.Separable,
		Reason: strings.Replace(s.Reason, "use a Prior", "set Lambda and Alpha", 1),
	}
	for j := range k {
		w := mat.Col(nil, j, s.W)
		m.Bias, w = append(m.Bias, w[0]), w[1:]
		if q.part != onlyProducts {
			m.Linear.SetCol(j, w[:d])
			w = w[d:]
		}
		if q.part == onlyLinear {
			m.Quadratic = append(m.Quadratic, mat.NewSymDense(d, nil))
		} else {
			m.Quadratic = append(m.Quadratic, q.symmetricMatrix(w))
		}
	}
	return m
}

// leadingAxes returns the r leading eigenvectors of Σ_k W_k².
func (m *QuadraticLogistic) leadingAxes(r int) *mat.Dense {
	d := len(m.Mean)
	sum := mat.NewDense(d, d, nil)
	for _, w := range m.Quadratic {
		var s mat.Dense
		s.Mul(w, w)
		sum.Add(sum, &s)
	}
	var eig mat.EigenSym
	eig.Factorize(linalg.Symmetrised(sum), true) // Factorize cannot fail, because the matrix is finite and symmetric
	var v mat.Dense
	eig.VectorsTo(&v)
	u := mat.NewDense(d, r, nil)
	for j := range r {
		u.SetCol(j, mat.Col(nil, d-1-j, &v))
	}
	return u
}

// quadFeatures is a matrix that computes the inputs of a quadratic discriminant row by row. A row
// contains z, which is the standardised x, and the products of pairs of entries of u = Uᵀz,
//
//	z_1 … z_D, then for each i: u_i², followed by √2·u_iu_j for all j > i.
//
// With the factor √2, the squares of the weights of the products sum to the squared Frobenius norm
// ‖W‖², where W is the symmetric matrix in uᵀWu. With all features, the matrix is N×(D + R(R+1)/2),
// where R is the number of entries of u. The field `part` can restrict a row to z or to the products.
type quadFeatures struct {
	src       *block.Source
	mean, std []float64
	axes      *mat.Dense // projection U, D×R with orthonormal columns; nil means the identity
	part      quadPart
}

// quadPart says which of the features a quadFeatures contains.
type quadPart int

const (
	allFeatures quadPart = iota
	onlyLinear
	onlyProducts
)

var (
	_ mat.Matrix     = (*quadFeatures)(nil)
	_ block.RowMaker = (*quadFeatures)(nil)
)

// rank returns R.
func (q *quadFeatures) rank() int {
	_, d := q.src.Dims()
	if q.axes != nil {
		_, d = q.axes.Dims()
	}
	return d
}

func (q *quadFeatures) Dims() (n, c int) {
	n, d := q.src.Dims()
	r := q.rank()
	products := r * (r + 1) / 2
	switch q.part {
	case onlyLinear:
		return n, d
	case onlyProducts:
		return n, products
	}
	return n, d + products
}

// At returns one entry. Because it must compute the whole row, the fits call MakeRow instead.
func (q *quadFeatures) At(i, j int) float64 {
	_, c := q.Dims()
	row := make([]float64, c)
	q.MakeRow(row, i)
	return row[j]
}

func (q *quadFeatures) T() mat.Matrix { return mat.Transpose{Matrix: q} }

func (q *quadFeatures) MakeRow(dst []float64, i int) {
	_, d := q.src.Dims()
	var buf []float64
	if !q.src.InMemory() {
		buf = make([]float64, d)
	}
	x, _ := q.src.Rows(i, i+1, buf)
	var z, products []float64
	if q.part == onlyProducts {
		z, products = make([]float64, d), dst
	} else {
		z, products = dst[:d], dst[d:]
	}
	for j := range z {
		// Halve both numbers first, because the difference of two finite numbers can overflow.
		z[j] = 2 * ((x[j]/2 - q.mean[j]/2) / q.std[j])
	}
	if q.part == onlyLinear {
		return
	}
	u := z
	if q.axes != nil {
		u = linalg.MulVecT(q.axes, z)
	}
	at := 0
	for a, v := range u {
		products[at] = v * v
		at++
		for _, w := range u[a+1:] {
			products[at] = math.Sqrt2 * v * w
			at++
		}
	}
}

// symmetricMatrix returns the symmetric D×D matrix W for which zᵀWz is the weighted sum of the
// products in a row. The argument `weights` contains one weight for each product.
func (q *quadFeatures) symmetricMatrix(weights []float64) *mat.SymDense {
	r := q.rank()
	s := mat.NewSymDense(r, nil)
	at := 0
	for i := range r {
		s.SetSym(i, i, weights[at])
		at++
		for j := i + 1; j < r; j++ {
			s.SetSym(i, j, weights[at]/math.Sqrt2)
			at++
		}
	}
	if q.axes == nil {
		return s
	}
	var w mat.Dense
	w.Product(q.axes, s, q.axes.T())
	return linalg.Symmetrised(&w)
}

// columnSpreads returns the standard deviation of each column. It returns 1 for a constant column, and
// also if rounding errors make the computed standard deviation 0 or NaN.
func columnSpreads(src *block.Source, cols *block.Columns) []float64 {
	_, d := src.Dims()
	n := src.Total()
	c := linalg.NewCoordinates(cols, nil)
	_, m := c.Design(src).Dims()
	g := block.Reduce(c.Design(src), 0, func() *block.Gram { return block.NewGram(m) },
		func(int) func(*block.Gram, *block.Block) { return (*block.Gram).Add }, (*block.Gram).Merge)
	std := make([]float64, d)
	for j := range std {
		mean := g.At(0, j+1) / n
		std[j] = math.Sqrt(g.At(j+1, j+1)/n-mean*mean) / c.Scale[j]
		if !(std[j] > 0) || cols.Min[j] == cols.Max[j] {
			std[j] = 1
		}
	}
	return std
}

// Coefficients returns W, w and w0 of class k for unscaled x: a_k = xᵀWx + wᵀx + w0. If the inputs
// are far from 0, this sum is less accurate than Scores. Coefficients returns an error for a class
// that does not exist.
func (m *QuadraticLogistic) Coefficients(k int) (w2 *mat.SymDense, w []float64, w0 float64, err error) {
	if k < 0 || k >= len(m.Quadratic) {
		return nil, nil, 0, failure("Coefficients",
			fmt.Errorf("class is %d: it must be one of the classes 0…%d", k, len(m.Quadratic)-1))
	}
	d := len(m.Mean)
	w2, w, w0 = mat.NewSymDense(d, nil), make([]float64, d), m.Bias[k]
	for i := range d {
		w[i] += m.Linear.At(i, k) / m.Std[i]
		w0 -= m.Linear.At(i, k) * (m.Mean[i] / m.Std[i])
		for j := range d {
			v := m.Quadratic[k].At(i, j) / m.Std[i] / m.Std[j]
			w2.SetSym(i, j, v)
			w[i] -= 2 * v * m.Mean[j]
			w0 += v * m.Mean[i] * m.Mean[j]
		}
	}
	return w2, w, w0, nil
}

// Scores returns the N×K activations a_k.
func (m *QuadraticLogistic) Scores(x mat.Matrix) (*mat.Dense, error) {
	if m == nil || m.Linear == nil {
		return nil, failure("QuadraticLogistic", errNoWeights("FitQuadraticLogistic"))
	}
	d, k := m.Linear.Dims()
	src, err := check.New(x, d)
	if err != nil {
		return nil, failure("QuadraticLogistic", err)
	}
	n, _ := src.Dims()
	q := &quadFeatures{src: src, mean: m.Mean, std: m.Std, part: onlyLinear}
	out, z := mat.NewDense(n, k, nil), make([]float64, d)
	for i := range n {
		q.MakeRow(z, i)
		row := out.RawRowView(i)
		for j := range row {
			row[j] = m.Bias[j]
			for a, v := range z {
				s := m.Linear.At(a, j) + m.Quadratic[j].At(a, a)*v
				for b := a + 1; b < d; b++ {
					s += 2 * m.Quadratic[j].At(a, b) * z[b]
				}
				row[j] += v * s
			}
			if math.IsNaN(row[j]) {
				return nil, failure("QuadraticLogistic",
					fmt.Errorf("the activation of row %d is not a number because it overflows: choose other units for x", i))
			}
		}
	}
	return out, nil
}

// Posterior returns the N×K probabilities p(C_k|x).
func (m *QuadraticLogistic) Posterior(x mat.Matrix) (*mat.Dense, error) {
	s, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	for i := range s.RawMatrix().Rows {
		row := s.RawRowView(i)
		kernels.Softmax(row, row)
	}
	return s, nil
}

// Predict returns the class with the largest activation for each row of x.
func (m *QuadraticLogistic) Predict(x mat.Matrix) ([]int, error) { return rowArgMaxOf(m.Scores(x)) }

// DegreesOfFreedom returns the number of weights that the likelihood determines,
// (K−1)(1+D+R(R+1)/2) for matrices of rank R. The penalties Lambda and Alpha do not reduce this
// number.
func (m *QuadraticLogistic) DegreesOfFreedom() int {
	r := m.MatrixRank
	return (len(m.Bias) - 1) * (1 + len(m.Mean) + r*(r+1)/2)
}

// Deviance returns −2 ln p(T|W).
func (m *QuadraticLogistic) Deviance() float64 { return -2 * m.LogLikelihood }

// AIC returns −2 ln p(T|W) + 2M, where M is DegreesOfFreedom.
func (m *QuadraticLogistic) AIC() float64 {
	return m.Deviance() + 2*float64(m.DegreesOfFreedom())
}

// BIC returns −2 ln p(T|W) + M ln N.
func (m *QuadraticLogistic) BIC() float64 {
	return m.Deviance() + float64(m.DegreesOfFreedom())*math.Log(sumOr(m.SumWeights, m.N))
}

var _ = codec.Register(codec.Kind[QuadraticLogistic]{Schema: "hyperplane-quadratic-logistic/1",
	Valid: (*QuadraticLogistic).checkSizes})

func (m *QuadraticLogistic) checkSizes() error {
	s := sizeChecker{}
	d, k := dims(m.Linear)
	if k < 2 {
		return errors.New("the field linear is missing or has fewer than two columns: want one column per class")
	}
	s.requireLength("mean", len(m.Mean), d)
	s.requireLength("std", len(m.Std), d)
	s.requireLength("bias", len(m.Bias), k)
	s.requireLength("quadratic", len(m.Quadratic), k)
	for _, q := range m.Quadratic {
		s.requireMatrix("quadratic", q, d, d)
	}
	return s.err
}
