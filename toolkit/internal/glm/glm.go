package glm

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// Likelihood is the likelihood of a generalized linear model. It consists of a design matrix,
// targets, and a loss of each row's activation.
type Likelihood struct {
	Design *block.Design
	T      []float64 // targets; if nil, the source of the design contains them
	Loss   Loss
	N, M   int
	Many   *softmaxRows // not nil for the softmax of several classes; Loss and T are then nil
}

// New returns the likelihood of targets t, one per row of the design. It keeps a reference to t.
func New(d *block.Design, t []float64, l Loss) *Likelihood {
	n, m := d.Dims()
	return &Likelihood{Design: d, T: t, Loss: l, N: n, M: m}
}

// Targets returns the targets of the rows lo … hi−1.
func (g *Likelihood) Targets(lo, hi int) []float64 { return g.Design.Source().Targets(g.T, lo, hi) }

// Level determines what Evaluate computes in addition to the value.
type Level int

const (
	OnlyValue    Level = iota
	WithGradient       // the gradient ∇E = Σ e′_n φ_n
	WithGram           // the gradient, and the Hessian ∇∇E = Σ e″_n φ_nφ_nᵀ as a Gram matrix
	WithTriangle       // the gradient, and the factor R of the rows √e″·φ with the extra column e′/√e″
)

// Evaluation contains what one pass computes for one vector of weights w: the loss E, its
// derivatives, and statistics of the rows. In every sum, the term of a row is multiplied by the weight
// of the row. For a softmax, vec.SoftmaxSums defines Wrong and Margin, and Hard reports whether every
// row has a single class with a positive target. For other losses, Pearson, CurvatureSum and Noise are 0 at
// level OnlyValue and in the results of EvaluateExact.
type Evaluation struct {
	E            float64
	Grad         []float64
	Gram         *block.Gram
	Tri          *block.Triangle
	Wrong        float64 // sum of the row weights of the misclassified rows: t > ½ and a ≤ 0, or t ≤ ½ and a > 0
	Margin       float64 // smallest signed activation: the minimum of all a_n with t = 1 and all −a_n with t = 0
	Hard         bool    // whether every target t is 0 or 1
	Steepest     float64 // largest |e′|/√e″ of all rows; computed only at level WithTriangle
	Pearson      float64 // Pearson's χ² = Σ e′_n²/e″_n (for a softmax, also over the classes)
	CurvatureSum float64 // Σ e″_n; for a softmax the sum of the row weights, which is an upper bound
	Noise        float64 // Σ(4|e′_n| + |e″_na_n|), an upper bound on the rounding errors of the e′_n, in units of 2⁻⁵³

	Info *Information // not nil only with Jeffreys' prior; Grad then includes the gradient of the prior's penalty
}

// Evaluate computes the likelihood for weights w in a single pass over the rows. While a block of
// rows is in cache, it computes the activations, the loss, the gradient and the weighted second
// moments of the block.
func (g *Likelihood) Evaluate(w []float64, lv Level) *Evaluation {
	if g.Many != nil {
		return g.Many.evaluate(w, lv)
	}
	extra := 0
	if lv == WithTriangle {
		extra = 1
	}
	return block.Reduce(g.Design, extra, func() *Evaluation {
		ev := &Evaluation{Grad: make([]float64, g.M), Margin: math.Inf(1), Hard: true}
		switch lv {
		case WithGram:
			ev.Gram = block.NewGram(g.M)
		case WithTriangle:
			ev.Tri = block.NewTriangle(g.M + 1)
		}
		return ev
	}, func(int) func(*Evaluation, *block.Block) {
		return func(ev *Evaluation, b *block.Block) {
			a, d1, d2 := b.Scratch(0), b.Scratch(1), b.Scratch(2)
			t := g.Targets(b.Lo, b.Lo+b.N)
			b.Margins(w, a)
			ev.E += Eval(g.Loss, a, t, d1, d2, b.W)
			ev.countSides(a, t, b.W)
			if lv == OnlyValue {
				return
			}
			b.AddRows(ev.Grad, d1)
			ev.addStatistics(a, d1, d2, b.W)
			if lv == WithGradient {
				return
			}
			b.ScaleRows(d2) // d2 now contains the square roots that addStatistics wrote
			if lv == WithGram {
				ev.Gram.Add(b)
				return
			}
			for r, q := range d1 {
				if q != 0 {
					q /= d2[r]
				}
				b.Set(r, 0, q)
				ev.Steepest = math.Max(ev.Steepest, math.Abs(q))
			}
			ev.Tri.Add(b)
		}
	}, func(dst, src *Evaluation) { dst.merge(src) })
}

// countSides counts the misclassified rows and updates the fields Margin and Hard.
func (ev *Evaluation) countSides(a, t []float64, w block.Weights) {
	if w == nil {
		wrong, margin, hard := vec.For(len(a)).Sides(a, t)
		ev.Wrong += float64(wrong)
		ev.Margin = math.Min(ev.Margin, margin)
		ev.Hard = ev.Hard && hard
		return
	}
	for n := range a {
		wrong, margin, hard := vec.For(1).Sides(a[n:n+1], t[n:n+1])
		ev.Wrong += float64(wrong) * w[n]
		ev.Margin = math.Min(ev.Margin, margin)
		ev.Hard = ev.Hard && hard
	}
}

// addStatistics adds the terms of the rows to the sums Pearson, CurvatureSum and Noise. It replaces the
// numbers in d2 with their square roots.
func (ev *Evaluation) addStatistics(a, d1, d2 []float64, w block.Weights) {
	add := func(s vec.Sizes, weight float64) {
		ev.Pearson += weight * s.Pearson
		ev.CurvatureSum += weight * s.CurvatureSum
		ev.Noise += weight * (4*s.Slopes + s.Moved)
	}
	if w == nil {
		add(vec.For(len(a)).Sizes(a, d1, d2), 1)
		return
	}
	for n := range a {
		add(vec.For(1).Sizes(a[n:n+1], d1[n:n+1], d2[n:n+1]), w[n])
	}
}

func (ev *Evaluation) merge(o *Evaluation) {
	ev.E += o.E
	for i, v := range o.Grad {
		ev.Grad[i] += v
	}
	if ev.Gram != nil {
		ev.Gram.Merge(o.Gram)
	}
	if ev.Tri != nil {
		ev.Tri.Merge(o.Tri)
	}
	ev.Wrong += o.Wrong
	ev.Margin = math.Min(ev.Margin, o.Margin)
	ev.Hard = ev.Hard && o.Hard
	ev.Steepest = math.Max(ev.Steepest, o.Steepest)
	ev.Pearson += o.Pearson
	ev.CurvatureSum += o.CurvatureSum
	ev.Noise += o.Noise
}
