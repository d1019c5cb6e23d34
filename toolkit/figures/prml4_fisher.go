package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x6Options are the options of PRML figure 4.6. The zero value draws the default figure.
type PRML4x6Options struct {
	N int `default:"100"` // number of points of each class
	// standard deviation along the long axis, divided by the standard deviation along the short
	// axis; 1 means round classes
	Elongation float64 `default:"5" range:"1..100"`
	Angle      float64 `default:"45" range:"-1e6..1e6"` // degrees between the long axis and the line of the means
	Bins       int     `default:"30"`                   // number of bins of the histograms
	Seed       uint64  // seed of the random data
}

// PRML4x6 draws two elongated classes. One panel projects them onto the line through their means,
// and the other panel projects them onto Fisher's direction. Histograms of the projections are
// under the points. In each panel a dashed line divides the classes. In the first panel this line
// is halfway between the means. In the second panel it is at the threshold of Fisher's rule.
//
// The figure's Data contains the columns of show.Projections. Their names begin with "line of the
// means" or "Fisher". Of these, the columns that end in ".fisher" contain J of (4.25), and the
// columns that end in ".overlap" contain the area that the two histograms share if each histogram
// is scaled to area 1. Data also contains the two directions as vectors of length 1:
// "direction.means" and "direction.fisher". Errors: a negative N, an option out of range, or data on
// which the fit fails.
//
// Equations: PRML (4.20)–(4.25), (4.30).
func PRML4x6(o PRML4x6Options) (_ *show.Figure, err error) {
	defer returnFailure("PRML 4.6", &err)
	o = withDefaults(o)
	l := newTwoLongClasses(o)
	middle := l.means[0]*l.middle[0] + l.means[1]*l.middle[1]
	fig := try(show.Projections(l.Dataset, show.ProjectionsOptions{Bins: o.Bins},
		show.Direction{Name: "line of the means", W: l.means, Thresholds: []float64{middle}},
		show.Direction{Name: "Fisher", W: l.fisher.Direction, Thresholds: []float64{l.fisher.Threshold}}))
	fig.AddData("direction.means", l.means)
	fig.AddData("direction.fisher", l.fisher.Direction)
	var j, overlap [2]float64
	for i, name := range []string{"line of the means", "Fisher"} {
		j[i], overlap[i] = singleNumber(fig.Data(), name+".fisher"), singleNumber(fig.Data(), name+".overlap")
		fig.Panel(i).Title.Text = []string{"line of the means", "Fisher's direction"}[i]
		fig.Panel(i + 2).Title.Text = fmt.Sprintf("$J$ = %.3g, overlap %.0f %%", j[i], 100*overlap[i])
	}
	fig.Alt = fmt.Sprintf("Two long classes projected onto the line of their means, where the histograms share %.0f per cent of their area, and onto Fisher's direction, where they share %.0f per cent.", 100*overlap[0], 100*overlap[1])
	return fig, nil
}

// twoLongClasses contains two elongated classes and their Fisher discriminant.
type twoLongClasses struct {
	*datasets.Dataset
	fisher *classify.Fisher
	means  []float64 // the unit vector in the direction of m₁ − m₂
	middle []float64 // midpoint between the two means
}

func newTwoLongClasses(o PRML4x6Options) *twoLongClasses {
	cov := longCov(0.4, o.Elongation, o.Angle)
	d := try(datasets.TwoGaussians(datasets.TwoGaussiansOptions{
		N1: o.N, N2: o.N, Mean1: []float64{1.5, 0}, Mean2: []float64{-1.5, 0}, Cov1: cov, Seed: o.Seed}))
	fisher := try(classify.FitFisher(d.X, firstClassTargets(d), classify.FisherOptions{}))
	// The direction w ∝ m₁ − m₂ maximises the distance between the projected means (4.22). The book
	// has m₂ − m₁ instead, which defines the same line.
	m1, m2 := fisher.Scatter.ClassMeans.RawRowView(0), fisher.Scatter.ClassMeans.RawRowView(1)
	means := []float64{m1[0] - m2[0], m1[1] - m2[1]}
	norm := math.Hypot(means[0], means[1])
	for i := range means {
		means[i] /= norm
	}
	return &twoLongClasses{d, fisher, means, []float64{(m1[0] + m2[0]) / 2, (m1[1] + m2[1]) / 2}}
}

