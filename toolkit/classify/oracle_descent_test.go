package classify_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// oracleGradientDescent compares the iterates with those of the textbook's
// algorithms, step by step: Alpaydin's figures 10.6 and 10.8 and the sequential
// updates in file order, and 10.8's descent of the squared error of sigmoid outputs.
func oracleGradientDescent(t *testing.T, r *reference) {
	traces := map[string][]classify.Trace{
		"batch_w_%d": bookTrace(t, r, classify.GradientDescent{Rate: r.Eta, Every: 1}, 1000),
		"sgd_w_%d":   bookTrace(t, r, classify.Sequential{Rate: r.Eta, Every: 1}, 5),
		"sq_w_%d":    bookSquares(t, r),
	}
	for key := range r.Values {
		for form, outputs := range traces {
			var n int
			if _, err := fmt.Sscanf(key, form, &n); err != nil {
				continue
			}
			if w, ok := iterate(outputs, n); ok {
				r.is(key, w...)
			} else {
				t.Errorf("%s: the descent has no iteration %d", key, n)
			}
		}
	}
}

// iterate joins the weights of all outputs after n iterations. A descent that
// converged earlier has no such step.
func iterate(outputs []classify.Trace, n int) (w []float64, ok bool) {
	for _, trace := range outputs {
		if n >= len(trace) || trace[n].Iteration != n {
			return nil, false
		}
		w = append(w, trace[n].W...)
	}
	return w, true
}

// TestIterate: a trace that ends before the step asked for, or leaves steps out, is
// no panic.
func TestIterate(t *testing.T) {
	at := func(n ...int) (trace classify.Trace) {
		for _, i := range n {
			trace = append(trace, classify.Step{Iteration: i, W: []float64{float64(i)}})
		}
		return trace
	}
	if w, ok := iterate([]classify.Trace{at(0, 1, 2), at(0, 1)}, 1); !ok || len(w) != 2 || w[0] != 1 || w[1] != 1 {
		t.Errorf("%v, %v", w, ok)
	}
	for _, outputs := range [][]classify.Trace{{at(0, 1, 2), at(0, 1)}, {at(0, 1)}, {at(0, 2, 4)}, {nil}} {
		if w, ok := iterate(outputs, 2); ok {
			t.Errorf("iteration 2 of %v is %v", outputs, w)
		}
	}
}

// bookTrace fits from the case's start, with one or, for more than two classes,
// several activations.
func bookTrace(t *testing.T, r *reference, way classify.Solver, n int) []classify.Trace {
	t.Helper()
	start, k := must(r.Start())(t), r.k()
	if k == 2 {
		return []classify.Trace{must(classify.FitLogistic(r.x, r.target(), classify.LogisticOptions{Solver: way, Start: start, MaxIterations: n}))(t).Trace}
	}
	w := mat.DenseCopyOf(mat.NewDense(k, len(start)/k, start).T())
	return []classify.Trace{must(classify.FitSoftmax(r.x, r.labels(), k, classify.SoftmaxOptions{Solver: way, Start: w, MaxIterations: n}))(t).Trace}
}

// bookSquares compares the squared error at the start, and returns the traces of its
// descent, one for each output.
func bookSquares(t *testing.T, r *reference) (traces []classify.Trace) {
	t.Helper()
	start, labels, k := must(r.Start())(t), r.labels(), r.k()
	_, d := r.x.Dims()
	outputs := len(start) / (d + 1)
	hot := oneOfK(labels, k)
	var e float64
	var grad []float64
	for j := range outputs {
		o, w := must(classify.SigmoidObjective(r.x, mat.Col(nil, j, hot), nil))(t), start[j*(d+1):(j+1)*(d+1)]
		e += must(o.Value(w))(t)
		grad = append(grad, must(o.Gradient(w))(t)...)
	}
	r.is("sq_E", e)
	r.is("sq_grad", grad...)
	m := must(classify.FitSigmoidSquares(r.x, labels, k, classify.SigmoidSquaresOptions{
		Solver: classify.GradientDescent{Rate: r.EtaSq, Every: 1}, MaxIterations: 100,
		Start: mat.DenseCopyOf(mat.NewDense(outputs, d+1, start).T()),
	}))(t)
	for _, out := range m.Outputs {
		traces = append(traces, out.Trace)
	}
	return traces
}
