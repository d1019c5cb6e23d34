package vec

import (
	"math"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// SoftmaxRun contains rows with K activations each. The slices A, T, Y and D store the number for
// class k of row r at index k·LD + r.
type SoftmaxRun struct {
	K, LD   int
	A, T    []float64 // activations and targets
	Y, D    []float64 // the posteriors y, and the derivatives y − t of the loss
	Weights []float64 // weights of the rows, one number each

	a, t, y, c []float64 // scratch memory for one row
}

// NewSoftmaxRun returns a run with space for the given number of rows, which have k classes.
func NewSoftmaxRun(k, rows int) *SoftmaxRun {
	ld := Width(rows)
	all := make([]float64, 4*k*ld+ld+4*k)
	take := func(n int) (part []float64) {
		part, all = all[:n:n], all[n:]
		return part
	}
	return &SoftmaxRun{K: k, LD: ld, A: take(k * ld), T: take(k * ld), Y: take(k * ld), D: take(k * ld),
		Weights: take(ld),
		a:       take(k), t: take(k), y: take(k), c: take(k)}
}

// Row copies the K numbers of row r to dst. The argument `values` is the slice A, T, Y or D of the
// run.
func (s *SoftmaxRun) Row(dst, values []float64, r int) {
	for k := range dst {
		dst[k] = values[k*s.LD+r]
	}
}

// SoftmaxSums contains sums over rows. In E, Pearson, Noise and Wrong, the term of each row is
// multiplied by the row's weight.
type SoftmaxSums struct {
	E       float64 // Σ −t_k ln y_k
	Pearson float64 // Σ (y_k−t_k)²/(y_k(1−y_k))
	Noise   float64 // Σ (4|y_k−t_k| + y_k·|a_k − max a|) over all classes except one with the largest activation
	// sum of the row weights of the misclassified rows, in which the largest activation and the
	// largest target belong to different classes
	Wrong  float64
	Margin float64 // smallest a_j − a_k, where j is the first class with t > 0 and k is a class with t = 0
	Soft   bool    // whether any row has several classes with t > 0
}

func (plainKernels) Softmax(s *SoftmaxRun, n int, to *SoftmaxSums) {
	for r := range n {
		weight := s.Weights[r]
		s.Row(s.a, s.A, r)
		s.Row(s.t, s.T, r)
		m, l := kernels.SoftmaxParts(s.y, s.c, s.a)
		e, pearson, top := l, 0.0, false
		for k, v := range s.t {
			y, c, a := s.y[k], s.c[k], s.a[k]
			if v != 0 {
				e += v * (m - a)
			}
			// Computed as y(1−t) − t(1−y), the difference y−t loses no digits if t is 0 or 1.
			d := y*(1-v) - v*c
			s.Y[k*s.LD+r], s.D[k*s.LD+r] = y, d
			if d != 0 {
				pearson += d * (d / (y * c))
			}
			if a == m && !top {
				top = true
				continue
			}
			to.Noise += weight * (4*math.Abs(d) + y*(m-a))
		}
		to.Pearson += pearson * weight
		to.E += e * weight
		s.countRow(to, weight)
	}
}

// countRow updates the fields Wrong, Margin and Soft of the sums with the current row.
func (s *SoftmaxRun) countRow(to *SoftmaxSums, weight float64) {
	own, class := slices.IndexFunc(s.t, func(v float64) bool { return v > 0 }), 0
	for k, v := range s.a {
		if v > s.a[class] {
			class = k
		}
		switch {
		case k == own:
		case s.t[k] != 0:
			to.Soft = true
		default:
			to.Margin = math.Min(to.Margin, s.a[own]-v)
		}
	}
	if s.t[class] < slices.Max(s.t) {
		to.Wrong += weight
	}
}
