package classify

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// IRLSOptions are the options of FitIRLS.
type IRLSOptions struct {
	// Start is the initial w, bias first, D+1 entries; nil means 0.
	Start []float64
	// MaxIterations is the maximum number of weighted fits; 0 means 50.
	MaxIterations int
	// Tolerance decides when the fit has converged; 0 means 1e-10. In the last step, no activation
	// may change by more than Tolerance·(1 + the largest |activation|).
	Tolerance float64
}

// IRLSStep contains an iterate w, and the targets Z and the weights R of the weighted least-squares
// problem at w. The solution of this problem is the next iterate.
//
// Equations: PRML (4.98), (4.100), (4.103).
type IRLSStep struct {
	W []float64 // the iterate, D+1
	R []float64 // R_nn = y_n(1−y_n), the variance of t_n, N entries
	// Z contains the effective targets z_n = wᵀφ_n − (y_n − t_n)/R_nn. R_nn is the variance of t_n,
	// and 1/R_nn is the variance of z_n (erratum P26). Z has one entry per row; Gambosi's slides
	// print d entries (erratum G10). If t_n differs from y_n, and R_nn is 0 or so small that the
	// quotient overflows, z_n is ±Inf.
	Z []float64
	E float64 // the cross-entropy (4.90) at W
}

// IRLS is logistic regression as a sequence of weighted least-squares fits,
//
//	w ← (ΦᵀRΦ)⁻¹ΦᵀRz  (4.99),
//
// which are Newton steps (4.92) without a safeguard against steps that are too long. FitLogistic
// fits the same model with a safeguard. An IRLS cannot be saved. Save the model of FitLogistic
// instead.
//
// Equations: PRML (4.92), (4.96)–(4.103).
type IRLS struct {
	Names
	W         []float64  // the last iterate
	Steps     []IRLSStep // the iterates, from the start to W
	Converged bool       // reports whether the last fit hardly changed the activations and rounding errors are small
	// Separable reports whether a hyperplane separates the classes. In that case the likelihood has no
	// maximum. FitIRLS tests this only if Converged is false.
	Separable bool
	Reason    string // why the fit stopped
	N         int    // number of rows in the fit
}

// FitIRLS fits inputs x (N×D) and targets t in [0,1] by iterative reweighted least squares, and
// returns every step. t = 1 means C₁.
//
// Converged is false in four cases, which Reason explains:
//   - R_nn is 0 in all rows, or in so many rows that the remaining rows do not determine w.
//   - An effective target or the next w overflows.
//   - The activations still change after MaxIterations fits. For separable classes, w grows without
//     bound.
//   - The activations have large rounding errors, because a column is far from 0 or the weights are
//     very large.
//
// Errors: shapes that do not agree, NaN or Inf, targets outside [0,1] or of a single class, options
// out of range, an activation that is not a number because wᵀφ overflows.
//
// Equations: PRML (4.92), (4.96)–(4.103).
func FitIRLS(x mat.Matrix, t []float64, o IRLSOptions) (*IRLS, error) {
	m, err := fitIRLS(x, t, o)
	if err != nil {
		return nil, failure("FitIRLS", err)
	}
	return m, nil
}

func fitIRLS(x mat.Matrix, t []float64, o IRLSOptions) (*IRLS, error) {
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	n, d := src.Dims()
	if err := check.Targets(t, n); err != nil {
		return nil, err
	}
	if err := check.OneClass(slices.All(t)); err != nil {
		return nil, err
	}
	if o, err = o.complete(d + 1); err != nil {
		return nil, err
	}
	m := &IRLS{W: slices.Clone(o.Start), N: n}
	if err := m.repeatFits(x, t, cols, o); err != nil {
		return nil, err
	}
	if m.Converged {
		return m, nil
	}
	if l, err := FitLogistic(x, t, LogisticOptions{}); err == nil && l.Separable {
		m.Separable = true
		m.Reason += "; a hyperplane separates the classes: E has no minimum, and w grows without bound; for finite weights use FitLogistic with a Prior"
	}
	return m, nil
}

func (o IRLSOptions) complete(m int) (IRLSOptions, error) {
	if o.MaxIterations < 0 {
		return o, fmt.Errorf("MaxIterations is %d: it must be at least 0 (0 means the default, 50)", o.MaxIterations)
	}
	if !(o.Tolerance >= 0) || math.IsInf(o.Tolerance, 0) {
		return o, fmt.Errorf("Tolerance is %v: it must be finite and at least 0 (0 means the default, 1e-10)", o.Tolerance)
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = 50
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-10
	}
	if o.Start == nil {
		o.Start = make([]float64, m)
	}
	return o, check.Vector("Start", o.Start, m, "one entry for the bias and one for each column of x")
}

