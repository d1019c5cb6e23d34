package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// bilinear returns uᵀS⁻¹v.
func bilinear(s mat.Matrix, u, v []float64) float64 {
	var z mat.VecDense
	if err := z.SolveVec(s, mat.NewVecDense(len(v), v)); err != nil {
		panic(err)
	}
	return mat.Dot(mat.NewVecDense(len(u), u), &z)
}

// lnDet returns ln|S|.
func lnDet(s mat.Matrix) float64 {
	l, _ := mat.LogDet(s)
	return l
}

// twoGaussians fits two classes with a shared covariance. It returns the fit, the rows, the labels,
// a random point, the log odds of the classes at this point, and the log odds of the priors.
func twoGaussians(t *testing.T, r *rand.Rand, o classify.LDAOptions) (m *classify.LDA, x *mat.Dense, labels []int,
	at []float64, odds, prior float64) {
	x, labels = labelledRows(r, 2)
	m = must(classify.FitLDA(x, labels, 2, o))(t)
	_, d := x.Dims()
	at = normals(r, d)
	s := must(m.Scores(mat.NewDense(1, d, at)))(t)
	return m, x, labels, at, s.At(0, 0) - s.At(0, 1), math.Log(m.Priors[0] / m.Priors[1])
}

func TestEquationsGambosiBoundaries(t *testing.T) {
	equation.Holds(t, "gambosi-softmax-maximum", func(r *rand.Rand) error {
		a, lead := normals(r, 2+r.IntN(5)), 30*r.Float64()
		k := r.IntN(len(a))
		a[k] = floats.Max(a) + lead
		for j, y := range kernels.Softmax(nil, a) {
			least, most := 0.0, math.Exp(-lead)
			if j == k {
				least, most = 1-float64(len(a)-1)*math.Exp(-lead), 1
			}
			if y < least-1e-15 || y > most+1e-15 {
				return fmt.Errorf("the posterior of class %d is %v, outside the bounds that follow from a lead of %v of the largest activation, which is for class %d", j, y, lead, k)
			}
		}
		return nil
	})
	equation.Check(t, "gambosi-gda-log-odds", func(r *rand.Rand) (left, right any) {
		m, _, _, x, odds, prior := twoGaussians(t, r, classify.LDAOptions{})
		half := func(k int) float64 {
			mu := m.Means.RawRowView(k)
			return (bilinear(m.Sigma, mu, mu) - bilinear(m.Sigma, x, mu) - bilinear(m.Sigma, mu, x)) / 2
		}
		return odds, half(1) - half(0) + prior
	})
	equation.Check(t, "gambosi-scalar-transpose", func(r *rand.Rand) (left, right any) {
		d := 1 + r.IntN(5)
		s, x, mu := randomCov(r, d), normals(r, d), normals(r, d)
		return bilinear(s, x, mu), bilinear(s, mu, x)
	})
	equation.Holds(t, "gambosi-discriminant-condition", func(r *rand.Rand) error {
		m, _, _, x, _, _ := twoGaussians(t, r, classify.LDAOptions{})
		w := must(m.TwoClass())(t)
		for _, a := range []float64{0, r.NormFloat64()} { // a point on the boundary and a point off the boundary
			floats.AddScaled(x, (a-affineValue(w, x))/floats.Dot(w[1:], w[1:]), w[1:])
			p := must(m.Posterior(mat.NewDense(1, len(x), x)))(t)
			if gap := p.At(0, 0) - p.At(0, 1); math.Abs(gap-(logisticOf(a)-logisticOf(-a))) > 1e-10 {
				return fmt.Errorf("the posteriors differ by %v where wᵀx + w0 is %v, want σ(wᵀx + w0) − σ(−wᵀx − w0)", gap, a)
			}
		}
		return nil
	})
	equation.Check(t, "gambosi-discriminant-function", func(r *rand.Rand) (left, right any) {
		m, _, _, x, _, prior := twoGaussians(t, r, classify.LDAOptions{})
		m1, m2 := m.Means.RawRowView(0), m.Means.RawRowView(1)
		slope := bilinear(m.Sigma, m1, x) - bilinear(m.Sigma, m2, x)
		return affineValue(must(m.TwoClass())(t), x), slope +
			(bilinear(m.Sigma, m2, m2)-bilinear(m.Sigma, m1, m1))/2 + prior
	})
	equation.Check(t, "gambosi-discriminant-isotropic", func(r *rand.Rand) (left, right any) {
		m, _, _, x, odds, prior := twoGaussians(t, r, classify.LDAOptions{Shrinkage: 1}) // Σ = λI
		m1, m2, lambda := m.Means.RawRowView(0), m.Means.RawRowView(1), m.Sigma.At(0, 0)
		value := floats.Dot(m1, m1) - floats.Dot(m2, m2) - 2*lambda*prior
		for j := range x {
			value += 2 * (m2[j] - m1[j]) * x[j]
		}
		return -2 * lambda * odds, value
	})
	equation.Check(t, "gambosi-multiclass-activation", func(r *rand.Rand) (left, right any) {
		k := 2 + r.IntN(3)
		rows, labels := labelledRows(r, k)
		m := must(classify.FitLDA(rows, labels, k, classify.LDAOptions{}))(t)
		x, a, whole := rows.RawRowView(r.IntN(len(labels))), make([]float64, k), make([]float64, k)
		common := bilinear(m.Sigma, x, x) + float64(len(x))*math.Log(2*math.Pi) + lnDet(m.Sigma)
		for c := range a {
			mu := m.Means.RawRowView(c)
			a[c] = bilinear(m.Sigma, mu, x) - bilinear(m.Sigma, mu, mu)/2 + math.Log(m.Priors[c])
			whole[c] = a[c] - common/2 - math.Log(m.Priors[c])
		}
		at := mat.NewDense(1, len(x), x)
		return []any{must(m.Scores(at))(t), must(m.LogDensities(at))(t)}, []any{a, whole}
	})
	equation.Holds(t, "gambosi-boundary-posteriors", func(r *rand.Rand) error {
		rows, labels := labelledRows(r, 3)
		m := must(classify.FitLDA(rows, labels, 3, classify.LDAOptions{}))(t)
		x, w := rows.RawRowView(0), make([]float64, m.W.RawMatrix().Rows)
		floats.SubTo(w, mat.Col(nil, 0, m.W), mat.Col(nil, 1, m.W))
		floats.AddScaled(x, -affineValue(w, x)/floats.Dot(w[1:], w[1:]), w[1:])
		p := must(m.Posterior(mat.NewDense(1, len(x), x)))(t).RawRowView(0)
		if math.Abs(p[0]-p[1]) > 1e-9 {
			return fmt.Errorf("a₀ = a₁, but the posteriors %v of classes 0 and 1 differ, want equal posteriors", p)
		}
		if a := affineValue(mat.Col(nil, 2, m.W), x) - affineValue(mat.Col(nil, 0, m.W), x); (a < 0) != (p[2] < p[0]) {
			return fmt.Errorf("a₂ − a₀ is %v, but the posteriors are %v, want p₂ < p₀ exactly if a₂ < a₀", a, p)
		}
		return nil
	})
	quadric := func(r *rand.Rand) (m *classify.QDA, x []float64, value float64) {
		rows, labels := labelledRows(r, 2)
		m = must(classify.FitQDA(rows, labels, 2, classify.QDAOptions{}))(t)
		x = rows.RawRowView(r.IntN(len(labels)))
		for k, sign := range []float64{-1, 1} {
			diff := make([]float64, len(x))
			floats.SubTo(diff, x, m.Means.RawRowView(k))
			value += sign * (bilinear(m.Sigma[k], diff, diff) + lnDet(m.Sigma[k]) - 2*math.Log(m.Priors[k]))
		}
		return m, x, value
	}
	equation.Check(t, "gambosi-qda-discriminant", func(r *rand.Rand) (left, right any) {
		m, x, value := quadric(r)
		s := must(m.Scores(mat.NewDense(1, len(x), x)))(t)
		return s.At(0, 0) - s.At(0, 1), value / 2
	})
	equation.Check(t, "gambosi-qda-boundary", func(r *rand.Rand) (left, right any) {
		m, x, value := quadric(r)
		odds := 0.0
		for k, sign := range []float64{1, -1} {
			a, b, c, err := m.Quadratic(k)
			if err != nil {
				t.Fatal(err)
			}
			v := mat.NewVecDense(len(x), x)
			odds += sign * (mat.Inner(v, a, v) + floats.Dot(b, x) + c)
		}
		return 2 * odds, value
	})
	equation.Check(t, "gambosi-glm-surfaces", func(r *rand.Rand) (left, right any) {
		rows, targets := overlappingRows(r, 20+r.IntN(20), 1+r.IntN(3))
		m := must(classify.FitGLM(rows, targets, classify.BernoulliTarget{}, classify.GLMOptions{}))(t)
		x, c := rows.RawRowView(0), 0.05+0.9*r.Float64()
		floats.AddScaled(x, (math.Log(c/(1-c))-affineValue(m.W, x))/floats.Dot(m.W[1:], m.W[1:]), m.W[1:])
		return must(m.Mean(mat.NewDense(1, len(x), x)))(t), c
	})
}

