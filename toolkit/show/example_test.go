package show_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// flowers returns the petal measurements of two iris species, and a model that is fitted to them.
func flowers() (*datasets.Dataset, *classify.Logistic) {
	d := toolkit.Must(toolkit.Must(datasets.Iris().Class("versicolor", "virginica")).Columns("petal_length",
		"petal_width"))
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
	// On this contour the two posteriors are equal, so the activation is zero.
	fmt.Printf("%.4f\n", math.Abs(m.W[0]+m.W[1]*x[0]+m.W[2]*y[0]))
	// Output: 0.0000
}

// A model can be a function written in a notebook cell.
func ExamplePosteriorFunc() {
	d, _ := flowers()
	mine := show.PosteriorFunc(func(x []float64) []float64 {
		a := 45 - 5.8*x[0] - 10.4*x[1]
		return []float64{1 / (1 + math.Exp(-a))} // only p(C₁|x) is returned, because p(C₂|x) is 1 − p(C₁|x)
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
	fmt.Printf("from %.2f to %.2f\n", e[0], e[len(e)-1]) // at w = 0 the error is 100 ln 2
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
	err := fig.AddLine(0, "parabola", []float64{-1, -0.5, 0, 0.5, 1}, []float64{1, 0.25, 0, 0.25, 1},
		show.Look{Color: show.ClassColor(0)})
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

// In a notebook the figure appears under the cell. In this example Display does nothing.
func ExampleDisplay() {
	d, m := flowers()
	fmt.Println(show.Display(show.Regions(m, d, show.RegionsOptions{})))
	// Output: <nil>
}

// In a notebook cell, a bar shows the progress of the passes over the rows. The bar appears after
// two seconds.
func ExampleProgress() {
	iris := datasets.Iris()
	t := make([]float64, iris.N())
	for i, k := range iris.Labels {
		t[i] = float64(k)
	}
	rows := toolkit.Must(classify.NewRows(classify.RowsOf(iris.X, t),
		classify.RowsOptions{Classes: 3, Progress: show.Progress()}))
	fmt.Println(rows.N(), "rows")
	// Output: 150 rows
}

// iris returns all three species with their petal measurements.
func iris() *datasets.Dataset {
	return toolkit.Must(datasets.Iris().Columns("petal_length", "petal_width"))
}

// twoClass fits logistic regression to two classes. A one-versus-rest classifier calls twoClass for
// each class.
func twoClass(x mat.Matrix, t []float64) (classify.Scorer, error) {
	return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}})
}

func ExampleDiscriminants() {
	d := iris()
	m := toolkit.Must(classify.FitSoftmax(d.X, d.Labels, d.K(),
		classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 0.1}}))
	fig := toolkit.Must(show.Discriminants(m, d, show.DiscriminantsOptions{Tint: true}))
	x, _ := fig.Data().Column("zero.x")
	y, _ := fig.Data().Column("zero.y")
	a := toolkit.Must(m.Scores(mat.NewDense(1, 2, []float64{x[0], y[0]})))
	fmt.Printf("g_1 on its line: %.4f\n", math.Abs(a.At(0, 0)))
	// Output: g_1 on its line: 0.0000
}

func ExampleDecisions() {
	d := iris()
	m := toolkit.Must(classify.FitOneVersusRest(d.X, d.Labels, d.K(), twoClass, classify.OneVersusRestOptions{}))
	fig := toolkit.Must(show.Decisions(m, d, show.DecisionsOptions{}))
	share, _ := fig.Data().Column("share.area")
	fmt.Println("ambiguous somewhere:", share[3] > 0)
	fmt.Println("rejected somewhere:", share[4] > 0)
	// Output:
	// ambiguous somewhere: true
	// rejected somewhere: true
}

func ExampleDecideFunc() {
	unsure := show.DecideFunc(func(x []float64) int {
		switch {
		case x[0] < 4.5:
			return 0
		case x[0] > 5.5:
			return 1
		}
		return classify.Rejected
	})
	d, _ := flowers()
	fig := toolkit.Must(show.Decisions(unsure, d, show.DecisionsOptions{X: [2]float64{3, 7}}))
	share, _ := fig.Data().Column("share.area")
	fmt.Println(share)
	// Output: [0.375 0.375 0 0.25]
}

func ExampleDensities() {
	d := iris()
	m := toolkit.Must(classify.FitQDA(d.X, d.Labels, d.K(), classify.QDAOptions{}))
	fig := toolkit.Must(show.Densities(m, d, show.DensitiesOptions{}))
	peaks, _ := fig.Data().Column("peak.value")
	fmt.Printf("%.3f\n", peaks)
	// Output: [9.406 2.831 1.132]
}

func ExampleMarginal() {
	d := iris()
	m := toolkit.Must(classify.FitQDA(d.X, d.Labels, d.K(), classify.QDAOptions{}))
	fig := toolkit.Must(show.Marginal(m, d, show.DensitiesOptions{Levels: []float64{0.01, 0.1, 0.5}}))
	fmt.Println(fig.Alt)
	// Output: Density of the inputs over petal length and petal width.
}

