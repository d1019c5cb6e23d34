package ex09

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A stretch is a run of places with g > 0; open at an end where the grid ends.
type stretch struct {
	from, to          float64
	openLeft, openEnd bool
}

func stretches(at []float64, got []bool) []stretch {
	var out []stretch
	for i, g := range got {
		if !g {
			continue
		}
		if i == 0 || !got[i-1] {
			out = append(out, stretch{from: at[i] - 0.005, openLeft: i == 0})
		}
		last := &out[len(out)-1]
		last.to, last.openEnd = at[i]+0.005, i == len(got)-1
	}
	return out
}

// recognise names what is wrong with a discriminant, by the set on which it is
// positive.
func recognise(d discriminant, at []float64, got []bool) (verify.Verdict, bool) {
	if turnedOver(d, at, func(x float64) (float64, bool) { g, bad := d.at(x); return -g, bad == nil }) {
		return verify.Fail("class-flipped", 2, "Every x is put into the other class: g has the wrong sign. The rule is C₁ where g(x) > 0."), true
	}
	if d.bias && turnedOver(d, at, func(x float64) (float64, bool) { return biasLast(d, x) }) {
		return verify.Fail("bias-last", 2, "With the last of your weights as the bias every x is right: the bias belongs in front."), true
	}
	if order := slices.IndexFunc(orders(len(d.w)), func(order []int) bool {
		return turnedOver(d, at, func(x float64) (float64, bool) { return reordered(d, x, order) })
	}); order >= 0 {
		return verify.Fail("weights-order", 3, "With your weights in another order every x is right: the weights after the bias stand in the order of the features."), true
	}
	if linear(d) {
		return verify.Fail("linear-in-x", 1, "Your g is linear in x itself: a straight line, which changes its sign once. Two boundaries need a g that bends; the features may bend, although g is linear in them."), true
	}
	runs := stretches(at, got)
	switch {
	case len(runs) == 0:
		return verify.Fail("never", 2, "Your g is nowhere positive between %.0f and %.0f: no x is put into C₁.", at[0], at[len(at)-1]), true
	case len(runs) > 1:
		return verify.Fail("several-intervals", 3, "Your g is positive on %d separate stretches between %.0f and %.0f; it must be on one. A wave, or a power that turns back?", len(runs), at[0], at[len(at)-1]), true
	case runs[0].openLeft && runs[0].openEnd:
		return verify.Fail("always", 2, "Your g is positive everywhere between %.0f and %.0f: all x are put into C₁.", at[0], at[len(at)-1]), true
	case runs[0].openLeft || runs[0].openEnd:
		return verify.Fail("one-boundary", 1, "Your g changes its sign once: one side of the axis is C₁, the other C₂. The interval has two ends."), true
	}
	r := runs[0]
	centre, width := (r.from+r.to)/2-own().middle(), r.to-r.from-2*own().half()
	where := "is positive for x between about %.2f and %.2f"
	switch {
	case math.Abs(centre) < 0.02 && math.Abs(width) < 0.03:
		return verify.Verdict{}, false // the grid cannot tell
	case math.Abs(width) < 0.03:
		return verify.Fail("centre-off", 2, "Your g "+where+": the width is right, the place is not.", r.from, r.to), true
	case math.Abs(centre) < 0.02:
		return verify.Fail("width-off", 2, "Your g "+where+": the middle is right, the width is not. Where is g zero?", r.from, r.to), true
	}
	return verify.Fail("interval-off", 2, "Your g "+where+". Where is it zero?", r.from, r.to), true
}

// turnedOver reports whether another reading of the discriminant is right at all
// places.
func turnedOver(d discriminant, at []float64, g func(x float64) (float64, bool)) bool {
	right := own().contains
	for _, x := range at {
		v, ok := g(x)
		if !ok || (v > 0) != right(x) {
			return false
		}
	}
	return true
}

// biasLast is g(x) with the last weight read as the bias.
func biasLast(d discriminant, x float64) (float64, bool) {
	phi := d.features(x)
	if len(phi) != len(d.w) {
		return 0, false
	}
	g := d.all[len(phi)]
	for j, v := range phi {
		g += d.all[j] * v
	}
	return g, !math.IsNaN(g)
}

// reordered is g(x) with weight order[j] for feature j.
func reordered(d discriminant, x float64, order []int) (float64, bool) {
	phi := d.features(x)
	if len(phi) != len(d.w) {
		return 0, false
	}
	g := d.w0
	for j, v := range phi {
		g += d.w[order[j]] * v
	}
	return g, !math.IsNaN(g)
}

// orders are the ways in which up to 4 weights can be put in another order.
func orders(m int) [][]int {
	if m > 4 {
		return nil
	}
	return slices.DeleteFunc(combin.Permutations(m, m), slices.IsSorted[[]int])
}

// linear reports whether g is a straight line in x, and not constant.
func linear(d discriminant) bool {
	var g [7]float64
	size := 0.0
	for i := range g {
		v, bad := d.at(-12 + 5.3*float64(i))
		if bad != nil || math.IsInf(v, 0) {
			return false
		}
		g[i], size = v, math.Max(size, math.Abs(v))
	}
	for i := 2; i < len(g); i++ {
		if math.Abs(g[i]-2*g[i-1]+g[i-2]) > 1e-9*size {
			return false
		}
	}
	return math.Abs(g[1]-g[0]) > 1e-9*size
}
