package show

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// SurfacesOptions change what [Surfaces] draws. All fields are optional.
type SurfacesOptions struct {
	Title                  string
	XLabel, YLabel, ZLabel string
	// X and Y are the ranges of the floor. The default is the range of Data with a margin, or −5 to
	// 5 without Data.
	X, Y [2]float64
	Z    [2]float64 // range of heights to show; the default is all heights
	// Data is a data set whose ranges and feature names are the default ranges and labels. Surfaces
	// does not draw its rows.
	Data  *datasets.Dataset
	Cells int // number of cells of the mesh along each side, 4 to 200; the default is 32
	// Smooth divides each cell into Smooth × Smooth smaller cells, but no lines are drawn between
	// the smaller cells. 0 and 1 mean no division. Smooth·Cells is at most 200.
	Smooth int
	// Low is a height, as a fraction of the range of heights, 0 ≤ Low < 1. The parts of sheets
	// below this height are not drawn. Use Low if several sheets are almost flat on the floor,
	// because they cannot be distinguished there.
	Low float64
	// See is how far one can see through the sheets, from 0 (opaque) to 0.9.
	See float64
	// Azimuth is the direction of the viewer in degrees, anticlockwise from the first axis; 0 means
	// −60. Elevation is the angle of the viewer above the floor in degrees, 1 to 89; 0 means 30.
	Azimuth, Elevation float64
}

// Surfaces draws up to six functions of two variables as surfaces, called sheets, over one floor.
// They are seen from above in parallel projection. See PRML figure 4.10 and Alpaydin figure 10.10.
// A sheet consists of small faces. Surfaces draws the faces from the farthest to the nearest and
// divides them where two sheets cross, so that each face hides the faces behind it. A dark line
// shows where two sheets cross.
//
// Where a function is infinite, its sheet has a hole. The figure's Data contains the coordinates
// "x" and "y" of the nodes of the mesh. For a sheet with the name S, "S.z" contains the heights.
//
// Errors: no sheet, more than six sheets, a sheet that has neither a function nor a model, a height
// that is NaN, and a sheet that is infinite at every node. Further errors: a model that returns an
// error or does not have the class of its sheet, a range whose ends are not finite or not in
// ascending order, and an option outside its range. If Data is set, the errors of [Regions] about a
// data set also apply.
func Surfaces(o SurfacesOptions, sheets ...Sheet) (_ *Figure, err error) {
	defer prefixError("Surfaces", &err)
	if err := checkCount(len(sheets), "sheet", "sheets"); err != nil {
		return nil, err
	}
	s, err := newScene(&o)
	if err != nil {
		return nil, err
	}
	var hues []int
	if o.Data != nil {
		hues = huesOf(o.Data)
	}
	nodes := s.box.inputs(contour.Grid{NX: s.cells + 1, NY: s.cells + 1}.Nodes())
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, sheet := range sheets {
		z, err := sheet.values(nodes)
		if err != nil {
			return nil, err
		}
		from, to := extremes(z)
		if lo, hi = min(lo, from), max(hi, to); from > to {
			return nil, fmt.Errorf("%s is infinite everywhere; choose other ranges X and Y", plainText(sheet.Name))
		}
		if sheet.Color == (color.NRGBA{}) {
			sheet.Color = ClassColor(hueIn(hues, sheet.number(i)))
		}
		s.sheets, s.z = append(s.sheets, sheet), append(s.z, z)
	}
	if s.zr = o.Z; s.zr == ([2]float64{}) {
		s.zr = [2]float64{lo, hi}
		if isRoundingError(lo, hi) {
			s.zr[0], s.zr[1] = withMargin(lo, hi)
		}
	}
	if err := checkRange("Z", s.zr); err != nil {
		return nil, err
	}
	p := newPanel("", "")
	p.HideAxes()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	p.add(s)
	fig := singlePanel(p)
	fig.panels[0].bare = true
	fig.Title = o.Title
	fig.Height = 4.4
	fig.Alt = "Surfaces of"
	fig.AddData("x", s.ofMesh(mat.Col(nil, 0, nodes)))
	fig.AddData("y", s.ofMesh(mat.Col(nil, 1, nodes)))
	for i, sheet := range s.sheets {
		fig.AddData(plainText(sheet.Name)+".z", s.ofMesh(s.z[i]))
		if len(sheets) > 1 {
			fig.AddLegend(sheet.Name, areaLayer{color: s.shadedColor(sheet.Color, 0.8)})
		}
		fig.appendToAlt(i, sheet.Name)
	}
	fig.Alt += "."
	if len(sheets) == 1 && sheets[0].Colors != nil {
		fig.bar = s.bar(sheets[0].Colors, sheets[0].Name)
	}
	return fig, nil
}

