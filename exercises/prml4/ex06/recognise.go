package ex06

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
)

// sizes are the spreads of the columns of x.
func sizes(c instance.Clouds) []float64 {
	t := total(c)
	s := make([]float64, t.RawMatrix().Rows)
	for j := range s {
		s[j] = math.Sqrt(t.At(j, j))
	}
	return s
}

// even are the entries of a D×D matrix in units in which all columns of x have
// one size; evenVector does the same for N(m1 − m2), spread for weights.
func even(c instance.Clouds, m *mat.Dense) []float64 {
	s := sizes(c)
	out := mat.DenseCopyOf(m)
	out.Apply(func(i, j int, v float64) float64 { return v / s[i] / s[j] }, out)
	return learner.Entries(out)
}

func evenVector(c instance.Clouds, v []float64) []float64 {
	return floats.DivTo(make([]float64, len(v)), v, sizes(c))
}

func spread(c instance.Clouds, w []float64) []float64 {
	return floats.MulTo(make([]float64, len(w)), w, sizes(c))
}

// withBetween is a·S_W + b·S_B.
func withBetween(f func(n1, n2, n float64) (a, b float64)) func(instance.Clouds) []float64 {
	return func(c instance.Clouds) []float64 {
		a, b := f(counts(c))
		m1, m2 := c.Means()
		gap := instance.Minus(m2, m1)
		var m mat.Dense
		m.Scale(a, c.Within())
		v := mat.NewVecDense(len(gap), gap)
		m.RankOne(&m, b, v, v)
		return even(c, &m)
	}
}

// averaged is S_1/N1 + S_2/N2 + b·S_B.
func averaged(f func(n1, n2, n float64) (b float64)) func(instance.Clouds) []float64 {
	return func(c instance.Clouds) []float64 {
		n1, n2, n := counts(c)
		m1, m2 := c.Means()
		var m, second mat.Dense
		m.Scale(1/n1, instance.Scatter(c.X1, m1))
		second.Scale(1/n2, instance.Scatter(c.X2, m2))
		m.Add(&m, &second)
		gap := mat.NewVecDense(len(m1), instance.Minus(m2, m1))
		m.RankOne(&m, f(n1, n2, n), gap, gap)
		return even(c, &m)
	}
}

// raw is Σxxᵀ + f·m mᵀ over all points.
func raw(f func(n float64) float64) func(instance.Clouds) []float64 {
	return func(c instance.Clouds) []float64 {
		all := c.All()
		var m mat.Dense
		m.Mul(all.T(), all)
		mean := mat.NewVecDense(len(instance.Mean(all)), instance.Mean(all))
		_, _, n := counts(c)
		m.RankOne(&m, f(n), mean, mean)
		return even(c, &m)
	}
}

