package ex03

import (
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"strings"
)

// A problem is one step of gradient descent.
type problem struct {
	name string
	W    *mat.Dense // (D+1)×K
	X    *mat.Dense // N×D
	R    *mat.Dense // N×K, 1-of-K
	eta  float64
}

func (p problem) String() string { return "“" + p.name + "”" }

// problems: D+1, K and N differ, so that a transposed factor does not fit.
func problems(r *rand.Rand) []problem {
	var out []problem
	for _, c := range []struct {
		name    string
		n, d, k int
		offset  float64
		eta     float64
	}{
		{"three inputs, three classes", 20, 3, 3, 0.5, 0.1},
		{"two inputs, four classes", 15, 2, 4, -1, 0.03},
		{"one input, two classes", 8, 1, 2, 0.3, 0.5},
		{"a single point", 1, 2, 3, 0, 0.2},
		{"five inputs far from 0, two classes", 12, 5, 2, 3, 0.01},
		{"fewer points than inputs and than classes", 2, 4, 3, 0, 1},
	} {
		p := problem{name: c.name, X: mat.NewDense(c.n, c.d, instance.Normals(r, c.n*c.d)), W: mat.NewDense(c.d+1, c.k, instance.Normals(r, (c.d+1)*c.k)), eta: c.eta}
		p.X.Apply(func(_, _ int, v float64) float64 { return v + c.offset }, p.X)
		p.W.Scale(0.5, p.W)
		labels := make([]int, c.n)
		for t := range labels {
			labels[t] = r.IntN(c.k)
			if c.k > 2 && labels[t] == 1 { // unequal classes
				labels[t] = r.IntN(c.k)
			}
		}
		p.R = instance.OneOfK(labels, c.k)
		out = append(out, p)
	}
	return out
}

// farSteps are steps for a single point whose scores lie far apart; half of each
// score comes from the bias.
func farSteps() []problem {
	var out []problem
	for i, a := range instance.Scores() {
		k := len(a)
		if k == 1 {
			continue
		}
		half := floats.ScaleTo(make([]float64, k), 0.5, a)
		out = append(out, problem{
			name: "a single point with the scores " + strings.TrimPrefix(scores(a).String(), "a = "), eta: 0.1,
			W: mat.NewDense(2, k, append(slices.Clone(half), half...)), X: mat.NewDense(1, 1, []float64{1}), R: instance.OneOfK([]int{i % k}, k),
		})
	}
	return out
}

// scores are the K scores of point t with the weights w.
func (p problem) scores(w *mat.Dense, t int) scores {
	a := slices.Clone(w.RawRowView(0))
	for j, v := range p.X.RawRowView(t) {
		floats.AddScaled(a, v, w.RawRowView(j+1))
	}
	return a
}

// err is the cross-entropy (10.31) with the weights w.
func (p problem) err(w *mat.Dense) float64 {
	e := 0.0
	for t := range p.R.RawMatrix().Rows {
		a := p.scores(w, t)
		e += kernel.LogSumExp(a) - floats.Dot(a, p.R.RawRowView(t))
	}
	return e
}

// change is −η times the gradient of E, whose derivatives with respect to the scores
// are taken by a complex step.
func (p problem) change() []float64 {
	return change(p.W, p.X, p.R, p.eta, func(a, r []float64) []float64 {
		const h = 1e-30
		top, out := floats.Max(a), make([]float64, len(a))
		for i := range a {
			sum := complex(0, 0)
			for k, v := range a {
				z := complex(v-top, 0)
				if k == i {
					z = complex(v-top, h)
				}
				sum += cmplx.Exp(z)
			}
			out[i] = r[i] - imag(cmplx.Log(sum))/h
		}
		return out
	})
}

func entries(m *mat.Dense) []float64 { return slices.Clone(m.RawMatrix().Data) }
