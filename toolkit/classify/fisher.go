package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/scatter"
)

var (
	_ Predictor   = (*Fisher)(nil)
	_ Scorer      = (*Fisher)(nil)
	_ linearModel = (*Fisher)(nil)
)

// FisherThreshold selects y0, the value of the projection y that separates the classes.
type FisherThreshold int

const (
	// FisherThresholdGaussian is the y at which the weighted densities of the two projected classes
	// are equal. The density of class k is a Gaussian with the projected mean of the class and
	// variance s_k²/N_k. The weight of class k is N_k/N (PRML 4.1.4, the last paragraph).
	FisherThresholdGaussian FisherThreshold = iota
	// FisherThresholdMidpoint is the midpoint of the projected means.
	FisherThresholdMidpoint
)

// FisherOptions are the options of FitFisher. The zero value means the fit of PRML 4.1.4 with
// FisherThresholdGaussian. A singular S_W is then an error.
type FisherOptions struct {
	Threshold FisherThreshold
	// Shrinkage γ in [0,1] replaces S_W with (1−γ)S_W + γ(tr S_W/D)·I. With γ > 0 this matrix is
	// singular only if S_W is 0, but the direction depends on the units of x. The columns should
	// therefore have similar scales.
	Shrinkage float64
	// Weights says how often each row counts; nil counts each row once (see the package
	// comment).
	Weights []float64
	// PseudoInverse allows a singular S_W. The fit scales the columns by their spread within the
	// classes. The fit then inverts S_W only in directions in which the classes have scatter, and
	// ignores differences between the means in all other directions.
	PseudoInverse bool
}

// Fisher is Fisher's linear discriminant for two classes, PRML 4.1.4: the
// projection y = wᵀx with the largest
//
//	J(w) = wᵀS_B w / wᵀS_W w  (4.26),  w ∝ S_W⁻¹(m₁ − m₂),
//
// where S_B = (m₂−m₁)(m₂−m₁)ᵀ (4.27). The model assigns a row to C₁ if y ≥ y0.
//
// Direction points from C₂ to C₁. PRML (4.30) and (4.38) print m₂ − m₁, which gives C₂ the larger
// projections. The printed rules "C₁ if y ≥ y0" and "C₁ if wᵀ(x−m) > 0" are therefore reversed
// (erratum P12, erratum P11). Direction has the sign of PRML (4.37). The Notes on part I repeat both
// reversed rules.
//
// Equations: PRML (4.20)–(4.30), (4.38).
type Fisher struct {
	Names
	W         []float64 // (−y0, w), bias first; rows with wᵀx − y0 ≥ 0 belong to C₁
	Direction []float64 // unit vector w, D entries
	Threshold float64   // y0
	J         float64   // the criterion (4.26) at w
	// ProjectedMeans are wᵀm₁ and wᵀm₂ (4.23); wᵀm₁ is the larger mean. ProjectedScatters are the
	// sums s_k² = Σ_{n∈C_k}(y_n − wᵀm_k)² (4.24). PRML calls these sums variances (erratum P37).
	ProjectedMeans, ProjectedScatters [2]float64
	Scatter                           *Scatter // class 0 is C₁
	Rank                              int      // rank of S_W after shrinkage
	Reason                            string   // how y0 and the inverse of S_W were computed
	regular                           bool     // reports whether S_W is not singular and was not shrunk
}

// FitFisher fits Fisher's discriminant to inputs x (N×D) and targets t, 1 for C₁ and 0 for C₂. Soft
// targets are an error, because each row must belong to a class.
//
// The Gaussian threshold usually lies between the projected means. If one class has the larger
// weighted density everywhere between the means, the threshold is outside this interval, at a point
// where the weighted densities are equal. If no such point exists, or if a class has no projected
// spread, y0 is the midpoint of the projected means. Reason reports how y0 was chosen.
//
// Errors: shapes that do not agree, NaN or Inf, targets other than 0 and 1, a single class, equal
// class means, invalid options. A singular S_W (more columns than N−2, columns constant within both
// classes, or dependent columns) is an error unless Shrinkage or PseudoInverse is set. With
// PseudoInverse, class means that differ only in directions without within-class scatter are an error.
// An S_W of 0 is always an error.
//
// Equations: PRML (4.23)–(4.30).
func FitFisher(x mat.Matrix, t []float64, o FisherOptions) (*Fisher, error) {
	return fitFisher("FitFisher", InMemory{X: x, T: t}, o)
}

