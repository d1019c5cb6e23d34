package ex03

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// find calls the learner's Constraints with a copy and returns copies of its
// answers, every row scaled so that a has length 1; with a verdict instead where
// the shapes do not fit or T was changed. A is nil for P = 0.
func find(constraints finder, p problem) (A *mat.Dense, b []float64, bad *verify.Verdict) {
	var in learner.Inputs
	A, b = constraints(in.Dense("T", p.T))
	if bad := in.Changed(3); bad != nil {
		return nil, nil, bad
	}
	n, k := p.T.Dims()
	if A == nil || A.IsEmpty() {
		if len(b) > 0 {
			return nil, nil, learner.Fail("b-without-a", 3, "For “%s” you returned %d numbers b and no A. A has one row per entry of b.", p.name, len(b))
		}
		return nil, nil, nil
	}
	rows, cols := A.Dims()
	switch {
	case cols != k && rows == k && cols == len(b):
		return nil, nil, learner.Fail("transposed", 3, "For “%s” your A is K×P: one constraint per column. It is P×K, one constraint per row.", p.name)
	case cols != k && (cols == n || rows == n):
		return nil, nil, learner.Fail("left-null", 3, "For “%s” your A has N columns: combinations of the data points. A constraint combines the K entries of one target, so A has K columns: right singular vectors, not left ones.", p.name)
	}
	if bad := form.Matrix("A", A, rows, k, "P×K", p.name, 3); bad != nil {
		return nil, nil, bad
	}
	if bad := form.Vector("b", b, rows, "row of A", p.name, 3); bad != nil {
		return nil, nil, bad
	}
	A, b = mat.DenseCopyOf(A), append([]float64(nil), b...)
	for i := range rows {
		length := floats.Norm(A.RawRowView(i), 2)
		if length < 1e-300 || math.IsInf(length, 1) { // beyond that it has no direction in float64
			return nil, nil, learner.Fail("zero-row", 3, "For “%s” a row of your A has the length %g: 0 = 0 holds for every t and says nothing about the targets.", p.name, length)
		}
		floats.Scale(1/length, A.RawRowView(i))
		b[i] /= length
	}
	return A, b, nil
}

func judgeSatisfied(constraints finder) verify.Verdict {
	r := instance.Source(403, 6)
	for _, p := range slices.Concat(obedient(r), free(r), extremes(r)) {
		A, b, bad := find(constraints, p)
		if bad != nil {
			return *bad
		}
		again, _, bad := find(constraints, p)
		if bad != nil {
			return *bad
		}
		if A == nil != (again == nil) || A != nil && !verify.CloseMat(again, A, verify.Tolerance{Abs: 1e-9}).OK {
			return verify.Fail("not-constant", 0, "Two calls with the same T gave different constraints.")
		}
		for i := range b {
			if v := satisfied(p, A.RawRowView(i), b[i]); v != nil {
				return *v
			}
		}
	}
	return verify.Pass("Every target satisfies every constraint that you return, up to rounding. Where only nearly all do, you return none.")
}

// satisfied is nil where all targets of p satisfy aᵀt + b = 0; a has length 1.
func satisfied(p problem, a []float64, b float64) *verify.Verdict {
	n, k := p.T.Dims()
	size := mat.Norm(p.T, math.Inf(1))
	low, high := math.Inf(1), math.Inf(-1)
	for i := range n {
		v := floats.Dot(a, p.T.RawRowView(i)) + b
		low, high = math.Min(low, v), math.Max(high, v)
	}
	if math.Abs(low) <= 1e-8*size && math.Abs(high) <= 1e-8*size {
		return nil
	}
	off := verify.Finding{Miss: math.Max(math.Abs(low), math.Abs(high))}.Off()
	switch {
	case high-low <= 1e-8*size && math.Abs(low-2*b) <= 1e-7*size:
		return learner.Fail("b-sign", 3, "For “%s” your constraints hold as At = b. Asked for is At + b = 0, so b has the other sign.", p.name)
	case high-low <= 1e-8*size:
		return learner.Fail("b-off", 3, "For “%s” aᵀt is the same for all targets with your a, but it is not −b: b is %s. (With a = right singular vectors of the centred targets, b = −aᵀ·mean.)", p.name, off)
	case p.name == tinyTargets:
		return learner.Fail("absolute-threshold", 3, "For “%s” you return a constraint that not all targets satisfy. They differ by as much as they are large. Is a fixed number in your search? What counts as 0 depends on the size of T.", p.name)
	case p.constraints() == 0 && k > 1:
		return learner.Fail("invented", 3, "For “%s” you return a constraint that not all targets satisfy: aᵀt + b is %s. Nearly is not enough: what one target breaks, the predictions break.", p.name, off)
	}
	return learner.Fail("not-satisfied", 3, "For “%s” a constraint of yours is not satisfied by all targets: aᵀt + b is %s.", p.name, off)
}

