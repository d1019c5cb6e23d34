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

func stretches(d *discriminant, at []float64) []stretch {
	var out []stretch
	before := false
	for i, x := range at {
		positive := d.at(x) > 0
		if positive && !before {
			out = append(out, stretch{from: x - 0.005, openLeft: i == 0})
		}
		if positive {
			last := &out[len(out)-1]
			last.to, last.openEnd = x+0.005, i == len(at)-1
		}
		before = positive
	}
	return out
}

// recognise names what is wrong with a discriminant, by the set on which it is
// positive.
func recognise(d *discriminant, otherwise *verify.Verdict) verify.Verdict {
	at := grid()
	runs := stretches(d, at)
	if d.bad != nil {
		return *d.bad
	}
	if right(func(x float64) float64 { return -d.at(x) }) {
		return verify.Fail("class-flipped", 2, "Every x is put into the other class: g has the wrong sign. The rule is C₁ where g(x) > 0.")
	}
	if m := len(d.w); d.bias && right(d.with(d.all[m], d.all[:m])) {
		return verify.Fail("bias-last", 2, "With the last of your weights as the bias every x is right: the bias belongs in front.")
	}
	if m := len(d.w); m <= 4 { // more have too many orders
		for _, order := range combin.Permutations(m, m) {
			w := slices.Clone(d.w)
			for j, from := range order {
				w[j] = d.w[from]
			}
			if right(d.with(d.w0, w)) && !slices.IsSorted(order) {
				return verify.Fail("weights-order", 3, "With your weights in another order every x is right: the weights after the bias stand in the order of the features.")
			}
		}
	}
	if linear(d) {
		return verify.Fail("linear-in-x", 1, "Your g is linear in x itself: a straight line, which changes its sign once. Two boundaries need a g that bends; the features may bend, although g is linear in them.")
	}
	switch {
	case len(runs) == 0:
		return verify.Fail("never", 2, "Your g is nowhere positive between %.0f and %.0f: no x is put into C₁.", at[0], at[len(at)-1])
	case len(runs) > 1:
		return verify.Fail("several-intervals", 3, "Your g is positive on %d separate stretches between %.0f and %.0f; it must be on one. A wave, or a power that turns back?", len(runs), at[0], at[len(at)-1])
	case runs[0].openLeft && runs[0].openEnd:
		return verify.Fail("always", 2, "Your g is positive everywhere between %.0f and %.0f: all x are put into C₁.", at[0], at[len(at)-1])
	case runs[0].openLeft || runs[0].openEnd:
		return verify.Fail("one-boundary", 1, "Your g changes its sign once: one side of the axis is C₁, the other C₂. The interval has two ends.")
	}
	r := runs[0]
	centre, width := (r.from+r.to)/2-own().middle(), r.to-r.from-2*own().half()
	where := "is positive for x between about %.2f and %.2f"
	switch {
	case math.Abs(centre) < 0.02 && math.Abs(width) < 0.03:
		return *otherwise // the grid cannot tell
	case math.Abs(width) < 0.03:
		return verify.Fail("centre-off", 2, "Your g "+where+": the width is right, the place is not.", r.from, r.to)
	case math.Abs(centre) < 0.02:
		return verify.Fail("width-off", 2, "Your g "+where+": the middle is right, the width is not. Where is g zero?", r.from, r.to)
	}
	return verify.Fail("interval-off", 2, "Your g "+where+". Where is it zero?", r.from, r.to)
}

// right reports whether g tells the classes at all places of the grid.
func right(g func(x float64) float64) bool {
	own := own()
	return !slices.ContainsFunc(grid(), func(x float64) bool { return (g(x) > 0) != own.contains(x) })
}

// with is g(x) by another reading of the weights.
func (d discriminant) with(w0 float64, w []float64) func(x float64) float64 {
	d.w0, d.w = w0, w
	return d.at
}

// linear reports whether g is a straight line in x, and not constant.
func linear(d *discriminant) bool {
	var g [7]float64
	size := 0.0
	for i := range g {
		g[i] = d.at(-12 + 5.3*float64(i))
		size = math.Max(size, math.Abs(g[i]))
	}
	for i := 2; i < len(g); i++ {
		if !(math.Abs(g[i]-2*g[i-1]+g[i-2]) <= 1e-9*size) { // ∞ − ∞, too
			return false
		}
	}
	return math.Abs(g[1]-g[0]) > 1e-9*size
}
