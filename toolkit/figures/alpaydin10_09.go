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
	N      int     // points of each class; 0 is 30
	Spread float64 // standard deviation of each cloud; 0 is 0.5
	// Alpha is the precision of the weights' prior, which holds them finite where
	// lines separate the classes; 0 is 0.5.
	Alpha float64
	Seed  uint64 // of the random data
}

func (o Alpaydin10x9Options) filled() Alpaydin10x9Options {
	return filled(o, Alpaydin10x9Options{N: 30, Spread: 0.5, Alpha: 0.5})
}

func alpaydin10x9Entry() Entry {
	return entry(Entry{
		ID:      "fig-alpaydin-10.9",
		Title:   "Three classes by logistic discrimination",
		Source:  "Alpaydin figure 10.9",
		LookFor: "The thin lines, each where one g is zero, bound nothing. The boundary is thick: there the two largest g agree, and no point is left without a class. All meet in one point, because the prior makes the g sum to 0.",
	}, Alpaydin10x9, nil)
}

// Alpaydin10x9 draws three classes, the lines g_i(x) = 0 of logistic
// discrimination and the boundary of the largest g_i.
//
// Numbers: those of show.Discriminants; W.class, .w0, .w1, .w2, the weights;
// wrong, how many points get another class. Errors: a negative N or precision, a
// bad spread.
func Alpaydin10x9(o Alpaydin10x9Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.9", &err)
	o = o.filled()
	d, m, err := o.fit()
	if err != nil {
		return nil, err
	}
	fig, err := show.Discriminants(m, d, show.DiscriminantsOptions{XLabel: "$x_1$", YLabel: "$x_2$", X: whole(d, 0), Y: whole(d, 1), Tint: true})
	if err != nil {
		return nil, err
	}
	if err := fig.EqualAxes(0); err != nil {
		return nil, err
	}
	if err := addWeights(fig, m, d.K()); err != nil {
		return nil, err
	}
	predicted, err := m.Predict(d.X)
	if err != nil {
		return nil, err
	}
	wrong := 0
	for i, k := range predicted {
		if k != d.Labels[i] {
			wrong++
		}
	}
	fig.AddData("wrong", []float64{float64(wrong)})
	fig.Alt = fmt.Sprintf("Three classes with a thin line for each, on which its discriminant is zero, and the thick boundary of the largest discriminant; %d of %d points are on the wrong side of it.", wrong, d.N())
	return fig, nil
}

// fit returns the data and the machine of figures 10.9 and 10.10.
func (o Alpaydin10x9Options) fit() (*datasets.Dataset, *classify.Softmax, error) {
	d, err := triangle(o.N, o.Spread, o.Seed)
	if err != nil {
		return nil, nil, err
	}
	m, err := classify.FitSoftmax(d.X, d.Labels, d.K(), classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: o.Alpha}})
	return d, m, err
}
