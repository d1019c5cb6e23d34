package figures

import (
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x10Options change figure 10.10. The zero value draws the printed form.
type Alpaydin10x10Options struct {
	Alpaydin10x9Options         // the data and the machine of figure 10.9
	Azimuth             float64 `default:"-35"` // direction of the viewer in degrees
	Elevation           float64 `default:"35"`
}

// Alpaydin10x10 draws the discriminants g_i(x) of figure 10.9 and the posteriors
// exp g_i/Σ_j exp g_j as surfaces.
//
// Numbers: the numbers of the two panels (see show.Surfaces; a. has the discriminants,
// b. the posteriors); W.class, .w0, .w1, .w2, the weights. Errors: as in
// [Alpaydin10x9], and a viewer below the floor.
//
// Equations: Alpaydin (10.6), (10.29).
func Alpaydin10x10(o Alpaydin10x10Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.10", &err)
	o = filled(o)
	d, m := o.fit()
	var g, p []show.Sheet
	for k := range d.K() {
		g = append(g, show.ScoreSheet(className(k), m, k))
		p = append(p, show.PosteriorSheet(className(k), m, k))
	}
	var panels []*show.Figure
	for i, sheets := range [][]show.Sheet{g, p} {
		fig := try(show.Surfaces(show.SurfacesOptions{
			Title:  []string{"discriminants", "posteriors"}[i],
			XLabel: "$x_1$", YLabel: "$x_2$", ZLabel: []string{`$g_i(\mathbf{x})$`, `$p(C_i|\mathbf{x})$`}[i],
			X: whole(d, 0), Y: whole(d, 1), Azimuth: o.Azimuth, Elevation: o.Elevation, Cells: []int{12, 18}[i],
			Z: [][2]float64{{}, {0, 1}}[i], Smooth: []int{1, 2}[i], Low: []float64{0, 0.02}[i], See: 0.35,
		}, sheets...))
		panels = append(panels, fig)
	}
	fig := try(show.Panels(2, panels...))
	addWeights(fig, m, d.K())
	fig.Alt = "Left: the discriminants, three planes over the inputs. Right: their softmax, three steps between 0 and 1, each high in the region of its class."
	return fig, nil
}

// Alpaydin10x10Chart is [Alpaydin10x10] as an interactive chart that the mouse rotates. It returns the
// errors of [Alpaydin10x10].
func Alpaydin10x10Chart(o Alpaydin10x10Options) (*show.Chart, error) {
	return show.Interactive(Alpaydin10x10(o))
}
