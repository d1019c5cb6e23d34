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

// PRML4x12Options change figure 4.12. The zero value draws the printed form.
type PRML4x12Options struct {
	// Centres of the two Gaussian basis functions; nil means one on each outer cloud.
	Centres [][]float64 `default:"[[-1.5, -1], [1.5, 1]]"`
	Width   float64     `default:"1.3"` // s of both basis functions
	N       int         `default:"40"`  // points of each cloud
	Seed    uint64      // seed of the random data
}

// PRML4x12 draws two classes that no line separates, with the centres of two
// Gaussian basis functions, and the same points in the plane of (φ₁, φ₂),
// where logistic regression finds a line. Both planes show its boundary.
//
// Numbers: the numbers of the panels (see show.Regions), a. of x and b. of φ; a.centres,
// a.φj = e−1/2, a circle around each, and a.without basis functions, the boundary of
// logistic regression on x itself; model.w, bias first; mistakes.x and mistakes.φ,
// misclassified points of the fits on x and on φ, and mistakes.n, all points.
// Errors: Centres that are not two points of two finite coordinates, a width that is not
// positive, a negative N.
func PRML4x12(o PRML4x12Options) (_ *show.Figure, err error) {
	defer named("PRML 4.12", &err)
	o = filled(o)
	o.basis() // report invalid centres first
	return o.panels(o.scene(), false), nil
}

func (o PRML4x12Options) basis() *classify.GaussianBasis {
	need(len(o.Centres) == 2, "there are %d centres; give two, so that φ is a plane", len(o.Centres))
	centres := mat.NewDense(2, 2, nil)
	for j, c := range o.Centres {
		need(len(c) == 2, "centre %d has %d coordinates; give two", j, len(c))
		centres.SetRow(j, c)
	}
	return try(classify.BasisGaussian(centres, o.Width))
}

// basisScene holds the parts of the figure that do not depend on the centres: the points,
// and logistic regression on their inputs.
type basisScene struct {
	d      *datasets.Dataset
	fit    func(x mat.Matrix) (*classify.Logistic, error)
	before float64 // number of points that logistic regression on x misclassifies
	x, y   [2]float64
	lx, ly []float64 // boundary of logistic regression on x
}

func (o PRML4x12Options) scene() *basisScene {
	d := try(datasets.Sandwich(datasets.SceneOptions{N: o.N, Seed: o.Seed}))
	t := binary(d)
	s := &basisScene{d: d, fit: func(x mat.Matrix) (*classify.Logistic, error) {
		// A weak prior, because in the plane of φ the classes may be separable and the
		// maximum-likelihood weights infinite.
		return classify.FitLogistic(x, t,
			classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.01, FreeBias: true}})
	}}
	linear := try(s.fit(d.X))
	s.before = mistakes(linear, d)
	s.x, s.y = square(d)
	s.lx, s.ly = boundaryLine(linear, d, s.x, s.y)
	return s
}

// panels fits the model with the centres of o and draws it in both planes. If moving, it
// draws a frame of a chart: on a coarse mesh, without posteriors, and with parts that
// frames can share.
func (o PRML4x12Options) panels(s *basisScene, moving bool) *show.Figure {
	d, b := s.d, o.basis()
	m := try(classify.FitOnBasis(d.X, b, s.fit))
	phi := try(classify.Features(d.X, b))
	var overX, overPhi classify.Predictor = m, m.Model
	grid := 0 // the default mesh
	if moving {
		// Posteriors at points that differ in every frame would make up most of the page.
		overX, overPhi, grid = struct{ scoringModel }{m}, struct{ scoringModel }{m.Model}, 32
	}
	mapped := &datasets.Dataset{Name: d.Name, X: mat.DenseCopyOf(phi), Labels: d.Labels, ClassNames: d.ClassNames,
		FeatureNames: []string{"φ1", "φ2"}, Source: d.Source, Hues: d.Hues}
	inPhi := try(show.Regions(overPhi, mapped, show.RegionsOptions{
		Title: `basis functions $\phi(\mathbf{x})$`, XLabel: `$\phi_1$`, YLabel: `$\phi_2$`, X: [2]float64{-0.05, 1.05},
		Y: [2]float64{-0.05, 1.05}, Grid: grid,
	}))
	fig := equalPanels(2, o.inputs(s, overX, grid, moving), inPhi)
	after := mistakes(m, d)
	fig.AddData("model.w", m.Model.W)
	fig.AddData("mistakes.x", []float64{s.before})
	fig.AddData("mistakes.φ", []float64{after})
	fig.AddData("mistakes.n", []float64{float64(d.N())})
	fig.Alt = fmt.Sprintf("Two classes in the plane of the inputs with a curved boundary around the centres of two Gaussian basis functions, and in the plane of the basis functions, where the boundary is straight. A line misclassifies %.0f points in the first plane, %.0f in the second.", s.before, after)
	return fig
}

