package classify

import (
	"math"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// glm is the likelihood part of a generalized linear model: a design matrix,
// targets, and a loss of each row's activation.
type glm struct {
	design *block.Design
	t      []float64
	loss   loss
	n, m   int
	many   *softmaxRows // not nil: several activations per row, which it evaluates; loss and t are nil
}

func newGLM(d *block.Design, t []float64, l loss) *glm {
	n, m := d.Dims()
	return &glm{design: d, t: slices.Clone(t), loss: l, n: n, m: m}
}

// level says what evaluate computes besides the value.
type level int

const (
	onlyValue    level = iota
	withGradient       // ∇E = Σ e′_n φ_n
	withGram           // and ∇∇E = Σ e″_n φ_nφ_nᵀ as a Gram matrix
	withTriangle       // or as the factor R of √e″·φ, with e′/√e″ as one more column
)

// evaluation is the likelihood part of the objective at one w, by one pass.
type evaluation struct {
	e        float64
	grad     []float64
	gram     *block.Gram
	tri      *block.Triangle
	wrong    int     // rows with t > ½ and a ≤ 0, or t ≤ ½ and a > 0
	margin   float64 // least a_n of rows with t = 1 and −a_n of rows with t = 0
	hard     bool    // all t are 0 or 1
	steepest float64 // largest |e′|/√e″
}

// evaluate makes the one fused pass over the rows: activations, loss, gradient,
// and the weighted second moments of each block while it is in cache.
func (g *glm) evaluate(w []float64, lv level) *evaluation {
	if g.many != nil {
		return g.many.evaluate(w, lv)
	}
	extra := 0
	if lv == withTriangle {
		extra = 1
	}
	return block.Reduce(g.design, extra, func() *evaluation {
		ev := &evaluation{grad: make([]float64, g.m), margin: math.Inf(1), hard: true}
		switch lv {
		case withGram:
			ev.gram = block.NewGram(g.m)
		case withTriangle:
			ev.tri = block.NewTriangle(g.m + 1)
		}
		return ev
	}, func(rows int) func(*evaluation, *block.Block) {
		a, d1, d2 := make([]float64, rows), make([]float64, rows), make([]float64, rows)
		return func(ev *evaluation, b *block.Block) {
			a, d1, d2 := a[:b.N], d1[:b.N], d2[:b.N]
			t := g.t[b.Lo : b.Lo+b.N]
			b.Margins(w, a)
			ev.e += g.loss.eval(a, t, d1, d2)
			ev.sides(a, t)
			if lv == onlyValue {
				return
			}
			b.AddRows(ev.grad, d1)
			if lv == withGradient {
				return
			}
			for r, h := range d2 {
				d2[r] = math.Sqrt(h)
				if lv == withTriangle {
					q := d1[r]
					if q != 0 {
						q /= d2[r]
					}
					b.Set(r, 0, q)
					ev.steepest = math.Max(ev.steepest, math.Abs(q))
				}
			}
			b.ScaleRows(d2)
			if lv == withGram {
				ev.gram.Add(b)
			} else {
				ev.tri.Add(b)
			}
		}
	}, func(dst, src *evaluation) { dst.merge(src) })
}

// sides counts the misclassified rows and keeps the least margin.
func (ev *evaluation) sides(a, t []float64) {
	for n, v := range a {
		if (v > 0) != (t[n] > 0.5) {
			ev.wrong++
		}
		switch t[n] {
		case 1:
			ev.margin = math.Min(ev.margin, v)
		case 0:
			ev.margin = math.Min(ev.margin, -v)
		default:
			ev.hard = false
		}
	}
}

func (ev *evaluation) merge(o *evaluation) {
	ev.e += o.e
	for i, v := range o.grad {
		ev.grad[i] += v
	}
	if ev.gram != nil {
		ev.gram.Merge(o.gram)
	}
	if ev.tri != nil {
		ev.tri.Merge(o.tri)
	}
	ev.wrong += o.wrong
	ev.margin = math.Min(ev.margin, o.margin)
	ev.hard = ev.hard && o.hard
	ev.steepest = math.Max(ev.steepest, o.steepest)
}
