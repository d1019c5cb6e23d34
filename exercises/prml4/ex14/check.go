// Package ex14 judges PRML exercise 4.14: logistic regression has no finite maximum-likelihood
// solution if the data are linearly separable.
package ex14

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	directionFunc = func(Phi *mat.Dense, t []float64) (w []float64, ok bool)
	errorFunc     = func(w []float64, Phi *mat.Dense, t []float64, c float64) float64
)

// Check judges both functions of PRML exercise 4.14. separatingDirection returns a strictly
// separating w (M) and reports whether such a w exists. Its arguments are the design matrix Phi
// (N×M) and the targets t (N, each 0 or 1). errorAlong returns the cross-entropy (4.90) at c·w.
func Check(separatingDirection directionFunc, errorAlong errorFunc) *verify.Report {
	correct := func(p problem, ok []float64) verify.Finding {
		return verify.CloseSlice(ok, isSeparable(p), verify.Tolerance{})
	}
	return exercise.Judge(slices.Concat(
		directionQuestion.Parts(separatingDirection, []judge.Property[problem]{
			judge.Form("SeparatingDirection: the same ok on every call, and Φ and t stay unchanged",
				func() []problem { return separable()[:4] }, nil, judge.Wrong{},
				"SeparatingDirection returns the same ok on a second call, and also when Φ is a part of a larger matrix."),
			{Name: "SeparatingDirection: finds a separating w if one exists", Problems: separable,
				Precheck: fixedNumber,
				Holds:    correct,
				Wrong: judge.Wrong{Key: "missed", Hint: 2,
					Message: "For {problem} there is a separating direction, but you report no direction. A search can miss a separating direction if it stops too early, or if it tries only one direction, such as the difference of the means or the least-squares solution."},
				Right: "Your w separates the classes strictly on every set, even if the gap is as narrow as the statement allows. Any separating direction of any length is right."},
			{Name: "SeparatingDirection: terminates and reports no direction where the classes overlap",
				Problems: overlapping,
				Precheck: alwaysNo, Holds: correct,
				Wrong: judge.Wrong{Key: "false-success", Hint: 2,
					Message: "For {problem} no direction separates the classes, but you report one. Before you report a w, check that all points lie strictly on their sides of the boundary. A point with wᵀφ = 0 lies on neither side."},
				Right: "You report no direction where the classes overlap."},
			{Name: "SeparatingDirection: reports no direction where the classes touch", Problems: touching,
				Precheck: alwaysNo,
				Holds:    correct,
				Wrong: judge.Wrong{Key: "touching", Hint: 3,
					Message: "For {problem} you report a separating direction, but every direction without a point on the wrong side has a point on the boundary. The conditions are strict: each point on the boundary adds ln 2 to E, so E does not decrease to 0."},
				Right: "You report no direction where the classes only touch. Each point on the boundary would add ln 2 to E."},
		}...),
		errorQuestion.Parts(errorAlong, []judge.Property[line]{
			judge.Form("ErrorAlong: a finite number, and w, Φ and t stay unchanged", anyDirection, nil, judge.Wrong{},
				"You returned a number for every c."),
			{Name: "ErrorAlong: it is E(c·w)", Problems: anyDirection, Holds: line.exact,
				Wrong: judge.Wrong{Key: "value", Hint: 1,
					Message: "For {problem} and c from −0.8 to 2.5 your numbers should be E(c·w), but they are {off}."},
				Right: "Your number is the cross-entropy (4.90) at c·w for c from −0.8 to 2.5, whether or not w separates the classes."},
			{Name: "ErrorAlong: along a separating direction, E falls to 0, and Newton's steps never end",
				Problems: fallingLines,
				Extreme:  true, Precheck: checkEndless, Holds: line.exact,
				Wrong: judge.Wrong{Key: "far", Hint: 3,
					Message: "For {problem}, along a separating w and with c up to 10⁴, your error should be E(c·w), but it is {off}. Do not round or clip outputs near 0 and 1."},
				Right: "E decreases strictly up to c = 20, and every tested step of Newton's method increases c. Along a separating direction E has no minimum."},
			{Name: "ErrorAlong: with a point on the wrong side, E eventually rises, and stays finite",
				Problems: risingLines,
				Extreme:  true, Holds: line.exact,
				Wrong: judge.Wrong{Key: "clipped", Hint: 3,
					Message: "For {problem} and c from −10⁴ to 10⁴ your error is {off}. If you clip outputs or add a small number inside the logarithm, the error of points far on the wrong side is wrong."},
				Right: "With a point on the wrong side, E eventually increases, linearly in c, and stays finite at c = ±10⁴."},
			{Name: "together: along your w, E falls below any bound", SecondFunc: "SeparatingDirection",
				Problems: func() []line { return linesAlong(separatingDirection) },
				Holds: func(p line, e []float64) verify.Finding {
					for i, bound := range bounds {
						if !(math.Abs(e[i]) < bound) {
							return verify.Finding{Miss: e[i]}
						}
					}
					return verify.Finding{OK: true}
				},
				Wrong: judge.Wrong{Key: "not-below-bound", Hint: 1,
					Message: "For {problem} E along your w is too large: at four increasing values of c it must be below 1, 10⁻³, 10⁻⁶ and 10⁻⁹."},
				Right: "Along the direction that you found, E decreases below 1, 10⁻³, 10⁻⁶ and 10⁻⁹."},
		}...))...)
}

