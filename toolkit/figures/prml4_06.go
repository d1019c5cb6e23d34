package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x6Options change figure 4.6. The zero value draws the printed form.
type PRML4x6Options struct {
	N          int     // points of each class; 0 is 100
	Elongation float64 // long by short standard deviation of both classes, 1 to 100; 0 is 5, 1 makes them round
	Angle      float64 // of their long axis to the line of the means, in degrees; 0 is 45
	Bins       int     // of the histograms; 0 is 30
	Seed       uint64  // of the random data
}

func (o PRML4x6Options) filled() PRML4x6Options {
	return filled(o, PRML4x6Options{N: 100, Elongation: 5, Angle: 45, Bins: 30})
}

func prml4x6Entry() Entry {
	return entry(Entry{
		ID:      "fig-prml-4.6",
		Title:   "Projection on the line of the means, and on Fisher's",
		Source:  "PRML figure 4.6",
		LookFor: "Along the line of the means the histograms overlap, because the classes are long in a direction close to it. Fisher's direction brings the means closer together and the classes apart: it is narrow there.",
	}, PRML4x6, PRML4x6Chart)
}

// PRML4x6 draws two long classes projected on the line through their means and
// on Fisher's direction, as histograms under the points. Dashed lines divide the
// classes: in the middle of the means, and where Fisher's rule does.
//
// Numbers: those of show.Projections, "line of the means" and "Fisher" in front
// (fisher and overlap are J of (4.25) and the area that the histograms share),
// direction.means and direction.fisher, of length 1. Errors: a negative N, an
// option out of range, or data on which the fit fails.
func PRML4x6(o PRML4x6Options) (_ *show.Figure, err error) {
	defer named("PRML 4.6", &err)
	o = o.filled()
	l, err := newElongated(o)
	if err != nil {
		return nil, err
	}
	middle := l.means[0]*l.middle[0] + l.means[1]*l.middle[1]
	fig, err := show.Projections(l.Dataset, show.ProjectionsOptions{Bins: o.Bins},
		show.Direction{Name: "line of the means", W: l.means, Thresholds: []float64{middle}},
		show.Direction{Name: "Fisher", W: l.fisher.Direction, Thresholds: []float64{l.fisher.Threshold}})
	if err != nil {
		return nil, err
	}
	fig.AddData("direction.means", l.means)
	fig.AddData("direction.fisher", l.fisher.Direction)
	var j, overlap [2]float64
	for i, name := range []string{"line of the means", "Fisher"} {
		v, _ := fig.Data().Column(name + ".fisher")
		a, _ := fig.Data().Column(name + ".overlap")
		j[i], overlap[i] = v[0], a[0]
		fig.Panel(i).Title.Text = []string{"line of the means", "Fisher's direction"}[i]
		fig.Panel(i + 2).Title.Text = fmt.Sprintf("$J$ = %.3g, overlap %.0f %%", j[i], 100*overlap[i])
	}
	fig.Alt = fmt.Sprintf("Two long classes projected on the line of their means, where the histograms share %.0f per cent of their area, and on Fisher's direction, %.0f per cent.", 100*overlap[0], 100*overlap[1])
	return fig, nil
}

// elongated are two long classes with Fisher's discriminant.
type elongated struct {
	*datasets.Dataset
	fisher *classify.Fisher
	means  []float64 // the direction m₁ − m₂, of length 1
	middle []float64 // between the means
}

func newElongated(o PRML4x6Options) (*elongated, error) {
	if !(o.Elongation >= 1 && o.Elongation <= 100) {
		return nil, fmt.Errorf("Elongation is %v; it must lie between 1 (round) and 100", o.Elongation)
	}
	if math.IsNaN(o.Angle) || math.IsInf(o.Angle, 0) {
		return nil, fmt.Errorf("Angle is %v; give finite degrees", o.Angle)
	}
	cov := longCov(0.4, o.Elongation, o.Angle)
	d, err := datasets.TwoGaussians(datasets.TwoGaussiansOptions{
		N1: o.N, N2: o.N, Mean1: []float64{1.5, 0}, Mean2: []float64{-1.5, 0}, Cov1: cov, Seed: o.Seed})
	if err != nil {
		return nil, err
	}
	t, err := d.Target(d.ClassNames[0])
	if err != nil {
		return nil, err
	}
	fisher, err := classify.FitFisher(d.X, t, classify.FisherOptions{})
	if err != nil {
		return nil, err
	}
	// w ∝ m₁ − m₂ maximises the distance of the projected means (4.22); the book
	// prints the opposite sign, which is the same line.
	m1, m2 := fisher.Scatter.ClassMeans.RawRowView(0), fisher.Scatter.ClassMeans.RawRowView(1)
	means := []float64{m1[0] - m2[0], m1[1] - m2[1]}
	norm := math.Hypot(means[0], means[1])
	for i := range means {
		means[i] /= norm
	}
	return &elongated{d, fisher, means, []float64{(m1[0] + m2[0]) / 2, (m1[1] + m2[1]) / 2}}, nil
}
