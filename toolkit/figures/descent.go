package figures

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// descent contains a run of the algorithm in Alpaydin figure 10.6 or 10.8, and everything that is
// needed to draw the run.
type descent struct {
	shows string // text that describes the classes and the machine, for the Alt text
	data  *datasets.Dataset
	trace classify.Trace // every iteration
	steps []string       // the text of the algorithm, one line per step, indented with spaces
	// draw returns the model with the weights w, and a picture of this model without the points.
	draw    func(w []float64, title string) (classify.Scorer, *show.Figure)
	weights bool // whether the title of a frame of the chart includes the weights
}

// These constants limit how many iterations the option Iterations may list. A picture has one panel
// for each iteration, at most mostPanels. A chart has one frame for each iteration, at most
// mostFrames.
const (
	mostPanels = 7
	mostFrames = 60
)

// checkIterations checks the list of iterations to show. It returns the last of these iterations
// and the solver for the run.
func checkIterations(iterations []int, most int, rate float64, seed uint64) (last int, s classify.GradientDescent) {
	require(len(iterations) > 0 && len(iterations) <= most && iterations[0] >= 0,
		"Iterations is %v; want one to %d numbers, each at least 0", iterations, most)
	for i, n := range iterations {
		require(i == 0 || n > last, "Iterations is %v; the numbers must increase", iterations)
		last = n
	}
	require(last > 0 && last <= 100_000, "Iterations is %v; the last number must lie between 1 and 100 000", iterations)
	return last, classify.GradientDescent{Rate: rate, SmallStart: true, Seed: seed, Every: 1}
}

// haloRadius is the radius, in typographic points, of the disc under a data point with |r − y| = 1.
const haloRadius = 7.5

// figure draws a panel for each iteration, a panel with the error at every iteration of the run, and
// a panel with the steps of the algorithm. In the panels for the iterations, a disc lies under every
// point. Its area is proportional to |r − y|, the contribution of the point to the next update.
//
// The figure's Data contains:
//   - The columns of the panels.
//   - The points: "points.x", "points.y" and "points.class".
//   - The run of the algorithm: "trace.iteration", "trace.E", and the weights "trace.w0",
//     "trace.w1" and so on.
func (s *descent) figure(iterations []int) *show.Figure {
	var panels []*show.Figure
	for _, n := range iterations {
		panels = append(panels, s.panel(n, 0))
	}
	panels = append(panels, s.drawErrors(), drawAlgorithm(s.steps))
	fig := try(show.Panels(3, panels...))
	fig.AddLegend("disc: |$r$ − $y$|, the point's part in the next update", disc())
	fig.AddData("points.x", mat.Col(nil, 0, s.data.X))
	fig.AddData("points.y", mat.Col(nil, 1, s.data.X))
	fig.AddData("points.class", labels(s.data))
	names := []string{"trace.iteration"}
	for j := range s.trace[0].W {
		names = append(names, fmt.Sprintf("trace.w%d", j))
	}
	var rows [][]float64
	for _, step := range s.trace {
		rows = append(rows, append(append([]float64{float64(step.Iteration)}, step.W...), step.E))
	}
	addColumns(fig, rows, append(names, "trace.E")...)
	fig.Alt = fmt.Sprintf("%s of gradient descent after %v iterations, with the contribution of every point to the next update, and the falling error.", s.shows, iterations)
	return fig
}

var (
	twoClassSteps = []string{
		"draw all $w_j$ from [−0.01, 0.01]", "repeat",
		"  $Δw_j$ ← 0 for all $j$", "  for every point $t$",
		`    $y$ ← $\sigma(\sum_j w_j x_j^t)$`, "    $Δw_j$ ← $Δw_j$ + ($r^t$ − $y$) $x_j^t$",
		`  $w_j$ ← $w_j$ + $\eta Δw_j$ for all $j$`, "until nothing changes",
	}
	manyClassSteps = []string{
		"draw all $w_{ij}$ from [−0.01, 0.01]", "repeat",
		"  $Δw_{ij}$ ← 0 for all $i$, $j$", "  for every point $t$",
		`    $o_i$ ← $\sum_j w_{ij} x_j^t$ for all $i$`, `    $y_i$ ← exp $o_i$ / $\sum_k$ exp $o_k$`,
		"    $Δw_{ij}$ ← $Δw_{ij}$ + ($r_i^t$ − $y_i$) $x_j^t$",
		`  $w_{ij}$ ← $w_{ij}$ + $\eta Δw_{ij}$ for all $i$, $j$`, "until nothing changes",
	}
)

// drawAlgorithm writes the steps of an algorithm into a panel. The steps use x₀ = 1 for the bias.
func drawAlgorithm(steps []string) *show.Figure {
	fig := blankFigure("", "", [2]float64{0, 1}, [2]float64{0, 1})
	fig.Panel(0).HideAxes()
	fig.Title = "the algorithm ($x_0$ = 1)"
	for i, line := range steps {
		text := strings.TrimLeft(line, " ")
		indent := 7 * float64(len(line)-len(text))
		check(fig.AddText(0, text, 0, 1-(float64(i)+0.8)/(float64(len(steps))+0.6), 8+indent, 0, show.Look{}))
	}
	return fig
}

// drawErrors draws the error E against the number of the iteration.
func (s *descent) drawErrors() *show.Figure {
	fig := try(show.Traces(show.TracesOptions{Title: "error by iteration",
		Quantities: []show.Quantity{show.QuantityTrainingError}, LogIterations: true},
		show.Path{Name: "gradient descent", Trace: s.trace}))
	fig.Panel(0).Y.Label.Text = "$E$"
	return fig
}

