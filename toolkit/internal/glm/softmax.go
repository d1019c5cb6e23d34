package glm

import (
	"math"
	"slices"
	"sync"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// softmaxRows is the likelihood of a softmax model. A Likelihood uses it instead of a Loss, which
// depends on a single activation. The weights are the vectors w_1, w_2, …, w_K one after the other,
// with m = D+1 numbers for each class.
type softmaxRows struct {
	design *block.Design
	K, m   int // number of classes, and number of weights per class
	T      *ClassTargets
}

// NewSoftmax returns the likelihood of a softmax. Each row of the design contributes K−1 rows to
// the quadratic form, so the field N is K−1 times the number of rows.
func NewSoftmax(d *block.Design, t *ClassTargets) *Likelihood {
	n, m := d.Dims()
	return &Likelihood{Design: d, N: n * (t.K - 1), M: m * t.K, Many: &softmaxRows{d, t.K, m, t}}
}

// softmaxSums are the sums over one chunk of rows: the evaluation, and a weighted Gram matrix for
// each pair of classes. After the last row, evaluate assembles the Hessian from these Gram
// matrices.
type softmaxSums struct {
	*Evaluation
	pairs []float64 // one row of numbers for each pair of classes: Σ_n y_nj y_nk φ_nu φ_nv, u ≤ v
}

func (s *softmaxRows) newSums(lv Level) *softmaxSums {
	sums := &softmaxSums{Evaluation: &Evaluation{Grad: make([]float64, s.K*s.m), Margin: math.Inf(1), Hard: true}}
	switch lv {
	case WithGram:
		sums.pairs = block.Numbers(s.paddedPairs() * vec.PackedSquare(s.m))
	case WithTriangle:
		sums.Tri = block.NewTriangle(s.K*s.m + 1)
	}
	return sums
}

// Size returns approximately how many numbers the sums of a chunk contain. At the levels OnlyValue and
// WithGradient, which need fewer numbers, it returns the same number as at level WithGram.
func (s *softmaxRows) Size(lv Level) int {
	if lv == WithTriangle {
		return s.K * s.m * s.K * s.m
	}
	return s.K * (s.K - 1) / 2 * s.m * s.m
}

// paddedPairs returns the number of pairs of classes, rounded up to fill whole vector registers.
func (s *softmaxRows) paddedPairs() int { return vec.Width(s.K * (s.K - 1) / 2) }

// evaluate makes a single pass over the rows for all classes.
//
// At level WithGram, it computes the Hessian from one Gram matrix for each pair of classes:
//
//	H = Σ_{j<k} (e_j−e_k)(e_j−e_k)ᵀ ⊗ Σ_n y_nj y_nk φ_nφ_nᵀ.
//
// Because 1−y_j = Σ_{k≠j} y_k, this sum equals PRML (4.110) without the minus sign, which is a
// misprint. No factor y_nj y_nk is negative, so the sum loses no digits to cancellation, even if
// y is near 0 or 1.
func (s *softmaxRows) evaluate(w []float64, lv Level) *Evaluation {
	var mu sync.Mutex
	var used []*softmaxPass
	sums := block.ReduceWide(s.design, s.Size(lv), func() *softmaxSums { return s.newSums(lv) },
		func(rows int) func(*softmaxSums, *block.Block) {
			p := s.newPass(rows, lv)
			mu.Lock()
			used = append(used, p)
			mu.Unlock()
			return func(sums *softmaxSums, b *block.Block) { p.run(sums, b, w) }
		}, func(dst, src *softmaxSums) {
			dst.merge(src.Evaluation)
			for i, v := range src.pairs {
				dst.pairs[i] += v
			}
			block.Release(src.pairs)
		})
	for _, p := range used {
		p.softmaxRows = nil // releases the rows
		passes.Put(p)
	}
	if lv == WithGram {
		sums.Gram = block.NewGram(s.K * s.m)
		g := sums.pairs
		for j := range s.K {
			for k := j + 1; k < s.K; k++ {
				sums.Gram.AddPacked(j*s.m, j*s.m, s.m, 1, g)
				sums.Gram.AddPacked(k*s.m, k*s.m, s.m, 1, g)
				sums.Gram.AddPacked(j*s.m, k*s.m, s.m, -1, g)
				g = g[vec.PackedSquare(s.m):]
			}
		}
		block.Release(sums.pairs)
	}
	return sums.Evaluation
}

// softmaxPass is the scratch memory of one goroutine.
type softmaxPass struct {
	*softmaxRows
	by      *vec.SoftmaxRun // activations, targets, posteriors
	lv      Level
	m, rows int
	t, buf  []float64 // targets by rows
	y, d, s []float64 // scratch memory for one row
	sums    vec.SoftmaxSums
	weight  []float64 // the products y_j y_k of all pairs of classes, times the row's weight, row by row
	squares []float64 // for rowsAtOnce rows, the products φ_u φ_v, u ≤ v, row by row
	factor  *block.Block
}

// passes keeps the scratch memory of finished passes for reuse.
var passes sync.Pool

// newPass returns scratch memory for blocks of the given number of rows. It reuses the memory of a
// finished pass of the same size if possible.
func (s *softmaxRows) newPass(rows int, lv Level) *softmaxPass {
	p, ok := passes.Get().(*softmaxPass)
	if !ok || len(p.y) != s.K || p.m != s.m || p.rows != rows {
		p = &softmaxPass{by: vec.NewSoftmaxRun(s.K, rows), m: s.m, rows: rows}
		p.y, p.d, p.s = make([]float64, s.K), make([]float64, s.K), make([]float64, s.K)
	}
	p.softmaxRows, p.lv = s, lv
	if s.T.Soft != nil && p.t == nil {
		p.t, p.buf = make([]float64, s.K*rows), make([]float64, s.K*rows)
	}
	switch {
	case lv == WithGram && p.weight == nil:
		p.weight, p.squares = make([]float64, rows*s.paddedPairs()), make([]float64, p.rowsAtOnce()*vec.PackedSquare(s.m))
	case lv == WithTriangle && p.factor == nil:
		p.factor = block.NewRows(s.K*s.m+1, block.Rows(s.K*s.m+1))
	}
	return p
}

func (p *softmaxPass) run(ev *softmaxSums, b *block.Block, w []float64) {
	p.read(b, w)
	for r := range b.N {
		p.by.Weights[r] = b.W.At(r)
		ev.CurvatureSum += p.by.Weights[r]
	}
	s := &p.sums
	*s = vec.SoftmaxSums{E: ev.E, Pearson: ev.Pearson, Noise: ev.Noise, Wrong: ev.Wrong, Margin: ev.Margin,
		Soft: !ev.Hard}
	vec.For(b.N).Softmax(p.by, b.N, s)
	ev.E, ev.Pearson, ev.Noise, ev.Wrong, ev.Margin, ev.Hard = s.E, s.Pearson, s.Noise, s.Wrong, s.Margin, !s.Soft
	if p.lv == OnlyValue {
		return
	}
	for k := range p.K {
		b.AddRows(ev.Grad[k*p.m:(k+1)*p.m], p.by.D[k*p.by.LD:])
	}
	switch p.lv {
	case WithGram:
		p.weighPairs(b.N)
		p.addSecondMoments(ev, b)
	case WithTriangle:
		for r := range b.N {
			p.by.Row(p.y, p.by.Y, r)
			p.by.Row(p.d, p.by.D, r)
			p.addTriangle(ev, b.Row(r)[:p.m], math.Sqrt(p.by.Weights[r]))
		}
		ev.Tri.Add(p.factor)
		p.factor.Reset()
	}
}

// weighPairs writes the products of y_j, y_k and the row's weight to p.weight. It does this for all
// pairs of classes j, k and for the first n rows.
func (p *softmaxPass) weighPairs(n int) {
	for r := range n {
		p.by.Row(p.y, p.by.Y, r)
		pair := p.weight[r*p.paddedPairs():]
		for j, v := range p.y {
			v *= p.by.Weights[r]
			for k, u := range p.y[j+1:] {
				pair[k] = v * u
			}
			pair = pair[p.K-j-1:]
		}
	}
}

// addSecondMoments adds the second moments of all pairs of classes with one matrix product for every
// rowsAtOnce rows. One matrix contains the weighted factors y_j y_k of the pairs, and the other
// contains the products φ_u φ_v.
func (p *softmaxPass) addSecondMoments(sums *softmaxSums, b *block.Block) {
	k, lda, ldv := vec.For(b.N), p.paddedPairs(), vec.PackedSquare(p.m)
	for lo := 0; lo < b.N; lo += p.rowsAtOnce() {
		n := min(p.rowsAtOnce(), b.N-lo)
		k.PackSquare(p.squares, ldv, b.Z[lo*b.LD:], b.LD, p.m, n)
		k.Cross(sums.pairs, p.weight[lo*lda:], lda, p.squares, ldv, n)
	}
}

// rowsAtOnce returns the number of rows that addSecondMoments processes together. The products φ_u
// φ_v of these rows fill at most 128 kB of the second-level cache, unless eight rows need more.
func (p *softmaxPass) rowsAtOnce() int { return min(max(1<<14/vec.PackedSquare(p.m), 8), p.rows) }

// read computes the activations of the block's rows for the weights w, and reads the targets of
// these rows.
func (p *softmaxPass) read(b *block.Block, w []float64) {
	for k := range p.K {
		b.Margins(w[k*p.m:(k+1)*p.m], p.by.A[k*p.by.LD:])
	}
	if p.T.Soft == nil {
		clear(p.by.T)
		for r, class := range p.T.labels(b.Lo, b.Lo+b.N) {
			p.by.T[class*p.by.LD+r] = 1
		}
		return
	}
	p.T.Read(b.Lo, b.Lo+b.N, p.t, p.buf)
	for r := range b.N {
		for k, v := range p.t[r*p.K : (r+1)*p.K] {
			p.by.T[k*p.by.LD+r] = v
		}
	}
}

// firstClass returns the first class whose target is above 0.
func firstClass(t []float64) int {
	return slices.IndexFunc(t, func(v float64) bool { return v > 0 })
}

// addTriangle adds one row's part of the quadratic form to the triangular factor of this form, as at
// most K−1 rows. Row i of these rows separates class i from the classes after i. It is omitted if
// c_i = 0. With s_i = Σ_{j>i} y_j,
//
//	diag(y) − yyᵀ = Σ_i c_i² v_iv_iᵀ, c_i² = y_i s_i/(y_i+s_i), v_i = e_i − Σ_{j>i} (y_j/s_i) e_j.
//
// The last column contains β_i/c_i, where the gradient y−t is Σ_i β_i v_i. addTriangle multiplies
// all columns by `root`, the square root of the row's weight. It collects the rows in p.factor and
// adds them to the triangular factor whenever p.factor is full. The caller must add the last rows.
func (p *softmaxPass) addTriangle(sums *softmaxSums, phi []float64, root float64) {
	tails := p.s
	tails[p.K-1] = 0
	for i := p.K - 2; i >= 0; i-- {
		tails[i] = tails[i+1] + p.y[i+1]
	}
	var carry float64 // Σ_{i<k} β_i/s_i
	for i := range p.K - 1 {
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
				sums.Steepest = math.Inf(1)
			}
			continue
		}
		if p.factor.Full() {
			sums.Tri.Add(p.factor)
			p.factor.Reset()
		}
		row := p.factor.Append()
		for j := i; j < p.K; j++ {
			v := c * root
			if j > i {
				v *= -(p.y[j] / s)
			}
			for u, f := range phi {
				row[j*p.m+u] = v * f
			}
		}
		row[p.K*p.m] = beta / c * root
		sums.Steepest = math.Max(sums.Steepest, math.Abs(beta/c))
	}
}