// exact compares the learner's errors with E(c·w). The comparison uses the tolerance stated in the
// text of the exercise.
func (p line) exact(e []float64) verify.Finding {
	size := 0.0
	for _, a := range instance.Activations(p.Phi, p.W) {
		size += math.Abs(a)
	}
	worst := verify.Finding{OK: true}
	for i, want := range p.errors() {
		f := verify.Close(e[i], want,
			verify.Tolerance{Rel: 1e-9, Abs: 1e-14 * (float64(len(p.T)) + size*math.Abs(p.c[i]))})
		f.Where = fmt.Sprintf("the number at c = %.6g", p.c[i])
		if !f.OK && (worst.OK || f.Miss > worst.Miss) {
			worst = f
		}
	}
	return worst
}

// checkEndless checks that E decreases from each c to the next, up to c = 20, beyond which E may
// have too few digits. It also checks that every tested step of Newton's method increases c. If every
// step does, Newton's method never finds a minimum.
func checkEndless(p line, e []float64) *verify.Verdict {
	for i := 1; i < len(lengths) && lengths[i] <= 20; i++ {
		if !(e[i] < e[i-1]) {
			return judge.Fail("not-falling", 1,
				"For %v your error does not decrease from the previously tested c to c = %g. But w separates the classes, so every term of E decreases with c.", p, lengths[i])
		}
	}
	for i := len(lengths); i < len(e); i += 3 {
		left, mid, right, c := e[i], e[i+1], e[i+2], p.c[i+1]
		if slope, curvature := (right-left)/(2*newtonStep), (right-2*mid+left)/(newtonStep*newtonStep); !(-slope/curvature > 0) {
			return judge.Fail("newton-stops", 1,
				"For %v a Newton step from c = %.3g, computed from your error as a function of c, does not increase c. Along a separating direction every step must increase c.", p, c)
		}
	}
	return nil
}

// bounds contains the positive numbers below which E must fall along a separating direction.
var bounds = []float64{1, 1e-3, 1e-6, 1e-9}

// linesAlong calls f for each separable problem and returns one line for each problem. If f returns
// a separating direction w, the line contains, for each number in `bounds`, a value of c at which
// E(c·w) must be below this number. Otherwise the line contains a verdict.
func linesAlong(f directionFunc) (list []line) {
	for _, p := range separable() {
		w, ok := f(mat.DenseCopyOf(p.Phi), slices.Clone(p.T))
		along := line{Problem: p}
		if !ok || len(w) != len(p.W) {
			along.bad = judge.Fail("no-direction", 2,
				"For %v you report no direction, or your w has the wrong number of entries, so E(c·w) cannot be checked. The parts on SeparatingDirection above give the details.", p)
		} else if along.bad = separates(p, w); along.bad == nil {
			along.W = w
			low := floats.Min(p.Margins(w))
			for _, bound := range bounds {
				// with this c, E < N·e^(−c·low) = bound/2, because ln(1+e^−s) < e^−s
				along.c = append(along.c, math.Log(2*float64(len(p.T))/bound)/low)
			}
		}
		list = append(list, along)
	}
	return list
}

// ratio returns a number that occurs in variant n of the exercise text: separable data have a
// margin of at least R/ratio, where R is the length of the longest φ. Variant 0 has the ratio 25.
// All other variants have a larger ratio, that is, a smaller limit, so that the problems with fixed
// data satisfy it in every variant. (The book states no such limit.)
func ratio(n uint64) int {
	if n == 0 {
		return 25
	}
	// The ratio is at most 31, so the perceptron of the reference answer makes at most 31² = 961
	// corrections. Therefore it needs fewer than 1000 epochs.
	return 26 + seed.Source(n, 414, 0).IntN(6)
}