func TestEquationsGambosiCounts(t *testing.T) {
	upper := func(d int) (n int) {
		for i := range d {
			for range d - i {
				n++
			}
		}
		return n
	}
	equation.Check(t, "gambosi-degrees-logistic", func(r *rand.Rand) (left, right any) {
		d := 1 + r.IntN(5)
		x, targets := overlappingRows(r, 60, d)
		return must(classify.FitLogistic(x, targets, classify.LogisticOptions{}))(t).DegreesOfFreedom(), d + 1
	})
	equation.Check(t, "gambosi-degrees-covariance", func(r *rand.Rand) (left, right any) {
		d := 1 + r.IntN(9)
		return upper(d), d * (d + 1) / 2
	})
	equation.Check(t, "gambosi-degrees-own", func(r *rand.Rand) (left, right any) {
		x, labels := labelledRows(r, 2)
		_, d := x.Dims()
		n := must(classify.FitQDA(x, labels, 2, classify.QDAOptions{}))(t).DegreesOfFreedom()
		return []int{n, n}, []int{2*d + 2*upper(d) + 1, d*(d+3) + 1}
	})
	equation.Check(t, "gambosi-degrees-shared", func(r *rand.Rand) (left, right any) {
		x, labels := labelledRows(r, 2)
		_, d := x.Dims()
		n := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t).DegreesOfFreedom()
		return []int{n, n}, []int{2*d + upper(d) + 1, d*(d+5)/2 + 1}
	})
}

