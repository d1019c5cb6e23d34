package show_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// flowers is two kinds of iris in the plane of their petals.
func flowers() (*datasets.Dataset, *classify.Logistic) {
	d := toolkit.Must(toolkit.Must(datasets.Iris().Class("versicolor", "virginica")).Columns("petal_length", "petal_width"))
	m := toolkit.Must(classify.FitLogistic(d.X, toolkit.Must(d.Target("versicolor")), classify.LogisticOptions{}))
	return d, m
}

func ExampleRegions() {
	d, m := flowers()
	fig := toolkit.Must(show.Regions(m, d, show.RegionsOptions{Mistakes: true}))
	x, _ := fig.Data().Column("boundary.x")
	wrong, _ := fig.Data().Column("mistakes.row")
	fmt.Println("points of the boundary:", len(x))
	fmt.Println("misclassified:", len(wrong))
	// Output:
	// points of the boundary: 2
	// misclassified: 6
}

func ExampleBoundaries() {
	d, m := flowers()
	ls := toolkit.Must(classify.FitLeastSquares(d.X, d.Labels, d.K(), classify.LeastSquaresOptions{}))
	fig := toolkit.Must(show.Boundaries(d, show.BoundariesOptions{},
		show.Named{Name: "least squares", Model: ls}, show.Named{Name: "logistic", Model: m}))
	fmt.Println(fig.Alt)
	// Output: Decision boundaries of least squares, logistic.
}

func ExamplePosterior() {
	d, m := flowers()
	fig := toolkit.Must(show.Posterior(m, d, show.PosteriorOptions{Levels: []float64{0.5}}))
	x, _ := fig.Data().Column("contour.x")
	y, _ := fig.Data().Column("contour.y")
	// On the contour the two posteriors agree: the activation is zero.
	fmt.Printf("%.4f\n", math.Abs(m.W[0]+m.W[1]*x[0]+m.W[2]*y[0]))
	// Output: 0.0000
}

// A function written in a cell is drawn like a fitted model.
func ExamplePosteriorFunc() {
	d, _ := flowers()
	mine := show.PosteriorFunc(func(x []float64) []float64 {
		a := 45 - 5.8*x[0] - 10.4*x[1]
		return []float64{1 / (1 + math.Exp(-a))} // p(C₁|x); p(C₂|x) is the rest
	})
	fig, err := show.Posterior(mine, d, show.PosteriorOptions{})
	fmt.Println(fig.Len(), err)
	// Output: 1 <nil>
}

func ExampleScoreFunc() {
	d, _ := flowers()
	above := show.ScoreFunc(func(x []float64) []float64 { return []float64{1.7 - x[1]} })
	fig := toolkit.Must(show.Regions(above, d, show.RegionsOptions{}))
	y, _ := fig.Data().Column("boundary.y")
	fmt.Println(y)
	// Output: [1.7 1.7]
}

func ExamplePredictFunc() {
	nearer := show.PredictFunc(func(x []float64) int {
		if math.Hypot(x[0]-4.3, x[1]-1.3) < math.Hypot(x[0]-5.6, x[1]-2) {
			return 0
		}
		return 1
	})
	d, _ := flowers()
	_, err := show.Regions(nearer, d, show.RegionsOptions{})
	fmt.Println(err)
	// Output: <nil>
}

func ExampleTrace() {
	_, m := flowers()
	fig := toolkit.Must(show.Trace(m.Trace, show.TraceOptions{}))
	e, _ := fig.Data().Column("E")
	fmt.Printf("from %.2f to %.2f\n", e[0], e[len(e)-1]) // 100 ln 2 at w = 0
	// Output: from 69.31 to 10.28
}

func ExampleCurves() {
	fig := toolkit.Must(show.Curves(show.CurvesOptions{XLabel: "$a$", From: -4, To: 4, Points: 3},
		show.Curve{Name: "$\\tanh a$", F: math.Tanh},
		show.Curve{Name: "$2\\sigma(2a) - 1$", F: func(a float64) float64 { return 2/(1+math.Exp(-2*a)) - 1 }}))
	for _, c := range fig.Data() {
		fmt.Println(c.Name, c.Values)
	}
	// Output:
	// x [-4 0 4]
	// tanh a [-0.9993293 0 0.9993293]
	// 2σ(2a) − 1 [-0.9993293 0 0.9993293]
}

func ExamplePanels() {
	d, m := flowers()
	fig := toolkit.Must(show.Panels(2,
		toolkit.Must(show.Regions(m, d, show.RegionsOptions{Title: "regions"})),
		toolkit.Must(show.Posterior(m, d, show.PosteriorOptions{Title: "posterior"}))))
	fmt.Println(fig.Len(), fig.Panel(1).Title.Text)
	// Output: 2 posterior
}

func ExamplePanelsLegends() {
	d, m := flowers()
	fig := toolkit.Must(show.PanelsLegends(2,
		toolkit.Must(show.Regions(m, d, show.RegionsOptions{Title: "the classes stand under both panels"})),
		toolkit.Must(show.Posterior(m, d, show.PosteriorOptions{Title: "the level p = 0.5 under its own"}))))
	fmt.Println(fig.Len(), fig.Panel(1).Title.Text)
	// Output: 2 the level p = 0.5 under its own
}

func ExampleNewFigure() {
	p := show.NewPanel("$x$", "$x^2$")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -1, 1, 0, 1
	fig := toolkit.Must(show.NewFigure(1, p))
	err := fig.AddLine(0, "parabola", []float64{-1, -0.5, 0, 0.5, 1}, []float64{1, 0.25, 0, 0.25, 1}, show.Look{Color: show.ClassColor(0)})
	fmt.Println(err, fig.Data()[0].Name)
	// Output: <nil> parabola.x
}

func ExampleFigure_Save() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	d, m := flowers()
	fig := toolkit.Must(show.Regions(m, d, show.RegionsOptions{})).At(show.Page)
	for _, name := range []string{"regions.pdf", "regions.csv", "regions"} {
		err := fig.Save(filepath.Join(dir, name))
		fmt.Println(name, err == nil)
	}
	// Output:
	// regions.pdf true
	// regions.csv true
	// regions false
}

// In a notebook the figure appears under the cell; here nothing happens.
func ExampleDisplay() {
	d, m := flowers()
	fmt.Println(show.Display(show.Regions(m, d, show.RegionsOptions{})))
	// Output: <nil>
}

// In a cell a bar follows the passes over the rows, if they take longer than two seconds.
func ExampleProgress() {
	iris := datasets.Iris()
	t := make([]float64, iris.N())
	for i, k := range iris.Labels {
		t[i] = float64(k)
	}
	rows := toolkit.Must(classify.NewRows(classify.RowsOf(iris.X, t), classify.RowsOptions{Classes: 3, Progress: show.Progress()}))
	fmt.Println(rows.N(), "rows")
	// Output: 150 rows
}
