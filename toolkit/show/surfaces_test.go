package show

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

func sheetOf(f func(a, b float64) float64) Sheet { return Sheet{Name: "f", Z: f} }

// sceneOf returns the scene with the given sheets over the unit square. The range of heights is 0
// to 1.
func sceneOf(t *testing.T, az, el float64, cells int, sheets ...Sheet) *scene {
	t.Helper()
	o := SurfacesOptions{X: [2]float64{0, 1}, Y: [2]float64{0, 1}, Azimuth: az, Elevation: el, Cells: cells}
	s := must(newScene(&o))(t)
	s.zr = [2]float64{0, 1}
	x := s.box.inputs(contour.Grid{NX: cells + 1, NY: cells + 1}.Nodes())
	for i, sheet := range sheets {
		z := must(sheet.values(x))(t)
		sheet.Color = ClassColor(i)
		s.sheets, s.z = append(s.sheets, sheet), append(s.z, z)
	}
	return s
}

// sheetOnRay returns the index of the sheet that the viewer sees along the line of sight through
// (x, y, z), or −1 if there is no such sheet. It follows the line in small steps from the viewer.
func sheetOnRay(s *scene, sheets []Sheet, x, y, z float64) int {
	d := s.eye.toward
	d[2] /= tall
	const far, step = 3.0, 1e-4
	var last []float64
	for u := far; u > -far; u -= step {
		p, q, h := x+u*d[0], y+u*d[1], z+u*d[2]
		if p < 0 || p > 1 || q < 0 || q > 1 {
			last = nil
			continue
		}
		gaps := make([]float64, len(sheets))
		for k, f := range sheets {
			v := f.Z(p, q)
			gaps[k] = h - v
			if last != nil && last[k]*gaps[k] <= 0 && v >= 0 && v <= 1 {
				return k
			}
		}
		last = gaps
	}
	return -1
}

// TestNearerFacesHideFartherOnes paints three crossing planes. At nearly all of 400 places of the
// page, the face painted last must be the first face that a ray from the viewer meets.
func TestNearerFacesHideFartherOnes(t *testing.T) {
	sheets := []Sheet{
		sheetOf(func(a, b float64) float64 { return 0.1 + 0.8*a }),
		sheetOf(func(a, b float64) float64 { return 0.9 - 0.7*b }),
		sheetOf(func(a, b float64) float64 { return 0.4 + 0.5*a - 0.3*b }),
	}
	for _, view := range [][2]float64{{-60, 30}, {30, 20}, {125, 45}, {-140, 70}, {45, 5}} {
		s := sceneOf(t, view[0], view[1], 6, sheets...)
		var faces []face
		s.paint(func(f face) { faces = append(faces, f) })
		v := view2(s)
		wrong, seen := 0, map[int]bool{}
		for n := range 400 {
			// From one place to the next, x and y change by irrational steps, so the places spread over
			// the whole scene.
			x, y := math.Mod(float64(n)*0.618034, 1), math.Mod(float64(n)*0.754878, 1)
			at := v.point(x, y, 0.5)
			top := -1
			for _, f := range faces {
				if covers(v, f, float64(at.X), float64(at.Y)) {
					for k := range sheets {
						if f.color == s.shadedColor(ClassColor(k), f.light(s.eye)) {
							top = k
						}
					}
				}
			}
			if top >= 0 { // a face covers this place
				seen[top] = true
			}
			if want := sheetOnRay(s, sheets, x, y, 0.5); top != want {
				wrong++
			}
		}
		if wrong > 8 { // a few rays meet a line where two sheets cross
			t.Errorf("from the view %v, %d of 400 places show the wrong sheet, want at most 8", view, wrong)
		}
		if len(seen) < 3 {
			t.Errorf("from the view %v, only the sheets %v are visible, want all three", view, seen)
		}
	}
}

func view2(s *scene) view { return view{eye: s.eye, scale: 1000} }

// covers reports whether a point of the page lies inside the face.
func covers(v view, f face, x, y float64) bool {
	in := false
	for i, p := range f.corners {
		q := f.corners[(i+1)%len(f.corners)]
		a, b := v.point(p.x, p.y, f.z[i]), v.point(q.x, q.y, f.z[(i+1)%len(f.z)])
		ax, ay, bx, by := float64(a.X), float64(a.Y), float64(b.X), float64(b.Y)
		if (ay > y) != (by > y) && x < ax+(y-ay)/(by-ay)*(bx-ax) {
			in = !in
		}
	}
	return in
}

