package show

import (
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestEqualAxes(t *testing.T) {
	p := NewPanel("", "")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 4, 0, 1
	f := must(NewFigure(1, p))(t)
	large := f.At(Slide)
	if err := f.EqualAxes(0); err != nil {
		t.Fatal(err)
	}
	for _, room := range []vg.Point{{X: 100, Y: 100}, {X: 1000, Y: 30}} {
		frame := f.shapes[p].within(p, room)
		if math.Abs(float64(frame.X/frame.Y)-4) > 1e-9 || frame.X > room.X || frame.Y > room.Y || (frame.X < room.X && frame.Y < room.Y) {
			t.Errorf("the frame in %v is %v", room, frame)
		}
	}
	if large.shapes[p].equal {
		t.Error("a figure of another size changed with this one")
	}
	g := must(Panels(1, f))(t)
	if !g.shapes[g.Panel(0)].equal {
		t.Error("Panels forgets equal axes")
	}
	f.Title = "titled" // the panel is copied then
	if g, err := Panels(1, f); err != nil || !g.shapes[g.Panel(0)].equal {
		t.Errorf("Panels forgets equal axes of a titled figure (%v)", err)
	}
	renders(t, g)
	wantError(t, f.EqualAxes(1), "no panel 1")
	p.X.Max = 100
	wantError(t, f.EqualAxes(0), "100 wide and 1 high")
}

func TestAnnotations(t *testing.T) {
	p := NewPanel("", "")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	f := must(NewFigure(1, p))(t)
	for i, err := range []error{
		f.AddArrow(0, "$\\mathbf{w}$", 0, 0, 0.5, 0.5, Look{}),
		f.AddArrow(0, "", 0.2, 0.2, 0.2, 0.2, Look{}), // of no length
		f.AddSpan(0, "", 0, 1, 1, 0, Look{Dash: 1}),
		f.AddArea(0, "half", []float64{-5, 5, 5}, []float64{-5, -5, 5}, Look{Color: ClassColor(1)}), // sticks out
		f.AddArea(0, "", []float64{0, 1, 1}, []float64{0, 0, 1}, Look{Dash: 2}),
		f.AddArea(0, "", []float64{7, 8, 8}, []float64{7, 7, 8}, Look{}), // all outside
		f.AddRightAngle(0, 0.5, 0.5, 1, 0, 0, 1, Look{}),
		f.AddRightAngle(0, 0.5, 0.5, 0, 0, 0, 1, Look{}), // no direction: nothing is drawn
	} {
		if err != nil {
			t.Errorf("%d: %v", i, err)
		}
	}
	renders(t, f)
	if x := column(t, f, "w.x"); len(x) != 2 || x[1] != 0.5 {
		t.Errorf("w.x is %v", x)
	}
	if len(f.legend) != 2 {
		t.Errorf("%d entries in the legend, want the arrow and the area", len(f.legend))
	}
	wantError(t, f.AddArrow(3, "", 0, 0, 1, 1, Look{}), "AddArrow", "no panel 3")
	wantError(t, f.AddSpan(0, "", 0, 0, math.NaN(), 1, Look{}), "AddSpan", "point 1", "NaN")
	wantError(t, f.AddArea(0, "", []float64{1, 2}, []float64{1, 2}, Look{}), "2 corners")
	wantError(t, f.AddArea(0, "", []float64{1, 2}, []float64{1}, Look{}), "2 values of x")
	wantError(t, f.AddRightAngle(0, 0, 0, math.Inf(1), 0, 0, 1, Look{}), "AddRightAngle", "+Inf")
}
