package classify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

var (
	_ Predictor = (*Perceptron)(nil)
	_ Scorer    = (*Perceptron)(nil)
	_ Linear    = (*Perceptron)(nil)
)

// MistakeRule says which patterns the perceptron counts as mistakes. The two
// differ on the boundary wᵀφ = 0 alone; from a zero start every pattern is there
// at first, so that they may take different ways.
//
// Equations: PRML (4.53).
type MistakeRule int

const (
	// MistakeStrict is wᵀφ·t ≤ 0 with t = ±1: correct patterns satisfy
	// wᵀφ·t > 0, as PRML 4.1.7 demands; a pattern on the boundary is a mistake.
	MistakeStrict MistakeRule = iota
	// MistakeStep is f(wᵀφ) ≠ t with the step f(0) = +1 of (4.53): on the
	// boundary a pattern of C₁ is right and one of C₂ is wrong, though it adds 0
	// to the criterion (4.54) (erratum P29).
	MistakeStep
)

func (r MistakeRule) wrong(a float64, side int8) bool {
	if r == MistakeStep {
		return (a >= 0) != (side > 0)
	}
	return a*float64(side) <= 0
}

// PerceptronOptions of FitPerceptron. The zero value is Rosenblatt's rule with
// w = 0 at the start and η = 1, rows in their order, until a pass is without
// mistakes.
type PerceptronOptions struct {
	// Rate is η; 0 is 1. From a zero start it only scales w: the same patterns
	// are corrected in the same order. From any other start it matters, unless
	// the start is scaled with it (erratum P28).
	Rate float64
	// Start is the first w, bias first, D+1 entries; nil is 0.
	Start []float64
	// Rule says what a mistake is.
	Rule MistakeRule
	// Shuffle presents the rows in an order drawn anew for every pass with Seed.
	Shuffle bool
	Seed    uint64
	// MaxEpochs bounds the passes over the rows; 0 is 1000.
	MaxEpochs int
	// Pocket keeps the w with the fewest mistakes on all rows that was met
	// (Gallant's pocket algorithm with ratchet), for classes that overlap. A w is
	// counted when it classifies a longer run of rows than the one in the pocket,
	// at most once per N presentations on average.
	Pocket bool
	// KeepUpdates is how many updates are kept; 0 is 10 000, negative is none.
	KeepUpdates int
}

// Update is one correction of a perceptron.
//
// Equations: PRML (4.55), (4.56).
type Update struct {
	Epoch int       `saved:"pass"` // the pass in which it happened, from 0
	Row   int       // the pattern that was misclassified
	W     []float64 // the weights after it
}

// Perceptron is the perceptron of PRML 4.1.7,
//
//	y(x) = f(wᵀφ),  f(a) = +1 for a ≥ 0, −1 for a < 0  (4.52, 4.53),
//
// fitted by w ← w + η φ_n t_n for misclassified patterns n (4.55), t = ±1.
//
// Equations: PRML (4.52), (4.53).
type Perceptron struct {
	Names
	W             []float64 // w0, w1 … wD: the last, or the one in the pocket
	Updates       []Update  // the corrections in their order, up to KeepUpdates
	Mistakes      int       // corrections in all
	Epochs        int       `saved:"passes"` // presentations of all rows, the last one included
	Misclassified int       // rows that W gets wrong by the Rule
	Converged     bool      // a pass was without mistakes: W separates the classes
	Reason        string    // why it stopped
	N             int       // rows of the fit
}

// FitPerceptron runs the perceptron on inputs x (N×D, features of a basis if they
// are to be) and targets t, 1 for C₁ and 0 for C₂.
//
// It stops after the first pass without a mistake; on separable classes this
// comes after at most (max‖φ‖ / margin)² corrections from a zero start. On
// others it never comes: w does not diverge then, it stays bounded and goes
// round. Not converged is no error; Separable tells the two cases apart.
//
// Errors: shapes that do not agree, NaN or Inf, targets other than 0 and 1, a
// single class, options out of range, sums too large for double precision.
//
// Equations: PRML (4.55), (4.56); Notes on part I (right-side).
func FitPerceptron(x mat.Matrix, t []float64, o PerceptronOptions) (*Perceptron, error) {
	m, err := fitPerceptron(x, t, o)
	if err != nil {
		return nil, failure("FitPerceptron", err)
	}
	return m, nil
}

