package figures

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// alpaydin10LineProperties are those of figures 10.1 to 10.4.
func init() {
	addProperties([]property{
		{
			name:  "fig-alpaydin-10.1: all points on the right side",
			wrong: with(Alpaydin10x1, Alpaydin10x1Options{W: [3]float64{0, 1, 0}}),
			holds: func(d show.Data) error {
				w, _ := d.Column("w")
				x, y, class := drawn(d, "points")
				for i := range x {
					if g := w[0] + w[1]*x[i] + w[2]*y[i]; (g > 0) != (class[i] == 0) {
						return fmt.Errorf("g is %v at (%v, %v) of class %v", g, x[i], y[i], class[i])
					}
				}
				if v := value(d, "wrong"); v != 0 || len(x) != 50 {
					return fmt.Errorf("%v of %d points are counted wrong", v, len(x))
				}
				// The line that is drawn is that of w.
				x, y, _ = drawn(d, "boundary")
				for i := range x {
					if g := w[0] + w[1]*x[i] + w[2]*y[i]; math.Abs(g) > 1e-7 {
						return fmt.Errorf("g is %v on the drawn line", g)
					}
				}
				return nil
			},
		},
		{
			name:  "fig-alpaydin-10.2: drawn and labelled distances are g(x)/‖w‖ = 2 and w0/‖w‖ = −2",
			wrong: with(Alpaydin10x2, Alpaydin10x2Options{W: [3]float64{-4, 1.2, 1.7}}),
			holds: func(d show.Data) error {
				// By hand: ‖(1.2, 1.6)‖ = 2, g(4, 2) = 4.8 + 3.2 − 4 = 4.
				for name, want := range map[string]float64{"point": 2, "origin": -2} {
					distance := value(d, name+".distance")
					x, y, _ := drawn(d, name+".span")
					if math.Abs(distance-want) > 1e-9 {
						return fmt.Errorf("the distance of the %s is labelled %v, want %v", name, distance, want)
					}
					if long := math.Hypot(x[1]-x[0], y[1]-y[0]); math.Abs(long-math.Abs(want)) > 1e-8 {
						return fmt.Errorf("the distance of the %s is drawn %v long, want %v", name, long, want)
					}
					// From the line, along w.
					if g := 1.2*x[0] + 1.6*y[0] - 4; math.Abs(g) > 1e-8 {
						return fmt.Errorf("g is %v where the span of the %s begins", g, name)
					}
					if cross := (x[1]-x[0])*1.6 - (y[1]-y[0])*1.2; math.Abs(cross) > 1e-8 {
						return fmt.Errorf("the span of the %s is not parallel to w", name)
					}
				}
				x, y, _ := drawn(d, "line")
				for i := range x {
					if g := 1.2*x[i] + 1.6*y[i] - 4; math.Abs(g) > 1e-8 {
						return fmt.Errorf("g is %v on the drawn line", g)
					}
				}
				return nil
			},
		},
		{
			name:  "fig-alpaydin-10.3: each line separates its class from the others",
			wrong: with(Alpaydin10x3, Alpaydin10x3Options{Spread: 1.5}),
			holds: func(d show.Data) error {
				x, y, class := drawn(d, "points")
				for i := range x {
					for k, g := range heights(d, x[i], y[i]) {
						if (g > 0) != (class[i] == float64(k)) {
							return fmt.Errorf("g%d is %v at (%v, %v) of class %v", k+1, g, x[i], y[i], class[i]+1)
						}
					}
				}
				return zerosOnLines(d)
			},
		},
		{
			name:  "fig-alpaydin-10.3: hatched exactly where no or several g are positive",
			wrong: drawLastIsRest,
			holds: func(d show.Data) error {
				seen := map[float64]bool{}
				for i := range 41 {
					for j := range 41 {
						x, y := -3.59+7.18*float64(i)/40, -2.79+6.38*float64(j)/40
						want, near := -2.0, false
						for k, g := range heights(d, x, y) {
							near = near || math.Abs(g) < 1e-3
							if g > 0 && want == -2 {
								want = float64(k)
							} else if g > 0 {
								want = -1
							}
						}
						if !near && !inRegion(d, "", want, x, y) {
							return fmt.Errorf("(%v, %v) is not drawn as %v", x, y, want)
						}
						seen[want] = true
					}
				}
				if len(seen) != 5 {
					return fmt.Errorf("the picture shows only the answers %v", seen)
				}
				return nil
			},
		},
		{
			name:  "fig-alpaydin-10.4: C₁ is not separable from the rest, each pair is",
			wrong: with(Alpaydin10x4, Alpaydin10x4Options{Lift: 8}),
			holds: func(d show.Data) error {
				x, y, class := drawn(d, "b.points")
				points, labels, t := mat.NewDense(len(x), 2, nil), make([]int, len(x)), make([]float64, len(x))
				for i := range x {
					points.SetRow(i, []float64{x[i], y[i]})
					if labels[i] = int(class[i]); labels[i] == 0 {
						t[i] = 1
					}
				}
				rest, err := classify.Separable(points, t)
				if err != nil {
					return err
				}
				if rest.Separable {
					return errors.New("a line separates C₁ from the others")
				}
				pairs, err := classify.SeparablePairs(points, labels, 3)
				if err != nil {
					return err
				}
				for _, p := range pairs {
					if !p.Separable {
						return fmt.Errorf("classes %d and %d are not separable", p.First, p.Second)
					}
				}
				if a, b := value(d, "a.right"), value(d, "b.right"); a > 60 || b != float64(len(x)) {
					return fmt.Errorf("%v points are right with a line per class, %v of %d with one per pair", a, b, len(x))
				}
				for i := range x {
					if !inRegion(d, "b.", class[i], x[i], y[i]) {
						return fmt.Errorf("point %d is not drawn in the region of its class", i)
					}
				}
				return nil
			},
		},
	}...)
}

