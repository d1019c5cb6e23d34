package classify

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestSeparableExact: the answer is the exact one on random points of the plane,
// and the certificate stands.
func TestSeparableExact(t *testing.T) {
	planeSets(900, func(name string, x *mat.Dense, target []float64) {
		_, strict := exactRecession(x, target)
		s, err := Separable(x, target)
		if err != nil || s.Separable != strict {
			t.Errorf("%s: %v, %v, but strictly separable is %v\n%v\n%v", name, s, err, strict, mat.Formatted(x), target)
			return
		}
		if err := s.Verify(x, target); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
}

// TestSeparableLastBit: hulls that are a last bit apart, or share one, and entries
// of any size beside them.
func TestSeparableLastBit(t *testing.T) {
	next := math.Nextafter(1, 2)
	for _, c := range []struct {
		name string
		x, t []float64
		want bool
	}{
		{"one last bit apart", []float64{-3, -2, 1, next, 2, 3}, []float64{0, 0, 0, 1, 1, 1}, true},
		{"touching", []float64{-3, -2, 1, 1, 2, 3}, []float64{0, 0, 0, 1, 1, 1}, false},
		{"overlapping by the last bit", []float64{-3, -2, next, 1, 2, 3}, []float64{0, 0, 0, 1, 1, 1}, false},
		{"1e-15 apart about 0", []float64{-3, -2, -1e-15, 1e-15, 2, 3}, []float64{0, 0, 0, 1, 1, 1}, true},
		{"1e-15 over about 0", []float64{-3, -2, 1e-15, -1e-15, 2, 3}, []float64{0, 0, 0, 1, 1, 1}, false},
	} {
		x := mat.NewDense(len(c.x), 1, c.x)
		s, err := Separable(x, c.t)
		if err != nil || s.Separable != c.want {
			t.Errorf("%s: %+v, %v", c.name, s, err)
			continue
		}
		if err := s.Verify(x, c.t); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, big := range []float64{1e8, 1e9, 1e10, 1e11, 1e12, 1e15, 1e37} {
		x := mat.NewDense(7, 2, []float64{0, 0, 1, 1, 2, 0, 0, 1, 1, 0, 2, 1, 0, big})
		target := []float64{1, 1, 0, 0, 0, 1, 0}
		_, want := exactRecession(x, target)
		s, err := Separable(x, target)
		if err != nil || s.Separable != want {
			t.Errorf("%g: %+v, %v", big, s, err)
		} else if err := s.Verify(x, target); err != nil {
			t.Errorf("%g: %v", big, err)
		}
	}
}
