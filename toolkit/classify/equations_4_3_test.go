package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// byFive is the tolerance for a value computed by a five-point derivative.
const byFive = 1e-8

// A problem43 is a two-class problem with weights w. The fields a, y and v are the activations a_n,
// the outputs y_n and y_n(1−y_n) at w.
type problem43 struct {
	x, phi        *mat.Dense
	t, w, a, y, v []float64 // v is y(1−y)
	e             *classify.Objective
}

func newProblem43(r *rand.Rand) *problem43 {
	p := &problem43{}
	d := 1 + r.IntN(3)
	p.x, p.t = overlappingRows(r, 8+r.IntN(8), d)
	p.phi, p.w = withOnes(p.x), normals(r, d+1)
	for j := range p.w {
		p.w[j] *= 0.4
	}
	p.a = timesVector(p.phi, p.w)
	for _, a := range p.a {
		y := logisticOf(a)
		p.y, p.v = append(p.y, y), append(p.v, y*(1-y))
	}
	p.e = toolkit.Must(classify.LogisticObjective(p.x, p.t, nil))
	return p
}

// crossEntropy returns the error (4.90) at any w, computed by definition.
func (p *problem43) crossEntropy(w []float64) float64 { return crossEntropyOf(p.x, p.t, w) }

// firstStep starts iterative reweighted least squares at p.w. It returns the first step and the
// weights after this step.
func (p *problem43) firstStep() (step classify.IRLSStep, next []float64) {
	m := toolkit.Must(classify.FitIRLS(p.x, p.t, classify.IRLSOptions{Start: p.w, MaxIterations: 1}))
	return m.Steps[0], m.W
}

func timesVector(a mat.Matrix, v []float64) []float64 {
	var out mat.VecDense
	out.MulVec(a, mat.NewVecDense(len(v), v))
	return out.RawVector().Data
}

// weightedGram returns ΦᵀRΦ.
func weightedGram(phi *mat.Dense, r []float64) *mat.Dense {
	var g mat.Dense
	g.Product(phi.T(), mat.NewDiagDense(len(r), r), phi)
	return &g
}

// newtonFrom returns the Newton step w − H⁻¹∇E, computed by gonum's general linear solver.
func newtonFrom(e *classify.Objective, w []float64) []float64 {
	var step mat.VecDense
	if err := step.SolveVec(toolkit.Must(e.Hessian(w)), mat.NewVecDense(len(w), toolkit.Must(e.Gradient(w)))); err != nil {
		panic(err)
	}
	return minus(w, step.RawVector().Data)
}

func minus(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}

func TestEquations43Logistic(t *testing.T) {
	equation.Check(t, "prml-4.87", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		m := &classify.Logistic{Estimate: classify.Estimate{W: p.w}}
		written := mat.NewDense(len(p.y), 2, nil)
		for n, y := range p.y {
			written.SetRow(n, []float64{y, 1 - y})
		}
		return toolkit.Must(m.Posterior(p.x)), written
	})
	equation.Check(t, "prml-4.88", func(r *rand.Rand) (left, right any) {
		a := 3 * r.NormFloat64()
		y, c, _ := kernels.SigmoidParts(a)
		s := logisticOf(a) * (1 - logisticOf(a))
		return []float64{slope(kernels.Sigmoid, a), y * c}, []float64{s, s}
	})
	equation.Check(t, "prml-4.89", func(r *rand.Rand) (left, right any) {
		p, likelihood := newProblem43(r), 1.0
		for n, y := range p.y {
			likelihood *= math.Pow(y, p.t[n]) * math.Pow(1-y, 1-p.t[n])
		}
		return math.Exp(-toolkit.Must(p.e.Value(p.w))), likelihood
	})
	equation.Check(t, "prml-4.90", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		m := toolkit.Must(classify.FitLogistic(p.x, p.t, classify.LogisticOptions{MaxIterations: 1}))
		return []float64{toolkit.Must(p.e.Value(p.w)), m.E, -m.LogLikelihood}, []float64{p.crossEntropy(p.w),
			p.crossEntropy(m.W), p.crossEntropy(m.W)}
	})
	equation.CheckTo(t, "prml-4.91", byFive, func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		sum := make([]float64, len(p.w))
		for n, y := range p.y {
			for j := range sum {
				sum[j] += (y - p.t[n]) * p.phi.At(n, j)
			}
		}
		g := toolkit.Must(p.e.Gradient(p.w))
		return []any{g, g}, []any{sum, slopes(p.crossEntropy, p.w)}
	})
}

