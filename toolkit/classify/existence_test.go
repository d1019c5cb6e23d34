package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// TestOneVerdict compares all models with exact arithmetic on the same points of the plane. Every
// model must report correctly whether a maximum exists. Separable must decide correctly whether the
// classes are strictly separable and return a valid proof. The directions of the fits must separate
// the classes. A fit that reports Converged must be at the optimum, which the test checks in
// arithmetic of 1024 bits.
func TestOneVerdict(t *testing.T) {
	trial, count := 0, map[string]int{}
	planeSets(900, func(name string, x *mat.Dense, target []float64) {
		weak, strict := exactRecession(x, target)
		fail := func(format string, args ...any) {
			t.Errorf(name+": "+format+"\n%v\n%v", append(args, mat.Formatted(x), target)...)
		}
		if s, err := classify.Separable(x, target); err != nil || s.Separable != strict || s.Verify(x, target) != nil {
			fail("%+v, %v, but strictly separable is %v", s, err, strict)
		}
		for i, f := range optima {
			if i > 0 && trial%4 != 0 {
				break
			}
			m, err := f.fit(x, target, classify.LogisticOptions{})
			if err != nil {
				fail("%s: %v", f.name, err)
				continue
			}
			whole := name == "integers" || name == "grid"
			convex := !strings.HasPrefix(f.name, "label")
			if weak && (m.Converged || !m.Separable) || !weak && convex && (m.Separable || whole && !m.Converged) {
				fail("no maximum is %v, %s: %v %s", weak, f.name, m.Separable, m.Reason)
			}
			if weak && f.name == "logistic" && strings.Contains(m.Reason, "quasi") == strict {
				fail("complete separation is %v: %s", strict, m.Reason)
			}
			if weak && whole && convex {
				if least := leastMargin(x, target, m.Direction); least < -1e-10 || strict && least <= 0 {
					fail("%s: direction %v, margin %v", f.name, m.Direction, least)
				}
			}
			if m.Converged && f.same {
				arrived(t, name+", "+f.name, x, target, 0, m.W)
			}
		}
		if trial%4 == 0 && name != "grid" {
			f, err := classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Epsilon: 0.1, Estimate: true})
			if err != nil || weak && !f.Separable || strict && f.Epsilon != 0 {
				fail("label flip: %+v, %v", f, err)
			}
		}
		trial++
		count[fmt.Sprint(weak, strict)]++
	})
	errorIf(t, min(count["true true"], count["true false"], count["false false"]) < 60, "one-sided: %v", count)
}

// TestNoMaximum checks that on separable data every model reports Separable, returns a direction
// and no covariance, and converges under a prior.
func TestNoMaximum(t *testing.T) {
	for _, c := range []struct {
		name  string
		x, t  []float64
		quasi bool
		only  string // the only model to test, or "" for all models
	}{
		{"complete", []float64{-3, -2, 1, 2}, []float64{0, 0, 1, 1}, false, ""},
		{"shared point", []float64{-3, -2, 0, 0, 1, 2}, []float64{0, 0, 0, 1, 1, 1}, true, ""},
		{"shared point, uneven", []float64{-3, -2, 0, 0, 0, 0, 1, 2}, []float64{0, 0, 0, 1, 1, 1, 1, 1}, true, ""},
		{"soft on the plane", []float64{-3, 0, 2}, []float64{0, 0.3, 1}, true, ""},
		{"narrow gap", []float64{0, 1, 1 + 1e-9, 2}, []float64{0, 0, 1, 1}, false, ""},
		{"far offset", []float64{1e8, 1e8 + 1, 1e8 + 2, 1e8 + 3}, []float64{0, 0, 1, 1}, false, ""},
		{"tiny", []float64{-3e-150, -2e-150, 1e-150, 2e-150}, []float64{0, 0, 1, 1}, false, ""},
		{"huge", []float64{-3e150, -2e150, 1e150, 2e150}, []float64{0, 0, 1, 1}, false, ""},
		{"up to a far flip", []float64{-4, -3, -2, -1, 1, 2, 3, 4}, []float64{1, 0, 0, 0, 1, 1, 1, 1}, false,
			"label flip"},
	} {
		x := mat.NewDense(len(c.x), 1, c.x)
		for _, f := range optima {
			if c.only != "" && f.name != c.only {
				continue
			}
			t.Run(c.name+"/"+f.name, func(t *testing.T) {
				m := must(f.fit(x, c.t, classify.LogisticOptions{}))(t)
				if m.Converged || !m.Separable || !(m.Direction[1] > 0) || m.Covariance != nil {
					t.Fatalf("Converged %v, Separable %v, direction %v: %s", m.Converged, m.Separable, m.Direction,
						m.Reason)
				}
				if f.name == "logistic" {
					mentions(t, of(m.StandardErrors()), "separable", "Prior")
					errorIf(t, strings.Contains(m.Reason, "quasi") != c.quasi || m.Hessian == nil, "%s", m.Reason)
				}
				p := must(f.fit(x, c.t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.5}}))(t)
				errorIf(t, p.Separable || !p.Converged && !(c.name == "huge" && strings.HasPrefix(f.name, "label")),
					"with a prior: %s", p.Reason)
			})
		}
	}
	// The classes are 2e-12 apart, and the estimate of ε is 0, the boundary of its range.
	x := pointsOn(-3, -2, -1e-12, 1e-12, 2, 3)
	m := must(classify.FitLabelFlip(x, []float64{0, 0, 0, 1, 1, 1}, classify.LabelFlipOptions{Estimate: true}))(t)
	errorIf(t, m.Converged || !m.Separable || !(m.Direction[1] > 0) ||
		math.Abs(m.Direction[0]) >= 1e-12*m.Direction[1] || m.Epsilon != 0,
		"Converged %v, Separable %v, direction %v, ε %v: %s", m.Converged, m.Separable, m.Direction, m.Epsilon,
		m.Reason)
}