// smallestMargin returns the smallest margin that the text of the exercise allows for separable
// data, divided by the length of the longest φ.
func smallestMargin() float64 { return 1 / float64(ratio(seed.Get())) }

// vary returns the texts that replace the placeholders in variant n of the exercise's texts: the
// ratio, its square, and words for the correction whose number is this square plus 1.
func vary(n uint64) map[string]string {
	r := ratio(n)
	oneMore := fmt.Sprintf("correction number %d", r*r+1)
	if n == 0 {
		oneMore = "a 626th correction"
	}
	return map[string]string{
		// `most` is the largest number of corrections that the perceptron can make
		"ratio": fmt.Sprint(r), "most": fmt.Sprint(r * r),
		"oneMore": oneMore,
	}
}

// A problem contains points, targets, and a direction W that separates the classes. W is nil if no
// such direction exists.
type problem = twoclass.Problem

// isSeparable returns 1 if a separating direction exists, and 0 otherwise.
func isSeparable(p problem) []float64 {
	if p.W == nil {
		return []float64{0}
	}
	return []float64{1}
}

// drawSeparable returns a separable problem of at most n points. It draws a random boundary and
// random points, and omits points that are too close to the boundary.
func drawSeparable(r *rand.Rand, name string, n int, centre, spread []float64) problem {
	w := instance.Unit(r, len(centre))
	if centre[0] != 0 && spread[0] == 0 {
		w[0] = 0.2 // with this weight of the bias, the boundary passes close to the centre of the points
		floats.Scale(1/floats.Norm(w, 2), w)
	}
	candidates := instance.Design(r, 8*n, centre, spread)
	longest := 0.0
	for i := range 8 * n {
		longest = math.Max(longest, floats.Norm(candidates.RawRowView(i), 2))
	}
	var rows [][]float64
	for i := 0; i < 8*n && len(rows) < n; i++ {
		row := candidates.RawRowView(i)
		if a := floats.Dot(w, row); math.Abs(a) >= 1.2*smallestMargin()*longest {
			rows = append(rows, append(slices.Clone(row), (1+math.Copysign(1, a))/2))
		}
	}
	return withRows(name, w, rows...)
}

// nearBoundary returns a separable problem. Its points have length 1 and are almost as close to the
// boundary as the text of the exercise allows. beside(n) returns a unit vector with m−1 entries,
// the direction of point n within the boundary.
func nearBoundary(r *rand.Rand, name string, n, m int, beside func(n int) []float64) problem {
	w, height := make([]float64, m), 1.001*smallestMargin()
	w[0] = 1
	rows := make([][]float64, n)
	for i := range rows {
		row, t := append([]float64{height}, beside(i)...), float64(r.IntN(2))
		floats.Scale(math.Sqrt(1-height*height), row[1:])
		floats.Scale(2*t-1, row)
		rows[i] = append(row, t)
	}
	return withRows(name, w, rows...)
}

// withRows returns a problem with W = w. If w is nil, the problem has no separating direction. Each
// row contains the features of a point followed by its target.
func withRows(name string, w []float64, rows ...[]float64) problem {
	m := len(rows[0]) - 1
	p := problem{Name: name, Phi: mat.NewDense(len(rows), m, nil), W: w}
	for i, row := range rows {
		p.Phi.SetRow(i, row[:m])
		p.T = append(p.T, row[m])
	}
	return p
}

func times(p problem, name string, c float64) problem {
	p.Name, p.Scaled, p.Phi = name, true, mat.DenseCopyOf(p.Phi)
	p.Phi.Scale(c, p.Phi)
	return p
}

