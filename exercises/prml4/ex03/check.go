// Package ex03 judges PRML exercise 4.3: if all targets satisfy several linear constraints, the
// least-squares predictions satisfy the same constraints.
package ex03

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
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/leastsquares"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges both functions of PRML exercise 4.3. `predict` returns the least-squares prediction
// at x (D) from inputs X (N×D) and targets T (N×K). `constraints` returns A (P×K) and b (P) such
// that At + b = 0 for all rows t of T. P must be as large as possible.
func Check(predict func(X, T *mat.Dense, x []float64) []float64,
	constraints func(T *mat.Dense) (A *mat.Dense, b []float64)) *verify.Report {
	predictions := predictQuestion.Parts(predict, []judge.Property[problem]{
		judge.Form("Predict: the result is K finite numbers, and X, T and x stay unchanged",
			func() []problem { return obedient()[:3] }, nil, judge.Wrong{},
			"You returned K numbers for every problem, for K from 3 to 5."),
		leastsquares.Normal("Predict: the prediction is least squares", hint, ordinary),
		leastsquares.Linear("Predict: the prediction is one linear function, even far from the training inputs", ordinary),
		leastsquares.Rank("Predict: dependent columns and few points", hint, predict, dependent),
		leastsquares.Obeys("Predict: Ay(x) + b = 0 for every x, with up to K constraints",
			func() []problem { return slices.Concat(obedient(), dependent()) },
			judge.Wrong{Key: "constraint", Hint: 2,
				Message: "All targets of {problem} satisfy At + b = 0, but your prediction y at some x does not: aᵀy + b is {off}. The bias makes the predictions satisfy one constraint, as in exercise 4.2. In the same way, it makes them satisfy any number of constraints."},
			"Your predictions obey the constraints of the targets at every tested x: one constraint, several constraints, and so many that only one target is possible."),
		leastsquares.Equal("Predict: where the targets obey no constraint, or nearly obey one, the predictions obey no constraint", 2, unconstrained,
			"You return the least-squares predictions and impose no constraint, even where a single target breaks a constraint or where all targets nearly satisfy a constraint."),
		{Name: "your predictions satisfy your constraints", Problems: obedient, SecondFunc: "Constraints",
			Precheck: func(p problem, got []float64) *verify.Verdict { return checkTogether(p, got, constraints) },
			Holds:    func(problem, []float64) verify.Finding { return verify.Finding{OK: true} },
			Right:    "At every tested x, Ay(x) + b = 0 with your A, your b and your y."},
	}...)
	found := constraintsQuestion.Parts(constraints, []judge.Property[targets]{
		judge.Form("Constraints: A has one row per entry of b, and T stays unchanged", targetSets, nil, judge.Wrong{},
			"You returned A (P×K) with independent rows, and P numbers b."),
		{Name: "Constraints: the targets satisfy all returned constraints", Problems: targetSets, Holds: satisfied,
			Wrong: judge.Wrong{Key: "not-satisfied", Hint: 3,
				Message: "For {problem} at least one target does not satisfy all your constraints. Compared with the nearest point that satisfies them, an entry of this target is {off}."},
			Right: "Every target satisfies every constraint that you return, up to rounding."},
		{Name: "Constraints: none is missing", Problems: targetSets, Precheck: tooMany, Holds: complete,
			Wrong: judge.Wrong{Key: "incomplete", Hint: 3,
				Message: "For {problem} your constraints are not complete: the targets satisfy further constraints. Every direction in which the centred targets do not vary gives a constraint."},
			Right: "Your constraints are independent and complete, for P from 0 to K. (Other rows that span the same space are right, too.)"},
	}...)
	last := len(predictions) - 1
	return exercise.Judge(slices.Concat(predictions[:last], found, predictions[last:])...)
}

type problem = leastsquares.Problem

// hint is the number of the hint that explains how to build Predict.
const hint = 4

