package solve

import (
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// walkRows are the rows of a problem one at a time, in the coordinates of w as
// given, with one activation per row or, for a softmax, K of them.
type walkRows struct {
	glm        *glm.Likelihood
	src        *block.Source
	n, k, m    int // rows, activations, weights of each
	x, buf     []float64
	t, tbuf    []float64
	a, d1, d2  []float64
	precision  []float64   // diagonal of S0⁻¹ if that is all of it
	full       [][]float64 // else S0⁻¹ by rows
	mean, pull []float64
}

func newWalkRows(p *Problem) *walkRows {
	src := p.GLM.Design.Source()
	n, d := src.Dims()
	q := &walkRows{glm: p.GLM, src: src, n: n, k: 1, m: d + 1, buf: make([]float64, d)}
	if p.GLM.Many != nil {
		q.k = p.GLM.Many.K
	}
	q.ownMemory()
	if p.Prior != nil {
		q.mean, q.pull = p.Prior.Mean, make([]float64, len(p.Prior.Mean))
		q.precision, q.full = p.Prior.Matrix()
	}
	return q
}

// ownMemory gives q memory for one row that is not shared with copies.
func (q *walkRows) ownMemory() {
	for _, v := range []*[]float64{&q.t, &q.tbuf, &q.a, &q.d1, &q.d2} {
		*v = make([]float64, q.k)
	}
}

// precisionAt returns element (i, j) of S0⁻¹.
func (q *walkRows) precisionAt(i, j int) float64 {
	switch {
	case q.full != nil:
		return q.full[i][j]
	case i == j:
		return q.precision[i]
	}
	return 0
}

// errors returns dE_i/da of row i at weights w, y−t times the row's weight.
func (q *walkRows) errors(i int, w []float64) []float64 {
	rows, _ := q.src.Rows(i, i+1, q.buf)
	q.x = rows[:q.m-1]
	for c := range q.k {
		w := w[c*q.m : (c+1)*q.m]
		a := w[0]
		for j, v := range q.x {
			a += w[j+1] * v
		}
		q.a[c] = a
	}
	return q.slopes(i)
}

// slopes returns dE_i/da from the activations.
func (q *walkRows) slopes(i int) []float64 {
	if q.glm.Many == nil {
		q.glm.Loss.Eval(q.a, q.glm.T[i:i+1], q.d1, q.d2)
		q.d1[0] *= q.src.Weights().At(i)
		return q.d1
	}
	q.glm.Many.T.Read(i, i+1, q.t, q.tbuf)
	kernels.Softmax(q.d1, q.a)
	for c, t := range q.t {
		q.d1[c] = (q.d1[c] - t) * q.src.Weights().At(i)
	}
	return q.d1
}

// add adds s_c·φ of the row that was read last to the weights of each class.
func (q *walkRows) add(w []float64, scale float64, s []float64) {
	for c, v := range s {
		v *= scale
		w := w[c*q.m : (c+1)*q.m]
		w[0] += v
		for j, x := range q.x {
			w[j+1] += v * x
		}
	}
}

// shrink adds scale·S0⁻¹(w−m0) to w.
func (q *walkRows) shrink(w []float64, scale float64) {
	switch {
	case q.precision != nil:
		for j, p := range q.precision {
			w[j] += scale * p * (w[j] - q.mean[j])
		}
	case q.full != nil:
		for i, row := range q.full {
			q.pull[i] = 0
			for j, p := range row {
				q.pull[i] += p * (w[j] - q.mean[j])
			}
		}
		for j, v := range q.pull {
			w[j] += scale * v
		}
	}
}

// steepest bounds the largest eigenvalue of ∇∇E_n over the rows, each with a share 1/N of the
// prior.
func (q *walkRows) steepest(p *Problem) float64 {
	var big float64
	for i := range q.n {
		rows, _ := q.src.Rows(i, i+1, q.buf)
		s := 1.0
		for _, v := range rows[:q.m-1] {
			s += v * v
		}
		big = max(big, s*q.src.Weights().At(i))
	}
	return q.glm.Curvature()*big + p.Prior.Largest()/float64(q.n)
}
