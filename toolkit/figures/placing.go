package figures

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// placer finds positions for the labels of a drawing. The labels must not cover lines or other
// labels.
type placer struct {
	window
	scale  float64      // points of the page per unit of the drawing
	lines  [][4]float64 // x0, y0, x1, y1
	boxes  [][4]float64 // boxes of placed labels: left, lower, right and upper end
	labels []placed
}

// placed is a label with its middle at (x, y), moved dx points to the right and dy up.
type placed struct {
	text         string
	x, y, dx, dy float64
	look         show.Look
	covers       int // penalty for the lines, labels and picture edges that the label covers
}

// line adds a line that labels must not cover.
func (p *placer) line(x0, y0, x1, y1 float64) { p.lines = append(p.lines, [4]float64{x0, y0, x1, y1}) }

// put places a label of 2·wide × 2·high points near (x, y). It chooses the offset, in points, at
// which the label covers least. If several offsets are equally good, it chooses the first.
func (p *placer) put(text string, x, y, wide, high float64, look show.Look, offsets ...[2]float64) {
	look.Align = -0.5
	best := placed{covers: math.MaxInt}
	var box [4]float64
	for _, o := range offsets {
		cx, cy, w, h := x+o[0]/p.scale, y+o[1]/p.scale, wide/p.scale, high/p.scale
		b := [4]float64{cx - w, cy - h, cx + w, cy + h}
		if n := p.covered(b); n < best.covers {
			best, box = placed{text, x, y, o[0], o[1], look, n}, b
		}
	}
	p.boxes, p.labels = append(p.boxes, box), append(p.labels, best)
}

// covered returns the penalty for the lines, labels and edges of the picture that the box b covers.
func (p *placer) covered(b [4]float64) (n int) {
	for _, l := range p.lines {
		if meets(l, b) {
			n++
		}
	}
	for _, o := range p.boxes {
		if b[0] < o[2] && o[0] < b[2] && b[1] < o[3] && o[1] < b[3] {
			n += 2
		}
	}
	if b[0] < p.x[0] || b[2] > p.x[1] || b[1] < p.y[0] || b[3] > p.y[1] {
		n += 3
	}
	return n
}

// meets reports whether the line l has a point in the box b. This is true if a part of l remains
// after clipping at the four sides (Liang and Barsky).
func meets(l, b [4]float64) bool {
	from, to := 0.0, 1.0
	dx, dy := l[2]-l[0], l[3]-l[1]
	for _, side := range [4][2]float64{{-dx, l[0] - b[0]}, {dx, b[2] - l[0]}, {-dy, l[1] - b[1]}, {dy, b[3] - l[1]}} {
		switch rate, room := side[0], side[1]; {
		case rate == 0 && room < 0:
			return false
		case rate < 0:
			from = max(from, room/rate)
		case rate > 0:
			to = min(to, room/rate)
		}
	}
	return from <= to
}

// around returns offsets of a label beside a point. The first offset is in the direction (ux, uy).
// Offsets in all other directions follow, and then offsets farther away.
func around(ux, uy, wide, high float64) (out [][2]float64) {
	for _, far := range []float64{1, 1.7, 2.6} {
		for _, degrees := range []float64{0, 30, -30, 60, -60, 90, -90, 135, -135, 180} {
			sin, cos := math.Sincos(degrees * math.Pi / 180)
			x, y := ux*cos-uy*sin, ux*sin+uy*cos
			out = append(out, [2]float64{far * (10 + wide) * x, far * (8 + high) * y})
		}
	}
	return out
}

// alongside returns offsets of a label beside the middle of an arrow along (nx, ny) of the given
// length in points. The first offset is on the side (ux, uy). Then come the opposite side,
// positions shifted along the arrow, and positions anywhere around.
func alongside(ux, uy, nx, ny, length, wide, high float64) (out [][2]float64) {
	d := wide*math.Abs(ux) + high*math.Abs(uy) + 2
	for _, far := range []float64{1, 1.6} {
		for _, shift := range []float64{0, 0.25, -0.25, 0.5, -0.5, 0.8, -0.8} {
			for _, side := range []float64{1, -1} {
				out = append(out,
					[2]float64{side*far*d*ux + shift*(length+40)*nx, side*far*d*uy + shift*(length+40)*ny})
			}
		}
	}
	return append(out, around(ux, uy, wide, high)...)
}

// write draws the labels.
func (p *placer) write(fig *show.Figure) {
	for _, l := range p.labels {
		check(fig.AddText(0, l.text, l.x, l.y, l.dx, l.dy, l.look))
	}
}
