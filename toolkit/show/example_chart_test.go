package show_test

import (
	"fmt"
	"math"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func ExampleInteractive() {
	d := iris()
	m := toolkit.Must(classify.FitSoftmax(d.X, d.Labels, d.K(), classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 0.1}}))
	fig := toolkit.Must(show.Regions(m, d, show.RegionsOptions{}))
	chart := toolkit.Must(show.Interactive(fig))
	snippet := toolkit.Must(chart.Snippet())
	fmt.Println("its first point says", strings.Contains(snippet, "p(setosa|x)"))
	// Output: its first point says true
}

func ExampleSliders() {
	slopes := []float64{0.5, 1, 2, 4}
	chart := toolkit.Must(show.Sliders(func(at []int) (*show.Figure, error) {
		w := slopes[at[0]]
		return show.Curves(show.CurvesOptions{Title: fmt.Sprintf("slope %g at 0", w/4)},
			show.Curve{Name: "σ(wa)", F: func(a float64) float64 { return 1 / (1 + math.Exp(-w*a)) }})
	}, show.Slider{Name: "w", Labels: []string{"0.5", "1", "2", "4"}, Start: 1}))
	fmt.Println(chart.Figure().Title)
	// Output: slope 0.25 at 0
}

func ExampleDisplayChart() {
	fig := toolkit.Must(show.Curves(show.CurvesOptions{}, show.Curve{Name: "σ(a)", F: func(a float64) float64 { return 1 / (1 + math.Exp(-a)) }}))
	// In a notebook the first call puts the library on the page; elsewhere both do nothing.
	fmt.Println(show.LoadCharts(), show.DisplayChart(toolkit.Must(show.Interactive(fig))))
	// Output: <nil> <nil>
}
