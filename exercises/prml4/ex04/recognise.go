package ex04

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A misconception is a direction that a known mistake leads to.
type misconception struct {
	key       string
	hint      int
	direction func(c instance.Clouds) []float64
	message   string
}

// perColumn is a direction made of one number per column of both classes.
func perColumn(f func(x1, x2 []float64) float64) func(instance.Clouds) []float64 {
	return func(c instance.Clouds) []float64 {
		_, _, d := c.Dims()
		w := make([]float64, d)
		for j := range w {
			w[j] = f(mat.Col(nil, j, c.X1), mat.Col(nil, j, c.X2))
		}
		return w
	}
}

func mean(v []float64) float64 { return floats.Sum(v) / float64(len(v)) }

func median(v []float64) float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// overOneLess divides the sum by N−1, and by 1 for a single point.
func overOneLess(v []float64) float64 { return floats.Sum(v) / math.Max(1, float64(len(v)-1)) }

var misconceptions = []misconception{
	{"opposite", 1, perColumn(func(x1, x2 []float64) float64 { return mean(x1) - mean(x2) }),
		"Your w points from m2 to m1. There wᵀ(m2 − m1) is as small as it can be, a minimum. The line is the same, and if only the line mattered this would do; asked for is the maximum of the signed (4.22)."},
	{"fisher", 2, func(c instance.Clouds) []float64 {
		m1, m2 := c.Means()
		var w mat.VecDense
		gap := instance.Minus(m2, m1)
		if w.SolveVec(c.Within(), mat.NewVecDense(len(gap), gap)) != nil {
			return nil
		}
		return w.RawVector().Data
	}, "This is Fisher's direction S_W⁻¹(m2 − m1), (4.30). It maximises another criterion, in which the spread of the classes counts too. Here only the means do."},
	{"medians", 3, perColumn(func(x1, x2 []float64) float64 { return median(x2) - median(x1) }),
		"Your w joins the medians of the columns. m1 and m2 are the means (4.21)."},
	{"sum-of-means", 2, perColumn(func(x1, x2 []float64) float64 { return mean(x1) + mean(x2) }),
		"Your w is a multiple of m1 + m2: check the sign."},
	{"sums", 3, perColumn(func(x1, x2 []float64) float64 { return floats.Sum(x2) - floats.Sum(x1) }),
		"Your w joins the sums of the points of each class, or these sums divided by one common number. Each sum is to be divided by its own class's number of points."},
	{"wrong-counts", 3, perColumn(func(x1, x2 []float64) float64 {
		return floats.Sum(x2)/float64(len(x1)) - floats.Sum(x1)/float64(len(x2))
	}), "The sum of each class is divided by the number of points of the other."},
	{"n-minus-1", 3, perColumn(func(x1, x2 []float64) float64 { return overOneLess(x2) - overOneLess(x1) }),
		"The sums are divided by N−1. That belongs to a variance; a mean is divided by N."},
	{"one-class", 2, perColumn(func(_, x2 []float64) float64 { return mean(x2) }),
		"Your w is the direction of m2 alone. Seen from the origin, which is nothing special."},
	{"one-class", 2, perColumn(func(x1, _ []float64) float64 { return mean(x1) }),
		"Your w is the direction of m1 alone. Seen from the origin, which is nothing special."},
	{"from-total-mean", 2, perColumn(func(x1, x2 []float64) float64 {
		return mean(x2)*float64(len(x2)) + mean(x1)*float64(len(x1))
	}), "Your w is the direction of the mean of all points, which does not tell the classes apart."},
	{"first-points", 3, perColumn(func(x1, x2 []float64) float64 { return x2[0] - x1[0] }),
		"Your w joins the first points of the two classes. Does the loop over the rows end too early?"},
	{"standardised", 2, perColumn(func(x1, x2 []float64) float64 {
		return (mean(x2) - mean(x1)) / (scatter(x1) + scatter(x2))
	}), "Each column is divided by its own spread: Fisher's direction with a diagonal S_W. Here only the means count."},
	{"signs", 2, perColumn(func(x1, x2 []float64) float64 { return math.Copysign(1, mean(x2)-mean(x1)) }),
		"All entries of your w have the same size: only the signs of m2 − m1 are left. Under the constraint max |w_i| = 1 this would be the maximum; the constraint is wᵀw = 1."},
	{"largest-column", 2, func(c instance.Clouds) []float64 {
		m1, m2 := c.Means()
		w := instance.Minus(m2, m1)
		best := 0
		for j := range w {
			if math.Abs(w[j]) > math.Abs(w[best]) {
				best = j
			}
		}
		for j := range w {
			if j != best {
				w[j] = 0
			}
		}
		return w
	}, "Only the column with the largest difference of the means is used. Under the constraint Σ|w_i| = 1 this would be the maximum; the constraint is wᵀw = 1."},
	{"principal", 2, func(c instance.Clouds) []float64 {
		all := c.All()
		var e mat.EigenSym
		if !e.Factorize(instance.Scatter(all, instance.Mean(all)), true) {
			return nil
		}
		var v mat.Dense
		e.VectorsTo(&v) // eigenvalues rising
		_, d := v.Dims()
		return mat.Col(nil, d-1, &v)
	}, "This is the first principal component, the direction in which all points together vary most. It knows nothing of the classes."},
}

func scatter(v []float64) float64 {
	m, s := mean(v), 0.0
	for _, x := range v {
		s += (x - m) * (x - m)
	}
	return s
}

// eitherWay are the mistakes whose orientation is an accident.
var eitherWay = []string{"fisher", "medians", "principal", "standardised", "sums", "first-points", "signs", "largest-column"}

// recognise names the mistake behind directions of which not all are m2 − m1: it
// must explain the answer to every problem.
func recognise(clouds []instance.Clouds, answers [][]float64) (misconception, bool) {
	for _, m := range misconceptions {
		all := true
		for i, c := range clouds {
			all = all && explains(m, c, answers[i])
		}
		if all {
			return m, true
		}
	}
	return misconception{}, false
}

func explains(m misconception, c instance.Clouds, w []float64) bool {
	u := m.direction(c)
	tol := math.Max(1e-6, 1e3*c.Tol)
	if slices.Contains(eitherWay, m.key) {
		return u != nil && verify.Parallel(w, u, tol).OK
	}
	return u != nil && verify.SameDirection(w, u, tol).OK
}