func TestEquations43Newton(t *testing.T) {
	equation.Check(t, "prml-4.92", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		_, next := p.firstStep()
		return next, newtonFrom(p.e, p.w)
	})
	gaussian := func(r *rand.Rand) (p *problem43, e *classify.Objective) {
		p = newProblem43(r)
		p.t = normals(r, len(p.t))
		return p, toolkit.Must(classify.GLMObjective(p.x, p.t, classify.GaussianTarget{}, nil))
	}
	equation.CheckTo(t, "prml-4.93", byFive, func(r *rand.Rand) (left, right any) {
		p, e := gaussian(r)
		residual := minus(p.a, p.t)
		squares := func(w []float64) (s float64) {
			for n, y := range timesVector(p.phi, w) {
				s += (y - p.t[n]) * (y - p.t[n]) / 2
			}
			return s
		}
		g := toolkit.Must(e.Gradient(p.w))
		return []any{g, g}, []any{timesVector(p.phi.T(), residual), slopes(squares, p.w)}
	})
	equation.Check(t, "prml-4.94", func(r *rand.Rand) (left, right any) {
		p, e := gaussian(r)
		var gram mat.Dense
		gram.Mul(p.phi.T(), p.phi)
		return toolkit.Must(e.Hessian(p.w)), &gram
	})
	equation.Check(t, "prml-4.95", func(r *rand.Rand) (left, right any) {
		p, e := gaussian(r)
		m := toolkit.Must(classify.FitWeightedLeastSquares(p.x, p.t, nil, classify.WeightedLeastSquaresOptions{}))
		g := toolkit.Must(classify.FitGLM(p.x, p.t, classify.GaussianTarget{},
			classify.GLMOptions{Start: p.w, MaxIterations: 1}))
		var gram, inverse mat.Dense
		gram.Mul(p.phi.T(), p.phi)
		if err := inverse.Inverse(&gram); err != nil {
			panic(err)
		}
		normal := timesVector(&inverse, timesVector(p.phi.T(), p.t))
		// For a quadratic error, one Newton step from any start reaches the minimum.
		return []any{newtonFrom(e, p.w), m.W, g.W}, []any{normal, normal, normal}
	})
	equation.Check(t, "prml-4.96", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		return toolkit.Must(p.e.Gradient(p.w)), timesVector(p.phi.T(), minus(p.y, p.t))
	})
	equation.CheckTo(t, "prml-4.97", byFive, func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		m := len(p.w)
		rows := mat.NewDense(m, m, nil) // row j will contain the derivatives of ∂E/∂w_j
		for j := range m {
			rows.SetRow(j, slopes(func(w []float64) (s float64) {
				for n, a := range timesVector(p.phi, w) {
					s += (logisticOf(a) - p.t[n]) * p.phi.At(n, j)
				}
				return s
			}, p.w))
		}
		h := toolkit.Must(p.e.Hessian(p.w))
		return []any{h, h}, []any{weightedGram(p.phi, p.v), rows}
	})
	equation.Holds(t, "prml-4.97", func(r *rand.Rand) error { // check that E is convex; PRML says concave (erratum P5)
		p := newProblem43(r)
		u, v := normals(r, len(p.w)), p.w
		mid := make([]float64, len(u))
		for j := range mid {
			mid[j] = (u[j] + v[j]) / 2
		}
		if m, ends := toolkit.Must(p.e.Value(mid)), (toolkit.Must(p.e.Value(u))+toolkit.Must(p.e.Value(v)))/2; !(m < ends) {
			return fmt.Errorf("E is not convex: it is %v in the middle and %v on average at the ends", m, ends)
		}
		return nil
	})
}

