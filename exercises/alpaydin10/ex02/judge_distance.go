package ex02

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// tol is the agreement asked for, relative to the terms that are summed.
const tol = 1e-10

// answers asks for all problems and brings the answers to one size.
func answers(distance distanceFunc, list []problem) (raw, scaled []float64, bad *verify.Verdict) {
	for _, p := range list {
		r, bad := ask(distance, p)
		if bad != nil {
			return nil, nil, bad
		}
		raw, scaled = append(raw, r), append(scaled, r/p.size())
	}
	return raw, scaled, nil
}

// judgeFoot establishes (10.4) by its meaning: walked back along the normal by r,
// the point arrives on the plane.
func judgeFoot(distance distanceFunc) verify.Verdict {
	list := problems(source(3))
	raw, scaled, bad := answers(distance, list)
	if bad != nil {
		return *bad
	}
	for i, p := range list {
		// g at the foot, in units of x; huge answers overflow to Inf, which is not close.
		left := p.at(p.foot(raw[i])).g() / p.norm()
		f := verify.Close(left, 0, verify.Tolerance{Abs: tol * p.size()})
		if f.OK {
			continue
		}
		if v, ok := recognise(list, scaled); ok {
			return v
		}
		return verify.Fail("off-plane", 2, "For “%s” the point x − r w/‖w‖ does not lie on the plane: its own distance is %s.", p.name, f.Off())
	}
	return verify.Pass("Walked back by r along the unit normal w/‖w‖, every point arrives on the plane.")
}

// judgeNearest compares |r| with the plane itself, point by point: none is nearer,
// and one is as near.
func judgeNearest(distance distanceFunc) verify.Verdict {
	r := source(4)
	for _, p := range problems(r) {
		got, bad := ask(distance, p)
		if bad != nil {
			return *bad
		}
		nearest := math.Inf(1)
		var at []float64
		for range 60 {
			if x := p.onPlane(r); floats.Distance(x, p.x, 2) < nearest {
				at, nearest = x, floats.Distance(x, p.x, 2)
			}
		}
		// From the best of them downhill within the plane, by halving the way to
		// other points of it: the segment between two of its points stays in it.
		for step := 1.0; step > 1e-9; step *= 0.8 {
			for range 8 {
				towards := floats.SubTo(make([]float64, len(at)), p.onPlane(r), at)
				for _, c := range []float64{step, -step} {
					x := floats.AddScaledTo(make([]float64, len(at)), at, c, towards)
					if d := floats.Distance(x, p.x, 2); d < nearest {
						at, nearest = x, d
					}
				}
			}
		}
		slack := 1e-6 * p.size()
		switch {
		case math.Abs(got) > nearest+slack:
			return verify.Fail("too-far", 2, "For “%s” a search finds a point of the plane that is nearer to x than your |r| says. As a distance your number is too large: %s.", p.name, verify.Close(math.Abs(got), nearest, verify.Tolerance{}).Off())
		case math.Abs(got) < nearest-1e-2*p.size():
			return verify.Fail("too-near", 2, "For “%s” a search of the plane finds no point that is as near to x as your |r| says. As a distance your number is too small: %s.", p.name, verify.Close(math.Abs(got), nearest, verify.Tolerance{}).Off())
		}
	}
	return verify.Pass("A search over points of the plane found none nearer than your |r|, and some that come as near as the search can.")
}

// judgeSign looks at points to both sides of the plane, and on it.
func judgeSign(distance distanceFunc) verify.Verdict {
	r := source(5)
	wrong, right, alike := 0, 0, 0
	for _, p := range problems(r) {
		foot := p.onPlane(r)
		on := p.at(foot)
		got, bad := ask(distance, on)
		if bad != nil {
			return *bad
		}
		if f := verify.Close(got, 0, verify.Tolerance{Abs: tol * on.size()}); !f.OK {
			return verify.Fail("on-plane", 2, "For “%s” and a point that lies on the plane your distance is not zero: %s. Does w0 enter, and with its own sign?", p.name, f.Off())
		}
		var signs [2]bool
		for i, side := range []float64{1, -1} {
			away := p.at(floats.AddScaledTo(make([]float64, len(foot)), foot, side*p.size()/p.norm(), p.w))
			got, bad := ask(distance, away)
			if bad != nil {
				return *bad
			}
			signs[i] = got > 0
			if got*side > 0 {
				right++
			} else {
				wrong++
			}
		}
		if signs[0] == signs[1] {
			alike++
		}
	}
	switch {
	case wrong == 0:
		return verify.Pass("Positive on the side to which w points, negative on the other, zero on the plane.")
	case right == 0:
		return verify.Fail("sign-flipped", 2, "Your sign is turned round: negative on the side to which w points. (10.4) counts a point as positive where wᵀx + w0 > 0.")
	case 2*alike == right+wrong:
		return verify.Fail("no-sign", 2, "Both sides of the plane get the same sign. Asked for is the signed distance: what takes the sign away, an absolute value or the root of a square?")
	}
	return verify.Fail("sign", 2, "At %d of %d points the sign of your distance is not that of wᵀx + w0.", wrong, wrong+right)
}

// judgeScale multiplies w and w0 by one number, which leaves the plane as it is.
func judgeScale(distance distanceFunc) verify.Verdict {
	for _, p := range problems(source(6)) {
		got, bad := ask(distance, p)
		if bad != nil {
			return *bad
		}
		for _, c := range []float64{7, 1e-3, -2} {
			q := problem{p.name, p.x, floats.ScaleTo(make([]float64, len(p.w)), c, p.w), c * p.w0}
			other, bad := ask(distance, q)
			if bad != nil {
				return *bad
			}
			if f := verify.Close(other, math.Copysign(1, c)*got, verify.Tolerance{Abs: 2 * tol * p.size()}); !f.OK {
				if c < 0 {
					return verify.Fail("not-odd", 2, "For “%s”, with w and w0 multiplied by a negative number, the plane is the same and its positive side the other one. Your distance should change its sign alone, but it is %s.", p.name, f.Off())
				}
				return verify.Fail("scale", 1, "For “%s”, with w and w0 multiplied by one positive number, the plane is the same, but your distance changes: it is %s. A distance knows nothing of how the plane is written.", p.name, f.Off())
			}
		}
	}
	return verify.Pass("Multiplying w and w0 by c > 0 changes g(x), not the plane, and not your r; c < 0 turns its sign.")
}
