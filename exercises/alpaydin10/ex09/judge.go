package ex09

import (
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
	return near(d, true, "g(x) > 0 at 200 places between 2 and 4.")
}

func judgeOutside(d discriminant) verify.Verdict {
	return near(d, false, "g(x) ≤ 0 at 4400 places to both sides.")
}

// judgeEdges looks closely at 2 and 4. The end points themselves belong to no
// class and are not looked at.
func judgeEdges(d discriminant) verify.Verdict {
	at := grid()
	got, bad := d.signs(at)
	if bad != nil {
		return *bad
	}
	for _, step := range []float64{1e-3, 1e-5, 1e-6} {
		for _, edge := range []float64{2, 4} {
			for _, x := range []float64{edge - step, edge + step} {
				g, bad := d.at(x)
				if bad != nil {
					return *bad
				}
				if g > 0 == right(x) {
					continue
				}
				if v, ok := recognise(d, at, got); ok {
					return v
				}
				return verify.Fail("edge", 3, "Near %g the class does not change where it should: %g lies on the wrong side of your boundary. Rounded weights?", edge, x)
			}
		}
	}
	return verify.Pass("To 10⁻⁶ on either side of 2 and 4 the classes are right. (What happens at 2 and 4 themselves the exercise leaves open.)")
}

// judgeFar follows the axis outwards.
func judgeFar(d discriminant) verify.Verdict {
	at := grid()
	got, bad := d.signs(at)
	if bad != nil {
		return *bad
	}
	nearRight := true
	for i, x := range at {
		nearRight = nearRight && got[i] == right(x)
	}
	values := map[float64]bool{}
	for c := 20.0; c <= 1e6; c = math.Min(1.003*c, 1e6) {
		for _, x := range []float64{-c, c} {
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