func judgeComplete(constraints finder) verify.Verdict {
	r := instance.Source(403, 7)
	var missed *verify.Verdict // the first problem with too few
	originOnly, someFound, onlyLarge := true, false, true
	for _, p := range slices.Concat(obedient(r), free(r), extremes(r)) {
		A, b, bad := find(constraints, p)
		if bad != nil {
			return *bad
		}
		found, want := len(b), p.constraints()
		if found > 0 {
			var svd mat.SVD
			if !svd.Factorize(A, mat.SVDNone) || svd.Rank(1e-8) < found {
				return verify.Fail("dependent-rows", 3, "For “%s” the %d rows of your A are linearly dependent: some constraint follows from the others.", p.name, found)
			}
		}
		if found > want {
			return verify.Fail("too-many", 3, "For “%s” you return more constraints than the targets satisfy. What is satisfied only nearly does not count.", p.name)
		}
		if found < want {
			if missed == nil {
				missed = tooFew(p, found)
			}
			onlyLarge = onlyLarge && mat.Norm(p.T, math.Inf(1)) > 100
			originOnly = originOnly && want-found == 1 && floats.Norm(b, math.Inf(1)) <= 1e-8*mat.Norm(p.T, math.Inf(1))
			someFound = someFound || found > 0
		}
	}
	switch {
	case missed != nil && originOnly && someFound:
		return verify.Fail("through-origin", 3, "You find only the constraints with b = 0, the a with aᵀt = 0, and so one is missing each time. A constraint may have a constant, aᵀt = −b; subtract the mean of the targets first.")
	case missed != nil && onlyLarge:
		return verify.Fail("absolute-threshold", 3, "Where the targets are large you return too few constraints; elsewhere none is missing. Their rounding is large too, which is nothing beside them. Is a fixed number in your search? What counts as 0 depends on the size of T.")
	case missed != nil:
		return *missed
	}
	return verify.Pass("Your constraints are independent and complete: P from 0 to K. (Rows may be scaled and mixed; any basis is right.)")
}

func tooFew(p problem, found int) *verify.Verdict {
	if p.name == zeroTargets {
		return learner.Fail("zero-targets", 3, "For “%s” you return too few constraints, and every a with b = 0 is one. Beside targets of size 0 only 0 counts as small: does your comparison accept equality?", p.name)
	}
	switch found {
	case 0:
		return learner.Fail("none-found", 3, "For “%s” you find no constraint, but there is at least one. Two 1-of-K codes side by side, for instance, have two: each sums to 1.", p.name)
	case 1:
		return learner.Fail("one-row-only", 3, "For “%s” you return one constraint, and there are more. All directions in which the centred targets do not vary count.", p.name)
	}
	return learner.Fail("incomplete", 3, "For “%s” you return %d constraints, and there are more. All directions in which the centred targets do not vary count.", p.name, found)
}

func judgeBoth(predict predictor, constraints finder) verify.Verdict {
	r := instance.Source(403, 8)
	for _, p := range append(obedient(r), deficient(r)...) {
		A, b, bad := find(constraints, p)
		if bad != nil {
			return *bad
		}
		for _, x := range p.at {
			y, bad := ask(predict, p, x)
			if bad != nil {
				return *bad
			}
			_, size := instance.Linear(instance.LeastSquares(p.X, p.T), x)
			for i := range b {
				if f := verify.AffineConstraint(A.RawRowView(i), b[i], y, verify.Tolerance{Rel: 1e-7, Abs: 1e-7 * size}); !f.OK {
					return verify.Fail("not-together", 2, "For “%s” your prediction at some x does not satisfy a constraint that you found: %s. The parts above tell which of the two functions it is.", p.name, f.Off())
				}
			}
		}
	}
	return verify.Pass("Ay(x) + b = 0 with your A, your b and your y.")
}
