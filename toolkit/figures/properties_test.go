package figures

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// A property is a statement that must hold for the numbers of a figure. For a figure with a wrong
// parameter the statement must not hold, because a check that cannot fail is useless.
type property struct {
	name   string                       // the id of the figure, a colon, and the statement in words
	draw   func() (*show.Figure, error) // function that draws the figure; nil means the Draw function of the catalogue
	wrong  func() (*show.Figure, error)
	verify func(show.Data)
}

// drawWith returns a function that draws the figure with the options o.
func drawWith[O any](draw func(O) (*show.Figure, error), o O) func() (*show.Figure, error) {
	return func() (*show.Figure, error) { return draw(o) }
}

var properties = slices.Concat(linearProperties, discriminantProperties, curveProperties, generativeProperties,
	lineProperties, descentProperties, newtonProperties)

func TestProperties(t *testing.T) {
	for _, p := range properties {
		t.Run(p.name, func(t *testing.T) {
			if p.draw == nil {
				id, _, _ := strings.Cut(p.name, ":")
				p.draw = must(Find(id))(t).Draw
			}
			right, wrong := must(p.draw())(t).Data(), must(p.wrong())(t).Data()
			if err := failureOf(func() { p.verify(right) }); err != nil {
				t.Error(err)
			}
			if failureOf(func() { p.verify(wrong) }) == nil {
				t.Error("the property also holds for the figure with a wrong parameter")
			}
		})
	}
}

func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range All() {
		if !strings.HasPrefix(e.ID, "fig-") || seen[e.ID] {
			t.Errorf("the id %q has no prefix fig-, or is not unique", e.ID)
		}
		seen[e.ID] = true
		if e.Title == "" || e.Source == "" || e.LookFor == "" || !strings.HasPrefix(e.Call, "figures.") {
			t.Errorf("%s: the entry is %+v, want a Title, a Source, a LookFor, and a Call of package figures", e.ID, e)
		}
		if !slices.ContainsFunc(properties, func(p property) bool { return strings.HasPrefix(p.name, e.ID+":") }) {
			t.Errorf("%s has no property test", e.ID)
		}
		if fig := must(e.Draw())(t); fig.Alt == "" || len(fig.Data()) == 0 {
			t.Errorf("%s has no Alt text or no numbers", e.ID)
		}
	}
}

func TestFind(t *testing.T) {
	for _, id := range []string{"fig-prml-4.4", "prml-4.4", " PRML-4.4 "} {
		if e, err := Find(id); err != nil || e.ID != "fig-prml-4.4" {
			t.Errorf("Find(%q) returns %v and the error %v, want fig-prml-4.4 and no error", id, e.ID, err)
		}
	}
	for id, near := range map[string]string{"fig-prml-4.99": "fig-prml-4.9", "gambosi-sigmod": "fig-gambosi-sigmoid",
		"alpaydin-10.55": "fig-alpaydin-10.5"} {
		if _, err := Find(id); err == nil || !strings.Contains(err.Error(), "did you mean "+near+"?") {
			t.Errorf("the error for the id %q is %v, want the suggestion %s", id, err, near)
		}
	}
}

// TestOtherPanicsGoOn checks that returnFailure turns only a failure into an error. A panic with
// any other value must continue.
func TestOtherPanicsGoOn(t *testing.T) {
	defer func() {
		if r := recover(); r != "a fault" {
			t.Errorf("recovered %v, want the value of the panic", r)
		}
	}()
	var err error
	defer returnFailure("PRML 4.1", &err)
	panic("a fault")
}

// must returns a function that returns v. If err is not nil, the returned function instead fails the
// test and stops it.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// The following functions help to verify a property. They read numbers from the Data of figures,
// compute the same numbers independently of the figures, and compare numbers.

// failureOf runs a check and returns its failure, or nil if the check passes. A check calls the
// function `require` to report a failure; the code that draws a figure does the same.
func failureOf(check func()) (err error) {
	defer func() { storeFailure(recover(), &err) }()
	check()
	return nil
}

// checkNear fails a check if two numbers differ by more than the tolerance.
func checkNear(got, want, tolerance float64, what string) {
	require(math.Abs(got-want) <= tolerance, "%s is %v, want %v", what, got, want)
}

// drawnPart returns the columns x, y and class of a part of a figure. A missing column is nil.
func drawnPart(d show.Data, part string) (x, y, class []float64) {
	x, _ = d.Column(part + ".x")
	y, _ = d.Column(part + ".y")
	class, _ = d.Column(part + ".class")
	return x, y, class
}

// affine returns w0 + w1x + w2y.
func affine(w []float64, x, y float64) float64 { return w[0] + w[1]*x + w[2]*y }