func fitPerceptron(x mat.Matrix, t []float64, o PerceptronOptions) (*Perceptron, error) {
	src, _, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	n, d := src.Dims()
	side, err := hardSides(t, n)
	if err != nil {
		return nil, err
	}
	if o, err = o.complete(d + 1); err != nil {
		return nil, err
	}
	run := &perceptronRun{
		rows: newPresenter(src, o.Shuffle, o.Seed), side: side, o: o,
		w: slices.Clone(o.Start), m: &Perceptron{N: n},
	}
	if err := run.learn(); err != nil {
		return nil, err
	}
	m := run.m
	m.W = run.w
	if o.Pocket && !m.Converged {
		run.consider(n)
		m.W = run.pocket
	}
	m.Misclassified = run.mistakes(m.W, n)
	switch {
	case m.Converged:
		m.Reason = fmt.Sprintf("pass %d was without mistakes", m.Epochs)
	case o.Pocket:
		m.Reason = fmt.Sprintf("still mistakes after %d passes; W is the best w met, with %d of %d rows wrong", m.Epochs, m.Misclassified, n)
	default:
		m.Reason = fmt.Sprintf("still mistakes after %d passes: the classes may not be separable (see Separable), or more passes are needed", m.Epochs)
	}
	return m, nil
}

func (o PerceptronOptions) complete(m int) (PerceptronOptions, error) {
	switch {
	case !(o.Rate >= 0) || math.IsInf(o.Rate, 0):
		return o, fmt.Errorf("Rate is %v: it must be a positive number, or 0 for 1", o.Rate)
	case o.MaxEpochs < 0:
		return o, fmt.Errorf("MaxEpochs is %d: it must be positive, or 0 for 1000", o.MaxEpochs)
	case o.Rule != MistakeStrict && o.Rule != MistakeStep:
		return o, fmt.Errorf("Rule is %d: choose MistakeStrict or MistakeStep", o.Rule)
	}
	if o.Start == nil {
		o.Start = make([]float64, m)
	}
	if err := check.Vector("Start", o.Start, m, "the bias and one per column of x"); err != nil {
		return o, err
	}
	if o.Rate == 0 {
		o.Rate = 1
	}
	if o.MaxEpochs == 0 {
		o.MaxEpochs = 1000
	}
	if o.KeepUpdates == 0 {
		o.KeepUpdates = 10_000
	}
	return o, nil
}

// DegreesOfFreedom returns the number of weights, D+1.
func (m *Perceptron) DegreesOfFreedom() int { return len(m.W) }

// LinearWeights returns W for C₁ and zeros for C₂.
func (m *Perceptron) LinearWeights() *mat.Dense { return twoColumns(m.W) }

// Scores returns N×2: wᵀφ for C₁ and 0 for C₂.
func (m *Perceptron) Scores(x mat.Matrix) (*mat.Dense, error) {
	if m == nil {
		return nil, failure("Perceptron", errNoWeights("FitPerceptron"))
	}
	return twoClassScores("Perceptron", x, m.W)
}

// Predict returns class 0 (C₁) where wᵀφ ≥ 0 and 1 elsewhere, by (4.53).
//
// Equations: PRML (4.52), (4.53).
func (m *Perceptron) Predict(x mat.Matrix) ([]int, error) { return largestOf(m.Scores(x)) }

// twoClassScores returns wᵀφ and 0 for each row of x.
func twoClassScores(name string, x mat.Matrix, w []float64) (*mat.Dense, error) {
	if len(w) < 2 {
		return nil, failure(name, errNoWeights("Fit"+name))
	}
	s, err := linearScores(x, [][]float64{w, make([]float64, len(w))})
	if err != nil {
		return nil, failure(name, err)
	}
	return s, nil
}

// PerceptronCriterion returns E_P(w) = −Σ wᵀφ_n t_n over the misclassified rows,
// PRML (4.54), with t = ±1: piecewise linear in w, 0 if and only if no row is on
// the wrong side. Rows on the boundary add nothing, whatever the rule. Errors:
// shapes that do not agree, NaN or Inf, targets other than 0 and 1, a sum that
// overflows.
//
// Equations: PRML (4.54).
func PerceptronCriterion(x mat.Matrix, t, w []float64) (float64, error) {
	src, _, err := check.Inputs(x)
	if err != nil {
		return 0, failure("PerceptronCriterion", err)
	}
	n, d := src.Dims()
	if err := check.Vector("w", w, d+1, "the bias and one per column of x"); err != nil {
		return 0, failure("PerceptronCriterion", err)
	}
	side, err := hardSides(t, n)
	if err != nil {
		return 0, failure("PerceptronCriterion", err)
	}
	a, err := linearScores(x, [][]float64{w})
	if err != nil {
		return 0, failure("PerceptronCriterion", err)
	}
	var e float64
	for i, s := range side {
		e += math.Max(0, -a.At(i, 0)*float64(s))
	}
	if math.IsInf(e, 0) {
		return 0, failure("PerceptronCriterion", errors.New("the sum overflows: choose other units for x"))
	}
	return e, nil
}
