package figures

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x4Options are the options of PRML figure 4.4. The zero value draws the default figure.
type PRML4x4Options struct {
	N        int    `default:"50"`               // number of points of each class
	Outliers int    `default:"8" range:"0..1e6"` // number of additional points, far from the boundary on the correct side
	Seed     uint64 // seed of the random data
}

// PRML4x4 draws two classes with the boundaries of least squares and logistic regression. The data
// in the left panel have no outliers. The data in the right panel have a few outliers, which lie on
// the correct side of both boundaries.
//
// The figure's Data contains the columns of show.Boundaries. Their names begin with "a." in the
// panel without outliers and with "b." in the panel with outliers. "turn.least squares" and
// "turn.logistic" are the angles, in degrees, by which the outliers turn the two boundaries.
// Errors: a negative N, a number of outliers outside 0 to 1e6, or data on which a fit fails.
//
// Equations: PRML (4.16), (4.17).
func PRML4x4(o PRML4x4Options) (_ *show.Figure, err error) {
	defer returnFailure("PRML 4.4", &err)
	o = withDefaults(o)
	return newOutlierScene(o, o.Outliers, asDrawn, false).figure(o.Outliers, asDrawn), nil
}

// outlierScene contains the data of figure 4.4, which compares the boundaries without and with
// outliers.
type outlierScene struct {
	data  *datasets.Dataset // rows of both classes, then the largest number of outliers that a frame shows
	n     int               // number of rows that are not outliers
	x, y  [2]float64        // ranges of the axes, which leave space for the outliers in every panel
	clean *bounds           // boundaries without outliers
	// If `moving` is true, the outliers are drawn in a layer of their own, so that the frames of a
	// chart can share the layers of all other points.
	moving bool
}

// asDrawn is the place of the cloud of outliers in the data that datasets.Outliers returns. A place is
// the distance of the cloud from the middle of the classes, divided by the distance in these data.
const asDrawn = 1

// bounds contains the boundaries of least squares and of logistic regression for one data set.
type bounds struct {
	fig               *show.Figure
	squares, logistic []float64 // normals of the boundaries of least squares and of logistic regression
}

// newOutlierScene returns a scene in which the panel without outliers is already drawn. The
// arguments `most` and `farthest` are the largest number of outliers and the largest place of the
// cloud of outliers.
func newOutlierScene(o PRML4x4Options, most int, farthest float64, moving bool) *outlierScene {
	clean, with, err := datasets.Outliers(datasets.OutliersOptions{N: o.N, Outliers: most, Seed: o.Seed})
	check(err)
	p := &outlierScene{data: with, n: clean.N(), moving: moving}
	moved := p.rows(most, farthest)
	p.x, p.y = wholeRange(moved, 0), wholeRange(moved, 1)
	p.clean = p.fitBounds(0, asDrawn, "without outliers")
	return p
}

// rows returns the data with the given number of outliers. It moves the cloud of outliers to the
// given place.
func (p *outlierScene) rows(outliers int, place float64) *datasets.Dataset {
	d := try(p.data.Rows(upTo(p.n + outliers - 1)...))
	for i := p.n; i < d.N(); i++ {
		for j, c := range []float64{8.5, -4} { // x1 and x2 of the cloud's centre if `place` is asDrawn
			d.X.Set(i, j, d.X.At(i, j)+(place-asDrawn)*c)
		}
	}
	return d
}