func TestEquations43IRLS(t *testing.T) {
	equation.Check(t, "prml-4.98", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		step, _ := p.firstStep()
		return step.R, p.v
	})
	equation.Check(t, "prml-4.99", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		step, next := p.firstStep()
		z, weights := normals(r, len(p.y)), make([]float64, len(p.y))
		for n := range weights {
			weights[n] = r.ExpFloat64()
		}
		normal := func(weights, z []float64) []float64 { // (ΦᵀRΦ)⁻¹ΦᵀRz
			var inverse, all mat.Dense
			if err := inverse.Inverse(weightedGram(p.phi, weights)); err != nil {
				panic(err)
			}
			all.Product(&inverse, p.phi.T(), mat.NewDiagDense(len(weights), weights))
			return timesVector(&all, z)
		}
		m := toolkit.Must(classify.FitWeightedLeastSquares(p.x, z, weights, classify.WeightedLeastSquaresOptions{}))
		return []any{next, m.W}, []any{normal(step.R, step.Z), normal(weights, z)}
	})
	equation.Check(t, "prml-4.100", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		step, _ := p.firstStep()
		var inverse mat.Dense
		if err := inverse.Inverse(mat.NewDiagDense(len(step.R), step.R)); err != nil {
			panic(err)
		}
		return step.Z, minus(p.a, timesVector(&inverse, minus(p.y, p.t)))
	})
}

// moments43 returns the expected values of t, t², z and z² for row n. The effective target z is
// computed for each value of t. The probability of a value of t is exp(−E), where E is the error
// function of row n alone.
func moments43(p *problem43, n int) (mean, square, z, zSquare float64) {
	row := p.x.Slice(n, n+1, 0, len(p.w)-1)
	for _, t := range []float64{0, 1} {
		e := toolkit.Must(classify.LogisticObjective(row, []float64{t}, nil))
		probability := math.Exp(-toolkit.Must(e.Value(p.w)))
		p.t[n] = t
		step, _ := p.firstStep()
		mean += probability * t
		square += probability * t * t
		z += probability * step.Z[n]
		zSquare += probability * step.Z[n] * step.Z[n]
	}
	return mean, square, z, zSquare
}

func TestEquations43Targets(t *testing.T) {
	equation.Check(t, "prml-4.101", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		n := 4 + r.IntN(4)
		mean, _, _, _ := moments43(p, n)
		return mean, p.y[n]
	})
	equation.Check(t, "prml-4.102", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		n := 4 + r.IntN(4)
		step, _ := p.firstStep()
		mean, square, _, _ := moments43(p, n)
		return []float64{square - mean*mean, step.R[n]}, []float64{p.v[n], p.v[n]}
	})
	// The effective target z is the value at t of the tangent line that touches the inverse sigmoid
	// at y. The mean of z is a. The variance of z is 1/R; PRML says R (erratum P26). The tolerance
	// 1e-6 allows for the error of the finite difference, which is large where the logit is
	// strongly curved.
	equation.CheckTo(t, "prml-4.103", 1e-6, func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		n := 4 + r.IntN(4)
		step, _ := p.firstStep()
		tangent := p.a[n] + slope(kernels.Logit, p.y[n])*(p.t[n]-p.y[n])
		_, _, z, square := moments43(p, n)
		return []float64{step.Z[n], z, square - z*z}, []float64{tangent, p.a[n], 1 / step.R[n]}
	})
}

// A problem434 is a problem of K classes, with a row of targets for each input.
type problem434 struct {
	x, phi, t, w *mat.Dense
	e            *classify.Objective
}

func newProblem434(r *rand.Rand) *problem434 {
	n, d, k := 6+r.IntN(5), 1+r.IntN(3), 2+r.IntN(3)
	p := &problem434{x: normalMatrix(r, n, d), t: mat.NewDense(n, k, nil), w: normalMatrix(r, d+1, k)}
	labels := make([]int, n)
	for i := range n {
		labels[i] = i % k
		p.t.Set(i, i%k, 1)
	}
	p.phi = withOnes(p.x)
	p.e = toolkit.Must(classify.SoftmaxObjective(p.x, labels, k, nil))
	return p
}

// stackColumns joins the columns of W into one vector. W has one column for each class.
func stackColumns(w *mat.Dense) (v []float64) {
	_, k := w.Dims()
	for j := range k {
		v = append(v, mat.Col(nil, j, w)...)
	}
	return v
}

