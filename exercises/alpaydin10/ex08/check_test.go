package ex08_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex08"
	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	boundaryFunc = func(w, w0 float64) float64
	slopeFunc    = func(w float64) float64
)

func checkBoundary(f boundaryFunc) *verify.Report { return ex08.Check(f, Slope) }
func checkSlope(f slopeFunc) *verify.Report       { return ex08.Check(Boundary, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex08.Exercise(), gate.Of(checkBoundary, Boundary), gate.Of(checkSlope, Slope))
}

func sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

func TestRight(t *testing.T) {
	gate.Rights(t, checkBoundary, map[string]boundaryFunc{
		"reference":                 Boundary,
		"through the log odds of ½": func(w, w0 float64) float64 { return (math.Log(0.5/(1-0.5)) - w0) / w },
		"reciprocal of w":           func(w, w0 float64) float64 { return -(1 / w) * w0 },
		"projection on w":           func(w, w0 float64) float64 { return -w0 * w / (w * w) },
		"bisection":                 bisect,
	})
	gate.Rights(t, checkSlope, map[string]slopeFunc{
		"reference":            Slope,
		"y(1 − y)w with y = ½": func(w float64) float64 { y := sigmoid(0); return w * y * (1 - y) },
		"reciprocal of width":  func(w float64) float64 { return 1 / (4 / w) },
		"hyperbolic cosine":    func(w float64) float64 { return w / (4 * math.Pow(math.Cosh(0), 2)) },
		"differences at w0 = 0": func(w float64) float64 {
			h := 1e-5 / math.Abs(w)
			return (8*(sigmoid(w*h)-sigmoid(-w*h)) - (sigmoid(2*w*h) - sigmoid(-2*w*h))) / (12 * h)
		},
	})
}

func bisect(w, w0 float64) float64 {
	g := func(x float64) float64 { return w*x + w0 }
	lo, hi := -1.0, 1.0
	for g(lo)*g(hi) > 0 {
		lo, hi = 2*lo, 2*hi
	}
	for range 200 {
		if mid := (lo + hi) / 2; g(lo)*g(mid) <= 0 {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

// TestWrong judges wrong answers that are not in the table of mistakes, and checks the keys of the
// verdicts.
func TestWrong(t *testing.T) {
	gate.Wrongs(t, ex08.Exercise(), checkBoundary, map[string][]boundaryFunc{
		"boundary-factor":  {func(w, w0 float64) float64 { return -w0 / (2 * w) }},
		"not-half":         {func(w, w0 float64) float64 { return 1 - w0/w }},
		"not-the-crossing": {func(w, w0 float64) float64 { return 1e-6/math.Abs(w) - w0/w }},
		"not-finite":       {func(w, w0 float64) float64 { return -w / w0 }},
	})
	gate.Wrongs(t, ex08.Exercise(), checkSlope, map[string][]slopeFunc{
		"slope-factor": {func(w float64) float64 { return w / 8 }},
		"rounded":      {func(w float64) float64 { return 0.2499 * w }},
		"slope":        {func(w float64) float64 { return w/4 + 1 }},
	})
}

func ExampleCheck() {
	fmt.Println(ex08.Check(Boundary, func(w float64) float64 { return w }).Parts[4].Message)
	// Output: Your slope is w, the slope of the line wx + w0. The sigmoid of the line is flatter: the chain rule has one more factor, σ′ at the boundary.
}