// FitFisherFrom is like [FitFisher], but reads the rows, or only their moments, from any source. If
// the rows have labels, class 0 is C₁. FitFisherFrom returns the errors of FitFisher. It also
// returns an error for more than two classes, for a source that cannot be read, and for a source
// that cannot provide what the fit or its options need.
//
// Equations: PRML (4.23)–(4.30).
func FitFisherFrom(s Source, o FisherOptions) (*Fisher, error) {
	return fitFisher("FitFisherFrom", s, o)
}

func fitFisher(function string, s Source, o FisherOptions) (*Fisher, error) {
	d := requirements{weights: o.Weights, labels: true, inspects: true, moments: true}
	return fitFrom(function, s, d, func(in *check.Data) (*Fisher, error) { return fisherOf(in, o) })
}

func fisherOf(in *check.Data, o FisherOptions) (*Fisher, error) {
	if in.K != 2 {
		return nil, errors.New("Fisher's discriminant is for two classes: use FitLDA for more classes")
	}
	if o.Threshold != FisherThresholdGaussian && o.Threshold != FisherThresholdMidpoint {
		return nil, fmt.Errorf("Threshold is %d: choose FisherThresholdGaussian or FisherThresholdMidpoint", o.Threshold)
	}
	f, err := scatter.Of(in, false)
	if err != nil {
		return nil, err
	}
	m := &Fisher{}
	if m.Scatter, err = scatterOf(f); err != nil {
		return nil, err
	}
	p, err := f.Whiten(o.Shrinkage, o.PseudoInverse)
	if err != nil {
		return nil, err
	}
	m.Rank, m.regular = p.Rank, p.Rank == f.D && o.Shrinkage == 0
	if err := m.setDirection(f, p); err != nil {
		return nil, err
	}
	if err := m.projectClasses(f); err != nil {
		return nil, err
	}
	m.setThreshold(o.Threshold)
	switch {
	case p.Rank < f.D:
		m.Reason += fmt.Sprintf("; computed with the pseudo-inverse of S_W, which has rank %d", p.Rank)
	case o.Shrinkage > 0:
		m.Reason += fmt.Sprintf("; S_W was shrunk with γ = %v", o.Shrinkage)
	}
	m.W = append([]float64{-m.Threshold}, m.Direction...)
	if !scatter.AllFinite(m.W) || !scatter.AllFinite([]float64{m.J}) {
		return nil, scatter.ErrRange
	}
	return m, nil
}

// setDirection sets Direction to PPᵀ(m₁−m₂), scaled to length 1, where P whitens S_W (PᵀS_W P = I). If
// S_W is regular and was not shrunk, setDirection also sets the criterion J = |Pᵀ(m₂−m₁)|².
func (m *Fisher) setDirection(f *scatter.Fit, p *scatter.Whitening) error {
	diff := make([]float64, f.D)
	floats.SubTo(diff, f.Delta[0], f.Delta[1])
	if floats.Norm(diff, 2) == 0 {
		return errors.New("the class means coincide, so no projection separates the classes (S_B is zero)")
	}
	in := linalg.MulVecT(p.P, diff)
	w := linalg.MulVec(p.P, in)
	for j, s := range f.Scale {
		w[j] *= s
	}
	length := floats.Norm(w, 2)
	if length == 0 {
		return errors.New("the class means differ only in directions without within-class scatter, and PseudoInverse ignores these directions: use Shrinkage")
	}
	floats.Scale(1/length, w)
	if !scatter.AllFinite(w) {
		return scatter.ErrRange
	}
	m.Direction = w
	if m.regular {
		m.J = linalg.Dot(in, in)
	}
	return nil
}

