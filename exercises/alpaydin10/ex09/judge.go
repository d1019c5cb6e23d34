package ex09

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// near looks at all places of the grid of one class and names what is wrong with
// the discriminant if one of them is misjudged.
func near(d discriminant, class bool, pass string) verify.Verdict {
	at := grid()
	got, bad := d.signs(at)
	if bad != nil {
		return *bad
	}
	right := own().contains
	wrong, total, example := 0, 0, 0.0
	for i, x := range at {
		if right(x) != class {
			continue
		}
		total++
		if got[i] != class {
			if wrong == 0 {
				example = x
			}
			wrong++
		}
	}
	if wrong == 0 {
		return verify.Pass("%s", pass)
	}
	if v, ok := recognise(d, at, got); ok {
		return v
	}
	side := "C₂, with g(x) ≤ 0"
	if !class {
		side = "C₁, with g(x) > 0"
	}
	return verify.Fail("misclassified", 2, "%d of %d places, x = %.4g among them, are put into %s.", wrong, total, example, side)
}

func judgeInside(d discriminant) verify.Verdict {
	i := own()
	return near(d, true, fmt.Sprintf("g(x) > 0 at %.0f places between %g and %g.", 200*i.half(), i.from, i.to))
}

func judgeOutside(d discriminant) verify.Verdict {
	return near(d, false, fmt.Sprintf("g(x) ≤ 0 at %.0f places to both sides.", 200*(reach()-own().half())))
}

// judgeEdges looks closely at the ends of the interval. The end points themselves belong to no
// class and are not looked at.
func judgeEdges(d discriminant) verify.Verdict {
	at := grid()
	got, bad := d.signs(at)
	if bad != nil {
		return *bad
	}
	i := own()
	for _, step := range []float64{1e-3, 1e-5, 1e-6} {
		for _, edge := range []float64{i.from, i.to} {
			for _, x := range []float64{edge - step, edge + step} {
				g, bad := d.at(x)
				if bad != nil {
					return *bad
				}
				if g > 0 == i.contains(x) {
					continue
				}
				if v, ok := recognise(d, at, got); ok {
					return v
				}
				return verify.Fail("edge", 3, "Near %g the class does not change where it should: %g lies on the wrong side of your boundary. Rounded weights?", edge, x)
			}
		}
	}
	return verify.Pass("To 10⁻⁶ on either side of %[1]g and %[2]g the classes are right. (What happens at %[1]g and %[2]g themselves the exercise leaves open.)", i.from, i.to)
}

// judgeFar follows the axis outwards.
func judgeFar(d discriminant) verify.Verdict {
	at := grid()
	got, bad := d.signs(at)
	if bad != nil {
		return *bad
	}
	own, nearRight := own(), true
	for i, x := range at {
		nearRight = nearRight && got[i] == own.contains(x)
	}
	values := map[float64]bool{}
	for c := 20.0; c <= 1e6; c = math.Min(1.003*c, 1e6) {
		// around the interval, but not beyond what the stub promises
		for _, x := range []float64{math.Max(-1e6, own.middle()-3-c), math.Min(1e6, own.middle()-3+c)} {
			g, bad := d.at(x)
			if bad != nil {
				return *bad
			}
			values[g] = true
			if g <= 0 {
				continue
			}
			if v, ok := recognise(d, at, got); ok && !nearRight {
				return v
			}
			return verify.Fail("wrong-far-out", 3, "At x = %.3g g is positive again. What does your g do in the long run: does a higher power, or a wave, take over?", x)
		}
		if c == 1e6 {
			break
		}
	}
	for _, x := range at {
		g, bad := d.at(x)
		if bad != nil {
			return *bad
		}
		values[g] = true
	}
	if len(values) <= 4 {
		return verify.Pass("g(x) ≤ 0 out to ±10⁶. Your features are steps, which is allowed: indicator functions are basis functions too. Gradient descent could not find where they step; a smooth feature needs no such knowledge.")
	}
	return verify.Pass("g(x) ≤ 0 out to ±10⁶.")
}
