package figures

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func init() {
	addProperties([]property{{
		name:  "fig-prml-4.11: the pair with a shared covariance has a straight boundary, the others conics",
		wrong: with(PRML4x11, PRML4x11Options{ClassCovariances: true}),
		holds: func(d show.Data) error {
			return conics(d, "b.", map[[2]int]bool{{0, 1}: true, {0, 2}: false, {1, 2}: false})
		},
	}, {
		name:  "fig-gambosi-qda: the boundaries are conics",
		wrong: with(GambosiQDA, GambosiQDAOptions{SharedCovariance: true}),
		holds: func(d show.Data) error {
			for _, panel := range []string{"c.", "d."} {
				if err := conics(d, panel, map[[2]int]bool{{0, 1}: false, {0, 2}: false, {1, 2}: false}); err != nil {
					return err
				}
			}
			return nil
		},
	}}...)
}

// conics checks the boundaries of three Gaussian classes in a panel: all points
// lie where the densities of the pair, times the priors, agree, which is a conic; and
// they lie on a straight line for the pairs that say so, and visibly not for the others.
func conics(d show.Data, panel string, straight map[[2]int]bool) error {
	bi, _ := d.Column(panel + "boundary.i")
	bj, _ := d.Column(panel + "boundary.j")
	piece, _ := d.Column(panel + "boundary.piece")
	x, _ := d.Column(panel + "boundary.x")
	y, _ := d.Column(panel + "boundary.y")
	bend := map[[2]int]float64{}
	for start := 0; start < len(x); {
		end := start
		for end < len(x) && piece[end] == piece[start] {
			end++
		}
		pair := [2]int{int(bi[start]), int(bj[start])}
		dx, dy := x[end-1]-x[start], y[end-1]-y[start]
		for k := start; k < end; k++ {
			// The distance of a point from the chord of its piece.
			off := math.Abs((x[k]-x[start])*dy-(y[k]-y[start])*dx) / math.Hypot(dx, dy)
			bend[pair] = max(bend[pair], off)
			if a, b := logJoint(d, pair[0], x[k], y[k]), logJoint(d, pair[1], x[k], y[k]); !(math.Abs(a-b) < 1e-6) {
				return fmt.Errorf("%s: on the boundary of %v the log joint densities are %v and %v", panel, pair, a, b)
			}
		}
		start = end
	}
	for pair, line := range straight {
		b, ok := bend[pair]
		if !ok {
			return fmt.Errorf("%s: classes %v have no boundary", panel, pair)
		}
		if line && b > 1e-7 || !line && b < 0.1 {
			return fmt.Errorf("%s: the boundary of classes %v bends by %v", panel, pair, b)
		}
	}
	return nil
}

// logJoint returns ln p(x|C_k)p(C_k) + ln 2π, from the parameters of the figure.
func logJoint(d show.Data, k int, x, y float64) float64 {
	m, _ := d.Column(fmt.Sprintf("model.mean%d", k+1))
	s, _ := d.Column(fmt.Sprintf("model.cov%d", k+1))
	priors, _ := d.Column("model.priors")
	det := s[0]*s[3] - s[1]*s[2]
	x, y = x-m[0], y-m[1]
	return -(s[3]*x*x-(s[1]+s[2])*x*y+s[0]*y*y)/(2*det) - math.Log(det)/2 + math.Log(priors[k])
}

func TestPRML4x11Errors(t *testing.T) {
	refuses(t, PRML4x11, map[string]PRML4x11Options{
		"negative N":      {N: -1},
		"one point":       {N: 1},
		"negative spread": {Spread: -1},
		"NaN spread":      {Spread: math.NaN()},
	})
	for name, o := range map[string]GambosiQDAOptions{"negative N": {N: -1}, "two points": {N: 2}, "shared, one point": {N: 1, SharedCovariance: true}} {
		if _, err := GambosiQDA(o); err == nil {
			t.Errorf("QDA, %s: no error", name)
		}
	}
}
