package solve

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Near the optimum the terms e′_nφ_n of ∇E cancel. A sum computed in float64 has a rounding error
// of about 2⁻⁵³·Σ|e′_nφ_n|, and H⁻¹ times this error may be much longer than the Newton step.
// preciseGradient therefore computes the activations, the sums and the gradient of the prior with
// about 31 digits, from the original x. It computes only the e′_n in float64, from rounded
// activations. Problem.noise bounds the effect of the errors of the e′_n.

// preciseGradient returns ∇E in all inner coordinates. It rounds the result of 31-digit sums to
// float64.
func (p *Problem) preciseGradient(in []float64) []float64 {
	g := p.preciseSums(in)
	p.addPrecisePrior(g, in)
	out := make([]float64, len(g))
	for i, v := range g {
		out[i] = v.Hi
	}
	return out
}

// biases returns the bias of each class for the columns x·s, from which no centre is subtracted.
func (p *Problem) biases(in []float64) []linalg.Twofold {
	m := len(p.Coord.Scale) + 1
	var b []linalg.Twofold
	for i := 0; i < len(in); i += m {
		b = append(b, p.Coord.Bias(in[i:i+m]))
	}
	return b
}

// preciseSums returns ∇E of the likelihood. It computes with the columns x·s, which are exact
// because s is a power of two. Afterwards it corrects the result for the centres.
func (p *Problem) preciseSums(in []float64) []linalg.Twofold {
	m := len(p.Coord.Scale) + 1
	bias := p.biases(in)
	d := p.GLM.Design.Again(p.Coord.Scale, make([]float64, m-1))
	g := *block.Reduce(d, 0, func() *[]linalg.Twofold {
		s := make([]linalg.Twofold, len(in))
		return &s
	}, func(rows int) func(*[]linalg.Twofold, *block.Block) {
		a := newRowTerms(p.GLM, rows)
		return func(s *[]linalg.Twofold, b *block.Block) {
			for k, v := range bias {
				w := in[k*m : (k+1)*m]
				for r := range b.N {
					act := v
					for j, x := range b.Row(r)[1:m] {
						act = act.AddProduct(w[j+1], x)
					}
					a.act[k][r] = act
				}
			}
			a.derive(b.Lo, b.N)
			for r := range b.N {
				weight := b.W.At(r)
				a.eachTerm(r, func(own, other int, e, _ float64) {
					e *= weight
					for j, x := range b.Row(r)[:m] {
						(*s)[own*m+j] = (*s)[own*m+j].AddProduct(e, x)
						if other >= 0 {
							(*s)[other*m+j] = (*s)[other*m+j].AddProduct(-e, x)
						}
					}
				})
			}
		}
	}, func(dst, src *[]linalg.Twofold) {
		for j, v := range *src {
			(*dst)[j] = (*dst)[j].AddTimes(1, v)
		}
	})
	for i := 0; i < len(g); i += m {
		for j, c := range p.Coord.Shift {
			g[i+j+1] = g[i+j+1].AddTimes(-c, g[i])
		}
	}
	return g
}

// addPrecisePrior adds the prior's gradient S0⁻¹(w−m0) in inner coordinates.
func (p *Problem) addPrecisePrior(g []linalg.Twofold, in []float64) {
	if p.Prior == nil {
		return
	}
	m := len(p.Coord.Scale) + 1
	bias := p.biases(in)
	for _, row := range p.Prior.Root {
		var u linalg.Twofold
		for i, v := range row {
			switch j := i % m; {
			case v == 0:
				continue
			case j == 0:
				u = u.AddTimes(v, bias[i/m])
			default:
				u = u.AddProduct(v, in[i]*p.Coord.Scale[j-1])
			}
			u = u.AddProduct(-v, p.Prior.Mean[i])
		}
		for i, v := range row {
			j := i % m
			if v == 0 {
				continue
			}
			if j > 0 {
				g[i] = g[i].AddTimes(v*p.Coord.Scale[j-1], u)
				continue
			}
			g[i] = g[i].AddTimes(v, u)
			for l, c := range p.Coord.Shift {
				var t linalg.Twofold
				t = t.AddTimes(v, u)
				g[i+l+1] = g[i+l+1].AddTimes(-c, t)
			}
		}
	}
}

// gradientIsExact reports whether the gradient is accurate enough. It computes the Newton step from
// float64 sums and the step from the precise gradient, and compares their difference with a tenth of
// requiredAccuracy. It returns true without these computations if the gradient is already precise, if
// boundsSuffice proves that it is accurate, if the prior is Jeffreys' prior, if Tol is infinite, or if
// there is no quadratic model.
func (n *newton) gradientIsExact() bool {
	const part = 0.1 // the steps may differ by this part of requiredAccuracy
	if n.precise || n.Jeffreys || math.IsInf(n.Tol, 1) || n.q == nil || n.boundsSuffice() {
		return true
	}
	p := *n.Problem
	p.precise = true
	q := *n.q
	q.z = q.R.SolveT(p.innerGradient(n.out.W, n.ev))
	d := n.newtonStep(&q)
	floats.Sub(d, n.newtonStep(n.q))
	floats.Sub(q.z, n.q.z)
	if linalg.Norm(n.out.W) == 0 && linalg.Norm(d) > 0 {
		return false // at w = 0, every nonzero difference is large relative to the weights
	}
	return linalg.Norm(q.z) <= part*n.requiredAccuracy() && n.Problem.isShort(n.out.W, d, part*n.requiredAccuracy())
}