// separable returns problems with a separating direction W. The problems with the smallest allowed
// margin reveal three kinds of wrong search: a search that stops early, a search among random
// directions, and a search that makes only a few gradient steps on E.
var separable = instance.Once(func() []problem {
	r := instance.Source(414, 1)
	plane := drawSeparable(r, "thirty points in the plane, with a bias", 30, []float64{1, 0, 0}, []float64{0, 1, 1})
	list := []problem{
		plane,
		drawSeparable(r, "no bias: a boundary through the origin", 25, []float64{0, 0, 0}, []float64{1, 1, 1}),
		withRows("a single point", []float64{2, -3}, []float64{-2, 3, 0}),
		drawSeparable(r, "five weights", 40, []float64{1, 0, 0, 0.5, 0}, []float64{0, 1, 1, 1, 1}),
		withRows("all points in one class", []float64{1, 0}, []float64{1, 0.5, 1}, []float64{1, -0.7, 1},
			[]float64{1, 0.1, 1}),
		withRows("no point with t = 1", []float64{-1, 0}, []float64{1, 0.5, 0}, []float64{1, -0.7, 0}),
		withRows("three points on a line, with a bias", []float64{-0.5, 1}, []float64{1, -1, 0}, []float64{1, 2, 1},
			[]float64{1, 3, 1}),
		withRows("one weight, no bias", []float64{-1}, []float64{-2, 1}, []float64{0.5, 0}, []float64{-1, 1}),
		withRows("fewer points than weights, one point twice", []float64{1, -1, 0, 0, 0}, []float64{1, 0, 2, 1, 1, 1},
			[]float64{0, 1, 2, 3, -1, 0}, []float64{1, 0, 2, 1, 1, 1}),
		withRows("columns of very different size", []float64{1e-6, 0, 0}, []float64{1e6, 1e-6, 3, 1},
			[]float64{-4e5, 2e-6, 1, 0}, []float64{5e4, -1e-6, -2, 1}, []float64{-1e6, 0, 5, 0}),
		withRows("classes of unequal size that a boundary midway between the means does not separate",
			[]float64{-0.65, 1, 0},
			[]float64{1, 0, 0, 0}, []float64{1, 0.1, 0.2, 0}, []float64{1, 0.3, -0.1, 0}, []float64{1, 1, 0.4, 1},
			[]float64{1, 6, 0, 1}, []float64{1, 7, 0.5, 1}, []float64{1, 6.5, -1, 1}),
		// on this problem the perceptron makes 243 corrections in 123 epochs, if it starts at w = 0
		withRows("long feature vectors that lie nearly along the boundary", []float64{0, 1}, []float64{-9.04, 0.39, 1},
			[]float64{-9.08, -0.4, 0}, []float64{1.46, 0.47, 1}),
	}
	round := func(angle func(i int) float64) func(i int) []float64 {
		return func(i int) []float64 { return []float64{math.Cos(angle(i)), math.Sin(angle(i))} }
	}
	for m := 2; m <= 5; m++ {
		list = append(list,
			nearBoundary(r, fmt.Sprintf("%d points with the smallest allowed margin, %d weights", 12*m, m), 12*m, m,
				func(int) []float64 { return instance.Unit(r, m-1) }))
	}
	return append(list,
		nearBoundary(r, "many points in a circle around one direction, in order", 150, 3,
			round(func(i int) float64 { return 2 * math.Pi * float64(i) / 150 })),
		nearBoundary(r, "one point against many", 60, 3, round(func(i int) float64 {
			if i == 59 {
				return math.Pi
			}
			return 0.4*r.Float64() - 0.2
		})),
		times(plane, "very small features", 1e-6), times(plane, "very large features", 1e6))
})

// overlapping returns problems in which the classes overlap, followed by one separable problem. If
// classes overlap, every w with Φw ≠ 0 has a point strictly on the wrong side. (The reason is that
// Σ c_n(2t_n − 1)φ_n = 0 for some numbers c_n > 0.) The separable problem reveals answers that never
// report a direction.
func overlapping() []problem {
	r := instance.Source(414, 2)
	random := drawSeparable(r, "two hundred points with labels at random", 200, []float64{1, 0, 0}, []float64{0, 1, 1})
	for i := range random.T {
		random.T[i] = float64(r.IntN(2))
	}
	random.W = nil
	return []problem{
		random,
		oneWrong(r, "one point on the wrong side, at the end", func(n int) int { return n - 1 }),
		oneWrong(r, "one point on the wrong side, at the beginning", func(int) int { return 0 }),
		oneWrong(r, "one point on the wrong side, in the middle", func(n int) int { return n / 2 }),
		withRows("exclusive or", nil, []float64{1, 1, 1, 1}, []float64{1, -1, -1, 1}, []float64{1, 1, -1, 0},
			[]float64{1, -1, 1, 0}),
		withRows("a class on both sides of the other class", nil, []float64{1, 1, 1}, []float64{1, 2, 0}, []float64{1, 3, 1}),
		withRows("one weight, both signs in one class", nil, []float64{1, 1}, []float64{-2, 1}, []float64{0.5, 1}),
		separable()[0],
	}
}

