package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// manyClasses is a softmax problem of k classes that overlap.
func manyClasses(n, d, k int) *Problem {
	rng := rand.New(rand.NewPCG(4, 110))
	x, labels := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		labels[i] = rng.IntN(k)
		for j := range d {
			x.Set(i, j, rng.NormFloat64()+0.8*Truth01(j%k == labels[i]))
		}
	}
	src := block.NewSource(x)
	p := NewSoftmaxProblem(src, block.Inspect(src), &glm.ClassTargets{K: k, Labels: labels}, nil)
	p.Start, p.Warm, p.MaxIt, p.Tol = make([]float64, p.GLM.M), true, 100, 1e-10
	return p
}

// TestSurely: where bounds prove that sums in float64 are exact enough, the step from sums of 31
// digits is the same to half of the digits required.
func TestSurely(t *testing.T) {
	for _, c := range []struct{ n, d, k int }{{60_000, 8, 4}, {60_000, 30, 7}} {
		p := manyClasses(c.n, c.d, c.k)
		path := Newton{}.Solve(p)
		if !path.Converged {
			t.Fatal(path.Reason)
		}
		n := newNewton(p, path.W)
		n.accept(path.W)
		n.model()
		if !n.surely() {
			t.Errorf("the bounds are too wide for %d rows of %d classes", c.n, c.k)
			continue
		}
		precise := *p
		precise.precise = true
		q := *n.q
		q.z = q.R.SolveT(precise.innerGradient(path.W, n.ev))
		d := n.direction(&q)
		floats.Sub(d, n.direction(n.q))
		floats.Sub(q.z, n.q.z)
		if far := linalg.Norm(q.z); !(far <= 0.5*n.digits()) || !p.near(path.W, d, 0.5*n.digits()) {
			t.Errorf("%d classes: the step of 31 digits is %v standard errors off", c.k, far)
		}
	}
}

// TestClosely compares bounds of a norm with the largest singular value.
func TestClosely(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 16))
	for _, scale := range []float64{1e-200, 1, 1e200} {
		a := mat.NewDense(30, 20, nil)
		a.Apply(func(_, j int, _ float64) float64 { return scale * rng.NormFloat64() / float64(1+j) }, a)
		var svd mat.SVD
		svd.Factorize(a, mat.SVDNone)
		norm := svd.Values(nil)[0]
		if got := closely(a); !(got >= norm*(1-1e-14) && got <= 1.21*norm && got <= longest(a)) {
			t.Errorf("‖A‖ = %v is bounded by %v, and by %v", norm, got, longest(a))
		}
	}
	if got := closely(mat.NewDense(2, 2, nil)); got != 0 {
		t.Errorf("the bound of no matrix is %v", got)
	}
}

// TestRehearse: the chords of a sample's H lead to the same optimum, and the same H, as Newton's
// method from 0.
func TestRehearse(t *testing.T) {
	for _, k := range []int{2, 4} {
		p := manyClasses(60_000, 8, k)
		r := p.sampled()
		if r == nil || r.rate > contracts {
			t.Fatalf("%d classes: no chords: %+v", k, r)
		}
		warm := Newton{}.Solve(p)
		p.Warm = false
		cold := Newton{}.Solve(p)
		if !warm.Converged || !cold.Converged || warm.Trace[0].E >= cold.Trace[0].E {
			t.Fatalf("%s; from 0: %s", warm.Reason, cold.Reason)
		}
		d := make([]float64, len(warm.W))
		floats.SubTo(d, warm.W, cold.W)
		d = p.Rank.Embed(p.Rank.Restrict(d)) // a common shift of all classes does not count
		if far := linalg.Norm(d) / linalg.Norm(cold.W); !(far <= 1e-11) {
			t.Errorf("%d classes: the weights differ by %v of their size", k, far)
		}
		for i, v := range cold.Quad.R.A {
			if u := warm.Quad.R.A[i]; math.Abs(u-v) > 1e-9*math.Abs(cold.Quad.R.A[0]) {
				t.Fatalf("%d classes: entry %d of the factor is %v, from 0 %v", k, i, u, v)
			}
		}
	}
}
