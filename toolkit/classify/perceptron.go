package classify

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
)

var (
	_ Predictor   = (*Perceptron)(nil)
	_ Scorer      = (*Perceptron)(nil)
	_ linearModel = (*Perceptron)(nil)
)

// MistakeRule selects the patterns that the perceptron counts as mistakes. The rules differ only
// for patterns on the boundary wᵀφ = 0. If the start is w = 0, every pattern is on the boundary at
// first, so the two rules can lead to different corrections.
//
// Equations: PRML (4.53).
type MistakeRule int

const (
	// MistakeStrict counts a pattern as a mistake if wᵀφ·t ≤ 0, with t = ±1. A pattern on the
	// boundary is therefore a mistake. PRML 4.1.7 demands wᵀφ·t > 0 for correct patterns.
	MistakeStrict MistakeRule = iota
	// MistakeStep counts a pattern as a mistake if f(wᵀφ) ≠ t, where f is the step function (4.53)
	// with f(0) = +1. On the boundary a pattern of C₁ is correct and a pattern of C₂ is a mistake.
	// Both patterns add 0 to the criterion (4.54) (erratum P29).
	MistakeStep
)

func (r MistakeRule) wrong(a float64, side int8) bool {
	if r == MistakeStep {
		return (a >= 0) != (side > 0)
	}
	return a*float64(side) <= 0
}

// PerceptronOptions are the options of FitPerceptron. The zero value means Rosenblatt's rule with
// start w = 0 and η = 1. The fit then presents the rows in order until an epoch has no mistakes, for
// at most 1000 epochs.
type PerceptronOptions struct {
	// Rate is the learning rate η; 0 means 1. If the start is w = 0, η only scales w. The fit then
	// corrects the same patterns in the same order for every η. With any other start, a different η
	// can lead to different corrections, unless Start is also scaled by η (erratum P28).
	Rate float64
	// Start is the initial w, bias first, D+1 entries; nil means 0.
	Start []float64
	// Rule selects the patterns that count as mistakes.
	Rule MistakeRule
	// Shuffle presents the rows in a new random order in every epoch. Seed is the seed of the
	// random orders.
	Shuffle bool
	Seed    uint64
	// MaxEpochs is the maximum number of passes over the rows; 0 means 1000.
	MaxEpochs int
	// Pocket is for classes that overlap. It keeps the best w found "in the pocket" (Gallant's pocket
	// algorithm with ratchet). For each w, the fit counts how many successive rows w classifies
	// correctly. If the count of the current w exceeds the count of the w in the pocket, the fit also
	// counts the mistakes of the current w on all rows, but on average at most once per N
	// presentations. If the current w has fewer mistakes, it replaces the w in the pocket.
	Pocket bool
	// KeepUpdates is the maximum number of updates that are kept. 0 means 10 000, and a negative
	// number means no updates.
	KeepUpdates int
}

// Update is one correction of a perceptron.
//
// Equations: PRML (4.55), (4.56).
type Update struct {
	Epoch int       `saved:"pass"` // number of the epoch of the correction, counted from 0
	Row   int       // row of the pattern that was misclassified
	W     []float64 // the weights after the correction
}

// Perceptron is the perceptron of PRML 4.1.7,
//
//	y(x) = f(wᵀφ), f(a) = +1 for a ≥ 0, −1 for a < 0 (4.52, 4.53).
//
// For each misclassified pattern n, the fit makes the correction w ← w + η φ_n t_n (4.55), with t =
// ±1.
//
// Equations: PRML (4.52), (4.53).
type Perceptron struct {
	Names
	W             []float64 // w0, w1 … wD after the last correction; with Pocket, the w in the pocket unless Converged
	Updates       []Update  // the corrections in order, up to KeepUpdates
	Mistakes      int       // total number of corrections
	Epochs        int       `saved:"passes"` // number of passes over all rows, including the last pass
	Misclassified int       // number of rows that W misclassifies according to the Rule
	Converged     bool      // reports whether an epoch had no mistakes, which means that W separates the classes
	Reason        string    // why the fit stopped
	N             int       // number of rows in the fit
}

