package glm

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// FlipLoss is the loss −t ln p − (1−t) ln(1−p), where p = ε + (1−2ε)y and y = σ(a). Eval computes
// the expected second derivative, (1−2ε)²y²(1−y)²/(p(1−p)), which is never negative. The second
// derivative for the observed target t can be negative.
//
// Equations: PRML (4.117).
type FlipLoss struct{ Eps float64 }

var _ Loss = FlipLoss{}

// rowLoss returns the loss of one row with activation v and target t. It also returns the loss's
// derivative and expected second derivative with respect to v. The arguments y and c are σ(v) and
// 1−σ(v).
func (l FlipLoss) rowLoss(v, t, y, c float64) (e, slope, expected float64) {
	if l.Eps == 0 { // p = y and q = c can underflow to 0, so use the quotients g/p = c and g/q = y without a division
		if t > 0 {
			e -= t * kernels.LogSigmoid(v)
		}
		if t < 1 {
			e -= (1 - t) * kernels.LogSigmoid(-v)
		}
		return e, y*(1-t) - t*c, y * c
	}
	p, q, g := l.probabilities(y, c)
	if t > 0 {
		e -= t * logOf(p, q)
		slope -= t * g / p
	}
	if t < 1 {
		e -= (1 - t) * logOf(q, p)
		slope += (1 - t) * g / q
	}
	return e, slope, g / p * (g / q)
}

// probabilities returns p, q = 1−p and dp/da, all three with full relative accuracy.
func (l FlipLoss) probabilities(y, c float64) (p, q, g float64) {
	δ := 1 - 2*l.Eps
	return l.Eps + δ*y, l.Eps + δ*c, δ * y * c
}

// Row returns the loss of one row with its first and second derivatives with respect to the
// activation v and to ε.
func (l FlipLoss) Row(v, t float64) ExactRow {
	y, c, _ := kernels.SigmoidParts(v)
	p, q, g := l.probabilities(y, c)
	var r ExactRow
	r.E, r.A, r.Expected = l.rowLoss(v, t, y, c)
	if l.Eps == 0 {
		r.Aa = y * c
		if t > 0 {
			r.Eps -= t * (c - y) / p
			r.AEps += t * (2*c + (c-y)*c/p)
			r.EpsEps += t * sq((c-y)/p)
		}
		if t < 1 {
			r.Eps -= (1 - t) * (y - c) / q
			r.AEps += (1 - t) * ((c-y)*y/q - 2*y)
			r.EpsEps += (1 - t) * sq((y-c)/q)
		}
		// For a row far on the wrong side of the boundary, the derivative with respect to ε can
		// overflow. The most negative float64 then replaces it.
		if math.IsNaN(r.Eps) || math.IsInf(r.Eps, 0) {
			r.Eps = -math.MaxFloat64
		}
		return r
	}
	if t > 0 {
		r.Aa += t * (sq(g/p) - g*(c-y)/p)
		r.Eps -= t * (c - y) / p
		r.AEps += t * (2*y*c/p + (c-y)*g/(p*p))
		r.EpsEps += t * sq((c-y)/p)
	}
	if t < 1 {
		r.Aa += (1 - t) * (sq(g/q) + g*(c-y)/q)
		r.Eps -= (1 - t) * (y - c) / q
		r.AEps -= (1 - t) * (2*y*c/q + (y-c)*g/(q*q))
		r.EpsEps += (1 - t) * sq((y-c)/q)
	}
	return r
}

func sq(v float64) float64 { return v * v }

// logOf returns ln p. The argument q is 1−p.
func logOf(p, q float64) float64 {
	if q < 0.5 {
		return math.Log1p(-q)
	}
	return math.Log(p)
}

func (l FlipLoss) Eval(a, t, d1, d2 []float64) float64 {
	var sum, e float64
	y, c := d1[:len(a)], d2[:len(a)] // d1 and d2 contain y and c, until the loop overwrites them with derivatives
	vec.For(len(a)).Sigmoid(y, c, a)
	for n, v := range a {
		e, d1[n], d2[n] = l.rowLoss(v, t[n], y[n], c[n])
		sum += e
	}
	return sum
}

// Curvature returns an upper bound on the expected second derivative: the largest second derivative
// of the logistic loss.
func (FlipLoss) Curvature() float64 { return 0.25 }

// ExactRow contains the loss of one row and its first two derivatives with respect to the activation
// a. If the loss has a parameter ε, which is the same for all rows, ExactRow also contains the
// derivatives with respect to ε. Expected is the expected second derivative with respect to a,
// which is never negative.
type ExactRow struct{ E, A, Aa, Eps, AEps, EpsEps, Expected float64 }

// ExactSums are the sums of one pass that computes exact second derivatives e″. Plus is Σ e″φφᵀ over
// the rows with e″ > 0, and Minus is Σ |e″|φφᵀ over the rows with e″ < 0. The Hessian is therefore
// Plus − Minus.
type ExactSums struct {
	*Evaluation
	Plus, Minus *block.Gram
	Eps, EpsEps float64
	AEps        []float64
}

// EvaluateExact calls the function `row` for every row of the design, with the activation for the
// weights w, and adds up the results.
func (g *Likelihood) EvaluateExact(w []float64, row func(a, t float64) ExactRow) *ExactSums {
	return block.ReduceWide(g.Design, 2*g.M*g.M, func() *ExactSums {
		return &ExactSums{
			Evaluation: &Evaluation{Grad: make([]float64, g.M), Margin: math.Inf(1), Hard: true},
			Plus:       block.NewGram(g.M), Minus: block.NewGram(g.M), AEps: make([]float64, g.M),
		}
	}, func(rows int) func(*ExactSums, *block.Block) {
		a, d1, mixed := make([]float64, rows), make([]float64, rows), make([]float64, rows)
		up, down := make([]float64, rows), make([]float64, rows)
		scaled := block.NewRows(g.M, rows)
		return func(s *ExactSums, b *block.Block) {
			t := g.Targets(b.Lo, b.Lo+b.N)
			b.Margins(w, a)
			s.countSides(a[:b.N], t, b.W)
			var any bool
			for n, v := range a[:b.N] {
				r, w := row(v, t[n]), b.W.At(n)
				s.E += w * r.E
				s.Eps += w * r.Eps
				s.EpsEps += w * r.EpsEps
				d1[n], mixed[n] = r.A, r.AEps
				up[n], down[n] = math.Sqrt(math.Max(r.Aa, 0)), math.Sqrt(math.Max(-r.Aa, 0))
				any = any || r.Aa < 0
			}
			b.AddRows(s.Grad, d1)
			b.AddRows(s.AEps, mixed)
			scaled.Scaled(b, up)
			s.Plus.Add(scaled)
			if any {
				scaled.Scaled(b, down)
				s.Minus.Add(scaled)
			}
		}
	}, func(dst, src *ExactSums) {
		dst.merge(src.Evaluation)
		dst.Plus.Merge(src.Plus)
		dst.Minus.Merge(src.Minus)
		dst.Eps += src.Eps
		dst.EpsEps += src.EpsEps
		for i, v := range src.AEps {
			dst.AEps[i] += v
		}
	})
}
