package ex06

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func judgeMatrixForm(normalMatrix matrixFunc) verify.Verdict {
	for _, c := range problems(1) {
		first, bad := askMatrix(normalMatrix, c)
		if bad != nil {
			return *bad
		}
		second, bad := askMatrix(normalMatrix, c)
		if bad != nil {
			return *bad
		}
		if !verify.CloseMat(second, first, verify.Tolerance{Rel: 1e-9}).OK {
			return verify.Fail("not-constant", 0, "Two calls with the same points gave different matrices. Is something added to a matrix that outlives the call?")
		}
	}
	return verify.Pass("You returned a D×D matrix, for D from 1 to 5.")
}

// judgeMatrix has two routes: the weights of a direct least-squares solution must
// satisfy (4.37), and M must be the scatter of all points about their mean.
func judgeMatrix(normalMatrix matrixFunc) verify.Verdict {
	for _, c := range problems(2) {
		m, bad := askMatrix(normalMatrix, c)
		if bad != nil {
			return *bad
		}
		tol := math.Max(1e-8, 10*c.Tol)
		w := direct(c, coded(c))[1:]
		equation := verify.CloseSlice(evenVector(c, times(m, w)), evenVector(c, rightHand(c)), verify.Tolerance{Rel: tol})
		scatter := verify.CloseSlice(even(c, m), even(c, total(c)), verify.Tolerance{Rel: tol})
		if equation.OK && scatter.OK {
			continue
		}
		if v, ok := learner.Recognise(matrixMistakes, c, even(c, m)); ok {
			return v
		}
		if _, ok := learner.Factor(even(c, m), even(c, total(c))); ok {
			return verify.Fail("m-factor", 2, "Your M is the matrix of (4.37) times one number. With N(m1 − m2) on the right-hand side the left-hand side has no factor in front.")
		}
		if !equation.OK {
			return verify.Fail("m-equation", 2, "For “%s” your M times the least-squares weights is not N(m1 − m2) (columns brought to one size): %s. Is S_W a plain sum over the points, not a covariance, and has S_B the factor N1N2/N?", c.Name, equation.Off())
		}
		return verify.Fail("m-total", 2, "For “%s” your M times the least-squares weights is N(m1 − m2), but M is not the matrix of (4.37) (columns brought to one size): %s. One equation does not determine a matrix; is it symmetric?", c.Name, scatter.Off())
	}
	return verify.Pass("M·w = N(m1 − m2) at the least-squares weights. And M is the total scatter S_T, the sum of (x−m)(x−m)ᵀ over all points: S_W + (N1N2/N)·S_B is the same matrix, however you wrote it.")
}

func judgeFitForm(fit fitFunc) verify.Verdict {
	for _, c := range problems(3) {
		w, w0, bad := askFit(fit, c)
		if bad != nil {
			return *bad
		}
		again, again0, bad := askFit(fit, c)
		if bad != nil {
			return *bad
		}
		if !verify.CloseSlice(again, w, verify.Tolerance{Rel: 1e-9}).OK || !verify.Close(again0, w0, verify.Tolerance{Rel: 1e-9}).OK {
			return verify.Fail("not-constant", 0, "Two calls with the same points gave different results.")
		}
	}
	return verify.Pass("You returned D weights and a bias, for D from 1 to 5.")
}

// judgeMinimum sets the derivatives (4.32) and (4.33) to zero: residuals
// orthogonal to the ones and to every column of x.
func judgeMinimum(fit fitFunc) verify.Verdict {
	for _, c := range problems(4) {
		w, w0, bad := askFit(fit, c)
		if bad != nil {
			return *bad
		}
		all, t := c.All(), coded(c)
		y := mat.NewDense(t.RawMatrix().Rows, 1, nil)
		for i := range t.RawMatrix().Rows {
			y.Set(i, 0, floats.Dot(w, all.RawRowView(i))+w0)
		}
		tol := math.Max(1e-8, 10*c.Tol)
		normal := verify.NormalEquations(instance.WithOnes(all), y, t, tol)
		right := direct(c, t)
		weights := verify.CloseSlice(spread(c, w), spread(c, right[1:]), verify.Tolerance{Rel: 100 * tol})
		if normal.OK && weights.OK {
			continue
		}
		if v, ok := learner.Recognise(fitMistakes, c, append([]float64{w0}, w...)); ok {
			return v
		}
		if floats.Norm(spread(c, w), 2) == 0 {
			return verify.Fail("zero-weights", 2, "All your weights are 0.")
		}
		if weights.OK {
			return verify.Fail("bias", 2, "For “%s” your w is that of least squares, your w0 is not: the residuals do not sum to zero.", c.Name)
		}
		if verify.SameDirection(spread(c, w), spread(c, right[1:]), 1e-5).OK {
			return verify.Fail("length", 2, "For “%s” your w has the right direction and not the right length. As a direction it is Fisher's; the least-squares solution for these targets has a length of its own, which (4.37) determines.", c.Name)
		}
		return verify.Fail("not-least-squares", 2, "For “%s” the derivatives of the sum of squares are not zero at your w and w0: relative to the lengths of the two, %s (both counted from 0: column 0 is the column of ones, target 0 the only one). If your M is not right either, mend that first.", c.Name, normal.Off())
	}
	return verify.Pass("The residuals sum to zero and are orthogonal to every column of x: the sum of squares (4.31) has its minimum there.")
}

