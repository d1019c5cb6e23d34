package ex10

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	fitFunc      = func(Phi *mat.Dense, labels []int, K int) (mu *mat.Dense, Sigma *mat.SymDense)
	gradientFunc = func(Phi *mat.Dense, labels []int, mu *mat.Dense, Sigma *mat.SymDense) *mat.Dense
)

// A problem is a labelled data set.
type problem struct {
	name   string
	Phi    *mat.Dense // N×M
	labels []int      // N
	counts []int      // N_k, K of them
}

func (p problem) k() int { return len(p.counts) }

func (p problem) dims() (n, m int) { return p.Phi.Dims() }

// draw makes classes that overlap, with a common tilted covariance but for one
// class that is wider, so that weights of the classes tell.
func draw(r *rand.Rand, name string, offset, scale []float64, counts ...int) problem {
	m := len(offset)
	mix := mat.NewDense(m, m, instance.Normals(r, m*m))
	for i := range m {
		mix.Set(i, i, mix.At(i, i)+2)
	}
	p := problem{name: name, counts: counts}
	var rows [][]float64
	for k, c := range counts {
		centre := instance.Normals(r, m)
		for range c {
			var z mat.VecDense
			z.MulVec(mix, mat.NewVecDense(m, instance.Normals(r, m)))
			x := make([]float64, m)
			for j := range x {
				x[j] = offset[j] + scale[j]*(2*centre[j]+(1+0.5*float64(k))*z.AtVec(j))
			}
			rows = append(rows, x)
			p.labels = append(p.labels, k)
		}
	}
	r.Shuffle(len(rows), func(i, j int) {
		rows[i], rows[j] = rows[j], rows[i]
		p.labels[i], p.labels[j] = p.labels[j], p.labels[i]
	})
	p.Phi = mat.NewDense(len(rows), m, nil)
	for i, x := range rows {
		p.Phi.SetRow(i, x)
	}
	return p
}

func problems(n uint64) []problem {
	r := instance.Source(410, n)
	return []problem{
		draw(r, "three classes in the plane", []float64{1, -1}, []float64{1, 1}, 14, 6, 9),
		draw(r, "two classes on a line", []float64{0.5}, []float64{2}, 5, 12),
		draw(r, "four classes, three features, very unequal", []float64{0, 2, 0}, []float64{1, 1, 1}, 40, 4, 7, 3),
		draw(r, "a single class", []float64{0, 1}, []float64{1, 1}, 11),
		draw(r, "a class with one point", []float64{0, 0}, []float64{1, 1}, 1, 10),
		draw(r, "features far from the origin", []float64{1e3, -2e3}, []float64{1, 1}, 10, 8),
		draw(r, "features of very different size", []float64{0.01, 50}, []float64{1e-2, 1e2}, 12, 9, 5),
	}
}

// means are the class means, K×M.
func (p problem) means() *mat.Dense {
	_, m := p.dims()
	mu := mat.NewDense(p.k(), m, nil)
	for i, k := range p.labels {
		floats.AddScaled(mu.RawRowView(k), 1/float64(p.counts[k]), p.Phi.RawRowView(i))
	}
	return mu
}

// scatter is the sum of w_k(φ−μ_k)(φ−μ_k)ᵀ over the points, with a weight for each
// class.
func (p problem) scatter(mu *mat.Dense, weight func(k int) float64) *mat.SymDense {
	_, m := p.dims()
	s := mat.NewSymDense(m, nil)
	for i, k := range p.labels {
		v := instance.Minus(p.Phi.RawRowView(i), mu.RawRowView(k))
		s.SymRankOne(s, weight(k), mat.NewVecDense(m, v))
	}
	return s
}

// covariance is (4.162).
func (p problem) covariance() *mat.SymDense {
	n, _ := p.dims()
	return p.scatter(p.means(), func(int) float64 { return 1 / float64(n) })
}

// sizes are the standard deviations of the features within the classes, in which
// steps and misses are measured.
func (p problem) sizes() []float64 {
	s := p.covariance()
	out := make([]float64, s.SymmetricDim())
	for j := range out {
		out[j] = math.Sqrt(s.At(j, j))
	}
	return out
}

// logLikelihood is Σ_n ln N(φ_n|μ of its class, Σ), Σ = LLᵀ given by its Cholesky
// factor; the priors of exercise 4.9 would add a constant.
func (p problem) logLikelihood(mu *mat.Dense, L *mat.TriDense) float64 {
	n, m := p.dims()
	sum := -0.5 * float64(n*m) * math.Log(2*math.Pi)
	for j := range m {
		sum -= float64(n) * math.Log(math.Abs(L.At(j, j)))
	}
	for i, k := range p.labels {
		v := instance.Minus(p.Phi.RawRowView(i), mu.RawRowView(k))
		for a := range m { // forward substitution, Lz = v
			for b := range a {
				v[a] -= L.At(a, b) * v[b]
			}
			v[a] /= L.At(a, a)
			sum -= 0.5 * v[a] * v[a]
		}
	}
	return sum
}

// cholesky is the factor of s, or false if s is not positive definite.
func cholesky(s mat.Symmetric) (*mat.TriDense, bool) {
	var c mat.Cholesky
	if !c.Factorize(s) {
		return nil, false
	}
	var l mat.TriDense
	c.LTo(&l)
	return &l, true
}

// ask calls the learner's Fit with copies and returns copies of its answers, with
// a verdict instead where the shapes do not fit, a number is not finite, or an
// argument was changed.
func ask(fit fitFunc, p problem) (mu *mat.Dense, sigma *mat.SymDense, bad *verify.Verdict) {
	var in learner.Inputs
	labels := slices.Clone(p.labels)
	mu, sigma = fit(in.Dense("Phi", p.Phi), labels, p.k())
	if bad := in.Changed(4); bad != nil {
		return nil, nil, bad
	}
	if !slices.Equal(labels, p.labels) {
		return nil, nil, learner.Fail("mutates-inputs", 4, "Your function changed its argument labels. A slice is shared with the caller: work on a copy (slices.Clone).")
	}
	n, m := p.dims()
	if mu != nil && p.k() != m && p.k() != n {
		if r, c := mu.Dims(); r == m && c == p.k() {
			return nil, nil, learner.Fail("transposed", 4, "For “%s” your mu is M×K, one mean per column. It is K×M, one mean per row.", p.name)
		}
	}
	if bad := form.Matrix("mu", mu, p.k(), m, "K×M", p.name, 4); bad != nil {
		return nil, nil, bad
	}
	if sigma == nil || sigma.IsEmpty() {
		return nil, nil, learner.Fail("empty", 4, "No matrix came back for Sigma. It is a new M×M matrix: mat.NewSymDense(M, nil).")
	}
	if bad := form.Matrix("Sigma", mat.DenseCopyOf(sigma), m, m, "M×M", p.name, 4); bad != nil {
		return nil, nil, bad
	}
	out := mat.NewSymDense(m, nil)
	out.CopySym(sigma)
	return mat.DenseCopyOf(mu), out, nil
}
