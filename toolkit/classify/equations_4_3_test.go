package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// byFive is the tolerance for a derivative computed by the five-point formula of the function
// `slope`.
const byFive = 1e-8

// A problem43 is a two-class problem with weights w. The fields a, y and v contain the activations
// a_n, the outputs y_n and the products y_n(1−y_n) at these weights.
type problem43 struct {
	x, phi        *mat.Dense
	t, w, a, y, v []float64
	e             *classify.Objective
}

func newProblem43(r *rand.Rand) *problem43 { return newProblem43Of(r, 8+r.IntN(8), 1+r.IntN(3)) }

// newProblem43Of returns a problem of n rows with d columns.
func newProblem43Of(r *rand.Rand, n, d int) *problem43 {
	p := &problem43{w: multiple(0.4, normals(r, d+1))}
	p.x, p.t = overlappingRows(r, n, d)
	p.phi = withOnes(p.x)
	p.a = p.activations(p.w)
	for _, a := range p.a {
		y := logisticOf(a)
		p.y, p.v = append(p.y, y), append(p.v, y*(1-y))
	}
	p.e = toolkit.Must(classify.LogisticObjective(p.x, p.t, nil))
	return p
}

func (p *problem43) activations(w []float64) []float64 { return flat(mul(p.phi, oneColumn(w))) }

// likelihood returns the product (4.89) at any w.
func (p *problem43) likelihood(w []float64) float64 {
	l := 1.0
	for n, a := range p.activations(w) {
		l *= math.Pow(logisticOf(a), p.t[n]) * math.Pow(1-logisticOf(a), 1-p.t[n])
	}
	return l
}

func (p *problem43) crossEntropy(w []float64) float64 { return -math.Log(p.likelihood(w)) }

// gradient returns the sum (4.91) at any w.
func (p *problem43) gradient(w []float64) []float64 {
	g := make([]float64, len(w))
	for n, a := range p.activations(w) {
		floats.AddScaled(g, logisticOf(a)-p.t[n], p.phi.RawRowView(n))
	}
	return g
}

// firstStep starts iterative reweighted least squares at p.w. It returns the first step and the
// weights after this step.
func (p *problem43) firstStep() (step classify.IRLSStep, next []float64) {
	m := toolkit.Must(classify.FitIRLS(p.x, p.t, classify.IRLSOptions{Start: p.w, MaxIterations: 1}))
	return m.Steps[0], m.W
}

// weightedGram returns ΦᵀRΦ.
func (p *problem43) weightedGram(r []float64) *mat.Dense {
	return mul(p.phi.T(), mat.NewDiagDense(len(r), r), p.phi)
}

// newtonFrom returns the weights w − H⁻¹∇E after one Newton step from w, computed by gonum's
// general linear solver.
func newtonFrom(e *classify.Objective, w []float64) []float64 {
	return minus(w, flat(solve(toolkit.Must(e.Hessian(w)), oneColumn(toolkit.Must(e.Gradient(w))))))
}

