// Package ex23 judges PRML exercise 4.23: the Bayesian information criterion as
// what is left of Laplace's approximation when N is large, and what is left out.
package ex23

import (
	"embed"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/evidence"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex23", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges both functions of PRML exercise 4.23: bic is (4.139) for the log
// likelihood at the mode, M parameters and N data points; dropped is what Laplace's
// approximation with the prior N(m,V0) has more, where H is the Hessian of the
// negative log likelihood.
func Check(bic func(logLik float64, M, N int) float64, dropped func(mode, m []float64, V0, H *mat.SymDense, N int) float64) *verify.Report {
	return exercise.Judge(slices.Concat(
		askBIC.Parts(bic, []judge.Property[score]{
			judge.Form("BIC: a finite number, the same on every call", scores, nil, judge.Wrong{}, "You returned a number for every model, also for a single data point."),
			{Name: "BIC: it keeps step with ln p(D) while N grows from 10 to 100 000", On: decades,
				Holds: func(s score, got []float64) verify.Finding {
					b := s.before
					return drift((s.exact - got[0]) - (b.exact - bic(b.logLik, b.m, b.n)))
				},
				Wrong: judge.Wrong{Key: "drifts", Hint: 2, Message: "For {problem} ln p(D) is known exactly, and over the last factor of ten in N your number moved away from it: it is {off}. What is left out must stay of the same size."},
				Right: "From N = 100 to 100 000 the log likelihood falls by more than 10⁵ and the penalty grows threefold, while what is left out stays the same to within 0.4."},
			{Name: "BIC: (4.139), without any constant", On: scores,
				Holds: func(s score, got []float64) verify.Finding {
					penalty := 0.0 // M/2 factors N, under one logarithm: another way to the penalty
					for range s.m {
						penalty += math.Log(math.Sqrt(float64(s.n)))
					}
					return verify.Close(got[0], s.logLik-penalty, verify.Tolerance{Abs: 1e-8, Rel: 1e-10})
				},
				Wrong: judge.Wrong{Key: "bic", Hint: 2, Message: "For {problem} your BIC is {off}. (4.139) is the log likelihood minus a penalty made of M and N, and has no other constant."},
				Right: "It is (4.139)."},
		}...),
		askDropped.Parts(dropped, []judge.Property[problem]{
			judge.Form("Dropped: a finite number comes back, and the arguments stay as they were", solvable, nil, judge.Wrong{}, "You returned a finite number for M from 1 to 70."),
			{Name: "Dropped: the exact log evidence minus the BIC, for Gaussian posteriors", On: solvable, Holds: exact(1e-9),
				Wrong: judge.Wrong{Key: "dropped", Hint: 3, Message: "For {problem} Laplace's approximation is exact, and the BIC misses ln p(D) by a number that is not yours: it is {off}."},
				Right: "BIC and your terms together are the exact log evidence, found by predicting each target from those before it."},
			{Name: "Dropped: it tends to a constant when the data are repeated", On: many,
				Holds: func(p problem, got []float64) verify.Finding {
					q := p.repeated(100)
					return verify.Close(dropped(q.Mode, q.M0, q.S0, q.H, q.N), got[0], verify.Tolerance{Abs: 0.02})
				},
				Wrong: judge.Wrong{Key: "grows", Hint: 3, Message: "For {problem} your number changes when the data are repeated a hundred times more often: it is {off}. H is a sum over the data, so that ln|H| has M ln N in it, which the BIC already counts."},
				Right: "What the BIC leaves out does not grow with N. It does not vanish either: it is of the size of 1, or more."},
			{Name: "Dropped: fewer data points than parameters", On: few, Limits: true, Holds: exact(1e-7),
				Wrong: judge.Wrong{Key: "singular", Hint: 3, Message: "For {problem} H is singular, or nearly, and your number is {off}; for more data it is right."},
				Right: "It holds where H is singular, too: the prior decides what the data do not."},
		}...))...)
}

// drift finds what is left out of the same size over a factor of ten in N. One more
// or one less ½ ln N would be 1.15; from N = 100 on what is left out moves by the
// fluctuation of H/N only.
func drift(step float64) verify.Finding {
	f := verify.Close(step, 0, verify.Tolerance{Abs: 0.4})
	switch {
	case f.OK || math.IsNaN(f.Miss):
	case step < 0:
		f.Note = f.Off() + ", too small a penalty, and smaller with every decade"
	default:
		f.Note = f.Off() + ", too large a penalty, and larger with every decade"
	}
	return f
}

// exact compares with the exact log evidence minus the BIC.
func exact(tol float64) func(p problem, got []float64) verify.Finding {
	return func(p problem, got []float64) verify.Finding {
		bic := p.LogLik(p.Mode) - float64(len(p.M0))/2*math.Log(float64(p.N))
		return verify.Close(got[0], p.Exact-bic, verify.Tolerance{Abs: 10 * tol, Rel: tol})
	}
}

// A score is one set of arguments of BIC.
type score struct {
	logLik float64
	m, n   int
	exact  float64 // ln p(D), of a model on many data points,
	before *score  // and the same model on a tenth of them
}

func (s score) String() string {
	return fmt.Sprintf("a log likelihood of %.6g, M = %d and N = %d", s.logLik, s.m, s.n)
}

func scores() []score {
	return []score{{logLik: -12.3, m: 3, n: 10}, {logLik: -250, m: 1, n: 100}, {logLik: -3.7, m: 5, n: 7}, {logLik: 40.5, m: 2, n: 1000},
		{logLik: -1e4, m: 7, n: 4321}, {logLik: -0.4, m: 4, n: 2}, {logLik: 0, m: 3, n: 50}, {logLik: -2.5, m: 3, n: 1}, {logLik: -4e3, m: 160, n: 5000}}
}

// decades are models on more and more data, with priors so broad that the mode's last
// fluctuations do not matter against them. They are drawn once, since their 200 000
// targets are most of the work of a check.
var decades = instance.Once(func() (list []score) {
	for _, c := range [][]problem{
		regression(5, "three parameters", 3, 50, 1, 10, 100, 1000, 1e4, 1e5),
		regression(6, "one parameter", 1, 50, 0.5, 10, 100, 1000, 1e4, 1e5),
	} {
		var before *score
		for i, p := range c {
			s := score{p.LogLik(p.Mode), len(p.M0), p.N, p.Exact, before}
			if i > 1 {
				list = append(list, s)
			}
			before = &s
		}
	}
	return list
})

// A problem is a model with a Gaussian posterior, on N data points.
type problem struct {
	name string
	evidence.Model
}

func (p problem) String() string { return fmt.Sprintf("“%s”, N = %d,", p.name, p.N) }

func regression(part uint64, name string, m int, priorVariance, beta float64, n ...int) (list []problem) {
	for _, d := range evidence.Linear(instance.Source(423, part), m, priorVariance, beta, n...) {
		list = append(list, problem{name, d})
	}
	return list
}

// repeated is the problem with H and N multiplied by k, as for k copies of the data.
func (p problem) repeated(k int) problem {
	h := mat.NewSymDense(len(p.M0), nil)
	h.ScaleSym(float64(k), p.H)
	p.H, p.N = h, k*p.N
	return p
}

// moderate are models with more data than parameters and priors that matter.
func moderate() []problem {
	var out []problem
	out = append(out, regression(1, "three parameters", 3, 1, 2, 4, 15)...)
	out = append(out, regression(2, "one parameter", 1, 2, 0.5, 2, 7)...)
	out = append(out, regression(3, "two parameters, narrow prior", 2, 0.1, 1, 5, 30)...)
	return append(out, regression(4, "five parameters, broad prior", 5, 10, 1, 12, 60)...)
}

// solvable are these and a model of so many parameters that its determinants are
// beyond the range of a float64; their logarithms are not.
var solvable = instance.Once(func() []problem {
	return append(moderate(), regression(9, "seventy parameters, very narrow prior", 70, 1e-6, 1, 100)...)
})

// many are the moderate ones on ten thousand and on a million times as many data.
func many() (list []problem) {
	for _, p := range moderate() {
		list = append(list, p.repeated(1e4), p.repeated(1e6))
	}
	return list
}

func few() []problem {
	return append(regression(7, "four parameters", 4, 1, 2, 1, 2, 3), regression(8, "two parameters, very broad prior", 2, 1e6, 1, 1)...)
}
