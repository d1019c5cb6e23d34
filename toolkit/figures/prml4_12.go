package figures

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x12Options change figure 4.12. The zero value draws the printed form.
type PRML4x12Options struct {
	// Centres of the two Gaussian basis functions; nil is one on each of the outer
	// clouds, (−1.5, −1) and (1.5, 1).
	Centres [][]float64
	Width   float64 // s of both basis functions; 0 is 1.3
	N       int     // points of each cloud; 0 is 40
	Seed    uint64  // of the random data
}

func (o PRML4x12Options) filled() PRML4x12Options {
	all := filled(o, PRML4x12Options{Centres: [][]float64{{-1.5, -1}, {1.5, 1}}, Width: 1.3, N: 40})
	if o.Centres != nil { // none are too few
		all.Centres = o.Centres
	}
	return all
}

func prml4x12Entry() Entry {
	return entry(Entry{
		ID:      "fig-prml-4.12",
		Title:   "Basis functions make a curved boundary straight",
		Source:  "PRML figure 4.12",
		LookFor: "No line parts the classes in the plane of x, but one does in the plane of φ. Seen in x, the same line is a curve around the centres. Move the centres.",
	}, PRML4x12, PRML4x12Chart)
}

// PRML4x12 draws two classes that no line separates, with the centres of two
// Gaussian basis functions, and the same points in the plane of (φ₁, φ₂),
// where logistic regression finds a line; in both planes its boundary.
//
// Numbers: those of the panels (see show.Regions), a. of x and b. of φ; a.centres,
// a.φj = e−1/2, a circle around each, and a.without basis functions, the boundary of logistic
// regression on x itself; model.w, bias first;
// mistakes.x and mistakes.φ, misclassified points of the fits on x and on φ, and mistakes.n, all points.
// Errors: other than two centres of two finite coordinates, a width that is not positive, a negative N.
func PRML4x12(o PRML4x12Options) (_ *show.Figure, err error) {
	defer named("PRML 4.12", &err)
	o = o.filled()
	if _, err := o.basis(); err != nil {
		return nil, err
	}
	s, err := o.scene()
	if err != nil {
		return nil, err
	}
	return o.panels(s, basisView{})
}

func (o PRML4x12Options) basis() (*classify.GaussianBasis, error) {
	if len(o.Centres) != 2 {
		return nil, fmt.Errorf("there are %d centres; give two, so that φ is a plane", len(o.Centres))
	}
	centres := mat.NewDense(2, 2, nil)
	for j, c := range o.Centres {
		if len(c) != 2 {
			return nil, fmt.Errorf("centre %d has %d coordinates; give two", j, len(c))
		}
		centres.SetRow(j, c)
	}
	return classify.BasisGaussian(centres, o.Width)
}

// prior is a weak one: in the plane of φ the classes may be separable, and the
// maximum of the likelihood infinite.
func (o PRML4x12Options) prior() classify.Prior {
	return classify.Isotropic{Alpha: 0.01, FreeBias: true}
}

// A basisScene is what the figure has wherever the centres lie: the points, and
// logistic regression on their inputs.
type basisScene struct {
	d      *datasets.Dataset
	fit    func(x mat.Matrix) (*classify.Logistic, error)
	before float64 // misclassified by it
	x, y   [2]float64
	lx, ly []float64 // its boundary
}

func (o PRML4x12Options) scene() (*basisScene, error) {
	d, err := datasets.Sandwich(datasets.SceneOptions{N: o.N, Seed: o.Seed})
	if err != nil {
		return nil, err
	}
	t, err := d.Target(d.ClassNames[0])
	if err != nil {
		return nil, err
	}
	s := &basisScene{d: d, fit: func(x mat.Matrix) (*classify.Logistic, error) {
		return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: o.prior()})
	}}
	linear, err := s.fit(d.X)
	if err != nil {
		return nil, err
	}
	if s.before, err = mistakes(linear, d); err != nil {
		return nil, err
	}
	s.x, s.y = square(d)
	s.lx, s.ly, err = boundaryLine(linear, d, s.x, s.y)
	return s, err
}