// oneWrong draws a separable problem and adds one point, so that no separating direction exists.
// The added point is the mean of the points with t = 1, but has the target t = 0. position(n) returns
// the index of the added point in the list of all n points.
func oneWrong(r *rand.Rand, name string, position func(n int) int) problem {
	p := drawSeparable(r, name, 30, []float64{1, 0, 0}, []float64{0, 1, 1})
	mean := twoclass.Pulling(func(_, t float64) float64 { return t / floats.Sum(p.T) })(p.W, p.Phi, p.T)
	i := position(len(p.T) + 1)
	rows := slices.Insert(slices.Clone(p.Phi.RawMatrix().Data), 3*i, mean...)
	p.T, p.W = slices.Insert(p.T, i, 0), nil
	p.Phi = mat.NewDense(len(p.T), 3, rows)
	return p
}

// touching returns problems in which the classes touch, followed by one separable problem. If classes
// touch, at least one direction has no point on the wrong side, but each such direction has a point
// on the boundary. The separable problem reveals answers that never report a direction.
func touching() []problem {
	return []problem{
		withRows("a point that occurs in both classes", nil, []float64{1, 0, 0}, []float64{1, 1, 0}, []float64{1, 1, 1},
			[]float64{1, 2, 1}),
		withRows("a point at the origin, without a bias", nil, []float64{1, 2, 1}, []float64{-1, 1, 0},
			[]float64{0, 0, 1}),
		withRows("two points of different classes on the boundary", nil, []float64{1, 0.5, 1}, []float64{2, -1, 1},
			[]float64{-1, 1, 0}, []float64{0, 1, 1}, []float64{0, 2, 0}),
		withRows("a corner of one class on an edge of the other", nil, []float64{1, 0, 0, 0}, []float64{1, 2, 0, 0},
			[]float64{1, 1, 0, 1}, []float64{1, 1, 3, 1}),
		separable()[0],
	}
}

// anyDirection returns lines along random directions. The activations on these lines are moderate.
func anyDirection() (list []line) {
	r := instance.Source(414, 4)
	for _, i := range []int{0, 1, 3, 2, 4, 6} {
		p := separable()[i]
		p.W = instance.Weights(r, p.Phi, 1)
		list = append(list, line{Problem: p, c: []float64{0, 0.3, 1, 1.7, 2.5, -0.8}})
	}
	return list
}

// lengths are the values of c that are tested along a separating w whose least margin is 1. At c =
// 0 all outputs are ½. At the largest c all outputs are exactly 0 or 1.
var lengths = []float64{0, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 25, 30, 37, 40, 100, 400, 700, 800, 1e4}

// newtonStep is the distance between neighbouring values of c in a difference quotient.
// checkEndless computes each step of Newton's method from three values of E. It computes these
// steps only for the first numbers in `lengths`, where E has enough digits for a second difference.
const newtonStep = 1e-2

// fallingLines returns lines along separating directions. Each line contains all numbers in
// `lengths`, followed by three neighbouring values of c for each step of Newton's method.
func fallingLines() (list []line) {
	for _, p := range separable() {
		p.W = slices.Clone(p.W)
		floats.Scale(1/floats.Min(p.Margins(p.W)), p.W)
		along := line{Problem: p, c: slices.Clone(lengths)}
		for _, c := range lengths[:11] {
			along.c = append(along.c, c-newtonStep, c, c+newtonStep)
		}
		list = append(list, along)
	}
	return list
}

// risingLines returns lines on which at least one point is on the wrong side of the boundary if
// c > 0. The weights are scaled so that the smallest margin is −2 at c = 1.
func risingLines() (list []line) {
	wrong, opposite := separable()[0], separable()[1]
	wrong.Name, opposite.Name = "one wrong label", "the opposite of a separating direction"
	wrong.T = slices.Clone(wrong.T)
	wrong.T[3] = 1 - wrong.T[3]
	opposite.W = floats.ScaleTo(make([]float64, 3), -1, opposite.W)
	for _, p := range []problem{wrong, opposite} {
		p.W = floats.ScaleTo(make([]float64, 3), 2/math.Abs(floats.Min(p.Margins(p.W))), p.W)
		along := line{Problem: p}
		for _, c := range []float64{1.5, 2.5, 3.5, 5, 7, 10, 15, 18.5, 20, 30, 100, 350, 372.5, 400, 1e4} {
			along.c = append(along.c, c, -c)
		}
		list = append(list, along)
	}
	return list
}

