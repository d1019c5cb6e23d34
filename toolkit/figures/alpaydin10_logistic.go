package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x5Options change figure 10.5. The zero value draws the printed form.
type Alpaydin10x5Options struct {
	W     float64 `default:"1" range:"-1e6..1e6"` // the weight w of σ(wx + w0)
	W0    float64 `range:"-1e6..1e6"`             // the bias w0
	Range float64 `default:"10"`                  // x runs from −Range to Range
}

// Alpaydin10x5 draws the logistic function 1/(1 + exp(−(wx + w0))) with its tangent in the middle,
// where the function is 1/2.
//
// Numbers: x and the values of the curve; middle.x, .value, .slope. Errors: a weight or range that
// is not finite, a negative range.
//
// Equations: Alpaydin (10.15).
func Alpaydin10x5(o Alpaydin10x5Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.5", &err)
	o = filled(o)
	f := func(x float64) float64 { return kernels.Sigmoid(o.W*x + o.W0) }
	name := `$1/(1 + \exp(-x))$`
	if o.W != 1 || o.W0 != 0 {
		name = `$1/(1 + \exp(-(wx + w_0)))$`
	}
	fig := try(show.Curves(show.CurvesOptions{
		XLabel: "$x$", From: -o.Range, To: o.Range, Y: [2]float64{-0.05, 1.05}, Guides: []float64{0, 0.5, 1},
	}, show.Curve{Name: name, F: f}))
	fig.Panel(0).Y.Label.Text = name
	middle := -o.W0 / o.W
	// σ' = σ(1−σ) is 1/4 in the middle. The tangent extends by a height of 1/2 to each side.
	slope := o.W * f(middle) * (1 - f(middle))
	half := 0.5 / math.Abs(slope)
	tangent := []float64{middle - half, middle + half}
	line := []float64{0.5 - half*slope, 0.5 + half*slope}
	check(
		fig.AddLine(0, "", tangent, line, show.Look{Color: show.LineColor(1), Dash: 1, Width: 1.2}),
		fig.AddMarks(0, "", []float64{middle}, []float64{f(middle)}, show.Look{}),
		fig.AddText(0, fmt.Sprintf("value 1/2, slope %.3g", slope), middle, 0.5, 10, -9, show.Look{}))
	fig.AddData("middle.x", []float64{middle})
	fig.AddData("middle.value", []float64{f(middle)})
	fig.AddData("middle.slope", []float64{slope})
	fig.Alt = fmt.Sprintf("The logistic function from %g to %g; at the midpoint its value is 0.5 and its slope is %.3g.",
		-o.Range, o.Range, slope)
	return fig, nil
}
