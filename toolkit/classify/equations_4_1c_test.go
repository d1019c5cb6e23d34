package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
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

// A correction of a perceptron by a pattern φ of the side t, with the criterion (4.54) of
// all rows and the pattern's own part E_n in it: the whole less the other rows' part.
type correction struct {
	before, after, phi []float64
	side               float64
	criterion, own     func(w []float64) float64
}

// corrections fits a perceptron to random rows, most of which are wrong at first.
func corrections(t *testing.T, r *rand.Rand, rate float64) (list []correction) {
	t.Helper()
	x, target := overlapping(r, 15, 2)
	w := normals(r, 3)
	m := must(classify.FitPerceptron(x, target, classify.PerceptronOptions{Rate: rate, Start: w, MaxEpochs: 2, Shuffle: true, Seed: r.Uint64()}))(t)
	for _, u := range m.Updates {
		others, otherTargets := mat.DenseCopyOf(x), slices.Clone(target) // the last row takes the place of φ
		others.SetRow(u.Row, x.RawRowView(14))
		otherTargets[u.Row] = target[14]
		criterion := func(w []float64) float64 { return must(classify.PerceptronCriterion(x, target, w))(t) }
		own := func(w []float64) float64 {
			return criterion(w) - must(classify.PerceptronCriterion(others.Slice(0, 14, 0, 2), otherTargets[:14], w))(t)
		}
		list = append(list, correction{w, u.W, biasedRow(x, u.Row), 2*target[u.Row] - 1, criterion, own})
		w = u.W
	}
	return list
}

// smooth reports whether the pattern is so far on the wrong side that a finite difference
// of its part meets no kink.
func (c correction) smooth() bool { return signedLoss(c.before, c.phi, c.side) > 0.02 }

func TestEquationsPerceptronStep(t *testing.T) {
	// The tolerance: a finite difference of the criterion.
	equation.CheckTo(t, "prml-4.55", 1e-8, func(r *rand.Rand) (left, right any) {
		rate := 0.1 + r.Float64()
		var moved, descent, after, added []float64
		for _, c := range corrections(t, r, rate) {
			if c.smooth() {
				moved = append(moved, differenceOf(c.after, c.before, 1)...)
				descent = append(descent, differenceOf(make([]float64, 3), slopes(c.own, c.before), rate)...)
			}
			for j, w := range c.before {
				after, added = append(after, c.after[j]), append(added, w+rate*c.phi[j]*c.side)
			}
		}
		return []any{moved, after}, []any{descent, added}
	})
	// Printed is the step down the gradient of (4.54), the sum over all wrong patterns.
	equation.Misprint(t, "P39", func(r *rand.Rand) equation.Reading {
		rate, list := 0.1+r.Float64(), []correction{}
		for len(list) == 0 || !list[0].smooth() {
			list = corrections(t, r, rate)
		}
		c := list[0]
		return equation.Reading{
			True:    differenceOf(c.after, c.before, 1),
			Printed: differenceOf(make([]float64, 3), slopes(c.criterion, c.before), rate),
			Right:   differenceOf(make([]float64, 3), slopes(c.own, c.before), rate),
		}
	})
	loss := func(r *rand.Rand) (now, then, less []float64) {
		for _, c := range corrections(t, r, 1) {
			before := signedLoss(c.before, c.phi, c.side)
			now, then = append(now, before), append(then, signedLoss(c.after, c.phi, c.side))
			less = append(less, before-floats.Dot(c.phi, c.phi))
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
