package ex04

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// A problem is a softmax of two classes.
type problem struct {
	name   string
	w1, w2 []float64 // D+1, bias first
	scale  []float64 // typical size of the D inputs
	tol    float64   // of a posterior: what the cancellation of large weights leaves
}

func source(part uint64) *rand.Rand { return instance.Source(1004, part) }

// problems: weights such that the log odds are a few units in size, whatever the
// scale of the inputs; common is what both weight vectors share beside it.
func problems(r *rand.Rand) []problem {
	var out []problem
	for _, c := range []struct {
		name   string
		scale  []float64
		common float64
		tol    float64
	}{
		{"two inputs", []float64{1, 1}, 1, 1e-11},
		{"one input", []float64{2}, 1, 1e-11},
		{"five inputs", []float64{1, 1, 1, 1, 1}, 0.5, 1e-11},
		{"biases only (D = 0)", nil, 1, 1e-11},
		{"inputs of very different size", []float64{1e-3, 1, 1e4}, 1, 1e-11},
		{"large weights that differ by little", []float64{1, 1, 1}, 1e4, 1e-8},
	} {
		d := len(c.scale)
		p := problem{name: c.name, scale: c.scale, tol: c.tol, w1: make([]float64, d+1), w2: make([]float64, d+1)}
		drawWeights := func() {
			for j := range d + 1 {
				size := 1.0
				if j > 0 {
					size = 1 / c.scale[j-1]
				}
				both := c.common * r.NormFloat64()
				p.w1[j] = size * (both + 0.7*r.NormFloat64())
				p.w2[j] = size * (both + 0.7*r.NormFloat64())
			}
		}
		drawWeights()
		for instance.Again(func() bool { return d == 0 || bothSigns(p) }) {
			drawWeights()
		}
		out = append(out, p)
	}
	return out
}

// bothSigns tells whether w1 − w2 has entries of either sign: else a difference
// taken the wrong way round could pass for one without signs.
func bothSigns(p problem) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for j := range p.w1 {
		low, high = math.Min(low, p.w1[j]-p.w2[j]), math.Max(high, p.w1[j]-p.w2[j])
	}
	return low < 0 && high > 0
}

// inputs returns n points x̃ = (1, x) of the problem's scale.
func (p problem) inputs(r *rand.Rand, n int) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		x := []float64{1}
		for _, s := range p.scale {
			x = append(x, s*r.NormFloat64())
		}
		out[i] = x
	}
	return out
}

// posterior is the first of the two softmax outputs at x̃.
func posterior(w1, w2, x []float64) float64 {
	return kernel.Softmax([]float64{floats.Dot(w1, x), floats.Dot(w2, x)})[0]
}

// odds is the ratio of both outputs, ln(y1/y2), a second route to compare with.
func odds(w1, w2, x []float64) float64 {
	y := kernel.Softmax([]float64{floats.Dot(w1, x), floats.Dot(w2, x)})
	return math.Log(y[0] / y[1])
}

// even brings weights to units of 1/scale, where entries compare.
func (p problem) even(w []float64) []float64 {
	out := append([]float64(nil), w...)
	for j, s := range p.scale {
		out[j+1] *= s
	}
	return out
}
