package figures

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func init() {
	addProperties([]property{{
		name:  "fig-prml-4.10: the posterior surface is σ(wᵀx + w0) with (4.66)–(4.67)",
		draw:  with(PRML4x10, PRML4x10Options{Prior: 0.7}),
		wrong: with(PRML4x10, PRML4x10Options{ClassCovariances: true}),
		holds: sigmoidSlope,
	}, {
		name:  "fig-gambosi-gda: the posterior surface and every point's posterior are σ(wᵀx + w0)",
		wrong: with(GambosiGDA, GambosiGDAOptions{ClassCovariances: true}),
		holds: func(d show.Data) error {
			if err := sigmoidSlope(d); err != nil {
				return err
			}
			w, err := weights(d)
			if err != nil {
				return err
			}
			class, _ := d.Column("c.points.class")
			x, _ := d.Column("c.points.x")
			y, _ := d.Column("c.points.y")
			var next [2]int
			for i := range class {
				k := int(class[i])
				name := fmt.Sprintf("d.C%d", k+1)
				a, _ := d.Column(name + ".a")
				p, _ := d.Column(name + ".p")
				want := w[0] + w[1]*x[i] + w[2]*y[i]
				if j := next[k]; math.Abs(a[j]-want) > 1e-6 || math.Abs(p[j]-1/(1+math.Exp(-want))) > 1e-7 {
					return fmt.Errorf("point %d is drawn at (%v, %v), its activation is %v", i, a[j], p[j], want)
				}
				next[k]++
			}
			// The boundary that is drawn is the line wᵀx + w0 = 0.
			x, _ = d.Column("c.p(C1|x) = 1/2.x")
			y, _ = d.Column("c.p(C1|x) = 1/2.y")
			for i := range x {
				if a := w[0] + w[1]*x[i] + w[2]*y[i]; math.Abs(a) > 1e-6 {
					return fmt.Errorf("a = %v at (%v, %v) of the boundary", a, x[i], y[i])
				}
			}
			if len(x) != 2 || next[0] <= next[1] {
				return fmt.Errorf("a boundary of %d points, %v points of the classes", len(x), next)
			}
			return nil
		},
	}}...)
}

// sigmoidSlope checks that the surfaces in panels a and b are the densities (4.64)
// and the posterior (4.65) of the parameters that go with them.
func sigmoidSlope(d show.Data) error {
	w, err := weights(d)
	if err != nil {
		return err
	}
	got, _ := d.Column("model.w")
	for i := range w {
		if math.Abs(got[i]-w[i]) > 1e-6 {
			return fmt.Errorf("w is %v, by (4.66)–(4.67) %v", got, w)
		}
	}
	x, _ := d.Column("b.x")
	y, _ := d.Column("b.y")
	p, _ := d.Column("b.p(C1|x).z")
	p1, _ := d.Column("a.p(x|C1).z")
	p2, _ := d.Column("a.p(x|C2).z")
	prior := value(d, "model.prior")
	if len(p) < 100 || len(p1) != len(p) || len(p2) != len(p) {
		return fmt.Errorf("surfaces of %d, %d and %d nodes", len(p), len(p1), len(p2))
	}
	for i := range p {
		if want := 1 / (1 + math.Exp(-(w[0] + w[1]*x[i] + w[2]*y[i]))); math.Abs(p[i]-want) > 1e-7 {
			return fmt.Errorf("the posterior is %v at (%v, %v), σ(wᵀx + w0) is %v", p[i], x[i], y[i], want)
		}
		if bayes := prior * p1[i] / (prior*p1[i] + (1-prior)*p2[i]); math.Abs(p[i]-bayes) > 1e-7 {
			return fmt.Errorf("the posterior is %v at (%v, %v), by the drawn densities %v", p[i], x[i], y[i], bayes)
		}
	}
	return nil
}

// weights returns w0, w1, w2 of (4.66)–(4.67), from the parameters of a figure.
func weights(d show.Data) ([]float64, error) {
	m1, _ := d.Column("model.mean1")
	m2, _ := d.Column("model.mean2")
	s, _ := d.Column("model.cov")
	prior := value(d, "model.prior")
	if len(m1) != 2 || len(m2) != 2 || len(s) != 4 || s[1] != s[2] {
		return nil, fmt.Errorf("means %v and %v, covariance %v", m1, m2, s)
	}
	det := s[0]*s[3] - s[1]*s[2]
	solve := func(m []float64) (a, b float64) { return (s[3]*m[0] - s[1]*m[1]) / det, (s[0]*m[1] - s[2]*m[0]) / det }
	a1, b1 := solve(m1)
	a2, b2 := solve(m2)
	bias := -(m1[0]*a1+m1[1]*b1)/2 + (m2[0]*a2+m2[1]*b2)/2 + math.Log(prior/(1-prior))
	return []float64{bias, a1 - a2, b1 - b2}, nil
}

func TestPRML4x10Errors(t *testing.T) {
	refuses(t, PRML4x10, map[string]PRML4x10Options{
		"negative N":  {N: -1},
		"one point":   {N: 1},
		"prior 2":     {Prior: 2},
		"prior NaN":   {Prior: math.NaN()},
		"own, 2 rows": {N: 2, ClassCovariances: true},
	})
	for name, o := range map[string]GambosiGDAOptions{"negative N1": {N1: -1}, "negative N2": {N2: -3}, "own, 1 row": {N2: 1, ClassCovariances: true}} {
		if _, err := GambosiGDA(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