func TestEquations43Logistic(t *testing.T) {
	posterior := func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		m := &classify.Logistic{Estimate: classify.Estimate{W: p.w}}
		written := mat.NewDense(len(p.y), 2, nil)
		written.Apply(func(n, k int, _ float64) float64 { return []float64{p.y[n], 1 - p.y[n]}[k] }, written)
		return must(m.Posterior(p.x))(t), written
	}
	equation.Check(t, "prml-4.87", posterior)
	equation.Check(t, "alpaydin-10.21", posterior)
	equation.Check(t, "prml-4.88", func(r *rand.Rand) (left, right any) {
		a := 3 * r.NormFloat64()
		y, c, _ := kernels.SigmoidParts(a)
		return []float64{slope(kernels.Sigmoid, a), y * c}, fill(2, logisticOf(a)*(1-logisticOf(a)))
	})
	value := func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		m := must(classify.FitLogistic(p.x, p.t, classify.LogisticOptions{MaxIterations: 1}))(t)
		return []float64{must(p.e.Value(p.w))(t), m.E, -m.LogLikelihood},
			[]float64{p.crossEntropy(p.w), p.crossEntropy(m.W), p.crossEntropy(m.W)}
	}
	equation.Check(t, "prml-4.89", value)
	equation.Check(t, "prml-4.90", value)
	equation.Check(t, "alpaydin-10.22", value)
	equation.Check(t, "alpaydin-10.23", value)
	gradient := func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		g := must(p.e.Gradient(p.w))(t)
		return []any{g, g}, []any{p.gradient(p.w), slopes(p.crossEntropy, p.w)}
	}
	equation.CheckTo(t, "prml-4.91", byFive, gradient)
	equation.CheckTo(t, "prml-4.96", byFive, gradient)
	equation.CheckTo(t, "alpaydin-10.24", byFive, gradient)
	// chain compares the factors of the derivative of one row's log likelihood, and the product of
	// these factors, with five-point derivatives.
	chain := func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		phi, target, y, v := p.phi.RawRowView(0), p.t[0], p.y[0], p.v[0]
		l := func(y float64) float64 { return target*math.Log(y) + (1-target)*math.Log(1-y) }
		activation := func(w []float64) float64 { return floats.Dot(w, phi) }
		whole := func(w []float64) float64 { return l(logisticOf(activation(w))) }
		return []any{slope(l, y), slope(logisticOf, p.a[0]), slopes(activation, p.w), slopes(whole, p.w)},
			[]any{target/y - (1-target)/(1-y), v, phi, multiple((target-y)/v*v, phi)}
	}
	equation.CheckTo(t, "gambosi-chain-rule", byFive, chain)
	equation.CheckTo(t, "gambosi-log-likelihood-slope", byFive, chain)
	equation.CheckTo(t, "gambosi-activation-slope", byFive, chain)
	equation.Check(t, "alpaydin-10.20", func(r *rand.Rand) (left, right any) {
		p, to := newProblem43(r), 0.1+0.8*r.Float64()
		s := must(classify.ShiftPriors(&classify.Logistic{Estimate: classify.Estimate{W: p.w}}, []float64{0.5, 0.5},
			[]float64{to, 1 - to}))(t)
		return s.W, append([]float64{p.w[0] + logit(to)}, p.w[1:]...)
	})
	equation.Check(t, "gambosi-glm-surfaces", func(r *rand.Rand) (left, right any) {
		p, c := newProblem43(r), 0.05+0.9*r.Float64()
		m := must(classify.FitGLM(p.x, p.t, classify.BernoulliTarget{}, classify.GLMOptions{}))(t)
		w := append([]float64{m.W[0] - logit(c)}, m.W[1:]...)
		return must(m.Mean(oneRow(nearestOn(w, p.x.RawRowView(0)))))(t), c
	})
}

// TestEquations43Steps checks steps of gradient ascent and of coordinate ascent, and the solution of
// weighted least squares.
func TestEquations43Steps(t *testing.T) {
	fit := func(p *problem43, steps int, s classify.Solver) classify.Trace {
		return must(classify.FitLogistic(p.x, p.t,
			classify.LogisticOptions{Start: p.w, MaxIterations: steps, Solver: s}))(t).Trace
	}
	descent := func(r *rand.Rand) (left, right any) {
		p, rate := newProblem43(r), 0.01+0.02*r.Float64()
		trace := fit(p, 5, classify.GradientDescent{Rate: rate, Every: 1})
		w := p.w
		for range 5 {
			w = minus(w, multiple(rate, p.gradient(w)))
		}
		return []any{minus(trace[1].W, p.w), trace[5].W}, []any{multiple(-rate, slopes(p.crossEntropy, p.w)), w}
	}
	equation.CheckTo(t, "alpaydin-10.16", byFive, descent)
	equation.CheckTo(t, "alpaydin-10.17", byFive, descent)
	equation.CheckTo(t, "gambosi-gradient-ascent", byFive, descent)
	equation.Check(t, "gambosi-coordinate-ascent", func(r *rand.Rand) (left, right any) {
		p, rate := newProblem43(r), 0.01*(1+r.Float64())
		trace := fit(p, 1, classify.CoordinateAscent{Rate: rate, EveryUpdate: true})
		w, path, rule := multiple(1, p.w), []any{}, []any{}
		for k := range w {
			w[k] -= rate * p.gradient(w)[k]
			path, rule = append(path, trace[k+1].W), append(rule, multiple(1, w))
		}
		return path, rule
	})
	weighted := func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		z, weights := normals(r, len(p.t)), make([]float64, len(p.t))
		for n := range weights {
			weights[n] = 0.1 + r.ExpFloat64()
		}
		m := must(classify.FitWeightedLeastSquares(p.x, z, weights, classify.WeightedLeastSquaresOptions{}))(t)
		off := minus(p.activations(m.W), z)
		product := floats.MulTo(make([]float64, len(z)), weights, z)
		return []any{m.W, m.SumSquare}, []any{solve(p.weightedGram(weights), mul(p.phi.T(), oneColumn(product))),
			form(off, mat.NewDiagDense(len(off), weights), off)}
	}
	equation.Check(t, "gambosi-weighted-squares", weighted)
	equation.Check(t, "gambosi-weighted-normal-equations", weighted)
}