// rowsLikelihood returns Σ_n ln N(x_n|μ_k, Σ), where k is the class of row n.
func rowsLikelihood(x *mat.Dense, labels []int, means [][]float64, sigma mat.Symmetric) (l float64) {
	for n, k := range labels {
		density, ok := distmv.NewNormal(means[k], sigma, nil)
		if !ok {
			panic("no covariance")
		}
		l += density.LogProb(x.RawRowView(n))
	}
	return l
}

func TestEquationsGambosiMaximumLikelihood(t *testing.T) {
	equation.Check(t, "gambosi-gda-log-likelihood", func(r *rand.Rand) (left, right any) {
		m, x, labels, _, _, _ := twoGaussians(t, r, classify.LDAOptions{})
		l := rowsLikelihood(x, labels, [][]float64{m.Means.RawRowView(0), m.Means.RawRowView(1)}, m.Sigma)
		for _, k := range labels {
			l += math.Log(m.Priors[k])
		}
		return m.LogLikelihood, l
	})
	equation.CheckTo(t, "gambosi-gda-prior-gradient", 1e-7, func(r *rand.Rand) (left, right any) { // finite difference
		n1, n2, at := 1+r.IntN(20), 1+r.IntN(20), 0.1+0.8*r.Float64()
		l := func(p float64) (sum float64) {
			for range n1 {
				sum += math.Log(p)
			}
			for range n2 {
				sum += math.Log(1 - p)
			}
			return sum
		}
		return slope(l, at), float64(n1)/at - float64(n2)/(1-at)
	})
	equation.CheckTo(t, "gambosi-gda-mean-gradient", 1e-7, func(r *rand.Rand) (left, right any) { // finite difference
		x, labels := labelledRows(r, 2)
		_, d := x.Dims()
		sigma, mu1, mu2 := randomCov(r, d), normals(r, d), normals(r, d)
		sum := mat.NewVecDense(d, nil)
		for n, k := range labels {
			if k == 0 {
				floats.Add(sum.RawVector().Data, x.RawRowView(n))
				floats.Sub(sum.RawVector().Data, mu1)
			}
		}
		var right2 mat.VecDense
		if err := right2.SolveVec(sigma, sum); err != nil {
			t.Fatal(err)
		}
		return slopes(func(mu []float64) float64 { return rowsLikelihood(x, labels, [][]float64{mu, mu2}, sigma) },
			mu1), &right2
	})
	// residuals returns the rows of two classes, random class means, and the difference between
	// each row and the random mean of its class.
	residuals := func(r *rand.Rand) (x *mat.Dense, labels []int, means [][]float64, rest *mat.Dense) {
		x, labels = labelledRows(r, 2)
		n, d := x.Dims()
		means, rest = [][]float64{normals(r, d), normals(r, d)}, mat.NewDense(n, d, nil)
		for i, k := range labels {
			floats.SubTo(rest.RawRowView(i), x.RawRowView(i), means[k])
		}
		return x, labels, means, rest
	}
	exponents := func(rest *mat.Dense, sigma mat.Matrix) (sum float64) {
		for i := range rest.RawMatrix().Rows {
			sum += bilinear(sigma, rest.RawRowView(i), rest.RawRowView(i))
		}
		return sum
	}
	equation.CheckTo(t, "gambosi-gda-covariance-terms", 1e-7, func(r *rand.Rand) (left, right any) { // finite difference
		x, labels, means, rest := residuals(r)
		n, d := x.Dims()
		sigma, way := randomCov(r, d), randomCov(r, d)
		moved := func(h float64) *mat.SymDense {
			s := mat.NewSymDense(d, nil)
			s.AddSym(sigma, scaled(h/100, way))
			return s
		}
		whole := slope(func(h float64) float64 { return rowsLikelihood(x, labels, means, moved(h)) }, 0)
		det := slope(func(h float64) float64 { return lnDet(moved(h)) }, 0)
		return whole, -float64(n)/2*det - slope(func(h float64) float64 { return exponents(rest, moved(h)) }, 0)/2
	})
	// finite difference
	equation.CheckTo(t, "gambosi-gda-covariance-gradient", 1e-6, func(r *rand.Rand) (left, right any) {
		_, _, _, rest := residuals(r)
		n, d := rest.Dims()
		sigma := mat.DenseCopyOf(randomCov(r, d))
		l := func(s []float64) float64 {
			free := mat.NewDense(d, d, s)
			return -float64(n)/2*lnDet(free) - exponents(rest, free)/2
		}
		var inv, s, g mat.Dense
		if err := inv.Inverse(sigma); err != nil {
			t.Fatal(err)
		}
		s.Mul(rest.T(), rest) // nS
		g.Product(&inv, &s, &inv)
		s.Scale(float64(n), &inv)
		g.Sub(&g, &s)
		g.Scale(0.5, &g)
		return slopes(l, sigma.RawMatrix().Data), &g
	})
}

