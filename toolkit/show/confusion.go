package show

import (
	"errors"
	"fmt"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// maxConfusion is the largest number of classes for which the counts fit into the cells.
const maxConfusion = 20

// ConfusionOptions change what [Confusion] draws. The zero value works.
type ConfusionOptions struct {
	Title string
	Names []string // names of the classes; default C₁, C₂ …
}

// Confusion draws a confusion matrix: true classes downwards, predicted classes across. Each cell
// shows its number of rows. Its tint shows the share of these rows among the rows of the true
// class. The diagonal contains the correct predictions and is blue. All other cells are vermillion.
//
// Numbers: true, predicted, count and share (NaN for a class without rows) of each cell. Errors: c
// is nil, not square, or has a negative count or more than 20 classes; the numbers of names and
// classes differ.
func Confusion(c *classify.Confusion, o ConfusionOptions) (_ *Figure, err error) {
	defer named("Confusion", &err)
	if c == nil || len(c.Counts) == 0 {
		return nil, errors.New("the matrix is empty; make it with classify.ScoreConfusion")
	}
	k := len(c.Counts)
	if k > maxConfusion {
		return nil, fmt.Errorf("there are %d classes; the figure has space for the counts of %d", k, maxConfusion)
	}
	if o.Names != nil && len(o.Names) != k {
		return nil, fmt.Errorf("%d names for %d classes; give one for each", len(o.Names), k)
	}
	p := newPanel("predicted class", "true class")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, float64(k), 0, float64(k)
	fig := one(p)
	fig.Title = o.Title
	fig.Alt = fmt.Sprintf("Confusion matrix of %d classes.", k)
	fig.Height = 4.7
	fig.panels[0].equal = true
	var across, down classTicks
	data := newColumns("", "true", "predicted", "count", "share")
	size := max(6, min(labelSize, vg.Length(130/k)))
	for i, row := range c.Counts {
		if len(row) != k {
			return nil, fmt.Errorf("row %d has %d counts; there are %d classes", i, len(row), k)
		}
		name := "$C_{" + strconv.Itoa(i+1) + "}$"
		if o.Names != nil {
			name = label(o.Names[i])
		}
		y := float64(k-1-i) + 0.5
		across = append(across, plot.Tick{Value: float64(i) + 0.5, Label: name})
		down = append(down, plot.Tick{Value: y, Label: name})
		total := 0
		for j, n := range row {
			if n < 0 {
				return nil, fmt.Errorf("the count of class %d predicted as %d is %d; counts are not negative", i, j, n)
			}
			total += n
		}
		for j, n := range row {
			s := round9(float64(n) / float64(total))
			data.row(float64(i), float64(j), float64(n), s)
			tint := paper
			if n > 0 {
				hue := palette[0]
				if i != j {
					hue = palette[1]
				}
				tint = mix(paper, hue, 0.08+0.6*s)
			}
			x := float64(j)
			p.add(fill([][]xy{rectangle(x, y-0.5, x+1, y+0.5)}, tint),
				textLayer{at: []xy{{X: x + 0.5, Y: y}}, labels: []string{strconv.Itoa(n)}, size: size, color: ink,
					xalign: draw.XCenter})
		}
	}
	grid := lineLayer{style: draw.LineStyle{Color: paper, Width: 1.5}}
	for i := 1; i < k; i++ {
		v := float64(i)
		grid.lines = append(grid.lines, []xy{{X: v, Y: 0}, {X: v, Y: float64(k)}},
			[]xy{{X: 0, Y: v}, {X: float64(k), Y: v}})
	}
	p.add(grid)
	p.X.Tick.Marker, p.Y.Tick.Marker = across, down
	if k > 10 {
		p.X.Tick.Label.Font.Size, p.Y.Tick.Label.Font.Size = tickSize-1.5, tickSize-1.5
	}
	p.X.Tick.LineStyle.Width, p.Y.Tick.LineStyle.Width = 0, 0 // invisible ticks; their length is a margin
	data.to(fig)
	return fig, nil
}