// petalWidthFit fits a classifier of two iris species to the width of their petals. It also returns
// the objective of the fit.
func petalWidthFit() (*classify.Logistic, *classify.Objective) {
	d, _ := flowers()
	x := d.X.Slice(0, d.N(), 1, 2)
	t := toolkit.Must(d.Target("versicolor"))
	return toolkit.Must(classify.FitLogistic(x, t,
		classify.LogisticOptions{})), toolkit.Must(classify.LogisticObjective(x, t, nil))
}

// This example draws the posterior of two weights and its Laplace approximation.
func ExampleContours() {
	m, e := petalWidthFit()
	laplace := toolkit.Must(show.GaussianDensity("Laplace", m.W, m.Covariance))
	exact := show.Density{Name: "exact",
		Log: func(w0, w1 float64) float64 { return -toolkit.Must(e.Value([]float64{w0, w1})) }}
	fig := toolkit.Must(show.Contours(show.ContoursOptions{XLabel: "$w_0$", YLabel: "$w_1$", Grid: 40}, exact, laplace))
	peak, _ := fig.Data().Column("exact.peak")
	fmt.Printf("%.2f, the fit has %.2f\n", peak[0], m.LogLikelihood)
	// Output: -16.71, the fit has -16.71
}

func ExampleGaussianDensity() {
	g, err := show.GaussianDensity("round", []float64{1, 2}, mat.NewSymDense(2, []float64{1, 0, 0, 1}))
	fmt.Println(g.Log(1, 2), g.Log(2, 2), err)
	// Output: 0 -0.5 <nil>
}

func ExampleLoss() {
	m, e := petalWidthFit()
	fig := toolkit.Must(show.Loss(e, show.LossOptions{Grid: 40}, show.Path{Name: "Newton", Trace: m.Trace}))
	w1, _ := fig.Data().Column("Newton.y")
	fmt.Printf("w1 ends at %.2f\n", w1[len(w1)-1])
	// Output: w1 ends at -12.95
}

func ExampleObjectiveFunc() {
	bowl := show.ObjectiveFunc(func(w []float64) float64 { return w[0]*w[0] + 4*w[1]*w[1] })
	fig := toolkit.Must(show.Loss(bowl,
		show.LossOptions{X: [2]float64{-1, 1}, Y: [2]float64{-1, 1}, Levels: []float64{1}}))
	x, _ := fig.Data().Column("contour.x")
	y, _ := fig.Data().Column("contour.y")
	fmt.Printf("%.6f\n", x[0]*x[0]+4*y[0]*y[0])
	// Output: 1.000000
}

// Fisher's direction separates the classes better than the line through their means.
func ExampleProjections() {
	d, _ := flowers()
	m := toolkit.Must(classify.FitFisher(d.X, toolkit.Must(d.Target("versicolor")), classify.FisherOptions{}))
	means := []float64{m.Scatter.ClassMeans.At(0, 0) - m.Scatter.ClassMeans.At(1, 0),
		m.Scatter.ClassMeans.At(0, 1) - m.Scatter.ClassMeans.At(1, 1)}
	fig := toolkit.Must(show.Projections(d, show.ProjectionsOptions{},
		show.Direction{Name: "line of means", W: means},
		show.Direction{Name: "Fisher", W: m.Direction, Thresholds: []float64{m.Threshold}}))
	a, _ := fig.Data().Column("line of means.fisher")
	b, _ := fig.Data().Column("Fisher.fisher")
	fmt.Println(a[0] < b[0])
	// Output: true
}

func ExampleImages() {
	// Each image shows the weights of a machine, one weight for each cell of a 20×20 retina.
	weights := mat.NewDense(2, 400, nil)
	for i := range 20 {
		weights.Set(0, 20*i+i, 1)
		weights.Set(1, 20*i+19-i, -1)
	}
	fig := toolkit.Must(show.Images(weights, show.ImagesOptions{Names: []string{"falling", "rising"}}))
	fmt.Println(fig.Len(), fig.Alt)
	// Output: 2 2 grey images of 20 × 20 pixels.
}

func ExampleROC() {
	d, m := flowers()
	a := toolkit.Must(m.Activations(d.X))
	r := toolkit.Must(classify.ScoreROC(toolkit.Must(d.Target("versicolor")), a))
	fig := toolkit.Must(show.ROC(show.ROCOptions{Thresholds: []float64{0}}, show.ROCCurve{Name: "logistic", ROC: r}))
	fpr, _ := fig.Data().Column("logistic.mark.fpr")
	tpr, _ := fig.Data().Column("logistic.mark.tpr")
	fmt.Println(fpr, tpr)
	// Output: [0.06] [0.94]
}

func ExampleCalibration() {
	d, m := flowers()
	p := mat.Col(nil, 0, toolkit.Must(m.Posterior(d.X)))
	c := toolkit.Must(classify.ScoreCalibration(toolkit.Must(d.Target("versicolor")), p, 5))
	fig := toolkit.Must(show.Calibration(show.CalibrationOptions{},
		show.CalibrationCurve{Name: "logistic", Calibration: c}))
	n, _ := fig.Data().Column("logistic.n")
	fmt.Println(n)
	// Output: [45 5 1 1 48]
}

