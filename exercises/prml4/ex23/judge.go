package ex23

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A score is one set of arguments of BIC.
type score struct {
	logLik float64
	m, n   int
}

var scores = []score{{-12.3, 3, 10}, {-250, 1, 100}, {-3.7, 5, 7}, {40.5, 2, 1000}, {-1e4, 7, 4321}, {-0.4, 4, 2}, {0, 3, 50}}

// askBIC is the learner's number, with a verdict instead where it is none.
func askBIC(f bicFunc, s score) (float64, *verify.Verdict) {
	v := f(s.logLik, s.m, s.n)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, learner.Fail("not-finite", 3, "BIC returned %g for a log likelihood of %g, M = %d, N = %d.", v, s.logLik, s.m, s.n)
	}
	if v != f(s.logLik, s.m, s.n) {
		return 0, learner.Fail("not-constant", 0, "Two calls of BIC with the same arguments gave different numbers.")
	}
	return v, nil
}

// knownBIC names the mistake in the learner's BIC.
func knownBIC(f bicFunc) (verify.Verdict, bool) {
	got := make([]float64, len(scores))
	for i, s := range scores {
		got[i] = f(s.logLik, s.m, s.n)
	}
	return learner.Recognise(bicMistakes, scores, got)
}

func judgeDecades(f bicFunc) verify.Verdict {
	for _, c := range decades() {
		var misses []float64
		for _, p := range c {
			v, bad := askBIC(f, score{p.logLik, len(p.m), p.n})
			if bad != nil {
				return *bad
			}
			misses = append(misses, p.exact-v)
		}
		// One more or one less ½ ln N per decade would be 1.15. From N = 100 on
		// what is left out moves by the fluctuation of H/N only.
		for i := 2; i < len(misses); i++ {
			step := misses[i] - misses[i-1]
			if math.Abs(step) < 0.4 {
				continue
			}
			if v, ok := knownBIC(f); ok {
				return v
			}
			way := "too large a penalty, and larger"
			if step < 0 {
				way = "too small a penalty, and smaller"
			}
			return verify.Fail("drifts", 2, "For a model with “%s” ln p(D) is known exactly. From N = %d to N = %d your number moves away from it by about %.0e: %s with every decade. What is left out must stay of the same size.", c[0].name, c[i-1].n, c[i].n, math.Abs(step), way)
		}
	}
	return verify.Pass("From N = 100 to 100 000 the log likelihood falls by more than 10⁵ and the penalty grows threefold, while what is left out stays the same to within 0.4.")
}

func judgeBIC(f bicFunc) verify.Verdict {
	for _, s := range scores {
		v, bad := askBIC(f, s)
		if bad != nil {
			return *bad
		}
		// M/2 factors N, under one logarithm: another way to the penalty.
		penalty := 0.0
		for range s.m {
			penalty += math.Log(math.Sqrt(float64(s.n)))
		}
		if g := verify.Close(v, s.logLik-penalty, verify.Tolerance{Abs: 1e-9, Rel: 1e-10}); !g.OK {
			if v, ok := knownBIC(f); ok {
				return v
			}
			return verify.Fail("bic", 2, "For a log likelihood of %g, M = %d, N = %d your BIC is %s. A constant that does not grow with N is dropped.", s.logLik, s.m, s.n, g.Off())
		}
	}
	return verify.Pass("It is (4.139).")
}

// ask calls the learner's Dropped with copies; with a verdict instead where an
// argument was changed or no finite number came back.
func ask(f droppedFunc, p problem) (float64, *verify.Verdict) {
	var in learner.Inputs
	v := f(in.Slice("mode", p.mode), in.Slice("m", p.m), in.Sym("V0", p.V0), in.Sym("H", p.H), p.n)
	bad := in.Changed(3)
	if bad == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		bad = learner.Fail("not-finite", 3, "For “%s”, N = %d, Dropped returned %g. H is a Hessian of the negative log likelihood, and V0 a covariance: H + V0⁻¹ is positive definite, whatever N is.", p.name, p.n, v)
	}
	return v, bad
}

