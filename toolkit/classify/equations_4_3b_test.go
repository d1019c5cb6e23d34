package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// moments43 sums t, t² and the effective target z over both values of t, with the
// probabilities exp(−E) that the error function gives a row.
func moments43(p *problem43, n int) (mean, square, z, zSquare float64) {
	row := p.x.Slice(n, n+1, 0, len(p.w)-1)
	for _, t := range []float64{0, 1} {
		e := toolkit.Must(classify.LogisticObjective(row, []float64{t}, nil))
		probability := math.Exp(-toolkit.Must(e.Value(p.w)))
		p.t[n] = t
		step, _ := p.first()
		mean += probability * t
		square += probability * t * t
		z += probability * step.Z[n]
		zSquare += probability * step.Z[n] * step.Z[n]
	}
	return mean, square, z, zSquare
}

func TestEquations43Targets(t *testing.T) {
	equation.Check(t, "prml-4.101", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		n := 4 + r.IntN(4)
		mean, _, _, _ := moments43(p, n)
		return mean, p.y[n]
	})
	equation.Check(t, "prml-4.102", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		n := 4 + r.IntN(4)
		step, _ := p.first()
		mean, square, _, _ := moments43(p, n)
		return []float64{square - mean*mean, step.R[n]}, []float64{p.v[n], p.v[n]}
	})
	// z is the tangent of the inverse sigmoid at y, met at t; its mean is a and its
	// variance 1/R, not R: erratum P26.
	equation.CheckTo(t, "prml-4.103", 1e-6, func(r *rand.Rand) (left, right any) { // a derivative where it bends much
		p := newProblem43(r)
		n := 4 + r.IntN(4)
		step, _ := p.first()
		tangent := p.a[n] + slope(kernels.Logit, p.y[n])*(p.t[n]-p.y[n])
		_, _, z, square := moments43(p, n)
		return []float64{step.Z[n], z, square - z*z}, []float64{tangent, p.a[n], 1 / step.R[n]}
	})
}

// A problem434 is a problem of K classes, with a row of targets for each input.
type problem434 struct {
	x, phi, t, w *mat.Dense
	e            *classify.Objective
}

func newProblem434(r *rand.Rand) *problem434 {
	n, d, k := 6+r.IntN(5), 1+r.IntN(3), 2+r.IntN(3)
	p := &problem434{x: normalMatrix(r, n, d), t: mat.NewDense(n, k, nil), w: normalMatrix(r, d+1, k)}
	labels := make([]int, n)
	for i := range n {
		labels[i] = i % k
		p.t.Set(i, i%k, 1)
	}
	p.phi = withOnes(p.x)
	p.e = toolkit.Must(classify.SoftmaxObjective(p.x, labels, k, nil))
	return p
}

// stacked is W as one vector, class after class.
func stacked(w *mat.Dense) (v []float64) {
	_, k := w.Dims()
	for j := range k {
		v = append(v, mat.Col(nil, j, w)...)
	}
	return v
}

// outputs is y_nk of stacked weights, exponentials and their sum as they are written.
func (p *problem434) outputs(w []float64) *mat.Dense {
	n, k := p.t.Dims()
	_, m := p.phi.Dims()
	y := mat.NewDense(n, k, nil)
	for i := range n {
		var sum float64
		for j := range k {
			y.Set(i, j, math.Exp(timesVector(p.phi.Slice(i, i+1, 0, m), w[j*m:(j+1)*m])[0]))
			sum += y.At(i, j)
		}
		for j := range k {
			y.Set(i, j, y.At(i, j)/sum)
		}
	}
	return y
}

// crossEntropy is (4.108) written out.
func (p *problem434) crossEntropy(w []float64) (e float64) {
	y := p.outputs(w)
	n, k := y.Dims()
	for i := range n {
		for j := range k {
			e -= p.t.At(i, j) * math.Log(y.At(i, j))
		}
	}
	return e
}

// gradient is (4.109) for each class, one after the other.
func (p *problem434) gradient(w []float64) []float64 {
	var error, g mat.Dense
	error.Sub(p.outputs(w), p.t)
	g.Mul(p.phi.T(), &error)
	return stacked(&g)
}

