package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x6Chart is [PRML4x6] with one direction of projection and a slider that turns
// it from 0° to 180°, in steps of 5° and through the line of the means, where it
// starts, and Fisher's direction; the labels name the two. The title has J of
// (4.25)–(4.26) and, to compare, the largest, which is Fisher's. The dashed line
// divides the classes in the middle of the means. Errors: those of [PRML4x6].
func PRML4x6Chart(o PRML4x6Options) (_ *show.Chart, err error) {
	defer named("PRML 4.6", &err)
	o = o.filled()
	l, err := newElongated(o)
	if err != nil {
		return nil, err
	}
	all := l.headings()
	labels := make([]string, len(all))
	for i, h := range all {
		labels[i] = h.label()
	}
	return show.Sliders(func(at []int) (*show.Figure, error) { return l.projected(all[at[0]], o.Bins) },
		show.Slider{Name: "direction of projection", Labels: labels,
			Start: slices.IndexFunc(all, func(h heading) bool { return h.name == meansHeading })})
}

// A heading is a direction in the plane, of the lines through it both ways.
type heading struct {
	degrees float64 // 0 to 180
	name    string  // "" for a round number
}

// names of the two headings that the figure is about
const (
	meansHeading  = "line of the means"
	fisherHeading = "Fisher"
)

// headings are the positions of the slider.
func (l *elongated) headings() []heading {
	const step = 5
	all := []heading{{towards(l.means), meansHeading}, {towards(l.fisher.Direction), fisherHeading}}
	for a := 0.0; a <= 180; a += step {
		if !slices.ContainsFunc(all, func(h heading) bool { return math.Abs(h.degrees-a) < 1e-6 }) {
			all = append(all, heading{degrees: a})
		}
	}
	slices.SortStableFunc(all, func(a, b heading) int { return cmp.Compare(a.degrees, b.degrees) })
	return all
}

// towards is the angle of a direction, or of the opposite one, from 0 to 180 degrees.
func towards(w []float64) float64 {
	a := math.Atan2(w[1], w[0]) * 180 / math.Pi
	if a < 0 {
		a += 180
	}
	return a
}

func (h heading) label() string {
	if h.name == "" {
		return strconv.FormatFloat(h.degrees, 'f', -1, 64) + "°"
	}
	return fmt.Sprintf("%.1f° (%s)", h.degrees, h.name)
}

// projected is what the chart shows for one direction. Its numbers are those of
// show.Projections after "direction", and degrees.
func (l *elongated) projected(h heading, bins int) (*show.Figure, error) {
	sin, cos := math.Sincos(h.degrees * math.Pi / 180)
	fig, err := show.Projections(l.Dataset, show.ProjectionsOptions{Bins: bins}, show.Direction{Name: "direction", W: []float64{cos, sin}})
	if err != nil {
		return nil, err
	}
	// The border between the classes runs through the middle of the means. The chart
	// gives all directions the same axes: both ends lie far outside of any.
	far, at := 2*(fig.Panel(0).X.Max-fig.Panel(0).X.Min), cos*l.middle[0]+sin*l.middle[1]
	border := show.Look{Width: 1.3, Dash: 1}
	err = firstError(
		fig.AddLine(0, "", []float64{l.middle[0] - far*sin, l.middle[0] + far*sin}, []float64{l.middle[1] + far*cos, l.middle[1] - far*cos}, border),
		fig.AddLine(1, "", []float64{at, at}, []float64{0, 2 * float64(l.N())}, border))
	if err != nil {
		return nil, err
	}
	fig.AddData("degrees", []float64{h.degrees})
	j, overlap := single(fig, "direction.fisher"), single(fig, "direction.overlap")
	fig.Title = fmt.Sprintf("$J$ = %.3f (largest: %.3f)", j, l.fisher.J)
	fig.Panel(0).Title.Text = h.label()
	fig.Panel(1).Title.Text = fmt.Sprintf("overlap %.0f %%", 100*overlap)
	fig.Width, fig.Height = 5, 7.4
	fig.Alt = fmt.Sprintf("Two long classes projected on a direction of %.0f degrees, where J is %.3f and the histograms share %.0f per cent of their area.", h.degrees, j, 100*overlap)
	return fig, nil
}
