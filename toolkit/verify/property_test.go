package verify

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestProperties checks, together with the runnable examples, that each property check passes for
// values that have the property, and fails for values that do not have it.
func TestProperties(t *testing.T) {
	nan, tol := math.NaN(), Tolerance{Rel: 1e-9, Abs: 1e-12}
	sq := func(w []float64) float64 { return w[0]*w[0] + 3*w[0]*w[1] } // gradient (2w0+3w1, 3w0)
	dense := func(r, c int, v ...float64) *mat.Dense { return mat.NewDense(r, c, v) }
	var none *mat.Dense
	// The least-squares line for the points (0,0), (1,1) and (2,5) is −½ + 2½x.
	x, targets := dense(3, 2, 1, 0, 1, 1, 1, 2), dense(3, 1, 0, 1, 5)
	line := dense(3, 1, -0.5, 2, 4.5)
	twice := dense(3, 3, 1, 0, 0, 1, 1, 1, 1, 2, 2) // the third column of the matrix equals the second column
	// f(u,v) = (uv, u², v) has the derivatives ((v,u), (2u,0), (0,1)).
	f := func(w []float64) []float64 { return []float64{w[0] * w[1], w[0] * w[0], w[1]} }
	at := []float64{2, -3}
	half, halves := dense(2, 2, 1, 2, 1, 5), dense(2, 2, 1, 0, 1, 0)
	diff := Tolerance{Rel: 1e-8}
	for ok, findings := range map[bool]map[string]Finding{
		true: {
			"Close equal infinities":            Close(math.Inf(1), math.Inf(1), tol),
			"CloseSlice":                        CloseSlice([]float64{1e6, 1e-9}, []float64{1e6, 0}, tol),
			"CloseMat":                          CloseMat(dense(1, 2, 1, 2), dense(1, 2, 1, 2), tol),
			"SameDirection":                     SameDirection([]float64{1, 2}, []float64{2, 4}, 1e-12),
			"Symmetric":                         Symmetric(dense(2, 2, 1, 2, 2, 1), 1e-12),
			"PositiveDefinite tiny entries":     PositiveDefinite(dense(2, 2, 2e-120, 1e-120, 1e-120, 2e-120), 1e-12),
			"PositiveSemidefinite zero":         PositiveSemidefinite(dense(2, 2, 0, 0, 0, 0), 1e-12),
			"Gradient":                          Gradient(sq, []float64{1, 2}, []float64{8, 3}, diff),
			"NormalEquations dependent columns": NormalEquations(twice, line, targets, 1e-12),
			"NormalEquations exact fit":         NormalEquations(x, dense(3, 1, 0, 1+1e-15, 5), targets, 1e-12),
			"Jacobian":                          Jacobian(f, at, dense(3, 2, -3, 2, 4, 0, 0, 1), diff),
			// If all targets in a column are 0, the predictions may differ from 0 only by rounding
			// errors. The tolerance for these errors is relative to the longest column of targets.
			"NormalEquations: only a rounding error, for a zero target": NormalEquations(half, dense(2, 2, 1, 1e-16, 1, 1e-16), halves, 1e-9),
		},
		false: {
			"Close NaN":                             Close(nan, nan, tol),
			"Close infinite":                        Close(math.Inf(1), 1, tol),
			"CloseSlice length":                     CloseSlice([]float64{1}, []float64{1, 2}, tol),
			"CloseSlice NaN":                        CloseSlice([]float64{1, nan}, []float64{1, 2}, tol),
			"CloseMat nil":                          CloseMat(none, dense(1, 2, 1, 2), tol),
			"SumsTo not":                            SumsTo([]float64{0.25, 0.7}, 1, tol),
			"AffineConstraint not":                  AffineConstraint([]float64{1, -2}, 3, []float64{1, 2.1}, tol),
			"AffineConstraint NaN":                  AffineConstraint([]float64{1}, 0, []float64{nan}, tol),
			"AffineConstraint length":               AffineConstraint([]float64{1, 1}, 0, []float64{1}, tol),
			"Parallel not":                          Parallel([]float64{1, 2}, []float64{2, 1}, 1e-3),
			"Parallel zero":                         Parallel([]float64{0, 0}, []float64{2, 1}, 1e-3),
			"Parallel NaN":                          Parallel([]float64{nan, 0}, []float64{2, 1}, 1e-3),
			"Symmetric NaN":                         Symmetric(dense(2, 2, 1, nan, 2, 1), 1e-12),
			"Symmetric NaN on the diagonal":         Symmetric(dense(1, 1, nan), 1e-12),
			"Symmetric not square":                  Symmetric(dense(1, 2, 1, 2), 1e-12),
			"PositiveDefinite semi":                 PositiveDefinite(dense(2, 2, 1, 1, 1, 1), 1e-12),
			"PositiveDefinite NaN":                  PositiveDefinite(dense(1, 1, nan), 1e-12),
			"PositiveDefinite zero":                 PositiveDefinite(dense(2, 2, 0, 0, 0, 0), 1e-12),
			"PositiveSemidefinite not":              PositiveSemidefinite(dense(2, 2, 1, 2, 2, 1), 1e-12),
			"Gradient not":                          Gradient(sq, []float64{1, 2}, []float64{-8, -3}, diff),
			"Gradient length":                       Gradient(sq, []float64{1, 2}, []float64{8}, diff),
			"NormalEquations mean":                  NormalEquations(x, dense(3, 1, 2, 2, 2), targets, 1e-3),
			"NormalEquations zero target":           NormalEquations(x, dense(3, 1, 1, 1, 1), dense(3, 1, 0, 0, 0), 1e-3),
			"NormalEquations NaN":                   NormalEquations(x, dense(3, 1, nan, 2, 4), targets, 1e-3),
			"NormalEquations nil":                   NormalEquations(x, none, targets, 1e-3),
			"NormalEquations shape":                 NormalEquations(x, dense(1, 3, 1, 2, 3), targets, 1e-3),
			"NormalEquations rows":                  NormalEquations(x, line, dense(2, 1, 1, 1), 1e-3),
			"Jacobian transposed":                   Jacobian(f, at, dense(2, 3, -3, 4, 0, 2, 0, 1), diff),
			"Jacobian sign":                         Jacobian(f, at, dense(3, 2, -3, 2, -4, 0, 0, 1), diff),
			"Jacobian NaN":                          Jacobian(f, at, dense(3, 2, nan, 2, 4, 0, 0, 1), diff),
			"Jacobian nil":                          Jacobian(f, at, none, diff),
			"Jacobian of a function without values": Jacobian(func([]float64) []float64 { return nil }, at, none, diff),
			"NormalEquations: too large an error, for a zero target": NormalEquations(half, dense(2, 2, 1, 1e-10, 1, 1e-10), halves, 1e-9),
		},
	} {
		for name, got := range findings {
			t.Run(name, func(t *testing.T) {
				if got.OK != ok || !ok && got.Off() == "" {
					t.Errorf("got OK = %v, want %v; Off returns %q, want a text unless OK is true", got.OK, ok, got.Off())
				}
			})
		}
	}
}

// TestOffRevealsNothing checks that Off states only the order of magnitude of the violation,
// without the sign.
func TestOffRevealsNothing(t *testing.T) {
	above, below := Close(1.0372, 1, Tolerance{}), Close(0.9628, 1, Tolerance{})
	if above.Off() != below.Off() || above.Off() != "off by about 0.1" { // log₁₀ 0.0372 is nearer to −1 than to −2
		t.Errorf("got %q for a result above the value and %q for a result below it, want 'off by about 0.1' for both", above.Off(), below.Off())
	}
}

func TestDerivative(t *testing.T) {
	for _, x := range []float64{0, 0.5, -3} {
		if got := Derivative(math.Sin, x, 0); math.Abs(got-math.Cos(x)) > 1e-10 {
			t.Errorf("the derivative of sin at %g is %g, want %g", x, got, math.Cos(x))
		}
	}
}
