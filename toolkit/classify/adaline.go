package classify

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

var (
	_ Predictor   = (*Adaline)(nil)
	_ Scorer      = (*Adaline)(nil)
	_ linearModel = (*Adaline)(nil)
)

// AdalineOptions are the options of FitAdaline. The zero value works for columns of similar
// scale.
type AdalineOptions struct {
	// Rate is the learning rate η in the first epoch; 0 means 1/max‖φ_n‖². If Rate is above
	// 2/max‖φ_n‖², the fit can diverge, because the correction for the row with the longest φ_n
	// increases the error of this row.
	Rate float64
	// Decay lowers the learning rate after each epoch. The rate is Rate/(1 + Decay·(number of
	// completed epochs)).
	Decay float64
	// Start is the initial w, bias first, D+1 entries; nil means 0.
	Start []float64
	// Shuffle presents the rows in a new random order in every epoch. Seed is the seed of the
	// random orders.
	Shuffle bool
	Seed    uint64
	// MaxEpochs is the maximum number of epochs; 0 means 1000.
	MaxEpochs int
	// Tolerance is the limit for Excess: a fit has converged when Excess is at most Tolerance; 0
	// means 1e-4. If Excess is 1e-4, the root mean square difference between the outputs and the
	// least-squares outputs is 0.01.
	Tolerance float64
}

// Adaline is the adaptive linear element of Widrow and Hoff (PRML 4.1.7). Its output y = wᵀφ is
// linear. The weights are learnt from targets t = ±1, one pattern at a time, with
//
//	w ← w + η (t_n − wᵀφ_n) φ_n,
//
// which is the least-mean-squares rule (3.23). Unlike the perceptron, Adaline also corrects
// patterns that are on the right side of the boundary, and it does not require separable classes.
// With a decreasing rate, w converges to the least-squares solution. With a constant rate, w stays
// at a distance from this solution. The distance is roughly proportional to the rate.
type Adaline struct {
	Names
	W            []float64 // w0, w1 … wD
	E            float64   // E is the error ½ Σ (t_n − wᵀφ_n)² at W
	LeastSquares []float64 // the weights that minimise E; the shortest vector if several minimise E
	LeastE       float64   // E at LeastSquares
	// mean square of the difference between wᵀφ_n and the least-squares output; E = LeastE + ½N·Excess
	Excess float64
	Rate   float64 // the learning rate η in the first epoch
	Epochs int     `saved:"passes"` // number of passes over all rows
	// rows on the wrong side of the boundary; a target above ½ in FitAdaline's t means C₁, and rows with ½ do not count
	Misclassified int
	Converged     bool   // reports whether Excess is at most the tolerance
	Reason        string // why the fit stopped
	N             int    // rows of the fit
	Trace         Trace  // the initial weights, and the weights after each epoch
}

// FitAdaline runs the least-mean-squares rule on inputs x (N×D) and targets t in [0,1]. t = 1 means
// C₁; FitAdaline codes t as 2t−1.
//
// FitAdaline also computes the exact least-squares solution. Excess measures the distance between
// the fit and this solution. A fit that does not converge is not an error.
//
// Errors: shapes that do not agree, NaN or Inf, targets outside [0,1] or of a single class, options
// out of range, and a rate so large that w diverges. If w diverges, the error names a rate below
// which w cannot diverge. Inputs so large that ‖φ_n‖² or the least-squares weights overflow are also
// an error.
//
// Equations: PRML (4.15), (4.16).
func FitAdaline(x mat.Matrix, t []float64, o AdalineOptions) (*Adaline, error) {
	m, err := fitAdaline(x, t, o)
	if err != nil {
		return nil, failure("FitAdaline", err)
	}
	return m, nil
}