// fitBounds fits least squares and logistic regression to the data with the given number of
// outliers, which may be 0, and draws both boundaries. The cloud of outliers is at the given place.
func (p *outlierScene) fitBounds(outliers int, place float64, title string) *bounds {
	d := p.rows(outliers, place)
	ls := try(classify.FitLeastSquares(d.X, d.Labels, d.K(), classify.LeastSquaresOptions{}))
	lg := try(classify.FitLogistic(d.X, firstClassTargets(d), classify.LogisticOptions{}))
	shown := d
	if p.moving {
		shown = p.rows(0, asDrawn)
	}
	fig := try(show.Boundaries(shown, show.BoundariesOptions{
		Title: title,
		X:     p.x, Y: p.y,
		Grid: 24, // a coarse mesh is enough, because the boundaries are straight lines
	}, show.Named{Name: "logistic regression", Model: lg}, show.Named{Name: "least squares", Model: ls}))
	if p.moving && p.clean != nil { // p.clean is nil while the panel without outliers is drawn
		check(fig.AddMarks(0, "outliers", mat.Col(nil, 0, d.X)[p.n:], mat.Col(nil, 1, d.X)[p.n:],
			show.Look{Color: show.ClassColor(1), Marker: 1}))
	}
	return &bounds{fig, []float64{ls.W.At(1, 0) - ls.W.At(1, 1), ls.W.At(2, 0) - ls.W.At(2, 1)}, lg.W[1:]}
}

// figure draws the panel without outliers and, beside it, the panel with the cloud of outliers at
// the given place.
func (p *outlierScene) figure(outliers int, place float64) *show.Figure {
	with := p.fitBounds(outliers, place, "with outliers")
	fig := try(show.Panels(2, p.clean.fig, with.fig))
	turnLS, turnLG := angleBetween(p.clean.squares, with.squares), angleBetween(p.clean.logistic, with.logistic)
	addNumbers(fig, "turn.least squares", turnLS)
	addNumbers(fig, "turn.logistic", turnLG)
	fig.Alt = fmt.Sprintf("Two classes with the boundaries of least squares and logistic regression, without and with %d outliers. The outliers turn the first by %.0f degrees and the second by %.0f.", outliers, turnLS, turnLG)
	return fig
}

// angleBetween returns the angle between two lines with normals a and b, in degrees from 0 to 90.
// The angle is rounded to six decimals, because further digits contain only rounding errors.
func angleBetween(a, b []float64) float64 {
	cross := a[0]*b[1] - a[1]*b[0]
	dot := a[0]*b[0] + a[1]*b[1]
	return math.Round(math.Atan2(math.Abs(cross), math.Abs(dot))*180/math.Pi*1e6) / 1e6
}

// PRML4x4Chart returns the figure of [PRML4x4] as a chart with two sliders. The first slider sets
// the number of outliers. Its range is 0 to 20, or 0 to the number in the options if this number is
// larger. Its initial position is the number in the options. The second slider moves the cloud of
// outliers away from the boundary or towards it. For this purpose it multiplies the distance of the
// cloud from the middle of the classes by a factor. In the Data of a frame, "outliers.place" is this
// factor, and "b.outliers.x" and "b.outliers.y" are the coordinates of the outliers. Both models are
// fitted again for every frame. PRML4x4Chart returns the same errors as [PRML4x4].
//
// Equations: PRML (4.16), (4.17).
func PRML4x4Chart(o PRML4x4Options) (_ *show.Chart, err error) {
	defer returnFailure("PRML 4.4", &err)
	o = withDefaults(o)
	counts, start := outlierCounts(o.Outliers)
	p := newOutlierScene(o, counts[len(counts)-1], slices.Max(cloudPlaces), true)
	return sliderChart(func(at []int) *show.Figure { return p.withTurns(counts[at[0]], cloudPlaces[at[1]]) },
		show.Slider{Name: "outliers", Labels: integerLabels(counts), Start: start},
		show.Slider{Name: "how far out", Labels: unitLabels(cloudPlaces, "×"),
			Start: slices.Index(cloudPlaces, asDrawn)}), nil
}

// cloudPlaces contains the positions of the slider that moves the cloud of outliers.
var cloudPlaces = []float64{0.25, 0.5, 0.75, asDrawn, 1.25}

// outlierCounts returns the numbers of outliers at the positions of the slider. The result `start`
// is the position with counts[start] = n.
func outlierCounts(n int) (counts []int, start int) {
	const steps = 20
	most := max(steps, n)
	for i := range steps + 1 {
		counts = append(counts, int(math.Round(float64(i)*float64(most)/steps)))
		if counts[i] == n {
			start = i
		}
	}
	return counts, start
}

