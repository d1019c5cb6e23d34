package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
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
	_, d := src.Dims()
	n := src.Total()
	c := linalg.NewCoordinates(cols, nil)
	_, m := c.Design(src).Dims()
	g := block.Reduce(c.Design(src), 0, func() *block.Gram { return block.NewGram(m) },
		func(int) func(*block.Gram, *block.Block) { return (*block.Gram).Add }, (*block.Gram).Merge)
	std := make([]float64, d)
	for j := range std {
		mean := g.At(0, j+1) / n
		std[j] = math.Sqrt(g.At(j+1, j+1)/n-mean*mean) / c.Scale[j]
		if !(std[j] > 0) || cols.Min[j] == cols.Max[j] {
			std[j] = 1
		}
	}
	return std
}

// Coefficients returns W, w and w0 of class k for x as it is:
// a_k = xᵀWx + wᵀx + w0. Where the inputs lie far from 0 their sum loses digits
// that Scores keeps. A class that does not exist is an error.
func (m *QuadraticLogistic) Coefficients(k int) (w2 *mat.SymDense, w []float64, w0 float64, err error) {
	if k < 0 || k >= len(m.Quadratic) {
		return nil, nil, 0, failure("Coefficients", fmt.Errorf("class is %d: the classes are 0…%d", k, len(m.Quadratic)-1))
	}
	d := len(m.Mean)
	w2, w, w0 = mat.NewSymDense(d, nil), make([]float64, d), m.Bias[k]
	for i := range d {
		w[i] += m.Linear.At(i, k) / m.Std[i]
		w0 -= m.Linear.At(i, k) * (m.Mean[i] / m.Std[i])
		for j := range d {
			v := m.Quadratic[k].At(i, j) / m.Std[i] / m.Std[j]
			w2.SetSym(i, j, v)
			w[i] -= 2 * v * m.Mean[j]
			w0 += v * m.Mean[i] * m.Mean[j]
		}
	}
	return w2, w, w0, nil
}

// Scores returns the N×K activations a_k.
func (m *QuadraticLogistic) Scores(x mat.Matrix) (*mat.Dense, error) {
	if m == nil || m.Linear == nil {
		return nil, failure("QuadraticLogistic", errors.New("the model has no weights: make it with FitQuadraticLogistic"))
	}
	d, k := m.Linear.Dims()
	src, err := check.New(x, d)
	if err != nil {
		return nil, failure("QuadraticLogistic", err)
	}
	n, _ := src.Dims()
	q := &quadFeatures{src: src, mean: m.Mean, std: m.Std, linear: true}
	out, z := mat.NewDense(n, k, nil), make([]float64, d)
	for i := range n {
		q.MakeRow(z, i)
		row := out.RawRowView(i)
		for j := range row {
			row[j] = m.Bias[j]
			for a, v := range z {
				s := m.Linear.At(a, j) + m.Quadratic[j].At(a, a)*v
				for b := a + 1; b < d; b++ {
					s += 2 * m.Quadratic[j].At(a, b) * z[b]
				}
				row[j] += v * s
			}
			if math.IsNaN(row[j]) {
				return nil, failure("QuadraticLogistic", fmt.Errorf("the activation of row %d is not a number: it overflows, choose other units for x", i))
			}
		}
	}
	return out, nil
}

// Posterior returns the N×K probabilities p(C_k|x).
func (m *QuadraticLogistic) Posterior(x mat.Matrix) (*mat.Dense, error) {
	s, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	for i := range s.RawMatrix().Rows {
		row := s.RawRowView(i)
		kernels.Softmax(row, row)
	}
	return s, nil
}

// Predict returns the class with the largest activation for each row of x.
func (m *QuadraticLogistic) Predict(x mat.Matrix) ([]int, error) { return largestOf(m.Scores(x)) }

// DegreesOfFreedom returns the number of weights that the likelihood determines,
// (K−1)(1+D+R(R+1)/2) for matrices of rank R; shrinkage is not counted.
func (m *QuadraticLogistic) DegreesOfFreedom() int {
	r := m.MatrixRank
	return (len(m.Bias) - 1) * (1 + len(m.Mean) + r*(r+1)/2)
}

// Deviance returns −2 ln p(T|W).
func (m *QuadraticLogistic) Deviance() float64 { return -2 * m.LogLikelihood }

// AIC returns −2 ln p(T|W) + 2M with M the degrees of freedom.
func (m *QuadraticLogistic) AIC() float64 {
	return m.Deviance() + 2*float64(m.DegreesOfFreedom())
}

// BIC returns −2 ln p(T|W) + M ln N.
func (m *QuadraticLogistic) BIC() float64 {
	return m.Deviance() + float64(m.DegreesOfFreedom())*math.Log(sumOr(m.SumWeights, m.N))
}