// projectClasses computes the means and scatters of the projected classes, and the criterion J if
// setDirection has not set it. projectClasses makes one more pass over the rows.
func (m *Fisher) projectClasses(f *scatter.Fit) error {
	for k := range 2 {
		m.ProjectedMeans[k] = linalg.Dot(m.Direction, f.Means.RawRowView(k))
	}
	m.ProjectedScatters = f.ProjectedScatter(m.Direction)
	if !m.regular {
		var diff float64
		for j, w := range m.Direction {
			diff += w * ((f.Delta[0][j] - f.Delta[1][j]) / f.Scale[j])
		}
		m.J = diff / (m.ProjectedScatters[0] + m.ProjectedScatters[1]) * diff
	}
	if !scatter.AllFinite(append(m.ProjectedMeans[:], m.ProjectedScatters[:]...)) {
		return scatter.ErrRange
	}
	return nil
}

func (m *Fisher) linearWeights() *mat.Dense { return twoColumns(m.W) }

// Scores returns an N×2 matrix of the activations wᵀx − y0 and 0.
//
// Equations: PRML (4.20).
func (m *Fisher) Scores(x mat.Matrix) (*mat.Dense, error) {
	w, err := m.weights()
	return modelScores("Fisher", x, w, err)
}

// Predict returns 0 (C₁) for rows with wᵀx ≥ y0 and 1 (C₂) for rows with wᵀx < y0.
func (m *Fisher) Predict(x mat.Matrix) ([]int, error) {
	w, err := m.weights()
	return modelClasses("Fisher", x, w, err)
}

func (m *Fisher) weights() ([][]float64, error) {
	if m == nil || len(m.W) == 0 {
		return nil, errNoWeights("FitFisher")
	}
	return [][]float64{m.W}, nil
}

var (
	_ Predictor = (*FisherMulti)(nil)
	_ Scorer    = (*FisherMulti)(nil)
	_ Prober    = (*FisherMulti)(nil)
)

// FisherMultiOptions are the options of FitFisherMulti. The zero value requests one feature for
// each dimension that the class means span. A singular S_W is then an error.
type FisherMultiOptions struct {
	// Features is the number D′ of features, at most min(K−1, D); 0 means the number of dimensions
	// that the class means span.
	Features int
	// Shrinkage and PseudoInverse handle a singular S_W as in FisherOptions.
	Shrinkage     float64
	PseudoInverse bool
	// Weights says how often each row counts; nil counts each row once (see the package
	// comment).
	Weights []float64
	// Priors and UniformPriors determine the class probabilities that Scores, Posterior and Predict
	// use. They have the same meaning as in LDAOptions. The default is the class shares N_k/N.
	Priors        []float64
	UniformPriors bool
}

// FisherMulti is Fisher's discriminant for K classes, PRML 4.1.6: the D′ features y = Wᵀx (4.39)
// with the largest
//
//	J(W) = Tr{s_W⁻¹ s_B}, s_W = WᵀS_W W, s_B = WᵀS_B W (4.50).
//
// The columns of W are the leading eigenvectors of the D×D matrix S_W⁻¹S_B, scaled so that WᵀS_W W
// = I. J is the sum of their eigenvalues. PRML (4.51) prints W where Wᵀ is correct. W is D×D′, so
// the printed product does not exist (erratum P8). The projection on the eigenvectors of S_W⁻¹S_B
// preserves J; PRML names the eigenvectors of S_B instead (erratum P9). The Notes on part I use the
// eigenvectors of s_W⁻¹s_B, but these eigenvectors have only D′ components and depend on W.
//
// The model classifies the features y by Bayes' theorem with the class priors. The density of a
// class is a Gaussian around its projected mean, and all classes share the covariance s_W/N = I/N.
// With all K−1 features this model is LDA.
//
// Equations: PRML (4.39), (4.47)–(4.51).
type FisherMulti struct {
	Names
	W *mat.Dense // D×D′ matrix; in each column, the entry with the largest absolute value is positive
	// Eigenvalues holds the min(K−1, D) largest eigenvalues of S_W⁻¹S_B in descending order. The
	// columns of W are the eigenvectors of the first D′ eigenvalues.
	Eigenvalues    []float64
	J              float64    // the criterion Tr{s_W⁻¹s_B} of the D′ features
	ProjectedMeans *mat.Dense // Wᵀm_k, K×D′
	Priors         []float64  // K entries
	Scatter        *Scatter
	Rank           int        // rank of S_W after shrinkage
	Reason         string     // states the number of features and how this number was chosen
	z              *mat.Dense // projected means Wᵀ(m_k − m), K×D′
}

