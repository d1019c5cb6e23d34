package figures

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// TestPRML4x12Frames checks every position of the two centres, and that the check
// finds it if a model was fitted for another position.
func TestPRML4x12Frames(t *testing.T) {
	o := PRML4x12Options{}.filled()
	s := must(o.scene())(t)
	last := len(prml4x12Places) - 1
	for i, f := range prml4x12Places {
		for j, g := range prml4x12Places {
			fig := must(o.frame(s, i, j))(t)
			// The clouds lie around (−1.5, −1), the middle and (1.5, 1).
			centres := [2][2]float64{{-1.5 * f, -f}, {1.5 * g, g}}
			if err := fittedAnew(fig, centres); err != nil {
				t.Errorf("centres at %v: %v", centres, err)
			}
			if fittedAnew(must(o.frame(s, i, (j+1)%(last+1)))(t), centres) == nil {
				t.Errorf("centres at %v: a frame of others passes", centres)
			}
		}
	}
	start := must(o.frame(s, 1, 1))(t)
	if before, after := value(start.Data(), "mistakes.x"), value(start.Data(), "mistakes.φ"); !(after < before/10) {
		t.Errorf("with the centres on the clouds %v are wrong, without basis functions %v", after, before)
	}
}

// fittedAnew checks a frame for these centres: the points of the second panel are φ of
// those of the first, the weights are the optimum there, the boundary in both panels is
// where they say, straight in φ, and the points counted as wrong are.
func fittedAnew(fig *show.Figure, centres [2][2]float64) error {
	const width, alpha = 1.3, 0.01
	d := fig.Data()
	x, y, class := drawn(d, "a.points")
	px, py, _ := drawn(d, "b.points")
	phi := func(j int, x, y float64) float64 {
		return math.Exp(-(math.Pow(x-centres[j][0], 2) + math.Pow(y-centres[j][1], 2)) / (2 * width * width))
	}
	w, _ := d.Column("model.w")
	if len(w) != 3 || len(px) != 120 {
		return fmt.Errorf("%d weights, %d points", len(w), len(px))
	}
	// ∇E = Σ (y − t) φ + α w, without the bias in the prior.
	gradient, wrong := [3]float64{0, alpha * w[1], alpha * w[2]}, 0.0
	for i := range px {
		if math.Abs(px[i]-phi(0, x[i], y[i])) > 1e-8 || math.Abs(py[i]-phi(1, x[i], y[i])) > 1e-8 {
			return fmt.Errorf("φ of point %d is drawn at (%v, %v)", i, px[i], py[i])
		}
		a, t := w[0]+w[1]*px[i]+w[2]*py[i], 1-class[i]
		r := 1/(1+math.Exp(-a)) - t
		gradient[0], gradient[1], gradient[2] = gradient[0]+r, gradient[1]+r*px[i], gradient[2]+r*py[i]
		if (a > 0) != (t == 1) {
			wrong++
		}
	}
	for j, g := range gradient {
		if math.Abs(g) > 1e-4 {
			return fmt.Errorf("the gradient of the error in w%d is %v: no optimum", j, g)
		}
	}
	if wrong != value(d, "mistakes.φ") || !strings.HasPrefix(fig.Title, mistaken(int(wrong), 120)) {
		return fmt.Errorf("%v points are wrong; the title is %q", wrong, fig.Title)
	}
	scale := math.Hypot(w[1], w[2])
	bx, by, _ := drawn(d, "b.boundary")
	if len(bx) != 0 && len(bx) != 2 {
		return fmt.Errorf("the boundary in φ has %d points: a straight line has two", len(bx))
	}
	for i := range bx {
		if a := (w[0] + w[1]*bx[i] + w[2]*by[i]) / scale; math.Abs(a) > 1e-7 {
			return fmt.Errorf("(%v, %v) of the boundary in φ is %v off the line", bx[i], by[i], a)
		}
	}
	bx, by, _ = drawn(d, "a.boundary")
	for i := range bx {
		if a := (w[0] + w[1]*phi(0, bx[i], by[i]) + w[2]*phi(1, bx[i], by[i])) / scale; math.Abs(a) > 1e-6 {
			return fmt.Errorf("(%v, %v) of the boundary in x is %v off the line in φ", bx[i], by[i], a)
		}
	}
	return nil
}

func TestPRML4x12ChartErrors(t *testing.T) {
	refuses(t, PRML4x12Chart, map[string]PRML4x12Options{
		"one centre":        {Centres: [][]float64{{0, 0}}},
		"centre of three":   {Centres: [][]float64{{0, 0}, {1, 2, 3}}},
		"the same centres":  {Centres: [][]float64{{1, 1}, {1, 1}}},
		"an infinite width": {Width: math.Inf(1)},
		"negative N":        {N: -1},
	})
}