// drawProblem returns a problem with standard normal inputs, and with targets that obey `count`
// random constraints.
func drawProblem(r *rand.Rand, name string, n, d, k, count int) problem {
	more := [][]float64{make([]float64, d)}
	for _, reach := range []float64{1, 30} {
		x := instance.Normals(r, d)
		for j := range x {
			x[j] *= reach
		}
		more = append(more, x)
	}
	x, t := mat.NewDense(n, d, instance.Normals(r, n*d)), mat.NewDense(n, k, instance.Normals(r, n*k))
	for i := range n {
		t.Set(i, i%k, t.At(i, i%k)+x.At(i, 0)) // the added term makes the targets depend on x
	}
	return obeying(r, leastsquares.New(name, x, t, more, 1e-8), count)
}

// obeying returns a copy of p whose targets are projected so that they satisfy `count` random
// constraints. Nearly dependent constraints would make the projected targets very large and
// inexact, so the function replaces such constraints with new ones. For seed 0 it keeps the first
// constraints, because the problems for seed 0 were checked by hand.
func obeying(r *rand.Rand, p problem, count int) problem {
	if count == 0 {
		return p
	}
	_, k := p.T.Dims()
	a := mat.NewDense(count, k, instance.Normals(r, count*k))
	for instance.Again(func() bool { return mat.Norm(a, 2) > 0.1*mat.Cond(a, 2) }) {
		a = mat.NewDense(count, k, instance.Normals(r, count*k))
	}
	return p.Obeying(a, instance.Normals(r, count))
}

// obedient returns problems whose targets obey constraints and whose matrix [1 X] has full column
// rank.
var obedient = instance.Once(func() []problem {
	r, c := instance.Source(403, 1), codesOf(seed.Get())
	codes := drawProblem(r, "two 1-of-K codes side by side", 30, 2, c.colours+c.shapes, 0)
	t, a := mat.NewDense(30, c.colours+c.shapes, nil), mat.NewDense(2, c.colours+c.shapes, nil)
	for i := range 30 { // the first entries encode the colour, and the last entries encode the shape
		t.Set(i, i%c.colours, 1)
		t.Set(i, c.colours+(i/c.colours)%c.shapes, 1)
	}
	for k := range c.colours + c.shapes {
		a.Set(min(k/c.colours, 1), k, 1)
	}
	codes = codes.WithTargets(t)
	codes.A, codes.B = a, []float64{-1, -1}
	large := drawProblem(r, "targets of size 1000, two constraints", 8, 2, 4, 0)
	large.T.Scale(1000, large.T)
	return []problem{
		drawProblem(r, "targets of three entries, one constraint", 9, 2, 3, 1),
		drawProblem(r, "targets of four entries, two constraints", 10, 3, 4, 2),
		drawProblem(r, "targets of five entries, four constraints", 8, 1, 5, 4),
		codes,
		obeying(r, large, 2),
		drawProblem(r, "targets of two entries, two constraints: all targets equal", 5, 1, 2, 2),
		drawProblem(r, "fewer points than entries of a target", 3, 1, 5, 1),
	}
})

// ordinary returns problems whose matrix [1 X] has full column rank, including problems of the same
// kinds as in exercise 4.2.
var ordinary = instance.Once(func() []problem {
	r := instance.Source(403, 2)
	return slices.Concat(obedient(), []problem{drawProblem(r, "targets without constraint", 10, 4, 3, 0)},
		leastsquares.Full(r))
})

var dependent = instance.Once(func() []problem {
	r := instance.Source(403, 3)
	list := leastsquares.SumsToOne(leastsquares.Dependent(r))
	for i, p := range list[:3] {
		list = append(list, obeying(r, p.RandomTargets(r, 3+i), 1+i))
	}
	return list
})

// unconstrained returns problems of full column rank whose targets obey no constraint. In some
// problems the targets nearly obey a constraint.
var unconstrained = instance.Once(func() []problem {
	r := instance.Source(403, 5)
	nearly := drawProblem(r, "targets that nearly obey one constraint", 30, 4, 3, 1)
	with := func(i, j int) *mat.Dense { // returns 1-of-K targets, except that entry (i, j) is also 1
		t := instance.OneOfK(slices.Repeat([]int{0, 1, 2}, 8), 3)
		t.Set(i, j, 1)
		return t
	}
	return []problem{
		drawProblem(r, "targets of three entries without constraint", 10, 4, 3, 0),
		nearly.WithTargets(addNoise(r, nearly.T, 1e-3)),
		drawProblem(r, "1-of-K targets, except that the first target sums to 2", 24, 4, 3, 0).WithTargets(with(0, 1)),
		drawProblem(r, "1-of-K targets, except that the last target sums to 2", 24, 4, 3, 0).WithTargets(with(23, 0)),
		drawProblem(r, "targets of a single entry", 10, 2, 1, 0),
	}
})

