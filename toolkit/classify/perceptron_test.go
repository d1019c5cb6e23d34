package classify_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func oraclePerceptron(t *testing.T, r *reference) {
	target := r.target()
	for name, rule := range map[string]classify.MistakeRule{"strict": classify.MistakeStrict, "step": classify.MistakeStep} {
		m := must(classify.FitPerceptron(r.x, target, classify.PerceptronOptions{Rule: rule}))(t)
		if !m.Converged || m.Misclassified != 0 {
			t.Fatal(m.Reason)
		}
		var rows, after []float64
		for i, u := range m.Updates {
			rows = append(rows, float64(u.Row))
			if i < 20 {
				after = append(after, u.W...)
			}
		}
		r.is(name+"_updates", rows...)
		r.is(name+"_mistakes", float64(m.Mistakes))
		r.is(name+"_w", m.W...)
		r.is(name+"_passes", float64(m.Epochs))
		r.is(name+"_w_after", after...)
		// Novikoff's bound, with the plane of another algorithm as certificate.
		s := must(classify.Separable(r.x, target))(t)
		margin := leastMargin(r.x, target, s.W) / floats.Norm(s.W, 2)
		n, d := r.x.Dims()
		radius := 0.0
		for i := range n {
			radius = math.Max(radius, math.Hypot(1, mat.Norm(r.x.Slice(i, i+1, 0, d), 2)))
		}
		if bound := (radius / margin) * (radius / margin); float64(m.Mistakes) > bound {
			t.Errorf("%d mistakes, the bound is %v", m.Mistakes, bound)
		}
	}
}

// naivePerceptron is (4.55) spelt out, with t = ±1 and φ = (1, x).
func naivePerceptron(x *mat.Dense, target, w []float64, η float64, passes int) (updates []int) {
	n, d := x.Dims()
	for range passes {
		for i := range n {
			t := 2*target[i] - 1
			a := w[0]
			for j := range d {
				a += w[j+1] * x.At(i, j)
			}
			if a*t <= 0 {
				updates = append(updates, i)
				w[0] += η * t
				for j := range d {
					w[j+1] += η * t * x.At(i, j)
				}
			}
		}
	}
	return updates
}

func updatedRows(m *classify.Perceptron) []int {
	var rows []int
	for _, u := range m.Updates {
		rows = append(rows, u.Row)
	}
	return rows
}

// TestPerceptronTrace: every update is kept, and each adds ηtφ of its row.
func TestPerceptronTrace(t *testing.T) {
	x, labels := clouds(60, 3, 2, 4)
	target := targets(labels)
	const η, passes = 0.3, 12
	w := []float64{0.5, -1, 2, 0}
	m := must(classify.FitPerceptron(x, target, classify.PerceptronOptions{Rate: η, Start: slices.Clone(w), MaxEpochs: passes}))(t)
	before := slices.Clone(w)
	want := naivePerceptron(x, target, w, η, passes)
	if !slices.Equal(updatedRows(m), want) || m.Mistakes != len(want) || m.Epochs != passes || m.Converged {
		t.Fatalf("%d updates in %d passes, want %d", len(m.Updates), m.Epochs, len(want))
	}
	for i := range w {
		geoNear(t, "w", m.W[i], w[i])
	}
	for i, u := range m.Updates {
		s := η * (2*target[u.Row] - 1)
		geoNear(t, "bias step", u.W[0]-before[0], s)
		for j := range 3 {
			geoNear(t, "step", u.W[j+1]-before[j+1], s*x.At(u.Row, j))
		}
		if i > 0 && u.Epoch < m.Updates[i-1].Epoch {
			t.Error("passes are out of order")
		}
		before = u.W
	}
	few := must(classify.FitPerceptron(x, target, classify.PerceptronOptions{MaxEpochs: passes, KeepUpdates: 3}))(t)
	none := must(classify.FitPerceptron(x, target, classify.PerceptronOptions{MaxEpochs: passes, KeepUpdates: -1}))(t)
	if len(few.Updates) != 3 || len(none.Updates) != 0 || !slices.Equal(few.W, none.W) || few.Mistakes != none.Mistakes {
		t.Errorf("%d and %d updates kept", len(few.Updates), len(none.Updates))
	}
}

