package instance

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Clouds contains the points of two classes, as the rows of X1 and X2.
type Clouds struct {
	Name   string
	X1, X2 *mat.Dense // N1×D and N2×D
	Tol    float64    // relative error that a check must allow in a result computed from these points
}

// String returns the name in quotation marks, for use in messages.
func (c Clouds) String() string { return "“" + c.Name + "”" }

// Dims returns the numbers of points N1 and N2 and the dimension D.
func (c Clouds) Dims() (n1, n2, d int) {
	n1, d = c.X1.Dims()
	n2, _ = c.X2.Dims()
	return n1, n2, d
}

// Copy returns copies of both matrices, which a caller can pass to a learner's function.
func (c Clouds) Copy() (x1, x2 *mat.Dense) { return mat.DenseCopyOf(c.X1), mat.DenseCopyOf(c.X2) }

// Means returns the two class means.
func (c Clouds) Means() (m1, m2 []float64) { return Mean(c.X1), Mean(c.X2) }

// Within returns the D×D within-class scatter S_W of PRML (4.28).
func (c Clouds) Within() *mat.SymDense {
	m1, m2 := c.Means()
	s := Scatter(c.X1, m1)
	s.AddSym(s, Scatter(c.X2, m2))
	return s
}

// All returns the points of both classes as one matrix. The rows of the first class come first.
func (c Clouds) All() *mat.Dense {
	var x mat.Dense
	x.Stack(c.X1, c.X2)
	return &x
}

// cloudRecipes describes clouds of at least D + 2 points, so that S_W has full rank. The clouds are
// tilted, so that S_W is not diagonal if D > 1. In most recipes the two classes have different
// numbers of points. The last two recipes have a larger tolerance, because formulas lose digits if
// the inputs are far from 0 or if the columns differ much in size.
var cloudRecipes = []struct {
	name   string
	n1, n2 int
	offset []float64 // D values
	scale  []float64 // D values
	tol    float64
}{
	{"tilted classes in the plane", 12, 20, []float64{1, -0.5}, []float64{1, 1}, 1e-9},
	{"three dimensions, unequal classes", 30, 6, []float64{0, 2, -1}, []float64{1, 0.5, 2}, 1e-9},
	{"one dimension", 5, 9, []float64{0.7}, []float64{2}, 1e-9},
	{"five dimensions, classes of equal size", 15, 15, []float64{0, 0, 1, 0, -2}, []float64{1, 1, 1, 1, 1}, 1e-9},
	{"a single point in the first class", 1, 12, []float64{0.5, 0}, []float64{1, 1}, 1e-9},
	{"inputs far from the origin", 10, 14, []float64{3e3, -1e3}, []float64{10, 10}, 1e-6},
	{"columns of very different size", 16, 11, []float64{0.02, -50}, []float64{1e-2, 1e2}, 1e-7},
}

// TwoClasses draws clouds for every recipe. If D > 1, the difference of the means has a random
// direction, which is not Fisher's direction. TwoClasses also returns changed copies of some clouds.
// In one copy, one-dimensional points are multiplied by −1, which swaps the sides of the classes. In
// another copy, the classes are exchanged, so that the second class has a single point. In the last
// two copies, the second class is moved: in one the means are very close together, in the other far apart.
func TwoClasses(r *rand.Rand) []Clouds {
	var out []Clouds
	for _, c := range cloudRecipes {
		d := len(c.offset)
		mix := mat.NewDense(d, d, Normals(r, d*d))
		for i := range d {
			mix.Set(i, i, mix.At(i, i)+2)
		}
		gap := Unit(r, d)
		floats.Scale(2, gap)
		draw := func(n int, shift float64) *mat.Dense {
			x := mat.NewDense(n, d, nil)
			for i := range n {
				var z mat.VecDense
				z.MulVec(mix, mat.NewVecDense(d, Normals(r, d)))
				for j := range d {
					x.Set(i, j, c.offset[j]+c.scale[j]*(z.AtVec(j)+shift*gap[j]))
				}
			}
			return x
		}
		out = append(out, Clouds{Name: c.name, X1: draw(c.n1, -1), X2: draw(c.n2, 1), Tol: c.tol})
	}
	for _, c := range out {
		switch n1, _, d := c.Dims(); {
		case d == 1:
			x1, x2 := c.Copy()
			x1.Scale(-1, x1)
			x2.Scale(-1, x2)
			out = append(out,
				Clouds{Name: "one dimension, mirrored about 0", X1: x1, X2: x2, Tol: c.Tol})
		case n1 == 1:
			x1, x2 := c.Copy()
			out = append(out, Clouds{Name: "a single point in the second class", X1: x2, X2: x1, Tol: c.Tol})
		}
	}
	return append(out, out[0].moveApart("means very close together", 1e-4), out[0].moveApart("classes far apart", 1e3))
}

// FewPoints draws pairs of classes. The two classes of a pair together have at most as many points as columns, so S_W
// is singular or 0.
func FewPoints(r *rand.Rand) []Clouds {
	draw := func(name string, n1, n2, d int) Clouds {
		x1, x2 := Normals(r, n1*d), Normals(r, n2*d)
		return Clouds{Name: name, Tol: 1e-9, X1: mat.NewDense(n1, d, x1), X2: mat.NewDense(n2, d, x2)}
	}
	return []Clouds{draw("two and three points in five dimensions", 2, 3, 5), draw("one point in each class", 1, 1, 3)}
}

// moveApart returns the clouds with the second class moved. The move multiplies the distance
// between the class means by `times`.
func (c Clouds) moveApart(name string, times float64) Clouds {
	x1, x2 := c.Copy()
	m1, m2 := c.Means()
	gap := Minus(m2, m1)
	x2.Apply(func(_, j int, v float64) float64 { return v + (times-1)*gap[j] }, x2)
	return Clouds{Name: name, X1: x1, X2: x2, Tol: math.Max(c.Tol, 1e-8)}
}