// outputs returns the matrix of y_nk for weights w that are joined by stackColumns. It computes the
// exponentials and sums as printed.
func (p *problem434) outputs(w []float64) *mat.Dense {
	n, k := p.t.Dims()
	_, m := p.phi.Dims()
	y := mat.NewDense(n, k, nil)
	for i := range n {
		var sum float64
		for j := range k {
			y.Set(i, j, math.Exp(timesVector(p.phi.Slice(i, i+1, 0, m), w[j*m:(j+1)*m])[0]))
			sum += y.At(i, j)
		}
		for j := range k {
			y.Set(i, j, y.At(i, j)/sum)
		}
	}
	return y
}

// crossEntropy returns the error (4.108), computed as printed.
func (p *problem434) crossEntropy(w []float64) (e float64) {
	y := p.outputs(w)
	n, k := y.Dims()
	for i := range n {
		for j := range k {
			e -= p.t.At(i, j) * math.Log(y.At(i, j))
		}
	}
	return e
}

// gradient returns (4.109) as one vector, with the gradients of the classes joined in order.
func (p *problem434) gradient(w []float64) []float64 {
	var error, g mat.Dense
	error.Sub(p.outputs(w), p.t)
	g.Mul(p.phi.T(), &error)
	return stackColumns(&g)
}

func TestEquations43Softmax(t *testing.T) {
	equation.Check(t, "prml-4.104", func(r *rand.Rand) (left, right any) {
		p := newProblem434(r)
		return toolkit.Must((&classify.Softmax{W: p.w}).Posterior(p.x)), p.outputs(stackColumns(p.w))
	})
	equation.Check(t, "prml-4.105", func(r *rand.Rand) (left, right any) {
		p := newProblem434(r)
		var a mat.Dense
		a.Mul(p.phi, p.w)
		return toolkit.Must((&classify.Softmax{W: p.w}).Scores(p.x)), &a
	})
	equation.Check(t, "prml-4.106", func(r *rand.Rand) (left, right any) {
		k := 2 + r.IntN(4)
		a := normals(r, k)
		y := kernels.Softmax(nil, a)
		by, formula := mat.NewDense(k, k, nil), mat.NewDense(k, k, nil)
		for i := range k {
			by.SetRow(i, slopes(func(a []float64) float64 { return kernels.Softmax(nil, a)[i] }, a))
			for j := range k {
				formula.Set(i, j, y[i]*(truth(i == j)-y[j]))
			}
		}
		return by, formula
	})
	equation.Check(t, "prml-4.107", func(r *rand.Rand) (left, right any) {
		p, likelihood := newProblem434(r), 1.0
		w := stackColumns(p.w)
		y := p.outputs(w)
		n, k := y.Dims()
		for i := range n {
			for j := range k {
				likelihood *= math.Pow(y.At(i, j), p.t.At(i, j))
			}
		}
		return math.Exp(-toolkit.Must(p.e.Value(w))), likelihood
	})
	equation.Check(t, "prml-4.108", func(r *rand.Rand) (left, right any) {
		p := newProblem434(r)
		m := toolkit.Must(classify.FitSoftmaxTargets(p.x, p.t, classify.SoftmaxOptions{MaxIterations: 1}))
		return []float64{toolkit.Must(p.e.Value(stackColumns(p.w))), m.E}, []float64{p.crossEntropy(stackColumns(p.w)),
			p.crossEntropy(stackColumns(m.W))}
	})
	equation.CheckTo(t, "prml-4.109", byFive, func(r *rand.Rand) (left, right any) {
		p := newProblem434(r)
		w := stackColumns(p.w)
		g := toolkit.Must(p.e.Gradient(w))
		return []any{g, g}, []any{p.gradient(w), slopes(p.crossEntropy, w)}
	})
	// The gradient has a plus sign; PRML prints a minus sign (erratum P1).
	equation.CheckTo(t, "prml-4.110", byFive, func(r *rand.Rand) (left, right any) {
		p := newProblem434(r)
		w, rows := stackColumns(p.w), mat.NewDense(len(p.w.RawMatrix().Data), len(p.w.RawMatrix().Data), nil)
		y, blocks := p.outputs(w), mat.DenseCopyOf(rows)
		n, _ := y.Dims()
		_, m := p.phi.Dims()
		for i := range w {
			rows.SetRow(i, slopes(func(w []float64) float64 { return p.gradient(w)[i] }, w))
			for j := range w {
				var sum float64
				for row := range n {
					sum += y.At(row, i/m) * (truth(i/m == j/m) - y.At(row, j/m)) * p.phi.At(row, i%m) * p.phi.At(row,
						j%m)
				}
				blocks.Set(i, j, sum)
			}
		}
		h := toolkit.Must(p.e.Hessian(w))
		return []any{h, h}, []any{blocks, rows}
	})
	equation.Holds(t, "prml-4.110", func(r *rand.Rand) error { // H has M zero eigenvalues (erratum P2)
		p := newProblem434(r)
		var e mat.EigenSym
		if !e.Factorize(toolkit.Must(p.e.Hessian(stackColumns(p.w))), false) {
			return fmt.Errorf("no eigenvalues")
		}
		v := e.Values(nil)
		_, m := p.phi.Dims()
		if zero := 1e-10 * slices.Max(v); !(math.Abs(v[0]) < zero && math.Abs(v[m-1]) < zero && v[m] > zero) {
			return fmt.Errorf("M = %d: got the eigenvalues %v, want exactly M zeros", m, v)
		}
		return nil
	})
}

