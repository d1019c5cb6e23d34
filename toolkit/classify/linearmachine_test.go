package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// randomMachine returns K random discriminants of D inputs.
func randomMachine(t *testing.T, d, k int, seed uint64) *classify.LinearMachine {
	rng := rand.New(rand.NewPCG(seed, 5))
	w := mat.NewDense(d+1, k, nil)
	w.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, w)
	return must(classify.NewLinearMachine(w))(t)
}

// TestLinearMachineConvex: every point between two points of a region is in it
// (4.11, 4.12).
func TestLinearMachineConvex(t *testing.T) {
	m := randomMachine(t, 3, 5, 1)
	x, _ := clouds(400, 3, 2, 7)
	class := must(m.Predict(x))(t)
	for i := range 400 {
		for j := range 20 {
			if class[i] != class[j] {
				continue
			}
			y := mat.NewDense(4, 3, nil)
			for s := range 4 {
				λ := float64(s+1) / 5
				for c := range 3 {
					y.Set(s, c, λ*x.At(i, c)+(1-λ)*x.At(j, c))
				}
			}
			for _, c := range must(m.Predict(y))(t) {
				if c != class[i] {
					t.Fatalf("between rows %d and %d of class %d lies class %d", i, j, class[i], c)
				}
			}
		}
	}
}

// TestLinearMachineBoundary: on (4.10) the two classes are equal, and the signed
// side is that of the first.
func TestLinearMachineBoundary(t *testing.T) {
	m := randomMachine(t, 4, 3, 2)
	h := must(m.Boundary(2, 0))(t)
	x, _ := clouds(50, 4, 2, 8)
	s, r := must(m.Scores(x))(t), must(h.Distances(x))(t)
	for i := range 50 {
		if (s.At(i, 2) > s.At(i, 0)) != (r[i] > 0) {
			t.Errorf("row %d: scores %v, distance %v", i, s.RawRowView(i), r[i])
		}
		p := must(h.Project(x.RawRowView(i)))(t)
		on := must(m.Scores(mat.NewDense(1, 4, p)))(t)
		geoNear(t, "equal on the boundary", on.At(0, 2), on.At(0, 0))
	}
	_, err := m.Boundary(1, 1)
	mentions(t, err, "same")
	_, err = m.Boundary(1, 3)
	mentions(t, err, "class 3 of 3")
	_, err = must(classify.NewLinearMachine(mat.NewDense(2, 2, []float64{1, 2, 3, 3})))(t).Boundary(0, 1)
	mentions(t, err, "no hyperplane between")
}

// TestLinearMachineNeighbours compares Interior and Adjacent in the plane with a
// fine grid, and their points with what they claim.
func TestLinearMachineNeighbours(t *testing.T) {
	met := 0
	for seed := range uint64(30) {
		const k = 6
		m := randomMachine(t, 2, k, 100+seed)
		// Neighbours by brute force: cells of a grid whose corners differ.
		const n, size = 200, 30.0
		grid := mat.NewDense(n*n, 2, nil)
		for i := range n * n {
			grid.SetRow(i, []float64{size * (float64(i%n)/n - 0.5), size * (float64(i/n)/n - 0.5)})
		}
		class := must(m.Predict(grid))(t)
		var seen [k]bool
		var touch [k][k]int
		for i := range n * n {
			seen[class[i]] = true
			if i%n > 0 {
				touch[class[i]][class[i-1]]++
			}
			if i >= n {
				touch[class[i]][class[i-n]]++
			}
		}
		for a := range k {
			p, ok, err := m.Interior(a)
			if err != nil {
				t.Fatal(err)
			}
			if seen[a] && !ok {
				t.Errorf("seed %d: class %d is on the grid but has no interior", seed, a)
			}
			if ok {
				checkAhead(t, m, p, a, -1)
			}
			for b := range k {
				if a == b {
					continue
				}
				p, ok, err := m.Adjacent(a, b)
				if err != nil {
					t.Fatal(err)
				}
				if ok {
					met++
					checkAhead(t, m, p, a, b)
				}
				// Two cells may meet in passing a corner; more do not.
				if !ok && touch[a][b]+touch[b][a] > 3 {
					t.Errorf("seed %d: classes %d and %d meet on the grid %d times", seed, a, b, touch[a][b])
				}
			}
		}
	}
	if met == 0 {
		t.Error("no neighbours met")
	}
}