// scaled returns f·S.
func scaled(f float64, s mat.Symmetric) *mat.SymDense {
	var out mat.SymDense
	out.ScaleSym(f, s)
	return &out
}

func TestEquationsGambosiRules(t *testing.T) {
	// finite difference
	equation.CheckTo(t, "gambosi-quadratic-form-gradient", 1e-8, func(r *rand.Rand) (left, right any) {
		d := 1 + r.IntN(5)
		a, v := normalMatrix(r, d, d), normals(r, d)
		var sum mat.Dense
		var g mat.VecDense
		sum.Add(a, a.T())
		g.MulVec(&sum, mat.NewVecDense(d, v))
		return slopes(func(v []float64) float64 {
			return mat.Inner(mat.NewVecDense(d, v), a, mat.NewVecDense(d, v))
		}, v), &g
	})
	equation.Check(t, "gambosi-trace-cyclic", func(r *rand.Rand) (left, right any) {
		i, j, k := 1+r.IntN(4), 1+r.IntN(4), 1+r.IntN(4)
		a, b, c := normalMatrix(r, i, j), normalMatrix(r, j, k), normalMatrix(r, k, i)
		var abc, cab, bca mat.Dense
		abc.Product(a, b, c)
		cab.Product(c, a, b)
		bca.Product(b, c, a)
		return []float64{mat.Trace(&abc), mat.Trace(&abc)}, []float64{mat.Trace(&cab), mat.Trace(&bca)}
	})
	// regularMatrix returns a matrix that is far from singular and not symmetric, and its inverse.
	regularMatrix := func(r *rand.Rand) (a, inv *mat.Dense) {
		d := 1 + r.IntN(4)
		a, inv = normalMatrix(r, d, d), &mat.Dense{}
		for i := range d {
			a.Set(i, i, a.At(i, i)+6)
		}
		if err := inv.Inverse(a); err != nil {
			t.Fatal(err)
		}
		return a, inv
	}
	// finite difference
	equation.CheckTo(t, "gambosi-log-determinant-derivative", 1e-8, func(r *rand.Rand) (left, right any) {
		a, inv := regularMatrix(r)
		d, _ := a.Dims()
		return slopes(func(v []float64) float64 { return lnDet(mat.NewDense(d, d, v)) }, a.RawMatrix().Data), inv.T()
	})
	equation.CheckTo(t, "gambosi-trace-derivative", 1e-8, func(r *rand.Rand) (left, right any) { // finite difference
		m, n := 1+r.IntN(4), 1+r.IntN(4)
		a, b := normalMatrix(r, m, n), normalMatrix(r, n, m)
		return slopes(func(v []float64) float64 {
			var ba mat.Dense
			ba.Mul(b, mat.NewDense(m, n, v))
			return mat.Trace(&ba)
		}, a.RawMatrix().Data), b.T()
	})
	equation.CheckTo(t, "gambosi-inverse-derivative", 1e-8, func(r *rand.Rand) (left, right any) { // finite difference
		a, inv := regularMatrix(r)
		d, _ := a.Dims()
		way := normalMatrix(r, d, d)
		var change, difference mat.Dense
		change.Product(inv, way, inv)
		change.Scale(-1, &change)
		difference.Apply(func(i, j int, _ float64) float64 {
			return slope(func(h float64) float64 {
				var moved, out mat.Dense
				moved.Scale(h, way)
				moved.Add(a, &moved)
				if err := out.Inverse(&moved); err != nil {
					t.Fatal(err)
				}
				return out.At(i, j)
			}, 0)
		}, a)
		return &difference, &change
	})
	equation.CheckTo(t, "gambosi-newton-root", 1e-8, func(r *rand.Rand) (left, right any) { // finite difference
		b, z := normals(r, 3), r.NormFloat64()
		f := func(z float64) float64 { return z*z*z + (3+b[0]*b[0])*z + b[1] }
		tangent := func(x float64) float64 { return f(z) + slope(f, z)*(x-z) }
		lo, hi := -100.0, 100.0 // bisection finds the zero of the tangent, because the tangent increases with x
		for range 100 {
			if mid := (lo + hi) / 2; tangent(mid) < 0 {
				lo = mid
			} else {
				hi = mid
			}
		}
		return lo, z - f(z)/(3*z*z+3+b[0]*b[0])
	})
}

