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

// TestHyperplaneConventions: w = (3, 4), w0 = 10 by hand. ‖w‖ = 5; the plane is at
// distance 2 from the origin, on the side away from w.
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

// TestHyperplaneProjection: x = x⊥ + r·w/‖w‖ (4.6), x⊥ on the plane, and no
// other point of the plane nearer.
func TestHyperplaneProjection(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, scale := range []float64{1, 1e150, 1e-150} {
		for d := 1; d <= 6; d++ {
			random := func(n int, scale float64) []float64 {
				v := make([]float64, n)
				for j := range v {
					v[j] = scale * rng.NormFloat64()
				}
				return v
			}
			w, x := random(d+1, scale), random(d, 1)
			h := must(classify.NewHyperplane(w))(t)
			r, p := must(h.Distance(x))(t), must(h.Project(x))(t)
			geoNear(t, "on the plane", must(h.Distance(p))(t), 0)
			geoNear(t, "length", floats.Distance(x, p, 2), math.Abs(r))
			geoNear(t, "sign", truth(r >= 0), truth(must(h.Value(x))(t) >= 0))
			rows := must(h.Distances(mat.NewDense(1, d, x)))(t)
			geoNear(t, "rows", rows[0], r)
			other := must(h.Project(random(d, 1)))(t)
			errorIf(t, floats.Distance(x, other, 2) < math.Abs(r)-1e-12, "%v is nearer than the projection", other)
		}
	}
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

// The two books' "distance of the plane" differ in sign: one says where the plane
// is seen from the origin, the other where the origin is seen from the plane.
func ExampleNewHyperplane() {
	h := toolkit.Must(classify.NewHyperplane([]float64{10, 3, 4}))
	fmt.Printf("%.1f %.1f\n", toolkit.Must(h.FootCoordinate()), toolkit.Must(h.OriginDistance()))
	fmt.Printf("%.2f\n", toolkit.Must(h.Project([]float64{1, 1})))
	// Output:
	// -2.0 2.0
	// [-1.04 -1.72]
}

func ExampleHyperplaneThrough() {
	h := toolkit.Must(classify.HyperplaneThrough(mat.NewDense(2, 2, []float64{1, 0, 0, 1})))
	fmt.Printf("%.3f %.3f\n", h.W0, h.W)
	// Output: -0.707 [0.707 0.707]
}