// addNoise adds a normally distributed error with the standard deviation `size` to every entry.
func addNoise(r *rand.Rand, t *mat.Dense, size float64) *mat.Dense {
	out := mat.DenseCopyOf(t)
	out.Apply(func(_, _ int, v float64) float64 { return v + size*r.NormFloat64() }, out)
	return out
}

// codes contains the number of colours and the number of shapes in the example of the statement.
type codes struct{ colours, shapes int }

// codesOf returns the numbers of colours and shapes in variant n of the statement. Variant 0 is the
// text for all learners. In all other variants, at least one of the two numbers is different.
func codesOf(n uint64) codes {
	common := codes{3, 2}
	if n == 0 {
		return common
	}
	for r := seed.Source(n, 403, 0); ; {
		if c := (codes{3 + r.IntN(3), 2 + r.IntN(2)}); c != common {
			return c
		}
	}
}

// vary returns the texts that replace the placeholders of the statement in variant n: numbers, and
// words that depend on these numbers.
func vary(n uint64) map[string]string {
	c := codesOf(n)
	words := []string{"", "one", "two", "three", "four", "five", "six", "seven", "eight"}
	to := "to" // the statement lists the shapes' entries as “3 to 5”, or “3 and 4” for two shapes
	if c.shapes == 2 {
		to = "and"
	}
	return map[string]string{
		"colours": words[c.colours], "shapes": words[c.shapes], "entries": words[c.colours+c.shapes],
		"k": fmt.Sprint(c.colours + c.shapes), "c": fmt.Sprint(c.colours), "s": fmt.Sprint(c.shapes),
		"lastColour": fmt.Sprint(c.colours - 1), "lastEntry": fmt.Sprint(c.colours + c.shapes - 1), "to": to,
	}
}

var predictQuestion = func() *judge.Question[leastsquares.Predictor, problem] {
	q := leastsquares.Question(hint)
	q.Mistakes = append(q.Mistakes, judge.Mistake[leastsquares.Predictor]{
		Key: "sum-forced", Hint: 2,
		Message: "Your predictions are the least-squares predictions, shifted so that they sum to 1. Targets in 1-of-K coding obey this constraint, but the targets of {problem} obey other constraints, or no constraint.",
		Answer:  leastsquares.After(func(y []float64) { floats.AddConst((1-floats.Sum(y))/float64(len(y)), y) }),
	})
	shared := q.Family
	q.Family = func(p problem, got []float64) *verify.Verdict {
		if bad := shared(p, got); bad != nil || affineRank(p, got) >= affineRank(p, q.Right(p)) {
			return bad
		}
		return judge.Fail("forced", 2,
			"For %v your predictions satisfy a linear constraint that neither the targets nor the least-squares predictions satisfy. Do not force a constraint on your predictions.", p)
	}
	return q
}()

// affineRank returns the dimension of the smallest affine subspace that contains all predictions. If
// a prediction is too large for the computation, it returns the largest possible dimension, K.
func affineRank(p problem, y []float64) int {
	_, k := p.T.Dims()
	if !(floats.Norm(y, math.Inf(1)) < 1e150) {
		return k
	}
	m := mat.NewDense(len(y)/k, k, slices.Clone(y))
	_, rank := decomposed(m, instance.Mean(m))
	return rank
}

type finder = func(T *mat.Dense) (A *mat.Dense, b []float64)

// targets contains one set of targets as the rows of T. The field `rank` is the dimension of the
// space that the differences between the rows span.
type targets struct {
	name string
	T    *mat.Dense
	rank int
	kind kind
}

func (t targets) String() string { return "“" + t.name + "”" }