// checkAhead checks that at p classes a (and b, equally) exceed all others.
func checkAhead(t *testing.T, m *classify.LinearMachine, p []float64, a, b int) {
	t.Helper()
	s := must(m.Scores(mat.NewDense(1, len(p), p)))(t).RawRowView(0)
	size := floats.Norm(s, math.Inf(1))
	if b >= 0 && math.Abs(s[a]-s[b]) > 1e-9*size {
		t.Errorf("at %v classes %d and %d are not equal: %v", p, a, b, s)
	}
	for k, v := range s {
		if k != a && k != b && v >= s[a] {
			t.Errorf("at %v class %d is not the largest: %v", p, a, s)
		}
	}
}

// Three thresholds on a line: the middle class shields the outer ones from each
// other; a fourth that is never the largest has no region.
func TestLinearMachineOnALine(t *testing.T) {
	for _, unit := range []float64{1, 1e120, 1e-120} {
		m := must(classify.NewLinearMachine(mat.NewDense(2, 4, []float64{
			-1, 0, -1, -5,
			-1 / unit, 0, 1 / unit, 0,
		})))(t)
		for _, c := range []struct {
			a, b int
			want bool
		}{{0, 1, true}, {1, 2, true}, {0, 2, false}, {1, 3, false}} {
			_, ok, err := m.Adjacent(c.a, c.b)
			if err != nil || ok != c.want {
				t.Errorf("unit %v: classes %d and %d adjacent: %v, %v", unit, c.a, c.b, ok, err)
			}
		}
		_, ok, err := m.Interior(3)
		if err != nil || ok {
			t.Errorf("a class that never is the largest has an interior: %v", err)
		}
	}
}

// squared is a model that is not linear in x.
type squared struct{ classify.Scorer }

func (m squared) Scores(x mat.Matrix) (*mat.Dense, error) {
	s, err := m.Scorer.Scores(x)
	if err == nil {
		s.MulElem(s, s)
	}
	return s, err
}

func TestLinearMachineOf(t *testing.T) {
	x, labels := clouds(80, 3, 3, 3)
	ls := must(classify.FitLeastSquares(x, labels, 3, classify.LeastSquaresOptions{}))(t)
	exact := must(classify.LinearMachineOf(ls, 3))(t)
	if !mat.Equal(exact.W, ls.W) {
		t.Error("the weights of a least-squares fit are not taken over")
	}
	// Hidden behind another type, the weights are found by asking.
	probed := must(classify.LinearMachineOf(struct{ classify.Scorer }{ls}, 3))(t)
	if !mat.EqualApprox(probed.W, ls.W, 1e-14) {
		t.Errorf("probed %v, want %v", mat.Formatted(probed.W), mat.Formatted(ls.W))
	}
	_, err := classify.LinearMachineOf(squared{ls}, 3)
	mentions(t, err, "not linear")
	_, err = classify.LinearMachineOf(ls, 4)
	mentions(t, err, "1×4", "3 columns")
	_, err = classify.LinearMachineOf(squared{ls}, 0)
	mentions(t, err, "d is 0")
	_, err = classify.LinearMachineOf(new(classify.Logistic), 3)
	mentions(t, err, "no weights", "Fit function")
	_, err = classify.LinearMachineOf(nil, 3)
	mentions(t, err, "nil")
	_, err = classify.BoundaryOf(ls, 3)
	mentions(t, err, "3 classes")
	soft := must(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{}))(t)
	same := must(classify.LinearMachineOf(soft, 3))(t)
	if !mat.Equal(same.W, soft.W) {
		t.Error("the weights of a softmax fit are not taken over")
	}
	// The boundary of a logistic model is its own w.
	two, both := clouds(80, 3, 2, 4)
	lg := must(classify.FitLogistic(two, targets(both), classify.LogisticOptions{}))(t)
	h := must(classify.BoundaryOf(lg, 3))(t)
	for i, w := range h.Weights() {
		geoNear(t, "logistic boundary", w, lg.W[i])
	}
	_, err = classify.NewLinearMachine(mat.NewDense(2, 1, nil))
	mentions(t, err, "2×1")
	_, _, err = new(classify.LinearMachine).Interior(0)
	mentions(t, err, "NewLinearMachine")
}

func ExampleLinearMachine_Adjacent() {
	// y = −1 − x, 0, −1 + x: classes to the left, in the middle, to the right.
	m := toolkit.Must(classify.NewLinearMachine(mat.NewDense(2, 3, []float64{-1, 0, -1, -1, 0, 1})))
	x, ok, _ := m.Adjacent(0, 1)
	fmt.Printf("%v %.3f\n", ok, x)
	_, ok, _ = m.Adjacent(0, 2)
	fmt.Println(ok)
	// Output:
	// true [-1.000]
	// false
}
