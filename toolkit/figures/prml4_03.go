package figures

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x3Options change figure 4.3. The zero value draws the printed form.
type PRML4x3Options struct {
	K    int     `default:"5" range:"3..7"` // classes
	Bend float64 `range:"-10..10"`          // adds k·Bend·‖x‖² to y_k, which makes the boundaries circles; with 0 the boundaries are straight
	Seed uint64  // seed of the weights
}

// viewHalf is half the side of the square shown in figure 4.3.
const viewHalf = 3.0

// PRML4x3 draws the regions of K linear discriminants y_k(x) = w_kᵀx + w_k0 with random weights. In
// the largest region it draws two points, the segment between these points, and a point of the
// segment.
//
// Numbers: as in show.Regions, and "segment in a region".x and .y, its ends. Errors: K not between
// 3 and 7, a Bend outside −10 to 10.
//
// Equations: PRML (4.9)–(4.12).
func PRML4x3(o PRML4x3Options) (_ *show.Figure, err error) {
	defer named("PRML 4.3", &err)
	o = filled(o)
	machine, sites := randomMachine(o)
	square := [2]float64{-viewHalf, viewHalf}
	fig := try(show.Regions(machine, sites,
		show.RegionsOptions{XLabel: "$x_1$", YLabel: "$x_2$", X: square, Y: square, HidePoints: true}))
	check(fig.EqualAxes(0))
	best := drawChord(fig)
	for k := range o.K {
		x, y, ok := middleOf(fig.Data(), k)
		if !ok {
			continue
		}
		dy := -5.0
		if k == best {
			dy = -26 // beside the segment
		}
		check(fig.AddText(0, fmt.Sprintf(`$R_{%d}$`, k+1), x, y, 0, dy, show.Look{Size: 13, Align: -0.5}))
	}
	fig.Alt = fmt.Sprintf("The regions of %d discriminant functions. Two points of one region are joined by a segment that stays in it.", o.K)
	return fig, nil
}

// randomMachine returns a machine with a region around each of K sites. It also returns the sites
// as data. y_k is s_kᵀx − ‖s_k‖²/2 plus a number between −¼ and ¼.
func randomMachine(o PRML4x3Options) (classify.Predictor, *datasets.Dataset) {
	rng := rand.New(rand.NewPCG(o.Seed, 403))
	w := mat.NewDense(3, o.K, nil)
	sites := &datasets.Dataset{Name: "sites", X: mat.NewDense(o.K, 2, nil), FeatureNames: []string{"x1", "x2"},
		Source: "random"}
	for k := range o.K {
		// The sites are around a circle, at unequal angles and distances. Every class then has a
		// region, and the regions are not a regular fan.
		angle := 2 * math.Pi * (float64(k) + 0.3 + 0.5*rng.Float64()) / float64(o.K)
		radius := 1.2 + 0.8*rng.Float64()
		if k == o.K-1 && o.K > 3 {
			radius = 0.3
		}
		x, y := radius*math.Cos(angle), radius*math.Sin(angle)
		w.SetCol(k, []float64{-(x*x+y*y)/2 + (rng.Float64()-0.5)/2, x, y})
		sites.X.SetRow(k, []float64{x, y})
		sites.Labels, sites.ClassNames = append(sites.Labels, k), append(sites.ClassNames, fmt.Sprintf("C%d", k+1))
	}
	if o.Bend == 0 {
		return try(classify.NewLinearMachine(w)), sites
	}
	return show.ScoreFunc(func(x []float64) []float64 {
		y := make([]float64, o.K)
		for k := range y {
			y[k] = w.At(0, k) + w.At(1, k)*x[0] + w.At(2, k)*x[1] + float64(k)*o.Bend*(x[0]*x[0]+x[1]*x[1])
		}
		return y
	}), sites
}

// corners returns the largest ring of the region of class k and its area.
func corners(d show.Data, k int) (x, y []float64, area float64) {
	class, ring := column(d, "region.class"), column(d, "region.ring")
	xs, ys := column(d, "region.x"), column(d, "region.y")
	for i := 0; i < len(xs); {
		end := i
		for end < len(xs) && ring[end] == ring[i] {
			end++
		}
		if a := math.Abs(areaOf(xs[i:end], ys[i:end])); class[i] == float64(k) && a > area {
			x, y, area = xs[i:end], ys[i:end], a
		}
		i = end
	}
	return x, y, area
}

// areaOf returns the signed area of a polygon.
func areaOf(x, y []float64) float64 {
	a := 0.0
	for i := range x {
		j := (i + 1) % len(x)
		a += (x[i]*y[j] - x[j]*y[i]) / 2
	}
	return a
}

// middleOf returns the centre of gravity of the region of class k. ok reports whether the region is
// large enough for its name.
func middleOf(d show.Data, k int) (mx, my float64, ok bool) {
	x, y, area := corners(d, k)
	if area < 0.01*4*viewHalf*viewHalf {
		return 0, 0, false
	}
	for i := range x {
		j := (i + 1) % len(x)
		a := (x[i]*y[j] - x[j]*y[i]) / 6
		mx += a * (x[i] + x[j])
		my += a * (y[i] + y[j])
	}
	return mx / areaOf(x, y), my / areaOf(x, y), true
}

// drawChord joins the two corners of the largest region that are farthest apart, each moved towards
// the middle of the region. It returns the class of that region.
func drawChord(fig *show.Figure) (region int) {
	d, best, most := fig.Data(), 0, 0.0
	for _, k := range column(d, "region.class") {
		if _, _, area := corners(d, int(k)); area > most {
			best, most = int(k), area
		}
	}
	x, y, _ := corners(d, best)
	mx, my, ok := middleOf(d, best)
	need(ok, "no region is large enough to be seen")
	var ax, ay, bx, by, far float64
	for i := range x {
		for j := range i {
			if l := math.Hypot(x[i]-x[j], y[i]-y[j]); l > far {
				far = l
				ax, ay = x[i]+0.4*(mx-x[i]), y[i]+0.4*(my-y[i])
				bx, by = x[j]+0.4*(mx-x[j]), y[j]+0.4*(my-y[j])
			}
		}
	}
	cx, cy := 0.65*ax+0.35*bx, 0.65*ay+0.35*by
	ends := [][2]float64{{ax, ay}, {bx, by}, {cx, cy}}
	check(fig.AddLine(0, "segment in a region", []float64{ax, bx}, []float64{ay, by}, show.Look{Width: 1.2}),
		fig.AddMarks(0, "", []float64{ax, bx, cx}, []float64{ay, by, cy}, show.Look{Size: 3.2}))
	for i, label := range []string{`$\mathbf{x}_A$`, `$\mathbf{x}_B$`, `$\mathbf{x}$`} {
		check(fig.AddText(0, label, ends[i][0], ends[i][1], -2, 9, show.Look{Size: 11, Align: -0.5}))
	}
	return best
}
