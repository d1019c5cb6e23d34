package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// TestFisher: the direction maximises J, points to C₁, is that of least squares,
// and the rule sides with the majority (the printed rules of PRML do not).
func TestFisher(t *testing.T) {
	x, labels := clouds(200, 4, 2, 4)
	target := targets(labels)
	m := must(classify.FitFisher(x, target, classify.FisherOptions{}))(t)
	s := m.Scatter
	criterion := func(w []float64) float64 {
		v := mat.NewVecDense(4, w)
		diff := floats.Dot(w, s.ClassMeans.RawRowView(0)) - floats.Dot(w, s.ClassMeans.RawRowView(1))
		return diff * diff / mat.Inner(v, s.Within, v)
	}
	if j := criterion(m.Direction); math.Abs(j-m.J) > 1e-13*m.J {
		t.Errorf("J %v, by its definition %v", m.J, j)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		w := make([]float64, 4)
		for i := range w {
			w[i] = m.Direction[i] + 0.1*rng.NormFloat64()
		}
		if j := criterion(w); j > m.J {
			t.Errorf("J is %v at %v, above %v", j, w, m.J)
		}
	}
	if n := floats.Norm(m.Direction, 2); math.Abs(n-1) > 1e-15 || m.ProjectedMeans[0] <= m.ProjectedMeans[1] {
		t.Errorf("length %v, projected means %v", n, m.ProjectedMeans)
	}
	var right int
	for i, c := range must(m.Predict(x))(t) {
		if c == labels[i] {
			right++
		}
	}
	if right < 130 {
		t.Errorf("%d of 200 right", right)
	}
	// Least squares with the targets N/N₁, −N/N₂ by its normal equations.
	phi, z := mat.NewDense(200, 5, nil), mat.NewVecDense(200, nil)
	for i := range 200 {
		phi.Set(i, 0, 1)
		for j := range 4 {
			phi.Set(i, j+1, x.At(i, j))
		}
		z.SetVec(i, 200/float64(s.Counts[0])*target[i]-200/float64(s.Counts[1])*(1-target[i]))
	}
	var w mat.VecDense
	if err := w.SolveVec(phi, z); err != nil {
		t.Fatal(err)
	}
	near(t, "least squares", mat.NewVecDense(5, must(m.LeastSquaresWeights())(t)), &w, 1e-12)
	_, err := must(classify.FitFisher(x, target, classify.FisherOptions{Shrinkage: 0.5}))(t).LeastSquaresWeights()
	mentions(t, err, "FitLeastSquares")
}

// TestFisherThreshold: at the Gaussian threshold the projected joint densities
// are equal; where they cannot be, the midpoint and a reason.
func TestFisherThreshold(t *testing.T) {
	gap := func(m *classify.Fisher) float64 {
		var l [2]float64
		for k, n := range m.Scatter.Counts {
			v := m.ProjectedScatters[k] / float64(n)
			d := m.Threshold - m.ProjectedMeans[k]
			l[k] = math.Log(float64(n)) - math.Log(v)/2 - d*d/v/2
		}
		return l[0] - l[1]
	}
	iris := datasets.Iris()
	for _, c := range []struct {
		name   string
		x      mat.Matrix
		t      []float64
		o      classify.FisherOptions
		reason string
		equal  bool
	}{
		{"iris", iris.X, must(iris.Target("virginica"))(t), classify.FisherOptions{}, "equal projected Gaussian densities", true},
		{"equal variances", mat.NewDense(4, 1, []float64{0, 2, 10, 12}), []float64{0, 0, 1, 1}, classify.FisherOptions{}, "equal projected", true},
		{"unequal shares", mat.NewDense(7, 1, []float64{-1, 1, -1, 1, -1, 1.1, 0}), []float64{0, 0, 0, 0, 1, 1, 0}, classify.FisherOptions{}, "outside the means", true},
		{"a wide class over a narrow one", mat.NewDense(9, 1, []float64{-9, 9, -7, 7, -8, 8, 1, 4, -2}), []float64{0, 0, 0, 0, 0, 0, 1, 0, 1}, classify.FisherOptions{Threshold: classify.FisherThresholdMidpoint}, "midpoint", false},
		{"one class narrow beyond squares", mat.NewDense(4, 1, []float64{-1e-100, 1e-100, 0.9, 1.1}), []float64{0, 0, 1, 1}, classify.FisherOptions{}, "equal projected", false},
		{"a point", mat.NewDense(3, 1, []float64{0, 1, 5}), []float64{0, 0, 1}, classify.FisherOptions{}, "no projected spread", false},
		{"one class everywhere", mat.NewDense(8, 1, []float64{-3, -1, 0, 0, 1, 3, 0, 2}), []float64{0, 0, 0, 0, 0, 0, 1, 1}, classify.FisherOptions{}, "everywhere", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := must(classify.FitFisher(c.x, c.t, c.o))(t)
			mentions(t, reasonError(m.Reason), c.reason)
			if c.name == "one class narrow beyond squares" {
				// N(h|0,1e-100²) falls to N(h|1,0.1²) at √(2·ln …)·1e-100, about 24 widths.
				if y := m.Threshold * 1e100; !(y > 10 && y < 30) {
					t.Errorf("threshold %v", m.Threshold)
				}
				return
			}
			if c.equal {
				if g := gap(m); math.Abs(g) > 1e-9 {
					t.Errorf("log ratio %v at the threshold %v", g, m.Threshold)
				}
			} else if mid := (m.ProjectedMeans[0] + m.ProjectedMeans[1]) / 2; math.Abs(m.Threshold-mid) > 1e-15 {
				t.Errorf("threshold %v, midpoint %v", m.Threshold, mid)
			}
		})
	}
}