// directionQuestion has the answer 1 if the learner reports a separating direction, and 0 otherwise. If
// the learner reports a direction for separable classes, directionQuestion also checks that the direction
// separates them.
var directionQuestion = &judge.Question[directionFunc, problem]{
	Func: "SeparatingDirection", Name: "w", Hint: 2,
	Invoke: func(f directionFunc, c *judge.Call, p problem) []float64 {
		w, ok := f(c.Dense("Phi", p.Phi), c.Slice("t", p.T))
		if !ok {
			return []float64{0}
		}
		if p.W != nil && c.Vector("w", w, len(p.W), "column of Φ") != nil {
			c.Say(separates(p, w))
		}
		return []float64{1}
	},
	Right: isSeparable,
	Mistakes: []judge.Mistake[directionFunc]{
		{Key: "never-ok", Answer: func(*mat.Dense, []float64) ([]float64, bool) { return nil, false }, Hint: 2,
			Message: "You report no separating direction for any separable data, even where many separating directions exist."},
		{Key: "always-ok", Hint: 2,
			Message: "You report success on every data set of this part, even where no direction separates the classes strictly. Report failure if some point is not strictly on its side.",
			Answer: func(Phi *mat.Dense, t []float64) ([]float64, bool) {
				w, _ := perceptron(Phi, t)
				return w,
					true
			}},
	},
}

// separates returns nil if w separates the classes of p strictly. Otherwise it returns a verdict
// that explains the failure.
func separates(p problem, w []float64) *verify.Verdict {
	length := floats.Norm(w, math.Inf(1))
	if length == 0 {
		return judge.Fail("zero-vector", 3,
			"For %v you returned w = 0, which leaves every point on the boundary. Treat a point with wᵀφ = 0 as misclassified.", p)
	}
	margins := p.Margins(floats.ScaleTo(make([]float64, len(w)), 1/length, w))
	low := floats.MinIdx(margins)
	switch {
	case margins[low] > 0:
		return nil
	case floats.Max(margins) < 0:
		return judge.Fail("opposite", 1,
			"For %v your w has every point on the wrong side, so −w separates the classes. wᵀφ must be positive where t = 1.", p)
	case margins[low] == 0:
		return judge.Fail("on-the-boundary", 3,
			"For %v your w leaves point %d on the boundary, wᵀφ = 0, so the output y of this point is ½ for every length of w. No point may lie on the boundary.", p, low)
	}
	return judge.Fail("not-separating", 2,
		"For %v your w leaves point %d on the wrong side. Return a direction only if every point is strictly on its side.", p, low)
}

// fixedNumber returns a verdict if the learner's search fails on a problem whose features were all
// multiplied by the same number.
func fixedNumber(p problem, ok []float64) *verify.Verdict {
	return judge.FailIf(p.Scaled && ok[0] != 1, "absolute-threshold", 2,
		"For %v (all numbers multiplied by one factor) you report no separating direction, although you found one before the multiplication. Your search probably contains a fixed number: a margin, a length or a step.", p)
}

// alwaysNo returns a verdict if the learner reports no direction for separable classes. Without this
// verdict, the learner would get the message of the known mistake never-ok. That message claims a
// failure on all separable data, but a part that uses alwaysNo contains only one separable problem.
func alwaysNo(p problem, ok []float64) *verify.Verdict {
	return judge.FailIf(p.W != nil && ok[0] != 1, "never-ok", 2,
		"You report no direction where none exists, but you also report none for separable classes. The part on separable classes above gives the details.")
}

// A line is a problem with the values of c at which E(c·w) is computed.
type line struct {
	twoclass.Problem
	c   []float64
	bad *verify.Verdict // a verdict if the learner's w is missing or invalid, and nil otherwise
}

// errors returns E(c·w) for each c.
func (p line) errors() []float64 {
	e := make([]float64, len(p.c))
	for i, c := range p.c {
		e[i] = alongW(p.W, p.Phi, p.T, c)
	}
	return e
}