// ofMesh selects the values at the nodes of the drawn mesh from the values at all nodes.
func (s *scene) ofMesh(v []float64) (out []float64) {
	for j := 0; j <= s.cells; j += s.every {
		for i := 0; i <= s.cells; i += s.every {
			out = append(out, v[j*(s.cells+1)+i])
		}
	}
	return out
}

// newScene checks all options except Z, and returns a scene that contains no sheets yet. It fills in
// missing ranges of the floor. If there is a data set, newScene also fills in missing labels of the
// floor.
func newScene(o *SurfacesOptions) (*scene, error) {
	s := &scene{box: box{o.X, o.Y}, cells: o.Cells}
	if o.Data != nil {
		if err := checkPlane(o.Data); err != nil {
			return nil, err
		}
		var err error
		if s.box, err = newBox(o.Data, o.X, o.Y); err != nil {
			return nil, err
		}
		v := planeView{xLabel: o.XLabel, yLabel: o.YLabel}
		v.label(o.Data)
		o.XLabel, o.YLabel = v.xLabel, v.yLabel
	}
	for i, r := range []*[2]float64{&s.box.x, &s.box.y} {
		if *r == ([2]float64{}) {
			*r = [2]float64{-5, 5}
		}
		if err := checkRange("XY"[i:i+1], *r); err != nil {
			return nil, err
		}
	}
	if err := countOr("Cells", &s.cells, 32, 4, 200); err != nil {
		return nil, err
	}
	if o.Smooth < 0 || o.Smooth > 1 && o.Smooth*s.cells > 200 {
		return nil, fmt.Errorf("option Smooth is %d with Cells = %d; want a Smooth of at least 0, and Smooth·Cells at most 200", o.Smooth, s.cells)
	}
	if !(o.Low >= 0 && o.Low < 1) || !(o.See >= 0 && o.See <= 0.9) {
		return nil, fmt.Errorf("options Low and See are %v and %v; want Low in [0,1) and See in [0,0.9]", o.Low, o.See)
	}
	s.every = max(1, o.Smooth)
	s.cells *= s.every
	s.low, s.alpha = o.Low, uint8(math.Round(255*(1-o.See)))
	az, el := o.Azimuth, o.Elevation
	if az == 0 {
		az = -60
	}
	if el == 0 {
		el = 30
	}
	if !(el >= 1 && el <= 89) || !allFinite(az) {
		return nil, fmt.Errorf("the view is azimuth %v, elevation %v degrees; want a finite azimuth and an elevation of 1 to 89",
			o.Azimuth, o.Elevation)
	}
	s.eye, s.azimuth, s.elevation = newEye(az, el), az, el
	s.labels = [3]string{o.XLabel, o.YLabel, o.ZLabel}
	return s, nil
}

// bar returns the colour bar for a figure with a single sheet.
func (s *scene) bar(colors func(float64) color.NRGBA, name string) *colorBar {
	marks := []float64{}
	for _, t := range (niceTicks{}).Ticks(s.zr[0], s.zr[1]) {
		marks = append(marks, round9(t.Value))
	}
	return gradientBar(name, s.zr[0], s.zr[1], marks, func(i int) color.NRGBA {
		return colors(s.zr[0] + (s.zr[1]-s.zr[0])*(float64(i)+0.5)/gradientSteps)
	})
}

