package ex03

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/leastsquares"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

var askPredict = func() *judge.Question[leastsquares.Predictor, problem] {
	q := leastsquares.Question(hint)
	q.Mistakes = append(q.Mistakes, judge.Mistake[leastsquares.Predictor]{
		Key: "sum-forced", Hint: 2,
		Message: "Your predictions are moved so that they sum to 1. That is one constraint, that of 1-of-K targets; here the targets obey others, or none.",
		Answer:  leastsquares.After(func(y []float64) { floats.AddConst((1-floats.Sum(y))/float64(len(y)), y) }),
	})
	shared := q.Family
	q.Family = func(p problem, got []float64) *verify.Verdict {
		if bad := shared(p, got); bad != nil || affineRank(p, got) >= affineRank(p, q.Right(p)) {
			return bad
		}
		return judge.Fail("forced", 2,
			"For %v your predictions satisfy a linear constraint that the targets do not satisfy: it was imposed on them. Least squares takes over what all targets obey, and nothing else.", p)
	}
	return q
}()

// affineRank returns the dimension of the smallest affine subspace that contains all predictions.
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

// targets holds the rows of T, whose differences span rank dimensions.
type targets struct {
	name string
	T    *mat.Dense
	rank int
	kind kind
}

func (t targets) String() string { return "“" + t.name + "”" }

// A kind says what makes a set of targets difficult.
type kind int

const (
	moderate kind = iota
	tight         // a constraint is satisfied to 1e-10 of the size
	tiny          // all entries are very small
	zero
)

// size returns the largest absolute entry, or 1 if all entries are 0.
func (t targets) size() float64 {
	if s := floats.Norm(t.T.RawMatrix().Data, math.Inf(1)); s > 0 {
		return s
	}
	return 1
}

// targetSets starts with sets that obey constraints. The promise “1e-9 of the size” is tested from
// both sides, with enough room that the choice of norm for T does not matter.
var targetSets = instance.Once(func() (list []targets) {
	r := instance.Source(403, 6)
	for _, p := range slices.Concat(obedient(), free()) {
		n, k := p.T.Dims()
		list = append(list, targets{p.Name, p.T, min(n-1, k-len(p.B)), moderate})
	}
	add := func(name string, n, k, count int, scale, noise float64, of kind) {
		t := draw(r, name, n, 1, k, count).T
		t = off(r, t, noise*floats.Norm(t.RawMatrix().Data, math.Inf(1)))
		t.Scale(scale, t)
		rank := min(n-1, k-count)
		if noise > 1e-9 {
			rank = min(n-1, k)
		}
		list = append(list, targets{name, t, rank, of})
	}
	add("two targets of five entries", 2, 5, 0, 1, 0, moderate)
	add("a single target of three entries", 1, 3, 0, 1, 0, moderate)
	add("as many targets as entries", 4, 4, 0, 1, 0, moderate)
	add("three targets of six entries, one constraint", 3, 6, 1, 1, 0, moderate)
	add("targets that satisfy a constraint to 2e-8 of their size only", 20, 3, 1, 1, 2e-8, moderate)
	add("targets of size 1e-10 without constraint", 20, 3, 0, 1e-10, 0, tiny)
	add("targets of size 1e10, two constraints", 18, 4, 2, 1e10, 0, moderate)
	far := draw(r, "", 18, 1, 4, 2).T
	far.Apply(func(_, j int, v float64) float64 { return v + 1e4*float64(1+j) }, far)
	list = append(list, targets{"targets far from 0, two constraints", far, 2, moderate})
	add("targets that satisfy a constraint to 2e-11 of their size", 20, 3, 1, 1, 2e-11, tight)
	return append(list, targets{"all targets 0", mat.NewDense(5, 2, nil), 0, zero})
})

// describe returns the quantities that do not depend on the choice of A and b: the number P, the
// projection A⁺A onto the rows of A (K×K numbers), and A⁺b (K numbers). A must have independent
// rows; it is nil if there are no constraints.
func describe(A *mat.Dense, b []float64, k int) []float64 {
	project, offset := mat.NewDense(k, k, nil), mat.NewDense(k, 1, nil)
	if A != nil {
		project = leastsquares.Solve(A, A, len(b))
		offset = leastsquares.Solve(A, mat.NewDense(len(b), 1, b), len(b))
	}
	return slices.Concat([]float64{float64(len(b))}, project.RawMatrix().Data, offset.RawMatrix().Data)
}

