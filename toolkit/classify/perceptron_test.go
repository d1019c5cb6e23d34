package classify_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func oraclePerceptron(t *testing.T, r *reference) {
	target := r.target()
	for name, rule := range map[string]classify.MistakeRule{"strict": classify.MistakeStrict,
		"step": classify.MistakeStep} {
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
		r.expect(name+"_updates", rows...)
		r.expect(name+"_mistakes", float64(m.Mistakes))
		r.expect(name+"_w", m.W...)
		r.expect(name+"_passes", float64(m.Epochs))
		r.expect(name+"_w_after", after...)
		// Novikoff's bound on the number of mistakes needs the margin of a separating plane. The
		// function Separable computes this plane with a different algorithm.
		s := must(classify.Separable(r.x, target))(t)
		margin := leastMargin(r.x, target, s.W) / floats.Norm(s.W, 2)
		n, d := r.x.Dims()
		radius := 0.0
		for i := range n {
			radius = math.Max(radius, math.Hypot(1, mat.Norm(r.x.Slice(i, i+1, 0, d), 2)))
		}
		bound := (radius / margin) * (radius / margin)
		errorIf(t, float64(m.Mistakes) > bound, "got %d mistakes, want at most Novikoff's bound %v", m.Mistakes, bound)
	}
}

// TestPerceptronTrace checks that Updates contains every update, and that each update adds ηtφ,
// with the t and φ of its row, to the weights.
func TestPerceptronTrace(t *testing.T) {
	x, labels := clouds(60, 3, 2, 4)
	target := targets(labels)
	const η, passes = 0.3, 12
	w := []float64{0.5, -1, 2, 0}
	m := must(classify.FitPerceptron(x, target,
		classify.PerceptronOptions{Rate: η, Start: slices.Clone(w), MaxEpochs: passes}))(t)
	next := 0
	for range passes { // apply the rule (4.55), with t = ±1 and φ = (1, x)
		for i := range 60 {
			φ, side := append([]float64{1}, x.RawRowView(i)...), 2*target[i]-1
			if floats.Dot(w, φ)*side > 0 {
				continue
			}
			floats.AddScaled(w, η*side, φ)
			if next >= len(m.Updates) || m.Updates[next].Row != i {
				t.Fatalf("update %d (of %d) is missing or has the wrong row, want row %d", next, len(m.Updates), i)
			}
			allClose(t, "w", m.Updates[next].W, w, 1e-13)
			errorIf(t, next > 0 && m.Updates[next].Epoch < m.Updates[next-1].Epoch, "update %d is of epoch %d, but the update before it is of epoch %d; want ascending epochs", next, m.Updates[next].Epoch, m.Updates[max(next-1, 0)].Epoch)
			next++
		}
	}
	allClose(t, "w at the end", m.W, w, 1e-13)
	errorIf(t, m.Mistakes != next || len(m.Updates) != next || m.Epochs != passes || m.Converged,
		"got %d mistakes and %d updates in %d passes, and Converged %v; want %d mistakes, an update for each mistake, %d passes and false", m.Mistakes, len(m.Updates), m.Epochs, m.Converged, next, passes)
	few := must(classify.FitPerceptron(x, target, classify.PerceptronOptions{MaxEpochs: passes, KeepUpdates: 3}))(t)
	none := must(classify.FitPerceptron(x, target, classify.PerceptronOptions{MaxEpochs: passes, KeepUpdates: -1}))(t)
	errorIf(t, len(few.Updates) != 3 || len(none.Updates) != 0 || !slices.Equal(few.W, none.W) ||
		few.Mistakes != none.Mistakes, "KeepUpdates 3 gives %d updates, the weights %v and %d mistakes, and KeepUpdates −1 gives %d, %v and %d; want 3 and 0 updates, and equal weights and mistakes", len(few.Updates), few.W, few.Mistakes, len(none.Updates), none.W, none.Mistakes)
	shuffled := func(seed uint64) []float64 {
		return must(classify.FitPerceptron(x, target,
			classify.PerceptronOptions{Shuffle: true, Seed: seed, MaxEpochs: 5}))(t).W
	}
	errorIf(t, slices.Equal(shuffled(1), shuffled(2)), "seeds 1 and 2 give the same weights, want different orders of the rows")
}

