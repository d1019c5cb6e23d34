package ex15

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// judgeFullRank establishes that no direction is claimed where none exists, also
// when all numbers of Φ are small or large.
func judgeFullRank(nullDirection directionFunc) verify.Verdict {
	r := source(7)
	problems := fullRank(r)
	usual := len(problems)
	ones := []float64{1, 0, 0}
	for _, scale := range []float64{1e-6, 1e6} {
		centre, spread := append([]float64(nil), ones...), []float64{0, 1, 1}
		floats.Scale(scale, centre)
		floats.Scale(scale, spread)
		name := "very small numbers"
		if scale > 1 {
			name = "very large numbers"
		}
		problems = append(problems, draw(r, name, 20, centre, spread))
	}
	var claimed []int
	for i, p := range problems {
		_, ok, bad := askDirection(nullDirection, p)
		if bad != nil {
			return *bad
		}
		if ok {
			claimed = append(claimed, i)
		}
	}
	switch {
	case len(claimed) == 0:
		return verify.Pass("Where the columns of Φ are independent you find no flat direction: there E has at most one minimum.")
	case len(claimed) == len(problems):
		return verify.Fail("always-ok", 2, "You report a flat direction for every Φ, also where the columns are independent and every direction changes some activation.")
	case claimed[0] >= usual:
		return verify.Fail("absolute-threshold", 3, "Φ with %s has independent columns, and you report a flat direction. Is a singular value or a determinant compared with a fixed number? Small is what is small against the largest singular value.", problems[claimed[0]].name)
	}
	return verify.Fail("false-direction", 3, "For “%s” you report a flat direction, but the columns of Φ are independent: Φu = 0 only for u = 0.", problems[claimed[0]].name)
}

// flatTol is how far Φu may lie from 0, relative to the sizes of Φ and u. It
// leaves room for a direction found from ΦᵀΦ, which sees only half the digits.
const flatTol = 1e-7

func judgeFlat(nullDirection directionFunc) verify.Verdict {
	problems := rankDeficient(source(8))
	var found, missed []deficient
	for _, d := range problems {
		u, ok, bad := askDirection(nullDirection, d.problem)
		if bad != nil {
			return *bad
		}
		if !ok {
			missed = append(missed, d)
			continue
		}
		found = append(found, d)
		if v := flatness(d, u); v != nil {
			return *v
		}
	}
	switch {
	case len(missed) == 0:
		return verify.Pass("On %d matrices Φ with dependent columns E stays constant along your direction, for any targets. Sign and length are free.", len(problems))
	case len(found) == 0:
		return verify.Fail("never-ok", 2, "You report no flat direction for any Φ, also where a column occurs twice. Which u makes Φu = 0 there?")
	case onlyFewPoints(found, missed):
		return verify.Fail("counts-only", 2, "You report a flat direction exactly where there are fewer points than weights. Columns can depend on each other with any number of points, for instance with %s.", missed[0].name)
	}
	return verify.Fail("missed", 3, "With %s there is a direction with Φu = 0, and you report none. Rounding leaves numbers like 1e-17 where 0 belongs: compare with the largest singular value, not with 0.", missed[0].name)
}

// onlyFewPoints tells whether N < M alone decided.
func onlyFewPoints(found, missed []deficient) bool {
	fewer := func(d deficient) bool { n, m := d.Phi.Dims(); return n < m }
	for _, d := range found {
		if !fewer(d) {
			return false
		}
	}
	for _, d := range missed {
		if fewer(d) {
			return false
		}
	}
	return true
}

// flatness is nil where u is a flat direction of d, and else what is wrong.
func flatness(d deficient, u []float64) *verify.Verdict {
	n, m := d.Phi.Dims()
	length := floats.Norm(u, math.Inf(1))
	fail := func(key string, hint int, format string, args ...any) *verify.Verdict {
		v := verify.Fail(key, hint, format, args...)
		return &v
	}
	switch {
	case len(u) == n && n != m:
		return fail("left-null", 3, "With %s your u has one entry per data point: it combines rows, Φᵀu = 0. A direction of w has one entry per column of Φ.", d.name)
	case len(u) != m:
		return fail("wrong-length", 2, "With %s you returned ok and a u with %d entries; a direction of w has one per column of Φ, here %d.", d.name, len(u), m)
	case math.IsNaN(floats.Sum(u)) || math.IsInf(length, 0):
		return fail("not-finite", 3, "With %s your u holds entries that are not finite numbers.", d.name)
	case length == 0:
		return fail("zero-vector", 2, "With %s you returned u = 0. Standing still changes nothing; that is no direction.", d.name)
	}
	unit := make([]float64, m)
	for j := range unit {
		unit[j] = u[j] / length
	}
	floats.Scale(1/floats.Norm(unit, 2), unit)
	moved := floats.Norm(d.activations(unit), 2) / mat.Norm(d.Phi, 2)
	// The second route is E itself, along the line.
	drift, start := 0.0, d.err(d.w)
	for _, c := range []float64{-10, -1, 1, 10} {
		e := d.err(floats.AddScaledTo(make([]float64, m), d.w, c, unit))
		drift = math.Max(drift, math.Abs(e-start))
	}
	// Ten steps of flatTol·‖Φ‖ each, over N points.
	if moved <= flatTol && drift <= 100*flatTol*mat.Norm(d.Phi, 2)*math.Sqrt(float64(n)) {
		return nil
	}
	var left mat.VecDense
	if n == m {
		left.MulVec(d.Phi.T(), mat.NewVecDense(m, unit))
	}
	var svd mat.SVD
	top := svd.Factorize(d.Phi, mat.SVDNone) && verify.Close(floats.Norm(d.activations(unit), 2), svd.Values(nil)[0], verify.Tolerance{Rel: 1e-6}).OK
	switch {
	case n == m && mat.Norm(&left, 2) <= flatTol*mat.Norm(d.Phi, 2):
		return fail("left-null", 3, "With %s Φᵀu = 0, but Φu is not: u combines the rows, not the columns. Was U taken for V, or ΦΦᵀ for ΦᵀΦ?", d.name)
	case top:
		return fail("wrong-end", 3, "With %s your u is the direction that changes the activations most. Which end of the list holds the smallest singular value (or eigenvalue)? mat.SVD sorts them falling, mat.EigenSym rising.", d.name)
	}
	v := verify.Finding{Miss: moved}
	return fail("not-flat", 2, "With %s E is not constant along your u. It is where no activation changes, and your Φu is not 0: relative to the sizes of Φ and u it is %s.", d.name, v.Off())
}
