package ex02_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex02"
	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	distanceFunc = func(x, w []float64, w0 float64) float64
	originFunc   = func(w []float64, w0 float64) float64
)

func checkDistance(f distanceFunc) *verify.Report { return ex02.Check(f, OriginDistance) }
func checkOrigin(f originFunc) *verify.Report     { return ex02.Check(Distance, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex02.Exercise(), gate.Of(checkDistance, Distance), gate.Of(checkOrigin, OriginDistance))
}

func TestRight(t *testing.T) {
	gate.Rights(t, checkDistance, map[string]distanceFunc{
		"reference": Distance, "projection matrix": projection, "differences of squares": differenceOfSquares,
	})
	gate.Rights(t, checkOrigin, map[string]originFunc{
		"by Distance": func(w []float64, w0 float64) float64 { return Distance(make([]float64, len(w)), w, w0) },
		"length of the nearest point": func(w []float64, w0 float64) float64 {
			foot := make([]float64, len(w)) // the point of the plane nearest to the origin, −w0 w/‖w‖²
			floats.AddScaled(foot, -w0/floats.Dot(w, w), w)
			return floats.Norm(foot, 2)
		},
	})
}

// projection returns the signed length of the projection of x − a onto w, where a is the point of
// the plane nearest to the origin.
func projection(x, w []float64, w0 float64) float64 {
	d := len(w)
	a := floats.ScaleTo(make([]float64, d), -w0/floats.Dot(w, w), w)
	v := mat.NewVecDense(d, floats.SubTo(make([]float64, d), x, a))
	p := mat.NewDense(d, d, nil)
	p.Outer(1/floats.Dot(w, w), mat.NewVecDense(d, w), mat.NewVecDense(d, w))
	var normal mat.VecDense
	normal.MulVec(p, v)
	return math.Copysign(mat.Norm(&normal, 2), floats.Dot(w, x)+w0)
}

// differenceOfSquares returns the distance uᵀx + w0/‖w‖, where u is the unit normal. It computes uᵀx
// from ‖x+u‖² − ‖x−u‖² = 4uᵀx.
func differenceOfSquares(x, w []float64, w0 float64) float64 {
	n := floats.Norm(w, 2)
	plus, minus := 0.0, 0.0
	for j := range w {
		u := w[j] / n
		plus += (x[j] + u) * (x[j] + u)
		minus += (x[j] - u) * (x[j] - u)
	}
	return (plus-minus)/4 + w0/n
}

// TestWrong checks that the report on each wrong answer has a Wrong part with the answer's key. Most
// of these answers are not in the tables of mistakes.
func TestWrong(t *testing.T) {
	times := func(c float64) distanceFunc {
		return func(x, w []float64, w0 float64) float64 { return c * Distance(x, w, w0) }
	}
	constant := func(c float64) distanceFunc { return func([]float64, []float64, float64) float64 { return c } }
	gate.Wrongs(t, ex02.Exercise(), checkDistance, map[string][]distanceFunc{
		"factor": {times(0.5), times(2)},
		// the second answer leaves the last coordinate out of wᵀx
		"off-plane": {constant(1), func(x, w []float64, w0 float64) float64 {
			d := len(w) - 1
			return (floats.Dot(w[:d], x[:d]) + w0) / floats.Norm(w, 2)
		}},
		"not-nearest": {constant(1)},
		"on-plane": {func(x, w []float64, w0 float64) float64 {
			return Distance(x, w, w0) +
				1e-6*floats.Norm(x, 2)
		}},
		"sign":    {func(x, w []float64, w0 float64) float64 { return math.Copysign(Distance(x, w, w0), x[0]) }},
		"scale":   {func(x, w []float64, w0 float64) float64 { return floats.Dot(w, x) + w0 + 1e-3 }},
		"not-odd": {func(x, w []float64, w0 float64) float64 { return math.Abs(Distance(x, w, w0)) }},
	})
	gate.Wrongs(t, ex02.Exercise(), checkOrigin, map[string][]originFunc{
		"origin-factor": {func(w []float64, w0 float64) float64 { return math.Abs(w0) / (2 * floats.Norm(w, 2)) }},
		"mixed-signs": {func(w []float64, w0 float64) float64 {
			return math.Copysign(OriginDistance(w, w0),
				w[0])
		}, func(w []float64, w0 float64) float64 { // for D = 1 the sign of this answer also depends on w
			if len(w) == 1 {
				return w0 / w[0]
			}
			return OriginDistance(w, w0)
		}},
		"origin-distance": {func(w []float64, w0 float64) float64 {
			return w0 / floats.Norm(append([]float64{1},
				w[1:]...), 2)
		}},
		"through-origin": {func(w []float64, w0 float64) float64 {
			if w0 == 0 {
				return 1
			}
			return OriginDistance(w, w0)
		}},
		"not-finite": {func(w []float64, w0 float64) float64 { return floats.Norm(w, 2) / w0 }},
	})
}

// TestConventions checks that Check accepts every sign convention, and that the report has a
// different message for each convention.
func TestConventions(t *testing.T) {
	seen := map[string]bool{}
	for _, origin := range []originFunc{
		OriginDistance,
		func(w []float64, w0 float64) float64 { return -math.Abs(OriginDistance(w, w0)) },
		func(w []float64, w0 float64) float64 { return -OriginDistance(w, w0) },
		func(w []float64, w0 float64) float64 { return math.Abs(OriginDistance(w, w0)) },
	} {
		r := ex02.Check(Distance, origin)
		gate.Right(t, r)
		seen[r.Parts[len(r.Parts)-1].Message] = true
	}
	if len(seen) != 4 {
		t.Errorf("got %d different messages for four sign conventions, want 4: %v", len(seen), seen)
	}
}

func ExampleCheck() {
	g := func(x, w []float64, w0 float64) float64 { return floats.Dot(w, x) + w0 }
	fmt.Println(ex02.Check(g, OriginDistance).Parts[1].Message)
	// Output: Your number is g(x) = wᵀx + w0 itself. It tells the side, but not how far: with 2w and 2w0 the plane is the same and g is doubled.
}

/*
Equivalent mutants

OriginDistance: return w0 / floats.Norm(w, 2) → return -(w0 / floats.Norm(w, 2))
    The exercise lets the learner choose the sign.
*/
