package figures

import (
	"errors"
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Where the sliders can put each centre: at these multiples of its way from the
// middle between the two.
var prml4x12Places = []float64{1.5, 1, 0.5, 0, -0.5, -1, -1.5}

// PRML4x12Chart moves the two centres of [PRML4x12] along the line through both, each
// with a slider: the model is fitted anew at every position, and the curve in the plane
// of x is drawn beside the line in that of φ. Errors: as PRML4x12, and centres that
// are the same, through which there is no line.
func PRML4x12Chart(o PRML4x12Options) (_ *show.Chart, err error) {
	defer named("PRML 4.12", &err)
	o = o.filled()
	s, err := o.scene()
	if err != nil {
		return nil, err
	}
	if _, err := o.basis(); err != nil { // checks the centres
		return nil, err
	}
	if o.Centres[0][0] == o.Centres[1][0] && o.Centres[0][1] == o.Centres[1][1] {
		return nil, errors.New("the two centres are the same; they are moved along the line through both: give different ones")
	}
	var sliders []show.Slider
	for j := range o.Centres {
		slider := show.Slider{Name: fmt.Sprintf("centre %d", j+1), Start: 1}
		for _, f := range prml4x12Places {
			slider.Labels = append(slider.Labels, "("+decimals(2, o.moved(j, f)...)+")")
		}
		sliders = append(sliders, slider)
	}
	return show.Sliders(func(at []int) (*show.Figure, error) { return o.frame(s, at[0], at[1]) }, sliders...)
}

// moved returns centre j at a multiple of its way from the middle.
func (o PRML4x12Options) moved(j int, multiple float64) []float64 {
	out := make([]float64, 2)
	for k := range out {
		middle := (o.Centres[0][k] + o.Centres[1][k]) / 2
		out[k] = middle + multiple*(o.Centres[j][k]-middle)
	}
	return out
}

// frame draws the figure with the centres at two of their places.
func (o PRML4x12Options) frame(s *basisScene, first, second int) (*show.Figure, error) {
	o.Centres = [][]float64{o.moved(0, prml4x12Places[first]), o.moved(1, prml4x12Places[second])}
	fig, err := o.panels(s, basisView{grid: 32, moving: true})
	if err != nil {
		return nil, err
	}
	after, _ := fig.Data().Column("mistakes.φ")
	fig.Title = fmt.Sprintf("%s; without basis functions %.0f", mistaken(int(after[0]), s.d.N()), s.before)
	return fig, nil
}

// A scoringModel predicts classes by activations.
type scoringModel interface {
	classify.Predictor
	classify.Scorer
}

// model is what is drawn of a model. The posterior at points that are elsewhere in
// every frame, and between them, would be most of the page.
func (v basisView) model(m scoringModel) classify.Predictor {
	if v.moving {
		return struct{ scoringModel }{m}
	}
	return m
}
