package variational

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// State is the Gaussian q(w) = N(m_N, S_N) for one vector of parameters ξ, in inner coordinates.
type State struct {
	R     *linalg.Upper // S_N⁻¹ = RᵀR
	root  [][]float64   // columns of R⁻¹, where column k has k+1 numbers
	Mean  []float64     // m_N
	Bound float64       // L(ξ)
	jump  []float64     // more accurate mean m_N for the next iteration, or nil
	// length of the step that rounding errors of the gradient can cause (see newtonMean); 0 if
	// newtonMean did not compute it
	roundingStep float64
}

// sums contains the sums of a pass with the new ξ. With u = w − m0, the logarithm of the
// variational bound on the likelihood is −½uᵀGu + bᵀu + rest, where
//
//	G = 2Σ λ_nφ_nφ_nᵀ, b = Σ (t_n−½−2λ_n·a_n)φ_n, a_n = m0ᵀφ_n,
//
// and rest = Σ {(t_n−½)a_n − λ_n·a_n² + c(ξ_n)}. The differences u keep their digits even if the
// prior is narrow and m0 is far from 0.
type sums struct {
	gram   *block.Gram     // matrix G; nil if `tri` is used
	tri    *block.Triangle // factor of G; nil if `gram` is used
	curve  *block.Gram     // matrix Σ h_nφ_nφ_nᵀ (see newtonMean); nil if not needed
	b      []float64
	rest   float64
	change float64 // max |Δξ_n|/(1+ξ_n)
	square float64 // Σ (Δξ_n)²
}

func (s *sums) merge(o *sums) {
	if s.gram != nil {
		s.gram.Merge(o.gram)
	} else {
		s.tri.Merge(o.tri)
	}
	if s.curve != nil {
		s.curve.Merge(o.curve)
	}
	floats.Add(s.b, o.b)
	s.rest += o.rest
	s.change = math.Max(s.change, o.change)
	s.square += o.square
}

// pass makes a pass over the rows, usually the only pass in an iteration. While a block of rows is in
// cache, pass computes the new ξ of these rows from q and writes them to `xi`. It then adds the rows
// to the sums for the next q. If q is nil, pass does not change `xi`. If `old` is not nil, pass first
// copies the previous ξ to `old`.
func (f *Fit) pass(q *State, xi, old []float64) *sums {
	m := f.GLM.M
	shifted := floats.Norm(f.m0, math.Inf(1)) > 0
	curved := q != nil && !f.o.Plain
	return block.Reduce(f.GLM.Design, 0, func() *sums {
		s := &sums{b: make([]float64, m)}
		if f.lv == glm.WithGram {
			s.gram = block.NewGram(m)
		} else {
			s.tri = block.NewTriangle(m)
		}
		if curved {
			s.curve = block.NewGram(m)
		}
		return s
	}, func(rows int) func(*sums, *block.Block) {
		mu, v, a, w := make([]float64, rows), make([]float64, rows), make([]float64, rows), make([]float64, rows)
		var scaled *block.Block
		if curved {
			scaled = block.NewRows(m, rows)
		}
		return func(s *sums, b *block.Block) {
			xi := xi[b.Lo : b.Lo+b.N]
			if old != nil {
				copy(old[b.Lo:], xi)
			}
			if q != nil {
				b.Margins(q.Mean, mu)
				variationalVariances(b, q.root, v)
				for r, before := range xi {
					xi[r] = math.Hypot(mu[r], math.Sqrt(v[r]))
					d := math.Abs(xi[r] - before)
					s.change = math.Max(s.change, d/(1+before))
					s.square += b.W.At(r) * d * d
				}
			}
			if shifted {
				b.Margins(f.m0, a)
			}
			for r, x := range xi {
				λ, c := kernels.Jaakkola(x)
				h := f.GLM.T[b.Lo+r] - 0.5
				s.rest += b.W.At(r) * (c + a[r]*(h-λ*a[r]))
				w[r] = h - 2*λ*a[r]
				if curved {
					mu[r] = rootCurvature(x, mu[r], v[r], λ)
				}
				v[r] = math.Sqrt(2 * λ)
			}
			b.AddRows(s.b, w)
			if curved {
				scaled.Scaled(b, mu)
				s.curve.Add(scaled)
			}
			b.ScaleRows(v)
			if s.gram != nil {
				s.gram.Add(b)
			} else {
				s.tri.Add(b)
			}
		}
	}, (*sums).merge)
}

