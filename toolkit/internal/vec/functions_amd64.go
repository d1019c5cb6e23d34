//go:build !safe

package vec

import "math"

// Most methods in this file process Pad numbers at a time. If fewer numbers remain at the end of a
// slice, these methods copy them to a separate array of Pad numbers. Finite checks the remaining
// numbers in plain Go instead, and Softmax fills up the slices of its SoftmaxRun.

func (w wideKernels) Finite(a []float64) bool {
	var bad [Pad]float64
	whole := len(a) &^ (Pad - 1)
	if whole > 0 {
		w.finite(whole/int(w), &a[0], &bad[0])
	}
	return plainKernels{}.Finite(bad[:]) && plainKernels{}.Finite(a[whole:])
}

func (w wideKernels) Exp(y, a []float64) {
	whole := len(a) &^ (Pad - 1)
	if whole > 0 {
		w.exp(whole/int(w), &y[0], &a[0])
	}
	if rest := len(a) - whole; rest > 0 {
		var v [Pad]float64
		copy(v[:], a[whole:])
		w.exp(Pad/int(w), &v[0], &v[0])
		copy(y[whole:], v[:rest])
	}
}

func (w wideKernels) Sigmoid(y, c, a []float64) { w.pair(logistic, y, c, a) }

func (w wideKernels) Normal(y, c, a []float64) { w.pair(probit, y, c, a) }

func (w wideKernels) CrossEntropy(a, t, s, d1, d2 []float64) float64 {
	return w.loss(logistic, a, t, s, d1, d2)
}

func (w wideKernels) Probit(a, t, s, d1, d2 []float64) float64 {
	return w.loss(probit, a, t, s, d1, d2)
}

func (w wideKernels) pair(l link, y, c, a []float64) {
	whole := len(a) &^ (Pad - 1)
	if whole > 0 {
		w.probabilities(l, whole/int(w), &y[0], &c[0], &a[0])
	}
	if rest := len(a) - whole; rest > 0 {
		var v, u [Pad]float64
		copy(v[:], a[whole:])
		w.probabilities(l, Pad/int(w), &v[0], &u[0], &v[0])
		copy(y[whole:], v[:rest])
		copy(c[whole:], u[:rest])
	}
}

func (w wideKernels) loss(l link, a, t, s, d1, d2 []float64) float64 {
	var sum [Pad]float64
	whole := 0
	for whole+Pad <= len(a) {
		n, weights := (len(a)-whole)&^(Pad-1), s
		if s == nil {
			n, weights = min(n, len(ones)), ones[:]
		} else {
			weights = s[whole:]
		}
		w.lossOf(l, n/int(w), &a[whole], &t[whole], &weights[0], &d1[whole], &d2[whole], &sum[0])
		whole += n
	}
	if rest := len(a) - whole; rest > 0 {
		var v, target, weights, e1, e2 [Pad]float64
		copy(v[:], a[whole:])
		copy(target[:], t[whole:len(a)])
		copy(weights[:rest], ones[:])
		if s != nil {
			copy(weights[:rest], s[whole:])
		}
		w.lossOf(l, Pad/int(w), &v[0], &target[0], &weights[0], &e1[0], &e2[0], &sum[0])
		copy(d1[whole:], e1[:rest])
		copy(d2[whole:], e2[:rest])
	}
	var e float64
	for _, v := range sum {
		e += v
	}
	return e
}

// ones contains weights of 1. The kernels use them if the slice s of weights is nil.
var ones = func() (s [1024]float64) {
	for i := range s {
		s[i] = 1
	}
	return s
}()

func (w wideKernels) Softmax(s *SoftmaxRun, n int, to *SoftmaxSums) {
	if n == 0 {
		return
	}
	lanes := int(w)
	// The rows that fill up the last vector have weight 0 and a huge margin, so that they do not
	// change any sum or minimum.
	for r := n; r < Width(n); r++ {
		for k := range s.K {
			s.A[k*s.LD+r], s.T[k*s.LD+r] = -1e300, 0
		}
		s.A[r], s.T[r], s.Weights[r] = 0, 1, 0
	}
	var out [6 * Pad]float64
	for i := range lanes {
		out[4*lanes+i] = math.Inf(1)
	}
	w.softmax(Width(n)/lanes, s.K, &s.A[0], &s.T[0], &s.Y[0], &s.D[0], s.LD*8, &s.Weights[0], &out[0])
	for i := range lanes {
		to.E += out[i]
		to.Pearson += out[lanes+i]
		to.Noise += out[2*lanes+i]
		to.Wrong += out[3*lanes+i]
		to.Margin = math.Min(to.Margin, out[4*lanes+i])
		to.Soft = to.Soft || out[5*lanes+i] > 1
	}
}

func (w wideKernels) Sides(a, t []float64) (wrong int, margin float64, hard bool) {
	lanes := int(w)
	var out [4 * Pad]float64 // four vectors: one each for the wrong rows, the smallest margins, the hard targets and the NaN margins
	for i := range lanes {
		out[lanes+i] = math.Inf(1)
	}
	whole := len(a) &^ (Pad - 1)
	if whole > 0 {
		w.sides(whole/lanes, &a[0], &t[0], &out[0])
	}
	rows := whole
	if whole < len(a) {
		var v, target [Pad]float64
		for i := range v {
			v[i] = math.Inf(-1) // a padding row has target 0 and the margin +Inf, so it counts as correct
		}
		copy(v[:], a[whole:])
		copy(target[:], t[whole:len(a)])
		w.sides(Pad/lanes, &v[0], &target[0], &out[0])
		rows += Pad
	}
	margin = math.Inf(1)
	for i := range lanes {
		wrong += int(out[i])
		margin = math.Min(margin, out[lanes+i])
		rows -= int(out[2*lanes+i])
		if out[3*lanes+i] > 0 {
			margin = math.NaN()
		}
	}
	return wrong, margin, rows == 0
}

func (w wideKernels) Sizes(a, d1, d2 []float64) (s Sizes) {
	lanes := int(w)
	var out [4 * Pad]float64
	whole := len(a) &^ (Pad - 1)
	if whole > 0 {
		w.sizes(whole/lanes, &a[0], &d1[0], &d2[0], &out[0])
	}
	if rest := len(a) - whole; rest > 0 {
		var v, e1, e2 [Pad]float64
		copy(v[:], a[whole:])
		copy(e1[:], d1[whole:len(a)])
		copy(e2[:], d2[whole:len(a)])
		w.sizes(Pad/lanes, &v[0], &e1[0], &e2[0], &out[0])
		copy(d2[whole:], e2[:rest])
	}
	for i := range lanes {
		s.Pearson += out[i]
		s.Slopes += out[lanes+i]
		s.CurvatureSum += out[2*lanes+i]
		s.Moved += out[3*lanes+i]
	}
	return s
}