var matrixMistakes = []learner.Mistake[instance.Clouds]{
	{Key: "within-only", Hint: 2, Value: withBetween(func(_, _, _ float64) (float64, float64) { return 1, 0 }),
		Message: "Your M is S_W alone. S_W⁻¹N(m1 − m2) has the right direction, but the equation (4.37) holds only with the second term; it changes the length of w."},
	{Key: "between-unweighted", Hint: 2, Value: withBetween(func(_, _, _ float64) (float64, float64) { return 1, 1 }),
		Message: "Your M is S_W + S_B: the factor N1N2/N before S_B is missing. It comes from the mean of all points, m = (N1m1 + N2m2)/N."},
	{Key: "wrong-factor", Hint: 2, Value: withBetween(func(n1, n2, n float64) (float64, float64) { return 1, n1 * n2 / (n * n) }),
		Message: "The factor before S_B is N1N2/N² in your M: one division by N too many."},
	{Key: "wrong-factor", Hint: 2, Value: withBetween(func(n1, n2, _ float64) (float64, float64) { return 1, n1 * n2 }),
		Message: "The factor before S_B is N1N2 in your M: the division by N is missing."},
	{Key: "wrong-factor", Hint: 2, Value: withBetween(func(_, _, n float64) (float64, float64) { return 1, n }),
		Message: "The factor before S_B is N in your M. For classes of different size it is a product of both numbers of points over N."},
	{Key: "wrong-factor", Hint: 2, Value: withBetween(func(n1, n2, n float64) (float64, float64) { return 1, n / (n1 * n2) }),
		Message: "The factor before S_B is N/(N1N2) in your M, upside down."},
	{Key: "wrong-factor", Hint: 2, Value: withBetween(func(n1, n2, n float64) (float64, float64) { return 1, n1*n1/n + n2*n2/n }),
		Message: "The factor before S_B is (N1² + N2²)/N in your M. Each class's distance from the common mean is set by the size of the other class."},
	{Key: "between-subtracted", Hint: 2, Value: withBetween(func(n1, n2, n float64) (float64, float64) { return 1, -n1 * n2 / n }),
		Message: "The term with S_B is subtracted in your M: check its sign. All of M is a sum of squares."},
	{Key: "between-only", Hint: 2, Value: withBetween(func(n1, n2, n float64) (float64, float64) { return 0, n1 * n2 / n }),
		Message: "Your M is the term with S_B alone: the scatter within the classes is missing, and M has no inverse."},
	{Key: "covariance", Hint: 2, Value: withBetween(func(n1, n2, n float64) (float64, float64) { return 1 / n, n1 * n2 / (n * n) }),
		Message: "Your M is (4.37) divided by N: the covariance of all points. It belongs to m1 − m2 on the right-hand side, without the N."},
	{Key: "within-divided", Hint: 2, Value: withBetween(func(n1, n2, n float64) (float64, float64) { return 1 / n, n1 * n2 / n }),
		Message: "In your M S_W is divided by N, as a covariance, and the term with S_B is not. S_W is here the plain sum over the points."},
	{Key: "covariances-summed", Hint: 2, Value: averaged(func(n1, n2, n float64) float64 { return n1 * n2 / n }),
		Message: "In your M the covariances of the two classes are added: the scatter of each class is divided by its number of points. S_W is here the plain sum over the points, in which a larger class weighs more."},
	{Key: "covariances-summed", Hint: 2, Value: averaged(func(_, _, _ float64) float64 { return 0 }),
		Message: "Your M is the sum of the covariances of the two classes. S_W is here the plain sum over the points, and the term with S_B is missing."},
	{Key: "not-centred", Hint: 2, Value: raw(func(float64) float64 { return 0 }),
		Message: "Your M is the sum of the xxᵀ: the normal equations without a bias. Inserting w0 = −wᵀm subtracts N·mmᵀ."},
	{Key: "plus-mean", Hint: 2, Value: raw(func(n float64) float64 { return n }),
		Message: "Your M is Σxxᵀ + N·mmᵀ. The sign of the second term is wrong (it is printed like that in one set of notes): w0 = −wᵀm brings a minus."},
}

// with is the direct least-squares solution (w0, w) for targets t1 and t2.
func with(f func(n1, n2, n float64) (t1, t2 float64)) func(instance.Clouds) []float64 {
	return func(c instance.Clouds) []float64 {
		t1, t2 := f(counts(c))
		return unlessRight(c, direct(c, targets(c, t1, t2)))
	}
}

// unlessRight is nil where a mistake makes no difference, as targets exchanged
// between classes of one size.
func unlessRight(c instance.Clouds, w []float64) []float64 {
	if floats.EqualApprox(w, direct(c, coded(c)), 1e-9) {
		return nil
	}
	return w
}

// biased has the right w and a bias made of wᵀm1, wᵀm2 and wᵀm.
func biased(f func(a1, a2, a float64) float64) func(instance.Clouds) []float64 {
	return func(c instance.Clouds) []float64 {
		w := direct(c, coded(c))
		m1, m2 := c.Means()
		w[0] = f(floats.Dot(w[1:], m1), floats.Dot(w[1:], m2), floats.Dot(w[1:], instance.Mean(c.All())))
		return unlessRight(c, w)
	}
}

