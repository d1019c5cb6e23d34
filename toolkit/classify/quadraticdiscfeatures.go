package classify

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// quadFeatures are the inputs of a quadratic discriminant, made row by row: z, the
// standardised x, and the products of pairs of u = Uᵀz,
//
//	z_1 … z_D, then u_i² and √2·u_iu_j (i < j).
//
// With the √2 the squares of the product weights sum to ‖W‖² (Frobenius) of the
// symmetric matrix in uᵀWu. As a matrix it is N×(D + R(R+1)/2).
type quadFeatures struct {
	src       *block.Source
	mean, std []float64
	axes      *mat.Dense // U, D×R with orthonormal columns; nil is the identity
	linear    bool       // no products
}

var (
	_ mat.Matrix     = (*quadFeatures)(nil)
	_ block.RowMaker = (*quadFeatures)(nil)
)

// rank returns R.
func (q *quadFeatures) rank() int {
	_, d := q.src.Dims()
	if q.axes != nil {
		_, d = q.axes.Dims()
	}
	return d
}

func (q *quadFeatures) Dims() (n, c int) {
	n, d := q.src.Dims()
	if q.linear {
		return n, d
	}
	r := q.rank()
	return n, d + r*(r+1)/2
}

// At computes the whole row for one number: the fits use MakeRow.
func (q *quadFeatures) At(i, j int) float64 {
	_, c := q.Dims()
	row := make([]float64, c)
	q.MakeRow(row, i)
	return row[j]
}

func (q *quadFeatures) T() mat.Matrix { return mat.Transpose{Matrix: q} }

func (q *quadFeatures) MakeRow(dst []float64, i int) {
	_, d := q.src.Dims()
	var buf []float64
	if !q.src.InMemory() {
		buf = make([]float64, d)
	}
	x, _ := q.src.Rows(i, i+1, buf)
	z := dst[:d]
	for j := range z {
		// Halved first, because the difference of two finite numbers may overflow.
		z[j] = 2 * ((x[j]/2 - q.mean[j]/2) / q.std[j])
	}
	if q.linear {
		return
	}
	u := z
	if q.axes != nil {
		u = linalg.MulVecT(q.axes, z)
	}
	at := d
	for a, v := range u {
		dst[at] = v * v
		at++
		for _, w := range u[a+1:] {
			dst[at] = math.Sqrt2 * v * w
			at++
		}
	}
}

// symmetric returns W, D×D, from the weights of the products.
func (q *quadFeatures) symmetric(weights []float64) *mat.SymDense {
	r := q.rank()
	s := mat.NewSymDense(r, nil)
	at := 0
	for i := range r {
		s.SetSym(i, i, weights[at])
		at++
		for j := i + 1; j < r; j++ {
			s.SetSym(i, j, weights[at]/math.Sqrt2)
			at++
		}
	}
	if q.axes == nil {
		return s
	}
	var w mat.Dense
	w.Product(q.axes, s, q.axes.T())
	return linalg.Symmetrised(&w)
}

// spread returns the standard deviation of each column, 1 for a constant one.
func spread(src *block.Source, cols *block.Columns) []float64 {
	n, d := src.Dims()
	c := linalg.NewCoordinates(cols, nil)
	_, m := c.Design(src).Dims()
	g := block.Reduce(c.Design(src), 0, func() *block.Gram { return block.NewGram(m) },
		func(int) func(*block.Gram, *block.Block) { return (*block.Gram).Add }, (*block.Gram).Merge)
	std := make([]float64, d)
	for j := range std {
		mean := g.At(0, j+1) / float64(n)
		std[j] = math.Sqrt(g.At(j+1, j+1)/float64(n)-mean*mean) / c.Scale[j]
		if !(std[j] > 0) || cols.Min[j] == cols.Max[j] {
			std[j] = 1
		}
	}
	return std
}
