package classify_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// recession decides by exact integer arithmetic whether a direction d ≠ 0 in
// three dimensions has s_n·dᵀφ_n ≥ 0 for every row, φ = (1, x1, x2) with Φ of
// rank 3: the cone of such directions then is pointed, and if it is more than 0
// it has an edge, which is the cross product of two rows.
func recession(phi [][3]int, sign []int) bool {
	for i := range phi {
		for j := range i {
			a, b := phi[i], phi[j]
			d := [3]int{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
			if d == [3]int{} {
				continue
			}
			least, most := math.MaxInt, math.MinInt
			for n, p := range phi {
				v := sign[n] * (d[0]*p[0] + d[1]*p[1] + d[2]*p[2])
				least, most = min(least, v), max(most, v)
			}
			if least >= 0 || most <= 0 {
				return true
			}
		}
	}
	return false
}

// strict decides by exact integer arithmetic whether a direction has
// s_n·dᵀφ_n > 0 for every row: the sum of all edges of the recession cone is in
// its interior if it has one.
func strict(phi [][3]int, sign []int) bool {
	sum := [3]int{}
	for i := range phi {
		for j := range i {
			a, b := phi[i], phi[j]
			for _, s := range []int{1, -1} {
				d := [3]int{s * (a[1]*b[2] - a[2]*b[1]), s * (a[2]*b[0] - a[0]*b[2]), s * (a[0]*b[1] - a[1]*b[0])}
				least := 0
				for n, p := range phi {
					least = min(least, sign[n]*(d[0]*p[0]+d[1]*p[1]+d[2]*p[2]))
				}
				if least == 0 {
					for k := range sum {
						sum[k] += d[k]
					}
				}
			}
		}
	}
	for n, p := range phi {
		if sign[n]*(sum[0]*p[0]+sum[1]*p[1]+sum[2]*p[2]) <= 0 {
			return false
		}
	}
	return true
}

func rank3(phi [][3]int) bool {
	for _, a := range phi {
		for _, b := range phi {
			for _, c := range phi {
				if a[0]*(b[1]*c[2]-b[2]*c[1])-a[1]*(b[0]*c[2]-b[2]*c[0])+a[2]*(b[0]*c[1]-b[1]*c[0]) != 0 {
					return true
				}
			}
		}
	}
	return false
}

// TestExistence compares with exact arithmetic on random points of a small grid,
// where separable, quasi-separable and overlapping data are all frequent.
func TestExistence(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	count := map[string]int{}
	for trial := 0; trial < 1500; trial++ {
		n := 4 + rng.IntN(12)
		x, target := mat.NewDense(n, 2, nil), make([]float64, n)
		phi, sign := make([][3]int, n), make([]int, n)
		lean := rng.IntN(3)
		for i := range n {
			phi[i] = [3]int{1, rng.IntN(5) - 2, rng.IntN(5) - 2}
			x.SetRow(i, []float64{float64(phi[i][1]), float64(phi[i][2])})
			sign[i] = 1 - 2*rng.IntN(2)
			if s := phi[i][1] + phi[i][2]; lean > 0 && s != 0 {
				sign[i] = s / max(s, -s) // separable but for points on the line
			}
			target[i] = float64(sign[i]+1) / 2
		}
		if !rank3(phi) || floats.Sum(target) == 0 || floats.Sum(target) == float64(n) {
			continue
		}
		exists := !recession(phi, sign)
		m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
		switch {
		case exists:
			count["overlapping"]++
			if !m.Converged || m.Separable {
				t.Errorf("trial %d: the maximum exists, but: %s\n%v %v", trial, m.Reason, phi, sign)
			}
			continue
		case strings.Contains(m.Reason, "quasi"):
			count["quasi-separable"]++
		default:
			count["separable"]++
		}
		if got := !strings.Contains(m.Reason, "quasi"); got != strict(phi, sign) {
			t.Errorf("trial %d: complete separation is %v, but: %s\n%v %v", trial, !got, m.Reason, phi, sign)
		}
		if m.Converged || !m.Separable {
			t.Errorf("trial %d: there is no maximum, but: %s\n%v %v", trial, m.Reason, phi, sign)
			continue
		}
		least, most := leastMargin(x, target, m.Direction), 0.0
		for i := range n {
			most = math.Max(most, math.Abs(m.Direction[0]+m.Direction[1]*x.At(i, 0)+m.Direction[2]*x.At(i, 1)))
		}
		if quasi := strings.Contains(m.Reason, "quasi"); math.Abs(floats.Norm(m.Direction, 2)-1) > 1e-14 ||
			most < 1e-3 || quasi && math.Abs(least) > 1e-10 || !quasi && least <= 0 {
			t.Errorf("trial %d: direction %v, margins %v…%v: %s", trial, m.Direction, least, most, m.Reason)
		}
	}
	t.Log(count)
	for _, k := range []string{"overlapping", "quasi-separable", "separable"} {
		if count[k] < 100 {
			t.Errorf("only %d %s data sets", count[k], k)
		}
	}
}

// TestCompleteNotQuasi: these two classes are separable with a narrow gap, and
// for many iterations two rows look as if they had settled on the plane.
func TestCompleteNotQuasi(t *testing.T) {
	_, d, err := datasets.Outliers(datasets.OutliersOptions{Seed: 10})
	if err != nil {
		t.Fatal(err)
	}
	target := must(d.Target("C1"))(t)
	m := must(classify.FitLogistic(d.X, target, classify.LogisticOptions{}))(t)
	if !m.Separable || strings.Contains(m.Reason, "quasi") || m.Trace[m.Iterations].Misclassified != 0 || leastMargin(d.X, target, m.Direction) <= 0 {
		t.Errorf("%d misclassified: %s", m.Trace[m.Iterations].Misclassified, m.Reason)
	}
}

func TestSeparableData(t *testing.T) {
	for _, c := range []struct {
		name  string
		x     []float64
		t     []float64
		quasi bool
	}{
		{"complete", []float64{-3, -2, 1, 2}, []float64{0, 0, 1, 1}, false},
		{"shared point", []float64{-3, -2, 0, 0, 1, 2}, []float64{0, 0, 0, 1, 1, 1}, true},
		{"shared point, uneven", []float64{-3, -2, 0, 0, 0, 0, 1, 2}, []float64{0, 0, 0, 1, 1, 1, 1, 1}, true},
		{"soft on the plane", []float64{-3, 0, 2}, []float64{0, 0.3, 1}, true},
		{"narrow gap", []float64{0, 1, 1 + 1e-9, 2}, []float64{0, 0, 1, 1}, false},
		{"far offset", []float64{1e8, 1e8 + 1, 1e8 + 2, 1e8 + 3}, []float64{0, 0, 1, 1}, false},
		{"tiny", []float64{-3e-150, -2e-150, 1e-150, 2e-150}, []float64{0, 0, 1, 1}, false},
		{"huge", []float64{-3e150, -2e150, 1e150, 2e150}, []float64{0, 0, 1, 1}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := mat.NewDense(len(c.x), 1, c.x)
			m := must(classify.FitLogistic(x, c.t, classify.LogisticOptions{}))(t)
			if m.Converged || !m.Separable || strings.Contains(m.Reason, "quasi") != c.quasi || !strings.Contains(m.Reason, "no maximum") {
				t.Fatalf("Separable %v: %s", m.Separable, m.Reason)
			}
			if m.Covariance != nil || m.Hessian == nil {
				t.Error("covariance given or Hessian missing")
			}
			_, err := m.StandardErrors()
			mentions(t, err, "separable", "Prior")
			p := must(m.Posterior(x))(t)
			for i, v := range c.t {
				// hard rows off the plane are nearly certain
				if hard := v == 0 || v == 1; hard && !c.quasi && math.Abs(p.At(i, 0)-v) > 1e-5 {
					t.Errorf("posterior of row %d is %v", i, p.At(i, 0))
				}
			}
			with := must(classify.FitLogistic(x, c.t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.5}}))(t)
			if !with.Converged || with.Separable {
				t.Errorf("with a prior: %s", with.Reason)
			}
		})
	}
}

// TestNearlySeparable: one row a hair on the wrong side, and the maximum exists,
// with weights as large as the hair is thin.
func TestNearlySeparable(t *testing.T) {
	for _, hair := range []float64{1e-2, 1e-4, 1e-6, 1e-8} {
		x := mat.NewDense(6, 1, []float64{-2, -1, hair, -hair, 1, 2})
		target := []float64{0, 0, 0, 1, 1, 1}
		m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
		if !m.Converged || m.Separable {
			t.Errorf("hair %v: %s", hair, m.Reason)
			continue
		}
		// By symmetry w0 = 0, and (4.91) is 2·exp(−w)… = hair·σ(hair·w): check it.
		w := m.W[1]
		g := hair/(1+math.Exp(-hair*w)) - 1/(1+math.Exp(w)) - 2/(1+math.Exp(2*w))
		if math.Abs(g) > 1e-12*hair || math.Abs(m.W[0]) > 1e-9 {
			t.Errorf("hair %v: w = %v leaves a gradient of %v", hair, m.W, g)
		}
	}
}