func TestEquations43Softmax(t *testing.T) {
	equation.Check(t, "prml-4.104", func(r *rand.Rand) (left, right any) {
		p := newProblem434(r)
		return toolkit.Must((&classify.Softmax{W: p.w}).Posterior(p.x)), p.outputs(stacked(p.w))
	})
	equation.Check(t, "prml-4.105", func(r *rand.Rand) (left, right any) {
		p := newProblem434(r)
		var a mat.Dense
		a.Mul(p.phi, p.w)
		return toolkit.Must((&classify.Softmax{W: p.w}).Scores(p.x)), &a
	})
	equation.Check(t, "prml-4.106", func(r *rand.Rand) (left, right any) {
		k := 2 + r.IntN(4)
		a := normals(r, k)
		y := kernels.Softmax(nil, a)
		by, formula := mat.NewDense(k, k, nil), mat.NewDense(k, k, nil)
		for i := range k {
			by.SetRow(i, slopes(func(a []float64) float64 { return kernels.Softmax(nil, a)[i] }, a))
			for j := range k {
				formula.Set(i, j, y[i]*(truth(i == j)-y[j]))
			}
		}
		return by, formula
	})
	equation.Check(t, "prml-4.107", func(r *rand.Rand) (left, right any) {
		p, likelihood := newProblem434(r), 1.0
		w := stacked(p.w)
		y := p.outputs(w)
		n, k := y.Dims()
		for i := range n {
			for j := range k {
				likelihood *= math.Pow(y.At(i, j), p.t.At(i, j))
			}
		}
		return math.Exp(-toolkit.Must(p.e.Value(w))), likelihood
	})
	equation.Check(t, "prml-4.108", func(r *rand.Rand) (left, right any) {
		p := newProblem434(r)
		m := toolkit.Must(classify.FitSoftmaxTargets(p.x, p.t, classify.SoftmaxOptions{MaxIterations: 1}))
		return []float64{toolkit.Must(p.e.Value(stacked(p.w))), m.E}, []float64{p.crossEntropy(stacked(p.w)), p.crossEntropy(stacked(m.W))}
	})
	equation.CheckTo(t, "prml-4.109", byFive, func(r *rand.Rand) (left, right any) {
		p := newProblem434(r)
		w := stacked(p.w)
		g := toolkit.Must(p.e.Gradient(w))
		return []any{g, g}, []any{p.gradient(w), slopes(p.crossEntropy, w)}
	})
	equation.CheckTo(t, "prml-4.110", byFive, func(r *rand.Rand) (left, right any) { // with a plus: erratum P1
		p := newProblem434(r)
		w, rows := stacked(p.w), mat.NewDense(len(p.w.RawMatrix().Data), len(p.w.RawMatrix().Data), nil)
		y, blocks := p.outputs(w), mat.DenseCopyOf(rows)
		n, _ := y.Dims()
		_, m := p.phi.Dims()
		for i := range w {
			rows.SetRow(i, slopes(func(w []float64) float64 { return p.gradient(w)[i] }, w))
			for j := range w {
				var sum float64
				for row := range n {
					sum += y.At(row, i/m) * (truth(i/m == j/m) - y.At(row, j/m)) * p.phi.At(row, i%m) * p.phi.At(row, j%m)
				}
				blocks.Set(i, j, sum)
			}
		}
		h := toolkit.Must(p.e.Hessian(w))
		return []any{h, h}, []any{blocks, rows}
	})
	equation.Holds(t, "prml-4.110", func(r *rand.Rand) error { // semidefinite, M zeros: erratum P2
		p := newProblem434(r)
		var e mat.EigenSym
		if !e.Factorize(toolkit.Must(p.e.Hessian(stacked(p.w))), false) {
			return fmt.Errorf("no eigenvalues")
		}
		v := e.Values(nil)
		_, m := p.phi.Dims()
		if zero := 1e-10 * slices.Max(v); !(math.Abs(v[0]) < zero && math.Abs(v[m-1]) < zero && v[m] > zero) {
			return fmt.Errorf("M = %d, the eigenvalues are %v", m, v)
		}
		return nil
	})
}