// panel draws the model after n iterations. If the run has fewer iterations, panel draws the model
// after the last iteration. The radii of the halos, the discs under the points, are rounded to
// multiples of `unit`, which is a length in typographic points. If `unit` is 0, the radii are not
// rounded.
func (s *descent) panel(n int, unit float64) *show.Figure {
	last := len(s.trace) - 1
	title := "after " + plural(n, "iteration")
	switch {
	case n > last: // the run stopped before iteration n, so draw the last iterate
		n, title = last, fmt.Sprintf("converged after %d", last)
	case n == 0:
		title = "the start"
	}
	m, fig := s.draw(s.trace[n].W, title)
	part := s.contributions(m)
	s.addHalos(fig, part, unit)
	d := s.data
	addPoints(fig, 0, d, true, 2.2, func(i int) (x, y float64) { return d.X.At(i, 0), d.X.At(i, 1) })
	fig.AddData("part", part)
	return fig
}

// addHalos draws a disc, called halo, under each point. The area of the halo of point i is
// proportional to part[i], the contribution of the point to the next update. If `unit` is not 0,
// addHalos rounds the radii to multiples of `unit`, and a point whose radius becomes 0 has no halo.
func (s *descent) addHalos(fig *show.Figure, part []float64, unit float64) {
	type kind struct {
		class int
		size  float64
	}
	x, y := map[kind][]float64{}, map[kind][]float64{}
	var kinds []kind // the distinct kinds of halos, in the order in which they first occur
	for i, r := range part {
		k := kind{s.data.Labels[i], haloRadius * math.Sqrt(r)}
		if unit > 0 {
			k.size = unit * math.Round(k.size/unit)
		}
		if k.size == 0 { // skip size 0, which AddMarks would replace with the default size
			continue
		}
		if len(x[k]) == 0 {
			kinds = append(kinds, k)
		}
		x[k], y[k] = append(x[k], s.data.X.At(i, 0)), append(y[k], s.data.X.At(i, 1))
	}
	for _, k := range kinds {
		check(fig.AddMarks(0, "", x[k], y[k], show.Look{Color: halo(show.ClassColor(k.class)), Size: k.size}))
	}
}

// contributions returns |r − y| for every row. It equals 1 minus the posterior probability of the
// row's class.
func (s *descent) contributions(m classify.Scorer) []float64 {
	a := try(m.Scores(s.data.X))
	part := make([]float64, s.data.N())
	y := make([]float64, s.data.K())
	for i, k := range s.data.Labels {
		kernels.Softmax(y, a.RawRowView(i))
		for j, p := range y {
			if j != k {
				part[i] += p
			}
		}
	}
	return part
}

// disc returns the disc that represents a halo in the legend.
func disc() *plotter.Scatter {
	return &plotter.Scatter{GlyphStyle: draw.GlyphStyle{Color: halo(show.Ink()), Radius: vg.Points(5),
		Shape: draw.CircleGlyph{}}}
}

// chart returns a chart of the run. The chart's slider has one position for each given iteration.
func (s *descent) chart(iterations []int) *show.Chart {
	return sliderChart(
		func(at []int) *show.Figure { return s.frame(iterations[at[0]]) },
		show.Slider{Name: "iteration", Labels: integerLabels(iterations), Play: true})
}

// frame draws two panels: the model after n iterations, and the error at every iteration, with a mark
// at iteration n.
//
// Besides the columns of the two panels, the figure's Data contains "step.iteration", "step.E",
// "step.misclassified" and "step.w" (all weights). The column "a.part" contains |r − y| for every
// point.
func (s *descent) frame(n int) *show.Figure {
	const unit = 1 // round the radii to whole points: many halos then have the same size and share a layer of the page
	machine := s.panel(n, unit)
	n = min(n, len(s.trace)-1)
	step := s.trace[n]
	machine.Title += "; area of a disc: |$r$ − $y$|"
	fig := try(show.Panels(2, machine, s.drawMarkedErrors(step)))
	fig.Title = fmt.Sprintf("E = %.2f,  %s", step.E, mistakesText(step.Misclassified, s.data.N()))
	if s.weights {
		fig.Title += ",  w = (" + decimals(2, step.W...) + ")"
	}
	addNumbers(fig, "step.iteration", float64(step.Iteration))
	addNumbers(fig, "step.E", step.E)
	addNumbers(fig, "step.misclassified", float64(step.Misclassified))
	fig.AddData("step.w", step.W)
	fig.Alt = fmt.Sprintf("%d classes and the discriminants of gradient descent at iteration %d, with the contribution of every point to the next update, beside the falling error.", s.data.K(), n)
	return fig
}

// drawMarkedErrors draws the error against the number of the iteration, and marks the given
// iteration.
func (s *descent) drawMarkedErrors(at classify.Step) *show.Figure {
	fig := s.drawErrors()
	highest := 0.0
	for _, step := range s.trace {
		highest = max(highest, step.E)
	}
	// The x axis is logarithmic. If E falls by a factor of a thousand, the y axis shows log₁₀E
	// instead of E. The upper end of the y axis tells which of the two it shows. An axis of log₁₀E
	// ends at log₁₀(largest E) + 0.4, which is always below the largest E. An axis of E never ends
	// below the largest E.
	height := at.E
	if fig.Panel(0).Y.Max < highest {
		height = math.Log10(at.E)
	}
	check(fig.AddMarks(0, "this iteration", []float64{math.Log10(1 + float64(at.Iteration))}, []float64{height},
		show.Look{Size: 3.4}))
	return fig
}