// TestFacesCoverTheFloor checks that the total area of the faces of every sheet is the area of the
// floor. Every crossing must lie on two sheets. The total length of the crossings must be right.
func TestFacesCoverTheFloor(t *testing.T) {
	sheets := []Sheet{
		sheetOf(func(a, b float64) float64 { return a }),
		sheetOf(func(a, b float64) float64 { return 1 - b }),
		sheetOf(func(a, b float64) float64 { return (a + b) / 2 }),
	}
	s := sceneOf(t, -60, 30, 7, sheets...)
	area := map[color.NRGBA]float64{}
	crossings := s.paint(func(f face) { area[f.color] += ringArea(f) })
	if len(area) != 3 {
		t.Fatalf("the faces have %d colours, want one for each of 3 planes", len(area))
	}
	for c, a := range area {
		if math.Abs(a-1) > 1e-9 {
			t.Errorf("the faces of colour %v cover %v of the floor, want 1", c, a)
		}
	}
	length := 0.0
	for _, x := range crossings {
		length += math.Hypot(x.a[0]-x.b[0], x.a[1]-x.b[1])
		for _, p := range [][3]float64{x.a, x.b} {
			h := []float64{p[0], 1 - p[1], (p[0] + p[1]) / 2}
			agree := 0
			for i := range h {
				for j := range i {
					if math.Abs(h[i]-h[j]) < 1e-9 && math.Abs(h[i]-p[2]) < 1e-9 {
						agree++
					}
				}
			}
			if agree == 0 {
				t.Errorf("the end %v of a crossing does not lie on two planes", p)
			}
		}
	}
	// The three planes have the heights a, 1−b and (a+b)/2. Seen from above, planes 1 and 2
	// intersect along a = 1−b, of length √2. Planes 1 and 3 intersect along a = b, also of length √2.
	// Planes 2 and 3 intersect along the segment from (1, 1/3) to (0, 2/3), of length √(1+1/9).
	if want := 2*math.Sqrt2 + math.Sqrt(10)/3; math.Abs(length-want) > 1e-6 {
		t.Errorf("the total length of the crossings is %v, want %v", length, want)
	}
}

func TestVisible(t *testing.T) {
	// The sheet `wall` has a ridge along y = 0.3. The ridge hides the line along y = 0.8 from a viewer
	// on the side of negative y. A viewer on the other side can see this line.
	wall := sheetOf(func(a, b float64) float64 { return 0.9 * math.Exp(-100*(b-0.3)*(b-0.3)) })
	low := sheetOf(func(a, b float64) float64 { return 0.2 })
	for azimuth, seen := range map[float64]bool{-90: false, 90: true} {
		if sceneOf(t, azimuth, 10, 10, wall,
			low).isVisible(crossing{[3]float64{0.4, 0.8, 0.2}, [3]float64{0.6, 0.8, 0.2}}) != seen {
			t.Errorf("from azimuth %v, isVisible returns %v for the line along y = 0.8, want the opposite", azimuth, !seen)
		}
	}
}

// TestSurfacesNumbers checks that the Data contains the heights of each sheet at the nodes of the
// mesh. It also checks PosteriorColors.
func TestSurfacesNumbers(t *testing.T) {
	fig := must(Surfaces(SurfacesOptions{Cells: 4}, sheetOf(math.Hypot)))(t)
	for _, q := range columns(t, fig, "", "x", "y", "f.z") {
		checkClose(t, fmt.Sprint("z at ", q), q[2], math.Hypot(q[0], q[1]), 1e-7)
	}
	if colour := PosteriorColors(nil); colour(0.5) != paper || colour(1) == colour(0) || colour(2) != colour(1) {
		t.Errorf("the colours for 0.5, 0, 1 and 2 are %v, %v, %v and %v; want white for 0.5, different colours for 0 and 1, and the same colour for 1 and 2",
			colour(0.5), colour(0), colour(1), colour(2))
	}
}

// ringArea returns the area of the projection of a face onto the floor.
func ringArea(f face) (area float64) {
	for i, p := range f.corners {
		q := f.corners[(i+1)%len(f.corners)]
		area += (p.x*q.y - q.x*p.y) / 2
	}
	return area
}

// TestSheetFlushWithTheBox checks that a flat sheet exactly on the floor or under the ceiling is
// drawn completely.
func TestSheetFlushWithTheBox(t *testing.T) {
	for _, z := range []float64{0, 1} {
		s := sceneOf(t, -60, 30, 4, sheetOf(func(_, _ float64) float64 { return z }),
			sheetOf(func(a, _ float64) float64 { return a }))
		area := 0.0
		s.paint(func(f face) {
			if f.gx == 0 && f.gy == 0 {
				area += ringArea(f)
			}
		})
		if area < 0.999 {
			t.Errorf("at height %g, a fraction of %.3f of the flat sheet is drawn, want 1", z, area)
		}
	}
}

