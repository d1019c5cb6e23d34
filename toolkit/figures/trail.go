package figures

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

type trailOptions struct {
	title, name    string // name is that of the last function
	xLabel, yLabel string
	from, to       float64    // where the functions are drawn
	y              [2]float64 // the range shown
	guides         []float64  // heights of thin horizontal lines
	points         int        // of each curve; 2 are enough for a straight line
}

// trail draws the last of some functions, and those before faintly under it: where
// something moves from frame to frame, they show the way that it came.
//
// Numbers: the last one's name with .x and .y.
func trail(o trailOptions, functions []func(float64) float64) (*show.Figure, error) {
	panel := show.NewPanel(o.xLabel, o.yLabel)
	panel.X.Min, panel.X.Max, panel.Y.Min, panel.Y.Max = o.from, o.to, o.y[0], o.y[1]
	fig, err := show.NewFigure(1, panel)
	if err != nil {
		return nil, err
	}
	fig.Title = o.title
	for _, g := range o.guides {
		if err := fig.AddLine(0, "", []float64{o.from, o.to}, []float64{g, g}, show.Look{Color: halo(show.Ink()), Width: 0.7}); err != nil {
			return nil, err
		}
	}
	x := make([]float64, o.points)
	for i := range x {
		x[i] = o.from + (o.to-o.from)*float64(i)/float64(o.points-1)
	}
	last := len(functions) - 1
	for k, f := range functions {
		y := make([]float64, len(x))
		for i := range x {
			y[i] = f(x[i])
			if math.IsInf(y[i], 0) {
				y[i] = math.NaN() // a gap
			}
		}
		name, look := "", show.Look{Color: halo(show.LineColor(0)), Width: 1}
		if k == last {
			name, look = o.name, show.Look{Color: show.LineColor(0), Width: 2}
		}
		if err := fig.AddLine(0, name, x, y, look); err != nil {
			return nil, err
		}
	}
	return fig, nil
}