// A kind says why a set of targets is difficult, for the messages of the function `miscounted`.
type kind int

const (
	moderate kind = iota // no reason from this list
	tight                // the targets satisfy a constraint, but only to within 1e-10 of their size
	tiny                 // every entry of the targets is very small
	zero                 // every entry of the targets is 0
)

// size returns the largest absolute value of an entry of T, or 1 if all entries are 0.
func (t targets) size() float64 {
	if s := floats.Norm(t.T.RawMatrix().Data, math.Inf(1)); s > 0 {
		return s
	}
	return 1
}

// targetSets returns sets of targets, ordinary sets first. In two of the later sets, the targets
// satisfy a constraint only up to errors: about 2e-8 of their size in one set, and 2e-11 in the
// other. The limit of the statement is “1e-9 of the size of T”. Both errors are so far from this
// limit that the result does not depend on the norm that the learner chooses for the size.
var targetSets = instance.Once(func() (list []targets) {
	r := instance.Source(403, 6)
	for _, p := range slices.Concat(obedient(), unconstrained()) {
		n, k := p.T.Dims()
		list = append(list, targets{p.Name, p.T, min(n-1, k-len(p.B)), moderate})
	}
	add := func(name string, n, k, count int, scale, noise float64, size kind) {
		t := drawProblem(r, name, n, 1, k, count).T
		t = addNoise(r, t, noise*floats.Norm(t.RawMatrix().Data, math.Inf(1)))
		t.Scale(scale, t)
		rank := min(n-1, k-count)
		if noise > 1e-9 {
			rank = min(n-1, k)
		}
		list = append(list, targets{name, t, rank, size})
	}
	add("two targets of five entries", 2, 5, 0, 1, 0, moderate)
	add("a single target of three entries", 1, 3, 0, 1, 0, moderate)
	add("as many targets as entries", 4, 4, 0, 1, 0, moderate)
	add("three targets of six entries, one constraint", 3, 6, 1, 1, 0, moderate)
	add("targets that satisfy a constraint only up to 2e-8 of their size", 20, 3, 1, 1, 2e-8, moderate)
	add("targets of size 1e-10 without a constraint", 20, 3, 0, 1e-10, 0, tiny)
	add("targets of size 1e10, two constraints", 18, 4, 2, 1e10, 0, moderate)
	far := drawProblem(r, "", 18, 1, 4, 2).T
	far.Apply(func(_, j int, v float64) float64 { return v + 1e4*float64(1+j) }, far)
	list = append(list, targets{"targets far from 0, two constraints", far, 2, moderate})
	add("targets that satisfy a constraint up to 2e-11 of their size", 20, 3, 1, 1, 2e-11, tight)
	return append(list, targets{"all targets 0", mat.NewDense(5, 2, nil), 0, zero})
})

// describe converts A and b to numbers that are the same for all equivalent sets of constraints:
// the number P of constraints, the projection A⁺A onto the space spanned by the rows of A (K×K
// numbers), and A⁺b (K numbers). A must have independent rows, or be nil if there are no
// constraints.
func describe(A *mat.Dense, b []float64, k int) []float64 {
	project, offset := mat.NewDense(k, k, nil), mat.NewDense(k, 1, nil)
	if A != nil {
		project = leastsquares.Solve(A, A, len(b))
		offset = leastsquares.Solve(A, mat.NewDense(len(b), 1, b), len(b))
	}
	return slices.Concat([]float64{float64(len(b))}, project.RawMatrix().Data, offset.RawMatrix().Data)
}

// allConstraints returns all constraints that the targets satisfy, in the form that `describe`
// returns. It computes orthogonal directions, one after another, that span the differences between
// the targets. If a vector a is orthogonal to all these directions, the targets satisfy a
// constraint aᵀt + b = 0.
func (t targets) allConstraints() []float64 {
	n, k := t.T.Dims()
	mean := instance.Mean(t.T)
	left := instance.Centred(t.T, mean)
	project := mat.DenseCopyOf(mat.NewDiagDense(k, slices.Repeat([]float64{1}, k)))
	for range t.rank {
		longest := 0
		for i := range n {
			if floats.Norm(left.RawRowView(i), 2) > floats.Norm(left.RawRowView(longest), 2) {
				longest = i
			}
		}
		axis := mat.NewVecDense(k, slices.Clone(left.RawRowView(longest)))
		axis.ScaleVec(1/mat.Norm(axis, 2), axis)
		var along mat.VecDense
		along.MulVec(left, axis)
		left.RankOne(left, -1, &along, axis)
		project.RankOne(project, -1, axis, axis)
	}
	offset := leastsquares.Times(mean, project)
	floats.Scale(-1, offset)
	return slices.Concat([]float64{float64(k - t.rank)}, project.RawMatrix().Data, offset)
}

