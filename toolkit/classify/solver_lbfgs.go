package classify

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

var _ Solver = LBFGS{}

// LBFGS is the limited-memory quasi-Newton method of Broyden, Fletcher, Goldfarb
// and Shanno (gonum/optimize): it needs gradients only, and learns the curvature
// from the last few of them. It works in the fit's own centred and scaled
// coordinates; the Trace is in those of x.
//
// An iteration is one step of its line search; there are at most 1000 unless the
// fit's options say otherwise. A line search compares values of E, so it cannot
// come nearer to the optimum than about 1e-8 standard errors: where it ends
// within 1e-6 of them, a Newton step ends the fit. On a long exponential tail, as
// of a row of 1e20 on its right side, E is flat before the optimum, and the fit is
// not Converged.
type LBFGS struct {
	// Memory is the number of gradients remembered; 0 is 15.
	Memory int
	// Every is how often an iterate is recorded in the Trace: each Every-th, and
	// the last. 0 records all up to about a thousand, then fewer, evenly spaced.
	Every int
	// Stop is early stopping.
	Stop Stopping
}

func (s LBFGS) prepare(d, k int) (int, error) {
	if s.Memory < 0 {
		return 0, fmt.Errorf("LBFGS.Memory is %d: it is a number of gradients (0 is the default, 15)", s.Memory)
	}
	if err := walkEvery("LBFGS.Every", s.Every); err != nil {
		return 0, err
	}
	return 1000, s.Stop.check(d, k)
}

func (s LBFGS) solve(p *problem) *path {
	k := newWalk(p, "L-BFGS", p.coord.Outer(p.start), s.Stop, s.Every)
	// A line search that finds nothing lower may have been misled by its memory:
	// it begins again without, until that does not help either.
	for !k.done {
		at := k.it
		s.run(k)
		if !k.done {
			k.settled = k.it == at
			k.look(true)
		}
	}
	return k.finish()
}

// run minimises from where the walk is until it is done or the line search fails.
func (s LBFGS) run(k *walk) {
	f := &lbfgsValue{walk: k}
	problem := optimize.Problem{
		Func: func(x []float64) float64 { f.at(x); return f.e },
		Grad: func(grad, x []float64) { f.at(x); copy(grad, f.grad) },
		Status: func() (optimize.Status, error) {
			switch {
			case k.done:
				return optimize.Success, nil
			case f.trials > lbfgsTrials: // rounding can keep a line search going for ever
				return optimize.Failure, nil
			}
			return optimize.NotTerminated, nil
		},
	}
	// The error of a failing line search says no more than that it failed.
	_, _ = optimize.Minimize(problem, k.in, &optimize.Settings{
		Converger: optimize.NeverTerminate{},
		Recorder:  lbfgsRecorder{f},
	}, &optimize.LBFGS{Store: s.Memory, GradStopThreshold: math.NaN(), Linesearcher: &optimize.MoreThuente{}})
}

// lbfgsValue keeps the last evaluation, which gonum asks for in two calls.
type lbfgsValue struct {
	*walk
	x, grad []float64
	ev      *glm.Evaluation
	e       float64
	trials  int // points asked for since the last iterate
}

// lbfgsTrials bounds the points of one line search: halving leaves no digit of a
// step after as many, and each is asked for twice.
const lbfgsTrials = 120

func (f *lbfgsValue) at(x []float64) {
	f.trials++
	if slices.Equal(f.x, x) {
		return
	}
	f.x = slices.Clone(x)
	ev, e := f.evaluate(f.x, glm.WithGradient)
	f.ev, f.e, f.grad = ev, e, f.lbfgsGradient(f.x, ev)
}

// lbfgsRecorder takes each step of the line search for an iterate.
type lbfgsRecorder struct{ f *lbfgsValue }

func (lbfgsRecorder) Init() error { return nil }

func (r lbfgsRecorder) Record(l *optimize.Location, op optimize.Operation, _ *optimize.Stats) error {
	f := r.f
	if op == optimize.MajorIteration {
		f.trials = 0
	}
	// The first one reported is the start.
	if op == optimize.MajorIteration && !f.done && !slices.Equal(l.X, f.in) {
		f.at(l.X)
		f.walk.it++
		f.take(f.coord.Outer(f.x), f.x, f.ev, f.e)
	}
	return nil
}

// lbfgsGradient returns ∇E in all inner coordinates, dependent ones too.
func (p *problem) lbfgsGradient(in []float64, ev *glm.Evaluation) []float64 {
	if p.precise {
		return p.preciseGradient(in)
	}
	g := slices.Clone(ev.Grad)
	if p.prior != nil {
		for i, u := range p.prior.residual(p.coord.Outer(in)) {
			for j, v := range p.root[i] {
				g[j] += v * u
			}
		}
	}
	return g
}