// TestPerceptronRate: from a zero start η changes nothing but the scale of w;
// from another it changes the run, unless the start is scaled with it.
func TestPerceptronRate(t *testing.T) {
	x, labels := clouds(60, 2, 2, 5)
	x.Apply(func(i, j int, v float64) float64 { return v + 6*float64(labels[i]) }, x)
	target := targets(labels)
	fit := func(η float64, start []float64) *classify.Perceptron {
		return must(classify.FitPerceptron(x, target, classify.PerceptronOptions{Rate: η, Start: start}))(t)
	}
	one, half := fit(1, nil), fit(0.125, nil)
	if !one.Converged || !slices.Equal(updatedRows(one), updatedRows(half)) {
		t.Error("η changed the run from a zero start")
	}
	for i := range one.W {
		geoNear(t, "w", half.W[i], one.W[i]/8)
	}
	from, small := fit(1, []float64{3, 2, 1}), fit(0.125, []float64{3, 2, 1})
	scaled := fit(0.125, []float64{3. / 8, 2. / 8, 1. / 8})
	if slices.Equal(updatedRows(from), updatedRows(small)) || !slices.Equal(updatedRows(from), updatedRows(scaled)) {
		t.Error("η and a start that is not zero")
	}
}

// TestPerceptronRules: at w = 0 the step rule finds a pattern of C₁ right and one
// of C₂ wrong, the strict rule both wrong.
func TestPerceptronRules(t *testing.T) {
	x, target := pointsOn(1, -1, 2), []float64{1, 0, 1}
	strict := must(classify.FitPerceptron(x, target, classify.PerceptronOptions{}))(t)
	step := must(classify.FitPerceptron(x, target, classify.PerceptronOptions{Rule: classify.MistakeStep}))(t)
	if strict.Updates[0].Row != 0 || step.Updates[0].Row != 1 {
		t.Errorf("first updates %v and %v", updatedRows(strict), updatedRows(step))
	}
	for _, w := range [][]float64{{0, 0}, {-1, 1}} {
		// Boundary patterns add nothing to (4.54): by hand 0 and, at w = (−1, 1), 0.
		geoNear(t, "E_P", must(classify.PerceptronCriterion(x, target, w))(t), 0)
	}
	geoNear(t, "E_P", must(classify.PerceptronCriterion(x, target, []float64{0.5, -1}))(t), 0.5+1.5+1.5)
}

// TestPerceptronXOR: on data that are not separable w goes round, it does not
// grow. ‖w‖ never exceeded √3 in 99 999 updates of an independent run.
func TestPerceptronXOR(t *testing.T) {
	x := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1})
	m := must(classify.FitPerceptron(x, []float64{0, 1, 1, 0}, classify.PerceptronOptions{MaxEpochs: 30000, KeepUpdates: 200000}))(t)
	if m.Converged || m.Mistakes < 30000 || len(m.Updates) != m.Mistakes {
		t.Fatalf("%d mistakes: %s", m.Mistakes, m.Reason)
	}
	largest := 0.0
	for _, u := range m.Updates {
		largest = math.Max(largest, floats.Norm(u.W, 2))
	}
	if largest > 2.5 {
		t.Errorf("‖w‖ reached %v", largest)
	}
}

// TestPerceptronPocket: on overlapping classes the pocket is never worse than any
// w at the end of the plain run, and its count is right.
func TestPerceptronPocket(t *testing.T) {
	x, labels := clouds(200, 2, 2, 6)
	target := targets(labels)
	for seed := range uint64(5) {
		o := classify.PerceptronOptions{Shuffle: true, Seed: seed, MaxEpochs: 60}
		plain := must(classify.FitPerceptron(x, target, o))(t)
		o.Pocket = true
		pocket := must(classify.FitPerceptron(x, target, o))(t)
		if !reflect.DeepEqual(plain.Updates, pocket.Updates) {
			t.Error("the pocket changes the run")
		}
		wrong := misclassified(t, pocket, x, labels)
		if wrong != pocket.Misclassified || wrong > plain.Misclassified {
			t.Errorf("pocket %d (says %d), plain %d wrong", wrong, pocket.Misclassified, plain.Misclassified)
		}
	}
}

