package show

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// A Quantity is a number of each step of a fit.
type Quantity int

// The quantities that [Trace] and [Traces] draw.
const (
	QuantityTrainingError Quantity = iota // the objective E
	QuantityGradientNorm                  // ‖∇E‖
	QuantityMisclassified                 // rows on the wrong side
	QuantityWeightNorm                    // ‖w‖
	QuantityHeldOutError                  // the error of the held-out rows
)

// quantities has for each its label and the name of its column.
var quantities = []struct{ label, name string }{
	{"error $E(\\mathbf{w})$", "E"},
	{"gradient $\\|\\nabla E\\|$", "gradient"},
	{"misclassified", "misclassified"},
	{"weights $\\|\\mathbf{w}\\|$", "norm"},
	{"held-out error", "heldout"},
}

// of returns the quantity of each step.
func (q Quantity) of(t classify.Trace) []float64 {
	out := make([]float64, len(t))
	for i, s := range t {
		switch q {
		case QuantityTrainingError:
			out[i] = s.E
		case QuantityGradientNorm:
			out[i] = s.GradNorm
		case QuantityMisclassified:
			out[i] = float64(s.Misclassified)
		case QuantityWeightNorm:
			out[i] = weightNorm(s.W)
		case QuantityHeldOutError:
			out[i] = s.HeldOut
		}
		out[i] = round9(out[i])
	}
	return out
}

// weightNorm returns ‖w‖ without overflow.
func weightNorm(w []float64) float64 {
	norm := 0.0
	for _, v := range w {
		norm = math.Hypot(norm, v)
	}
	return norm
}

// iterations returns the number of each step: those that the trace has if they
// rise, else 0, 1, 2 …
func iterations(t classify.Trace) []float64 {
	n, rise := make([]float64, len(t)), true
	for i, s := range t {
		n[i] = float64(s.Iteration)
		rise = rise && (i == 0 || n[i] > n[i-1])
	}
	if !rise {
		for i := range n {
			n[i] = float64(i)
		}
	}
	return n
}

func checkQuantities(q []Quantity, usual ...Quantity) ([]Quantity, error) {
	if len(q) == 0 {
		q = usual
	}
	for _, v := range q {
		if v < 0 || int(v) >= len(quantities) {
			return nil, fmt.Errorf("option Quantities holds %d; there are QuantityTrainingError, QuantityGradientNorm, QuantityMisclassified, QuantityWeightNorm and QuantityHeldOutError", v)
		}
	}
	return q, nil
}

func (q Quantity) ticks() plot.Ticker {
	if q == QuantityMisclassified {
		return countTicks{}
	}
	return nil
}