// bellOf returns the standard normal density, computed as printed.
func bellOf(v float64) float64 { return math.Exp(-v*v/2) / math.Sqrt(2*math.Pi) }

// integrate computes the integral of f from lo to hi by Gauss–Legendre quadrature. hi may be less
// than lo.
func integrate(f func(float64) float64, lo, hi float64) float64 {
	return (hi - lo) * quad.Fixed(func(u float64) float64 { return f(lo + (hi-lo)*u) }, 0, 1, 200, nil, 0)
}

func TestEquations43Probit(t *testing.T) {
	equation.Check(t, "prml-4.111", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		posterior := func(m classify.Prober) []float64 { return mat.Col(nil, 0, toolkit.Must(m.Posterior(p.x))) }
		e := classify.Estimate{W: p.w}
		on := make([]float64, len(p.a))
		for n, a := range p.a {
			on[n] = distuv.UnitNormal.CDF(a)
		}
		return []any{posterior(&classify.Probit{Estimate: e}), posterior(&classify.Logistic{Estimate: e})}, []any{on,
			p.y}
	})
	// with standard deviation 1e-9, the random threshold is practically equal to m
	equation.Holds(t, "prml-4.112", func(r *rand.Rand) error {
		m := r.NormFloat64()
		d := toolkit.Must(datasets.Thresholds(datasets.ThresholdsOptions{Means: []float64{m}, Stds: []float64{1e-9},
			Weights: []float64{1}, Seed: r.Uint64()}))
		on := 0.0
		for n, y := range toolkit.Must(d.Target("on")) {
			on += y
			if a := d.X.At(n, 0); math.Abs(a-m) > 1e-6 && y != truth(a >= m) {
				return fmt.Errorf("for threshold %v and input %v the target is %v, want 1 exactly if the input is at least the threshold", m, a, y)
			}
		}
		if on == 0 || on == float64(d.N()) {
			return fmt.Errorf("%v of %d targets are 1, want targets of both classes", on, d.N())
		}
		return nil
	})
	// The simulated share must agree with the integral within five standard errors.
	equation.Holds(t, "prml-4.113", func(r *rand.Rand) error {
		a, n := 4*r.Float64()-2, 4000
		mean, std, share := normals(r, 2), []float64{0.5 + r.Float64(), 0.5 + r.Float64()}, r.Float64()
		d := toolkit.Must(datasets.Thresholds(datasets.ThresholdsOptions{
			N: n, Low: a, High: a + 1e-6, Means: mean, Stds: std, Weights: []float64{share, 1 - share},
			Seed: r.Uint64(),
		}))
		f := integrate(func(v float64) float64 {
			return share*bellOf((v-mean[0])/std[0])/std[0] + (1-share)*bellOf((v-mean[1])/std[1])/std[1]
		}, -15, a)
		on := mat.Sum(mat.NewVecDense(n, toolkit.Must(d.Target("on")))) / float64(n)
		if !(math.Abs(on-f) < 5*math.Sqrt(f*(1-f)/float64(n))+1e-5) {
			return fmt.Errorf("the share of targets 1 is %v at input %v, want %v", on, a, f)
		}
		return nil
	})
	equation.Check(t, "prml-4.114", func(r *rand.Rand) (left, right any) {
		a := 2 * r.NormFloat64()
		return []float64{kernels.NormCDF(a), slope(kernels.NormCDF, a)}, []float64{integrate(bellOf, -12, a), bellOf(a)}
	})
	equation.Holds(t, "prml-4.114", func(r *rand.Rand) error { // Φ(−a) falls like exp(−a²/2)/a (erratum P16)
		a := 10 + 20*r.Float64()
		if ratio := kernels.NormCDF(-a) / (bellOf(a) / a); !(ratio < 1 && ratio > 1-1/(a*a)) {
			return fmt.Errorf("Φ(−%v) is %v times its asymptotic approximation, want about 1", a, ratio)
		}
		return nil
	})
	// Libraries define erf as an integral of exp(−θ²). PRML's erf(a) equals √2 times the library's
	// erf(a/√2) (erratum P15).
	square := func(v float64) float64 { return math.Exp(-v * v) }
	half := func(v float64) float64 { return math.Exp(-v * v / 2) }
	equation.Check(t, "prml-4.115", func(r *rand.Rand) (left, right any) {
		a := 2 * r.NormFloat64()
		erf := 2 / math.SqrtPi * integrate(square, 0, a)
		return []float64{2*kernels.NormCDF(a*math.Sqrt2) - 1, math.Erf(a)}, []float64{erf, erf}
	})
	equation.Check(t, "prml-4.116", func(r *rand.Rand) (left, right any) {
		a := 2 * r.NormFloat64()
		library := (1 + 2/math.SqrtPi*integrate(square, 0, a/math.Sqrt2)) / 2
		printed := (1 + 2/math.SqrtPi*integrate(half, 0, a)/math.Sqrt2) / 2
		return []float64{kernels.NormCDF(a), kernels.NormCDF(a)}, []float64{library, printed}
	})
	// Check the targets t = 1 and t = 0 (erratum P17).
	equation.Check(t, "prml-4.117", func(r *rand.Rand) (left, right any) {
		p, ε := newProblem43(r), r.Float64()/2
		m := &classify.LabelFlip{Estimate: classify.Estimate{W: p.w}, Epsilon: ε}
		flipped := mat.NewDense(len(p.y), 2, nil)
		for n, y := range p.y {
			flipped.SetRow(n, []float64{(1-ε)*y + ε*(1-y), ε + (1-2*ε)*(1-y)})
		}
		return toolkit.Must(m.LabelPosterior(p.x)), flipped
	})
}

