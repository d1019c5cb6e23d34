package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x1Chart is [PRML4x1] with two sliders, for the angle of w and for w0: they
// pass through the values of the options and start there. w turns the line, w0
// only pushes it along w. The picture shows more of the plane than the printed one,
// so that the line stays in it wherever it turns. Errors: those of [PRML4x1], and a
// line that lies more than 2.6 from the origin.
func PRML4x1Chart(o PRML4x1Options) (_ *show.Chart, err error) {
	defer named("PRML 4.1", &err)
	o = o.filled()
	if _, err := prml4x1(o, printed4x1); err != nil {
		return nil, err
	}
	if d := math.Abs(o.W0) / o.Norm; d > farthest4x1 {
		return nil, fmt.Errorf("the line is %.3g from the origin and would leave the picture when it turns; make |W0| at most %v times Norm", d, farthest4x1)
	}
	g := newGeometries(o)
	return show.Sliders(func(at []int) (*show.Figure, error) { return g.figure(at[0], at[1]) },
		show.Slider{Name: "angle of w", Labels: labelled(g.angles, "°"), Start: g.start[0]},
		show.Slider{Name: "w₀", Labels: labelled(g.biases, ""), Start: g.start[1]})
}

// turning4x1 has room for w and its label on a line 2.6 from the origin.
var turning4x1 = window{-4.4, 7.4, -4.4, 4.4}

const (
	farthest4x1 = 2.6 // of the line from the origin
	turn4x1     = 20  // degrees from one position to the next
	push4x1     = 0.8 // units by which the line moves from one position to the next
)

// geometries are the positions of the two sliders.
type geometries struct {
	o              PRML4x1Options
	angles, biases []float64
	start          [2]int
}

func newGeometries(o PRML4x1Options) geometries {
	g := geometries{o: o}
	at := math.Mod(math.Mod(o.Angle, 360)+360, 360)
	for a := math.Mod(at, turn4x1); a < 360; a += turn4x1 {
		if a < at-turn4x1/2 {
			g.start[0]++
		}
		g.angles = append(g.angles, tidy(a))
	}
	push, most := push4x1*o.Norm, farthest4x1*o.Norm*(1+1e-9)
	g.start[1] = int((o.W0 + most) / push)
	for w0 := o.W0 - float64(g.start[1])*push; w0 <= most; w0 += push {
		g.biases = append(g.biases, tidy(w0))
	}
	return g
}

// figure is what the chart shows with the sliders at these positions.
func (g geometries) figure(angle, bias int) (*show.Figure, error) {
	o := g.o
	o.Angle, o.W0 = g.angles[angle], g.biases[bias]
	fig, err := prml4x1(o, turning4x1)
	if err != nil {
		return nil, err
	}
	w, _ := fig.Data().Column("w")
	y, _ := fig.Data().Column("y")
	fig.Title = fmt.Sprintf(`$\mathbf{w}$ = (%s, %s), $w_0$ = %s:  $y(\mathbf{x})$ = %s`, short(w[1]), short(w[2]), short(w[0]), short(y[0]))
	fig.Height += 0.9
	return fig, nil
}