func judgeBias(fit fitFunc) verify.Verdict {
	for _, c := range problems(5) {
		w, w0, bad := askFit(fit, c)
		if bad != nil {
			return *bad
		}
		m1, m2 := c.Means()
		n1, n2, n := counts(c)
		a1, a2 := floats.Dot(w, m1), floats.Dot(w, m2)
		size := 0.0
		m := instance.Mean(c.All())
		for j := range w {
			size += math.Abs(w[j] * m[j])
		}
		tol := verify.Tolerance{Abs: 1e-9 * size, Rel: 1e-9}
		if verify.Close(w0, -(n1*a1+n2*a2)/n, tol).OK {
			continue
		}
		like := func(v float64) bool {
			return verify.Close(w0, v, verify.Tolerance{Abs: 1e-7 * size, Rel: 1e-7}).OK
		}
		switch {
		case w0 == 0:
			return verify.Fail("no-bias", 2, "Your w0 is 0: the boundary is tied to the origin.")
		case like(-(a1 + a2) / 2):
			return verify.Fail("midpoint", 2, "Your w0 puts the boundary midway between the class means. Least squares, by (4.32), puts it at the mean m of all points, which is nearer to the larger class.")
		case like((n1*a1 + n2*a2) / n):
			return verify.Fail("bias-sign", 2, "Your w0 is +wᵀm: (4.32) says that wᵀm + w0 is the mean of the targets, and that is 0.")
		case like(-a1), like(-a2):
			return verify.Fail("one-mean", 2, "Your w0 puts the boundary through the mean of one class.")
		case like(-(n2*a1 + n1*a2) / n):
			return verify.Fail("weights-exchanged", 3, "In the mean of all points each class mean is weighted with its own number of points; in your w0 the two are exchanged.")
		}
		return verify.Fail("bias", 2, "For “%s” wᵀm + w0 should be the mean of the targets, which is 0: your w0 is not −wᵀm with your own w.", c.Name)
	}
	return verify.Pass("w0 = −wᵀm with the mean of all points: since N1·N/N1 − N2·N/N2 = 0, the targets have the mean 0.")
}

func judgeFisher(fit fitFunc) verify.Verdict {
	for _, c := range problems(6) {
		w, _, bad := askFit(fit, c)
		if bad != nil {
			return *bad
		}
		m1, m2 := c.Means()
		var fisher mat.VecDense
		gap := instance.Minus(m1, m2)
		if fisher.SolveVec(c.Within(), mat.NewVecDense(len(gap), gap)) != nil {
			continue // no direction to compare with
		}
		u := spread(c, fisher.RawVector().Data)
		f := verify.Parallel(spread(c, w), u, math.Max(1e-6, 100*c.Tol))
		if !f.OK {
			if floats.Norm(spread(c, w), 2) > 0 && verify.Parallel(w, gap, 1e-6).OK {
				return verify.Fail("means-only", 1, "Your w lies along m1 − m2: the scatter within the classes has no say in it.")
			}
			return verify.Fail("not-fisher", 1, "For “%s” your w does not lie along S_W⁻¹(m1 − m2) (columns brought to one size): the sine of the angle should be 0, %s.", c.Name, f.Off())
		}
		if floats.Dot(w, gap) < 0 {
			return verify.Fail("printed-sign", 1, "Your w lies along S_W⁻¹(m2 − m1), as (4.38) prints it. That is Fisher's line, but with the targets N/N1 for class 1 and −N/N2 for class 2 the solution of (4.37) points the other way, towards m1: only then is the rule “class 1 if wᵀ(x − m) > 0” right.")
		}
	}
	return verify.Pass("w is a positive multiple of S_W⁻¹(m1 − m2), so wᵀ(x − m) > 0 means class 1. ((4.38) prints m2 − m1: the same line, but against the rule given with it; the factor that is dropped there is negative.)")
}

func judgeBoth(normalMatrix matrixFunc, fit fitFunc) verify.Verdict {
	for _, c := range problems(7) {
		m, bad := askMatrix(normalMatrix, c)
		if bad != nil {
			return *bad
		}
		w, _, bad := askFit(fit, c)
		if bad != nil {
			return *bad
		}
		f := verify.CloseSlice(evenVector(c, times(m, w)), evenVector(c, rightHand(c)), verify.Tolerance{Rel: math.Max(1e-7, 100*c.Tol)})
		if !f.OK {
			return verify.Fail("not-together", 2, "For “%s” your matrix times your weights is not N(m1 − m2): %s. The parts above tell which of the two functions it is.", c.Name, f.Off())
		}
	}
	return verify.Pass("Your M times your w is N(m1 − m2).")
}