func TestEquations43Newton(t *testing.T) {
	equation.Check(t, "prml-4.92", func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		_, next := p.firstStep()
		return next, newtonFrom(p.e, p.w)
	})
	// For the quadratic error of Gaussian targets, one Newton step from any start reaches the minimum.
	gaussian := func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		p.t = normals(r, len(p.t))
		e := must(classify.GLMObjective(p.x, p.t, classify.GaussianTarget{}, nil))(t)
		squares := func(w []float64) float64 {
			off := minus(p.activations(w), p.t)
			return floats.Dot(off, off) / 2
		}
		m := must(classify.FitWeightedLeastSquares(p.x, p.t, nil, classify.WeightedLeastSquaresOptions{}))(t)
		g := must(classify.FitGLM(p.x, p.t, classify.GaussianTarget{}, classify.GLMOptions{Start: p.w, MaxIterations: 1}))(t)
		gram := mul(p.phi.T(), p.phi)
		normal := mul(inverse(gram), p.phi.T(), oneColumn(p.t))
		gradient := must(e.Gradient(p.w))(t)
		return []any{gradient, gradient, must(e.Hessian(p.w))(t), newtonFrom(e, p.w), m.W, g.W},
			[]any{mul(p.phi.T(), oneColumn(minus(p.a, p.t))), slopes(squares, p.w), gram, normal, normal, normal}
	}
	equation.CheckTo(t, "prml-4.93", byFive, gaussian)
	equation.CheckTo(t, "prml-4.94", byFive, gaussian)
	equation.CheckTo(t, "prml-4.95", byFive, gaussian)
	equation.CheckTo(t, "prml-4.97", byFive, func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		h := must(p.e.Hessian(p.w))(t)
		return []any{h, h}, []any{p.weightedGram(p.v), jacobian(p.gradient, p.w)}
	})
	weights := func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		step, next := p.firstStep()
		z := minus(p.a, floats.DivTo(make([]float64, len(p.v)), minus(p.y, p.t), p.v))
		product := floats.MulTo(make([]float64, len(z)), p.v, z)
		return []any{step.R, step.Z, next}, []any{p.v, z, solve(p.weightedGram(p.v), mul(p.phi.T(), oneColumn(product)))}
	}
	equation.Check(t, "prml-4.98", weights)
	equation.Check(t, "prml-4.99", weights)
	equation.Check(t, "prml-4.100", weights)
	// For one row, `targets` compares the means and variances of t and of the working target z with
	// their formulas. The fit computes z for both values of t. z is the tangent to the logit at y,
	// evaluated at t. The variance of z is 1/R, but PRML states R (erratum P26). The tolerance is 1e-6,
	// because the finite difference is inaccurate where the logit is strongly curved.
	targets := func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		n := 4 + r.IntN(4)
		y, step := p.y[n], classify.IRLSStep{}
		var mean, square, z, zSquare, tangent float64
		for _, v := range []float64{0, 1} {
			e := must(classify.LogisticObjective(p.x.Slice(n, n+1, 0, len(p.w)-1), []float64{v}, nil))(t)
			probability := math.Exp(-must(e.Value(p.w))(t))
			p.t[n] = v
			step, _ = p.firstStep()
			mean, square = mean+probability*v, square+probability*v*v
			z, zSquare = z+probability*step.Z[n], zSquare+probability*step.Z[n]*step.Z[n]
			tangent = p.a[n] + slope(kernels.Logit, y)*(v-y)
		}
		return []float64{mean, square - mean*mean, step.R[n], z, zSquare - z*z, step.Z[n]},
			[]float64{y, p.v[n], p.v[n], p.a[n], 1 / p.v[n], tangent}
	}
	equation.CheckTo(t, "prml-4.101", 1e-6, targets)
	equation.CheckTo(t, "prml-4.102", 1e-6, targets)
	equation.CheckTo(t, "prml-4.103", 1e-6, targets)
	equation.CheckTo(t, "P26", 1e-6, targets)
}