// usePrecise switches to the precise gradient for all further iterations. Afterwards the caller
// must compute the quadratic model of the iterate again.
func (n *newton) usePrecise() {
	n.precise = true
	n.ev, n.e = n.Evaluate(n.out.W, n.lv)
}

// noise returns an upper bound on the error that remains with precise sums. This error is the step
// that the rounding of all e′_n causes. Its size is the larger of two numbers: its length in
// standard errors, and its length relative to the weights. If the factor R has too few correct
// digits in some direction, noise returns +Inf.
func (n *newton) noise() float64 {
	const ε = 0x1p-53
	inv := n.q.inverse()
	if n.q.R.Condition(inv)*ε > 1e-3 {
		return math.Inf(1)
	}
	inv = n.Rank.EmbedColumns(inv)
	outer := n.Coord.Columns(inv)
	// This first upper bound is usually small enough. It replaces every φ_n with one bound: in inner
	// coordinates, the absolute value of an input is at most 2, and the bias input is 1.
	reach := math.Sqrt(2+8*float64(len(n.Coord.Scale))) * mat.Norm(inv, 2)
	bound := ε * n.ev.Noise * reach * math.Max(1, mat.Norm(outer, 2)/(1+linalg.Norm(n.Coord.Outer(n.out.W))))
	if bound <= n.requiredAccuracy() {
		return bound
	}
	return ε * n.Problem.noise(n.out.W, inv, outer)
}

// noise returns Σ_n c_n·max(‖R⁻ᵀz_n‖, ‖H⁻¹z_n‖/(1+‖w‖)), with z_n = φ_n. Here c_n·2⁻⁵³ is an upper
// bound on the rounding error of e′_n times the row's weight. For a softmax, a row has K−1 terms, and
// each z is the contrast of two classes. The vectors H⁻¹z_n and w are in the units of x. The argument
// inv is R⁻¹ in all inner coordinates, and `outer` is B·inv (for B see linalg.Coordinates).
func (p *Problem) noise(w []float64, inv, outer *mat.Dense) float64 {
	m := len(p.Coord.Scale) + 1
	length := 1 + linalg.Norm(p.Coord.Outer(w))
	_, free := inv.Dims()
	return *block.Reduce(p.GLM.Design, 0, func() *float64 { return new(float64) },
		func(rows int) func(*float64, *block.Block) {
			a, buf := newRowTerms(p.GLM, rows), make([]float64, rows)
			z, step := make([]float64, free), make([]float64, len(w))
			return func(s *float64, b *block.Block) {
				for k := range a.act {
					b.Margins(w[k*m:(k+1)*m], buf)
					for r := range b.N {
						a.act[k][r] = linalg.Twofold{Hi: buf[r]}
					}
				}
				a.derive(b.Lo, b.N)
				for r := range b.N {
					a.eachTerm(r, func(own, other int, e, h float64) {
						c := (4*math.Abs(e) + h) * b.W.At(r)
						if c == 0 {
							return
						}
						clear(z)
						for j, x := range b.Row(r)[:m] {
							for i := range z {
								z[i] += x * inv.At(own*m+j, i)
								if other >= 0 {
									z[i] -= x * inv.At(other*m+j, i)
								}
							}
						}
						for i := range step {
							step[i] = linalg.Dot(outer.RawRowView(i), z)
						}
						*s += c * math.Max(linalg.Norm(z), linalg.Norm(step)/length)
					})
				}
			}
		}, func(dst, src *float64) { *dst += *src })
}

// roundingReason returns the Reason of a fit that has not converged because rounding errors make
// the optimum too uncertain. If the uncertainty is at most requiredAccuracy, or if Tol is infinite,
// it returns "".
func (n *newton) roundingReason() string {
	if math.IsInf(n.Tol, 1) {
		return ""
	}
	noise := n.noise() + n.jeffreysNoise()
	if noise <= n.requiredAccuracy() {
		return ""
	}
	left := "undetermined"
	if !math.IsInf(noise, 1) {
		left = fmt.Sprintf("uncertain by %.1g (in standard errors, or relative to their size)", noise)
	}
	return fmt.Sprintf("not converged: stopped after %d iterations, because rounding leaves the weights %s; %s",
		n.traceSteps(), left, n.causeOfRounding())
}