// A family43 is one of the toolkit's target families. The function mean returns the mean for a
// natural parameter η. The field density is gonum's distribution of the target for one value of η.
type family43 struct {
	name    string
	family  classify.TargetFamily
	scale   float64
	mean    func(η float64) float64
	density interface {
		LogProb(float64) float64
		Rand() float64
	}
}

// families43 returns all four families with random scales and a random natural parameter η, which
// must be negative.
func families43(r *rand.Rand, η float64) []family43 {
	s, k := 0.5+r.Float64(), 0.5+r.Float64()
	return []family43{
		{"Bernoulli", classify.BernoulliTarget{}, 1, logisticOf, distuv.Bernoulli{P: logisticOf(η), Src: r}},
		{"Poisson", classify.PoissonTarget{}, 1, math.Exp, distuv.Poisson{Lambda: math.Exp(η), Src: r}},
		{"Gaussian", classify.GaussianTarget{Scale: s}, s, func(η float64) float64 { return η },
			distuv.Normal{Mu: η, Sigma: math.Sqrt(s), Src: r}},
		{"gamma", classify.GammaTarget{Scale: k}, k, func(η float64) float64 { return -1 / η },
			distuv.Gamma{Alpha: 1 / k, Beta: -η / k, Src: r}},
	}
}

// A target43 contains inputs x and targets t of one family. The targets are drawn from the model
// with weights w.
type target43 struct {
	family43
	x, phi *mat.Dense
	t, w   []float64
	logs   func(w []float64) float64 // returns ln p(t|w), computed with gonum
}