// FitFisherMulti fits the discriminant features of k ≥ 2 classes to inputs x (N×D) and labels
// 0…k−1. A class without rows has prior 0 and contributes nothing.
//
// Errors: shapes that do not agree, NaN or Inf, labels out of range or of a single class, invalid
// options, equal class means, more features than dimensions that the class means span. A singular
// S_W is an error unless Shrinkage or PseudoInverse is set. An S_W of 0 is always an error.
//
// Equations: PRML (4.39), (4.50), (4.51); Notes on part I (eigenvectors).
func FitFisherMulti(x mat.Matrix, labels []int, k int, o FisherMultiOptions) (*FisherMulti, error) {
	d := requirements{weights: o.Weights, labels: true, inspects: true}
	return fitFrom("FitFisherMulti", InMemory{X: x, Labels: labels, K: k}, d,
		func(in *check.Data) (*FisherMulti, error) { return fisherMultiOf(in, o) })
}

func fisherMultiOf(in *check.Data, o FisherMultiOptions) (*FisherMulti, error) {
	f, err := scatter.Of(in, false)
	if err != nil {
		return nil, err
	}
	shares, err := newShares(f.Counts, o.Priors, o.UniformPriors)
	if err != nil {
		return nil, err
	}
	m := &FisherMulti{Priors: shares.Priors}
	if m.Scatter, err = scatterOf(f); err != nil {
		return nil, err
	}
	p, err := f.Whiten(o.Shrinkage, o.PseudoInverse)
	if err != nil {
		return nil, err
	}
	m.Rank = p.Rank
	if err := m.computeFeatures(f, p, o.Features); err != nil {
		return nil, err
	}
	if p.Rank < f.D {
		m.Reason += fmt.Sprintf("; computed with the pseudo-inverse of S_W, which has rank %d", p.Rank)
	} else if o.Shrinkage > 0 {
		m.Reason += fmt.Sprintf("; S_W was shrunk with γ = %v", o.Shrinkage)
	}
	return m, nil
}