// jacobian returns the matrix of the derivatives ∂f_i/∂w_j.
func jacobian(f func(w []float64) []float64, w []float64) *mat.Dense {
	var rows []float64
	for i := range f(w) {
		rows = append(rows, slopes(func(w []float64) float64 { return f(w)[i] }, w)...)
	}
	return mat.NewDense(len(rows)/len(w), len(w), rows)
}

func TestErrata43Logistic(t *testing.T) {
	// The values of this Reading are signs: +1 for a convex function and −1 for a concave function.
	// The check computes the true sign from E in the middle of a segment and at its two ends.
	equation.Misprint(t, "P5", func(r *rand.Rand) equation.Reading {
		p := newProblem43(r)
		u := normals(r, len(p.w))
		middle := multiple(0.5, floats.AddTo(make([]float64, len(u)), u, p.w))
		e := func(w []float64) float64 { return must(p.e.Value(w))(t) }
		return equation.Reading{True: math.Copysign(1, (e(u)+e(p.w))/2-e(middle)), Printed: -1, Right: 1}
	})
	equation.Misprint(t, "P7", func(r *rand.Rand) equation.Reading { // PRML prints ∇ ln E instead of ∇E
		p := newProblem43(r)
		logarithm := func(w []float64) float64 { return math.Log(p.crossEntropy(w)) }
		return equation.Reading{True: must(p.e.Gradient(p.w))(t), Printed: slopes(logarithm, p.w),
			Right: slopes(p.crossEntropy, p.w)}
	})
	// The gradient of ln p(t|w) is −Σ(y_n − t_n)φ_n, for the sigmoid and for the softmax.
	equation.Misprint(t, "P43", func(r *rand.Rand) equation.Reading {
		p, q := newProblem43(r), newProblem434(r)
		w := q.stacked()
		l := func(w []float64) float64 { return -p.crossEntropy(w) }
		many := func(w []float64) float64 { return -q.crossEntropy(w) }
		return equation.Reading{True: []any{slopes(l, p.w), slopes(many, w)},
			Printed: []any{p.gradient(p.w), q.gradient(w)},
			Right:   []any{multiple(-1, p.gradient(p.w)), multiple(-1, q.gradient(w))}}
	})
	// If a plane with the weights w separates the classes, E(c·w) falls as c grows.
	separable := func(r *rand.Rand) error {
		p := newProblem43(r)
		for i, a := range p.a {
			p.t[i] = truth(a > 0)
		}
		at := func(c float64) float64 { return p.crossEntropy(multiple(c, p.w)) }
		if !(at(1) > at(2) && at(2) > at(4)) {
			return fmt.Errorf("at 1, 2 and 4 times the weights, E is %v, %v and %v, want decreasing values", at(1), at(2), at(4))
		}
		return nil
	}
	equation.Holds(t, "P6", separable)
	equation.Holds(t, "A9", separable)
	// If the output is near 0 and the target is 1, the slope with respect to the activation is near
	// −1 for the cross-entropy, but near 0 for the squared error.
	equation.CheckTo(t, "A7", 0.01, func(r *rand.Rand) (left, right any) {
		a := -6 - 4*r.Float64()
		entropy := slope(func(a float64) float64 { return -math.Log(logisticOf(a)) }, a)
		squares := slope(func(a float64) float64 { return (1 - logisticOf(a)) * (1 - logisticOf(a)) / 2 }, a)
		return []float64{entropy, squares}, []float64{-1, 0}
	})
	// At the optimum the gradient terms of all patterns sum to 0. However, no single term is 0, even
	// if the largest output is the output for the correct class.
	equation.Holds(t, "A8", func(r *rand.Rand) error {
		x, labels := normalMatrix(r, 36, 2), make([]int, 36)
		for i := range labels {
			labels[i] = i % 3
			x.Set(i, 0, x.At(i, 0)+0.5*float64(i%3))
		}
		m := must(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{}))(t)
		y := softmaxRows(mul(withOnes(x), m.W))
		whole := must(must(classify.SoftmaxObjective(x, labels, 3, nil))(t).Gradient(flat(m.W.T())))(t)
		correct, flat := 0, 0
		for n, c := range labels {
			correct += int(truth(floats.MaxIdx(y.RawRowView(n)) == c))
			flat += int(truth(1-y.At(n, c) < 1e-3)) // the gradient term for the weights of class c is (y−1)φ
		}
		if floats.Norm(whole, 2) > 1e-6 || correct < 10 || flat > 0 {
			return fmt.Errorf("got |∇E| = %v (want at most 1e-6), %d correct patterns (want at least 10) and %d gradient terms near 0 (want 0)", floats.Norm(whole, 2), correct, flat)
		}
		return nil
	})
}