// bernoulliLog returns the log probability t ln p + (1−t) ln(1−p).
func bernoulliLog(t, p float64) float64 { return t*math.Log(p) + (1-t)*math.Log(1-p) }

func TestEquationsGambosiChain(t *testing.T) {
	equation.CheckTo(t, "gambosi-chain-rule", 1e-7, func(r *rand.Rand) (left, right any) { // finite difference
		x, targets := overlappingRows(r, 10+r.IntN(10), 1+r.IntN(3))
		_, d := x.Dims()
		w, chain := normals(r, d+1), make([]float64, d+1)
		for i, target := range targets {
			a := affineValue(w, x.RawRowView(i))
			outer := slope(logisticOf, a) * (target - logisticOf(a)) / (logisticOf(a) * logisticOf(-a))
			floats.AddScaled(chain, outer, append([]float64{1}, x.RawRowView(i)...))
		}
		return slopes(func(w []float64) (l float64) {
			for i, target := range targets {
				l += bernoulliLog(target, logisticOf(affineValue(w, x.RawRowView(i))))
			}
			return l
		}, w), chain
	})
	equation.CheckTo(t, "gambosi-log-likelihood-slope", 1e-7, func(r *rand.Rand) (left, right any) { // finite difference
		target, p := float64(r.IntN(2)), 0.1+0.8*r.Float64()
		g := slope(func(p float64) float64 { return bernoulliLog(target, p) }, p)
		return []float64{g, g}, []float64{target/p - (1-target)/(1-p), (target - p) / (p * (1 - p))}
	})
	equation.CheckTo(t, "gambosi-activation-slope", 1e-8, func(r *rand.Rand) (left, right any) { // finite difference
		phi := normals(r, 1+r.IntN(5))
		return slopes(func(w []float64) float64 { return floats.Dot(w, phi) }, normals(r, len(phi))), phi
	})
	equation.CheckTo(t, "gambosi-softmax-gradient-chain", 1e-7, func(r *rand.Rand) (left, right any) { // finite difference
		n, d, k := 5+r.IntN(10), 1+r.IntN(3), 2+r.IntN(3)
		x, w, labels := normalMatrix(r, n, d), normalMatrix(r, k, d), make([]int, n)
		for i := range labels {
			labels[i] = r.IntN(k)
		}
		output := func(i, c int, shift func(class int) float64) float64 { // y_ic
			var sum, own float64
			for class := range k {
				e := math.Exp(floats.Dot(w.RawRowView(class), x.RawRowView(i)) + shift(class))
				sum += e
				if class == c {
					own = e
				}
			}
			return own / sum
		}
		still := func(int) float64 { return 0 }
		j, chain := r.IntN(k), make([]float64, d)
		for i, c := range labels {
			inner := slope(func(h float64) float64 {
				return output(i, c, func(class int) float64 {
					if class == j {
						return h
					}
					return 0
				})
			}, 0)
			floats.AddScaled(chain, inner/output(i, c, still), x.RawRowView(i))
		}
		return slopes(func(v []float64) (l float64) {
			before := append([]float64{}, w.RawRowView(j)...)
			w.SetRow(j, v)
			for i, c := range labels {
				l += math.Log(output(i, c, still))
			}
			w.SetRow(j, before)
			return l
		}, w.RawRowView(j)), chain
	})
}

