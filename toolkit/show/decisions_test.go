package show

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// quarters claims class 0 where x > 0, class 1 where y > 0.
func quarters(x []float64) int {
	switch {
	case x[0] > 0 && x[1] > 0:
		return classify.Ambiguous
	case x[0] > 0:
		return 0
	case x[1] > 0:
		return 1
	}
	return classify.Rejected
}

func TestDecisionsShadeWhatIsUndecided(t *testing.T) {
	d := plane(2, []int{0, 1}, 1, -1, -1, 1)
	fig := must(Decisions(DecideFunc(quarters), d, DecisionsOptions{X: [2]float64{-1, 1}, Y: [2]float64{-3, 1}}))(t)
	renders(t, fig)
	class, area := column(t, fig, "share.class"), column(t, fig, "share.area")
	// A quarter of the width times a quarter or three of the height.
	want := map[float64]float64{0: 3.0 / 8, 1: 1.0 / 8, classify.Ambiguous: 1.0 / 8, classify.Rejected: 3.0 / 8}
	for i, c := range class {
		if math.Abs(area[i]-want[c]) > 1e-4 { // the four corners at (0, 0) are cut at the size of the mesh
			t.Errorf("answer %v has the share %v, want %v", c, area[i], want[c])
		}
	}
}

// TestDecisionsAgreeWithDecide compares the shaded rings with the machine at
// points of a grid, PRML figure 4.2.
func TestDecisionsAgreeWithDecide(t *testing.T) {
	d := petals(t)
	m := must(classify.FitOneVersusRest(d.X, d.Labels, 3, fitTwo, classify.OneVersusRestOptions{}))(t)
	fig := must(Decisions(m, d, DecisionsOptions{}))(t)
	renders(t, fig)
	class, ring, x, y := column(t, fig, "region.class"), column(t, fig, "region.ring"), column(t, fig, "region.x"), column(t, fig, "region.y")
	p := fig.Panel(0)
	wrong, undecided := 0, 0
	const n = 41 // not a divisor of the mesh's 160
	for i := range n {
		for j := range n {
			px := p.X.Min + (p.X.Max-p.X.Min)*(float64(i)+0.5)/n
			py := p.Y.Min + (p.Y.Max-p.Y.Min)*(float64(j)+0.5)/n
			answer := must(m.Decide(mat.NewDense(1, 2, []float64{px, py})))(t)
			if answer[0] < 0 {
				undecided++
			}
			odd := map[float64]bool{}
			for s := 0; s < len(x); { // ring by ring, crossings of a ray to the right
				e := s
				for e < len(x) && ring[e] == ring[s] {
					e++
				}
				for a := s; a < e; a++ {
					b := a + 1
					if b == e {
						b = s
					}
					if (y[a] > py) != (y[b] > py) && px < x[a]+(py-y[a])/(y[b]-y[a])*(x[b]-x[a]) {
						odd[class[s]] = !odd[class[s]]
					}
				}
				s = e
			}
			for c := -2.0; c < 3; c++ {
				if odd[c] != (c == float64(answer[0])) {
					wrong++
				}
			}
		}
	}
	if wrong > 4 { // corners are cut at the size of the mesh
		t.Errorf("%d of %d points lie in the wrong region", wrong, n*n)
	}
	if undecided == 0 {
		t.Error("no point is undecided: the test shows nothing")
	}
}

func TestDecisionsErrors(t *testing.T) {
	refused(Decisions(nil, square(), DecisionsOptions{}))(t, "show: Decisions", "model is nil")
	refused(Decisions(DecideFunc(func([]float64) int { return -7 }), square(), DecisionsOptions{}))(t, "answers -7", "classify.Ambiguous")
	refused(Decisions(DecideFunc(func([]float64) int { return 2 }), square(), DecisionsOptions{}))(t, "answers 2", "0 to 1")
	refused(DecideFunc(nil).Decide(mat.NewDense(1, 2, nil)))(t, "nil")
	refused(Decisions(DecideFunc(quarters), plane(2, []int{0}, math.Inf(1), 0), DecisionsOptions{}))(t, "+Inf")
	// Everything rejected, one class, one point: a picture all the same.
	fig := must(Decisions(DecideFunc(func([]float64) int { return classify.Rejected }), plane(1, []int{0}, 1, 2), DecisionsOptions{}))(t)
	renders(t, fig)
	if a := column(t, fig, "share.area"); a[2] != 1 {
		t.Errorf("shares are %v, want all rejected", a)
	}
}