// TestCrossingEndsWhereItIsHidden checks that visibleParts returns about the visible fraction of
// each crossing, also if a sheet begins to hide the crossing in the middle of a cell.
func TestCrossingEndsWhereItIsHidden(t *testing.T) {
	s := sceneOf(t, -60, 30, 4,
		sheetOf(func(a, _ float64) float64 { return (a + 0.5) / 2 }),
		sheetOf(func(a, _ float64) float64 { return (1.5 - a) / 2 }),
		sheetOf(func(_, b float64) float64 { return (max(-1, min(1, 4-20*b)) + 1) / 2 }))
	const fine = 300
	partly := 0
	for _, x := range s.paint(func(face) {}) {
		want := 0
		for n := range fine {
			if s.isVisible(crossing{x.pointAt(float64(n) / fine), x.pointAt(float64(n+1) / fine)}) {
				want++
			}
		}
		if want > 0 && want < fine {
			partly++
		}
		length := func(x crossing) float64 { return math.Hypot(x.a[0]-x.b[0], x.a[1]-x.b[1]) }
		got := 0.0
		for _, part := range s.visibleParts(x) {
			got += length(part)
		}
		if whole := length(x); whole > 0 && math.Abs(got/whole-float64(want)/fine) > 1.0/6 {
			t.Errorf("a fraction of %.2f of a crossing is drawn, want the visible fraction %.2f ± 1/6", got/whole, float64(want)/fine)
		}
	}
	if partly == 0 {
		t.Error("no crossing is partly hidden, want at least one")
	}
}

// TestSmoothSheets checks that with the option Smooth a sheet has smaller faces, but the same mesh
// lines and the same numbers in the Data.
func TestSmoothSheets(t *testing.T) {
	hill := sheetOf(func(a, b float64) float64 { return math.Exp(-20 * ((a-0.5)*(a-0.5) + (b-0.5)*(b-0.5))) })
	o := SurfacesOptions{X: [2]float64{0, 1}, Y: [2]float64{0, 1}, Cells: 5}
	coarse := must(Surfaces(o, hill))(t)
	o.Smooth = 4
	fine := must(Surfaces(o, hill))(t)
	for _, name := range []string{"x", "y", "f.z"} {
		a, _ := coarse.Data().Column(name)
		b, _ := fine.Data().Column(name)
		if len(a) != 36 || len(b) != 36 || a[8] != b[8] {
			t.Errorf("column %s is %v for the coarse sheet and %v for the smooth sheet, want the same 36 numbers", name, a, b)
		}
	}
	s := sceneOf(t, -60, 30, 20, hill)
	s.every = 4
	faces, mesh := 0, 0
	s.paint(func(f face) {
		faces++
		for i, q := range f.corners {
			if next := f.corners[(i+1)%len(f.corners)]; q.edge == meshEdge {
				mesh++
				on := func(v float64) bool { return math.Abs(v*5-math.Round(v*5)) < 1e-9 }
				if !(q.x == next.x && on(q.x)) && !(q.y == next.y && on(q.y)) {
					t.Fatalf("the line from (%v, %v) to (%v, %v) is drawn, but is not a line of the mesh",
						q.x, q.y, next.x, next.y)
				}
			}
		}
	})
	if faces != 400 || mesh != 2*5*2*20 {
		t.Errorf("there are %d faces and %d pieces of mesh lines, want 400 and 400", faces, mesh)
	}
}

// TestLowIsLeftOut checks that the lowest point that is drawn is at the height Low, although the sheets
// extend below this height.
func TestLowIsLeftOut(t *testing.T) {
	s := sceneOf(t, -60, 30, 20, sheetOf(func(a, b float64) float64 { return a * b }),
		sheetOf(func(a, b float64) float64 { return 0.001 }))
	s.low = 0.1
	lowest := 1.0
	s.paint(func(f face) {
		for _, z := range f.z {
			lowest = min(lowest, z)
		}
	})
	if math.Abs(lowest-0.1) > 1e-6 {
		t.Errorf("the lowest face reaches down to %v, want 0.1", lowest)
	}
	for _, x := range s.paint(func(face) {}) {
		if x.a[2] < 0.1-1e-6 {
			t.Errorf("a crossing is at height %v, want at least 0.1", x.a[2])
		}
	}
}

func TestTransparentSheet(t *testing.T) {
	fig := must(Surfaces(SurfacesOptions{See: 0.5}, sheetOf(math.Hypot)))(t)
	if svg := string(must(fig.SVG())(t)); !strings.Contains(svg, "fill-opacity") {
		t.Error("the SVG of a transparent sheet has no fill-opacity")
	}
}