// parts splits the result of `describe` into the number P, the matrix A⁺A, and the vector A⁺b.
func (t targets) parts(got []float64) (count int, project *mat.Dense, offset []float64) {
	_, k := t.T.Dims()
	return int(got[0]), mat.NewDense(k, k, got[1:1+k*k]), got[1+k*k:]
}

// satisfied checks that all targets t satisfy the constraints: every entry of A⁺(At + b) must be
// small.
func satisfied(t targets, got []float64) verify.Finding {
	_, project, offset := t.parts(got)
	worst := 0.0
	for i := range t.T.RawMatrix().Rows {
		rest := leastsquares.Times(t.T.RawRowView(i), project) // project is symmetric
		floats.Add(rest, offset)
		worst = math.Max(worst, floats.Norm(rest, math.Inf(1)))
	}
	return verify.Finding{OK: worst <= 1e-8*t.size(), Miss: worst}
}

func tooMany(t targets, got []float64) *verify.Verdict {
	_, k := t.T.Dims()
	return judge.FailIf(int(got[0]) > k-t.rank, "too-many", 3,
		"For %v you return more constraints than the targets satisfy. Constraints that hold only approximately do not count.", t)
}

func complete(t targets, got []float64) verify.Finding {
	_, k := t.T.Dims()
	return verify.CloseSlice(got[:1+k*k], t.allConstraints()[:1+k*k], verify.Tolerance{Abs: 1e-6})
}

// checkTogether checks that the predictions of the learner's Predict satisfy the constraints that
// the learner's Constraints returns.
func checkTogether(p problem, got []float64, constraints finder) *verify.Verdict {
	t := targets{name: p.Name, T: p.T}
	found := callConstraints(constraints, &judge.Call{}, t)
	if found == nil {
		return judge.Fail("not-together", 3, "For %v the A and b that your Constraints returns do not have the required form.", p)
	}
	_, project, offset := t.parts(found)
	f := leastsquares.Satisfy(p, project, offset, got)
	f.Where = ""
	return judge.FailIf(!f.OK, "not-together", 2,
		"For %v your prediction at some x does not satisfy a constraint that you found: aᵀy + b is %s. The earlier parts of this report show which of the two functions is wrong.", p, f.Off())
}

// callConstraints calls the learner's function and converts its result with `describe`. If the form
// of the result is wrong, it records a verdict and returns nil.
func callConstraints(constraints finder, c *judge.Call, t targets) []float64 {
	A, b := constraints(c.Dense("T", t.T))
	n, k := t.T.Dims()
	say := func(key, format string, args ...any) []float64 {
		c.Say(judge.Fail(key, 3, format, args...))
		return nil
	}
	if A == nil || A.IsEmpty() {
		if len(b) > 0 {
			return say("empty", "For %v you returned b but no A. A has one row per entry of b.", t)
		}
		return describe(nil, nil, k)
	}
	rows, columns := A.Dims()
	switch {
	case columns != k && rows == k && columns == len(b):
		return say("transposed", "For %v your A is K×P, with one constraint per column. A must be P×K, with one constraint per row.",
			t)
	case columns != k && (columns == n || rows == n):
		return say("left-null",
			"For %v your A has one row or column per data point. A constraint combines the K entries of one target, so A has K columns. If you use an SVD, take the right singular vectors, not the left singular vectors.", t)
	case columns != k || rows > len(b) && len(b) > 0:
		c.Matrix("A", A, len(b), k, "P×K")
		return nil
	}
	if c.Matrix("A", A, rows, k, "P×K") == nil || c.Vector("b", b, rows, "row of A") == nil {
		return nil
	}
	A, b = mat.DenseCopyOf(A), slices.Clone(b)
	for i := range rows {
		length := floats.Norm(A.RawRowView(i), 2)
		if length < 1e-300 || math.IsInf(length, 1) { // this row cannot be scaled to length 1
			return say("zero-row",
				"For %v a row of your A has length %g. The equation of a row with length 0 does not depend on t. A row whose length is Inf or almost 0 has no exact direction.",
				t, length)
		}
		floats.Scale(1/length, A.RawRowView(i))
		b[i] /= length
	}
	var svd mat.SVD
	if rows > k || !svd.Factorize(A, mat.SVDNone) || svd.Rank(1e-8) < rows {
		return say("dependent-rows",
			"For %v the %d rows of your A are linearly dependent: at least one row is a combination of the others.", t, rows)
	}
	return describe(A, b, k)
}

