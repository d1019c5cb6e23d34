package solve

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// NewSoftmaxProblem converts a softmax likelihood and a prior to inner coordinates. A common shift
// of the vectors w_k of all classes does not change the likelihood. A common shift of weights that
// the prior does not penalise, for example of the biases, changes neither the likelihood nor the
// prior. The problem treats the directions of such shifts like dependent columns: it removes them
// from the steps and from the result.
func NewSoftmaxProblem(src *block.Source, cols *block.Columns, t *glm.ClassTargets, prior *glm.Gaussian) *Problem {
	n, d := src.Dims()
	m, k := d+1, t.K
	var floors []float64
	if prior != nil {
		floors = make([]float64, d)
		for _, row := range prior.Root {
			for i, v := range row {
				if j := i % m; j > 0 {
					floors[j-1] = math.Max(floors[j-1], math.Abs(v))
				}
			}
		}
	}
	c := linalg.NewCoordinates(cols, floors)
	design := c.Design(src)
	p := &Problem{Src: src, GLM: glm.NewSoftmax(design, t), Coord: c, Cols: cols, Prior: prior, Convex: true,
		Factor: prior != nil || n < someRows}
	if prior == nil {
		p.Rank = softmaxRank(linalg.RankOf(design, c), m, k)
		return p
	}
	// Every class has rows. The biases therefore stay finite even if the prior does not penalise
	// them.
	p.Proper = true
	for _, row := range prior.Root {
		p.Root = append(p.Root, c.Row(row))
	}
	if prior.Each != nil {
		p.Rank = softmaxRank(nil, m, k)
		p.Rank.Null = &mat.Dense{} // the prior determines the common shift of all weights except an unpenalised bias
		if prior.Free {
			p.Rank.Null = SharedShift(m, k, prior.Unpenalised(m)).Null
		}
		for l := range k - 1 {
			for _, row := range prior.Each.Root {
				r := make([]float64, m*(k-1))
				copy(r[l*m:], c.Row(row))
				p.FreeRoot = append(p.FreeRoot, r)
			}
		}
		return p
	}
	if prior.Free {
		p.Rank = SharedShift(m, k, prior.Unpenalised(m))
	}
	return p
}

// softmaxRank returns the Rank for K copies of a design matrix, without the common shift of all
// classes. If `base` is nil, the columns of the design matrix are independent.
func softmaxRank(base *linalg.Rank, m, k int) *linalg.Rank {
	if base == nil {
		base = &linalg.Rank{R: m, Free: mat.NewDense(m, m, nil)}
		base.Free.Apply(func(i, j int, _ float64) float64 { return Truth01(i == j) }, base.Free)
	}
	r := base.R
	out := &linalg.Rank{R: r * (k - 1), Free: mat.NewDense(m*k, r*(k-1), nil),
		Null: mat.NewDense(m*k, m*k-r*(k-1), nil), Dependent: base.Dependent}
	for i := range m { // the common shift of weight i in all classes
		for j := range k {
			out.Null.Set(j*m+i, i, 1/math.Sqrt(float64(k)))
		}
	}
	for l, h := range glm.Helmert(k) {
		for j, v := range h {
			for i := range m {
				for c := range r {
					out.Free.Set(j*m+i, l*r+c, v*base.Free.At(i, c))
				}
				for c := range m - r {
					out.Null.Set(j*m+i, m+l*(m-r)+c, v*base.Null.At(i, c))
				}
			}
		}
	}
	return out
}

// Truth01 returns 1 for true and 0 for false.
func Truth01(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// SharedShift returns the Rank of a problem in which a common shift of some weights in all classes
// has no effect. The argument `shifts` lists the indices of these weights within a class.
func SharedShift(m, k int, shifts []int) *linalg.Rank {
	s := len(shifts)
	out := &linalg.Rank{R: m*k - s, Free: mat.NewDense(m*k, m*k-s, nil), Null: mat.NewDense(m*k, s, nil)}
	c := 0
	for i := range m {
		at := slices.Index(shifts, i)
		for _, h := range basisOf(k, at >= 0) {
			for j, v := range h {
				out.Free.Set(j*m+i, c, v)
			}
			c++
		}
		for j := 0; j < k && at >= 0; j++ {
			out.Null.Set(j*m+i, at, 1/math.Sqrt(float64(k)))
		}
	}
	return out
}

// basisOf returns an orthonormal basis. If `zeroSum` is true, it spans all vectors of k numbers with
// the sum 0. Otherwise it consists of the k unit vectors.
func basisOf(k int, zeroSum bool) [][]float64 {
	if zeroSum {
		return glm.Helmert(k)
	}
	h := make([][]float64, k)
	for j := range h {
		h[j] = make([]float64, k)
		h[j][j] = 1
	}
	return h
}

// SoftmaxRoot returns B·Free·R⁻¹, a factor of the inverse Hessian for the weights w in the units of
// x. If the problem has a FreeRoot, the prior determines the common shifts of the weights that it
// penalises. In this case the factor has an additional column for each of these shifts.
func (p *Problem) SoftmaxRoot(q *Quadratic) *mat.Dense {
	f := p.Coord.Columns(p.Rank.EmbedColumns(q.inverse()))
	// The free coordinates exclude a common shift of all classes. If the inputs have an offset, B brings a part
	// of this shift back into the biases. Shortest removes this part.
	for j := range f.RawMatrix().Cols {
		f.SetCol(j, p.Rank.Shortest(mat.Col(nil, j, f)))
	}
	if p.FreeRoot == nil {
		return f
	}
	m, k := len(p.Coord.Scale)+1, p.GLM.Many.K
	for _, row := range p.Prior.Each.Root {
		i := slices.IndexFunc(row, func(v float64) bool { return v != 0 })
		shift := mat.NewDense(m*k, 1, nil)
		for j := range k {
			shift.Set(j*m+i, 0, 1/row[i]/math.Sqrt(float64(k)))
		}
		var all mat.Dense
		all.Augment(f, shift)
		f = &all
	}
	return f
}

// SoftmaxCovariance returns the inverse Hessian for the weights w in the units of x.
func (p *Problem) SoftmaxCovariance(q *Quadratic) *mat.SymDense {
	return linalg.Squared(p.SoftmaxRoot(q))
}
