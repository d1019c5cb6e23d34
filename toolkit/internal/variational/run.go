package variational

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

// Options contains those options of classify.VariationalLogisticOptions that control the
// iterations.
type Options struct {
	StartXi       float64
	Plain         bool
	MaxIterations int
	Tolerance     float64
}

// Step has the same fields as classify.VariationalStep.
type Step struct {
	Bound        float64
	Mean         []float64
	Change       float64
	Extrapolated bool
}

// Fit contains the data, the options and the current state of a variational fit.
type Fit struct {
	*solve.Problem
	o  Options
	lv glm.Level
	m0 []float64 // mean of the prior, in inner coordinates

	At        *State
	Xi        []float64 // parameters ξ of the state `At`
	Trace     []Step
	Passes    int
	Converged bool
	Reason    string
}

const (
	// Once changes in ξ no longer shrink, changes below floorChange count as rounding errors. A fit with
	// a roundingStep above floorChange has not converged.
	floorChange = 1e-8
	patient     = 12 // floorChange applies after this number of updates without a new smallest change
)

// Start runs a fit in which the initial value of each ξ is o.StartXi.
func Start(p *solve.Problem, o Options) (*Fit, error) {
	f := &Fit{Problem: p, o: o, lv: p.Moments(), m0: make([]float64, p.GLM.M)}
	if p.Prior != nil {
		f.m0 = p.Coord.Inner(p.Prior.Mean)
	}
	return f, f.run()
}

// run updates q and ξ (10.163) in turn. This is expectation maximisation, so no iteration makes the
// bound smaller. If the option Plain is false, run also takes Newton steps for the mean of q. In
// this case, after every two iterations ξ → ξ′ → ξ″, it tries the extrapolation of Varadhan and
// Roland (2008),
//
//	ξ* = |ξ − 2αr + α²v|,  r = ξ′−ξ,  v = (ξ″−ξ′) − r,  α = −‖r‖/‖v‖.
//
// Every ξ gives a valid bound, and so does ξ*. run accepts ξ* if the bound L(ξ*) is not smaller. If
// the updates after an extrapolation become longer, run waits before the next extrapolation.
func (f *Fit) run() error {
	n := f.GLM.N
	f.Xi = make([]float64, n)
	for i := range f.Xi {
		f.Xi[i] = f.o.StartXi
	}
	var x0, x1 []float64 // the values of ξ before the last two updates
	if !f.o.Plain {
		x0, x1 = make([]float64, n), make([]float64, n)
	}
	first, _, err := f.nextState(nil, f.Xi, nil)
	if err != nil {
		return err
	}
	f.record(first, math.Inf(1), false)
	best, before, since := math.Inf(1), math.Inf(1), 0
	last, slowest := 0.0, 0.0 // the previous ‖Δξ‖, and the largest recent ratio between successive ‖Δξ‖
	// jumped: an extrapolation was just accepted; failed: number of accepted extrapolations after which
	// the updates became longer; wait: number of pairs of updates before the next extrapolation
	jumped, failed, wait := false, 0, 0
	for k := 0; f.Passes < f.o.MaxIterations; k++ {
		keep := x0
		if k%2 == 1 {
			keep = x1
		}
		q, s, err := f.update(keep)
		if err != nil {
			return err
		}
		f.record(q, s.change, false)
		size := math.Sqrt(s.square)
		// The slowest component of ξ determines the remaining error. In a single pair of updates,
		// or in a pair with a rejected Newton step, other components may dominate `rate`. The
		// variable `slowest` therefore decreases only slowly. (The update after an extrapolation
		// cannot be compared with the update before it.)
		if rate := size / last; rate < 1 && (k%2 == 1 || f.o.Plain && k > 0) {
			slowest = math.Max(rate, 0.97*slowest)
		}
		switch {
		case s.change == 0 || slowest > 0 && math.Max(s.change, before)*slowest/(1-slowest) <= f.o.Tolerance:
			f.finish(fmt.Sprintf("converged after %d passes: the last update changed ξ by %.1g", f.Passes, s.change))
			return nil
		case s.change < best:
			best, since = s.change, 0
		default:
			since++
		}
		if s.change < floorChange && since >= patient {
			f.finish(fmt.Sprintf("converged after %d passes as far as rounding allows: updates still change ξ by %.1g",
				f.Passes, s.change))
			return nil
		}
		if jumped && size > last {
			// After the extrapolation the updates are longer. The extrapolation has therefore
			// failed, although the bound is too flat to show this. After each failure, wait longer
			// before the next extrapolation.
			failed++
			wait = 1 << min(failed, 10)
		}
		jumped = false
		if k%2 == 1 && !f.o.Plain && f.Passes+1 < f.o.MaxIterations {
			if wait--; wait < 0 {
				if jumped, err = f.extrapolate(x0, x1, last, size); err != nil {
					return err
				}
			}
		}
		last, before = size, s.change
	}
	f.Reason = fmt.Sprintf("not converged: stopped after MaxIterations = %d passes, the last update changed ξ by %.2g",
		f.o.MaxIterations, f.Trace[len(f.Trace)-1].Change)
	return nil
}

// finish ends the fit at a q that no longer changes. This q is the optimum, unless the bound is so
// flat near q that rounding errors hide its gradient. In this case, or if rounding the weights costs
// too many digits, finish sets Converged to false and writes the cause to Reason.
func (f *Fit) finish(reason string) {
	f.Converged, f.Reason = f.At.roundingStep <= floorChange, reason
	if !f.Converged {
		f.Reason = fmt.Sprintf("not converged: stopped after %d passes, because the bound is so flat that rounding leaves the mean uncertain by %.1g (in standard errors, or relative to an activation); "+
			"use a narrower prior, and reduce any entry of x that is far larger than all others", f.Passes, f.At.roundingStep)
		return
	}
	if why := f.WeightRoundingReason(f.At.Mean, f.Coord.Outer(f.At.Mean), solve.AtOptimum(f.At.R)); why != "" {
		f.Converged, f.Reason = false, why
	}
}

