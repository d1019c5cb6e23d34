package equation

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// recorder is a testing.TB that records the messages of Errorf instead of failing a test.
type recorder struct {
	testing.TB
	said []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

func sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

// testEquations contains a function for each of three equations. The function returns the Sides of
// the equation. With the argument 1 the equation holds. With the argument −1 it does not, because one
// sign is wrong.
var testEquations = map[string]func(sign float64) Sides{
	"prml-4.60": func(sign float64) Sides {
		return func(r *rand.Rand) (any, any) {
			a := r.NormFloat64()
			return sigmoid(-a), 1 - sign*sigmoid(a)
		}
	},
	"prml-4.88": func(sign float64) Sides {
		return func(r *rand.Rand) (any, any) {
			a, h := r.NormFloat64(), 1e-3
			five := (8*(sigmoid(a+h)-sigmoid(a-h)) - (sigmoid(a+2*h) - sigmoid(a-2*h))) / (12 * h)
			return five, sign * sigmoid(a) * (1 - sigmoid(a))
		}
	},
	"prml-4.7": func(sign float64) Sides {
		return func(r *rand.Rand) (any, any) {
			w, x := mat.NewVecDense(2, []float64{r.NormFloat64(), r.NormFloat64()}),
				mat.NewVecDense(2, []float64{r.NormFloat64(), r.NormFloat64()})
			// The signed distance of x from the plane wᵀx + w0 = 0, measured in the direction of w,
			// is y/|w|.
			y := mat.Dot(w, x) + 0.5
			foot := mat.NewVecDense(2, nil)
			foot.AddScaledVec(x, -sign*y/mat.Dot(w, w), w)
			return []float64{mat.Dot(w, foot), y}, []float64{-0.5, y}
		}
	},
}

func TestCopies(t *testing.T) {
	for id, sides := range testEquations {
		Check(t, id, sides(1))
		red := &recorder{}
		Check(red, id, sides(-1))
		if len(red.said) != 1 || !strings.Contains(red.said[0], id) {
			t.Errorf("%s has a wrong sign, but Check records the messages %q, want one with the id", id, red.said)
		}
	}
}

func TestGoesRed(t *testing.T) {
	constant := func(left, right any) Sides { return func(*rand.Rand) (any, any) { return left, right } }
	for _, c := range []struct {
		name, want string
		run        func(t testing.TB)
	}{
		{"constant", "same numbers", func(t testing.TB) { Check(t, "x", constant(1.0, 1.0)) }},
		{"NaN", "one of the numbers is NaN", func(t testing.TB) { Check(t, "x", constant(math.NaN(), math.NaN())) }},
		{"sizes", "2 numbers on the left, 1", func(t testing.TB) { Check(t, "x", constant([]float64{1, 2}, 1)) }},
		{"type", "unknown type string", func(t testing.TB) { Check(t, "x", constant("1", 1)) }},
		{"empty", "[]float64 is empty", func(t testing.TB) { Check(t, "x", constant([]float64{}, []float64{})) }},
		{"statement", "too large",
			func(t testing.TB) { Holds(t, "x", func(*rand.Rand) error { return errors.New("too large") }) }},
		{"no misprint", "want at least half", func(t testing.TB) {
			Misprint(t, "P0", func(r *rand.Rand) Reading { return Reading{1.0, 1.0, 1.0} })
		}},
		{"type of the printed form", "the printed form: unknown type string", func(t testing.TB) {
			Misprint(t, "P0", func(r *rand.Rand) Reading { return Reading{1.0, "2", 1.0} })
		}},
		{"wrong correction", "want 1", func(t testing.TB) {
			Misprint(t, "P0", func(r *rand.Rand) Reading { return Reading{1.0, 2.0, 3.0} })
		}},
	} {
		red := &recorder{}
		c.run(red)
		if len(red.said) != 1 || !strings.Contains(red.said[0], c.want) {
			t.Errorf("%s: got the messages %q, want exactly one message, which contains %q", c.name, red.said, c.want)
		}
	}
	Misprint(t, "P0", func(r *rand.Rand) Reading { x := r.Float64(); return Reading{x, -x, []float64{x}} })
	Holds(t, "x", func(*rand.Rand) error { return nil })
	CheckTo(t, "x", 0, func(r *rand.Rand) (any, any) {
		n := r.IntN(9)
		return []any{n, mat.NewDense(1, 1, []float64{2})}, []int{n, 2}
	})
}