// A basisView is a way to draw the figure; the zero value is the printed one.
type basisView struct {
	grid   int  // cells of the mesh along each side; 0 is the usual mesh
	moving bool // a frame of many: without posteriors, and drawn so that frames share
}

// panels fits the model with the centres of o and draws it in both planes.
func (o PRML4x12Options) panels(s *basisScene, v basisView) (*show.Figure, error) {
	b, err := o.basis()
	if err != nil {
		return nil, err
	}
	d := s.d
	m, err := classify.FitOnBasis(d.X, b, s.fit)
	if err != nil {
		return nil, err
	}
	phi, err := classify.Features(d.X, b)
	if err != nil {
		return nil, err
	}
	inX, err := o.inputs(s, v.model(m), v)
	if err != nil {
		return nil, err
	}
	mapped := &datasets.Dataset{Name: d.Name, X: mat.DenseCopyOf(phi), Labels: d.Labels, ClassNames: d.ClassNames, FeatureNames: []string{"φ1", "φ2"}, Source: d.Source}
	inPhi, err := show.Regions(v.model(m.Model), mapped, show.RegionsOptions{
		Title: `basis functions $\phi(\mathbf{x})$`, XLabel: `$\phi_1$`, YLabel: `$\phi_2$`, X: [2]float64{-0.05, 1.05}, Y: [2]float64{-0.05, 1.05}, Grid: v.grid,
	})
	if err != nil {
		return nil, err
	}
	fig, err := equalPanels(inX, inPhi)
	if err != nil {
		return nil, err
	}
	after, err := mistakes(m, d)
	if err != nil {
		return nil, err
	}
	fig.AddData("model.w", m.Model.W)
	fig.AddData("mistakes.x", []float64{s.before})
	fig.AddData("mistakes.φ", []float64{after})
	fig.AddData("mistakes.n", []float64{float64(d.N())})
	fig.Alt = fmt.Sprintf("Two classes in the plane of the inputs with a curved boundary around the centres of two Gaussian basis functions, and in the plane of the basis functions, where the boundary is straight. A line misclassifies %.0f points in the first plane, %.0f in the second.", s.before, after)
	return fig, nil
}

// inputs draws the plane of x: the regions, the centres with a circle of one
// width around each, and the boundary of logistic regression without basis functions.
func (o PRML4x12Options) inputs(s *basisScene, m classify.Predictor, v basisView) (*show.Figure, error) {
	fig, err := show.Regions(m, s.d, show.RegionsOptions{Title: `inputs $\mathbf{x}$`, XLabel: "$x_1$", YLabel: "$x_2$", X: s.x, Y: s.y, Grid: v.grid})
	if err != nil {
		return nil, err
	}
	const corners = 72
	var cx, cy, mx, my []float64
	name, green := `$\phi_j = e^{-1/2}$`, show.ClassColor(2)
	look := show.Look{Color: green, Dash: 2, Width: 1.4}
	for j, c := range o.Centres {
		for i := range corners + 1 {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
			cx, cy = append(cx, c[0]+o.Width*cos), append(cy, c[1]+o.Width*sin)
		}
		if v.moving && j == 0 { // a line of its own, so that frames share it
			if err := fig.AddLine(0, name, cx, cy, look); err != nil {
				return nil, err
			}
			name, cx, cy = "", nil, nil
		}
		cx, cy = append(cx, math.NaN()), append(cy, math.NaN()) // lift the pen
		mx, my = append(mx, c[0]), append(my, c[1])
	}
	return fig, firstError(
		fig.AddLine(0, name, cx, cy, look),
		fig.AddMarks(0, "centres", mx, my, show.Look{Color: green, Marker: 3, Size: 4}),
		fig.AddLine(0, "without basis functions", s.lx, s.ly, show.Look{Color: show.LineColor(4), Dash: 1, Width: 1.8}))
}

// mistakes returns how many rows a model puts into another class.
func mistakes(m classify.Predictor, d *datasets.Dataset) (float64, error) {
	predicted, err := m.Predict(d.X)
	if err != nil {
		return 0, err
	}
	n := 0.0
	for i, k := range predicted {
		if k != d.Labels[i] {
			n++
		}
	}
	return n, nil
}
