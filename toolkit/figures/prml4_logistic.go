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
	// Centres of the two Gaussian basis functions; nil puts one centre on each outer cloud.
	Centres [][]float64 `default:"[[-1.5, -1], [1.5, 1]]"`
	Width   float64     `default:"1.3"` // width s of both basis functions
	N       int         `default:"40"`  // points of each cloud
	Seed    uint64      // seed of the random data
}

// PRML4x12 draws two classes that no line separates, with the centres of two Gaussian basis
// functions. A second panel shows the same points in the plane of (φ₁, φ₂), to which
// PRML4x12 fits logistic regression. Both panels show the boundary of this fit.
//
// Numbers: the numbers of the panels (see show.Regions), a. of x and b. of φ; a.centres,
// the centres; a.φj = e−1/2, a circle around each centre; a.without basis functions, the
// boundary of logistic regression on x itself; model.w, bias first; mistakes.x and
// mistakes.φ, the numbers of points that the fits on x and on φ misclassify, and
// mistakes.n, the number of all points.
// Errors: Centres that are not two points of two finite coordinates, a width that is not
// positive, a negative N.
func PRML4x12(o PRML4x12Options) (_ *show.Figure, err error) {
	defer named("PRML 4.12", &err)
	o = filled(o)
	o.basis() // fails if the centres or the width are invalid
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

// basisScene contains the parts of the figure that do not depend on the centres: the points,
// and the fit of logistic regression to their inputs x.
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
		// The prior is weak but necessary. In the plane of φ the classes may be separable, and the
		// maximum-likelihood weights would then be infinite.
		return classify.FitLogistic(x, t,
			classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.01, FreeBias: true}})
	}}
	linear := try(s.fit(d.X))
	s.before = mistakes(linear, d)
	s.x, s.y = square(d)
	s.lx, s.ly = boundaryLine(linear, d, s.x, s.y)
	return s
}

// panels fits the model with the centres of o and draws it in the planes of x and of φ. If
// moving is true, panels draws a frame of a chart: on a coarse mesh, without posteriors, and
// with lines that several frames can share.
func (o PRML4x12Options) panels(s *basisScene, moving bool) *show.Figure {
	d, b := s.d, o.basis()
	m := try(classify.FitOnBasis(d.X, b, s.fit))
	phi := try(classify.Features(d.X, b))
	var overX, overPhi classify.Predictor = m, m.Model
	grid := 0 // the default mesh
	if moving {
		// scoringModel hides the posteriors. They differ in every frame, and would make up most
		// of the page.
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

// inputs draws the plane of x: the regions, the centres with a circle of radius o.Width
// around each, and the boundary of logistic regression without basis functions.
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
		if moving && j == 0 { // frames can share the first circle if it is a separate line
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

// prml4x12Places are the slider positions of each centre, as multiples of the distance
// between the centre and the midpoint of the two centres.
var prml4x12Places = []float64{1.5, 1, 0.5, 0, -0.5, -1, -1.5}

// PRML4x12Chart moves the two centres of [PRML4x12] along the line through both, with one
// slider for each centre, and fits the model again at every position. One panel shows the
// curved boundary in the plane of x, the other panel the straight boundary in the plane of
// φ. Errors: the errors of [PRML4x12], and two equal centres, which do not define a line.
func PRML4x12Chart(o PRML4x12Options) (_ *show.Chart, err error) {
	defer named("PRML 4.12", &err)
	o = filled(o)
	s := o.scene()
	o.basis() // fails if the centres or the width are invalid
	need(!slices.Equal(o.Centres[0], o.Centres[1]),
		"the two centres are equal, so they define no line along which to move: give different centres")
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

// moved returns the position of centre j when its distance from the midpoint of the two centres
// is multiplied by multiple.
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

// scoringModel is a model that predicts classes and computes activations, but no posteriors.
type scoringModel interface {
	classify.Predictor
	classify.Scorer
}
