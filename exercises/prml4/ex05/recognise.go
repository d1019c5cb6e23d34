package ex05

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
)

// even are the entries of a D×D matrix with every row and column divided by the
// spread of its column of x, so that columns of any size count alike.
func even(c instance.Clouds, s *mat.Dense) []float64 {
	_, _, d := c.Dims()
	all := c.All()
	total := instance.Scatter(all, instance.Mean(all))
	out := make([]float64, 0, d*d)
	for i := range d {
		for j := range d {
			out = append(out, s.At(i, j)/math.Sqrt(total.At(i, i)*total.At(j, j)))
		}
	}
	return out
}

// outer is c·vvᵀ.
func outer(c float64, v []float64) *mat.Dense {
	u := mat.NewVecDense(len(v), v)
	var s mat.Dense
	s.Outer(c, u, u)
	return &s
}

// between is S_B of (4.27).
func between(c instance.Clouds) *mat.Dense {
	m1, m2 := c.Means()
	return outer(1, instance.Minus(m2, m1))
}

// sum is a·A + b·B.
func sum(a float64, A mat.Matrix, b float64, B mat.Matrix) *mat.Dense {
	var left, right mat.Dense
	left.Scale(a, A)
	right.Scale(b, B)
	left.Add(&left, &right)
	return &left
}

// scatters are the two classes' own scatter matrices.
func scatters(c instance.Clouds) (s1, s2 *mat.SymDense) {
	m1, m2 := c.Means()
	return instance.Scatter(c.X1, m1), instance.Scatter(c.X2, m2)
}

func counts(c instance.Clouds) (n1, n2, n float64) {
	a, b, _ := c.Dims()
	return float64(a), float64(b), float64(a + b)
}

type mistake = learner.Mistake[instance.Clouds]

// in wraps a matrix so that it compares with even(c, learner's).
func in(f func(c instance.Clouds) *mat.Dense) func(instance.Clouds) []float64 {
	return func(c instance.Clouds) []float64 { return even(c, f(c)) }
}

// keep sets the entries that are not kept to 0.
func keep(f func(c instance.Clouds) *mat.Dense, where func(i, j int) bool) func(instance.Clouds) []float64 {
	return func(c instance.Clouds) []float64 {
		if _, _, d := c.Dims(); d == 1 {
			return nil
		}
		s := f(c)
		s.Apply(func(i, j int, v float64) float64 {
			if where(i, j) {
				return v
			}
			return 0
		}, s)
		return even(c, s)
	}
}

func within(c instance.Clouds) *mat.Dense { return mat.DenseCopyOf(c.Within()) }

func diagonal(i, j int) bool { return i == j }
func upper(i, j int) bool    { return i <= j }
func lower(i, j int) bool    { return i >= j }

const oneTriangle = "One triangle is right and the other is 0: a *mat.Dense does not mirror it. Fill both, or use a mat.SymDense on the way."

var betweenMistakes = []mistake{
	{Key: "k-class", Hint: 2, Value: in(func(c instance.Clouds) *mat.Dense {
		n1, n2, n := counts(c)
		return sum(n1*n2/n, between(c), 0, between(c))
	}), Message: "This is the between-class matrix of the K-class form (4.46) for K = 2, Σ N_k(m_k − m)(m_k − m)ᵀ. It is (4.27) times N1N2/N: another convention, right in its place. In (4.25) the distance of the means is not weighted."},
	{Key: "k-class-unweighted", Hint: 2, Value: in(func(c instance.Clouds) *mat.Dense {
		n1, n2, n := counts(c)
		return sum((n1*n1+n2*n2)/(n*n), between(c), 0, between(c))
	}), Message: "This is Σ (m_k − m)(m_k − m)ᵀ with the mean m of all points. Here the two class means are compared with each other, not with m."},
	{Key: "midpoint", Hint: 2, Value: in(func(c instance.Clouds) *mat.Dense { return sum(0.5, between(c), 0, between(c)) }),
		Message: "This is half of (4.27), as it comes out when both class means are compared with the point midway between them. Here they are compared with each other."},
	{Key: "sb-unit", Hint: 2, Value: in(func(c instance.Clouds) *mat.Dense {
		m1, m2 := c.Means()
		d := floats.Distance(m1, m2, 2)
		return sum(1/(d*d), between(c), 0, between(c))
	}), Message: "The difference of the means was brought to length 1 first: how far apart they are is what (4.25) needs to know."},
	{Key: "swapped", Hint: 1, Value: in(within),
		Message: "Your S_B is S_W: the two results are in the wrong order."},
	{Key: "total", Hint: 2, Value: in(func(c instance.Clouds) *mat.Dense {
		all := c.All()
		return mat.DenseCopyOf(instance.Scatter(all, instance.Mean(all)))
	}), Message: "Your S_B is the scatter of all points about their common mean, the total S_T. S_B knows only the two class means."},
	{Key: "sum-of-means", Hint: 1, Value: in(func(c instance.Clouds) *mat.Dense {
		m1, m2 := c.Means()
		return outer(1, floats.AddTo(make([]float64, len(m1)), m1, m2))
	}), Message: "This is (m1 + m2)(m1 + m2)ᵀ: check the sign."},
	{Key: "difference-of-squares", Hint: 2, Value: in(func(c instance.Clouds) *mat.Dense {
		m1, m2 := c.Means()
		return sum(1, outer(1, m2), -1, outer(1, m1))
	}), Message: "This is m2m2ᵀ − m1m1ᵀ: (a − b)² is not a² − b². The mixed products m1m2ᵀ and m2m1ᵀ are missing."},
	{Key: "difference-of-squares", Hint: 2, Value: in(func(c instance.Clouds) *mat.Dense {
		m1, m2 := c.Means()
		return sum(1, outer(1, m2), 1, outer(1, m1))
	}), Message: "This is m1m1ᵀ + m2m2ᵀ: (a − b)² is not a² + b². The mixed products m1m2ᵀ and m2m1ᵀ are missing."},
	{Key: "diagonal-only", Hint: 3, Value: keep(between, diagonal),
		Message: "The diagonal of your S_B is right and all the rest is 0. The products of different entries of m2 − m1 belong to it too."},
	{Key: "one-triangle", Hint: 3, Value: keep(between, upper), Message: oneTriangle},
	{Key: "one-triangle", Hint: 3, Value: keep(between, lower), Message: oneTriangle},
}