func TestPerceptronEdges(t *testing.T) {
	x, target := pointsOn(0, 1, 2), []float64{0, 0, 1}
	fit := func(x mat.Matrix, target []float64, o classify.PerceptronOptions) error {
		return errorOf(classify.FitPerceptron(x, target, o))
	}
	allFail(t, []failingCall{
		{"soft", fit(x, []float64{0, 0.5, 1}, classify.PerceptronOptions{}), []string{"t[1]"}},
		{"N = 1", fit(pointsOn(1), []float64{1}, classify.PerceptronOptions{}), []string{"single class"}},
		{"start", fit(x, target, classify.PerceptronOptions{Start: []float64{1}}), []string{"Start", "1 entries"}},
		{"overflow", fit(pointsOn(1e308, -1e308, 1e308), []float64{0, 1, 1}, classify.PerceptronOptions{}),
			[]string{"overflow"}},
		{"criterion", errorOf(classify.PerceptronCriterion(x, target, []float64{1})), []string{"w has 1"}},
	})
	for _, scale := range []float64{1e150, 1e-150} {
		m := must(classify.FitPerceptron(pointsOn(-scale, scale), []float64{0, 1}, classify.PerceptronOptions{}))(t)
		errorIf(t, !m.Converged, "scale %v: Converged is false, want true: %s", scale, m.Reason)
	}
	// The data have more columns than rows, one constant column, and one duplicated column.
	m := must(classify.FitPerceptron(mat.NewDense(2, 4, []float64{1, 5, 2, 2, -1, 5, 0, 0}), []float64{1, 0},
		classify.PerceptronOptions{}))(t)
	errorIf(t, !m.Converged || m.DegreesOfFreedom() != 5, "got Converged %v and %d degrees of freedom, want true and 5: %s", m.Converged, m.DegreesOfFreedom(), m.Reason)
}

// Each correction adds tφ of one misclassified pattern to the weights, with t = ±1 and φ = (1, x).
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

// TestAdalineUpdates computes two epochs step by step, and compares the result with the fit.
func TestAdalineUpdates(t *testing.T) {
	x, labels := clouds(30, 3, 2, 1)
	target := targets(labels)
	target[3] = 0.25 // a soft target t = ¼, which means 2t − 1 = −½
	o := classify.AdalineOptions{Rate: 0.02, Decay: 0.5, Start: []float64{1, 0, -1, 2}, MaxEpochs: 2}
	m := must(classify.FitAdaline(x, target, o))(t)
	w := slices.Clone(o.Start)
	for pass := range 2 {
		for i := range 30 {
			φ := append([]float64{1}, x.RawRowView(i)...)
			floats.AddScaled(w, 0.02/(1+0.5*float64(pass))*(2*target[i]-1-floats.Dot(w, φ)), φ)
		}
		allClose(t, "w", m.Trace[pass+1].W, w, 1e-13)
	}
	errorIf(t, m.Epochs != 2 || len(m.Trace) != 3 || !slices.Equal(m.W, m.Trace[2].W) || m.DegreesOfFreedom() != 4,
		"got %d epochs, %d steps in the trace, %d degrees of freedom and the W %v; want 2, 3, 4 and %v, the W of the last step", m.Epochs, len(m.Trace), m.DegreesOfFreedom(), m.W, m.Trace[2].W)
}

func TestAdalineEdges(t *testing.T) {
	x, target := pointsOn(0, 1, 2), []float64{0, 0, 1}
	fit := func(x mat.Matrix, target []float64, o classify.AdalineOptions) error {
		return errorOf(classify.FitAdaline(x, target, o))
	}
	allFail(t, []failingCall{
		{"start", fit(x, target, classify.AdalineOptions{Start: []float64{1, 2, 3}}), []string{"Start", "3 entries"}},
		{"huge", fit(pointsOn(1e200, -1e200), []float64{0, 1}, classify.AdalineOptions{}), []string{"standardise"}},
	})
	// The entries of the column are so small that its weight would be about 1e150. Adaline does not
	// learn this weight. This is not an error, but Excess is large.
	m := must(classify.FitAdaline(pointsOn(1e-150, -1e-150), []float64{0, 1}, classify.AdalineOptions{}))(t)
	errorIf(t, m.Converged || m.Excess < 0.9, "got Excess %v and Converged %v, want at least 0.9 and false: %s",
		m.Excess, m.Converged, m.Reason)
	// The data have more columns than rows, and the columns are dependent. The outputs can equal
	// the targets exactly.
	wide := mat.NewDense(2, 4, []float64{1, 5, 2, 2, -1, 5, 0, 0})
	m = must(classify.FitAdaline(wide, []float64{1, 0}, classify.AdalineOptions{}))(t)
	errorIf(t, !m.Converged || m.LeastE > 1e-20, "got LeastE %v and Converged %v, want at most 1e-20 and true: %s", m.LeastE, m.Converged, m.Reason)
}

func ExampleFitAdaline() {
	x := mat.NewDense(4, 1, []float64{-2, -1, 1, 2})
	m := toolkit.Must(classify.FitAdaline(x, []float64{0, 0, 1, 1}, classify.AdalineOptions{Decay: 1}))
	fmt.Println(m.Converged, m.Misclassified)
	fmt.Printf("%.1f, least squares %.1f\n", m.W[1], m.LeastSquares[1])
	// Output:
	// true 0
	// 0.6, least squares 0.6
}