func fitAdaline(x mat.Matrix, t []float64, o AdalineOptions) (*Adaline, error) {
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	n, d := src.Dims()
	if err := check.Targets(t, n); err != nil {
		return nil, err
	}
	if err := check.OneClass(slices.All(t)); err != nil {
		return nil, fmt.Errorf("all %d targets are of a single class (t[0] is %v): want rows of both classes", n, t[0])
	}
	largest := math.Sqrt(glm.RowMax(block.NewDesign(src, nil, nil), squaredLengths))
	if math.IsInf(largest*largest, 0) {
		return nil, fmt.Errorf("the square of the largest ‖φ‖ overflows: standardise the columns of x")
	}
	if o, err = o.complete(d+1, largest); err != nil {
		return nil, err
	}
	c := linalg.NewCoordinates(cols, nil)
	s := linalg.SolveLeastSquares(c.Design(src), c, 1, func(i int, y []float64) { y[0] = 2*t[i] - 1 })
	run := &adalineRun{src: src, t: t, o: o, m: &Adaline{
		W: slices.Clone(o.Start), LeastSquares: s.Rank.Shortest(c.Outer(s.W[0])), LeastE: s.Half, Rate: o.Rate, N: n,
	}}
	if err := check.Vector("w", run.m.LeastSquares, d+1, "weights"); err != nil {
		return nil, fmt.Errorf("the least-squares weights are not finite numbers (%w): standardise the columns of x",
			err)
	}
	if err := run.learn(newPresenter(src, o.Shuffle, o.Seed)); err != nil {
		return nil, fmt.Errorf("%w; Rate is %.3g, the largest ‖φ‖ is %.3g: with a rate below 2/‖φ‖² = %.3g the weights cannot diverge; the fit converges fastest if all columns have similar scales",
			err, o.Rate, largest, 2/largest/largest)
	}
	return run.m, nil
}

func (o AdalineOptions) complete(m int, largest float64) (AdalineOptions, error) {
	for _, v := range []struct {
		name  string
		value float64
	}{{"Rate", o.Rate}, {"Decay", o.Decay}, {"Tolerance", o.Tolerance}} {
		if !(v.value >= 0) || math.IsInf(v.value, 0) {
			return o, fmt.Errorf("%s is %v: it must be finite and at least 0", v.name, v.value)
		}
	}
	if o.MaxEpochs < 0 {
		return o, fmt.Errorf("MaxEpochs is %d: it must be positive, or 0 for the default of 1000", o.MaxEpochs)
	}
	if o.Start == nil {
		o.Start = make([]float64, m)
	}
	if err := check.Vector("Start", o.Start, m, "one entry for the bias and one for each column of x"); err != nil {
		return o, err
	}
	if o.Rate == 0 {
		o.Rate = 1 / (largest * largest)
	}
	if o.MaxEpochs == 0 {
		o.MaxEpochs = 1000
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-4
	}
	return o, nil
}

// DegreesOfFreedom returns the number of weights, D+1.
func (m *Adaline) DegreesOfFreedom() int { return len(m.W) }

func (m *Adaline) linearWeights() *mat.Dense { return twoColumns(m.W) }

// Scores returns an N×2 matrix: wᵀφ for C₁ and 0 for C₂.
func (m *Adaline) Scores(x mat.Matrix) (*mat.Dense, error) {
	w, err := m.weights()
	return modelScores("Adaline", x, w, err)
}

// Predict returns class 0 (C₁) for rows with wᵀφ ≥ 0 and class 1 for rows with wᵀφ < 0.
func (m *Adaline) Predict(x mat.Matrix) ([]int, error) {
	w, err := m.weights()
	return modelClasses("Adaline", x, w, err)
}

func (m *Adaline) weights() ([][]float64, error) {
	if m == nil || len(m.W) < 2 {
		return nil, errNoWeights("FitAdaline")
	}
	return [][]float64{m.W}, nil
}

// squaredLengths returns a function that writes ‖φ‖² of each row to s.
func squaredLengths(int) func(*block.Block, []float64) {
	return func(b *block.Block, s []float64) {
		for r := range s {
			row := b.Row(r)[:b.M]
			s[r] = linalg.Dot(row, row)
		}
	}
}

// adalineRun is one run of the least-mean-squares rule.
type adalineRun struct {
	src *block.Source
	t   []float64
	o   AdalineOptions
	m   *Adaline
}