var errorQuestion = &judge.Question[errorFunc, line]{
	Func: "ErrorAlong", Name: "E(c·w)", Hint: 3,
	Invoke: func(f errorFunc, call *judge.Call, p line) []float64 {
		if p.bad != nil {
			call.Say(p.bad)
			return nil
		}
		e := make([]float64, len(p.c))
		for i, c := range p.c {
			e[i] = f(call.Slice("w", p.W), call.Dense("Phi", p.Phi), call.Slice("t", p.T), c)
			call.Say(notFinite(p, c, e[i]))
		}
		return e
	},
	Right: line.errors,
	Unit: func(_ line, right []float64) []float64 {
		floats.AddConst(1, right)
		return right
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 3,
		Message: "Nearly right: for {problem} your number is right to three digits, but not to nine. Do not clip outputs, do not add a number inside the logarithm, and do not round."},
	Sign: judge.Wrong{Key: "sign", Hint: 1,
		Message: "Your number is a positive multiple of the log likelihood. E is the negative log likelihood, a sum of positive terms, and tends to 0 along a separating w."},
	Factor: judge.Wrong{Key: "factor", Hint: 1,
		Message: "Your number is E(c·w) times a factor that is the same for all data and every c. E in (4.90) has no factor."},
	Mistakes: []judge.Mistake[errorFunc]{
		{Key: "sign", Answer: changedError(func(e, _ float64) float64 { return -e }), Hint: 1,
			Message: "Your number is the log likelihood. E is the negative log likelihood, a sum of positive terms, and tends to 0 along a separating w."},
		{Key: "averaged", Answer: changedError(func(e, n float64) float64 { return e / n }), Hint: 1,
			Message: "Your number is the error divided by N. E in (4.90) is the sum over the data."},
		{Key: "base", Answer: changedError(func(e, _ float64) float64 { return e / math.Ln2 }), Hint: 1,
			Message: "Your number contains logarithms to base 2; use natural logarithms."},
		{Key: "error-scaled", Hint: 1,
			Message: "You return c·E(w). Multiply the weights by c, not the error, and return E(c·w).",
			Answer: func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
				return c * alongW(w, Phi, t,
					1)
			}},
		{Key: "c-left-out", Answer: withWeights(func(v, w []float64, _ float64) { copy(v, w) }), Hint: 1,
			Message: "Your number is E(w), which does not depend on c. Return E(c·w)."},
		{Key: "normalised", Answer: withWeights(func(v, w []float64, _ float64) { floats.Scale(1/floats.Norm(w, 2), v) }),
			Hint:    1,
			Message: "Your number is E at c·w/‖w‖. Return E at c·w, without normalising w."},
		{Key: "normalised", Hint: 1,
			Message: "Your number is E at c·w/‖c·w‖, so it depends only on the sign of c. Return E at c·w, without normalising c·w.",
			Answer: withWeights(func(v, w []float64, c float64) {
				if c != 0 {
					floats.Scale(1/floats.Norm(v, 2), v)
				}
			})},
		{Key: "bias-not-scaled", Answer: withWeights(func(v, w []float64, _ float64) { v[0] = w[0] }), Hint: 3,
			Message: "In your number the first weight is not multiplied by c. Multiply all weights by c, including the bias; otherwise the boundary moves."},
		{Key: "bias-left-out", Answer: withWeights(func(v, _ []float64, _ float64) { v[0] = 0 }), Hint: 3,
			Message: "The first weight has no effect on your number. If the data have a bias, it is an ordinary weight with its own column of Φ, and wᵀφ includes it."},
		{Key: "classes-swapped", Answer: withWeights(func(v, _ []float64, _ float64) { floats.Scale(-1, v) }), Hint: 1,
			Message: "This is E(−c·w), with the classes exchanged. y = σ(a) is the probability of t = 1."},
		{Key: "squared-error", Answer: terms(func(a, t float64) float64 { return math.Pow(kernel.Sigmoid(a)-t, 2) }),
			Hint:    1,
			Message: "You return the sum of squares Σ(y − t)². The error of logistic regression is the cross-entropy (4.90)."},
		{Key: "squared-error",
			Answer: terms(func(a, t float64) float64 { return math.Pow(kernel.Sigmoid(a)-t, 2) / 2 }), Hint: 1,
			Message: "You return the sum of squares ½Σ(y − t)². The error of logistic regression is the cross-entropy (4.90)."},
		{Key: "perceptron", Answer: terms(func(a, t float64) float64 { return math.Max(0, (1-2*t)*a) }), Hint: 1,
			Message: "You return the perceptron criterion, a sum over the points on the wrong side, which is 0 for every separating w. The cross-entropy is a sum over all points."},
		{Key: "count", Hint: 1,
			Message: "Your number is the count of the points on the wrong side or on the boundary. The cross-entropy is a sum of logarithms.",
			Answer: terms(func(a, t float64) float64 {
				if (2*t-1)*a <= 0 {
					return 1
				}
				return 0
			})},
		{Key: "hinge", Answer: terms(func(a, t float64) float64 { return math.Max(0, 1-(2*t-1)*a) }), Hint: 1,
			Message: "You return the hinge loss max(0, 1 − s), which is 0 for every margin s ≥ 1. Return the cross-entropy, which is never 0."},
		{Key: "one-term-only", Answer: terms(func(a, t float64) float64 { return t * kernel.CrossEntropy(a, 1) }),
			Hint: 1, Message: "Your sum contains only the points with t = 1. Add the points with t = 0."},
		{Key: "one-term-only", Answer: terms(func(a, t float64) float64 { return (1 - t) * kernel.CrossEntropy(a, 0) }),
			Hint: 1, Message: "Your sum contains only the points with t = 0. Add the points with t = 1."},
		{Key: "inner-sign", Hint: 1,
			Message: "The points with t = 0 have the wrong sign in your sum. Both logarithms have a minus in front.",
			Answer: terms(func(a, t float64) float64 {
				return t*kernel.CrossEntropy(a, 1) - (1-t)*kernel.CrossEntropy(a,
					0)
			})},
		{Key: "likelihood", Answer: changedError(func(e, _ float64) float64 { return math.Exp(-e) }), Hint: 1,
			Message: "Your number is the likelihood. E is the negative logarithm of the likelihood."},
		{Key: "prior", Hint: 1,
			Message: "Your number is E plus a penalty ½‖c·w‖². With a penalty, the minimum would lie at a finite w. In this exercise, return E of (4.90) alone.",
			Answer: func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
				return alongW(w, Phi, t, c) + c*c*floats.Dot(w, w)/2
			}},
	},
}