// want returns the description of all constraints. It finds the rank dimensions spanned by the
// differences of the targets one after another; the constraints are orthogonal to them.
func (t targets) want() []float64 {
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

// parts splits a description into its parts.
func (t targets) parts(got []float64) (count int, project *mat.Dense, offset []float64) {
	_, k := t.T.Dims()
	return int(got[0]), mat.NewDense(k, k, got[1:1+k*k]), got[1+k*k:]
}

// satisfied checks the largest entry of At + b over all targets.
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
		"For %v you return more constraints than the targets satisfy. What is satisfied only nearly does not count.", t)
}

func complete(t targets, got []float64) verify.Finding {
	_, k := t.T.Dims()
	return verify.CloseSlice(got[:1+k*k], t.want()[:1+k*k], verify.Tolerance{Abs: 1e-6})
}

// together checks that predictions satisfy the constraints found by the learner's function.
func together(p problem, got []float64, constraints finder) *verify.Verdict {
	t := targets{name: p.Name, T: p.T}
	found := ask(constraints, &judge.Call{}, t)
	if found == nil {
		return judge.Fail("not-together", 3, "For %v your constraints have not the form of A and b.", p)
	}
	_, project, offset := t.parts(found)
	f := leastsquares.Satisfy(p, project, offset, got)
	f.Where = ""
	return judge.FailIf(!f.OK, "not-together", 2,
		"For %v your prediction at some x does not satisfy a constraint that you found: %s. The parts above tell which of the two functions it is.", p, f.Off())
}

// ask calls constraints and describes the result.
func ask(constraints finder, c *judge.Call, t targets) []float64 {
	A, b := constraints(c.Dense("T", t.T))
	n, k := t.T.Dims()
	say := func(key, format string, args ...any) []float64 {
		c.Say(judge.Fail(key, 3, format, args...))
		return nil
	}
	if A == nil || A.IsEmpty() {
		if len(b) > 0 {
			return say("empty", "For %v you returned b and no A. A has one row per entry of b.", t)
		}
		return describe(nil, nil, k)
	}
	rows, columns := A.Dims()
	switch {
	case columns != k && rows == k && columns == len(b):
		return say("transposed", "For %v your A is K×P: one constraint per column. It is P×K, one constraint per row.",
			t)
	case columns != k && (columns == n || rows == n):
		return say("left-null",
			"For %v your A has N columns: combinations of the data points. A constraint combines the K entries of one target, so A has K columns: right singular vectors, not left ones.", t)
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
		if length < 1e-300 || math.IsInf(length, 1) { // outside this range the row has no direction in float64
			return say("zero-row",
				"For %v a row of your A has the length %g: 0 = 0 holds for every t and says nothing about the targets.",
				t, length)
		}
		floats.Scale(1/length, A.RawRowView(i))
		b[i] /= length
	}
	var svd mat.SVD
	if rows > k || !svd.Factorize(A, mat.SVDNone) || svd.Rank(1e-8) < rows {
		return say("dependent-rows",
			"For %v the %d rows of your A are linearly dependent: some constraint follows from the others.", t, rows)
	}
	return describe(A, b, k)
}

var askConstraints = &judge.Question[finder, targets]{
	Func: "Constraints", Name: "set of constraints", Hint: 3, Per: "row", Ask: ask, Right: targets.want, Family: search,
	Unit: func(t targets, right []float64) []float64 {
		_, k := t.T.Dims()
		return slices.Concat(slices.Repeat([]float64{1}, 1+k*k), slices.Repeat([]float64{t.size()}, k))
	},
	Mistakes: []judge.Mistake[finder]{
		{Key: "through-origin", Hint: 3,
			Message: "You find only the constraints with b = 0, the a with aᵀt = 0. A constraint may have a constant, aᵀt = −b; subtract the mean of the targets first.",
			Answer: func(T *mat.Dense) (*mat.Dense, []float64) {
				_, k := T.Dims()
				A, b := orthogonal(T, make([]float64, k), k)
				clear(b)
				return A, b
			}},
		{Key: "b-off", Hint: 3,
			Message: "For {problem} your b is 0, and aᵀt is not: it is the same number for all targets, and that number belongs to the constraint.",
			Answer:  func(T *mat.Dense) (*mat.Dense, []float64) { A, b := all(T); clear(b); return A, b }},
		{Key: "b-sign", Hint: 3,
			Message: "For {problem} your constraints hold as At = b. The form is At + b = 0, so b has the other sign.",
			Answer:  func(T *mat.Dense) (*mat.Dense, []float64) { A, b := all(T); floats.Scale(-1, b); return A, b }},
		{Key: "few-targets", Hint: 3,
			Message: "For {problem} constraints are missing, but not elsewhere: with fewer targets than entries the decomposition lists fewer singular values than there are directions. Those without a value in the list are constraints, too (does yours return all K right singular vectors?).",
			Answer: func(T *mat.Dense) (*mat.Dense, []float64) {
				n, k := T.Dims()
				return orthogonal(T, instance.Mean(T), min(n, k))
			}},
		{Key: "rows-of-v", Hint: 4,
			Message: "Your A has rows of V where its columns belong: the singular vectors stand in the columns.",
			Answer: func(T *mat.Dense) (*mat.Dense, []float64) {
				v, rank := decomposed(T, instance.Mean(T))
				return rows(T, v, rank, T.RawMatrix().Cols)
			}},
		{Key: "row-space", Hint: 3,
			Message: "Your A spans the directions in which the targets do vary. A constraint is a direction in which they do not: those with the singular value 0.",
			Answer: func(T *mat.Dense) (*mat.Dense, []float64) {
				v, rank := decomposed(T, instance.Mean(T))
				return rows(T, v.T(), 0, rank)
			}},
	},
}