// A problem434 is a problem of K classes, with a row of targets for each input.
type problem434 struct {
	x, phi, t, w *mat.Dense
	e            *classify.Objective
}

func newProblem434(r *rand.Rand) *problem434 {
	n, d, k := 6+r.IntN(5), 1+r.IntN(3), 2+r.IntN(3)
	labels := make([]int, n)
	for i := range n {
		labels[i] = i % k
	}
	p := &problem434{x: normalMatrix(r, n, d), t: oneOfK(labels, k), w: normalMatrix(r, d+1, k)}
	p.phi = withOnes(p.x)
	p.e = toolkit.Must(classify.SoftmaxObjective(p.x, labels, k, nil))
	return p
}

// stacked joins the columns of W into one vector. W has one column for each class.
func (p *problem434) stacked() []float64 { return flat(p.w.T()) }

// outputs returns the matrix of y_nk for stacked weights.
func (p *problem434) outputs(w []float64) *mat.Dense {
	m, k := p.w.Dims()
	return softmaxRows(mul(p.phi, mat.NewDense(k, m, w).T()))
}

// crossEntropy returns minus the logarithm of the likelihood (4.107).
func (p *problem434) crossEntropy(w []float64) float64 {
	likelihood, y := 1.0, p.outputs(w)
	for i, v := range y.RawMatrix().Data {
		likelihood *= math.Pow(v, p.t.RawMatrix().Data[i])
	}
	return -math.Log(likelihood)
}

// gradient returns (4.109) as one vector, with the gradients of the classes joined in order.
func (p *problem434) gradient(w []float64) []float64 {
	return flat(mul(combine(1, p.outputs(w), -1, p.t).T(), p.phi))
}

// hessian returns the matrix of the blocks Σ_n y_nk(δ_kj − y_nj)φ_nφ_nᵀ.
func (p *problem434) hessian(w []float64) *mat.Dense {
	y, h := p.outputs(w), mat.NewDense(len(w), len(w), nil)
	_, m := p.phi.Dims()
	h.Apply(func(i, j int, _ float64) (sum float64) {
		for n := range y.RawMatrix().Rows {
			phi := p.phi.RawRowView(n)
			sum += y.At(n, i/m) * (truth(i/m == j/m) - y.At(n, j/m)) * phi[i%m] * phi[j%m]
		}
		return sum
	}, h)
	return h
}