// notFinite returns a verdict if the error e is not finite, and nil otherwise.
func notFinite(p line, c, e float64) *verify.Verdict {
	switch nan := math.IsNaN(e); {
	case !nan && !math.IsInf(e, 0):
		return nil
	case math.Abs(c)*p.Reach() <= 30:
		return judge.Fail("not-finite", 3, "For %v and c = %g you returned %g, which is not a finite number.", p, c, e)
	case nan:
		return judge.Fail("overflow", 3,
			"For %v and c = %.4g your error is NaN. Perhaps you compute 0·ln 0 where an output rounds to 0 or 1, or Inf − Inf, or Inf/Inf. Write each term as ln(1+e^−s) with s = (2t−1)a.", p, c)
	}
	return judge.Fail("overflow", 3,
		"For %v and c = %.4g your error is %g. Where y rounds to 0, −ln y is Inf, and e^|a| can overflow, but the error of a point is at most about |a|. With s = (2t−1)a, write the term as ln(1+e^−s) for s ≥ 0, and as −s + ln(1+e^s) for s < 0.", p, c, e)
}

// terms returns an answer that computes Σ r(c·a_n, t_n) for a function r.
var terms = twoclass.Along

// alongW is the right answer: it computes E(c·w).
var alongW = terms(kernel.CrossEntropy)

// withWeights returns an answer that changes the weights c·w before it computes the error.
func withWeights(weights func(v, w []float64, c float64)) errorFunc {
	return func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
		v := floats.ScaleTo(make([]float64, len(w)), c, w)
		weights(v, w, c)
		return alongW(v, Phi, t, 1)
	}
}

// changedError returns an answer that computes f(E(c·w), N).
func changedError(f func(e, n float64) float64) errorFunc {
	return func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
		return f(alongW(w, Phi, t, c), float64(len(t)))
	}
}

// perceptron runs the perceptron algorithm and returns the direction w that it finds. The algorithm
// stops after N consecutive points without a correction, where N is the number of data points, or
// after 1000 epochs. The result `ok` reports whether w separates the classes.
func perceptron(Phi *mat.Dense, t []float64) (w []float64, ok bool) {
	w = make([]float64, Phi.RawMatrix().Cols)
	clean := 0 // number of consecutive points without a correction
	for n := 0; n < 1000*len(t) && clean < len(t); n++ {
		clean++
		if s, row := 2*t[n%len(t)]-1, Phi.RawRowView(n%len(t)); s*floats.Dot(w, row) <= 0 {
			floats.AddScaled(w, s, row)
			clean = 0
		}
	}
	return w, clean == len(t)
}

func init() {
	judge.Known(exercise, directionQuestion, func(f directionFunc) *verify.Report { return Check(f, alongW) })
	judge.Known(exercise, errorQuestion, func(f errorFunc) *verify.Report { return Check(perceptron, f) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParseVaried("exercises/prml4/ex14", files, vary)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