// drawLastIsRest draws figure 10.3 for the scheme of two lines and a rest.
func drawLastIsRest() (*show.Figure, error) {
	d, err := triangle(30, 0.45, 0)
	if err != nil {
		return nil, err
	}
	all, err := classify.FitOneVersusRest(d.X, d.Labels, 3, pairMachine, classify.OneVersusRestOptions{})
	if err != nil {
		return nil, err
	}
	two, err := classify.FitOneVersusRest(d.X, d.Labels, 3, pairMachine, classify.OneVersusRestOptions{LastIsRest: true})
	if err != nil {
		return nil, err
	}
	fig, err := show.Decisions(two, d, show.DecisionsOptions{X: [2]float64{-3.6, 3.6}, Y: [2]float64{-2.8, 3.6}})
	if err != nil {
		return nil, err
	}
	return fig, addWeights(fig, all, 3)
}

// drawn returns the columns x, y and, if there is one, class of a part.
func drawn(d show.Data, part string) (x, y, class []float64) {
	x, _ = d.Column(part + ".x")
	y, _ = d.Column(part + ".y")
	class, _ = d.Column(part + ".class")
	return x, y, class
}

// heights returns g_i(x, y) of the weights among the numbers, divided by ‖w_i‖.
func heights(d show.Data, x, y float64) []float64 {
	w0, _ := d.Column("W.w0")
	w1, _ := d.Column("W.w1")
	w2, _ := d.Column("W.w2")
	g := make([]float64, len(w0))
	for k := range g {
		g[k] = (w0[k] + w1[k]*x + w2[k]*y) / math.Hypot(w1[k], w2[k])
	}
	return g
}

// zerosOnLines checks that each thin line is where its g is zero.
func zerosOnLines(d show.Data) error {
	x, y, class := drawn(d, "zero")
	if len(x) < 6 {
		return fmt.Errorf("%d points of thin lines, want two of three lines", len(x))
	}
	for i := range x {
		if g := heights(d, x[i], y[i])[int(class[i])]; math.Abs(g) > 1e-6 {
			return fmt.Errorf("g%v is %v on its line", class[i]+1, g)
		}
	}
	return nil
}
