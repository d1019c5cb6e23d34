package figures

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// What the tests read from the numbers of figures, and calculate anew.

// failing returns the failure of a check, nil if it holds. Checks end with need, as
// figures do.
func failing(check func()) (err error) {
	defer func() { caught(recover(), &err) }()
	check()
	return nil
}

// near ends a check unless two numbers agree.
func near(got, want, tolerance float64, what string) {
	need(math.Abs(got-want) <= tolerance, "%s is %v, want %v", what, got, want)
}

// drawn returns the columns x, y and, if there is one, class of a part; it may be
// missing from the figure.
func drawn(d show.Data, part string) (x, y, class []float64) {
	x, _ = d.Column(part + ".x")
	y, _ = d.Column(part + ".y")
	class, _ = d.Column(part + ".class")
	return x, y, class
}

// affine returns w0 + w1x + w2y.
func affine(w []float64, x, y float64) float64 { return w[0] + w[1]*x + w[2]*y }

// onLine checks that a part lies where w0 + w1x + w2y = 0, and returns how many points it has.
func onLine(d show.Data, part string, w []float64, tolerance float64) int {
	x, y, _ := drawn(d, part)
	for i := range x {
		near(affine(w, x[i], y[i])/math.Hypot(w[1], w[2]), 0, tolerance, "the distance of "+part+" from its line")
	}
	return len(x)
}

// wrongSide counts the points of a part that do not lie where w0 + w1x + w2y > 0, for
// class 0, or ≤ 0.
func wrongSide(d show.Data, part string, w []float64) (n float64) {
	x, y, class := drawn(d, part)
	for i := range x {
		if (affine(w, x[i], y[i]) > 0) != (class[i] == 0) {
			n++
		}
	}
	return n
}

// sigmoid is written here once more: kernels.Sigmoid is what is tested.
func sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

// inRegion says whether (x, y) lies in the drawn region of class k: inside an odd
// number of its rings.
func inRegion(d show.Data, panel string, k, x, y float64) bool {
	xs, ys, class := drawn(d, panel+"region")
	ring := column(d, panel+"region.ring")
	inside := false
	for i := 0; i < len(xs); {
		end := i
		for end < len(xs) && ring[end] == ring[i] {
			end++
		}
		for j := i; j < end && class[i] == k; j++ { // does a ray to the right cross this side of the ring?
			next := j + 1
			if next == end {
				next = i
			}
			if (ys[j] > y) != (ys[next] > y) && x < xs[j]+(y-ys[j])/(ys[next]-ys[j])*(xs[next]-xs[j]) {
				inside = !inside
			}
		}
		i = end
	}
	return inside
}

// angle returns the angle in degrees between two drawn straight lines.
func angle(d show.Data, p, q string) float64 {
	direction := func(name string) float64 {
		x, y, _ := drawn(d, name)
		need(len(x) == 2, "%s has %d points: a straight line has two", name, len(x))
		return math.Atan2(y[1]-y[0], x[1]-x[0]) * 180 / math.Pi
	}
	turn := math.Mod(math.Abs(direction(p)-direction(q)), 180)
	return min(turn, 180-turn)
}

// moments returns means and scatters Σ(y−m)² of both classes.
func moments(y, class []float64) (m, s [2]float64) {
	var n [2]float64
	for i, c := range class {
		n[int(c)]++
		m[int(c)] += y[i]
	}
	m[0], m[1] = m[0]/n[0], m[1]/n[1]
	for i, c := range class {
		s[int(c)] += (y[i] - m[int(c)]) * (y[i] - m[int(c)])
	}
	return m, s
}

// fisherOf returns J, PRML (4.25), and the distance of the means.
func fisherOf(y, class []float64) (j, gap float64) {
	m, s := moments(y, class)
	return (m[1] - m[0]) * (m[1] - m[0]) / (s[0] + s[1]), math.Abs(m[1] - m[0])
}

// machineWeights returns the weights of each class among the numbers of a linear machine.
func machineWeights(d show.Data) (w [][]float64) {
	w0, w1, w2 := column(d, "W.w0"), column(d, "W.w1"), column(d, "W.w2")
	for k := range w0 {
		w = append(w, []float64{w0[k], w1[k], w2[k]})
	}
	return w
}

// heights returns g_i(x, y) of these weights.
func heights(w [][]float64, x, y float64) (g []float64) {
	for _, w := range w {
		g = append(g, affine(w, x, y))
	}
	return g
}

// updated makes one update of Alpaydin figure 10.6 (k = 1) or 10.8 as they are printed.
func updated(w, x, y, class []float64, k int, rate float64) []float64 {
	next := append([]float64(nil), w...)
	for t := range x {
		input, out := [3]float64{1, x[t], y[t]}, outputs(w, x[t], y[t], k)
		for i := range k {
			r := 0.0
			if int(class[t]) == i {
				r = 1
			}
			for j, v := range input {
				next[3*i+j] += rate * (r - out[i]) * v
			}
		}
	}
	return next
}

// outputs returns the y of these figures for one input, of both classes if k is 1.
func outputs(w []float64, x, y float64, k int) []float64 {
	if k == 1 {
		p := sigmoid(affine(w, x, y))
		return []float64{p, 1 - p}
	}
	out, sum := make([]float64, k), 0.0
	for i := range out {
		out[i] = math.Exp(affine(w[3*i:], x, y))
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}
