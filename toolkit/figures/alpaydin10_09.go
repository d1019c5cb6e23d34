package figures

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x9Options change figures 10.9 and 10.10. The zero value draws the
// printed form.
type Alpaydin10x9Options struct {
	N      int     `default:"30"`                      // points of each class
	Spread float64 `default:"0.5" range:"0.001..1000"` // standard deviation of each cloud
	// Alpha is the precision of the prior of the weights. The prior keeps the weights finite if
	// lines separate the classes.
	Alpha float64 `default:"0.5"`
	Seed  uint64  // seed of the random data
}

// Alpaydin10x9 draws three classes, the lines g_i(x) = 0 of logistic
// discrimination and the boundary of the largest g_i.
//
// Numbers: as in show.Discriminants; W.class, .w0, .w1, .w2, the weights;
// wrong, the number of points assigned to a wrong class. Errors: a negative N or
// precision, an invalid spread.
//
// Equations: Alpaydin (10.8), (10.29).
func Alpaydin10x9(o Alpaydin10x9Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.9", &err)
	o = filled(o)
	d, m := o.fit()
	fig := try(show.Discriminants(m, d,
		show.DiscriminantsOptions{XLabel: "$x_1$", YLabel: "$x_2$", X: whole(d, 0), Y: whole(d, 1), Tint: true}))
	check(fig.EqualAxes(0))
	addWeights(fig, m, d.K())
	wrong := mistakes(m, d)
	fig.AddData("wrong", []float64{wrong})
	fig.Alt = fmt.Sprintf("Three classes with a thin line for each, on which its discriminant is zero, and the thick boundary of the largest discriminant; %.0f of %d points are on the wrong side of it.", wrong, d.N())
	return fig, nil
}

// fit returns the data and the machine of figures 10.9 and 10.10.
func (o Alpaydin10x9Options) fit() (*datasets.Dataset, *classify.Softmax) {
	d := triangle(o.N, o.Spread, o.Seed)
	return d, try(classify.FitSoftmax(d.X, d.Labels, d.K(),
		classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: o.Alpha}}))
}
