package glm

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// FlipLoss is −t ln p − (1−t) ln(1−p) with p = ε + (1−2ε)σ(a). As second
// derivative it gives the expected one, (1−2ε)²y²(1−y)²/(p(1−p)), which is never
// negative: the observed one can be.
//
// Equations: PRML (4.117).
type FlipLoss struct{ Eps float64 }

var _ Loss = FlipLoss{}

// Row is the loss of one row with all second derivatives, ε a parameter.
func (l FlipLoss) Row(v, t float64) ExactRow {
	y, c, _ := kernels.SigmoidParts(v)
	δ := 1 - 2*l.Eps
	p, q := l.Eps+δ*y, l.Eps+δ*c // q = 1−p, each to full accuracy
	g := δ * y * c
	var r ExactRow
	if l.Eps == 0 { // p may underflow while g/p does not
		r.A, r.Aa, r.Expected = y*(1-t)-t*c, y*c, y*c
		if t > 0 {
			r.E -= t * kernels.LogSigmoid(v)
			r.Eps -= t * (c - y) / p
			r.AEps += t * (2*c + (c-y)*c/p)
			r.EpsEps += t * sq((c-y)/p)
		}
		if t < 1 {
			r.E -= (1 - t) * kernels.LogSigmoid(-v)
			r.Eps -= (1 - t) * (y - c) / q
			r.AEps += (1 - t) * ((c-y)*y/q - 2*y)
			r.EpsEps += (1 - t) * sq((y-c)/q)
		}
		// They grow without end for a row on the wrong side.
		if math.IsNaN(r.Eps) || math.IsInf(r.Eps, 0) {
			r.Eps = -math.MaxFloat64
		}
		return r
	}
	if t > 0 {
		r.E -= t * logOf(p, q)
		r.A -= t * g / p
		r.Aa += t * (sq(g/p) - g*(c-y)/p)
		r.Eps -= t * (c - y) / p
		r.AEps += t * (2*y*c/p + (c-y)*g/(p*p))
		r.EpsEps += t * sq((c-y)/p)
	}
	if t < 1 {
		r.E -= (1 - t) * logOf(q, p)
		r.A += (1 - t) * g / q
		r.Aa += (1 - t) * (sq(g/q) + g*(c-y)/q)
		r.Eps -= (1 - t) * (y - c) / q
		r.AEps -= (1 - t) * (2*y*c/q + (y-c)*g/(q*q))
		r.EpsEps += (1 - t) * sq((y-c)/q)
	}
	r.Expected = g / p * (g / q)
	return r
}

func sq(v float64) float64 { return v * v }

// logOf returns ln p, with q = 1−p.
func logOf(p, q float64) float64 {
	if q < 0.5 {
		return math.Log1p(-q)
	}
	return math.Log(p)
}

func (l FlipLoss) Eval(a, t, d1, d2 []float64) float64 {
	var e float64
	for n, v := range a {
		r := l.Row(v, t[n])
		e += r.E
		d1[n], d2[n] = r.A, r.Expected
	}
	return e
}

// The expected curvature is at most that of the logistic loss.
func (FlipLoss) Curvature() float64 { return 0.25 }
