package show

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// A shape says what is special about the frame of a panel.
type shape struct {
	equal bool // one unit is as long upwards as across
	bare  bool // the panel draws its own axes: no frame
	low   bool // the panel goes with the one above: a row of such is lower

	probes probes // what an interactive chart reads off under the pointer
}

// lowRow is the height of a row of low panels, as a part of that of the others.
const lowRow = 0.3

// rowShares returns the part of the height that each row of panels gets.
func (f *Figure) rowShares(rows int) []vg.Length {
	shares, sum := make([]vg.Length, rows), vg.Length(0)
	for r := range shares {
		shares[r] = lowRow
		for i := r * f.cols; i < min((r+1)*f.cols, len(f.panels)); i++ {
			if !f.shapes[f.panels[i]].low {
				shares[r] = 1
			}
		}
		sum += shares[r]
	}
	for r := range shares {
		shares[r] /= sum
	}
	return shares
}

// within returns the largest frame of that shape for p in the given room.
func (s shape) within(p *plot.Plot, room vg.Point) vg.Point {
	if !s.equal {
		return room
	}
	ratio := vg.Length((p.Y.Max - p.Y.Min) / (p.X.Max - p.X.Min))
	if high := room.X * ratio; high <= room.Y {
		return vg.Point{X: room.X, Y: high}
	}
	return vg.Point{X: room.Y / ratio, Y: room.Y}
}

func (f *Figure) setShape(panel int, change func(*shape)) {
	shapes := make(map[*plot.Plot]shape, len(f.shapes)+1) // a copy: At shares the map
	for p, s := range f.shapes {
		shapes[p] = s
	}
	s := shapes[f.panels[panel]]
	change(&s)
	shapes[f.panels[panel]] = s
	f.shapes = shapes
}

// EqualAxes makes one unit as long upwards as across in a panel, so that right
// angles look right and circles round. The frame becomes narrower or lower; the
// ranges stay. It returns an error if there is no such panel, or if one range is
// more than ten times the other: the frame would be a strip.
func (f *Figure) EqualAxes(panel int) error {
	if _, err := f.series("EqualAxes", panel, nil, nil); err != nil {
		return err
	}
	p := f.panels[panel]
	w, h := p.X.Max-p.X.Min, p.Y.Max-p.Y.Min
	if !(w > 0 && h > 0) || w > 10*h || h > 10*w {
		return fmt.Errorf("show: EqualAxes: panel %d is %g wide and %g high; the larger may be ten times the smaller", panel, w, h)
	}
	f.setShape(panel, func(s *shape) { s.equal = true })
	return nil
}