// FitPerceptron runs the perceptron algorithm on inputs x (N×D, or the features of a basis) and
// targets t. A target is 1 for C₁ and 0 for C₂.
//
// FitPerceptron stops after the first epoch without a mistake, or after MaxEpochs epochs. For separable
// classes and a zero start, it makes at most (max‖φ‖ / margin)² corrections. If the classes are not
// separable, every epoch has mistakes, and w stays bounded. A fit that does not converge is not an
// error. The function Separable decides whether the classes are separable.
//
// Errors: shapes that do not agree, NaN or Inf, targets other than 0 and 1, a single class, options
// out of range, sums too large for double precision.
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
		run.updatePocket(n)
		m.W = run.pocket
	}
	m.Misclassified = run.countMistakes(m.W, n)
	switch {
	case m.Converged:
		m.Reason = fmt.Sprintf("epoch %d had no mistakes", m.Epochs)
	case o.Pocket:
		m.Reason = fmt.Sprintf("epoch %d still had mistakes; W is the best w found, with %d of %d rows wrong",
			m.Epochs, m.Misclassified, n)
	default:
		m.Reason = fmt.Sprintf("still mistakes after %d epochs: the classes may not be separable (see Separable), or the fit needs more epochs", m.Epochs)
	}
	return m, nil
}