// For several classes, the likelihood has no maximum if and only if there are vectors d_k, one for
// each class, with three properties. First, d_tᵀφ ≥ d_kᵀφ for every row φ, its class t and every
// other class k. Second, if several classes of a row have positive targets, their d_kᵀφ are equal.
// Third, some difference d_j − d_k is not in the null space of Φ. Each row therefore gives K−1
// contrasts (e_t − e_k) ⊗ φ, which replace the signed rows of the two-class case. The proof in the
// comment on minimumEnclosed, in package solve, also holds for contrasts. The reason is that the
// third derivative of ln Σ exp(a_k) in the direction h is a third cumulant, which is at most max_k
// h_k − min_k h_k times the second cumulant.

// Contrasts calls f for each contrast of a row that has the activations a and the targets t. The
// arguments of f are the class of the row, a different class k, and the margin of the contrast. The
// margin is a_class − a_k, or −|a_class − a_k| if class k also has a positive target.
func Contrasts(a, t []float64, f func(own, other int, margin float64)) {
	own := firstClass(t)
	for k, v := range t {
		switch {
		case k == own:
		case v > 0:
			f(own, k, -math.Abs(a[own]-a[k]))
		default:
			f(own, k, a[own]-a[k])
		}
	}
}

// softmaxEachRow calls the function `row` for every row of the design and returns the merged
// accumulator. The arguments of `row` include φ, the activations for weights w, and the targets.
func softmaxEachRow[A any](s *softmaxRows, w []float64, newAcc func() A, row func(acc A, phi, a, t []float64),
	merge func(dst, src A)) A {
	return block.ReduceWide(s.design, s.K*s.m*s.K*s.m, newAcc, func(rows int) func(A, *block.Block) {
		p := s.newPass(rows, OnlyValue)
		return func(acc A, b *block.Block) {
			p.read(b, w)
			a, t := p.y, p.d
			for r := range b.N {
				p.by.Row(a, p.by.A, r)
				p.by.Row(t, p.by.T, r)
				row(acc, b.Row(r), a, t)
			}
		}
	}, merge)
}

