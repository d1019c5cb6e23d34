package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
)

// stepOf is the step f(a) of (4.53), as it is written.
func stepOf(a float64) float64 {
	if a >= 0 {
		return 1
	}
	return -1
}

// biasedRow is φ_n = (1, x_n).
func biasedRow(x mat.Matrix, n int) []float64 { return append([]float64{1}, mat.Row(nil, n, x)...) }

// signedLoss is −wᵀφt, the part of a row in the perceptron criterion.
func signedLoss(w, phi []float64, t float64) (e float64) {
	for j, v := range phi {
		e -= w[j] * v * t
	}
	return e
}

// stepValues returns the labels of the classes as the step's values, +1 for 0 and −1 for 1.
func stepValues(labels []int) (y []float64) {
	for _, k := range labels {
		y = append(y, 1-2*float64(k))
	}
	return y
}

func TestEquationsPerceptronFunction(t *testing.T) {
	equation.Check(t, "prml-4.52", func(r *rand.Rand) (left, right any) {
		x, target := overlapping(r, 20, 2)
		centres := normalMatrix(r, 3, 2)
		basis := must(classify.BasisGaussian(centres, 1.5))(t)
		m := must(classify.FitOnBasis(x, basis, func(phi mat.Matrix) (*classify.Perceptron, error) {
			return classify.FitPerceptron(phi, target, classify.PerceptronOptions{Start: normals(r, 4), MaxEpochs: 3})
		}))(t)
		y := make([]float64, 20)
		for n := range y {
			a := m.Model.W[0]
			for j := range 3 {
				far := math.Hypot(x.At(n, 0)-centres.At(j, 0), x.At(n, 1)-centres.At(j, 1))
				a += m.Model.W[j+1] * math.Exp(-far*far/4.5)
			}
			y[n] = stepOf(a)
		}
		return stepValues(must(m.Predict(x))(t)), y
	})
	// Whole numbers meet the boundary a = 0 exactly.
	equation.Check(t, "prml-4.53", func(r *rand.Rand) (left, right any) {
		whole := func() float64 { return float64(r.IntN(7) - 3) }
		m := &classify.Perceptron{W: []float64{whole(), whole(), 1}}
		x, y := mat.NewDense(50, 2, nil), make([]float64, 50)
		for n := range y {
			x.SetRow(n, []float64{whole(), whole()})
			y[n] = stepOf(m.W[0] + m.W[1]*x.At(n, 0) + x.At(n, 1))
		}
		return stepValues(must(m.Predict(x))(t)), y
	})
}

func TestEquationsPerceptronCriterion(t *testing.T) {
	equation.Check(t, "prml-4.54", func(r *rand.Rand) (left, right any) {
		n, d := 5+r.IntN(20), 1+r.IntN(4)
		x, target := overlapping(r, n, d)
		w, e := normals(r, d+1), 0.0
		for i := range n {
			phi, side := biasedRow(x, i), 2*target[i]-1
			if stepOf(-signedLoss(w, phi, 1)) != side { // i is in M
				e += signedLoss(w, phi, side)
			}
		}
		return must(classify.PerceptronCriterion(x, target, w))(t), e
	})
}

// corrections fits a perceptron to random rows and returns the weights before and
// after each correction, with its pattern φ and its side t.
func corrections(t *testing.T, r *rand.Rand, rate float64) (before, after, phi [][]float64, side []float64) {
	t.Helper()
	x, target := overlapping(r, 15, 2)
	w := normals(r, 3)
	m := must(classify.FitPerceptron(x, target, classify.PerceptronOptions{Rate: rate, Start: w, MaxEpochs: 2, Shuffle: true, Seed: r.Uint64()}))(t)
	for _, u := range m.Updates {
		before, after, phi = append(before, w), append(after, u.W), append(phi, biasedRow(x, u.Row))
		side = append(side, 2*target[u.Row]-1)
		w = u.W
	}
	return before, after, phi, side
}

func TestEquationsPerceptronStep(t *testing.T) {
	// The tolerance: a finite difference of the criterion.
	equation.CheckTo(t, "prml-4.55", 1e-8, func(r *rand.Rand) (left, right any) {
		rate := 0.1 + r.Float64()
		before, after, phi, side := corrections(t, r, rate)
		var moved, descent, added []float64
		for i, w := range before {
			// Both classes must have a row: the pattern in the other one is right, and adds 0.
			twice, target := mat.NewDense(2, 2, slices.Concat(phi[i][1:], phi[i][1:])), (1+side[i])/2
			loss := func(v []float64) float64 {
				return must(classify.PerceptronCriterion(twice, []float64{target, 1 - target}, v))(t)
			}
			far := signedLoss(w, phi[i], side[i]) > 0.02 // no kink within the difference
			g := slopes(loss, w)
			for j := range w {
				if far {
					moved, descent = append(moved, after[i][j]-w[j]), append(descent, -rate*g[j])
				}
				added = append(added, w[j]+rate*phi[i][j]*side[i])
			}
		}
		return []any{moved, slices.Concat(after...)}, []any{descent, added}
	})
	loss := func(r *rand.Rand) (now, then, less []float64) {
		before, after, phi, side := corrections(t, r, 1)
		for i, w := range before {
			square := 0.0
			for _, v := range phi[i] {
				square += v * v
			}
			now, then = append(now, signedLoss(w, phi[i], side[i])), append(then, signedLoss(after[i], phi[i], side[i]))
			less = append(less, now[i]-square)
		}
		return now, then, less
	}
	equation.Check(t, "prml-4.56", func(r *rand.Rand) (left, right any) {
		_, then, less := loss(r)
		return then, less
	})
	equation.Holds(t, "prml-4.56", func(r *rand.Rand) error {
		now, then, _ := loss(r)
		for i := range now {
			if !(then[i] < now[i]) {
				return fmt.Errorf("correction %d takes the part of its row from %v to %v", i, now[i], then[i])
			}
		}
		return nil
	})
}