// withTurns returns the figure with a title that states by how many degrees each boundary turns.
func (p *outlierScene) withTurns(outliers int, place float64) *show.Figure {
	fig := p.figure(outliers, place)
	fig.Panel(1).Title.Text = "with " + plural(outliers, "outlier")
	fig.Title = fmt.Sprintf("least squares turns by %.1f°, logistic regression by %.1f°",
		singleNumber(fig.Data(), "turn.least squares"), singleNumber(fig.Data(), "turn.logistic"))
	addNumbers(fig, "outliers.place", place)
	fig.Height += 0.3
	return fig
}

// PRML4x5Options are the options of PRML figure 4.5. The zero value draws the default figure.
type PRML4x5Options struct {
	N      int     `default:"50"`      // number of points of each class
	Spread float64 `default:"1"`       // factor by which all standard deviations are multiplied
	Shift  float64 `range:"-1e6..1e6"` // distance of the middle class from the line through the other two centres
	Seed   uint64  // seed of the random data
}

// PRML4x5 draws the decision regions of least squares and of softmax regression. The three classes
// lie side by side.
//
// The figure's Data contains the columns of show.Regions. Their names begin with "a." for least
// squares and with "b." for softmax regression. "recall.least squares" and "recall.logistic"
// contain, for each class, the fraction of its points that the model assigns to the correct class.
// Errors: a negative N, a Spread outside 1e-100 to 1e100, a Shift outside −1e6 to 1e6, or data on
// which a fit fails.
//
// Equations: PRML (4.16), (4.17).
func PRML4x5(o PRML4x5Options) (_ *show.Figure, err error) {
	defer returnFailure("PRML 4.5", &err)
	o = withDefaults(o)
	d := try(datasets.ThreeInARow(datasets.SceneOptions{N: o.N, Spread: o.Spread, Seed: o.Seed}))
	for i, l := range d.Labels {
		if l == 1 { // shift the middle class along (1, 1)/√2, perpendicular to the line through the means
			d.X.Set(i, 0, d.X.At(i, 0)+o.Shift*math.Sqrt2/2)
			d.X.Set(i, 1, d.X.At(i, 1)+o.Shift*math.Sqrt2/2)
		}
	}
	squares := try(classify.FitLeastSquares(d.X, d.Labels, d.K(), classify.LeastSquaresOptions{}))
	logistic := try(classify.FitSoftmax(d.X, d.Labels, d.K(), classify.SoftmaxOptions{}))
	var (
		panels  []*show.Figure
		recalls [][]float64
	)
	for _, m := range []show.Named{{Name: "least squares", Model: squares},
		{Name: "logistic regression", Model: logistic}} {
		share := recall(d, try(m.Model.Predict(d.X)))
		title := fmt.Sprintf("%s finds %.0f of %d of $C_2$", m.Name, share[1]*float64(o.N), o.N)
		fig := try(show.Regions(m.Model, d, show.RegionsOptions{Title: title, X: wholeRange(d, 0), Y: wholeRange(d,
			1)}))
		panels, recalls = append(panels, fig), append(recalls, share)
	}
	fig := equalPanels(2, panels...)
	fig.AddData("recall.least squares", recalls[0])
	fig.AddData("recall.logistic", recalls[1])
	fig.Alt = fmt.Sprintf("Decision regions of least squares and of logistic regression for three classes. Least squares finds %.0f per cent of the middle class, logistic regression %.0f.", 100*recalls[0][1], 100*recalls[1][1])
	return fig, nil
}

// recall returns, for each class, the fraction of its rows that the model assigns to the correct
// class.
func recall(d *datasets.Dataset, predicted []int) []float64 {
	right := make([]float64, d.K())
	for i, l := range d.Labels {
		if predicted[i] == l {
			right[l]++
		}
	}
	for k, n := range d.Counts() {
		if n > 0 {
			right[k] /= float64(n)
		}
	}
	return right
}