// update performs one iteration. It uses the mean that Newton's method has computed, if there is one
// and if it does not make the bound smaller. Otherwise it uses the mean of the current q. It also
// copies the previous ξ to the given slice.
func (f *Fit) update(keep []float64) (*State, *sums, error) {
	if f.At.jump == nil {
		return f.nextState(f.At, f.Xi, keep)
	}
	from := *f.At
	from.Mean = f.At.jump
	q, s, err := f.nextState(&from, f.Xi, keep)
	if err != nil || q.Bound >= f.At.Bound-f.boundRounding() {
		return q, s, err
	}
	copy(f.Xi, keep)
	return f.nextState(f.At, f.Xi, keep)
}

// boundRounding returns an upper bound on the rounding error of L, the variational bound. L is a
// sum over the rows.
func (f *Fit) boundRounding() float64 { return 1e-13 * (1 + math.Abs(f.At.Bound)) }

// record makes q the current state of the fit and adds it to the trace.
func (f *Fit) record(q *State, change float64, jump bool) {
	f.At = q
	f.Trace = append(f.Trace, Step{Bound: q.Bound, Mean: f.Coord.Outer(q.Mean), Change: change, Extrapolated: jump})
}

// extrapolate computes ξ* from ξ = x0, ξ′ = x1 and ξ″ = f.Xi, where r = ‖ξ′−ξ‖ and r2 = ‖ξ″−ξ′‖. It
// reports whether it accepted ξ*. It overwrites x0.
func (f *Fit) extrapolate(x0, x1 []float64, r, r2 float64) (bool, error) {
	var curve float64
	for i, x := range f.Xi {
		v := x - 2*x1[i] + x0[i]
		curve += f.Src.Weights().At(i) * v * v
	}
	α := -r / math.Sqrt(curve)
	if !(α < -1) || math.IsInf(α, 0) || !(r2 < r) {
		return false, nil // extrapolate only beyond ξ″, and only if the updates become shorter
	}
	for i, x := range f.Xi {
		d, v := x1[i]-x0[i], x-2*x1[i]+x0[i]
		x0[i] = math.Abs(x0[i] - 2*α*d + α*α*v)
	}
	q, _, err := f.nextState(nil, x0, nil)
	if err != nil {
		return false, err
	}
	if !(q.Bound >= f.At.Bound-f.boundRounding()) {
		return false, nil
	}
	var change float64
	for i, x := range x0 {
		change = math.Max(change, math.Abs(x-f.Xi[i])/(1+f.Xi[i]))
	}
	copy(f.Xi, x0)
	f.record(q, change, true)
	return true, nil
}

// newtonMean returns the mean after one step of Newton's method from q. For a fixed S the bound is
// a concave function of the mean, with the Hessian −(S0⁻¹ + Σ h_nφ_nφ_nᵀ). The gradient of the bound
// is (S0⁻¹+G)(m′−m), where m′ is the update (10.157). This update also increases the bound, but it
// takes a step with the larger matrix G instead of Σ h_nφ_nφ_nᵀ. The update is therefore slow if
// many rows are far from the boundary. If the matrix of the step is too ill conditioned, or if the
// mean is not finite, newtonMean returns nil for the mean.
//
// The result roundingStep measures the step that a rounding error of N·2⁻⁵³ in each inner
// coordinate of the gradient causes. It is the larger of two numbers: the length of this step in
// standard errors, and the largest change in an activation a, divided by 1 + |a|.
func (f *Fit) newtonMean(q, next *State, s *sums) (to []float64, roundingStep float64) {
	c, pivot := f.cholesky(s.curve)
	if c == nil || pivot < linalg.WellConditioned*linalg.WellConditioned {
		return nil, 0
	}
	m := f.GLM.M
	e, n := make([]float64, m), f.Src.Total()
	for j := range e {
		e[j] = n * 0x1p-53
	}
	e = c.Solve(c.SolveT(e))
	roundingStep = math.Max(linalg.Norm(next.R.Times(e)), f.Reach(next.Mean, e))
	d, u := make([]float64, m), make([]float64, m)
	floats.SubTo(d, next.Mean, q.Mean)
	copy(u, next.R.Times(d))
	clear(d)
	for i := range m { // Rᵀ·u
		floats.AddScaled(d[i:], u[i], next.R.A[i*m+i:(i+1)*m])
	}
	to = c.Solve(c.SolveT(d))
	floats.Add(to, q.Mean)
	if floats.HasNaN(to) || math.IsInf(floats.Norm(to, math.Inf(1)), 0) {
		return nil, roundingStep
	}
	return to, roundingStep
}

// rootCurvature returns √h for a row. Here −h is the second derivative, with respect to μ, of the
// term that the row adds to the bound. This term and h are
//
//	−ln 2cosh(ξ/2),  ξ² = μ² + v:  h = {y(1−y)μ² + 2λ(ξ)v}/ξ²,  y = σ(ξ).
func rootCurvature(xi, mu, v, lambda float64) float64 {
	if xi == 0 {
		return math.Sqrt(2 * lambda)
	}
	y, c, _ := kernels.SigmoidParts(xi)
	s := mu / xi
	return math.Sqrt(y*c*s*s + 2*lambda*(v/xi/xi))
}