// repeatFits repeats the weighted fit until a fit hardly changes the activations (see Tolerance), or
// until the next fit cannot be computed. It makes at most MaxIterations fits.
func (m *IRLS) repeatFits(x mat.Matrix, t []float64, cols *block.Columns, o IRLSOptions) error {
	// A fit in which every row has weight 1 determines the rank of Φ. The weighted fits must reach
	// this rank.
	plain, err := fitWeightedLeastSquares(x, t, nil, WeightedLeastSquaresOptions{})
	if err != nil {
		return err
	}
	var before []float64
	for i := 0; ; i++ {
		s, err := linearScores(x, [][]float64{m.W})
		if err != nil {
			return err
		}
		a := mat.Col(nil, 0, s)
		step := irlsStep(m.W, a, t)
		m.Steps = append(m.Steps, step)
		if i > 0 {
			change, size := floats.Distance(a, before, math.Inf(1)), floats.Norm(a, math.Inf(1))
			if change <= o.Tolerance*(1+size) {
				m.Converged = true
				m.Reason = fmt.Sprintf("converged: fit %d changed no activation by more than %.2g", i, change)
				m.checkRounding(cols, o)
				return nil
			}
		}
		before = a
		if i == o.MaxIterations {
			m.Reason = fmt.Sprintf("not converged after %d weighted fits", i)
			m.checkRounding(cols, o)
			return nil
		}
		if slices.Max(step.R) == 0 {
			m.Reason = fmt.Sprintf("fit %d cannot be computed: R vanishes, because y(1−y) is 0 in double precision for all %d rows",
				i+1, m.N)
			return nil
		}
		if row := slices.IndexFunc(step.Z, func(z float64) bool { return math.IsInf(z, 0) }); row >= 0 {
			m.Reason = fmt.Sprintf("fit %d cannot be computed: R vanishes for row %d on the wrong side of the boundary, with the effective target %v; start closer to the optimum, or use FitLogistic", i+1, row, step.Z[row])
			return nil
		}
		w, err := fitWeightedLeastSquares(x, step.Z, step.R, WeightedLeastSquaresOptions{})
		if err != nil {
			m.Reason = fmt.Sprintf("fit %d cannot be computed: %v", i+1, err)
			return nil
		}
		if w.Rank < plain.Rank {
			m.Reason = fmt.Sprintf("fit %d cannot be computed: R vanishes in so many rows that the remaining rows do not determine w; start closer to the optimum, or use FitLogistic", i+1)
			return nil
		}
		m.W = w.W
	}
}

// checkRounding estimates the rounding error of the sum wᵀφ at the last iterate. If the error exceeds
// both the tolerance and 1e-8, checkRounding sets Converged to false and writes the cause to Reason.
// With such a rounding error, a step that changes nothing does not prove that w is the optimum.
func (m *IRLS) checkRounding(cols *block.Columns, o IRLSOptions) {
	column, most, sum := 0, 0.0, math.Abs(m.W[0])
	size := func(j int) float64 { return math.Max(math.Abs(cols.Min[j]), math.Abs(cols.Max[j])) }
	for j, w := range m.W[1:] {
		v := math.Abs(w) * size(j)
		if v > most {
			column, most = j, v
		}
		sum += v
	}
	if uncertain := sum * 0x1p-53; uncertain > math.Max(o.Tolerance, 1e-8) {
		m.Converged = false
		m.Reason = fmt.Sprintf("not converged: after %d weighted fits the activations have rounding errors of up to %.1g, because column %d of x (counting from 0) reaches %.3g: centre the column, and leave out columns that are nearly dependent on other columns",
			len(m.Steps)-1, uncertain, column, size(column))
	}
}

// irlsStep returns the step with R, z and E at w. The argument a contains the activations at w.
// SigmoidParts returns both y and 1−y with full accuracy. irlsStep uses them to compute −(y−t)/R as
// t/y − (1−t)/(1−y), so that this ratio is also accurate.
func irlsStep(w, a, t []float64) IRLSStep {
	s := IRLSStep{W: w, R: make([]float64, len(a)), Z: slices.Clone(a)}
	for n, v := range a {
		y, c, l := kernels.SigmoidParts(v)
		s.R[n] = y * c
		if t[n] > 0 {
			s.Z[n] += t[n] / y
			s.E += t[n] * (l + math.Max(-v, 0))
		}
		if t[n] < 1 {
			s.Z[n] -= (1 - t[n]) / c
			s.E += (1 - t[n]) * (l + math.Max(v, 0))
		}
	}
	return s
}

// String returns the reason if the fit has not converged, the error E at each iterate, and the final
// weights.
func (m *IRLS) String() string {
	p := &modelText{}
	p.addReason(m.Converged, m.Reason)
	for i, s := range m.Steps {
		p.say("w after %d fits: E = %.6g", i, s.E)
	}
	p.vector(&m.Names, m.W)
	return p.String()
}
