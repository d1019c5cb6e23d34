package ex20

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// A problem is a multiclass logistic regression at one point W. Weights in one
// vector are in the order by classes: entry c·M+a is weight a of class c.
type problem struct {
	name   string
	Phi    *mat.Dense // N×M
	W      *mat.Dense // M×K
	labels []int      // N, 0…K−1; the Hessian does not depend on them
}

func source(part uint64) *rand.Rand { return instance.Source(420, part) }

func draw(r *rand.Rand, name string, n, k int, centre, spread []float64) problem {
	p := problem{name: name, Phi: instance.Design(r, n, centre, spread), W: mat.NewDense(len(centre), k, nil), labels: make([]int, n)}
	for i := range n {
		p.labels[i] = r.IntN(k)
	}
	for c := range k {
		p.W.SetCol(c, instance.Weights(r, p.Phi, 1.2))
	}
	return p
}

// fullRank returns problems whose Φ has full column rank; in the first one every
// known mistake shows, and the two orders of the weights differ.
func fullRank(r *rand.Rand) []problem {
	origin := draw(r, "W = 0", 15, 3, []float64{1, 0}, []float64{0, 1})
	origin.W.Zero()
	return []problem{
		draw(r, "forty points, three weights, four classes", 40, 4, []float64{1, 0, 0.5}, []float64{0, 1, 1}),
		draw(r, "as many weights as classes", 25, 3, []float64{1, 0, 0}, []float64{0, 1, 1}),
		draw(r, "one weight", 12, 4, []float64{0.4}, []float64{1}),
		draw(r, "a single point, one weight", 1, 3, []float64{1}, []float64{0.3}),
		draw(r, "columns of very different size", 30, 3, []float64{1, 0, 1e4}, []float64{0, 1e-2, 5e3}),
		origin,
	}
}

func (p problem) dims() (n, m, k int) {
	n, m = p.Phi.Dims()
	_, k = p.W.Dims()
	return n, m, k
}

// vector is W in one vector, in the order by classes.
func (p problem) vector() []float64 {
	_, m, k := p.dims()
	out := make([]float64, 0, m*k)
	for c := range k {
		out = append(out, mat.Col(nil, c, p.W)...)
	}
	return out
}

// activations is ΦW for weights in one vector, N rows of K.
func (p problem) activations(w []float64) [][]float64 {
	n, m, k := p.dims()
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, k)
		for c := range k {
			out[i][c] = floats.Dot(p.Phi.RawRowView(i), w[c*m:(c+1)*m])
		}
	}
	return out
}

// err is the cross-entropy (4.108).
func (p problem) err(w []float64) float64 {
	e := 0.0
	for i, a := range p.activations(w) {
		e += kernel.LogSumExp(a) - a[p.labels[i]]
	}
	return e
}

// gradient is (4.109) for all classes, in one vector.
func (p problem) gradient(w []float64) []float64 {
	_, m, k := p.dims()
	g := make([]float64, m*k)
	for i, a := range p.activations(w) {
		y := kernel.Softmax(a)
		y[p.labels[i]]--
		for c := range k {
			floats.AddScaled(g[c*m:(c+1)*m], y[c], p.Phi.RawRowView(i))
		}
	}
	return g
}

// blocks is the matrix with blocks Σ_n r(n's activations, j, k) φφᵀ: the form of
// the Hessian and of most mistakes in it.
func (p problem) blocks(r func(a, y []float64, j, k int) float64) *mat.Dense {
	a := p.activations(p.vector())
	y := make([][]float64, len(a))
	for i := range a {
		y[i] = kernel.Softmax(a[i])
	}
	return p.blocksOf(a, y, r)
}

// blocksOf is blocks for other activations or outputs.
func (p problem) blocksOf(activations, outputs [][]float64, r func(a, y []float64, j, k int) float64) *mat.Dense {
	_, m, k := p.dims()
	h := mat.NewDense(m*k, m*k, nil)
	for i, a := range activations {
		y, row := outputs[i], mat.NewVecDense(m, p.Phi.RawRowView(i))
		for j := range k {
			for l := range k {
				block := h.Slice(j*m, (j+1)*m, l*m, (l+1)*m).(*mat.Dense)
				block.RankOne(block, r(a, y, j, l), row, row)
			}
		}
	}
	return h
}

// right is the Hessian.
func (p problem) right() *mat.Dense {
	return p.blocks(func(_, y []float64, j, k int) float64 {
		if j == k {
			rest := 0.0 // 1 − y_k, with all its digits
			for i, v := range y {
				if i != k {
					rest += v
				}
			}
			return y[k] * rest
		}
		return -y[j] * y[k]
	})
}

// sizes is the size of the column of Φ that belongs to each entry of the vector of
// weights.
func (p problem) sizes() []float64 {
	_, _, k := p.dims()
	var out []float64
	for range k {
		out = append(out, instance.Sizes(p.Phi)...)
	}
	return out
}

// even is h for columns of Φ brought to size 1, so that one tolerance serves all
// entries.
func (p problem) even(h *mat.Dense) *mat.Dense {
	s := p.sizes()
	var out mat.Dense
	out.Apply(func(i, j int, v float64) float64 { return v / s[i] / s[j] }, h)
	return &out
}
