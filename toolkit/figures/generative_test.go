package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

var generativeProperties = []property{
	{
		name:  "fig-prml-4.10: the posterior surface is σ(wᵀx + w0) with (4.66)–(4.67)",
		draw:  with(PRML4x10, PRML4x10Options{Prior: 0.7}),
		wrong: with(PRML4x10, PRML4x10Options{ClassCovariances: true}),
		holds: sigmoidSlope,
	}, {
		name:  "fig-gambosi-gda: the posterior surface and every point's posterior are σ(wᵀx + w0)",
		wrong: with(GambosiGDA, GambosiGDAOptions{ClassCovariances: true}),
		holds: func(d show.Data) {
			sigmoidSlope(d)
			w := weights(d)
			x, y, class := drawn(d, "c.points")
			var next [2]int
			for i := range class {
				k := int(class[i])
				name := fmt.Sprintf("d.C%d", k+1)
				a, p := column(d, name+".a"), column(d, name+".p")
				want := affine(w, x[i], y[i])
				near(a[next[k]], want, 1e-6, "the activation of a point")
				near(p[next[k]], sigmoid(want), 1e-7, "its posterior")
				next[k]++
			}
			// The drawn boundary must be the line wᵀx + w0 = 0.
			need(onLine(d, "c.p(C1|x) = 1/2", w, 1e-6) == 2 && next[0] > next[1],
				"not a straight boundary, or %v points of the classes", next)
		},
	},
	{
		name:  "fig-prml-4.11: the pair with a shared covariance has a straight boundary, the others conics",
		wrong: with(PRML4x11, PRML4x11Options{ClassCovariances: true}),
		holds: func(d show.Data) {
			conics(d, "b.", map[[2]int]bool{{0, 1}: true, {0, 2}: false, {1, 2}: false})
		},
	}, {
		name:  "fig-gambosi-qda: the boundaries are conics",
		wrong: with(GambosiQDA, GambosiQDAOptions{SharedCovariance: true}),
		holds: func(d show.Data) {
			for _, panel := range []string{"c.", "d."} {
				conics(d, panel, map[[2]int]bool{{0, 1}: false, {0, 2}: false, {1, 2}: false})
			}
		},
	},
}

// sigmoidSlope checks that the weights model.w of the figure follow from its other parameters by
// (4.66)–(4.67).
func sigmoidSlope(d show.Data) {
	w := weights(d)
	for i, got := range column(d, "model.w") {
		near(got, w[i], 1e-6, fmt.Sprintf("w%d, by (4.66)–(4.67),", i))
	}
	x, y, _ := drawn(d, "b")
	p, p1, p2 := column(d, "b.p(C1|x).z"), column(d, "a.p(x|C1).z"), column(d, "a.p(x|C2).z")
	prior := single(d, "model.prior")
	need(len(p) >= 100 && len(p1) == len(p) && len(p2) == len(p), "surfaces of %d, %d and %d nodes", len(p), len(p1),
		len(p2))
	for i := range p {
		near(p[i], sigmoid(affine(w, x[i], y[i])), 1e-7, "the posterior, σ(wᵀx + w0),")
		near(p[i], prior*p1[i]/(prior*p1[i]+(1-prior)*p2[i]), 1e-7, "the posterior, by the drawn densities,")
	}
}

// weights returns w0, w1, w2 of (4.66)–(4.67), from the parameters of a figure.
func weights(d show.Data) []float64 {
	m1, m2, s := column(d, "model.mean1"), column(d, "model.mean2"), column(d, "model.cov")
	prior := single(d, "model.prior")
	need(len(m1) == 2 && len(m2) == 2 && len(s) == 4 && s[1] == s[2], "means %v and %v, covariance %v", m1, m2, s)
	det := s[0]*s[3] - s[1]*s[2]
	solve := func(m []float64) (a, b float64) { return (s[3]*m[0] - s[1]*m[1]) / det, (s[0]*m[1] - s[2]*m[0]) / det }
	a1, b1 := solve(m1)
	a2, b2 := solve(m2)
	bias := -(m1[0]*a1+m1[1]*b1)/2 + (m2[0]*a2+m2[1]*b2)/2 + math.Log(prior/(1-prior))
	return []float64{bias, a1 - a2, b1 - b2}
}

// conics checks the boundaries of three Gaussian classes in a panel. At every point the densities
// of the pair, times the priors, must agree, which defines a conic. For the pairs in straight, the
// points must lie on a straight line. For the other pairs, they must visibly differ from a straight
// line.
func conics(d show.Data, panel string, straight map[[2]int]bool) {
	bi, bj, piece := column(d, panel+"boundary.i"), column(d, panel+"boundary.j"), column(d, panel+"boundary.piece")
	x, y, _ := drawn(d, panel+"boundary")
	bend := map[[2]int]float64{}
	for start := 0; start < len(x); {
		end := start
		for end < len(x) && piece[end] == piece[start] {
			end++
		}
		pair := [2]int{int(bi[start]), int(bj[start])}
		dx, dy := x[end-1]-x[start], y[end-1]-y[start]
		for k := start; k < end; k++ {
			// distance of the point from the chord of its piece
			off := math.Abs((x[k]-x[start])*dy-(y[k]-y[start])*dx) / math.Hypot(dx, dy)
			bend[pair] = max(bend[pair], off)
			near(logJoint(d, pair[0], x[k], y[k]), logJoint(d, pair[1], x[k], y[k]), 1e-6,
				fmt.Sprintf("%s: the log joint density on the boundary of %v", panel, pair))
		}
		start = end
	}
	for pair, line := range straight {
		b, ok := bend[pair]
		need(ok, "%s: classes %v have no boundary", panel, pair)
		need((!line || b <= 1e-7) && (line || b >= 0.1), "%s: the boundary of classes %v bends by %v", panel, pair, b)
	}
}

// logJoint returns ln p(x|C_k)p(C_k) + ln 2π, from the parameters of the figure.
func logJoint(d show.Data, k int, x, y float64) float64 {
	m, s := column(d, fmt.Sprintf("model.mean%d", k+1)), column(d, fmt.Sprintf("model.cov%d", k+1))
	priors := column(d, "model.priors")
	det := s[0]*s[3] - s[1]*s[2]
	x, y = x-m[0], y-m[1]
	return -(s[3]*x*x-(s[1]+s[2])*x*y+s[0]*y*y)/(2*det) - math.Log(det)/2 + math.Log(priors[k])
}
