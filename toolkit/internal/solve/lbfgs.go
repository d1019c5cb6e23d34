package solve

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

var _ Solver = LBFGS{}

// LBFGS is a solver that uses the limited-memory quasi-Newton method.
type LBFGS struct {
	Memory int
	Every  int
	Stop   Stopping
}

// mostMemory is the largest allowed value of the field Memory, the number of stored gradients. It
// limits the memory use, because gonum allocates space for all these gradients at the start.
const mostMemory = 1000

func (s LBFGS) Prepare(d, k int) (int, error) {
	if s.Memory < 0 || s.Memory > mostMemory {
		return 0, fmt.Errorf("LBFGS.Memory is %d: want 1 … %d gradients (0 means the default, 15)", s.Memory, mostMemory)
	}
	return 1000, cmp.Or(checkWalk("LBFGS", s.Every, false), s.Stop.validate(d, k))
}

func (s LBFGS) Solve(p *Problem) *Path {
	k := newSolverRun(p, "L-BFGS", startOf(p, false, 0), s.Stop, s.Every, false)
	// If a line search finds no lower point, the cause may be old gradients in memory. The method
	// then restarts with an empty memory. It stops if no lower point is found after the restart.
	for !k.done {
		at := k.it
		s.run(k)
		if !k.done {
			k.unmoved = k.it == at
			k.measure(true)
		}
	}
	return k.finish()
}

// run minimises E, beginning at the current iterate, until the solver has to stop or the line
// search fails.
func (s LBFGS) run(k *solverRun) {
	f := &lbfgsValue{solverRun: k}
	problem := optimize.Problem{
		Func: func(x []float64) float64 { f.at(x); return f.e },
		Grad: func(grad, x []float64) { f.at(x); copy(grad, f.grad) },
		Status: func() (optimize.Status, error) {
			switch {
			case k.done:
				return optimize.Success, nil
			case f.trials > lbfgsTrials: // because of rounding errors, a line search may never end
				return optimize.Failure, nil
			}
			return optimize.NotTerminated, nil
		},
	}
	// The error of a failed line search is ignored, because Solve examines the iterate afterwards
	// (see the method `measure`).
	_, _ = optimize.Minimize(problem, k.in, &optimize.Settings{
		Converger: optimize.NeverTerminate{},
		Recorder:  lbfgsRecorder{f},
	}, &optimize.LBFGS{Store: s.Memory, GradStopThreshold: math.NaN(), Linesearcher: &optimize.MoreThuente{}})
}

// lbfgsValue stores the last evaluation, because gonum requests the value and the gradient in two
// separate calls.
type lbfgsValue struct {
	*solverRun
	x, grad []float64
	ev      *glm.Evaluation
	e       float64
	trials  int // number of evaluations since the last iterate
}

// lbfgsTrials is the largest number of evaluations in one line search. The line search evaluates
// each point twice and halves its step up to about 60 times. After more halvings, the step would be
// smaller than the rounding errors of the weights.
const lbfgsTrials = 120

func (f *lbfgsValue) at(x []float64) {
	f.trials++
	if slices.Equal(f.x, x) {
		return
	}
	f.x = slices.Clone(x)
	ev, e := f.Evaluate(f.x, glm.WithGradient)
	f.ev, f.e, f.grad = ev, e, f.fullGradient(f.x, ev)
}

// lbfgsRecorder records one iterate for each line search: the point at which the search ends.
type lbfgsRecorder struct{ f *lbfgsValue }

func (lbfgsRecorder) Init() error { return nil }

func (r lbfgsRecorder) Record(l *optimize.Location, op optimize.Operation, _ *optimize.Stats) error {
	f := r.f
	if op == optimize.MajorIteration {
		f.trials = 0
	}
	// gonum first reports the starting point. Skip it, because it is already recorded.
	if op == optimize.MajorIteration && !f.done && !slices.Equal(l.X, f.in) {
		f.at(l.X)
		f.solverRun.it++
		w := f.Coord.Outer(f.x)
		f.accept(&iterate{w, f.x, f.ev, f.e, f.gradient(w, f.ev)})
	}
	return nil
}
