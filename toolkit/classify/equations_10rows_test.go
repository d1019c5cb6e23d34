package classify_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// biasAndSum is w0 + Σ_j w_j·x_j.
func biasAndSum(w, x []float64) float64 {
	s := w[0]
	for j, v := range x {
		s += w[j+1] * v
	}
	return s
}

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

// noisyClasses returns 12 rows of each of k classes that overlap, one after another.
func noisyClasses(r *rand.Rand, k, d int) (*mat.Dense, []int) {
	x, labels := normalMatrix(r, 12*k, d), make([]int, 12*k)
	for i := range labels {
		labels[i] = i % k
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
	_, d := x.Dims()
	count, pooled := make([]float64, k), mat.NewSymDense(d, nil)
	for range k {
		means, covariances = append(means, make([]float64, d)), append(covariances, mat.NewSymDense(d, nil))
	}
	for n, l := range labels {
		count[l]++
		for j := range d {
			means[l][j] += x.At(n, j)
		}
	}
	for c := range k {
		for j := range d {
			means[c][j] /= count[c]
		}
	}
	for n, l := range labels {
		for i := range d {
			for j := i; j < d; j++ {
				v := (x.At(n, i) - means[l][i]) * (x.At(n, j) - means[l][j])
				covariances[l].SetSym(i, j, covariances[l].At(i, j)+v/count[l])
				pooled.SetSym(i, j, pooled.At(i, j)+v/float64(len(labels)))
			}
		}
	}
	for c := range k {
		if shared {
			covariances[c] = pooled
		}
	}
	return means, covariances
}

// shortestWay is the length of the shortest way from x to the plane, by Lagrange's
// conditions for its end p: p + λw = x, wᵀp = −w0; with the sign of the side of x.
func shortestWay(w, x []float64) float64 {
	d := len(x)
	system, b := mat.NewDense(d+1, d+1, nil), mat.NewVecDense(d+1, append(append([]float64{}, x...), -w[0]))
	for j := range d {
		system.Set(j, j, 1)
		system.Set(j, d, w[j+1])
		system.Set(d, j, w[j+1])
	}
	var p mat.VecDense
	if err := p.SolveVec(system, b); err != nil {
		panic(err)
	}
	var s float64
	for j := range d {
		s += (x[j] - p.AtVec(j)) * (x[j] - p.AtVec(j))
	}
	return math.Copysign(math.Sqrt(s), biasAndSum(w, x))
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
		y := logisticOf(biasAndSum(w, x.RawRowView(n)))
		e -= rt*math.Log(y) + (1-rt)*math.Log(1-y)
	}
	return e
}

// residualSums is Σ(r − y)(1, x).
func residualSums(x *mat.Dense, r, w []float64) []float64 {
	s := make([]float64, len(w))
	for n, rt := range r {
		d := rt - logisticOf(biasAndSum(w, x.RawRowView(n)))
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
	y, sum := make([]float64, k), 0.0
	for i := range k {
		y[i] = math.Exp(biasAndSum(mat.Col(nil, i, w), x))
		sum += y[i]
	}
	for i := range k {
		y[i] /= sum
	}
	return y
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
		y = append(y, logisticOf(biasAndSum(mat.Col(nil, i, w), x)))
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