type reasonError string

func (r reasonError) Error() string { return string(r) }

// TestFisherMulti: W diagonalises both scatters, J is the trace of (4.50) by its
// definition, the full set of features loses nothing, and it classifies as LDA.
func TestFisherMulti(t *testing.T) {
	iris := datasets.Iris()
	m := must(classify.FitFisherMulti(iris.X, iris.Labels, 3, classify.FisherMultiOptions{}))(t)
	s := m.Scatter
	var sw, sb, inv, prod mat.Dense
	sw.Product(m.W.T(), s.Within, m.W)
	sb.Product(m.W.T(), s.Between, m.W)
	near(t, "WᵀS_W W", &sw, mat.NewDense(2, 2, []float64{1, 0, 0, 1}), 1e-12)
	near(t, "WᵀS_B W", &sb, mat.NewDense(2, 2, []float64{m.Eigenvalues[0], 0, 0, m.Eigenvalues[1]}), 1e-12)
	if err := inv.Inverse(&sw); err != nil {
		t.Fatal(err)
	}
	prod.Mul(&inv, &sb)
	if j := mat.Trace(&prod); math.Abs(j-m.J) > 1e-12*j {
		t.Errorf("J %v, Tr(s_W⁻¹s_B) %v", m.J, j)
	}
	lda := must(classify.FitLDA(iris.X, iris.Labels, 3, classify.LDAOptions{}))(t)
	near(t, "posterior", must(m.Posterior(iris.X))(t), must(lda.Posterior(iris.X))(t), 1e-12)
	y := must(m.Transform(iris.X))(t)
	projected := must(classify.FitLDA(y, iris.Labels, 3, classify.LDAOptions{}))(t)
	near(t, "posterior of the features", must(projected.Posterior(y))(t), must(lda.Posterior(iris.X))(t), 1e-11)
	one := must(classify.FitFisherMulti(iris.X, iris.Labels, 3, classify.FisherMultiOptions{Features: 1}))(t)
	if _, f := one.W.Dims(); f != 1 || one.J != m.Eigenvalues[0] || len(one.Eigenvalues) != 2 {
		t.Errorf("one feature: %d columns, J %v, eigenvalues %v", f, one.J, one.Eigenvalues)
	}
	// Two classes: the one feature is Fisher's direction, and the eigenvalue is J
	// times N₁N₂/N, by which PRML (4.46) exceeds (4.27).
	two := must(iris.Class("versicolor", "virginica"))(t)
	a := must(classify.FitFisher(two.X, targets(two.Labels), classify.FisherOptions{}))(t)
	b := must(classify.FitFisherMulti(two.X, two.Labels, 2, classify.FisherMultiOptions{}))(t)
	w := mat.Col(nil, 0, b.W)
	if c := math.Abs(floats.Dot(w, a.Direction)) / floats.Norm(w, 2); math.Abs(c-1) > 1e-12 {
		t.Errorf("cosine %v of the two directions", c)
	}
	if e := b.Eigenvalues[0]; math.Abs(e-25*a.J) > 1e-12*e { // N₁N₂/N = 50·50/100
		t.Errorf("eigenvalue %v, J %v", e, a.J)
	}
}

