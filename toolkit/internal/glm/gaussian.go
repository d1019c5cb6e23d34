package glm

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Gaussian is a Gaussian prior in the form that the solvers use. Its precision is S0⁻¹ =
// rootᵀ·root.
type Gaussian struct {
	Mean []float64
	Root [][]float64 // the rows of the matrix `root`, with M numbers each
	Free bool        // true if the prior does not penalise the bias
	Each *Gaussian   // for a softmax, the prior of one class, if all classes have the same prior and its mean is 0
}

// Residual returns root·(w − m0). The penalty is half the squared length of the residual.
func (g *Gaussian) Residual(w []float64) []float64 {
	u := make([]float64, len(g.Root))
	for i, row := range g.Root {
		for j, v := range row {
			if v != 0 {
				u[i] += v * (w[j] - g.Mean[j])
			}
		}
	}
	return u
}

// Value returns ½(w−m0)ᵀS0⁻¹(w−m0), or 0 if g is nil.
func (g *Gaussian) Value(w []float64) float64 {
	if g == nil {
		return 0
	}
	u := g.Residual(w)
	return linalg.Dot(u, u) / 2
}

// AddGradient adds S0⁻¹(w−m0) to dst.
func (g *Gaussian) AddGradient(dst, w []float64) {
	if g == nil {
		return
	}
	for i, u := range g.Residual(w) {
		for j, v := range g.Root[i] {
			dst[j] += v * u
		}
	}
}

// precision returns element (i,j) of the precision S0⁻¹.
func (g *Gaussian) precision(i, j int) float64 {
	if g == nil {
		return 0
	}
	var s float64
	for _, row := range g.Root {
		s += row[i] * row[j]
	}
	return s
}

// AddPrecision adds S0⁻¹ to h.
func (g *Gaussian) AddPrecision(h *mat.SymDense) {
	if g != nil {
		AddSquares(h, g.Root)
	}
}

// AddSquares adds the matrix Σ rᵀr to h, where r runs over the given rows. It is fast for rows in
// which most numbers are zero.
func AddSquares(h *mat.SymDense, rows [][]float64) {
	for _, row := range rows {
		var at []int
		for i, v := range row {
			if v != 0 {
				at = append(at, i)
			}
		}
		for k, i := range at {
			for _, j := range at[k:] {
				h.SetSym(i, j, h.At(i, j)+row[i]*row[j])
			}
		}
	}
}

// Floors returns, for each input column, the largest absolute value in the corresponding column of
// the root. A fit scales each column by at least this number. In the scaled coordinates, no entry
// of these columns of the root is then above 1 in absolute value.
func (g *Gaussian) Floors(d int) []float64 {
	if g == nil {
		return nil
	}
	f := make([]float64, d)
	for _, row := range g.Root {
		for j := range f {
			f[j] = math.Max(f[j], math.Abs(row[j+1]))
		}
	}
	return f
}

// Proper returns the number of dimensions of the weight space in which the prior is a proper
// density.
func (g *Gaussian) Proper() int {
	if g == nil {
		return 0
	}
	return len(g.Root)
}

// LogDensity returns ln N(w|m0, S0), the log density of the penalised weights only.
func (g *Gaussian) LogDensity(w []float64) float64 {
	return g.LogNormalizer() - g.Value(w)
}

// LogNormalizer returns ½ ln|S0⁻¹| − (M/2) ln 2π, where M is the number of penalised weights.
func (g *Gaussian) LogNormalizer() float64 {
	if g == nil {
		return 0
	}
	return g.LogDet()/2 - float64(len(g.Root))/2*math.Log(2*math.Pi)
}

// LogDet returns ln|S0⁻¹| for the penalised weights. It assumes that the root is lower triangular,
// so that the last nonzero number of each row is the diagonal element.
func (g *Gaussian) LogDet() float64 {
	var s float64
	for _, row := range g.Root {
		for j := len(row) - 1; j >= 0; j-- {
			if row[j] != 0 {
				s += math.Log(math.Abs(row[j]))
				break
			}
		}
	}
	return 2 * s
}

// PrecisionMatrix returns the m×m matrix S0⁻¹, where m is the number of weights.
func (g *Gaussian) PrecisionMatrix(m int) *mat.SymDense {
	p := mat.NewSymDense(m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			p.SetSym(i, j, g.precision(i, j))
		}
	}
	return p
}

// Itself returns the posterior for no data, which is the prior. The results are a root of the
// covariance, the covariance S0, and ln|S0⁻¹|. The prior must be proper.
func (g *Gaussian) Itself() (root *mat.Dense, cov *mat.SymDense, logDet float64) {
	m := len(g.Mean)
	low := linalg.NewUpper(m) // transpose of the precision's root
	for i, row := range g.Root {
		for j := range i + 1 {
			low.Set(j, i, row[j])
		}
	}
	root = mat.DenseCopyOf(low.Inverse().T())
	cov = mat.NewSymDense(m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			cov.SetSym(i, j, linalg.Dot(root.RawRowView(i), root.RawRowView(j)))
		}
	}
	return root, cov, low.LogDet()
}

// Unpenalised considers the m weights of the first class. It returns the indices of the weights
// that the prior does not penalise.
func (g *Gaussian) Unpenalised(m int) []int {
	held := make([]bool, m)
	for _, row := range g.Root {
		for i, v := range row[:m] {
			held[i] = held[i] || v != 0
		}
	}
	var free []int
	for i, h := range held {
		if !h {
			free = append(free, i)
		}
	}
	return free
}

// Repeat returns a prior for the weights of k classes. It applies the given prior to the m weights
// of each class.
func (one *Gaussian) Repeat(m, k int) *Gaussian {
	g := &Gaussian{Free: one.Free}
	if linalg.Norm(one.Mean) == 0 {
		g.Each = one
	}
	for j := range k {
		g.Mean = append(g.Mean, one.Mean...)
		for _, r := range one.Root {
			row := make([]float64, m*k)
			copy(row[j*m:], r)
			g.Root = append(g.Root, row)
		}
	}
	return g
}

// Largest returns an upper bound on the largest eigenvalue of the precision: the largest row sum of
// absolute values.
func (g *Gaussian) Largest() float64 {
	if g == nil {
		return 0
	}
	var big float64
	diagonal, full := g.Matrix()
	for _, v := range diagonal {
		big = math.Max(big, v)
	}
	for _, row := range full {
		var s float64
		for _, v := range row {
			s += math.Abs(v)
		}
		big = math.Max(big, s)
	}
	return big
}

// Matrix returns only the diagonal of the precision if no row of the root has more than one nonzero
// number, because all other elements of the precision are then 0. Otherwise it returns the whole
// precision, row by row.
func (g *Gaussian) Matrix() (diagonal []float64, full [][]float64) {
	m := len(g.Mean)
	diagonal = make([]float64, m)
	for _, row := range g.Root {
		entries := 0
		for i, v := range row {
			if v != 0 {
				entries++
				diagonal[i] += v * v
			}
		}
		if entries > 1 {
			h := mat.NewSymDense(m, nil)
			g.AddPrecision(h)
			full = make([][]float64, m)
			for i := range full {
				full[i] = make([]float64, m)
				for j := range full[i] {
					full[i][j] = h.At(i, j)
				}
			}
			return nil, full
		}
	}
	return diagonal, nil
}
