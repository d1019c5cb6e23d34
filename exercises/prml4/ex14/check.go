// Package ex14 judges PRML exercise 4.14: the maximum likelihood of logistic
// regression for linearly separable data.
package ex14

import (
	_ "embed"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParseVaried("exercises/prml4/ex14/exercise.md", text, answer, vary)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

type (
	directionFunc = func(Phi *mat.Dense, t []float64) (w []float64, ok bool)
	errorFunc     = func(w []float64, Phi *mat.Dense, t []float64, c float64) float64
)

// Check judges both functions of PRML exercise 4.14. separatingDirection returns
// a strictly separating w (M) for the design matrix Phi (N×M) and targets t (N,
// each 0 or 1), and whether there is one. errorAlong returns the cross-entropy
// (4.90) at c·w.
func Check(separatingDirection directionFunc, errorAlong errorFunc) *verify.Report {
	says := func(p problem, ok []float64) verify.Finding {
		return verify.CloseSlice(ok, p.separable(), verify.Tolerance{})
	}
	return exercise.Judge(slices.Concat(
		askDirection.Parts(separatingDirection,
			judge.Form("SeparatingDirection: the same answer on every call, and Φ and t stay as they were", func() []problem { return separable()[:4] }, nil, judge.Wrong{},
				"Asked again, and with Φ as a part of a larger matrix, you say the same."),
			judge.Property[problem]{
				Name: "SeparatingDirection: finds a separating w wherever there is one", On: separable, First: fixedNumber, Holds: says,
				Wrong: judge.Wrong{Key: "missed", Hint: 2, Message: "For {problem} there is a separating direction, and you report none. Does the search stop too early, or is only one special direction tried (the means, least squares)?"},
				Right: "Your w separates the classes strictly on every set, also where the room between them is no more than promised. Its length is free, and so is the choice among all that separate.",
			},
			judge.Property[problem]{
				Name: "SeparatingDirection: comes to an end, and says no, where the classes overlap", On: overlapping, First: noIsCheap, Holds: says,
				Wrong: judge.Wrong{Key: "false-success", Hint: 2, Message: "For {problem} no direction separates the classes, and you report one. Were all points looked at after the last correction?"},
				Right: "Where the classes overlap you report none.",
			},
			judge.Property[problem]{
				Name: "SeparatingDirection: says no where the classes touch", On: touching, First: noIsCheap, Holds: says,
				Wrong: judge.Wrong{Key: "touching", Hint: 3, Message: "For {problem} some point stays on the boundary of every direction that has none on the wrong side, and you report a separating one. The conditions are strict: there E would stop at ln 2 for each such point, and not fall to 0."},
				Right: "Where the classes only touch you report none: a point on the boundary keeps its ln 2.",
			}),
		askError.Parts(errorAlong,
			judge.Form("ErrorAlong: a finite number, and w, Φ and t stay as they were", anywhere, nil, judge.Wrong{}, "You returned a number for every c."),
			judge.Property[walk]{
				Name: "ErrorAlong: it is E(c·w)", On: anywhere, Holds: walk.exact,
				Wrong: judge.Wrong{Key: "value", Hint: 1, Message: "For {problem} and c from −0.8 to 2.5 your numbers are not E(c·w): {off}."},
				Right: "It is the cross-entropy (4.90) at c·w, for any w.",
			},
			judge.Property[walk]{
				Name: "ErrorAlong: along a separating direction E falls to 0, and Newton's steps never end", On: falling, Limits: true, First: endless, Holds: walk.exact,
				Wrong: judge.Wrong{Key: "far", Hint: 3, Message: "For {problem}, along a separating w and with c from 0 to 10⁴, your error is not E(c·w) everywhere: {off}. Is an output near 0 or 1 taken for 0 or 1, or kept away from it?"},
				Right: "E falls strictly, below every bound, and Newton's steps in c grow without end: no finite w is best.",
			},
			judge.Property[walk]{
				Name: "ErrorAlong: with a point on the wrong side E turns and rises, and stays finite", On: rising, Limits: true, Holds: walk.exact,
				Wrong: judge.Wrong{Key: "clipped", Hint: 3, Message: "With {problem} and c from −10⁴ to 10⁴ your error is {off}. Are outputs clipped, or is a small number added under the logarithm? For points far on the wrong side it shows."},
				Right: "With a point on the wrong side E rises in the end, as a straight line, and stays finite at c = ±10⁴.",
			},
			judge.Property[walk]{
				Name: "together: along your w, E falls below any bound", With: "SeparatingDirection",
				On: func() []walk { return follow(separatingDirection) },
				Holds: func(p walk, e []float64) verify.Finding {
					for i, bound := range bounds {
						if !(math.Abs(e[i]) < bound) {
							return verify.Finding{Miss: e[i]}
						}
					}
					return verify.Finding{OK: true}
				},
				Wrong: judge.Wrong{Key: "not-below-bound", Hint: 1, Message: "For {problem} E along your w does not fall below 10⁻⁹, however large c is."},
				Right: "Along the direction that you found, E falls below 1, 10⁻³, 10⁻⁶, 10⁻⁹ …",
			}))...)
}

// fixedNumber tells that a separating direction is found until all numbers are
// multiplied by one factor.
func fixedNumber(p problem, ok []float64) *verify.Verdict {
	if !p.scaled || ok[0] == 1 {
		return nil
	}
	v := verify.Fail("absolute-threshold", 2, "With %v (all numbers multiplied by one factor) you report no separating direction where you found one before. Is a fixed number in your search: a margin, a length, a step?", p)
	return &v
}

// noIsCheap keeps a function that always says no from earning the parts where no is
// right.
func noIsCheap(p problem, ok []float64) *verify.Verdict {
	if p.w == nil || ok[0] == 1 {
		return nil
	}
	v := verify.Fail("never-ok", 2, "No is right here, but you say no to separable classes as well: a part before says more.")
	return &v
}

// exact compares with E(c·w), to the accuracy that the statement asks for.
func (p walk) exact(e []float64) verify.Finding {
	size := 0.0
	for _, a := range instance.Activations(p.Phi, p.w) {
		size += math.Abs(a)
	}
	worst := verify.Finding{OK: true}
	for i, want := range p.errors() {
		f := verify.Close(e[i], want, verify.Tolerance{Rel: 1e-9, Abs: 1e-14 * (float64(len(p.t)) + size*math.Abs(p.c[i]))})
		f.Where = fmt.Sprintf("the one at c = %.6g", p.c[i])
		if !f.OK && (worst.OK || f.Miss > worst.Miss) {
			worst = f
		}
	}
	return worst
}

// endless looks whether E falls from each c to the next as long as its digits last,
// and whether Newton's method, which is right about a minimum, goes on.
func endless(p walk, e []float64) *verify.Verdict {
	var v verify.Verdict
	for i := 1; i < len(lengths) && lengths[i] <= 20; i++ {
		if !(e[i] < e[i-1]) {
			v = verify.Fail("not-falling", 1, "For %v your error does not fall from one c to the next, at c = %g, although w separates the classes: every single term falls.", p, lengths[i])
			return &v
		}
	}
	for i := len(lengths); i < len(e); i += 3 {
		left, mid, right, c := e[i], e[i+1], e[i+2], p.c[i+1]
		if slope, curvature := (right-left)/(2*newtonStep), (right-2*mid+left)/(newtonStep*newtonStep); !(-slope/curvature > 0) {
			v = verify.Fail("newton-stops", 1, "For %v Newton's method on your error, as a function of c, goes back at c = %.3g. Along a separating direction it goes on for ever.", p, c)
			return &v
		}
	}
	return nil
}

// bounds are below what E falls along a separating direction.
var bounds = []float64{1, 1e-3, 1e-6, 1e-9}

// follow returns walks along the directions that the learner's function returns,
// each c long enough for its bound.
func follow(f directionFunc) (list []walk) {
	for _, p := range separable() {
		w, ok := f(mat.DenseCopyOf(p.Phi), slices.Clone(p.t))
		along := walk{problem: p}
		if ok && len(w) == len(p.w) {
			along.bad = separates(p, w)
		} else {
			v := verify.Fail("no-direction", 2, "For %v you report no direction, or not one entry for each column of Φ, so there is nothing to follow: a part before says more.", p)
			along.bad = &v
		}
		if along.bad == nil {
			along.w = w
			low := floats.Min(along.margins(w))
			for _, bound := range bounds {
				along.c = append(along.c, math.Log(2*float64(len(p.t))/bound)/low) // ln(1+e^−s) < e^−s
			}
		}
		list = append(list, along)
	}
	return list
}

// ratio is the constant of the promise: separable data have a margin of R/ratio at
// least, R being the length of the longest φ. The book has no promise; a variant's
// is a little weaker than the common one, so that the data which do not vary keep it
// as well.
func ratio(n uint64) int {
	if n == 0 {
		return 25
	}
	return 26 + seed.Source(n, 414, 0).IntN(6) // 31² corrections fit into the thousand passes of the reference
}

// promise is the margin, relative to the longest φ, that the statement promises
// for separable data.
func promise() float64 { return 1 / float64(ratio(seed.Get())) }

// vary is the promise, and what follows from it, as text.
func vary(n uint64) map[string]string {
	r := ratio(n)
	oneMore := fmt.Sprintf("correction number %d", r*r+1)
	if n == 0 {
		oneMore = "a 626th correction"
	}
	return map[string]string{
		"ratio": fmt.Sprint(r), "most": fmt.Sprint(r * r), // corrections of the perceptron
		"oneMore": oneMore,
	}
}