// TestFisherErrors: what cannot be computed says why and what to do.
func TestFisherErrors(t *testing.T) {
	x, labels := clouds(30, 4, 3, 6)
	target := targets(labels)
	for i := range labels {
		if labels[i] == 2 {
			labels[i] = 1
		}
	}
	with := func(f func(i int, row []float64)) *mat.Dense {
		y := mat.DenseCopyOf(x)
		for i := range 30 {
			f(i, y.RawRowView(i))
		}
		return y
	}
	wide, wl := clouds(4, 6, 2, 1)
	for _, c := range []struct {
		name string
		x    *mat.Dense
		t    []float64
		want []string
		fix  bool // PseudoInverse helps
	}{
		{"duplicate", with(func(_ int, r []float64) { r[2] = r[0] }), target, []string{"singular", "rank 3 of 4", "dependent: 0, 2", "PseudoInverse", "Shrinkage"}, true},
		{"constant", with(func(_ int, r []float64) { r[1] = 7.3 }), target, []string{"rank 3 of 4", "constant within the class: 1"}, true},
		{"constant in each class", with(func(i int, r []float64) { r[1] = float64(labels[i]) + 0.1 }), target, []string{"constant within the class: 1"}, true},
		{"D > N", wide, targets(wl), []string{"rank 2 of 6", "4 rows in 2 classes leave only 2 directions for 6 columns"}, true},
		{"points", mat.NewDense(2, 1, []float64{1, 2}), []float64{0, 1}, []string{"S_W is zero", "more rows"}, false},
		{"equal means", mat.NewDense(4, 1, []float64{1, 2, 1, 2}), []float64{0, 0, 1, 1}, []string{"means coincide"}, false},
		{"soft", mat.NewDense(2, 1, []float64{1, 2}), []float64{0, 0.5}, []string{"t[1] is 0.5"}, false},
		{"one class", mat.NewDense(2, 1, []float64{1, 2}), []float64{1, 1}, []string{"all 2 labels are class 0"}, false},
		{"N = 1", mat.NewDense(1, 1, []float64{1}), []float64{1}, []string{"class"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := classify.FitFisher(c.x, c.t, classify.FisherOptions{})
			mentions(t, err, append(c.want, "classify: FitFisher: ")...)
			for _, o := range []classify.FisherOptions{{PseudoInverse: true}, {Shrinkage: 0.3}} {
				m, err := classify.FitFisher(c.x, c.t, o)
				if !c.fix {
					if err == nil {
						t.Errorf("%+v: no error", o)
					}
					continue
				}
				if err != nil {
					t.Errorf("%+v: %v", o, err)
					continue
				}
				finite(t, "W", m.W...)
				if m.ProjectedMeans[0] <= m.ProjectedMeans[1] {
					t.Errorf("%+v: projected means %v", o, m.ProjectedMeans)
				}
			}
		})
	}
	// The pseudo-inverse of a duplicated column shares the weight of the single one.
	m := must(classify.FitFisher(with(func(_ int, r []float64) { r[2] = r[0] }), target, classify.FisherOptions{PseudoInverse: true}))(t)
	single := must(classify.FitFisher(with(func(_ int, r []float64) { copy(r[2:], r[3:]) }).Slice(0, 30, 0, 3), target, classify.FisherOptions{}))(t)
	ratio := single.Direction[0] / single.Direction[1]
	if got := 2 * m.Direction[0] / m.Direction[1]; math.Abs(m.Direction[0]-m.Direction[2]) > 1e-12 || math.Abs(got-ratio) > 1e-10*math.Abs(ratio) {
		t.Errorf("weights %v with the duplicate, %v without", m.Direction, single.Direction)
	}
	for _, c := range []struct {
		o    classify.FisherMultiOptions
		want string
	}{
		{classify.FisherMultiOptions{Features: 3}, "1…2"},
		{classify.FisherMultiOptions{Features: 2}, "span only 1"}, // class 2 is empty
		{classify.FisherMultiOptions{Shrinkage: 2}, "[0,1]"},
		{classify.FisherMultiOptions{Priors: []float64{1, 1}}, "Priors"},
	} {
		_, err := classify.FitFisherMulti(x, labels, 3, c.o)
		mentions(t, err, "FitFisherMulti", c.want)
	}
	_, err := classify.FitFisher(x, target, classify.FisherOptions{Threshold: 9})
	mentions(t, err, "Threshold", "FisherThresholdMidpoint")
	_, err = new(classify.FisherMulti).Transform(x)
	mentions(t, err, "FitFisherMulti")
}

// TestFisherUnits: other units of a column change nothing but its weight.
func TestFisherUnits(t *testing.T) {
	x, labels := clouds(60, 3, 2, 8)
	y := mat.DenseCopyOf(x)
	units := []float64{0x1p-400, 1, 0x1p300}
	y.Apply(func(_, j int, v float64) float64 { return v * units[j] }, y)
	a := must(classify.FitFisher(x, targets(labels), classify.FisherOptions{}))(t)
	b := must(classify.FitFisher(y, targets(labels), classify.FisherOptions{}))(t)
	if math.Abs(a.J-b.J) > 1e-14*a.J {
		t.Errorf("J %v and %v", a.J, b.J)
	}
	for j := range units {
		got := b.Direction[j] / b.Direction[0] * units[j] / units[0]
		if want := a.Direction[j] / a.Direction[0]; math.Abs(got-want) > 1e-13*math.Abs(want) {
			t.Errorf("weight %d: %v, want %v", j, got, want)
		}
	}
}