// search names what a search for constraints missed or wrongly found. Sets of unusual size come
// after ordinary sets, so the answer was right on the ordinary ones.
func search(t targets, got []float64) *verify.Verdict {
	count, project, _ := t.parts(got)
	_, k := t.T.Dims()
	_, right, _ := t.parts(t.want())
	switch want := k - t.rank; {
	case count < want && t.kind == zero:
		return judge.Fail("zero-targets", 3,
			"For %v you return too few constraints, and every a with b = 0 is one. Beside targets of size 0 only 0 counts as small: does your comparison accept equality?", t)
	case count < want && t.kind == tight:
		return judge.Fail("too-strict", 3,
			"For %v you return too few constraints. Return those that hold to 1e-9 of the size of T: more than the last digits of float64 may be off.", t)
	case count < want && t.size() > 500:
		return judge.Fail("absolute-threshold", 3,
			"For %v you return too few constraints. Their rounding is large too, which is nothing beside them. Is a fixed number in your search? What counts as 0 depends on the size of T.", t)
	case count < want && count == 0:
		return judge.Fail("none-found", 3,
			"For %v you find no constraint, but there is at least one. Two 1-of-K codes side by side, for instance, have two: each sums to 1.", t)
	case count < want && count == 1:
		return judge.Fail("one-row-only", 3,
			"For %v you return one constraint, and there are more. All directions in which the centred targets do not vary count.", t)
	case count > want && t.kind == tiny:
		return judge.Fail("absolute-threshold", 3,
			"For %v you return a constraint that not all targets satisfy. They differ by as much as they are large. Is a fixed number in your search? What counts as 0 depends on the size of T.", t)
	case mat.EqualApprox(project, right, 1e-6) && want > 0:
		return judge.Fail("b-off", 3,
			"For %v aᵀt is the same for all targets with your a, but it is not −b. Which number is it, then, for a target, or for their mean?", t)
	case want == 0 && k > 1 && !satisfied(t, got).OK:
		return judge.Fail("invented", 3,
			"For %v you return a constraint that not all targets satisfy. Nearly is not enough: what one target breaks, the predictions break.", t)
	}
	return nil
}

// decomposed returns the right singular vectors of the targets minus from, and the number of
// nonzero singular values.
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

// orthogonal returns the constraints made of the singular vectors from rank up to number to.
func orthogonal(T *mat.Dense, from []float64, to int) (*mat.Dense, []float64) {
	v, rank := decomposed(T, from)
	return rows(T, v.T(), rank, to)
}

// all returns all constraints.
func all(T *mat.Dense) (*mat.Dense, []float64) {
	_, k := T.Dims()
	return orthogonal(T, instance.Mean(T), k)
}

// rows returns rows from to to−1 of v as A, and the b for which the mean of the targets satisfies
// them. It returns nil if there are no such rows.
func rows(T *mat.Dense, v mat.Matrix, from, to int) (A *mat.Dense, b []float64) {
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
	judge.Known(exercise, askPredict, func(f leastsquares.Predictor) *verify.Report { return Check(f, all) })
	judge.Known(exercise, askConstraints, func(f finder) *verify.Report { return Check(leastsquares.Best, f) })
}