// targets43 returns random data for each of the four families. The weights are chosen so that η =
// wᵀφ is negative.
func targets43(r *rand.Rand) (all []target43) {
	n, seed := 12+r.IntN(10), r.Uint64()
	x, w := mat.NewDense(n, 2, nil), []float64{-2, r.Float64() - 0.5, r.Float64() - 0.5}
	x.Apply(func(_, _ int, _ float64) float64 { return 2*r.Float64() - 1 }, x)
	phi := withOnes(x)
	at := func(i int, η float64) family43 { return families43(rand.New(rand.NewPCG(seed, 1)), η)[i] }
	for i := range 4 {
		d := target43{family43: at(i, -1), x: x, phi: phi, w: w}
		for row, η := range timesVector(phi, w) {
			drawn := at(i, η).density
			for range row { // skip one draw for each earlier row, because the generators of all rows have the same seed
				drawn.Rand()
			}
			d.t = append(d.t, drawn.Rand())
		}
		d.t[0], d.t[1] = 1, d.t[1]*truth(i > 1) // make sure that both Bernoulli labels and a positive count occur
		d.logs = func(w []float64) (sum float64) {
			for row, η := range timesVector(phi, w) {
				sum += at(i, η).density.LogProb(d.t[row])
			}
			return sum
		}
		all = append(all, d)
	}
	return all
}

func TestEquations43Families(t *testing.T) {
	equation.Check(t, "prml-4.118", func(r *rand.Rand) (left, right any) {
		η := -0.2 - r.ExpFloat64()
		var form, density []float64
		for _, f := range families43(r, η) {
			loss, v := toolkit.Must(glm.NewCanonical(f.name, f.scale)), f.density.Rand()
			e := loss.Eval([]float64{η}, []float64{v}, make([]float64, 1), make([]float64, 1))
			constant := loss.Constant(v, f.scale)
			form, density = append(form, constant-e), append(density, f.density.LogProb(v))
		}
		// If h and g do not depend on s, h(t/s)g(η)e^{ηt/s}/s is the Gaussian with s = β^−½ and
		// mean y = sη (erratum P27).
		s, v := 0.5+r.Float64(), r.NormFloat64()
		form = append(form, bellOf(v/s)*math.Exp(-η*η/2)*math.Exp(η*v/s)/s)
		return form, append(density, distuv.Normal{Mu: s * η, Sigma: s}.Prob(v))
	})
	// Each function in sums is the logarithm of the sum or integral that normalises a density.
	equation.CheckTo(t, "prml-4.119", byFive, func(r *rand.Rand) (left, right any) {
		η := -0.5 - r.Float64()
		sums := []func(η float64) float64{
			func(η float64) float64 { return math.Log(1 + math.Exp(η)) },
			func(η float64) (sum float64) { // sum of e^{ηt}/t!
				for v := range 60 {
					l, _ := math.Lgamma(float64(v) + 1)
					sum += math.Exp(η*float64(v) - l)
				}
				return math.Log(sum)
			},
			func(η float64) float64 {
				return math.Log(integrate(func(v float64) float64 { return bellOf(v) * math.Exp(η*v) }, -15, 15))
			},
			func(η float64) float64 {
				return math.Log(integrate(func(v float64) float64 { return math.Exp(η * v) }, 0, 100))
			},
		}
		var means, slopesOf []float64
		for i, f := range families43(r, η) {
			m := &classify.GLM{Estimate: classify.Estimate{W: []float64{η, 0}}, Family: f.name, Scale: 1}
			means = append(means, toolkit.Must(m.Mean(mat.NewDense(1, 1, nil)))[0])
			slopesOf = append(slopesOf, slope(sums[i], η))
		}
		// In the density with the factor h(t/s)/s and s ≠ 1, the mean of t is s times the slope of
		// −ln g.
		s := 1.5 + r.Float64()
		h := func(v float64) float64 { return bellOf(v/s) / s * math.Exp(η*v/s) }
		mean := integrate(func(v float64) float64 { return v * h(v) }, -15*s, 15*s) / integrate(h, -15*s, 15*s)
		means, slopesOf = append(means, mean), append(slopesOf, s*slope(sums[2], η))
		return means, slopesOf
	})
	equation.Check(t, "prml-4.120", func(r *rand.Rand) (left, right any) {
		var means, written []float64
		for _, d := range targets43(r) {
			m := &classify.GLM{Estimate: classify.Estimate{W: d.w}, Family: d.name, Scale: d.scale}
			means = append(means, toolkit.Must(m.Mean(d.x))...)
			for _, a := range timesVector(d.phi, d.w) {
				written = append(written, d.mean(a))
			}
		}
		return means, written
	})
	equation.Check(t, "prml-4.121", func(r *rand.Rand) (left, right any) {
		var fitted, sums []float64
		for _, d := range targets43(r) {
			m := toolkit.Must(classify.FitGLM(d.x, d.t, d.family, classify.GLMOptions{Start: d.w, MaxIterations: 1}))
			fitted, sums = append(fitted, m.LogLikelihood), append(sums, d.logs(m.W))
		}
		return fitted, sums
	})
}

