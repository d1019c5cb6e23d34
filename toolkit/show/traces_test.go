package show

import (
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestTraces(t *testing.T) {
	slow := classify.Trace{{W: []float64{0, 0}, E: 8, GradNorm: 1e3, Misclassified: 4}, {W: []float64{3, 4}, E: 4, GradNorm: 1, Misclassified: 2, Iteration: 10},
		{W: []float64{6, 8}, E: 2, GradNorm: 1e-3, Iteration: 100, HeldOut: 1}}
	quick := classify.Trace{{W: []float64{0, 0}, E: 8, GradNorm: 1e3}, {W: []float64{5, 12}, E: 1, GradNorm: 0}}
	all := []Quantity{QuantityTrainingError, QuantityGradientNorm, QuantityMisclassified, QuantityWeightNorm, QuantityHeldOutError}
	for _, logs := range []bool{false, true} {
		fig := must(Traces(TracesOptions{Quantities: all, LogIterations: logs}, Path{"slow", slow}, Path{"quick", quick}))(t)
		renders(t, fig)
		if fig.Len() != 5 {
			t.Fatalf("%d panels, want 5", fig.Len())
		}
		n := column(t, fig, "slow.iteration")
		if n[1] != 10 || n[2] != 100 || column(t, fig, "quick.iteration")[1] != 1 {
			t.Errorf("iterations %v", n)
		}
		if v := column(t, fig, "quick.norm"); v[1] != 13 {
			t.Errorf("the norm of (5, 12) is %v", v[1])
		}
		if v := column(t, fig, "slow.heldout"); v[2] != 1 {
			t.Errorf("held out: %v", v)
		}
		if _, ok := fig.Panel(1).Y.Tick.Marker.(exponentTicks); !ok {
			t.Error("a gradient from 1000 to 0.001 is not logarithmic")
		}
		if _, ok := fig.Panel(0).Y.Tick.Marker.(niceTicks); !ok {
			t.Error("an error from 8 to 1 is not linear")
		}
	}
	renders(t, must(Traces(TracesOptions{}, Path{"one", slow[:1]}))(t))
	fig := must(Trace(slow, TraceOptions{Quantities: []Quantity{QuantityWeightNorm, QuantityMisclassified}}))(t)
	renders(t, fig)
	if n := column(t, fig, "iteration"); fig.Len() != 2 || n[2] != 100 {
		t.Errorf("%d panels over the iterations %v", fig.Len(), n)
	}
}

func TestTracesErrors(t *testing.T) {
	ok := classify.Trace{{W: []float64{1}, E: 1}}
	refused(Traces(TracesOptions{}))(t, "show: Traces", "no trace")
	refused(Traces(TracesOptions{}, make([]Path, 7)...))(t, "7 traces")
	refused(Traces(TracesOptions{}, Path{Name: "p"}))(t, `"p" is empty`)
	refused(Traces(TracesOptions{Quantities: []Quantity{9}}, Path{"p", ok}))(t, "holds 9", "WeightNorm")
	refused(Traces(TracesOptions{}, Path{"p", classify.Trace{{E: 1}, {E: math.NaN()}}}))(t, `iteration 1 of "p"`, "NaN")
	refused(Trace(classify.Trace{{W: []float64{math.Inf(1)}}}, TraceOptions{Quantities: []Quantity{QuantityWeightNorm}}))(t, "norm = +Inf")
	refused(Trace(ok, TraceOptions{Quantities: []Quantity{-1}}))(t, "show: Trace", "holds -1")
}
