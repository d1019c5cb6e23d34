package classify_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// softmaxRecession decides by exact integer arithmetic whether some direction
// separates: K = 3 and one input make, with w_3 = 0, contrasts in four
// dimensions, whose cone has an edge on three of them.
func softmaxRecession(x []int, labels []int) bool {
	var z [][4]int
	for i, l := range labels {
		for k := range 3 {
			if k == l {
				continue
			}
			var c [4]int
			if l < 2 {
				c[2*l]++
				c[2*l+1] += x[i]
			}
			if k < 2 {
				c[2*k]--
				c[2*k+1] -= x[i]
			}
			z = append(z, c)
		}
	}
	for a := range z {
		for b := range a {
			for c := range b {
				var d [4]int
				for i := range 4 { // the generalised cross product
					var r [3][]int
					for row, v := range [][4]int{z[a], z[b], z[c]} {
						for j := range 4 {
							if j != i {
								r[row] = append(r[row], v[j])
							}
						}
					}
					d[i] = r[0][0]*(r[1][1]*r[2][2]-r[1][2]*r[2][1]) - r[0][1]*(r[1][0]*r[2][2]-r[1][2]*r[2][0]) + r[0][2]*(r[1][0]*r[2][1]-r[1][1]*r[2][0])
					if i%2 == 1 {
						d[i] = -d[i]
					}
				}
				if d == [4]int{} {
					continue
				}
				least, most := math.MaxInt, math.MinInt
				for _, v := range z {
					s := v[0]*d[0] + v[1]*d[1] + v[2]*d[2] + v[3]*d[3]
					least, most = min(least, s), max(most, s)
				}
				if least >= 0 || most <= 0 {
					return true
				}
			}
		}
	}
	return false
}

// TestSoftmaxExistence compares with exact arithmetic on points of a small grid.
func TestSoftmaxExistence(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 19))
	count := map[string]int{}
	for trial := range 500 {
		n := 6 + rng.IntN(8)
		xi, labels := make([]int, n), make([]int, n)
		x, seen := mat.NewDense(n, 1, nil), [3]bool{}
		spread := rng.IntN(3)
		for i := range n {
			xi[i] = rng.IntN(7) - 3
			labels[i] = rng.IntN(3)
			if spread > 0 { // near the order of the points
				labels[i] = min(max((xi[i]+rng.IntN(spread)+4)/3, 0), 2)
			}
			seen[labels[i]] = true
			x.Set(i, 0, float64(xi[i]))
		}
		if seen != [3]bool{true, true, true} || slices.Min(xi) == slices.Max(xi) {
			continue
		}
		exists := !softmaxRecession(xi, labels)
		m := must(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{}))(t)
		switch {
		case exists:
			count["overlapping"]++
			if !m.Converged || m.Separable {
				t.Errorf("trial %d: the maximum exists, but: %s\n%v %v", trial, m.Reason, xi, labels)
			}
			continue
		case strings.Contains(m.Reason, "quasi"):
			count["quasi-separable"]++
		default:
			count["separable"]++
		}
		if m.Converged || !m.Separable {
			t.Errorf("trial %d: there is no maximum, but: %s\n%v %v", trial, m.Reason, xi, labels)
			continue
		}
		least, most := softmaxMargins(x, labels, m.Direction)
		if quasi := strings.Contains(m.Reason, "quasi"); quasi && math.Abs(least) > 1e-10 || !quasi && least <= 0 || most < 1e-3 ||
			math.Abs(mat.Norm(m.Direction, 2)-1) > 1e-14 {
			t.Errorf("trial %d: direction %v, margins %v…%v: %s", trial, flat(m.Direction), least, most, m.Reason)
		}
	}
	t.Log(count)
	for _, k := range []string{"overlapping", "quasi-separable", "separable"} {
		if count[k] < 30 {
			t.Errorf("only %d %s data sets", count[k], k)
		}
	}
}

// softmaxMargins returns the least and the largest a_own − a_other.
func softmaxMargins(x *mat.Dense, labels []int, w *mat.Dense) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	_, k := w.Dims()
	for i, l := range labels {
		for j := range k {
			if j == l {
				continue
			}
			a := w.At(0, l) - w.At(0, j)
			for c, v := range x.RawRowView(i) {
				a += v * (w.At(c+1, l) - w.At(c+1, j))
			}
			least, most = math.Min(least, a), math.Max(most, a)
		}
	}
	return least, most
}
