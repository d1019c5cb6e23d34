package classify

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/scatter"
)

var (
	_ Predictor = (*Fisher)(nil)
	_ Scorer    = (*Fisher)(nil)
)

// FisherThreshold chooses y0, the point of the projection that divides the classes.
type FisherThreshold int

const (
	// FisherThresholdGaussian is the point where the densities of the projected
	// classes, each a Gaussian with its own mean and variance s_k²/N_k, times
	// the shares N_k/N are equal (PRML 4.1.4, the last paragraph).
	FisherThresholdGaussian FisherThreshold = iota
	// FisherThresholdMidpoint is the middle of the projected means.
	FisherThresholdMidpoint
)

// FisherOptions of FitFisher. The zero value is the fit of PRML 4.1.4 with the
// Gaussian threshold; a singular S_W is then an error.
type FisherOptions struct {
	Threshold FisherThreshold
	// Shrinkage γ in [0,1] replaces S_W by (1−γ)S_W + γ(tr S_W/D)·I. With γ > 0
	// it is never singular, but the direction depends on the units of x: give
	// the columns comparable ones.
	Shrinkage float64
	// Weights says how often each row counts; nil is once (see the package comment).
	Weights []float64
	// PseudoInverse allows a singular S_W: its inverse is taken only where it is
	// positive, with columns measured in their spread within the classes.
	// Differences of the means in the other directions are not used.
	PseudoInverse bool
}

// Fisher is Fisher's linear discriminant for two classes, PRML 4.1.4: the
// projection y = wᵀx with the largest
//
//	J(w) = wᵀS_B w / wᵀS_W w  (4.26),  w ∝ S_W⁻¹(m₁ − m₂),
//
// S_B = (m₂−m₁)(m₂−m₁)ᵀ (4.27), and the rule C₁ if y ≥ y0.
//
// The direction here points from C₂ to C₁. PRML (4.30) and (4.38) print
// m₂ − m₁, with which C₂ gets the larger projections and the rules "C₁ if
// y ≥ y0" and "C₁ if wᵀ(x−m) > 0" printed with them are the wrong way round;
// (4.37) has the sign used here (erratum P12, erratum P11). Notes on the section
// repeat both rules.
//
// Equations: PRML (4.20)–(4.30), (4.38).
type Fisher struct {
	Names
	W         []float64 // (−y0, w), bias first; the activation wᵀx − y0 is ≥ 0 for C₁
	Direction []float64 // w, D entries, length 1
	Threshold float64   // y0
	J         float64   // the criterion (4.26) at w
	// ProjectedMeans are wᵀm₁ > wᵀm₂ (4.23). ProjectedScatters are s_k² =
	// Σ_{n∈C_k}(y_n − wᵀm_k)² (4.24): sums, although PRML says "variance"
	// (erratum P37).
	ProjectedMeans, ProjectedScatters [2]float64
	Scatter                           *Scatter // class 0 is C₁
	Rank                              int      // of S_W after shrinkage
	Reason                            string   // how threshold and inverse were found
	regular                           bool     // w is S_W⁻¹(m₁−m₂) itself
}

// FitFisher fits Fisher's discriminant to inputs x (N×D) and targets t, 1 for C₁
// and 0 for C₂; soft targets are an error, because a row must belong to a class.
//
// The Gaussian threshold exists between the means unless one class outweighs the
// other there. Then it is a crossing outside, and if there is none, or a class
// has no projected spread, y0 is the midpoint; Reason says which.
//
// Errors: shapes that do not agree, NaN or Inf, targets other than 0 and 1, a
// single class, equal class means, and a singular S_W (more columns than N−2,
// columns constant within both classes or dependent) unless an option handles it.
//
// Equations: PRML (4.23)–(4.30).
func FitFisher(x mat.Matrix, t []float64, o FisherOptions) (*Fisher, error) {
	m, err := fitFisher(x, t, o)
	if err != nil {
		return nil, weightedFailure("FitFisher", o.Weights, err)
	}
	return m, nil
}