// variationalVariances sets v to φᵀSφ = Σ_k (φᵀr_k)² for each row φ, where S = Σ r_kr_kᵀ. The
// argument `root` contains the columns r_k, where r_k has k+1 numbers. The function processes four
// rows at a time, so that it reads each r_k less often.
func variationalVariances(b *block.Block, root [][]float64, v []float64) {
	clear(v[:b.N])
	r := 0
	for ; r+4 <= b.N; r += 4 {
		z := b.Z[r*b.LD:]
		for _, c := range root {
			z0, z1 := z[:len(c)], z[b.LD:][:len(c)]
			z2, z3 := z[2*b.LD:][:len(c)], z[3*b.LD:][:len(c)]
			var s0, s1, s2, s3 float64
			for j, u := range c {
				s0 += u * z0[j]
				s1 += u * z1[j]
				s2 += u * z2[j]
				s3 += u * z3[j]
			}
			v[r] += s0 * s0
			v[r+1] += s1 * s1
			v[r+2] += s2 * s2
			v[r+3] += s3 * s3
		}
	}
	for ; r < b.N; r++ {
		z := b.Z[r*b.LD:]
		for _, c := range root {
			s := linalg.Dot(c, z[:len(c)])
			v[r] += s * s
		}
	}
}

// nextState makes one pass over the rows and returns the q that its sums determine, and these sums.
// If the Gram matrix is too ill conditioned, nextState repeats the pass with the orthogonal factor,
// and switches to this factor for all further passes.
func (f *Fit) nextState(q *State, xi, old []float64) (*State, *sums, error) {
	s := f.pass(q, xi, old)
	f.Passes++
	r := f.factor(s)
	if r == nil && f.lv == glm.WithGram {
		f.lv = glm.WithTriangle
		t := f.pass(nil, xi, nil)
		f.Passes++
		s.gram, s.tri = nil, t.tri
		r = f.factor(s)
	}
	if r == nil {
		return nil, nil, errors.New("the precision of the weights is not positive definite in double precision: standardise the columns of x, or narrow the prior")
	}
	st := &State{R: r}
	z := r.SolveT(s.b)
	st.Mean = r.Solve(z)
	floats.Add(st.Mean, f.m0)
	inv := r.Inverse()
	for k := range f.GLM.M {
		c := make([]float64, k+1)
		for j := range c {
			c[j] = inv.At(j, k)
		}
		st.root = append(st.root, c)
	}
	if s.curve != nil {
		st.jump, st.roundingStep = f.newtonMean(q, st, s)
	}
	st.Bound = f.Prior.LogNormalizer() + float64(f.GLM.M)/2*kernels.Log2Pi - r.LogDet()/2 + linalg.Dot(z, z)/2 + s.rest
	for _, v := range f.Coord.Scale { // |S_N| equals |B|²|S′|, with |B| = Π s_j
		st.Bound += math.Log(v)
	}
	return st, s, nil
}

// cholesky factorises the sum of S0⁻¹ and the matrix g (see linalg.Cholesky).
func (f *Fit) cholesky(g *block.Gram) (*linalg.Upper, float64) {
	return linalg.Cholesky(func(i, j int) float64 {
		h := g.At(i, j)
		for _, row := range f.Root {
			h += row[i] * row[j]
		}
		return h
	}, f.GLM.M)
}

// factor returns the factor R of S_N⁻¹ = S0⁻¹ + G. It returns nil if R is singular, or if R was
// computed from a Gram matrix and is too inaccurate.
func (f *Fit) factor(s *sums) *linalg.Upper {
	if s.gram != nil {
		r, pivot := f.cholesky(s.gram)
		if r == nil || pivot < linalg.WellConditioned || !r.Regular() {
			return nil
		}
		return r
	}
	for _, row := range f.Root {
		s.tri.AddRow(row)
	}
	if r := linalg.Leading(s.tri, f.GLM.M); r.Regular() {
		return r
	}
	return nil
}