// computeFeatures computes W = P·U from the singular value decomposition USVᵀ of PᵀB, where P
// whitens S_W (PᵀS_W P = I). Column k of B is √N_k·(m_k − m), so S_B = BBᵀ. S² therefore contains
// the eigenvalues of S_W⁻¹S_B.
func (m *FisherMulti) computeFeatures(f *scatter.Fit, p *scatter.Whitening, want int) error {
	b := mat.NewDense(p.Rank, f.K, nil)
	for k, delta := range f.Delta {
		v := linalg.MulVecT(p.P, delta)
		floats.Scale(math.Sqrt(f.Counts[k]), v)
		b.SetCol(k, v)
	}
	var svd mat.SVD
	if !scatter.AllFinite(b.RawMatrix().Data) || !svd.Factorize(b, mat.SVDThinU) {
		return scatter.ErrRange
	}
	sv := svd.Values(nil)
	span := 0
	for span < min(len(sv), f.Filled-1) && sv[span] > linalg.RankTolerance*sv[0] {
		span++
	}
	if span == 0 {
		return errors.New("the class means coincide, so no projection separates the classes (S_B is zero)")
	}
	m.Eigenvalues = make([]float64, min(f.K-1, f.D))
	for i := range m.Eigenvalues {
		if i < len(sv) {
			m.Eigenvalues[i] = sv[i] * sv[i]
		}
	}
	switch {
	case want < 0 || want > min(f.K-1, f.D):
		return fmt.Errorf("Features is %d: with %d classes and %d columns it must be 1…%d (0 means one for each dimension that the class means span)", want, f.K,
			f.D, min(f.K-1, f.D))
	case want > span:
		return fmt.Errorf("Features is %d, but the means of the classes that have rows span only %d directions: want at most %d", want, span, span)
	case want == 0:
		want = span
	}
	m.Reason = fmt.Sprintf("%d of at most %d features", want, min(f.K-1, f.D))
	if span < min(f.K-1, f.D) {
		m.Reason += fmt.Sprintf("; the class means span only %d dimensions", span)
	}
	m.J = floats.Sum(m.Eigenvalues[:want])
	if math.IsInf(m.J, 0) {
		return errors.New("the largest eigenvalue of S_W⁻¹S_B is outside the range of float64: the classes have almost no scatter relative to the distance between their means")
	}
	var u mat.Dense
	svd.UTo(&u)
	var in mat.Dense // the weights W that multiply the scaled inputs
	in.Mul(p.P, u.Slice(0, p.Rank, 0, want))
	m.W = mat.NewDense(f.D, want, nil)
	for j := range want {
		m.writeColumn(f, &in, j)
	}
	m.z, m.ProjectedMeans = mat.NewDense(f.K, want, nil), mat.NewDense(f.K, want, nil)
	for k := range f.K {
		m.z.SetRow(k, linalg.MulVecT(&in, f.Delta[k]))
	}
	m.ProjectedMeans.Mul(f.Means, m.W)
	if !scatter.AllFinite(m.W.RawMatrix().Data) || !scatter.AllFinite(m.ProjectedMeans.RawMatrix().Data) ||
		!scatter.AllFinite(m.z.RawMatrix().Data) {
		return scatter.ErrRange
	}
	return nil
}

// writeColumn writes column j of W for the unscaled columns of x. It chooses the sign for which the
// entry with the largest absolute value is positive.
func (m *FisherMulti) writeColumn(f *scatter.Fit, in *mat.Dense, j int) {
	col := mat.Col(nil, j, in)
	for i, s := range f.Scale {
		col[i] *= s
	}
	big := 0
	for i, v := range col {
		if math.Abs(v) > math.Abs(col[big]) {
			big = i
		}
	}
	if col[big] < 0 {
		floats.Scale(-1, col)
		for i := range f.D {
			in.Set(i, j, -in.At(i, j))
		}
	}
	m.W.SetCol(j, col)
}

// setThreshold sets y0 and Reason. Let h = y − wᵀm₂ and d = wᵀ(m₁ − m₂). The densities of the
// projected classes are p₁ = N(h|d, v₁) and p₂ = N(h|0, v₂), with v_k = s_k²/N_k. The log ratio
// ln(N₁p₁/N₂p₂) is the quadratic a·h² + b·h + c. The threshold is the zero of this quadratic at
// which its slope is positive.
func (m *Fisher) setThreshold(how FisherThreshold) {
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
	// The code divides all lengths by d, and the quadratic by b. The coefficient of h is then 1,
	// and no square overflows.
	q1 := v1 / d / d
	a := (v1/v2 - 1) / 2
	c := q1*(math.Log(n1/n2)+math.Log(v2/v1)/2) - 0.5
	disc := 1 - 4*a*c
	// This formula for the zero with slope +√disc avoids cancellation.
	h := -2 * c / (1 + math.Sqrt(disc))
	if !(disc >= 0) || math.IsInf(h, 0) || math.IsNaN(h) {
		m.Reason = "midpoint of the projected means, because one class has the larger weighted density everywhere"
		return
	}
	m.Threshold = m2 + h*d
	m.Reason = "equal projected Gaussian densities"
	if h < 0 || h > 1 {
		m.Reason += " (outside the means, because one class has the larger weighted density everywhere between them)"
	}
}

