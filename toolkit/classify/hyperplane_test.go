package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestHyperplaneConventions compares the plane with w = (3, 4) and w0 = 10 with results computed by
// hand. Here ‖w‖ = 5, and the plane is at distance 2 from the origin in the direction of −w.
func TestHyperplaneConventions(t *testing.T) {
	h := must(classify.NewHyperplane([]float64{10, 3, 4}))(t)
	one := []float64{1, 1}
	nearly(t, "PRML (4.5), Alpaydin (10.5), distance of the origin, value, (4.7), flipped", []float64{
		must(h.FootCoordinate())(t), must(h.OriginDistance())(t), must(h.Distance([]float64{0, 0}))(t),
		must(h.Value(one))(t), must(h.Distance(one))(t), must(h.Flip().Distance(one))(t),
	}, []float64{-2, 2, 2, 17, 3.4, -3.4}, 1e-15)
	nearly(t, "foot", must(h.Foot())(t), []float64{-1.2, -1.6}, 1e-15)
	within(t, must(h.Unit())(t).W0, 2, 1e-15, "unit bias")
}

func geoNear(t *testing.T, name string, got, want float64) {
	t.Helper()
	errorIf(t, !(math.Abs(got-want) <= 1e-13*math.Max(1, math.Abs(want))), "%s: %v, want %v", name, got, want)
}

func TestHyperplaneThrough(t *testing.T) {
	// The line through (1,0) and (0,1), x1 + x2 = 1.
	h := must(classify.HyperplaneThrough(mat.NewDense(2, 2, []float64{1, 0, 0, 1})))(t)
	geoNear(t, "distance of the origin", must(h.OriginDistance())(t), -math.Sqrt(0.5))
	rng := rand.New(rand.NewPCG(2, 2))
	for _, c := range []struct {
		d          int
		scale, off float64
	}{{1, 1, 3}, {2, 1, 0}, {3, 1e150, 0}, {5, 1e-150, 0}, {8, 1, 1e6}} {
		x := mat.NewDense(c.d, c.d, nil)
		x.Apply(func(_, _ int, _ float64) float64 { return c.scale * (rng.NormFloat64() + c.off) }, x)
		h := must(classify.HyperplaneThrough(x))(t)
		geoNear(t, "‖w‖", floats.Norm(h.W, 2), 1)
		for i, r := range must(h.Distances(x))(t) {
			within(t, r, 0, 1e-13*c.scale*(10+c.off*float64(c.d)), "D = %d: distance of point %d", c.d, i)
		}
	}
}

func TestHyperplaneErrors(t *testing.T) {
	h := must(classify.NewHyperplane([]float64{1, 2, 3}))(t)
	zero := &classify.Hyperplane{W: []float64{0, 0}}
	through := func(n, d int, v ...float64) error { return of(classify.HyperplaneThrough(mat.NewDense(n, d, v))) }
	refused(t, []refusal{
		{"few points", through(2, 3), []string{"2×3", "at least 3 points"}},
		{"points on a line", through(3, 3, 0, 0, 0, 1, 1, 1, 2, 2, 2), []string{"span only 1", "2 directions"}},
		{"many points", through(3, 2, 0, 0, 1, 0, 0, 1), []string{"no plane contains all 3"}},
		{"two points of a line", through(2, 1, 1, 2), []string{"no plane"}},
		{"bias alone", of(classify.NewHyperplane([]float64{1})), []string{"1 entries"}},
		{"zero", of(classify.NewHyperplane([]float64{1, 0, 0})), []string{"direction"}},
		{"NaN", of(classify.NewHyperplane([]float64{1, math.NaN()})), []string{"w[1]", "NaN"}},
		{"far", of(classify.NewHyperplane([]float64{1e300, 1e-300})), []string{"too far"}},
		{"width", of(h.Distance([]float64{1})), []string{"1 entries", "2"}},
		{"rows", of(h.Distances(mat.NewDense(1, 3, nil))), []string{"1×3"}},
		{"zero, distance", of(zero.Distance([]float64{1, 1})), []string{"direction"}},
		{"zero, origin", of(zero.OriginDistance()), []string{"direction"}},
		{"zero, predict", of(zero.Predict(mat.NewDense(1, 2, nil))), []string{"direction"}},
		{"zero, foot", of(zero.Foot()), []string{"direction"}},
	})
}

// The two books' distances differ in sign. FootCoordinate is the position of the plane relative to
// the origin, and OriginDistance is the position of the origin relative to the plane.
func ExampleNewHyperplane() {
	h := toolkit.Must(classify.NewHyperplane([]float64{10, 3, 4}))
	fmt.Printf("%.1f %.1f\n", toolkit.Must(h.FootCoordinate()), toolkit.Must(h.OriginDistance()))
	fmt.Printf("%.2f\n", toolkit.Must(h.Project([]float64{1, 1})))
	// Output:
	// -2.0 2.0
	// [-1.04 -1.72]
}