func TestEquationsGambosiAscent(t *testing.T) {
	// randomAscent returns random rows and targets, random start weights, a learning rate, and the
	// function gradient(w, k) = Σ_n (t_n − y_n)φ_k(x_n).
	randomAscent := func(r *rand.Rand) (x *mat.Dense, targets, w []float64, rate float64,
		gradient func(w []float64, k int) float64) {
		x, targets = overlappingRows(r, 10+r.IntN(20), 1+r.IntN(3))
		_, d := x.Dims()
		return x, targets, normals(r, d+1), 0.01 * (1 + r.Float64()), func(w []float64, k int) (sum float64) {
			for n, target := range targets {
				phi := append([]float64{1}, x.RawRowView(n)...)
				sum += (target - logisticOf(floats.Dot(w, phi))) * phi[k]
			}
			return sum
		}
	}
	equation.Check(t, "gambosi-gradient-ascent", func(r *rand.Rand) (left, right any) {
		x, targets, w, rate, gradient := randomAscent(r)
		m := must(classify.FitLogistic(x, targets,
			classify.LogisticOptions{Start: w, MaxIterations: 1, Solver: classify.GradientDescent{Rate: rate}}))(t)
		next := make([]float64, len(w))
		for k := range w {
			next[k] = w[k] + rate*gradient(w, k)
		}
		return m.Trace[1].W, next
	})
	equation.Check(t, "gambosi-coordinate-ascent", func(r *rand.Rand) (left, right any) {
		x, targets, w, rate, gradient := randomAscent(r)
		m := must(classify.FitLogistic(x, targets,
			classify.LogisticOptions{Start: w, MaxIterations: 1,
				Solver: classify.CoordinateAscent{Rate: rate, EveryUpdate: true}}))(t)
		var path, rule []any
		at := append([]float64{}, w...)
		for k := range w {
			at[k] += rate * gradient(at, k)
			path, rule = append(path, m.Trace[k+1].W), append(rule, append([]float64{}, at...))
		}
		return path, rule
	})
	weighted := func(r *rand.Rand) (phi *mat.Dense, targets, psi []float64, m *classify.WeightedLeastSquares) {
		x := normalMatrix(r, 10+r.IntN(20), 1+r.IntN(4))
		n, _ := x.Dims()
		targets, psi = normals(r, n), make([]float64, n)
		for i := range psi {
			psi[i] = 0.1 + 3*r.Float64()
		}
		m = must(classify.FitWeightedLeastSquares(x, targets, psi, classify.WeightedLeastSquaresOptions{}))(t)
		return withOnes(x), targets, psi, m
	}
	equation.Check(t, "gambosi-weighted-squares", func(r *rand.Rand) (left, right any) {
		phi, targets, psi, m := weighted(r)
		sum := 0.0
		for i, p := range psi {
			rest := floats.Dot(m.W, phi.RawRowView(i)) - targets[i]
			sum += p * rest * rest
		}
		return m.SumSquare, sum
	})
	equation.Check(t, "gambosi-weighted-normal-equations", func(r *rand.Rand) (left, right any) {
		phi, targets, psi, m := weighted(r)
		var a mat.Dense
		var b, w mat.VecDense
		a.Product(phi.T(), mat.NewDiagDense(len(psi), psi), phi)
		rows := append([]float64{}, targets...)
		floats.Mul(rows, psi)
		b.MulVec(phi.T(), mat.NewVecDense(len(rows), rows))
		if err := w.SolveVec(&a, &b); err != nil {
			t.Fatal(err)
		}
		return m.W, &w
	})
}

// TestEquationsGambosiNormaliser checks that Z sums to 1 over all possible targets of the rows.
func TestEquationsGambosiNormaliser(t *testing.T) {
	equation.Holds(t, "gambosi-normaliser", func(r *rand.Rand) error {
		phi, m0, total := normals(r, 1+r.IntN(4)), r.NormFloat64(), 0.0
		for bits := range 1 << len(phi) {
			total += quad.Fixed(func(w float64) float64 {
				g := math.Exp(-(w-m0)*(w-m0)/2) / math.Sqrt(2*math.Pi)
				for n, f := range phi {
					p := logisticOf(w * f)
					if bits>>n&1 == 0 {
						p = 1 - p
					}
					g *= p
				}
				return g
			}, m0-10, m0+10, 200, nil, 0)
		}
		if math.Abs(total-1) > 1e-10 {
			return fmt.Errorf("the values Z sum to %v over all targets of %d rows, want 1", total, len(phi))
		}
		return nil
	})
}