// onLine checks that all points of a figure's part lie on the line w0 + w1x + w2y = 0. It returns
// the number of points.
func onLine(d show.Data, part string, w []float64, tolerance float64) int {
	x, y, _ := drawnPart(d, part)
	for i := range x {
		checkNear(affine(w, x[i], y[i])/math.Hypot(w[1], w[2]), 0, tolerance, "the distance of "+part+" from its line")
	}
	return len(x)
}

// wrongSide counts the points of a figure's part that lie on the wrong side of a line. The correct
// side of class 0 is w0 + w1x + w2y > 0. The correct side of any other class is w0 + w1x + w2y ≤ 0.
func wrongSide(d show.Data, part string, w []float64) (n float64) {
	x, y, class := drawnPart(d, part)
	for i := range x {
		if (affine(w, x[i], y[i]) > 0) != (class[i] == 0) {
			n++
		}
	}
	return n
}

// sigmoid computes the sigmoid independently of kernels.Sigmoid, which the figures use.
func sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

// inRegion reports whether (x, y) lies in the drawn region of class k. A point lies in the region
// if it is inside an odd number of the rings of class k.
func inRegion(d show.Data, panel string, k, x, y float64) bool {
	xs, ys, class := drawnPart(d, panel+"region")
	ring := column(d, panel+"region.ring")
	inside := false
	for i := 0; i < len(xs); {
		end := i
		for end < len(xs) && ring[end] == ring[i] {
			end++
		}
		for j := i; j < end && class[i] == k; j++ {
			next := j + 1
			if next == end {
				next = i
			}
			// does a ray from (x, y) to the right cross the side of the ring from corner j to corner next?
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
		x, y, _ := drawnPart(d, name)
		require(len(x) == 2, "the line %s has %d points, want two as for a straight line", name, len(x))
		return math.Atan2(y[1]-y[0], x[1]-x[0]) * 180 / math.Pi
	}
	turn := math.Mod(math.Abs(direction(p)-direction(q)), 180)
	return min(turn, 180-turn)
}

// moments returns the mean m and the scatter Σ(y−m)² of each class.
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

// fisherOf returns J, PRML (4.25), and the distance between the projected means.
func fisherOf(y, class []float64) (j, gap float64) {
	m, s := moments(y, class)
	return (m[1] - m[0]) * (m[1] - m[0]) / (s[0] + s[1]), math.Abs(m[1] - m[0])
}

// machineWeights reads the weights of each class from the Data of a figure with a linear machine.
func machineWeights(d show.Data) (w [][]float64) {
	w0, w1, w2 := column(d, "W.w0"), column(d, "W.w1"), column(d, "W.w2")
	for k := range w0 {
		w = append(w, []float64{w0[k], w1[k], w2[k]})
	}
	return w
}

// heights returns the discriminants g_i(x, y) of all classes for the weights w.
func heights(w [][]float64, x, y float64) (g []float64) {
	for _, w := range w {
		g = append(g, affine(w, x, y))
	}
	return g
}

// updatedWeights returns the weights after one update of the weights w. The update is the one that
// Alpaydin prints in figure 10.6 (k = 1) or 10.8 (k > 1).
func updatedWeights(w, x, y, class []float64, k int, rate float64) []float64 {
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

// outputs returns the outputs of a model for the input (x, y), one for each class. It uses the
// model of Alpaydin figure 10.6 if k = 1, and the model of figure 10.8 if k > 1.
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

var generativeProperties = []property{
	{
		name:   "fig-prml-4.10: the posterior surface is σ(wᵀx + w0) with (4.66)–(4.67)",
		draw:   drawWith(PRML4x10, PRML4x10Options{Prior: 0.7}),
		wrong:  drawWith(PRML4x10, PRML4x10Options{ClassCovariances: true}),
		verify: sigmoidSlope,
	}, {
		name:  "fig-gambosi-gda: the posterior surface and the posterior of every point are σ(wᵀx + w0)",
		wrong: drawWith(GambosiGDA, GambosiGDAOptions{ClassCovariances: true}),
		verify: func(d show.Data) {
			sigmoidSlope(d)
			w := weights(d)
			x, y, class := drawnPart(d, "c.points")
			var next [2]int
			for i := range class {
				k := int(class[i])
				name := fmt.Sprintf("d.C%d", k+1)
				a, p := column(d, name+".a"), column(d, name+".p")
				want := affine(w, x[i], y[i])
				checkNear(a[next[k]], want, 1e-6, "the activation of a point")
				checkNear(p[next[k]], sigmoid(want), 1e-7, "the posterior of a point")
				next[k]++
			}
			// Both points of the drawn boundary must lie on the line wᵀx + w0 = 0, and the first
			// class must have more points than the second.
			require(onLine(d, "c.p(C1|x) = 1/2", w, 1e-6) == 2 && next[0] > next[1],
				"the classes have %v points, want more points in the first class than in the second; the drawn boundary has %d points, want exactly two",
				next, onLine(d, "c.p(C1|x) = 1/2", w, 1e-6))
		},
	},
	{
		name:  "fig-prml-4.11: the pair with a shared covariance has a straight boundary, the other pairs have conics",
		wrong: drawWith(PRML4x11, PRML4x11Options{ClassCovariances: true}),
		verify: func(d show.Data) {
			checkConics(d, "b.", map[[2]int]bool{{0, 1}: true, {0, 2}: false, {1, 2}: false})
		},
	}, {
		name:  "fig-gambosi-qda: the boundaries are conics",
		wrong: drawWith(GambosiQDA, GambosiQDAOptions{SharedCovariance: true}),
		verify: func(d show.Data) {
			for _, panel := range []string{"c.", "d."} {
				checkConics(d, panel, map[[2]int]bool{{0, 1}: false, {0, 2}: false, {1, 2}: false})
			}
		},
	},
}

// sigmoidSlope checks the weights in the column "model.w" of the figure: (4.66) and (4.67), applied
// to the figure's other parameters, must give the same weights. It also computes the posterior in two
// ways, from these weights and from the drawn densities with the prior. The drawn posterior must equal
// both results.
func sigmoidSlope(d show.Data) {
	w := weights(d)
	for i, got := range column(d, "model.w") {
		checkNear(got, w[i], 1e-6, fmt.Sprintf("the figure's w%d, which must satisfy (4.66)–(4.67),", i))
	}
	x, y, _ := drawnPart(d, "b")
	p, p1, p2 := column(d, "b.p(C1|x).z"), column(d, "a.p(x|C1).z"), column(d, "a.p(x|C2).z")
	prior := singleNumber(d, "model.prior")
	require(len(p) >= 100 && len(p1) == len(p) && len(p2) == len(p),
		"the surfaces have %d, %d and %d nodes, want equal numbers of at least 100", len(p), len(p1),
		len(p2))
	for i := range p {
		checkNear(p[i], sigmoid(affine(w, x[i], y[i])), 1e-7, "the drawn posterior, which must be σ(wᵀx + w0),")
		checkNear(p[i], prior*p1[i]/(prior*p1[i]+(1-prior)*p2[i]), 1e-7, "the drawn posterior, which must follow from the prior and the drawn densities,")
	}
}

// weights computes w0, w1 and w2 by (4.66) and (4.67) from the other parameters of a figure.
func weights(d show.Data) []float64 {
	m1, m2, s := column(d, "model.mean1"), column(d, "model.mean2"), column(d, "model.cov")
	prior := singleNumber(d, "model.prior")
	require(len(m1) == 2 && len(m2) == 2 && len(s) == 4 && s[1] == s[2],
		"the figure has the means %v and %v and the covariance %v, want vectors of length 2 and a symmetric 2×2 matrix", m1, m2, s)
	det := s[0]*s[3] - s[1]*s[2]
	solve := func(m []float64) (a, b float64) { return (s[3]*m[0] - s[1]*m[1]) / det, (s[0]*m[1] - s[2]*m[0]) / det }
	a1, b1 := solve(m1)
	a2, b2 := solve(m2)
	bias := -(m1[0]*a1+m1[1]*b1)/2 + (m2[0]*a2+m2[1]*b2)/2 + math.Log(prior/(1-prior))
	return []float64{bias, a1 - a2, b1 - b2}
}

// checkConics checks the boundaries of three Gaussian classes in a panel. At every point of the
// boundary between two classes, density times prior must be the same for both classes. The points
// with this property form a conic. If straight[i, j] is true, the boundary between the classes i
// and j must be a straight line. If it is false, the boundary must visibly differ from a straight
// line.
func checkConics(d show.Data, panel string, straight map[[2]int]bool) {
	bi, bj, piece := column(d, panel+"boundary.i"), column(d, panel+"boundary.j"), column(d, panel+"boundary.piece")
	x, y, _ := drawnPart(d, panel+"boundary")
	bend := map[[2]int]float64{}
	for start := 0; start < len(x); {
		end := start
		for end < len(x) && piece[end] == piece[start] {
			end++
		}
		pair := [2]int{int(bi[start]), int(bj[start])}
		dx, dy := x[end-1]-x[start], y[end-1]-y[start]
		for k := start; k < end; k++ {
			// distance of the point from the straight line that joins the ends of its piece
			off := math.Abs((x[k]-x[start])*dy-(y[k]-y[start])*dx) / math.Hypot(dx, dy)
			bend[pair] = max(bend[pair], off)
			checkNear(logJoint(d, pair[0], x[k], y[k]), logJoint(d, pair[1], x[k], y[k]), 1e-6,
				fmt.Sprintf("panel %s: on the boundary of the classes %v, the log joint density of the first class", panel, pair))
		}
		start = end
	}
	for pair, line := range straight {
		b, ok := bend[pair]
		require(ok, "panel %s: classes %v have no boundary", panel, pair)
		require((!line || b <= 1e-7) && (line || b >= 0.1),
			"panel %s: the boundary of classes %v differs from a straight line by %v, want about 0 for a straight boundary and at least 0.1 for a curve", panel, pair, b)
	}
}

// logJoint computes ln p(x|C_k)p(C_k) + ln 2π from the parameters of the figure.
func logJoint(d show.Data, k int, x, y float64) float64 {
	m, s := column(d, fmt.Sprintf("model.mean%d", k+1)), column(d, fmt.Sprintf("model.cov%d", k+1))
	priors := column(d, "model.priors")
	det := s[0]*s[3] - s[1]*s[2]
	x, y = x-m[0], y-m[1]
	return -(s[3]*x*x-(s[1]+s[2])*x*y+s[0]*y*y)/(2*det) - math.Log(det)/2 + math.Log(priors[k])
}

var newtonProperties = []property{
	{
		name:  "fig-gambosi-newton: each step ends at the root of the tangent, and the convergence is quadratic",
		wrong: drawWith(GambosiNewton, GambosiNewtonOptions{Rate: 0.9}),
		verify: func(d show.Data) {
			tangentSteps(d)
			checkQuadratic(d, "error.one weight")
			checkQuadratic(d, "error.Newton")
			require(failureOf(func() { checkQuadratic(d, "error.gradient descent") }) != nil,
				"gradient descent converges quadratically, want slower convergence")
		},
	}, {
		name:   "fig-gambosi-newton: the convergence is quadratic at rate 1, but not at rate 1/2",
		draw:   drawWith(GambosiNewton, GambosiNewtonOptions{Seed: 3}),
		wrong:  drawWith(GambosiNewton, GambosiNewtonOptions{Rate: 0.5}),
		verify: func(d show.Data) { checkQuadratic(d, "error.Newton") },
	},
}

// tangentSteps checks that every step of the fit with one weight is a Newton step. It also checks the
// tangents that the first panel draws. Each tangent must start on the drawn curve at an iterate, have
// the slope of the curve, and end on the w axis at the next iterate.
func tangentSteps(d show.Data) {
	w, slope, curvature := column(d, "newton.w"), column(d, "newton.slope"), column(d, "newton.curvature")
	for k := range len(w) - 1 {
		checkNear(w[k+1], w[k]-slope[k]/curvature[k], 1e-7, "the end of a step")
	}
	x, f := column(d, "a.x"), column(d, "a.dE/dw")
	tx, ty, _ := drawnPart(d, "a.tangents")
	require(len(tx) >= 6, "the column a.tangents.x has %d numbers, want at least 6", len(tx))
	h := x[1] - x[0]
	for k := 0; k+2 < len(tx); k += 3 {
		require(math.Abs(ty[k+1]) <= 1e-8 && tx[k] == w[k/3] && tx[k+1] == w[k/3+1],
			"tangent %d begins at w = %v, want the iterate %v; it ends at (%v, %v), want the next iterate %v on the w axis", k/3,
			tx[k], w[k/3], tx[k+1], ty[k+1], w[k/3+1])
		// The drawn curve consists of chords between points at distance h. A chord differs from
		// the true curve f by at most h²/8·|f″|, and the slopes differ by at most h/2·|f″|. Here
		// |f″| is below 1.
		i := int((tx[k] - x[0]) / h)
		chord := (f[i+1] - f[i]) / h
		checkNear(ty[k], f[i]+chord*(tx[k]-x[i]), h*h, "the height at which a tangent begins, which must be on the curve,")
		checkNear((ty[k+1]-ty[k])/(tx[k+1]-tx[k]), chord, h, "the slope of a tangent")
	}
}

// checkQuadratic checks quadratic convergence. After every error e below 1/3, the next error must
// be at most 2e². Such a step must occur at least twice, and the last error must be at most 1e-4.
func checkQuadratic(d show.Data, name string) {
	e := column(d, name)
	close := 0
	for k := 0; k+1 < len(e); k++ {
		if e[k] < 1.0/3 {
			close++
			require(e[k+1] <= 2*e[k]*e[k], "in the column %s the error %v follows the error %v, want at most twice the square of the earlier error", name, e[k+1], e[k])
		}
	}
	require(close >= 2 && e[len(e)-1] <= 1e-4, "the column %s is %v, want at least two errors below 1/3 before the last error, and a last error of at most 1e-4", name, e)
}