// randomMachine returns a machine with K random discriminants of D inputs.
func randomMachine(t *testing.T, d, k int, seed uint64) *classify.LinearMachine {
	rng := rand.New(rand.NewPCG(seed, 5))
	w := mat.NewDense(d+1, k, nil)
	w.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, w)
	return must(classify.NewLinearMachine(w))(t)
}

// TestLinearMachineNeighbours compares Interior and Adjacent in the plane with a fine grid, and
// checks the points that they return.
func TestLinearMachineNeighbours(t *testing.T) {
	met := 0
	for seed := range uint64(30) {
		const k = 6
		m := randomMachine(t, 2, k, 100+seed)
		// Brute force: two classes are neighbours if adjacent grid points belong to them.
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
			p, ok := must2(m.Interior(a))(t)
			if errorIf(t, seen[a] && !ok, "seed %d: class %d is on the grid but has no interior", seed, a); ok {
				checkAhead(t, m, p, a, -1)
			}
			for b := range k {
				if a == b {
					continue
				}
				p, ok := must2(m.Adjacent(a, b))(t)
				if ok {
					met++
					checkAhead(t, m, p, a, b)
				}
				// Classes that share only a corner may touch on the grid a few times, but at most 3
				// times.
				errorIf(t, !ok && touch[a][b]+touch[b][a] > 3, "seed %d: classes %d and %d meet on the grid %d times",
					seed, a, b, touch[a][b])
			}
		}
	}
	errorIf(t, met == 0, "no neighbours met")
}

// checkAhead checks that the scores of classes a and b are equal at p and exceed all others; a
// negative b is ignored.
func checkAhead(t *testing.T, m *classify.LinearMachine, p []float64, a, b int) {
	t.Helper()
	s := must(m.Scores(mat.NewDense(1, len(p), p)))(t).RawRowView(0)
	size := floats.Norm(s, math.Inf(1))
	errorIf(t, b >= 0 && math.Abs(s[a]-s[b]) > 1e-9*size, "at %v classes %d and %d are not equal: %v", p, a, b, s)
	for k, v := range s {
		errorIf(t, k != a && k != b && v >= s[a], "at %v class %d is not the largest: %v", p, a, s)
	}
}

// TestLinearMachineOnALine uses four classes on a line. Two thresholds separate three classes, so
// the outer classes are not adjacent. The fourth class never has the largest score and has no
// region.
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
			errorIf(t, err != nil || ok != c.want, "unit %v: classes %d and %d adjacent: %v, %v", unit, c.a, c.b, ok,
				err)
		}
		_, ok, err := m.Interior(3)
		errorIf(t, err != nil || ok, "a class that never is the largest has an interior: %v", err)
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
	soft := must(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{}))(t)
	errorIf(t, !mat.Equal(must(classify.LinearMachineOf(ls, 3))(t).W, ls.W) ||
		!mat.Equal(must(classify.LinearMachineOf(soft, 3))(t).W, soft.W), "the weights of a fit are not taken over")
	// LinearMachineOf recovers the weights from scores if another type hides them.
	near(t, "probed", must(classify.LinearMachineOf(struct{ classify.Scorer }{ls}, 3))(t).W, ls.W, 1e-14)
	// The boundary of a logistic model has the model's own w.
	two, both := clouds(80, 3, 2, 4)
	lg := must(classify.FitLogistic(two, targets(both), classify.LogisticOptions{}))(t)
	nearly(t, "logistic boundary", must(classify.BoundaryOf(lg, 3))(t).Weights(), lg.W, 1e-13)
	m := randomMachine(t, 4, 3, 2)
	refused(t, []refusal{
		{"square", of(classify.LinearMachineOf(squared{ls}, 3)), []string{"not linear"}},
		{"width", of(classify.LinearMachineOf(ls, 4)), []string{"1×4", "3 columns"}},
		{"no inputs", of(classify.LinearMachineOf(squared{ls}, 0)), []string{"d is 0"}},
		{"no fit", of(classify.LinearMachineOf(new(classify.Logistic), 3)), []string{"no weights", "Fit function"}},
		{"nil", of(classify.LinearMachineOf(nil, 3)), []string{"nil"}},
		{"three classes", of(classify.BoundaryOf(ls, 3)), []string{"3 classes"}},
		{"one class", of(classify.NewLinearMachine(mat.NewDense(2, 1, nil))), []string{"2×1"}},
		{"itself", of(m.Boundary(1, 1)), []string{"same"}},
		{"class 3", of(m.Boundary(1, 3)), []string{"class 3 of 3"}},
		{"parallel", of(must(classify.NewLinearMachine(mat.NewDense(2, 2, []float64{1, 2, 3, 3})))(t).Boundary(0, 1)),
			[]string{"no hyperplane between"}},
	})
	mentions(t, of2(new(classify.LinearMachine).Interior(0)), "NewLinearMachine")
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
