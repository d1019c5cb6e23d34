package classify_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
)

// scatterAbout returns Σ(x_n − c)(x_n − c)ᵀ of the rows of a class.
func scatterAbout(x *mat.Dense, labels []int, class int, centre []float64) *mat.Dense {
	d := len(centre)
	s := mat.NewDense(d, d, nil)
	for i, l := range labels {
		if l == class {
			addSquare(s, 1, x.RawRowView(i), centre)
		}
	}
	return s
}

// addSquare adds f·(a − b)(a − b)ᵀ to s.
func addSquare(s *mat.Dense, f float64, a, b []float64) {
	for i := range a {
		for j := range a {
			s.Set(i, j, s.At(i, j)+f*(a[i]-b[i])*(a[j]-b[j]))
		}
	}
}

// A pairOfClasses has what Fisher's discriminant is made of, written out.
type pairOfClasses struct {
	x               *mat.Dense
	labels          []int
	m1, m2          []float64
	n1, n2          float64
	between, within *mat.Dense // (4.27) and (4.28)
}

func newPairOfClasses(r *rand.Rand) (p pairOfClasses) {
	p.x, p.labels = labelledRows(r, 2)
	p.m1, p.n1 = averageOf(p.x, p.labels, 0)
	p.m2, p.n2 = averageOf(p.x, p.labels, 1)
	d := len(p.m1)
	p.between, p.within = mat.NewDense(d, d, nil), scatterAbout(p.x, p.labels, 0, p.m1)
	addSquare(p.between, 1, p.m2, p.m1)
	p.within.Add(p.within, scatterAbout(p.x, p.labels, 1, p.m2))
	return p
}

func (p pairOfClasses) fisher(t *testing.T) *classify.Fisher {
	return must(classify.FitFisher(p.x, targets(p.labels), classify.FisherOptions{}))(t)
}

// projected returns the mean and the scatter of wᵀx in both classes.
func (p pairOfClasses) projected(w []float64) (mean, scatter [2]float64) {
	for i, l := range p.labels {
		mean[l] += floats.Dot(w, p.x.RawRowView(i)) / []float64{p.n1, p.n2}[l]
	}
	for i, l := range p.labels {
		off := floats.Dot(w, p.x.RawRowView(i)) - mean[l]
		scatter[l] += off * off
	}
	return mean, scatter
}

// form is wᵀSw.
func form(s mat.Matrix, w []float64) float64 {
	v := mat.NewVecDense(len(w), w)
	return mat.Inner(v, s, v)
}

// times is f·Sw.
func times(f float64, s mat.Matrix, w []float64) *mat.VecDense {
	var v mat.VecDense
	v.MulVec(s, mat.NewVecDense(len(w), w))
	v.ScaleVec(f, &v)
	return &v
}

// solved is S⁻¹b, of length 1.
func solved(t *testing.T, s *mat.Dense, b []float64) []float64 {
	t.Helper()
	var v mat.VecDense
	if err := v.SolveVec(s, mat.NewVecDense(len(b), b)); err != nil {
		t.Fatal(err)
	}
	v.ScaleVec(1/v.Norm(2), &v)
	return v.RawVector().Data
}

func TestEquationsFisherDirection(t *testing.T) {
	equation.Check(t, "prml-4.20", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		m, at := p.fisher(t), p.x.RawRowView(0)
		return must(m.Scores(p.x))(t).At(0, 0) + m.Threshold, floats.Dot(m.Direction, at)
	})
	equation.Check(t, "prml-4.21", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		return p.fisher(t).Scatter.ClassMeans, []any{p.m1, p.m2}
	})
	equation.Check(t, "prml-4.22", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		m := p.fisher(t)
		return m.ProjectedMeans[1] - m.ProjectedMeans[0], floats.Dot(m.Direction, p.m2) - floats.Dot(m.Direction, p.m1)
	})
	equation.Holds(t, "prml-4.22", func(r *rand.Rand) error {
		means := newPairOfClasses(r).fisher(t).Scatter.ClassMeans
		apart := floats.SubTo(make([]float64, means.RawMatrix().Cols), means.RawRowView(1), means.RawRowView(0))
		for range 100 { // all w of length 1: the largest is along the line of the means
			w := normals(r, len(apart))
			if got, most := floats.Dot(w, apart)/floats.Norm(w, 2), floats.Norm(apart, 2); got > most {
				return fmt.Errorf("the means project to a distance %v, along their line it is %v", got, most)
			}
		}
		return nil
	})
	equation.Check(t, "prml-4.23", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		m := p.fisher(t)
		mean, _ := p.projected(m.Direction)
		return m.ProjectedMeans[:], mean[:]
	})
	equation.Check(t, "prml-4.24", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		m := p.fisher(t)
		_, scatter := p.projected(m.Direction)
		return m.ProjectedScatters[:], scatter[:]
	})
	equation.Check(t, "prml-4.25", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		m := p.fisher(t)
		mean, scatter := p.projected(m.Direction)
		return m.J, (mean[1] - mean[0]) * (mean[1] - mean[0]) / (scatter[0] + scatter[1])
	})
	equation.Check(t, "prml-4.26", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		s, w := p.fisher(t).Scatter, normals(r, len(p.m1))
		mean, scatter := p.projected(w)
		share := p.n1 * p.n2 / (p.n1 + p.n2)
		return (mean[1] - mean[0]) * (mean[1] - mean[0]) / (scatter[0] + scatter[1]), form(s.Between, w) / share / form(s.Within, w)
	})
	equation.Check(t, "prml-4.27", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		var scaled mat.Dense
		scaled.Scale(p.n1*p.n2/(p.n1+p.n2), p.between)
		return p.fisher(t).Scatter.Between, &scaled
	})
	equation.Check(t, "prml-4.28", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		return must(classify.NewScatter(p.x, p.labels, 2))(t).Within, p.within
	})
	equation.Check(t, "prml-4.29", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		w := p.fisher(t).Direction
		return times(form(p.between, w), p.within, w), times(form(p.within, w), p.between, w)
	})
	// 1e-7: the gradient is a difference quotient.
	equation.CheckTo(t, "prml-4.29", 1e-7, func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		w := normals(r, len(p.m1))
		var off mat.VecDense
		off.SubVec(times(form(p.within, w), p.between, w), times(form(p.between, w), p.within, w))
		gradient := slopes(func(w []float64) float64 { return form(p.between, w) / form(p.within, w) }, w)
		floats.Scale(form(p.within, w)*form(p.within, w)/2, gradient)
		return &off, gradient
	})
	equation.Check(t, "prml-4.30", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		return p.fisher(t).Direction, solved(t, p.within, floats.SubTo(make([]float64, len(p.m1)), p.m1, p.m2))
	})
}