var constraintsQuestion = &judge.Question[finder, targets]{
	Func: "Constraints", Name: "set of constraints", Hint: 3, Per: "row", Invoke: callConstraints,
	Right: targets.allConstraints, Family: miscounted,
	Unit: func(t targets, right []float64) []float64 {
		_, k := t.T.Dims()
		return slices.Concat(slices.Repeat([]float64{1}, 1+k*k), slices.Repeat([]float64{t.size()}, k))
	},
	Mistakes: []judge.Mistake[finder]{
		{Key: "through-origin", Hint: 3,
			Message: "You find only constraints with b = 0, that is, aᵀt = 0. A constraint may contain a constant, aᵀt = −b. Subtract the mean of the targets first.",
			Answer: func(T *mat.Dense) (*mat.Dense, []float64) {
				_, k := T.Dims()
				A, b := orthogonal(T, make([]float64, k), k)
				clear(b)
				return A, b
			}},
		{Key: "b-off", Hint: 3,
			Message: "For {problem} your b is 0, but aᵀt is the same nonzero number for all targets. b is the negative of that number.",
			Answer:  func(T *mat.Dense) (*mat.Dense, []float64) { A, b := completeSet(T); clear(b); return A, b }},
		{Key: "b-sign", Hint: 3,
			Message: "For {problem} your constraints have the form At = b. The required form is At + b = 0, so change the sign of b.",
			Answer:  func(T *mat.Dense) (*mat.Dense, []float64) { A, b := completeSet(T); floats.Scale(-1, b); return A, b }},
		{Key: "few-targets", Hint: 3,
			Message: "For {problem} some of your constraints are missing. There are fewer than K targets, so an SVD of the centred targets has fewer than K singular values. The remaining directions give constraints, too.",
			Answer: func(T *mat.Dense) (*mat.Dense, []float64) {
				n, k := T.Dims()
				return orthogonal(T, instance.Mean(T), min(n, k))
			}},
		{Key: "rows-of-v", Hint: 4,
			Message: "Your A contains rows of V. The singular vectors are the columns of V.",
			Answer: func(T *mat.Dense) (*mat.Dense, []float64) {
				v, rank := decomposed(T, instance.Mean(T))
				return constraintRows(T, v, rank, T.RawMatrix().Cols)
			}},
		{Key: "row-space", Hint: 3,
			Message: "Your A contains the directions in which the targets vary. The vector a of a constraint is a direction in which the targets do not vary, with the singular value 0.",
			Answer: func(T *mat.Dense) (*mat.Dense, []float64) {
				v, rank := decomposed(T, instance.Mean(T))
				return constraintRows(T, v.T(), 0, rank)
			}},
	},
}