// LeastSquaresWeights returns the weights (w0, w) of the least-squares fit to the targets N/N₁ for
// C₁ and −N/N₂ for C₂, PRML (4.31)–(4.37). The vector w has the direction m.Direction, and w0 =
// −wᵀm (4.34), where m is the mean of all rows. LeastSquaresWeights returns an error for an unfitted
// model, and if S_W was singular or shrunk.
//
// Equations: PRML (4.31)–(4.38); Notes on part I (normal-equations).
func (m *Fisher) LeastSquaresWeights() ([]float64, error) {
	if _, err := m.weights(); err != nil {
		return nil, failure("LeastSquaresWeights", err)
	}
	if !m.regular {
		return nil, failure("LeastSquaresWeights",
			errors.New("S_W was singular or shrunk, so the direction is not the least-squares direction: use FitLeastSquares"))
	}
	n := m.Scatter.perClass()
	n1, n2 := n[0], n[1]
	// The least-squares w satisfies (S_W + N₁N₂/N·S_B)w = N(m₁−m₂), so w = c·S_W⁻¹(m₁−m₂). With u =
	// Direction, S_W⁻¹(m₁−m₂) has the length J/uᵀ(m₁−m₂) and the direction u.
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

var _ = codec.Register(codec.Kind[Fisher]{Schema: "hyperplane-fisher/1", Valid: (*Fisher).checkSizes,
	Fields: func(m *Fisher) []codec.Field {
		return []codec.Field{{Name: "regular", Value: &m.regular}}
	}})

func (m *Fisher) checkSizes() error {
	s, d := sizeChecker{m.Scatter.checkSizes()}, len(m.Direction)
	s.requireLength("w", len(m.W), d+1)
	if s.err == nil && (len(m.Scatter.Mean) != d || len(m.Scatter.Counts) != 2) {
		s.say("scatter has the wrong size: want two classes, and one column for each entry of direction")
	}
	return s.err
}

// columns returns the columns of W, each with a bias of 0 as its first entry.
func (m *FisherMulti) columns() [][]float64 {
	d, f := m.W.Dims()
	w := make([][]float64, f)
	for j := range w {
		w[j] = make([]float64, d+1)
		mat.Col(w[j][1:], j, m.W)
	}
	return w
}

// Transform returns the features y = Wᵀx of each row, N×D′. Errors: as for Scores.
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

var errFisherEmpty = errors.New("the model is empty: create the model with FitFisherMulti")

// Scores returns the N×K activations a_k = N·{z_kᵀz − ½‖z_k‖²} + ln p(C_k). Here z = Wᵀ(x − m) is
// the projected input, and z_k = Wᵀ(m_k − m) is the projected mean of class k.
func (m *FisherMulti) Scores(x mat.Matrix) (*mat.Dense, error) {
	if m == nil || m.W == nil {
		return nil, failure("FisherMulti", errFisherEmpty)
	}
	d, f := m.W.Dims()
	k, _ := m.z.Dims()
	n := floats.Sum(m.Scatter.perClass())
	project := linearActivator(m.Scatter.Mean, m.columns())
	scores := func(rows int) activationFunc {
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
	out, err := newPrediction(x, k,
		func(dst *mat.Dense) error {
			return generatedWalk(x, k, d, nil, scores, predictionLink(byColumn).writeTo(dst), nil)
		})
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

// Predict returns the most probable class of each row. With equal priors this is the class with the
// nearest projected mean.
func (m *FisherMulti) Predict(x mat.Matrix) ([]int, error) { return rowArgMaxOf(m.Scores(x)) }

var _ = codec.Register(codec.Kind[FisherMulti]{Schema: "hyperplane-fisher-multi/1", Valid: (*FisherMulti).checkSizes,
	Fields: func(m *FisherMulti) []codec.Field {
		return []codec.Field{{Name: "z", Value: &m.z}}
	}})

func (m *FisherMulti) checkSizes() error {
	s := sizeChecker{m.Scatter.checkSizes()}
	if s.err != nil {
		return s.err
	}
	d, f := dims(m.W)
	k := len(m.Scatter.Counts)
	s.requireMatrix("w", m.W, len(m.Scatter.Mean), f)
	s.requireMatrix("class_means", m.Scatter.ClassMeans, k, d)
	s.requireMatrix("projected_means", m.ProjectedMeans, k, f)
	s.requireLength("priors", len(m.Priors), k)
	s.requireMatrix("z", m.z, k, f)
	return s.err
}