func TestPerceptronShuffle(t *testing.T) {
	x, labels := clouds(50, 3, 2, 7)
	fit := func(seed uint64) []int {
		return updatedRows(must(classify.FitPerceptron(x, targets(labels), classify.PerceptronOptions{Shuffle: true, Seed: seed, MaxEpochs: 5}))(t))
	}
	if !slices.Equal(fit(1), fit(1)) || slices.Equal(fit(1), fit(2)) {
		t.Error("the order does not follow the seed")
	}
}

func TestPerceptronEdges(t *testing.T) {
	x, target := pointsOn(0, 1, 2), []float64{0, 0, 1}
	fit := func(x mat.Matrix, target []float64, o classify.PerceptronOptions) error {
		return of(classify.FitPerceptron(x, target, o))
	}
	refused(t, []refusal{
		{"soft", fit(x, []float64{0, 0.5, 1}, classify.PerceptronOptions{}), []string{"t[1]"}},
		{"one class", fit(x, []float64{0, 0, 0}, classify.PerceptronOptions{}), []string{"single class"}},
		{"N = 1", fit(pointsOn(1), []float64{1}, classify.PerceptronOptions{}), []string{"single class"}},
		{"rate", fit(x, target, classify.PerceptronOptions{Rate: -1}), []string{"Rate", "-1"}},
		{"rate NaN", fit(x, target, classify.PerceptronOptions{Rate: math.NaN()}), []string{"Rate"}},
		{"passes", fit(x, target, classify.PerceptronOptions{MaxEpochs: -1}), []string{"MaxEpochs"}},
		{"rule", fit(x, target, classify.PerceptronOptions{Rule: 7}), []string{"Rule", "7"}},
		{"start", fit(x, target, classify.PerceptronOptions{Start: []float64{1}}), []string{"Start", "1 entries"}},
		{"overflow", fit(pointsOn(1e308, -1e308, 1e308), []float64{0, 1, 1}, classify.PerceptronOptions{}), []string{"overflow"}},
		{"criterion", of(classify.PerceptronCriterion(x, target, []float64{1})), []string{"w has 1"}},
	})
	for _, scale := range []float64{1e150, 1e-150} {
		m := must(classify.FitPerceptron(pointsOn(-scale, scale), []float64{0, 1}, classify.PerceptronOptions{}))(t)
		if !m.Converged {
			t.Errorf("scale %v: %s", scale, m.Reason)
		}
	}
	// More columns than rows, one constant, one twice.
	m := must(classify.FitPerceptron(mat.NewDense(2, 4, []float64{1, 5, 2, 2, -1, 5, 0, 0}), []float64{1, 0}, classify.PerceptronOptions{}))(t)
	if !m.Converged || m.DegreesOfFreedom() != 5 {
		t.Errorf("%s", m.Reason)
	}
}

// Each correction adds the feature vector of one misclassified pattern.
func ExampleFitPerceptron() {
	x := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1})
	or := []float64{0, 1, 1, 1}
	m := toolkit.Must(classify.FitPerceptron(x, or, classify.PerceptronOptions{}))
	for _, u := range m.Updates {
		fmt.Println(u.Row, u.W)
	}
	fmt.Println(m.Converged, m.Epochs)
	// Output:
	// 0 [-1 0 0]
	// 1 [0 0 1]
	// 2 [1 1 1]
	// 0 [0 1 1]
	// 0 [-1 1 1]
	// 1 [0 1 2]
	// 0 [-1 1 2]
	// 2 [0 2 2]
	// 0 [-1 2 2]
	// true 6
}
