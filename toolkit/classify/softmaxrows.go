package classify

import (
	"math"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// softmaxRows is the likelihood part of a softmax model, in place of the loss of
// a single activation. Weights are one vector, class after class: w_1, w_2 … w_K
// of M = D+1 each.
type softmaxRows struct {
	design *block.Design
	k, m   int // classes, and weights of each
	t      *classTargets
}

// newSoftmaxGLM puts it where the solvers expect a likelihood. A row of the
// design counts K−1 times, as often as it enters the quadratic form.
func newSoftmaxGLM(d *block.Design, t *classTargets) *glm {
	n, m := d.Dims()
	return &glm{design: d, n: n * (t.k - 1), m: m * t.k, many: &softmaxRows{d, t.k, m, t}}
}

// softmaxSums are one chunk's sums: the evaluation, with the weighted Gram
// matrices of the pairs of classes apart until all rows are in.
type softmaxSums struct {
	*evaluation
	pairs []*block.Gram
}

func (s *softmaxRows) newSums(lv level) *softmaxSums {
	sums := &softmaxSums{evaluation: &evaluation{grad: make([]float64, s.k*s.m), margin: math.Inf(1), hard: true}}
	switch lv {
	case withGram:
		for range s.k * (s.k - 1) / 2 {
			sums.pairs = append(sums.pairs, block.NewGram(s.m))
		}
	case withTriangle:
		sums.tri = block.NewTriangle(s.k*s.m + 1)
	}
	return sums
}

// size is about the number of numbers in the sums.
func (s *softmaxRows) size(lv level) int {
	if lv == withTriangle {
		return s.k * s.m * s.k * s.m
	}
	return s.k * (s.k - 1) / 2 * s.m * s.m
}

// evaluate makes the one pass over the rows for all classes.
//
// The Hessian (4.110), of which the printed minus sign is wrong, is put together
// from one Gram matrix for each pair of classes,
//
//	H = Σ_{j<k} (e_j−e_k)(e_j−e_k)ᵀ ⊗ Σ_n y_nj y_nk φ_nφ_nᵀ,
//
// which is (4.110) because 1−y_j = Σ_{k≠j} y_k. All weights are positive: no
// digits are lost however near a y is to 0 or 1.
func (s *softmaxRows) evaluate(w []float64, lv level) *evaluation {
	sums := block.ReduceWide(s.design, s.size(lv), func() *softmaxSums { return s.newSums(lv) },
		func(rows int) func(*softmaxSums, *block.Block) {
			p := s.newPass(rows, lv)
			return func(sums *softmaxSums, b *block.Block) { p.run(sums, b, w) }
		}, func(dst, src *softmaxSums) {
			dst.merge(src.evaluation)
			for i, g := range src.pairs {
				dst.pairs[i].Merge(g)
			}
		})
	if lv == withGram {
		sums.gram = block.NewGram(s.k * s.m)
		i := 0
		for j := range s.k {
			for k := j + 1; k < s.k; k++ {
				g := sums.pairs[i]
				i++
				sums.gram.AddAt(j*s.m, j*s.m, 1, g)
				sums.gram.AddAt(k*s.m, k*s.m, 1, g)
				sums.gram.AddAt(j*s.m, k*s.m, -1, g)
			}
		}
	}
	return sums.evaluation
}

// softmaxPass is the scratch memory of one goroutine. Activations and gradients
// are by classes, targets by rows.
type softmaxPass struct {
	*softmaxRows
	lv         level
	rows       int
	act, grad  []float64 // K·rows each
	t, buf     []float64
	a, y, c, d []float64 // of one row
	weight     []float64
	scaled     *block.Block // rows of a pair's Gram matrix
	factor     *block.Block // rows of the triangle
}

func (s *softmaxRows) newPass(rows int, lv level) *softmaxPass {
	p := &softmaxPass{softmaxRows: s, lv: lv, rows: rows}
	p.act, p.grad, p.t = make([]float64, s.k*rows), make([]float64, s.k*rows), make([]float64, s.k*rows)
	p.a, p.y, p.c, p.d = make([]float64, s.k), make([]float64, s.k), make([]float64, s.k), make([]float64, s.k)
	if s.t.soft != nil && !s.t.soft.InMemory() {
		p.buf = make([]float64, s.k*rows)
	}
	switch lv {
	case withGram:
		p.weight, p.scaled = make([]float64, rows), block.NewRows(s.m, rows)
	case withTriangle:
		p.factor = block.NewRows(s.k*s.m+1, block.Rows(s.k*s.m+1))
	}
	return p
}

func (p *softmaxPass) run(sums *softmaxSums, b *block.Block, w []float64) {
	p.targets(b)
	for k := range p.k {
		b.Margins(w[k*p.m:(k+1)*p.m], p.act[k*p.rows:])
	}
	for r := range b.N {
		t := p.t[r*p.k : (r+1)*p.k]
		for k := range p.a {
			p.a[k] = p.act[k*p.rows+r]
		}
		m, l := kernels.SoftmaxParts(p.y, p.c, p.a)
		e := l
		for k, v := range t {
			if v != 0 {
				e += v * (m - p.a[k])
			}
			// y−t = y(1−t) − t(1−y) has no cancellation for t = 0 and 1.
			p.d[k] = p.y[k]*(1-v) - v*p.c[k]
			p.grad[k*p.rows+r] = p.d[k]
		}
		sums.e += e
		sums.place(p.a, t)
		switch p.lv {
		case withGram:
			for k, v := range p.y {
				p.act[k*p.rows+r] = math.Sqrt(v)
			}
		case withTriangle:
			p.triangle(sums, b.Row(r)[:p.m])
		}
	}
	if p.lv == onlyValue {
		return
	}
	for k := range p.k {
		b.AddRows(sums.grad[k*p.m:(k+1)*p.m], p.grad[k*p.rows:])
	}
	if p.lv == withTriangle {
		sums.tri.Add(p.factor)
		p.factor.Reset()
	}
	for i, j := 0, 0; j < p.k && p.lv == withGram; j++ {
		for k := j + 1; k < p.k; k++ {
			for r := range b.N {
				p.weight[r] = p.act[j*p.rows+r] * p.act[k*p.rows+r]
			}
			p.scaled.Scaled(b, p.weight)
			sums.pairs[i].Add(p.scaled)
			i++
		}
	}
}

// targets reads the block's targets.
func (p *softmaxPass) targets(b *block.Block) { p.softmaxRows.t.read(b.Lo, b.Lo+b.N, p.t, p.buf) }

// place counts a misclassified row, and keeps the least margin a_true − a_other.
func (ev *evaluation) place(a, t []float64) {
	own, class := first(t), 0
	for k, v := range a {
		if v > a[class] {
			class = k
		}
		switch {
		case k == own:
		case t[k] != 0:
			ev.hard = false
		default:
			ev.margin = math.Min(ev.margin, a[own]-v)
		}
	}
	if t[class] < slices.Max(t) {
		ev.wrong++
	}
}

// first returns the first class with a target above 0.
func first(t []float64) int {
	return slices.IndexFunc(t, func(v float64) bool { return v > 0 })
}

// triangle adds a row's part of the quadratic form as K−1 rows of its factor:
// with s_i = Σ_{j>i} y_j, one class is split off after the other,
//
//	diag(y) − yyᵀ = Σ_i c_i² v_iv_iᵀ,  c_i² = y_i s_i/(y_i+s_i),  v_i = e_i − Σ_{j>i} (y_j/s_i) e_j,
//
// and the last column holds β_i/c_i, where the gradient y−t is Σ_i β_i v_i.
func (p *softmaxPass) triangle(sums *softmaxSums, phi []float64) {
	tails := p.a // no longer needed
	tails[p.k-1] = 0
	for i := p.k - 2; i >= 0; i-- {
		tails[i] = tails[i+1] + p.y[i+1]
	}
	var carry float64 // Σ_{i<k} β_i/s_i
	for i := range p.k - 1 {
		s := tails[i]
		beta := p.d[i] + p.y[i]*carry
		if s > 0 {
			carry += beta / s
		}
		c := 0.0
		if q := p.y[i] + s; q > 0 {
			c = math.Sqrt(p.y[i]) * math.Sqrt(s/q)
		}
		if c == 0 {
			if beta != 0 {
				sums.steepest = math.Inf(1)
			}
			continue
		}
		if p.factor.Full() {
			sums.tri.Add(p.factor)
			p.factor.Reset()
		}
		row := p.factor.Append()
		for j := i; j < p.k; j++ {
			v := c
			if j > i {
				v = -c * (p.y[j] / s)
			}
			for u, f := range phi {
				row[j*p.m+u] = v * f
			}
		}
		row[p.k*p.m] = beta / c
		sums.steepest = math.Max(sums.steepest, math.Abs(beta/c))
	}
}