var fitMistakes = []learner.Mistake[instance.Clouds]{
	{Key: "one-of-k", Hint: 1, Value: with(func(_, _, _ float64) (float64, float64) { return 1, 0 }),
		Message: "This is the least-squares solution for the targets 1 and 0, as in 1-of-K coding. The direction is the same, but length and bias are not: here the targets are N/N1 and −N/N2."},
	{Key: "plus-minus-one", Hint: 1, Value: with(func(_, _, _ float64) (float64, float64) { return 1, -1 }),
		Message: "This is the least-squares solution for the targets +1 and −1. The direction is the same, but length and bias are not: here the targets are N/N1 and −N/N2."},
	{Key: "targets-exchanged", Hint: 1, Value: with(func(n1, n2, n float64) (float64, float64) { return n / n2, -n / n1 }),
		Message: "The numbers of points are exchanged in your targets: class 1 has N/N1, so that the smaller class has the larger target."},
	{Key: "targets-upside-down", Hint: 1, Value: with(func(n1, n2, n float64) (float64, float64) { return n1 / n, -n2 / n }),
		Message: "Your targets are N1/N and −N2/N, upside down."},
	{Key: "both-positive", Hint: 1, Value: with(func(n1, n2, n float64) (float64, float64) { return n / n1, n / n2 }),
		Message: "Both of your targets are positive: the one of class 2 is −N/N2."},
	{Key: "classes-exchanged", Hint: 1, Value: with(func(n1, n2, n float64) (float64, float64) { return -n / n1, n / n2 }),
		Message: "All your signs are turned: class 1 has the positive target, N/N1. ((4.38) prints the direction m2 − m1; the solution of (4.37) is a positive multiple of S_W⁻¹(m1 − m2).)"},
	{Key: "without-n", Hint: 2, Value: with(func(n1, n2, _ float64) (float64, float64) { return 1 / n1, -1 / n2 }),
		Message: "This solves M·w = m1 − m2: the N on the right-hand side of (4.37) is missing. The targets would be 1/N1 and −1/N2."},
	{Key: "within-only", Hint: 2, Value: func(c instance.Clouds) []float64 {
		var v mat.VecDense
		right := rightHand(c)
		if v.SolveVec(c.Within(), mat.NewVecDense(len(right), right)) != nil {
			return nil
		}
		w := v.RawVector().Data
		return append([]float64{-floats.Dot(w, instance.Mean(c.All()))}, w...)
	}, Message: "Your w solves S_W·w = N(m1 − m2): the term with S_B is missing. The direction is that of the solution, the length is not."},
	{Key: "fisher-itself", Hint: 2, Value: func(c instance.Clouds) []float64 {
		var v mat.VecDense
		m1, m2 := c.Means()
		gap := instance.Minus(m1, m2)
		if v.SolveVec(c.Within(), mat.NewVecDense(len(gap), gap)) != nil {
			return nil
		}
		w := v.RawVector().Data
		return append([]float64{-floats.Dot(w, instance.Mean(c.All()))}, w...)
	}, Message: "Your w is S_W⁻¹(m1 − m2) itself. The direction is right; the least-squares solution has a length of its own, which (4.37) determines."},
	{Key: "no-bias", Hint: 2, Value: func(c instance.Clouds) []float64 {
		var w mat.Dense
		all := c.All()
		if w.Solve(all, coded(c)) != nil {
			return nil
		}
		return append([]float64{0}, mat.Col(nil, 0, &w)...)
	}, Message: "This is least squares without a bias."},
	{Key: "midpoint", Hint: 2, Value: biased(func(a1, a2, _ float64) float64 { return -(a1 + a2) / 2 }),
		Message: "Your w is right, and your w0 puts the boundary midway between the class means. Least squares puts it at the mean of all points, nearer to the larger class."},
	{Key: "bias-sign", Hint: 2, Value: biased(func(_, _, a float64) float64 { return a }),
		Message: "Your w is right, and your w0 is +wᵀm: the sign is turned."},
}
