package variational_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/variational"
)

// TestFixedPoint checks that the result of a fit satisfies PRML (10.157), (10.158) and (10.163),
// and that its variational bound equals L(ξ) as defined in (10.159). The test computes each formula
// directly. The second data set has so many rows that the fit computes sums over parts of them and
// merges these sums.
func TestFixedPoint(t *testing.T) {
	for _, n := range []int{40, 20_000} {
		t.Run(fmt.Sprintf("%d rows", n), func(t *testing.T) { checkFixedPoint(t, n) })
	}
}

func checkFixedPoint(t *testing.T, n int) {
	rng := rand.New(rand.NewPCG(3, 3))
	const m = 3
	phi, target := mat.NewDense(n, m, nil), make([]float64, n)
	for i := range n {
		target[i] = float64(rng.IntN(2))
		phi.SetRow(i, []float64{1, 5 + rng.NormFloat64() + target[i], 100 * rng.NormFloat64()})
	}
	precision := []float64{0.5, 2, 1e-3} // precision of the prior of each weight
	mean := []float64{1, -0.5, 0}
	prior := &glm.Gaussian{Mean: mean}
	for j, v := range precision {
		row := make([]float64, m)
		row[j] = math.Sqrt(v)
		prior.Root = append(prior.Root, row)
	}
	src := block.NewSource(phi.Slice(0, n, 1, m))
	for _, plain := range []bool{true, false} {
		p := solve.NewProblem(src, block.Inspect(src), target, glm.CrossEntropy{}, prior)
		f, err := variational.Start(p,
			variational.Options{Plain: plain, StartXi: 1, MaxIterations: 3000, Tolerance: 1e-10})
		if err != nil || !f.Converged {
			t.Fatalf("with Plain = %v, the error is %v and the Reason is %q, want no error and convergence", plain, err, f.Reason)
		}
		inverse, b := mat.NewSymDense(m, nil), mat.NewVecDense(m, nil)
		var sum, prior float64
		for j, v := range precision {
			inverse.SetSym(j, j, v)
			b.SetVec(j, v*mean[j])
			prior += v*mean[j]*mean[j] - math.Log(v)
		}
		for i, ξ := range f.Xi {
			λ := math.Tanh(ξ/2) / (4 * ξ) // (10.150)
			inverse.SymRankOne(inverse, 2*λ, phi.RowView(i))
			b.AddScaledVec(b, target[i]-0.5, phi.RowView(i))
			sum += -math.Log1p(math.Exp(-ξ)) - ξ/2 + λ*ξ*ξ
		}
		var s mat.Dense
		if err := s.Inverse(inverse); err != nil {
			t.Fatal(err)
		}
		want := mat.NewVecDense(m, nil)
		want.MulVec(&s, b)
		got := mat.NewVecDense(m, p.Coord.Outer(f.At.Mean))
		if !mat.EqualApprox(got, want, 1e-8) {
			t.Errorf("with Plain = %v, m_N is %v, want %v", plain, got, want)
		}
		for i, ξ := range f.Xi {
			a := mat.Dot(phi.RowView(i), want)
			if v := math.Sqrt(mat.Inner(phi.RowView(i), &s, phi.RowView(i)) + a*a); math.Abs(ξ-v) > 1e-8*(1+v) {
				t.Errorf("with Plain = %v, ξ_%d is %v, want %v", plain, i, ξ, v)
			}
		}
		logDet, _ := mat.LogDet(inverse)
		bound := sum + (mat.Dot(b, want)-logDet-prior)/2
		if math.Abs(f.At.Bound-bound) > 1e-10*(10+math.Abs(bound)) {
			t.Errorf("with Plain = %v, the bound is %v, want %v", plain, f.At.Bound, bound)
		}
	}
}