// PRML4x6Chart returns a chart of the classes of [PRML4x6] with a single direction of projection. A
// slider turns this direction from 0° to 180° in steps of 5°. The slider starts at the line through
// the means. Its positions also include Fisher's direction, and the labels name both directions.
// The title shows J of (4.25)–(4.26) and, for comparison, the largest J, which Fisher's direction
// attains. The dashed line divides the classes halfway between the means. Errors: the errors of
// [PRML4x6].
//
// Equations: PRML (4.20)–(4.26), (4.30).
func PRML4x6Chart(o PRML4x6Options) (_ *show.Chart, err error) {
	defer returnFailure("PRML 4.6", &err)
	o = withDefaults(o)
	l := newTwoLongClasses(o)
	all := l.headings()
	labels := make([]string, len(all))
	for i, h := range all {
		labels[i] = h.label()
	}
	return sliderChart(func(at []int) *show.Figure { return l.drawProjected(all[at[0]], o.Bins) },
		show.Slider{Name: "direction of projection", Labels: labels,
			Start: slices.IndexFunc(all, func(h heading) bool { return h.name == meansHeading })}), nil
}

// heading is a direction of projection. Angles from 0° to 180° suffice, because a direction and its
// opposite direction define the same line.
type heading struct {
	degrees float64 // 0 to 180
	name    string  // name of the heading; "" for a multiple of the slider's step
}

// These constants are the names of the two directions that the figure compares.
const (
	meansHeading  = "line of the means"
	fisherHeading = "Fisher"
)

// headings returns one heading for each slider position.
func (l *twoLongClasses) headings() []heading {
	const step = 5
	all := []heading{{headingAngle(l.means), meansHeading}, {headingAngle(l.fisher.Direction), fisherHeading}}
	for a := 0.0; a <= 180; a += step {
		if !slices.ContainsFunc(all, func(h heading) bool { return math.Abs(h.degrees-a) < 1e-6 }) {
			all = append(all, heading{degrees: a})
		}
	}
	slices.SortStableFunc(all, func(a, b heading) int { return cmp.Compare(a.degrees, b.degrees) })
	return all
}

// headingAngle returns an angle from 0 to 180 degrees: the angle of a direction or of its opposite
// direction.
func headingAngle(w []float64) float64 {
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

// drawProjected returns the frame for one direction. The frame's Data contains the columns of
// show.Projections, whose names begin with "direction". The column "degrees" contains the angle of
// the direction.
func (l *twoLongClasses) drawProjected(h heading, bins int) *show.Figure {
	sin, cos := math.Sincos(h.degrees * math.Pi / 180)
	fig := try(show.Projections(l.Dataset, show.ProjectionsOptions{Bins: bins},
		show.Direction{Name: "direction", W: []float64{cos, sin}}))
	// The dashed line between the classes passes through the midpoint of the means. All frames have
	// the same axes, whose ranges may be larger than the ranges of this figure. Both ends of the line
	// must therefore be far outside these ranges.
	far, at := 2*(fig.Panel(0).X.Max-fig.Panel(0).X.Min), cos*l.middle[0]+sin*l.middle[1]
	border := show.Look{Width: 1.3, Dash: 1}
	check(
		fig.AddLine(0, "", []float64{l.middle[0] - far*sin, l.middle[0] + far*sin},
			[]float64{l.middle[1] + far*cos, l.middle[1] - far*cos}, border),
		fig.AddLine(1, "", []float64{at, at}, []float64{0, 2 * float64(l.N())}, border))
	addNumbers(fig, "degrees", h.degrees)
	j, overlap := singleNumber(fig.Data(), "direction.fisher"), singleNumber(fig.Data(), "direction.overlap")
	fig.Title = fmt.Sprintf("$J$ = %.3f (largest: %.3f)", j, l.fisher.J)
	fig.Panel(0).Title.Text = h.label()
	fig.Panel(1).Title.Text = fmt.Sprintf("overlap %.0f %%", 100*overlap)
	fig.Width, fig.Height = 5, 7.4
	fig.Alt = fmt.Sprintf("Two long classes projected onto a direction of %.0f degrees, where J is %.3f and the histograms share %.0f per cent of their area.", h.degrees, j, 100*overlap)
	return fig
}