func (o PerceptronOptions) complete(m int) (PerceptronOptions, error) {
	switch {
	case !(o.Rate >= 0) || math.IsInf(o.Rate, 0):
		return o, fmt.Errorf("Rate is %v: want a finite positive number (0 means the default, 1)", o.Rate)
	case o.MaxEpochs < 0:
		return o, fmt.Errorf("MaxEpochs is %d: want a positive number (0 means the default, 1000)", o.MaxEpochs)
	case o.Rule != MistakeStrict && o.Rule != MistakeStep:
		return o, fmt.Errorf("Rule is %d: choose MistakeStrict or MistakeStep", o.Rule)
	}
	if o.Start == nil {
		o.Start = make([]float64, m)
	}
	if err := check.Vector("Start", o.Start, m, "one entry for the bias and one for each column of x"); err != nil {
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

func (m *Perceptron) linearWeights() *mat.Dense { return twoColumns(m.W) }

// Scores returns an N×2 matrix with wᵀφ for C₁ and 0 for C₂.
func (m *Perceptron) Scores(x mat.Matrix) (*mat.Dense, error) {
	w, err := m.weights()
	return modelScores("Perceptron", x, w, err)
}

// Predict returns class 0 (C₁) where wᵀφ ≥ 0 and class 1 where wᵀφ < 0, by (4.53).
//
// Equations: PRML (4.52), (4.53).
func (m *Perceptron) Predict(x mat.Matrix) ([]int, error) {
	w, err := m.weights()
	return modelClasses("Perceptron", x, w, err)
}

func (m *Perceptron) weights() ([][]float64, error) {
	if m == nil || len(m.W) < 2 {
		return nil, errNoWeights("FitPerceptron")
	}
	return [][]float64{m.W}, nil
}

// PerceptronCriterion returns E_P(w) = −Σ wᵀφ_n t_n over the misclassified rows, PRML (4.54), with
// t = ±1. E_P is piecewise linear in w. It is 0 if and only if no row is on the wrong side of the
// boundary. Rows on the boundary add 0 to E_P, whichever MistakeRule is used. Errors: shapes that
// do not agree, NaN or Inf, targets other than 0 and 1, a single class, a sum that overflows.
//
// Equations: PRML (4.54).
func PerceptronCriterion(x mat.Matrix, t, w []float64) (float64, error) {
	src, _, err := check.Inputs(x)
	if err != nil {
		return 0, failure("PerceptronCriterion", err)
	}
	n, d := src.Dims()
	if err := check.Vector("w", w, d+1, "one entry for the bias and one for each column of x"); err != nil {
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

// presenter presents the rows of x one at a time, in order or shuffled.
type presenter struct {
	src   *block.Source
	order []int // the order of the rows in a pass; nil means the order in x
	rng   *rand.Rand
	buf   []float64
}

// rowsAtOnce is the number of rows that a presenter reads with one call if the rows are not shuffled.
const rowsAtOnce = 64

func newPresenter(src *block.Source, shuffle bool, seed uint64) *presenter {
	n, d := src.Dims()
	p := &presenter{src: src, buf: make([]float64, rowsAtOnce*d)}
	if shuffle {
		p.order = make([]int, n)
		for i := range p.order {
			p.order[i] = i
		}
		p.rng = rand.New(rand.NewPCG(seed, 0x7061747465726e73))
	}
	return p
}

// eachRow starts a new pass and calls f for every row in the order of the pass, until f returns
// false.
func (p *presenter) eachRow(f func(i int, x []float64) bool) {
	n, d := p.src.Dims()
	if p.order != nil {
		p.rng.Shuffle(n, func(i, j int) { p.order[i], p.order[j] = p.order[j], p.order[i] })
		for _, i := range p.order {
			if x, _ := p.src.Rows(i, i+1, p.buf); !f(i, x[:d]) {
				return
			}
		}
		return
	}
	for lo := 0; lo < n; lo += rowsAtOnce {
		hi := min(lo+rowsAtOnce, n)
		x, stride := p.src.Rows(lo, hi, p.buf)
		for i := lo; i < hi; i++ {
			if !f(i, x[(i-lo)*stride:][:d]) {
				return
			}
		}
	}
}

// activation returns the value w0 + wᵀx.
func activation(w, x []float64) float64 {
	v := w[1:]
	v = v[:len(x)]
	var s0, s1, s2, s3 float64
	j := 0
	for ; j+4 <= len(x); j += 4 {
		s0 += x[j] * v[j]
		s1 += x[j+1] * v[j+1]
		s2 += x[j+2] * v[j+2]
		s3 += x[j+3] * v[j+3]
	}
	for ; j < len(x); j++ {
		s0 += x[j] * v[j]
	}
	return w[0] + ((s0 + s1) + (s2 + s3))
}

// perceptronRun is one run of the perceptron algorithm.
type perceptronRun struct {
	rows *presenter
	side []int8
	o    PerceptronOptions
	w    []float64
	m    *Perceptron

	pocket         []float64
	pocketMistakes int
	bestRun, run   int  // numbers of successive rows classified correctly, by the w in the pocket and by the current w
	counted        bool // reports whether the current w has been compared with the w in the pocket
	visits, counts int  // numbers of presentations and of comparisons with the pocket so far
}

func (r *perceptronRun) learn() error {
	m, o := r.m, r.o
	n := len(r.side)
	if o.Pocket {
		r.pocket, r.pocketMistakes = slices.Clone(r.w), r.countMistakes(r.w, n)
	}
	for m.Epochs = 1; ; m.Epochs++ {
		before := m.Mistakes
		bad := -1
		r.rows.eachRow(func(i int, x []float64) bool {
			a := activation(r.w, x)
			if a-a != 0 {
				bad = i
				return false
			}
			r.visits++
			if !o.Rule.wrong(a, r.side[i]) {
				if r.run++; o.Pocket && r.run > r.bestRun {
					r.updatePocket(n)
				}
				return true
			}
			r.applyCorrection(i, x)
			return true
		})
		if bad >= 0 {
			return fmt.Errorf("wᵀφ of row %d overflows: choose other units for x", bad)
		}
		if m.Mistakes == before {
			m.Converged = true
			return r.finite()
		}
		if m.Epochs == o.MaxEpochs {
			return r.finite()
		}
	}
}

// applyCorrection applies the update (4.55).
func (r *perceptronRun) applyCorrection(i int, x []float64) {
	η := r.o.Rate * float64(r.side[i])
	r.w[0] += η
	floats.AddScaled(r.w[1:], η, x)
	r.m.Mistakes++
	if len(r.m.Updates) < r.o.KeepUpdates {
		r.m.Updates = append(r.m.Updates, Update{r.m.Epochs - 1, i, slices.Clone(r.w)})
	}
	r.run, r.counted = 0, false
}

func (r *perceptronRun) finite() error {
	for _, v := range r.w {
		if v-v != 0 {
			return fmt.Errorf("the weights overflow: choose other units for x")
		}
	}
	return nil
}

// updatePocket puts w into the pocket if w has fewer mistakes on all rows than the w in the pocket. It
// does nothing if w has already been compared, or if mistakes have been counted more than once per N
// presentations.
func (r *perceptronRun) updatePocket(n int) {
	if r.counted || r.counts*n > r.visits {
		return
	}
	r.counted = true
	r.counts++
	if k := r.countMistakes(r.w, r.pocketMistakes); k < r.pocketMistakes {
		r.pocket, r.pocketMistakes, r.bestRun = slices.Clone(r.w), k, r.run
	}
}

// countMistakes returns the number of rows that w misclassifies. It stops counting when the number
// reaches the argument `limit`. It does not change the order of the presentations.
func (r *perceptronRun) countMistakes(w []float64, limit int) int {
	rows := newPresenter(r.rows.src, false, 0)
	k := 0
	rows.eachRow(func(i int, x []float64) bool {
		if r.o.Rule.wrong(activation(w, x), r.side[i]) {
			k++
		}
		return k < limit
	})
	return k
}

var _ = codec.Register(codec.Kind[Perceptron]{Schema: "hyperplane-perceptron/1", Valid: (*Perceptron).checkSizes})

func (m *Perceptron) checkSizes() error {
	s, n := sizeChecker{}, len(m.W)
	s.checkWeights("w", n)
	for i, u := range m.Updates {
		if len(u.W) != n {
			s.say("update %d has %d weights, but w has %d weights", i, len(u.W), n)
		}
	}
	return s.err
}