// miscounted returns a verdict on an answer that has too few or too many constraints, or a wrong b.
// It returns nil if it does not know the cause. targetSets lists ordinary sets first. If an answer
// fails on a difficult set, it was right on these ordinary sets, so the kind or the size of the set
// can explain the failure.
func miscounted(t targets, got []float64) *verify.Verdict {
	count, project, _ := t.parts(got)
	_, k := t.T.Dims()
	_, right, _ := t.parts(t.allConstraints())
	switch want := k - t.rank; {
	case count < want && t.kind == zero:
		return judge.Fail("zero-targets", 3,
			"For %v you return too few constraints. The centred targets are 0, so every vector a gives a constraint with a suitable b. A threshold proportional to the size of the targets is 0 here, so a value equal to the threshold must also count as 0.", t)
	case count < want && t.kind == tight:
		return judge.Fail("too-strict", 3,
			"For %v you return too few constraints. Return all constraints that hold to 1e-9 of the size of T, not only those that hold to the last digits of float64.", t)
	case count < want && t.size() > 500:
		return judge.Fail("absolute-threshold", 3,
			"For %v you return too few constraints. Rounding errors of large targets are large, so a fixed threshold is too small. The threshold for 0 must depend on the size of T.", t)
	case count < want && count == 0:
		return judge.Fail("none-found", 3,
			"For %v you find no constraint, but there is at least one. For example, two 1-of-K codes side by side satisfy two constraints, because each code sums to 1.", t)
	case count < want && count == 1:
		return judge.Fail("one-row-only", 3,
			"For %v you return one constraint, but there are more. Every direction in which the centred targets do not vary gives a constraint.", t)
	case count > want && t.kind == tiny:
		return judge.Fail("absolute-threshold", 3,
			"For %v you return a constraint that not all targets satisfy. These targets are tiny, so a fixed threshold is too large. The threshold for 0 must depend on the size of T.", t)
	case mat.EqualApprox(project, right, 1e-6) && want > 0:
		return judge.Fail("b-off", 3,
			"For %v your vector a is right, because aᵀt is the same number for all targets. But this number is not −b. Compute b from the mean of the targets.", t)
	case want == 0 && k > 1 && !satisfied(t, got).OK:
		return judge.Fail("invented", 3,
			"For %v you return a constraint that not all targets satisfy. If a single target breaks a constraint, the predictions break it, too.", t)
	}
	return nil
}

// decomposed computes the singular value decomposition of the differences between the targets and
// the point `from`. It returns the right singular vectors and the number of singular values that do
// not count as 0.
func decomposed(T *mat.Dense, from []float64) (v *mat.Dense, rank int) {
	var svd mat.SVD
	svd.Factorize(instance.Centred(T, from), mat.SVDFullV)
	v = new(mat.Dense)
	svd.VTo(v)
	for _, s := range svd.Values(nil) {
		if s > 1e-9*mat.Norm(T, 2) {
			rank++
		}
	}
	return v, rank
}

// orthogonal returns one constraint for each right singular vector from number `rank` up to, but
// not including, number `to`. The number `rank` is the result of `decomposed`, so the singular
// values of these vectors count as 0.
func orthogonal(T *mat.Dense, from []float64, to int) (*mat.Dense, []float64) {
	v, rank := decomposed(T, from)
	return constraintRows(T, v.T(), rank, to)
}

// completeSet returns all constraints that the targets satisfy.
func completeSet(T *mat.Dense) (*mat.Dense, []float64) {
	_, k := T.Dims()
	return orthogonal(T, instance.Mean(T), k)
}

// constraintRows returns a matrix A and a vector b. The rows of A are the rows of v from the row
// number `from` up to, but not including, the row number `to`. The vector b is chosen so that the
// mean t of the targets satisfies At + b = 0. If `from` is not less than `to`, A and b are nil.
func constraintRows(T *mat.Dense, v mat.Matrix, from, to int) (A *mat.Dense, b []float64) {
	if from >= to {
		return nil, nil
	}
	A = mat.NewDense(to-from, T.RawMatrix().Cols, nil)
	for i := range to - from {
		A.SetRow(i, mat.Row(nil, from+i, v))
		b = append(b, -floats.Dot(A.RawRowView(i), instance.Mean(T)))
	}
	return A, b
}

func init() {
	judge.Known(exercise, predictQuestion, func(f leastsquares.Predictor) *verify.Report { return Check(f, completeSet) })
	judge.Known(exercise, constraintsQuestion, func(f finder) *verify.Report { return Check(leastsquares.Best, f) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParseVaried("exercises/prml4/ex03", files, vary)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