func judgeForm(f droppedFunc) verify.Verdict {
	for _, p := range moderate() {
		first, bad := ask(f, p)
		if bad != nil {
			return *bad
		}
		second, bad := ask(f, p)
		if bad != nil {
			return *bad
		}
		if first != second {
			return verify.Fail("not-constant", 0, "Two calls of Dropped with the same arguments gave different numbers.")
		}
	}
	return verify.Pass("You returned a finite number for M from 1 to 5.")
}

// missing is the exact log evidence minus (4.139).
func (p problem) missing() float64 {
	return p.exact - (p.logLik - float64(len(p.m))/2*math.Log(float64(p.n)))
}

// known names the mistake in the learner's Dropped.
func known(f droppedFunc) (verify.Verdict, bool) {
	problems := moderate()
	got := make([]float64, len(problems))
	for i, p := range problems {
		got[i], _ = ask(f, p)
	}
	return learner.Recognise(droppedMistakes, problems, got)
}

func judgeDropped(f droppedFunc) verify.Verdict {
	for _, p := range moderate() {
		v, bad := ask(f, p)
		if bad != nil {
			return *bad
		}
		if g := verify.Close(v, p.missing(), verify.Tolerance{Abs: 1e-8, Rel: 1e-9}); !g.OK {
			if v, ok := known(f); ok {
				return v
			}
			return verify.Fail("dropped", 3, "For “%s”, N = %d, Laplace's approximation is exact, and the BIC misses ln p(D) by a number that is not yours: %s.", p.name, p.n, g.Off())
		}
	}
	return verify.Pass("BIC and your terms together are the exact log evidence, found by predicting each target from those before it.")
}

// repeated is the problem with H and N multiplied by k, as for k copies of the data.
func (p problem) repeated(k int) problem {
	q := p
	q.n = k * p.n
	q.H = mat.NewSymDense(len(p.m), nil)
	q.H.ScaleSym(float64(k), p.H)
	return q
}

// judgeConstant compares values of the learner's function with each other only.
func judgeConstant(f droppedFunc) verify.Verdict {
	for _, p := range moderate() {
		var values []float64
		for _, k := range []int{1e4, 1e6, 1e8} {
			v, bad := ask(f, p.repeated(k))
			if bad != nil {
				return *bad
			}
			values = append(values, v)
		}
		for i := 1; i < len(values); i++ {
			if g := verify.Close(values[i], values[i-1], verify.Tolerance{Abs: 0.02}); !g.OK {
				if v, ok := known(f); ok {
					return v
				}
				return verify.Fail("grows", 3, "For “%s” your number changes when the data are repeated a hundred times more often: it is %s. H is a sum over the data, so that ln|H| has M ln N in it, which the BIC already counts.", p.name, g.Off())
			}
		}
	}
	return verify.Pass("What the BIC leaves out does not grow with N. It does not vanish either: it is of the size of 1, or more.")
}

func judgeFew(f droppedFunc) verify.Verdict {
	var few []problem
	few = append(few, regression(7, "four parameters", 4, 1, 2, 1, 2, 3)...)
	few = append(few, regression(8, "two parameters, very broad prior", 2, 1e6, 1, 1)...)
	for _, p := range few {
		v, bad := ask(f, p)
		if bad != nil {
			if bad.Key == "not-finite" {
				return verify.Fail("singular", 3, "With %d data points for %s Dropped returned %g. H is singular there, and ln|H| is −∞; but the posterior's precision is not H alone.", p.n, p.name, v)
			}
			return *bad
		}
		if g := verify.Close(v, p.missing(), verify.Tolerance{Abs: 1e-6, Rel: 1e-7}); !g.OK {
			if v, ok := known(f); ok {
				return v
			}
			return verify.Fail("singular", 3, "With %d data points for %s, H is singular, and your number is %s; for more data it is right.", p.n, p.name, g.Off())
		}
	}
	return verify.Pass("It holds where H is singular, too: the prior decides what the data do not.")
}