var withinMistakes = []mistake{
	{Key: "divided-by-n", Hint: 2, Value: scaled(func(_, _, n float64) float64 { return 1 / n }),
		Message: "Your S_W is divided by N: a covariance, as in (4.78). The scatter matrix of (4.28), like the s_k² of (4.24), is a plain sum."},
	{Key: "divided-by-n", Hint: 2, Value: scaled(func(_, _, n float64) float64 { return 1 / (n - 1) }),
		Message: "Your S_W is divided by N−1. The scatter matrix of (4.28), like the s_k² of (4.24), is a plain sum."},
	{Key: "divided-by-n", Hint: 2, Value: scaled(func(_, _, n float64) float64 { return 1 / (n - 2) }),
		Message: "Your S_W is divided by N−2: the pooled covariance of statistics. The scatter matrix of (4.28), like the s_k² of (4.24), is a plain sum."},
	{Key: "class-covariances", Hint: 2, Value: in(func(c instance.Clouds) *mat.Dense {
		s1, s2 := scatters(c)
		n1, n2, _ := counts(c)
		return sum(1/n1, s1, 1/n2, s2)
	}), Message: "Your S_W is the sum of the two covariances, each divided by its own N_k. The scatter matrix of (4.28) is a plain sum over the points, so the larger class counts for more."},
	{Key: "class-covariances", Hint: 2, Value: in(func(c instance.Clouds) *mat.Dense {
		s1, s2 := scatters(c)
		n1, n2, _ := counts(c)
		return sum(1/(n1-1), s1, 1/(n2-1), s2)
	}), Message: "Your S_W is the sum of the two covariances, each divided by its own N_k − 1 (which stat.CovarianceMatrix does). The scatter matrix of (4.28) is a plain sum over the points, so the larger class counts for more."},
	{Key: "total", Hint: 2, Value: in(func(c instance.Clouds) *mat.Dense {
		all := c.All()
		return mat.DenseCopyOf(instance.Scatter(all, instance.Mean(all)))
	}), Message: "This is the total scatter S_T: all points about their common mean. It holds the distance between the classes as well. Each point is compared with the mean of its own class."},
	{Key: "swapped", Hint: 1, Value: in(between), Message: "Your S_W is S_B: the two results are in the wrong order."},
	{Key: "not-centred", Hint: 2, Value: in(func(c instance.Clouds) *mat.Dense {
		var s mat.Dense
		all := c.All()
		s.Mul(all.T(), all)
		return &s
	}), Message: "This is the sum of the xxᵀ: no mean is subtracted."},
	{Key: "one-class", Hint: 2, Value: in(func(c instance.Clouds) *mat.Dense { s, _ := scatters(c); return mat.DenseCopyOf(s) }),
		Message: "Only class 1 is in your S_W."},
	{Key: "one-class", Hint: 2, Value: in(func(c instance.Clouds) *mat.Dense { _, s := scatters(c); return mat.DenseCopyOf(s) }),
		Message: "Only class 2 is in your S_W. Does it replace the sum over class 1?"},
	{Key: "difference", Hint: 2, Value: in(func(c instance.Clouds) *mat.Dense { s1, s2 := scatters(c); return sum(1, s2, -1, s1) }),
		Message: "The scatter of class 1 is subtracted from that of class 2: (4.28) is a sum."},
	{Key: "means-exchanged", Hint: 3, Value: in(func(c instance.Clouds) *mat.Dense {
		m1, m2 := c.Means()
		return sum(1, instance.Scatter(c.X1, m2), 1, instance.Scatter(c.X2, m1))
	}), Message: "Each point is compared with the mean of the other class."},
	{Key: "last-point", Hint: 3, Value: in(func(c instance.Clouds) *mat.Dense {
		n1, n2, _ := c.Dims()
		m1, m2 := c.Means()
		return sum(1, outer(1, instance.Minus(c.X1.RawRowView(n1-1), m1)), 1, outer(1, instance.Minus(c.X2.RawRowView(n2-1), m2)))
	}), Message: "Only the last point of each class is in your S_W: each term replaces the one before. The terms of all points are added."},
	{Key: "diagonal-only", Hint: 3, Value: keep(within, diagonal),
		Message: "The diagonal of your S_W is right and all the rest is 0. The products of different columns belong to it too: they are the tilt of the clouds, which is what Fisher's idea is about."},
	{Key: "one-triangle", Hint: 3, Value: keep(within, upper), Message: oneTriangle},
	{Key: "one-triangle", Hint: 3, Value: keep(within, lower), Message: oneTriangle},
}

func scaled(f func(n1, n2, n float64) float64) func(instance.Clouds) []float64 {
	return in(func(c instance.Clouds) *mat.Dense { return sum(f(counts(c)), c.Within(), 0, c.Within()) })
}
