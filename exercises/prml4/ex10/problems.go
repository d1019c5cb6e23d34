package ex10

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
)

// A problem is a labelled data set.
type problem struct {
	name   string
	Phi    *mat.Dense // N×M
	labels []int      // N
	counts []int      // N_k, K of them
}

func (p problem) String() string { return "“" + p.name + "”" }

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

var problems = instance.Once(func() []problem {
	r := instance.Source(410, 1)
	return []problem{
		draw(r, "three classes in the plane", []float64{1, -1}, []float64{1, 1}, 14, 6, 9),
		draw(r, "two classes on a line", []float64{0.5}, []float64{2}, 5, 12),
		draw(r, "four classes, three features, very unequal", []float64{0, 2, 0}, []float64{1, 1, 1}, 40, 4, 7, 3),
		draw(r, "a single class", []float64{0, 1}, []float64{1, 1}, 11),
		draw(r, "a class with one point", []float64{0, 0}, []float64{1, 1}, 1, 10),
		draw(r, "features far from the origin", []float64{1e3, -2e3}, []float64{1, 1}, 10, 8),
		draw(r, "features of very different size", []float64{0.01, 50}, []float64{1e-2, 1e2}, 12, 9, 5),
	}
})

// limits have too few points for a covariance with an inverse, and features that are
// very small and very large.
var limits = instance.Once(func() []problem {
	r := instance.Source(410, 2)
	return []problem{
		draw(r, "fewer points than features", []float64{0, 1, -1, 2, 0}, []float64{1, 1, 2, 1, 1}, 2, 2),
		draw(r, "one point in each class", []float64{0, 3}, []float64{1, 1}, 1, 1, 1),
		draw(r, "a single point", []float64{2, -1, 1}, []float64{1, 1, 1}, 1),
		draw(r, "two points on a line", []float64{-1}, []float64{1}, 2),
		draw(r, "features of the sizes 10⁻⁶ and 10⁶", []float64{2e-6, -1e6}, []float64{1e-6, 1e6}, 4, 7),
	}
})

func everywhere() []problem { return slices.Concat(problems(), limits()) }

// means are the class means, K×M.
func (p problem) means() *mat.Dense {
	_, m := p.dims()
	mu := mat.NewDense(len(p.counts), m, nil)
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

// weighted are the entries of Σ_k (N_k/N)·S_k, (4.162) by the class covariances.
func (p problem) weighted() []float64 {
	n, m := p.dims()
	sum := mat.NewSymDense(m, nil)
	for k, count := range p.counts {
		s := p.scatter(p.means(), func(j int) float64 {
			if j == k {
				return 1 / float64(count)
			}
			return 0
		})
		s.ScaleSym(float64(count)/float64(n), s)
		sum.AddSym(sum, s)
	}
	return entries(sum)
}

// sizes are the standard deviations of the features within the classes, or, where
// they do not spread, the sizes of the features: steps and misses are measured in them.
func (p problem) sizes() []float64 {
	s, out := p.covariance(), instance.Sizes(p.Phi)
	for j := range out {
		if v := s.At(j, j); v > 0 {
			out[j] = math.Sqrt(v)
		}
	}
	return out
}

// units are those of the entries of the means, and pairs those of a covariance.
func (p problem) units() (u []float64) {
	for range p.counts {
		u = append(u, p.sizes()...)
	}
	return u
}

func (p problem) pairs() (u []float64) {
	size := p.sizes()
	for _, a := range size {
		for _, b := range size {
			u = append(u, a*b)
		}
	}
	return u
}

// even are the entries of a covariance in units in which all features have one size.
func (p problem) even(sigma []float64) []float64 {
	return floats.DivTo(make([]float64, len(sigma)), sigma, p.pairs())
}

// standardised is the problem with every feature divided by its size.
func (p problem) standardised() problem {
	size := p.sizes()
	q := p
	q.Phi = mat.DenseCopyOf(p.Phi)
	q.Phi.Apply(func(_, j int, v float64) float64 { return v / size[j] }, q.Phi)
	return q
}

// split takes means and covariance apart.
func (p problem) split(both []float64) (mu *mat.Dense, sigma *mat.SymDense) {
	_, m := p.dims()
	at := len(p.counts) * m
	return mat.NewDense(len(p.counts), m, both[:at]), mat.NewSymDense(m, both[at:])
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

func entries(s mat.Matrix) []float64 { return mat.DenseCopyOf(s).RawMatrix().Data }