func TestEquations43Softmax(t *testing.T) {
	posterior := func(r *rand.Rand) (left, right any) {
		p := newProblem434(r)
		m := &classify.Softmax{W: p.w}
		return []any{must(m.Posterior(p.x))(t), must(m.Scores(p.x))(t)}, []any{p.outputs(p.stacked()), mul(p.phi, p.w)}
	}
	equation.Check(t, "prml-4.104", posterior)
	equation.Check(t, "prml-4.105", posterior)
	equation.Check(t, "alpaydin-10.29", posterior)
	odds := func(r *rand.Rand) (left, right any) { // the last class is the reference class with weights 0
		p := newProblem434(r)
		m := &classify.Softmax{W: p.w}
		k := p.w.RawMatrix().Cols
		y := must(m.Posterior(p.x))(t).RawRowView(0)
		ratio := mul(p.phi, must(m.Reference(k-1))(t).W).RawRowView(0)
		for i, a := range ratio {
			ratio[i] = math.Exp(a)
		}
		sum := floats.Sum(ratio)
		return []any{multiple(1/y[k-1], y[:k-1]), y[k-1], y[:k-1]}, []any{ratio, 1 / (1 + sum), multiple(1/(1+sum), ratio)}
	}
	equation.Check(t, "alpaydin-10.26", odds)
	equation.Check(t, "alpaydin-10.27", odds)
	equation.Check(t, "alpaydin-10.28", odds)
	// Alpaydin prints the derivative of y_i with respect to a_i. It should be the derivative with
	// respect to a_j (erratum A4).
	derivatives := func(r *rand.Rand) (y []float64, dy *mat.Dense) {
		a := normals(r, 2+r.IntN(4))
		return softmaxAsWritten(a), jacobian(func(a []float64) []float64 { return kernels.Softmax(nil, a) }, a)
	}
	formula := func(r *rand.Rand) (left, right any) {
		y, dy := derivatives(r)
		return dy, combine(1, mat.NewDiagDense(len(y), y), -1, mul(oneColumn(y), oneRow(y)))
	}
	equation.Check(t, "prml-4.106", formula)
	equation.Check(t, "alpaydin-10.32", formula)
	equation.Misprint(t, "A4", func(r *rand.Rand) equation.Reading {
		y, dy := derivatives(r)
		return equation.Reading{True: dy.At(0, 1), Printed: dy.At(0, 0), Right: -y[0] * y[1]}
	})
	value := func(r *rand.Rand) (left, right any) {
		p := newProblem434(r)
		m := must(classify.FitSoftmaxTargets(p.x, p.t, classify.SoftmaxOptions{MaxIterations: 1}))(t)
		return []float64{must(p.e.Value(p.stacked()))(t), m.E, m.LogLikelihood},
			[]float64{p.crossEntropy(p.stacked()), p.crossEntropy(flat(m.W.T())), -p.crossEntropy(flat(m.W.T()))}
	}
	equation.Check(t, "prml-4.107", value)
	equation.Check(t, "prml-4.108", value)
	equation.Check(t, "alpaydin-10.30", value)
	equation.Check(t, "alpaydin-10.31", value)
	gradient := func(r *rand.Rand) (left, right any) {
		p := newProblem434(r)
		g := must(p.e.Gradient(p.stacked()))(t)
		return []any{g, g}, []any{p.gradient(p.stacked()), slopes(p.crossEntropy, p.stacked())}
	}
	equation.CheckTo(t, "prml-4.109", byFive, gradient)
	equation.CheckTo(t, "alpaydin-10.33", byFive, gradient)
	equation.CheckTo(t, "gambosi-softmax-gradient-chain", byFive, gradient)
	// For k ≠ j, a_k does not depend on w_j, so the printed chain rule gives a sum over the rows of
	// class j only.
	equation.Misprint(t, "G11", func(r *rand.Rand) equation.Reading {
		p := newProblem434(r)
		w, m := p.stacked(), p.w.RawMatrix().Rows
		y, printed := p.outputs(w), make([]float64, m)
		for n := range y.RawMatrix().Rows {
			floats.AddScaled(printed, p.t.At(n, 0)*(1-y.At(n, 0)), p.phi.RawRowView(n))
		}
		l := func(w []float64) float64 { return -p.crossEntropy(w) }
		return equation.Reading{True: slopes(l, w)[:m], Printed: printed, Right: multiple(-1, p.gradient(w)[:m])}
	})
	// The Hessian has a plus sign; PRML prints a minus sign (erratum P1).
	equation.CheckTo(t, "prml-4.110", byFive, func(r *rand.Rand) (left, right any) {
		p := newProblem434(r)
		h := must(p.e.Hessian(p.stacked()))(t)
		return []any{h, h}, []any{p.hessian(p.stacked()), jacobian(p.gradient, p.stacked())}
	})
	equation.Misprint(t, "P1", func(r *rand.Rand) equation.Reading {
		p := newProblem434(r)
		h := p.hessian(p.stacked())
		return equation.Reading{True: jacobian(p.gradient, p.stacked()), Printed: combine(-1, h, 0, h), Right: h}
	})
	equation.Holds(t, "P2", func(r *rand.Rand) error { // H has M zero eigenvalues, where M is the number of weights of a class
		p := newProblem434(r)
		v, _ := eigenOf(must(p.e.Hessian(p.stacked()))(t))
		m := len(v) - p.w.RawMatrix().Rows
		if zero := 1e-10 * v[0]; !(v[m-1] > zero && math.Abs(v[m]) < zero && math.Abs(v[len(v)-1]) < zero) {
			return fmt.Errorf("the eigenvalues of H are %v, want %d zeros, one for each weight of a class, and otherwise positive eigenvalues", v, p.w.RawMatrix().Rows)
		}
		return nil
	})
}

// A problem108 is a problem with k sigmoid outputs and targets that are 0 or 1.
type problem108 struct {
	x, phi, t, w *mat.Dense
	m            *classify.SigmoidSquares
}