// rowTerms computes the derivatives for several consecutive rows from 31-digit activations. It does
// this for a loss with one activation per row and for a softmax.
type rowTerms struct {
	glm       *glm.Likelihood
	act       [][]linalg.Twofold // activations for each class; one entry for a loss with one activation per row
	a, d1, d2 []float64
	t, buf    []float64 // targets of a softmax, row by row
	y, c      []float64 // posteriors of one row, and their complements
}

func newRowTerms(g *glm.Likelihood, rows int) *rowTerms {
	k := 1
	if g.Many != nil {
		k = g.Many.K
	}
	s := &rowTerms{glm: g, act: make([][]linalg.Twofold, k), a: make([]float64, max(k, rows)), y: make([]float64, k),
		c: make([]float64, k)}
	for i := range s.act {
		s.act[i] = make([]linalg.Twofold, rows)
	}
	if k > 1 {
		s.t, s.buf = make([]float64, k*rows), make([]float64, k*rows)
	} else {
		s.d1, s.d2 = make([]float64, rows), make([]float64, rows)
	}
	return s
}

// derive reads the targets of rows lo … lo+n−1. The slice `act` must contain the activations of
// these rows. If a row has one activation (not a softmax), derive also computes the derivatives of
// the loss.
func (s *rowTerms) derive(lo, n int) {
	if s.glm.Many != nil {
		s.glm.Many.T.Read(lo, lo+n, s.t, s.buf)
		return
	}
	for r, v := range s.act[0][:n] {
		s.a[r] = v.Hi
	}
	s.glm.Loss.Eval(s.a[:n], s.glm.Targets(lo, lo+n), s.d1[:n], s.d2[:n])
}

// eachTerm calls f for every term that row r adds to ∇E. A term adds e·φ to the gradient of the class
// `own` and, if `other` ≥ 0, −e·φ to the gradient of the class `other`. The number e does not include
// the row's weight. The argument h of f is |e″·a| or, for a softmax, an upper bound on it: a relative
// rounding error δ of the activation a changes e by at most δ·h. The numbers y_k − t_k of a softmax
// add up to exactly 0. The number of the class with the largest posterior is therefore minus the sum
// of the other numbers. For a softmax, eachTerm therefore calls f K−1 times. The class with the largest
// posterior is always `other`, and `own` is each of the remaining classes in turn.
func (s *rowTerms) eachTerm(r int, f func(own, other int, e, h float64)) {
	if s.glm.Many == nil {
		f(0, -1, s.d1[r], math.Abs(s.d2[r]*s.a[r]))
		return
	}
	k := len(s.act)
	top := 0
	for i := range k {
		if s.act[top][r].Less(s.act[i][r]) {
			top = i
		}
	}
	for i := range k {
		s.a[i] = s.act[i][r].AddTimes(-1, s.act[top][r]).Hi
	}
	kernels.SoftmaxParts(s.y, s.c, s.a[:k])
	for i, t := range s.t[r*k : (r+1)*k] {
		if i != top {
			f(i, top, s.y[i]*(1-t)-t*s.c[i], s.y[i]*math.Abs(s.a[i]))
		}
	}
}

// priorRounding returns the squared length of the prior's residuals u = root·(w−m0). It also
// returns an upper bound, in standard errors, for the change in the Newton step that the rounding
// of u causes. Because H ≥ rootᵀroot, an error of u changes R⁻ᵀrootᵀu by at most the length of this
// error. The rounding errors of the sum rootᵀu have the same bound as the sums over the rows (see
// boundsSuffice), with ‖u‖² in place of Σ e′_n²/e″_n. The result `ok` is false for a softmax with a
// prior. It is also false if the prior correlates the bias with other weights, because in inner
// coordinates the rows of such a prior lose digits.
func (p *Problem) priorRounding(in []float64) (square, rounding float64, ok bool) {
	if p.Prior == nil {
		return 0, 0, true
	}
	if p.FreeRoot != nil || p.GLM.Many != nil {
		return 0, 0, false
	}
	w := p.Coord.Outer(in)
	size := math.Abs(in[0]) // the sum of the absolute values of the terms of the bias w_0
	for j, c := range p.Coord.Shift {
		size += math.Abs(c * in[j+1])
	}
	var terms float64
	for i, row := range p.Prior.Root {
		ties := 0
		length := math.Abs(row[0]) * size
		for j, v := range row {
			if v != 0 {
				ties++
			}
			length += math.Abs(v) * (math.Abs(w[j]) + math.Abs(p.Prior.Mean[j]))
		}
		if row[0] != 0 && ties > 1 {
			return 0, 0, false
		}
		u := linalg.Dot(p.Root[i], in) - linalg.Dot(row, p.Prior.Mean)
		square += u * u
		terms += length * length
	}
	return square, 0x1p-53 * float64(len(in)+8) * math.Sqrt(terms), true
}
