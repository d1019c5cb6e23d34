package show

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

type xy = plotter.XY

// A surface is the posterior of a model on a box, with its values p at the nodes
// of a grid.
type surface struct {
	box   box
	grid  contour.Grid
	model classify.Prober
	k     int
	p     *mat.Dense // nodes × k
}

// at returns the posteriors of the rows of x, checked.
func (s *surface) at(x *mat.Dense) (*mat.Dense, error) {
	p, err := s.model.Posterior(x)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	if err := checkTable(p, n, s.k, x); err != nil {
		return nil, err
	}
	return p, nil
}

// contour returns the lines along which the posterior of class k is level, and the
// rings around where it is larger. Lines are looked for on the scale of log odds,
// where the posterior of a linear model is linear.
func (s *surface) contour(k int, level float64) (lines, rings [][]xy, err error) {
	want := math.Log(level / (1 - level))
	return s.box.contour(s.grid, func(node int) bool { return s.p.At(node, k) < level }, func(x *mat.Dense) ([]float64, error) {
		p, err := s.at(x)
		if err != nil {
			return nil, err
		}
		n, _ := x.Dims()
		out := make([]float64, n)
		for i := range out {
			rest := 0.0 // summed rather than 1−p, which has no digits left where p is nearly 1
			for j := range s.k {
				if j != k {
					rest += p.At(i, j)
				}
			}
			out[i] = math.Log(p.At(i, k)) - math.Log(rest) - want
		}
		return out, nil
	})
}

// mixture returns a picture of the box: in each pixel the colours of the classes
// mixed by the posterior at its centre.
func (s *surface) mixture() (image.Image, error) {
	n := s.grid.NX - 1
	var pts []contour.Point
	for j := range n {
		for i := range n {
			pts = append(pts, contour.Point{X: (float64(i) + 0.5) / float64(n), Y: 1 - (float64(j)+0.5)/float64(n)})
		}
	}
	p, err := s.at(s.box.inputs(pts))
	if err != nil {
		return nil, err
	}
	img := image.NewNRGBA(image.Rect(0, 0, n, n))
	for i := range pts {
		var rgb [3]float64
		for k := range s.k {
			c, w := mix(paper, ClassColor(k), 0.55), round9(p.At(i, k))
			rgb[0] += w * float64(c.R)
			rgb[1] += w * float64(c.G)
			rgb[2] += w * float64(c.B)
		}
		at := func(v float64) uint8 { return uint8(math.Round(min(255, max(0, v)))) }
		img.SetNRGBA(i%n, i/n, color.NRGBA{at(rgb[0]), at(rgb[1]), at(rgb[2]), 255})
	}
	return img, nil
}

// imageLayer stretches a picture over a box.
type imageLayer struct {
	box box
	img image.Image
}

// Plot implements plot.Plotter.
func (l imageLayer) Plot(c draw.Canvas, p *plot.Plot) {
	if recorded(c, l) {
		return
	}
	x, y := p.Transforms(&c)
	c.DrawImage(vg.Rectangle{Min: vg.Point{X: x(l.box.x[0]), Y: y(l.box.y[0])}, Max: vg.Point{X: x(l.box.x[1]), Y: y(l.box.y[1])}}, l.img)
}