// inputs draws the plane of x: the regions, the centres with a circle of one
// width around each, and the boundary of logistic regression without basis functions.
func (o PRML4x12Options) inputs(s *basisScene, m classify.Predictor, grid int, moving bool) *show.Figure {
	fig := try(show.Regions(m, s.d,
		show.RegionsOptions{Title: `inputs $\mathbf{x}$`, XLabel: "$x_1$", YLabel: "$x_2$", X: s.x, Y: s.y,
			Grid: grid}))
	const corners = 72
	var cx, cy, mx, my []float64
	name, green := `$\phi_j = e^{-1/2}$`, show.ClassColor(2)
	look := show.Look{Color: green, Dash: 2, Width: 1.4}
	for j, c := range o.Centres {
		for i := range corners + 1 {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
			cx, cy = append(cx, c[0]+o.Width*cos), append(cy, c[1]+o.Width*sin)
		}
		if moving && j == 0 { // a separate line, which frames can share
			check(fig.AddLine(0, name, cx, cy, look))
			name, cx, cy = "", nil, nil
		}
		cx, cy = append(cx, math.NaN()), append(cy, math.NaN()) // a gap between the circles
		mx, my = append(mx, c[0]), append(my, c[1])
		check(fig.AddText(0, fmt.Sprintf(`$\phi_%d$`, j+1), c[0], c[1]+o.Width, 0, 9,
			show.Look{Color: green, Size: 11, Align: -0.5}))
	}
	check(
		fig.AddLine(0, name, cx, cy, look),
		fig.AddMarks(0, "centres", mx, my, show.Look{Color: green, Marker: 3, Size: 4}),
		fig.AddLine(0, "without basis functions", s.lx, s.ly, show.Look{Color: show.LineColor(4), Dash: 1, Width: 1.8}))
	return fig
}

// prml4x12Places are the positions of the slider of each centre: multiples of its
// distance from the middle between the two.
var prml4x12Places = []float64{1.5, 1, 0.5, 0, -0.5, -1, -1.5}

// PRML4x12Chart moves the two centres of [PRML4x12] along the line through both, with a
// slider for each. The model is fitted again at every position; the curve in the plane of
// x is drawn beside the line in the plane of φ. Errors: as in PRML4x12, and two equal
// centres, which do not define a line.
func PRML4x12Chart(o PRML4x12Options) (_ *show.Chart, err error) {
	defer named("PRML 4.12", &err)
	o = filled(o)
	s := o.scene()
	o.basis() // report invalid centres first
	need(!slices.Equal(o.Centres[0], o.Centres[1]),
		"the two centres are the same; they are moved along the line through both: give different ones")
	var both []show.Slider
	for j := range o.Centres {
		slider := show.Slider{Name: fmt.Sprintf("centre %d", j+1), Start: 1}
		for _, f := range prml4x12Places {
			slider.Labels = append(slider.Labels, "("+decimals(2, o.moved(j, f)...)+")")
		}
		both = append(both, slider)
	}
	return sliders(func(at []int) *show.Figure { return o.frame(s, at[0], at[1]) }, both...), nil
}

// moved returns centre j at a multiple of its distance from the middle.
func (o PRML4x12Options) moved(j int, multiple float64) []float64 {
	out := make([]float64, 2)
	for k := range out {
		middle := (o.Centres[0][k] + o.Centres[1][k]) / 2
		out[k] = middle + multiple*(o.Centres[j][k]-middle)
	}
	return out
}

// frame draws the figure with the centres at the given positions of their sliders.
func (o PRML4x12Options) frame(s *basisScene, first, second int) *show.Figure {
	o.Centres = [][]float64{o.moved(0, prml4x12Places[first]), o.moved(1, prml4x12Places[second])}
	fig := o.panels(s, true)
	after := single(fig.Data(), "mistakes.φ")
	fig.Title = fmt.Sprintf("%s; without basis functions %.0f", mistaken(int(after), s.d.N()), s.before)
	return fig
}

// scoringModel predicts classes and has activations, but no posteriors.
type scoringModel interface {
	classify.Predictor
	classify.Scorer
}
