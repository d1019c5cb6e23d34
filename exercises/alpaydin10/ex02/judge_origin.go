package ex02

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// judgeOrigin accepts the three conventions, the same one for every plane, and
// names it.
func judgeOrigin(origin originFunc) verify.Verdict {
	list := problems(source(7))
	var scaled []float64 // answers in units of |w0|/‖w‖
	var planes []problem
	for _, p := range list {
		r, bad := askOrigin(origin, p)
		if bad != nil {
			return *bad
		}
		if p.w0 == 0 {
			if f := verify.Close(r, 0, verify.Tolerance{Abs: tol}); !f.OK {
				return verify.Fail("through-origin", 2, "For “%s” the plane contains the origin, but your distance is not zero: %s.", p.name, f.Off())
			}
			continue
		}
		scaled, planes = append(scaled, r*p.norm()/math.Abs(p.w0)), append(planes, p)
	}
	for _, c := range conventions {
		if agree(scaled, planes, c.sign) {
			return verify.Pass("%s", c.message)
		}
	}
	if v, ok := recogniseOrigin(planes, scaled); ok {
		return v
	}
	for i, p := range planes {
		f := verify.Close(math.Abs(scaled[i]), 1, verify.Tolerance{Rel: tol})
		if !f.OK {
			// The miss is given in units of x.
			g := verify.Close(math.Abs(scaled[i])*math.Abs(p.w0)/p.norm(), math.Abs(p.w0)/p.norm(), verify.Tolerance{})
			return verify.Fail("origin-distance", 2, "For “%s” the size of your number is not the distance of the origin from the plane: %s.", p.name, g.Off())
		}
	}
	return verify.Fail("mixed-signs", 2, "The size is right everywhere, but the sign follows no rule: it is that of w0 for some planes and the opposite for others. It must depend on w0 alone.")
}

// conventions are the right signs: of the origin's own distance, of the plane's
// coordinate along w, and none.
var conventions = []struct {
	sign    func(w0 float64) float64
	message string
}{
	{func(w0 float64) float64 { return math.Copysign(1, w0) },
		"Your number is w0/‖w‖, as in (10.5): the signed distance of the origin, g(0)/‖w‖, positive where the origin lies on the positive side. PRML (4.5) has the opposite sign because it measures the other way: from the origin to the plane, along w."},
	{func(w0 float64) float64 { return -math.Copysign(1, w0) },
		"Your number is −w0/‖w‖, as in PRML (4.5): the coordinate along w of the plane's point nearest to the origin. Alpaydin's (10.5) has the opposite sign: it is the distance of the origin as seen from the plane, g(0)/‖w‖. Both are right."},
	{func(float64) float64 { return 1 },
		"Your number is |w0|/‖w‖, the distance proper, without a sign. Alpaydin's (10.5) is w0/‖w‖ and PRML (4.5) is −w0/‖w‖: they also tell the side, seen from the plane and from the origin."},
}

func agree(scaled []float64, planes []problem, sign func(float64) float64) bool {
	for i, p := range planes {
		if !verify.Close(scaled[i], sign(p.w0), verify.Tolerance{Rel: tol}).OK {
			return false
		}
	}
	return true
}