func (r *adalineRun) learn(rows *presenter) error {
	m, o := r.m, r.o
	start, err := r.computeErrors()
	if err != nil {
		return err
	}
	for m.Epochs = 0; ; {
		if m.Converged = m.Excess <= o.Tolerance; m.Converged {
			m.Reason = fmt.Sprintf("the outputs differ from the least-squares outputs by %.2g (root mean square)",
				math.Sqrt(m.Excess))
			return nil
		}
		if m.Epochs == o.MaxEpochs {
			break
		}
		before := slices.Clone(m.W)
		η := o.Rate / (1 + o.Decay*float64(m.Epochs))
		rows.eachRow(func(i int, x []float64) bool {
			δ := η * (2*r.t[i] - 1 - activation(m.W, x))
			m.W[0] += δ
			floats.AddScaled(m.W[1:], δ, x)
			return δ-δ == 0
		})
		m.Epochs++
		if _, err := r.computeErrors(); err != nil {
			return err
		}
		if m.Excess > 1e8*math.Max(1, start) {
			return fmt.Errorf("the weights diverge: after epoch %d the mean square error is %.2g", m.Epochs,
				2*m.E/float64(m.N))
		}
		if floats.Distance(before, m.W, 2) <= 1e-13*floats.Norm(m.W, 2) && o.Decay == 0 {
			break
		}
	}
	m.Reason = fmt.Sprintf("after %d epochs the outputs still differ from the least-squares outputs by %.2g (root mean square): ", m.Epochs, math.Sqrt(m.Excess))
	if o.Decay == 0 {
		m.Reason += "with a constant rate, this difference falls only to a limit that is roughly proportional to the rate; set Decay, or use a smaller Rate and more epochs"
	} else {
		m.Reason += "use more epochs, a smaller Decay, or columns of similar scale"
	}
	return nil
}

// computeErrors computes the errors of the current W and appends one step to the trace.
func (r *adalineRun) computeErrors() (excess float64, err error) {
	m := r.m
	type sums struct {
		e, excess float64
		wrong     int
		g         []float64
	}
	s := block.Reduce(block.NewDesign(r.src, nil, nil), 0, func() *sums { return &sums{g: make([]float64, len(m.W))} },
		func(rows int) func(*sums, *block.Block) {
			y, best := make([]float64, rows), make([]float64, rows)
			return func(s *sums, b *block.Block) {
				b.Margins(m.W, y)
				b.Margins(m.LeastSquares, best)
				for i := range b.N {
					t := r.t[b.Lo+i]
					if t != 0.5 && (y[i] >= 0) != (t > 0.5) {
						s.wrong++
					}
					off, δ := y[i]-best[i], y[i]-(2*t-1)
					s.excess += off * off
					s.e += δ * δ / 2
					y[i] = δ
				}
				b.AddRows(s.g, y)
			}
		}, func(dst, src *sums) {
			dst.e += src.e
			dst.excess += src.excess
			dst.wrong += src.wrong
			floats.Add(dst.g, src.g)
		})
	m.E, m.Excess, m.Misclassified = s.e, s.excess/float64(m.N), s.wrong
	norm := floats.Norm(s.g, 2)
	for _, v := range append([]float64{m.E, m.Excess, norm}, m.W...) {
		if v-v != 0 {
			return 0, fmt.Errorf("the weights diverge: after epoch %d the weights or the error are not finite", m.Epochs)
		}
	}
	m.Trace = append(m.Trace,
		Step{W: slices.Clone(m.W), E: m.E, GradNorm: norm, Misclassified: m.Misclassified, Iteration: m.Epochs})
	return m.Excess, nil
}

var _ = codec.Register(codec.Kind[Adaline]{Schema: "hyperplane-adaline/1", Valid: (*Adaline).checkSizes})

func (m *Adaline) checkSizes() error {
	s, n := sizeChecker{}, len(m.W)
	s.checkWeights("w", n)
	s.requireLength("least_squares", len(m.LeastSquares), n)
	s.checkTrace(m.Trace, n)
	return s.err
}