func ExampleConfusion() {
	d, m := flowers()
	c := toolkit.Must(classify.ScoreConfusion(d.Labels, toolkit.Must(m.Predict(d.X)), d.K()))
	fig := toolkit.Must(show.Confusion(c, show.ConfusionOptions{Names: d.ClassNames}))
	count, _ := fig.Data().Column("count")
	fmt.Println(count)
	// Output: [47 3 3 47]
}

func ExampleCoefficients() {
	d, m := flowers()
	lo, hi, err := m.Intervals(0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fig := toolkit.Must(show.Coefficients(append([]string{"bias"}, d.FeatureNames...), show.CoefficientsOptions{},
		show.CoefficientSet{Name: "logistic", Value: m.W, Lo: lo, Hi: hi}))
	v, _ := fig.Data().Column("logistic.lo")
	fmt.Println(len(v), fig.Alt)
	// Output: 3 3 weights of 1 models with intervals.
}

// A parabola approximates the profile at its minimum. Wald's interval contains the weights at which
// this parabola is below a limit. The interval lies too far to the left, because the true profile
// increases more slowly on the right.
func ExampleProfile() {
	x, t := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3}), []float64{0, 0, 1, 0, 1, 1}
	m := toolkit.Must(classify.FitLogistic(x, t, classify.LogisticOptions{}))
	fmt.Println(toolkit.Must(show.Profile(m, x, t, 1, show.ProfileOptions{})).Alt)
	// Output: The profile of w1; its 95% interval runs from -0.142 to 2.291. The interval of the parabola runs from -0.3501 to 1.815.
}

func ExampleTraces() {
	d, m := flowers()
	ridge := toolkit.Must(classify.FitLogistic(d.X, toolkit.Must(d.Target("versicolor")),
		classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))
	fig := toolkit.Must(show.Traces(show.TracesOptions{Quantities: []show.Quantity{show.QuantityWeightNorm,
		show.QuantityMisclassified}},
		show.Path{Name: "maximum likelihood", Trace: m.Trace}, show.Path{Name: "prior", Trace: ridge.Trace}))
	a, _ := fig.Data().Column("maximum likelihood.norm")
	b, _ := fig.Data().Column("prior.norm")
	fmt.Println(fig.Len(), a[len(a)-1] > b[len(b)-1])
	// Output: 2 true
}

// This example draws three posteriors as surfaces. They sum to 1 everywhere.
func ExampleSurfaces() {
	d := iris()
	m := toolkit.Must(classify.FitLDA(d.X, d.Labels, d.K(), classify.LDAOptions{}))
	var sheets []show.Sheet
	for k, name := range d.ClassNames {
		sheets = append(sheets, show.PosteriorSheet(name, m, k))
	}
	fig := toolkit.Must(show.Surfaces(show.SurfacesOptions{Data: d, ZLabel: "$p(C_k|\\mathbf{x})$"}, sheets...))
	sum := 0.0
	for _, name := range d.ClassNames {
		z, _ := fig.Data().Column(name + ".z")
		sum += z[100]
	}
	fmt.Printf("%.6f\n", sum)
	// Output: 1.000000
}

// This example draws the geometry of a linear discriminant, PRML figure 4.1.
func ExampleFigure_AddArrow() {
	p := show.NewPanel("$x_1$", "$x_2$")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -1, 3, -1, 3
	fig := toolkit.Must(show.NewFigure(1, p))
	for _, err := range []error{
		fig.EqualAxes(0),
		fig.AddArea(0, "$y(\\mathbf{x}) > 0$", []float64{-1, 3, 3}, []float64{3, 3, -1},
			show.Look{Color: show.ClassColor(0)}),
		fig.AddLine(0, "", []float64{-1, 3}, []float64{3, -1}, show.Look{Width: 2}), // points of the line x1 + x2 = 2
		fig.AddSpan(0, "", 0, 0, 1, 1, show.Look{}),
		fig.AddRightAngle(0, 1, 1, -1, -1, 1, -1, show.Look{}),
		fig.AddText(0, "$-w_0/\\|\\mathbf{w}\\|$", 0.5, 0.5, 8, -6, show.Look{}),
		fig.AddArrow(0, "$\\mathbf{w}$", 1.5, 0.5, 2.2, 1.2, show.Look{Width: 1.8}),
	} {
		if err != nil {
			fmt.Println(err)
		}
	}
	x, _ := fig.Data().Column("w.x")
	fmt.Println(x)
	// Output: [1.5 2.2]
}

func ExampleInteractive() {
	d := iris()
	m := toolkit.Must(classify.FitSoftmax(d.X, d.Labels, d.K(),
		classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 0.1}}))
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
	fig := toolkit.Must(show.Curves(show.CurvesOptions{},
		show.Curve{Name: "σ(a)", F: func(a float64) float64 { return 1 / (1 + math.Exp(-a)) }}))
	// In a notebook, the first call loads the chart library. In other programs both calls do
	// nothing.
	fmt.Println(show.LoadCharts(), show.DisplayChart(show.Interactive(fig)))
	// Output: <nil> <nil>
}
