package classify_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// quadraticAt is xᵀAx + bᵀx + c.
func quadraticAt(a *mat.SymDense, b []float64, c float64, x []float64) float64 {
	for i := range x {
		c += b[i] * x[i]
		for j := range x {
			c += x[i] * a.At(i, j) * x[j]
		}
	}
	return c
}

// noisyClasses returns 12k rows of k classes that overlap. The classes are unequal: with
// equal ones the log ratio of the priors is 0, and formulas that lack it hold.
func noisyClasses(r *rand.Rand, k, d int) (*mat.Dense, []int) {
	x, labels := normalMatrix(r, 12*k, d), make([]int, 12*k)
	for i := range labels {
		if labels[i] = i % k; i >= 6*k { // the second half leans to the first classes
			labels[i] = labels[i] * labels[i] / k
		}
		x.Set(i, 0, x.At(i, 0)+0.5*float64(labels[i]))
	}
	return x, labels
}

// ringOfClasses returns 6 rows of each of k classes, far apart on a circle.
func ringOfClasses(r *rand.Rand, k int) (*mat.Dense, []int) {
	x, labels := normalMatrix(r, 6*k, 2), make([]int, 6*k)
	for i := range labels {
		labels[i] = i % k
		sin, cos := math.Sincos(2 * math.Pi * float64(i%k) / float64(k))
		x.Set(i, 0, x.At(i, 0)+30*cos)
		x.Set(i, 1, x.At(i, 1)+30*sin)
	}
	return x, labels
}

// gaussiansOf are the densities N(m_k, Σ_k) of the classes, or with the shared Σ.
func gaussiansOf(x *mat.Dense, labels []int, k int, shared bool) (class []*distmv.Normal) {
	means, covariances := momentsOf(x, labels, k, shared)
	for c := range k {
		n, ok := distmv.NewNormal(means[c], covariances[c], nil)
		if !ok {
			panic("a covariance is singular")
		}
		class = append(class, n)
	}
	return class
}

// momentsOf sums them up as they are defined, with divisor N_k, or N if shared.
func momentsOf(x *mat.Dense, labels []int, k int, shared bool) (means [][]float64, covariances []*mat.SymDense) {
	for c := range k {
		mean, _ := averageOf(x, labels, c)
		s := covarianceOf(x, labels, c)
		if shared {
			s = pooled(x, labels, k)
		}
		means, covariances = append(means, mean), append(covariances, s)
	}
	return means, covariances
}

// shortestWay is the length of the shortest way from x to the plane, with the sign of
// the side of x.
func shortestWay(w, x []float64) float64 {
	return math.Copysign(floats.Distance(x, nearestOn(w, x), 2), affineValue(w, x))
}

func separatingMachine(x mat.Matrix, t []float64) (classify.Scorer, error) {
	s, err := classify.Separable(x, t)
	if err != nil || !s.Separable {
		return nil, errors.Join(err, errors.New("not separable"))
	}
	return s.Plane()
}

// pairAlone is the machine that tells class i from class j, of their rows alone.
func pairAlone(x *mat.Dense, labels []int, i, j int) *classify.Logistic {
	var rows, t []float64
	for n, l := range labels {
		if l == i || l == j {
			rows, t = append(rows, x.RawRowView(n)...), append(t, truth(l == i))
		}
	}
	_, d := x.Dims()
	m, err := logisticMachine(mat.NewDense(len(t), d, rows), t)
	if err != nil {
		panic(err)
	}
	return m.(*classify.Logistic)
}

// inverseTimes returns S⁻¹v, and vᵀS⁻¹v, by the adjugate of S, 2×2.
func inverseTimes(s mat.Matrix, v []float64) (w []float64, form float64) {
	a, b, c, d := s.At(0, 0), s.At(0, 1), s.At(1, 0), s.At(1, 1)
	det := a*d - b*c
	w = []float64{(d*v[0] - b*v[1]) / det, (a*v[1] - c*v[0]) / det}
	return w, v[0]*w[0] + v[1]*w[1]
}

// differenceOf returns (a − b)·f.
func differenceOf(a, b []float64, f float64) []float64 {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = (a[i] - b[i]) * f
	}
	return d
}

// crossEntropyOf is −Σ[r ln y + (1−r) ln(1−y)].
func crossEntropyOf(x *mat.Dense, r, w []float64) (e float64) {
	for n, rt := range r {
		y := logisticOf(affineValue(w, x.RawRowView(n)))
		e -= rt*math.Log(y) + (1-rt)*math.Log(1-y)
	}
	return e
}

// residualSums is Σ(r − y)(1, x).
func residualSums(x *mat.Dense, r, w []float64) []float64 {
	s := make([]float64, len(w))
	for n, rt := range r {
		d := rt - logisticOf(affineValue(w, x.RawRowView(n)))
		s[0] += d
		for j, v := range x.RawRowView(n) {
			s[j+1] += d * v
		}
	}
	return s
}

// softmaxOf is exp[w_iᵀx + w_i0]/Σ_j exp[w_jᵀx + w_j0].
func softmaxOf(w *mat.Dense, x []float64) []float64 {
	_, k := w.Dims()
	a := make([]float64, k)
	for i := range a {
		a[i] = affineValue(mat.Col(nil, i, w), x)
	}
	return softmaxAsWritten(a)
}

// sigmoidFit fits k outputs to 20 rows and any 0/1 targets.
func sigmoidFit(t *testing.T, r *rand.Rand, k int) (x, target *mat.Dense, m *classify.SigmoidSquares) {
	x, target = normalMatrix(r, 20, 2), mat.NewDense(20, k, nil)
	target.Apply(func(n, i int, _ float64) float64 { return truth(n == i || x.At(n, i%2)+r.NormFloat64() > 0 && n != 9) }, target)
	o := classify.SigmoidSquaresOptions{Prior: classify.Isotropic{Alpha: 0.1}}
	return x, target, must(classify.FitSigmoidSquaresTargets(x, target, o))(t)
}

// outputsOf are the y_i = 1/(1 + exp[−(w_iᵀx + w_i0)]).
func outputsOf(w *mat.Dense, x []float64) (y []float64) {
	_, k := w.Dims()
	for i := range k {
		y = append(y, logisticOf(affineValue(mat.Col(nil, i, w), x)))
	}
	return y
}

// squaresOf is ½Σ_t Σ_i (r_i − y_i)².
func squaresOf(x, target, w *mat.Dense) (e float64) {
	n, _ := x.Dims()
	for n := range n {
		for i, y := range outputsOf(w, x.RawRowView(n)) {
			e += (target.At(n, i) - y) * (target.At(n, i) - y) / 2
		}
	}
	return e
}

// squaresStep is ηΣ_t (r_i − y_i)y_i(1−y_i)(1, x) for each output.
func squaresStep(x, target, w *mat.Dense, rate float64) (step []float64) {
	rows, d := x.Dims()
	_, k := w.Dims()
	step = make([]float64, k*(d+1))
	for n := range rows {
		for i, y := range outputsOf(w, x.RawRowView(n)) {
			for j, v := range append([]float64{1}, x.RawRowView(n)...) {
				step[i*(d+1)+j] += rate * (target.At(n, i) - y) * y * (1 - y) * v
			}
		}
	}
	return step
}
