package show

import (
	"math"
	"testing"
)

// A sheet on the floor or under the ceiling is in the box, all of it.
func TestSheetFlushWithTheBox(t *testing.T) {
	for _, z := range []float64{0, 1} {
		fig, err := Surfaces(SurfacesOptions{Z: [2]float64{0, 1}, Cells: 4}, Sheet{Name: "flat", Z: func(_, _ float64) float64 { return z }},
			Sheet{Name: "ramp", Z: func(a, _ float64) float64 { return (a + 5) / 10 }})
		if err != nil {
			t.Fatal(err)
		}
		s := recordedScene(t, fig)
		area := 0.0
		s.paint(func(f face) {
			if f.gx != 0 || f.gy != 0 {
				return
			}
			for i, a := range f.corners {
				b := f.corners[(i+1)%len(f.corners)]
				area += (a.x*b.y - b.x*a.y) / 2
			}
		})
		if area < 0.999 {
			t.Errorf("at height %g %.3f of the flat sheet is drawn, want all of it", z, area)
		}
	}
}

// A crossing that goes behind a sheet ends there, and does not stick out by a cell.
func TestCrossingEndsWhereItIsHidden(t *testing.T) {
	fig, err := Surfaces(SurfacesOptions{Z: [2]float64{-1, 1}, Cells: 4},
		Sheet{Name: "a", Z: func(a, _ float64) float64 { return a / 10 }}, Sheet{Name: "b", Z: func(a, _ float64) float64 { return -a / 10 }},
		Sheet{Name: "wall", Z: func(_, b float64) float64 { return max(-1, min(1, -2*(b+3))) }})
	if err != nil {
		t.Fatal(err)
	}
	s := recordedScene(t, fig)
	const fine = 300
	partly := 0
	for _, x := range s.paint(func(face) {}) {
		at := func(n int) (p [3]float64) {
			for i := range p {
				p[i] = x.a[i] + (x.b[i]-x.a[i])*float64(n)/fine
			}
			return p
		}
		want := 0
		for n := range fine {
			if s.visible(crossing{at(n), at(n + 1)}) {
				want++
			}
		}
		if want > 0 && want < fine {
			partly++
		}
		length := func(x crossing) float64 { return math.Hypot(x.a[0]-x.b[0], x.a[1]-x.b[1]) }
		got := 0.0
		for _, part := range s.seen(x) {
			got += length(part)
		}
		if whole := length(x); whole > 0 && math.Abs(got/whole-float64(want)/fine) > 1.0/6 {
			t.Errorf("%.2f of a crossing is drawn, %.2f of it can be seen", got/whole, float64(want)/fine)
		}
	}
	if partly == 0 {
		t.Error("no crossing goes behind a sheet here: the test looks at nothing")
	}
}

func recordedScene(t *testing.T, f *Figure) *scene {
	t.Helper()
	for _, l := range f.record(400, 300).layers[0] {
		if s, ok := l.(*scene); ok {
			return s
		}
	}
	t.Fatal("the figure has no scene")
	return nil
}
