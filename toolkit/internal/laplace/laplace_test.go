package laplace_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/laplace"
)

// logGammas returns ln f(z). Up to a factor, f is the density of the logarithms u = z0 + z1 and v =
// z0 − z1 of two independent Gamma variables. The part of ln f for each logarithm, for example u,
// is a·u − b·e^u. It has its maximum at u = ln(a/b), where its curvature is a. Because |∂(u, v)/∂z|
// = 2, the determinant of the curvature with respect to z is 2²·3·50 at the mode.
func logGammas(z []float64) float64 {
	u, v := z[0]+z[1], z[0]-z[1]
	return 3*u - 2*math.Exp(u) + 50*v - math.Exp(v)
}

func TestFind(t *testing.T) {
	gradient := func(dst, z []float64) {
		u, v := 3-2*math.Exp(z[0]+z[1]), 50-math.Exp(z[0]-z[1])
		dst[0], dst[1] = u+v, u-v
	}
	u, v := math.Log(1.5), math.Log(50)
	at := []float64{(u + v) / 2, (u - v) / 2}
	precision := mat.NewSymDense(2, []float64{53, -47, -47, 53})
	for _, c := range []struct {
		name string
		o    laplace.Options
		tol  float64
	}{
		{"values", laplace.Options{}, 1e-7},
		{"gradient", laplace.Options{Gradient: gradient}, 1e-9},
	} {
		fit, err := laplace.Find(logGammas, []float64{0, 0}, c.o)
		if err != nil || len(fit.Modes) != 1 {
			t.Fatalf("%s: Find returns %v and the error %v, want one mode and no error", c.name, fit, err)
		}
		m := fit.Modes[0]
		if !floats.EqualApprox(m.At, at, c.tol) || !mat.EqualApprox(m.Precision, precision, 100*c.tol) {
			t.Errorf("%s: the mode is %v with precision %v, want the mode %v with precision %v",
				c.name, m.At, m.Precision, at, precision)
		}
		if logDet := math.Log(4 * 3 * 50); math.Abs(m.LogDet-logDet) > 10*c.tol ||
			math.Abs(m.LogZ-(logGammas(at)+math.Log(2*math.Pi)-logDet/2)) > 10*c.tol {
			t.Errorf("%s: ln|A| at the mode is %v, want %v; ln Z is %v, want ln f + ln 2π − ½ ln|A| = %v",
				c.name, m.LogDet, logDet, m.LogZ, logGammas(at)+math.Log(2*math.Pi)-logDet/2)
		}
	}
	two := func(z []float64) float64 { return math.Log(math.Exp(-z[0]*z[0]/2) + 2*math.Exp(-(z[0]-9)*(z[0]-9)/2)) }
	if fit, err := laplace.Find(two, []float64{1}, laplace.Options{}); err != nil || len(fit.Modes) != 2 ||
		math.Abs(fit.Modes[0].At[0]-9) > 1e-7 || math.Abs(fit.Modes[1].At[0]) > 1e-7 {
		t.Errorf("for a function with maxima at 9 and 0, Find returns %+v and the error %v, want both maxima, 9 first", fit, err)
	}
}
