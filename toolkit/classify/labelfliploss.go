package classify

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// flipLoss is −t ln p − (1−t) ln(1−p) with p = ε + (1−2ε)σ(a). As second
// derivative it gives the expected one, (1−2ε)²y²(1−y)²/(p(1−p)), which is never
// negative: the observed one can be.
type flipLoss struct{ ε float64 }

var _ loss = flipLoss{}

func (l flipLoss) row(v, t float64) exactRow {
	y, c, _ := kernels.SigmoidParts(v)
	δ := 1 - 2*l.ε
	p, q := l.ε+δ*y, l.ε+δ*c // q = 1−p, each to full accuracy
	g := δ * y * c
	var r exactRow
	if l.ε == 0 { // p may underflow while g/p does not
		r.a, r.aa, r.expected = y*(1-t)-t*c, y*c, y*c
		if t > 0 {
			r.e -= t * kernels.LogSigmoid(v)
			r.ε -= t * (c - y) / p
			r.aε += t * (2*c + (c-y)*c/p)
			r.εε += t * sq((c-y)/p)
		}
		if t < 1 {
			r.e -= (1 - t) * kernels.LogSigmoid(-v)
			r.ε -= (1 - t) * (y - c) / q
			r.aε += (1 - t) * ((c-y)*y/q - 2*y)
			r.εε += (1 - t) * sq((y-c)/q)
		}
		// They grow without end for a row on the wrong side.
		if math.IsNaN(r.ε) || math.IsInf(r.ε, 0) {
			r.ε = -math.MaxFloat64
		}
		return r
	}
	if t > 0 {
		r.e -= t * logOf(p, q)
		r.a -= t * g / p
		r.aa += t * (sq(g/p) - g*(c-y)/p)
		r.ε -= t * (c - y) / p
		r.aε += t * (2*y*c/p + (c-y)*g/(p*p))
		r.εε += t * sq((c-y)/p)
	}
	if t < 1 {
		r.e -= (1 - t) * logOf(q, p)
		r.a += (1 - t) * g / q
		r.aa += (1 - t) * (sq(g/q) + g*(c-y)/q)
		r.ε -= (1 - t) * (y - c) / q
		r.aε -= (1 - t) * (2*y*c/q + (y-c)*g/(q*q))
		r.εε += (1 - t) * sq((y-c)/q)
	}
	r.expected = g / p * (g / q)
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

func (l flipLoss) eval(a, t, d1, d2 []float64) float64 {
	var e float64
	for n, v := range a {
		r := l.row(v, t[n])
		e += r.e
		d1[n], d2[n] = r.a, r.expected
	}
	return e
}

// The expected curvature is at most that of the logistic loss.
func (flipLoss) curvature() float64 { return 0.25 }
