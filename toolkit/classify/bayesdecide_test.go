package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestModerationDecisions: with equal losses moderation changes no decision;
// with unequal ones it does, only between ½ and the threshold; a row with μ_a = 0
// is never changed; and it rejects more.
func TestModerationDecisions(t *testing.T) {
	x, target := drawn(20, 2, 3)
	m := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
	rng := rand.New(rand.NewPCG(1, 1))
	points := mat.NewDense(2000, 2, nil)
	points.Apply(func(_, _ int, _ float64) float64 { return 4 * rng.NormFloat64() }, points)
	equal := must(m.Moderation(points, classify.Decision{}))(t)
	if len(equal.Changed) != 0 || !slices.Equal(equal.PlugIn, equal.Moderated) || !slices.Equal(equal.PlugIn, must(m.Predict(points))(t)) {
		t.Errorf("equal losses: %d decisions changed", len(equal.Changed))
	}
	unequal := classify.Decision{Loss: mat.NewDense(2, 2, []float64{0, 1, 9, 0})} // C₁ from p = 0.9 on
	if th := must(unequal.Threshold())(t); math.Abs(th-0.9) > 1e-15 {
		t.Errorf("threshold %v", th)
	}
	mod := must(m.Moderation(points, unequal))(t)
	if len(mod.Changed) == 0 {
		t.Error("unequal losses: no decision changed")
	}
	plug := must(m.PosteriorBy(points, classify.PredictivePlugIn))(t)
	for _, i := range mod.Changed {
		if p := plug.At(i, 0); mod.PlugIn[i] != 0 || mod.Quadrature[i] != 1 || p < 0.9 {
			t.Errorf("row %d, p = %v: %d became %d", i, p, mod.PlugIn[i], mod.Quadrature[i])
		}
	}
	reject := must(m.Moderation(points, classify.Decision{Reject: 0.1}))(t)
	count := func(c []int) (n int) {
		for _, v := range c {
			if v == classify.Rejected {
				n++
			}
		}
		return n
	}
	if a, b := count(reject.PlugIn), count(reject.Quadrature); a >= b || b == 2000 {
		t.Errorf("%d rejected without and %d with moderation", a, b)
	}
	// On the plane μ_a = 0 all methods say ½, whatever σ_a.
	flat0 := &classify.BayesLogistic{W: []float64{0, 0}, Root: mat.NewDense(2, 2, []float64{1, 0, 0, 5})}
	for _, by := range []classify.PredictiveMethod{classify.PredictiveModerated, classify.PredictiveQuadrature, classify.PredictivePlugIn} {
		if p := must(flat0.PosteriorBy(mat.NewDense(1, 1, []float64{7}), by))(t); p.At(0, 0) != 0.5 {
			t.Errorf("method %d at μ_a = 0: %v", by, p.At(0, 0))
		}
	}
}

func TestDecide(t *testing.T) {
	p := mat.NewDense(3, 3, []float64{0.5, 0.3, 0.2, 0.34, 0.33, 0.33, 0.05, 0.05, 0.9})
	if c := must(classify.Decision{}.Decide(p))(t); !slices.Equal(c, []int{0, 0, 2}) {
		t.Errorf("%v", c)
	}
	if c := must(classify.Decision{Reject: 0.4}.Decide(p))(t); !slices.Equal(c, []int{classify.Rejected, classify.Rejected, 2}) {
		t.Errorf("%v", c)
	}
	// Mistaking class 2 for another costs 10: expected losses of row 0 are
	// 0.3+10·0.2, 0.5+10·0.2, 0.8.
	loss := mat.NewDense(3, 3, []float64{0, 1, 1, 1, 0, 1, 10, 10, 0})
	if c := must(classify.Decision{Loss: loss}.Decide(p))(t); !slices.Equal(c, []int{2, 2, 2}) {
		t.Errorf("%v", c)
	}
	for _, c := range []struct {
		d    classify.Decision
		p    mat.Matrix
		want []string
	}{
		{classify.Decision{Reject: -1}, p, []string{"Reject", "-1"}},
		{classify.Decision{Loss: mat.NewDense(2, 2, nil)}, p, []string{"2×2", "3×3"}},
		{classify.Decision{Loss: mat.NewDense(3, 3, []float64{0, 1, 1, 1, 0, math.NaN(), 1, 1, 0})}, p, []string{"Loss(1,2)", "NaN"}},
		{classify.Decision{}, mat.NewDense(1, 2, []float64{2, -1}), []string{"row 0", "probability"}},
		{classify.Decision{}, mat.NewDense(1, 2, []float64{0.2, 0.2}), []string{"row 0", "sums to 0.4"}},
		{classify.Decision{}, nil, []string{"nil"}},
	} {
		_, err := c.d.Decide(c.p)
		mentions(t, err, c.want...)
	}
	_, err := classify.Decision{Loss: mat.NewDense(2, 2, nil)}.Threshold()
	mentions(t, err, "does not depend")
}

func ExampleDecision() {
	posterior := mat.NewDense(3, 2, []float64{0.95, 0.05, 0.7, 0.3, 0.2, 0.8})
	// Missing C₂ costs ten times as much as a false alarm.
	costly := classify.Decision{Loss: mat.NewDense(2, 2, []float64{0, 1, 10, 0})}
	careful := classify.Decision{Reject: 0.25}
	fmt.Println(toolkit.Must(costly.Decide(posterior)), toolkit.Must(careful.Decide(posterior)))
	// Output: [0 1 1] [0 -2 1]
}