// A Sheet is a function of two variables that [Surfaces] draws. [ScoreSheet], [PosteriorSheet] and
// [DensitySheet] make sheets from models.
type Sheet struct {
	Name string
	Z    func(a, b float64) float64
	// Color is the colour of the sheet. The zero colour means the colour of the class that the
	// sheet shows. For a sheet that shows no class, it means the colour of the class with the same
	// index as the sheet.
	Color color.NRGBA
	// Colors, if not nil, returns the colour of the sheet at the height z, which replaces Color. If
	// the figure has only one sheet, it also has a colour bar. An example is the result of
	// [PosteriorColors].
	Colors func(z float64) color.NRGBA

	rows  heightFunc // if not nil, replaces Z and returns the heights at many points
	class int        // 1 plus the class that the sheet shows; 0 for a sheet without a model
}

// number returns the class that the sheet shows. If the sheet shows no class, it returns `place`.
func (s Sheet) number(place int) int {
	if s.class > 0 {
		return s.class - 1
	}
	return place
}

// PosteriorColors returns a function that returns the colour for a value of the posterior p(C₁|x): a
// strong tint of the colour of C₂ for 0, white for one half, and a strong tint of the colour of C₁
// for 1. C₁ and C₂ have the colours of the first two classes of d, or the first two colours if d is
// nil.
func PosteriorColors(d *datasets.Dataset) func(p float64) color.NRGBA {
	var hues []int
	if d != nil {
		hues = huesOf(d)
	}
	return func(p float64) color.NRGBA { return posteriorColor(hues, p) }
}

func posteriorColor(hues []int, p float64) color.NRGBA {
	k := 0
	if p < 0.5 {
		k = 1
	}
	return mix(paper, ClassColor(hueIn(hues, k)), 0.85*min(1, math.Abs(2*p-1)))
}

// ScoreSheet returns the activation of class k of a model as a sheet. The first class is class 0.
func ScoreSheet(name string, m classify.Scorer, k int) Sheet {
	return modelSheet(name, m, k, func(x mat.Matrix) (*mat.Dense, error) { return m.Scores(x) }, same)
}

// PosteriorSheet returns the posterior of class k of a model as a sheet. The first class is class 0, so
// k = 0 means p(C₁|x).
func PosteriorSheet(name string, m classify.Prober, k int) Sheet {
	return modelSheet(name, m, k, func(x mat.Matrix) (*mat.Dense, error) { return m.Posterior(x) }, same)
}

// DensitySheet returns the density of class k of a model as a sheet. The first class is class 0, so
// k = 0 means p(x|C₁).
func DensitySheet(name string, m ClassDensities, k int) Sheet {
	return modelSheet(name, m, k, func(x mat.Matrix) (*mat.Dense, error) { return m.LogDensities(x) }, math.Exp)
}

func same(v float64) float64 { return v }

// modelSheet returns a sheet that shows column k of the table t of the model m. Its height at a
// point is f(v), where v is the number in the point's row of this column. If the model is nil, the
// sheet has no heights, and [Surfaces] returns an error for it.
func modelSheet(name string, m any, k int, t table, f func(float64) float64) Sheet {
	s := Sheet{Name: name, class: max(0, k) + 1}
	if isNil(m) {
		return s
	}
	s.rows = func(x *mat.Dense) ([]float64, error) {
		a, err := t(x)
		if err != nil {
			return nil, fmt.Errorf("the model returned an error for points of the plane; fit it on two features: %w", err)
		}
		n, classes := 0, 0
		if a != nil {
			n, classes = a.Dims()
		}
		if want, _ := x.Dims(); n != want || k < 0 || k >= classes {
			return nil, fmt.Errorf("cannot take class %d from the %d×%d numbers of the model for %d points; want a row for each point, a column for each class",
				k, n, classes, want)
		}
		out := mat.Col(nil, k, a)
		for i, v := range out {
			out[i] = f(v)
		}
		return out, nil
	}
	return s
}

// values returns the rounded heights at the rows of x.
func (s Sheet) values(x *mat.Dense) ([]float64, error) {
	f := s.rows
	if f == nil {
		if s.Z == nil {
			return nil, fmt.Errorf("the sheet %q has neither function nor model", s.Name)
		}
		f = pointwise(s.Z)
	}
	z, err := f.evaluate(x)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", plainText(s.Name), err)
	}
	return rounded9(z), nil
}