func TestEquations43Links(t *testing.T) {
	// The check covers two models. The probit model has Bernoulli targets, ψ = logit, f = Φ and s =
	// 1. The second model has gamma targets with scale s, ψ(y) = −1/y and f = exp.
	equation.CheckTo(t, "prml-4.122", byFive, func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		e := toolkit.Must(classify.ProbitObjective(p.x, p.t, nil))
		sum := make([]float64, len(p.w))
		for n, a := range p.a {
			y := integrate(bellOf, -12, a)
			for j := range sum {
				sum[j] -= (p.t[n] - y) / (y * (1 - y)) * bellOf(a) * p.phi.At(n, j) // ψ′(y) = 1/(y(1−y))
			}
		}
		s, times := 1.5+r.Float64(), make([]float64, len(p.a))
		for n := range times {
			times[n] = 0.1 + r.ExpFloat64()
		}
		likelihood := func(w []float64) (l float64) {
			for n, a := range timesVector(p.phi, w) {
				l += distuv.Gamma{Alpha: 1 / s, Beta: math.Exp(-a) / s}.LogProb(times[n])
			}
			return l
		}
		scaled := make([]float64, len(p.w))
		for n, a := range p.a {
			y := math.Exp(a)
			for j := range scaled {
				scaled[j] += (times[n] - y) / s / (y * y) * y * p.phi.At(n, j)
			}
		}
		return []any{toolkit.Must(e.Gradient(p.w)), slopes(likelihood, p.w)}, []any{sum, scaled}
	})
	// Check that f′(a)ψ′(y) = 1. Finite differences approximate both derivatives.
	equation.CheckTo(t, "prml-4.123", byFive, func(r *rand.Rand) (left, right any) {
		a := -0.5 - r.Float64()
		var found, want []float64
		for _, f := range families43(r, a) {
			loss := toolkit.Must(glm.NewCanonical(f.name, f.scale))
			mean := func(a float64) float64 {
				y, _ := loss.Mean(a)
				return y
			}
			found = append(found, loss.Link(f.mean(a)), slope(mean, a)*slope(loss.Link, f.mean(a)))
			want = append(want, a, 1)
		}
		// For Bernoulli targets with mean Φ(a), the canonical link ψ is also the logit. The logit
		// is not the inverse of Φ, so f′(a)ψ′(y) differs from 1.
		y := kernels.NormCDF(a)
		return append(found, slope(kernels.NormCDF, a)*slope(kernels.Logit, y)), append(want, bellOf(a)/(y*(1-y)))
	})
	// The correct gradient is ∇E; PRML prints ∇ln E (erratum P7).
	equation.CheckTo(t, "prml-4.124", byFive, func(r *rand.Rand) (left, right any) {
		var gradients, sums, differences []float64
		for _, d := range targets43(r) {
			e := toolkit.Must(classify.GLMObjective(d.x, d.t, d.family, nil))
			gradients = append(gradients, toolkit.Must(e.Gradient(d.w))...)
			sum := make([]float64, len(d.w))
			for n, a := range timesVector(d.phi, d.w) {
				for j := range sum {
					sum[j] += (d.mean(a) - d.t[n]) * d.phi.At(n, j) / d.scale
				}
			}
			sums = append(sums, sum...)
			differences = append(differences, slopes(func(w []float64) float64 { return -d.logs(w) }, d.w)...)
		}
		return []any{gradients, gradients}, []any{sums, differences}
	})
}