// softmaxRecession decides by exact integer arithmetic whether some direction separates three
// classes with one input. With w_3 = 0, the contrasts between two classes are vectors of four
// numbers. Every edge of the cone of separating directions is orthogonal to three contrasts.
func softmaxRecession(x []int, labels []int) bool {
	var z [][4]int
	for i, l := range labels {
		for k := range 3 {
			var c [4]int
			for class, sign := range map[int]int{l: 1, k: -1} {
				if class < 2 && k != l {
					c[2*class], c[2*class+1] = sign, sign*x[i]
				}
			}
			if k != l {
				z = append(z, c)
			}
		}
	}
	for a := range z {
		for b := range a {
			for c := range b {
				d := cross(z[a], z[b], z[c])
				least, most := math.MaxInt, math.MinInt
				for _, v := range z {
					s := v[0]*d[0] + v[1]*d[1] + v[2]*d[2] + v[3]*d[3]
					least, most = min(least, s), max(most, s)
				}
				if d != [4]int{} && (least >= 0 || most <= 0) {
					return true
				}
			}
		}
	}
	return false
}

// cross returns the generalised cross product.
func cross(a, b, c [4]int) (d [4]int) {
	for i := range 4 {
		j, k, l := (i+1)%4, (i+2)%4, (i+3)%4
		d[i] = a[j]*(b[k]*c[l]-b[l]*c[k]) - a[k]*(b[j]*c[l]-b[l]*c[j]) + a[l]*(b[j]*c[k]-b[k]*c[j])
		if i%2 == 1 {
			d[i] = -d[i]
		}
	}
	return d
}

// TestSoftmaxExistence checks on points of a small grid that FitSoftmax converges if and only if
// softmaxRecession finds no separating direction.
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
			if spread > 0 { // labels that nearly follow the order of the points
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
			errorIf(t, !m.Converged || m.Separable, "trial %d: the maximum exists, but: %s\n%v %v", trial, m.Reason, xi,
				labels)
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
	errorIf(t, min(count["overlapping"], count["quasi-separable"], count["separable"]) < 30, "one-sided: %v", count)
}

// softmaxMargins returns the smallest and the largest difference a_own − a_other over all rows and
// all other classes.
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

// TestNearlySeparable checks that a maximum exists if one row of each class is slightly on the
// wrong side. The weights grow as this overlap shrinks.
func TestNearlySeparable(t *testing.T) {
	for _, hair := range []float64{1e-2, 1e-4, 1e-6, 1e-8} {
		x := mat.NewDense(6, 1, []float64{-2, -1, hair, -hair, 1, 2})
		target := []float64{0, 0, 0, 1, 1, 1}
		m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
		if !m.Converged || m.Separable {
			t.Errorf("hair %v: %s", hair, m.Reason)
			continue
		}
		// By symmetry w0 = 0, and (4.91) becomes hair·σ(hair·w) = σ(−w) + 2σ(−2w).
		w := m.W[1]
		g := hair/(1+math.Exp(-hair*w)) - 1/(1+math.Exp(w)) - 2/(1+math.Exp(2*w))
		errorIf(t, math.Abs(g) > 1e-12*hair || math.Abs(m.W[0]) > 1e-9, "hair %v: w = %v leaves a gradient of %v", hair,
			m.W, g)
	}
}

// TestCompleteNotQuasi checks that a fit does not report quasi-separation for classes that are
// separable with a narrow gap. For many iterations two rows appear to lie on the plane.
func TestCompleteNotQuasi(t *testing.T) {
	_, d, err := datasets.Outliers(datasets.OutliersOptions{Seed: 10})
	if err != nil {
		t.Fatal(err)
	}
	target := must(d.Target("C1"))(t)
	m := must(classify.FitLogistic(d.X, target, classify.LogisticOptions{}))(t)
	errorIf(t, !m.Separable || strings.Contains(m.Reason, "quasi") || m.Trace[m.Iterations].Misclassified != 0 ||
		leastMargin(d.X, target, m.Direction) <= 0,
		"%d misclassified: %s", m.Trace[m.Iterations].Misclassified, m.Reason)
}
