package figures

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x10Options change figure 10.10. The zero value draws the printed form.
type Alpaydin10x10Options struct {
	Alpaydin10x9Options         // the data and the machine, those of figure 10.9
	Azimuth, Elevation  float64 // of the viewer in degrees; 0 is −35 and 35
}

func (o Alpaydin10x10Options) filled() Alpaydin10x10Options {
	o.Alpaydin10x9Options = o.Alpaydin10x9Options.filled()
	if o.Azimuth == 0 {
		o.Azimuth = -35
	}
	if o.Elevation == 0 {
		o.Elevation = 35
	}
	return o
}

func alpaydin10x10Entry() Entry {
	return entry(Entry{
		ID:      "fig-alpaydin-10.10",
		Title:   "The discriminants and the posteriors of three classes",
		Source:  "Alpaydin figure 10.10",
		LookFor: "The discriminants are planes. The softmax keeps their order, pushes the largest towards 1 and the others towards 0; the three heights sum to 1 everywhere.",
	}, Alpaydin10x10, Alpaydin10x10Chart)
}

// Alpaydin10x10 draws the discriminants g_i(x) of figure 10.9 and the posteriors
// exp g_i/Σ_j exp g_j as surfaces.
//
// Numbers: those of the two panels (see show.Surfaces; a. has the discriminants,
// b. the posteriors); W.class, .w0, .w1, .w2, the weights. Errors: as [Alpaydin10x9], a viewer below the floor.
func Alpaydin10x10(o Alpaydin10x10Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.10", &err)
	o = o.filled()
	d, m, err := o.fit()
	if err != nil {
		return nil, err
	}
	var g, p []show.Sheet
	for k := range d.K() {
		g = append(g, show.ScoreSheet(fmt.Sprintf("$C_%d$", k+1), m, k))
		p = append(p, show.PosteriorSheet(fmt.Sprintf("$C_%d$", k+1), m, k))
	}
	var panels []*show.Figure
	for i, sheets := range [][]show.Sheet{g, p} {
		fig, err := show.Surfaces(show.SurfacesOptions{
			Title:  []string{"discriminants", "posteriors"}[i],
			XLabel: "$x_1$", YLabel: "$x_2$", ZLabel: []string{`$g_i(\mathbf{x})$`, `$p(C_i|\mathbf{x})$`}[i],
			X: whole(d, 0), Y: whole(d, 1), Azimuth: o.Azimuth, Elevation: o.Elevation, Cells: []int{12, 18}[i],
			Z: [][2]float64{{}, {0, 1}}[i],
		}, sheets...)
		if err != nil {
			return nil, err
		}
		panels = append(panels, fig)
	}
	fig, err := show.Panels(2, panels...)
	if err != nil {
		return nil, err
	}
	if err := addWeights(fig, m, d.K()); err != nil {
		return nil, err
	}
	fig.Alt = "Left three planes over the inputs, the discriminants; right their softmax, three steps between 0 and 1, each high where its class is."
	return fig, nil
}

// Alpaydin10x10Chart is [Alpaydin10x10] to be turned with the mouse; its errors are those.
func Alpaydin10x10Chart(o Alpaydin10x10Options) (*show.Chart, error) {
	fig, err := Alpaydin10x10(o)
	if err != nil {
		return nil, err
	}
	return show.Interactive(fig)
}