func fitFisher(x mat.Matrix, t []float64, o FisherOptions) (*Fisher, error) {
	x, t, err := weigh(x, t, o.Weights)
	if err != nil {
		return nil, err
	}
	labels, err := fisherLabels(x, t)
	if err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	in, err := check.Uninspected(x, labels, 2)
	if err != nil {
		return nil, err
	}
	return fisherOf(in, o)
}

func (o FisherOptions) check() error {
	if o.Threshold != FisherThresholdGaussian && o.Threshold != FisherThresholdMidpoint {
		return fmt.Errorf("Threshold is %d: choose FisherThresholdGaussian or FisherThresholdMidpoint", o.Threshold)
	}
	return nil
}

func fisherOf(in *check.Labelled, o FisherOptions) (*Fisher, error) {
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
	if err := m.direct(f, p); err != nil {
		return nil, err
	}
	if err := m.project(f); err != nil {
		return nil, err
	}
	m.threshold(o.Threshold)
	switch {
	case p.Rank < f.D:
		m.Reason += fmt.Sprintf("; pseudo-inverse of S_W of rank %d", p.Rank)
	case o.Shrinkage > 0:
		m.Reason += fmt.Sprintf("; S_W shrunk with γ = %v", o.Shrinkage)
	}
	m.W = append([]float64{-m.Threshold}, m.Direction...)
	if !scatter.AllFinite(m.W) || !scatter.AllFinite([]float64{m.J}) {
		return nil, scatter.ErrRange
	}
	return m, nil
}

// fisherLabels turns targets 1 and 0 into labels 0 and 1.
func fisherLabels(x mat.Matrix, t []float64) ([]int, error) {
	src, err := check.Rows(x)
	if err != nil {
		return nil, err
	}
	n, _ := src.Dims()
	if err := check.Targets(t, n); err != nil {
		return nil, err
	}
	labels := make([]int, n)
	for i, v := range t {
		switch v {
		case 0:
			labels[i] = 1
		case 1:
		default:
			return nil, fmt.Errorf("t[%d] is %v: Fisher's discriminant needs targets 0 or 1, every row in one class", i, v)
		}
	}
	return labels, nil
}

// direct sets the direction PPᵀ(m₁−m₂) and the criterion |Pᵀ(m₂−m₁)|².
func (m *Fisher) direct(f *scatter.Fit, p *scatter.Whitening) error {
	diff := make([]float64, f.D)
	floats.SubTo(diff, f.Delta[0], f.Delta[1])
	if floats.Norm(diff, 2) == 0 {
		return errors.New("the class means coincide: no projection separates them (S_B is zero)")
	}
	in := linalg.MulVecT(p.P, diff)
	w := linalg.MulVec(p.P, in)
	for j, s := range f.Scale {
		w[j] *= s
	}
	length := floats.Norm(w, 2)
	if length == 0 {
		return errors.New("the class means differ only in directions without within-class scatter, which PseudoInverse leaves out; these directions alone separate the classes: use Shrinkage")
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

// project measures the projected classes by one more pass.
func (m *Fisher) project(f *scatter.Fit) error {
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

// Scores returns N×2: the activations wᵀx − y0 and 0.
//
// Equations: PRML (4.20).
func (m *Fisher) Scores(x mat.Matrix) (*mat.Dense, error) {
	if m == nil || len(m.W) == 0 {
		return nil, failure("Fisher", errors.New("the model has no weights: make it with FitFisher"))
	}
	s, err := linearScores(x, [][]float64{m.W})
	if err != nil {
		return nil, failure("Fisher", err)
	}
	n, _ := s.Dims()
	out := mat.NewDense(n, 2, nil)
	out.SetCol(0, mat.Col(nil, 0, s))
	return out, nil
}

// Predict returns 0 (C₁) for rows with wᵀx ≥ y0 and 1 (C₂) for the others.
func (m *Fisher) Predict(x mat.Matrix) ([]int, error) { return largestOf(m.Scores(x)) }