func newProblem108(t *testing.T, r *rand.Rand, k int) (p problem108) {
	p.x, p.t, p.w = normalMatrix(r, 20, 2), mat.NewDense(20, k, nil), normalMatrix(r, 3, k)
	p.phi = withOnes(p.x)
	p.t.Apply(func(n, i int, _ float64) float64 {
		return truth(n == i || p.x.At(n, i%2)+r.NormFloat64() > 0 && n != 9)
	}, p.t)
	p.m = must(classify.FitSigmoidSquaresTargets(p.x, p.t,
		classify.SigmoidSquaresOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
	return p
}

// outputs returns the outputs y_i = 1/(1 + exp[−(w_iᵀx + w_i0)]).
func (p problem108) outputs(w *mat.Dense) *mat.Dense {
	y := mul(p.phi, w)
	y.Apply(func(_, _ int, a float64) float64 { return logisticOf(a) }, y)
	return y
}

// squares returns ½Σ_n Σ_i (r_i − y_i)².
func (p problem108) squares(w *mat.Dense) float64 {
	e := mat.Norm(combine(1, p.t, -1, p.outputs(w)), 2)
	return e * e / 2
}

// TestEquations43Regression checks Alpaydin's discrimination by regression for one and for several
// outputs.
func TestEquations43Regression(t *testing.T) {
	values := func(k int) equation.Sides {
		return func(r *rand.Rand) (left, right any) {
			p := newProblem108(t, r, k)
			return must(p.m.Values(p.x))(t).Slice(0, 20, 0, k), p.outputs(p.m.W)
		}
	}
	equation.Check(t, "alpaydin-10.37", values(1))
	equation.Check(t, "alpaydin-10.42", values(3))
	likelihood := func(k int) equation.Sides {
		return func(r *rand.Rand) (left, right any) {
			p, s, l := newProblem108(t, r, k), 0.5+r.Float64(), 0.0
			for i, y := range p.outputs(p.m.W).RawMatrix().Data {
				l += distuv.Normal{Mu: y, Sigma: s}.LogProb(p.t.RawMatrix().Data[i])
			}
			return -p.m.SumSquare/(s*s) - 20*float64(k)*math.Log(math.Sqrt(2*math.Pi)*s), l
		}
	}
	equation.Check(t, "alpaydin-10.38", likelihood(1))
	equation.Check(t, "alpaydin-10.43", likelihood(3))
	squares := func(k int) equation.Sides {
		return func(r *rand.Rand) (left, right any) {
			p, sum := newProblem108(t, r, k), 0.0
			for i := range k {
				o := must(classify.SigmoidObjective(p.x, mat.Col(nil, i, p.t), nil))(t)
				sum += must(o.Value(mat.Col(nil, i, p.w)))(t)
			}
			return []float64{p.m.SumSquare, sum}, []float64{p.squares(p.m.W), p.squares(p.w)}
		}
	}
	equation.Check(t, "alpaydin-10.39", squares(1))
	equation.Check(t, "alpaydin-10.44", squares(3))
	step := func(k int) equation.Sides {
		return func(r *rand.Rand) (left, right any) {
			p, rate := newProblem108(t, r, k), 0.05+0.1*r.Float64()
			m := must(classify.FitSigmoidSquaresTargets(p.x, p.t, classify.SigmoidSquaresOptions{Start: p.w,
				MaxIterations: 1, Solver: classify.GradientDescent{Rate: rate, Every: 1}}))(t)
			y := p.outputs(p.w)
			y.Apply(func(n, i int, y float64) float64 { return (p.t.At(n, i) - y) * y * (1 - y) }, y)
			want, moved, gradient := mul(y.T(), p.phi), []any{}, []any{}
			for i, out := range m.Outputs {
				o := must(classify.SigmoidObjective(p.x, mat.Col(nil, i, p.t), nil))(t)
				moved = append(moved, minus(out.Trace[1].W, mat.Col(nil, i, p.w)))
				gradient = append(gradient, must(o.Gradient(mat.Col(nil, i, p.w)))(t))
			}
			return []any{moved, gradient}, []any{combine(rate, want, 0, want), combine(-1, want, 0, want)}
		}
	}
	equation.Check(t, "alpaydin-10.40", step(1))
	equation.Check(t, "alpaydin-10.45", step(3))
}
