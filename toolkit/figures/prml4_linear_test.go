package figures

import (
	"fmt"
	"math"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

var linearProperties = []property{
	{
		name: "fig-prml-4.1: the labelled distances are y(x)/‖w‖ and −w0/‖w‖",
		// The other bias moves the line away from where the labels are expected.
		wrong: with(PRML4x1, PRML4x1Options{W0: -3}),
		holds: func(d show.Data) {
			w, x, foot, below := column(d, "w"), column(d, "x"), column(d, "foot"), column(d, "below")
			norm := math.Hypot(w[1], w[2])
			r, r0 := single(d, "distance.x"), single(d, "distance.origin")
			near(r, affine(w, x[0], x[1])/norm, 1e-8, "the distance of x")
			near(r0, -w[0]/norm, 1e-8, "the distance of the origin")
			// They are the lengths drawn, along w and ending on the line.
			for _, a := range []struct {
				from, to, on []float64
				distance     float64
			}{
				{[]float64{0, 0}, foot, foot, r0}, {below, x, below, r},
			} {
				for j := range 2 {
					near(a.to[j]-a.from[j], a.distance*w[j+1]/norm, 1e-8, "the arrow along w")
				}
				near(affine(w, a.on[0], a.on[1]), 0, 1e-7, "y at the foot of an arrow")
			}
			// By hand: 4.8/2, and (4.65 cos 20° − 1.1 sin 20°) − 2.4 = 1.593349.
			near(r0, 2.4, 1e-8, "the distance of the origin")
			near(r, 1.593349, 1e-6, "the distance of x")
		},
	},
	{
		name: "fig-prml-4.2: hatched is exactly where a scheme gives no single answer",
		// The largest g decides everywhere: nothing is hatched.
		wrong: with(PRML4x2, PRML4x2Options{Largest: true}),
		holds: func(d show.Data) {
			kinds := map[string]bool{}
			for _, panel := range []string{"a.", "b.", "c."} {
				for i := range 41 {
					for j := range 41 {
						// Points of the plane shown, off the lines.
						x, y := inFrame(d, panel, (float64(i)+0.4711)/41.5, (float64(j)+0.2341)/41.5)
						want := answerOf(d, panel, x, y)
						need(inRegion(d, panel, want, x, y), "%s: the answer at (%v, %v) is %v; another is drawn", panel, x, y, want)
						if want < 0 {
							kinds[fmt.Sprint(panel, want)] = true
						}
					}
				}
			}
			// K−1 machines: several claims only. K: several or none. Pairs: a tie.
			need(len(kinds) == 4 && kinds["a.-1"] && kinds["b.-1"] && kinds["b.-2"] && kinds["c.-1"], "regions without an answer: %v", kinds)
		},
	},
	{
		name: "fig-prml-4.3: every segment between points of a region stays in it",
		// Circles for boundaries: what lies outside of one is not convex.
		wrong: with(PRML4x3, PRML4x3Options{Bend: 0.1}),
		holds: func(d show.Data) {
			points := map[int][][2]float64{}
			for i := range 12 {
				for j := range 12 {
					x, y := inFrame(d, "", (float64(i)+0.4711)/12, (float64(j)+0.2341)/12)
					for k := range 5 {
						if inRegion(d, "", float64(k), x, y) {
							points[k] = append(points[k], [2]float64{x, y})
						}
					}
				}
			}
			need(len(points) == 5, "%d regions can be seen, want 5", len(points))
			for k, ps := range points {
				for i, p := range ps {
					for _, q := range ps[:i] {
						for _, s := range []float64{0.25, 0.5, 0.75} {
							x, y := p[0]+s*(q[0]-p[0]), p[1]+s*(q[1]-p[1])
							need(inRegion(d, "", float64(k), x, y), "(%v, %v) lies between two points of region %d, but not in it", x, y, k+1)
						}
					}
				}
			}
			sx, sy, _ := drawn(d, "segment in a region")
			for k := range 5 {
				need(inRegion(d, "", float64(k), sx[0], sy[0]) == inRegion(d, "", float64(k), sx[1], sy[1]), "the drawn segment ends in another region than it starts in")
			}
		},
	},
}

// inFrame returns the point at the shares u and v of the plane that the regions fill.
func inFrame(d show.Data, panel string, u, v float64) (x, y float64) {
	at := func(name string, share float64) float64 {
		values := column(d, panel+name)
		return (1-share)*slices.Min(values) + share*slices.Max(values)
	}
	return at("region.x", u), at("region.y", v)
}

// answerOf counts the claims or votes of the lines of a panel for three classes:
// the class, −1 for several and −2 for none.
func answerOf(d show.Data, panel string, x, y float64) float64 {
	first, second := column(d, panel+"lines.i"), column(d, panel+"lines.j")
	w0, w1, w2 := column(d, panel+"lines.w0"), column(d, panel+"lines.w1"), column(d, panel+"lines.w2")
	var votes [3]int
	rest := true
	for i := range w0 {
		rest = rest && second[i] < 0
		if w0[i]+w1[i]*x+w2[i]*y > 0 {
			votes[int(first[i])]++
		} else if second[i] >= 0 {
			votes[int(second[i])]++
		}
	}
	best, most, ties := -2.0, 0, 0
	for k, n := range votes {
		switch {
		case n > most:
			best, most, ties = float64(k), n, 1
		case n == most && n > 0:
			ties++
		}
	}
	switch {
	case ties > 1:
		return -1
	case ties == 0 && rest && len(w0) == 2: // K − 1 machines: the last class is the rest
		return 2
	}
	return best
}