// Leverage returns the largest zᵀCCᵀz over all rows and pairs of classes, where z = (e_j−e_k) ⊗ φ
// and the argument `cols` contains the columns of C.
func (s *softmaxRows) Leverage(cols [][]float64) float64 {
	return *block.ReduceWide(s.design, 1, func() *float64 { return new(float64) },
		func(rows int) func(*float64, *block.Block) {
			a, sum := make([]float64, s.K*rows), make([]float64, s.K*s.K*rows)
			return func(most *float64, b *block.Block) {
				clear(sum)
				for _, c := range cols {
					for k := range s.K {
						b.Margins(c[k*s.m:(k+1)*s.m], a[k*rows:])
					}
					for j := range s.K {
						for k := range j {
							for r := range b.N {
								d := a[j*rows+r] - a[k*rows+r]
								sum[(j*s.K+k)*rows+r] += d * d
							}
						}
					}
				}
				for _, v := range sum {
					*most = math.Max(*most, v)
				}
			}
		}, func(dst, src *float64) { *dst = math.Max(*dst, *src) })
}

// Along selects the contrasts whose margins grow by less than the argument `growth` if the weights
// move along d. It returns the triangular factor of the matrix of these contrasts.
func (s *softmaxRows) Along(d []float64, growth float64) *block.Triangle {
	p := s.K * s.m
	return softmaxEachRow(s, d, func() *block.Triangle { return block.NewTriangle(p) },
		func(tri *block.Triangle, phi, a, t []float64) {
			Contrasts(a, t, func(own, other int, margin float64) {
				if margin >= growth {
					return
				}
				z := make([]float64, p)
				for u, v := range phi {
					z[own*s.m+u], z[other*s.m+u] = v, -v
				}
				tri.AddRow(z)
			})
		}, (*block.Triangle).Merge)
}

// Certify computes the margins of all contrasts for the weights dir, a vector of length 1. The
// result `ok` reports whether all margins are at least −`zero` and some margins are clearly
// positive. The argument `zero` allows for rounding errors. The result rowsOnPlane is the number of
// rows with a margin of about zero.
func (s *softmaxRows) Certify(dir []float64, zero float64) (rowsOnPlane int, ok bool) {
	type sides struct{ on, right, wrong int }
	c := softmaxEachRow(s, dir, func() *sides { return new(sides) },
		func(c *sides, _, a, t []float64) {
			onPlane := false
			Contrasts(a, t, func(_, _ int, margin float64) {
				switch {
				case margin < -zero:
					c.wrong++
				case margin > 1e4*zero:
					c.right++
				default:
					onPlane = true
				}
			})
			if onPlane {
				c.on++
			}
		}, func(dst, src *sides) { dst.on += src.on; dst.right += src.right; dst.wrong += src.wrong })
	return c.on, c.wrong == 0 && c.right > 0
}
