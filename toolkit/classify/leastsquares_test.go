package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// pseudoInverse computes W = Φ†T naively, by the singular value decomposition.
func pseudoInverse(t *testing.T, x mat.Matrix, labels []int, k int) *mat.Dense {
	n, d := x.Dims()
	phi := mat.NewDense(n, d+1, slices.Repeat([]float64{1}, n*(d+1)))
	phi.Slice(0, n, 1, d+1).(*mat.Dense).Copy(x)
	var svd mat.SVD
	errorIf(t, !svd.Factorize(phi, mat.SVDThin), "no singular value decomposition")
	var w mat.Dense
	svd.SolveTo(&w, oneOfK(labels, k), svd.Rank(1e-12))
	return &w
}

func TestLeastSquaresTwin(t *testing.T) {
	for _, c := range []struct {
		name    string
		n, d, k int
		change  func(i, j int, v float64) float64
		rank    int
		say     string
	}{
		{"tall", 60, 4, 3, nil, 5, "orthogonal"},
		{"taller", 64, 4, 3, nil, 5, "normal equations"},
		{"square", 5, 4, 3, nil, 5, "orthogonal"},
		{"wide", 6, 20, 3, nil, 6, "linearly dependent"},
		{"two rows", 2, 1, 2, nil, 2, "orthogonal"},
		{"constant column", 40, 3, 2, func(_, j int, v float64) float64 {
			if j == 1 {
				return 2.5
			}
			return v
		}, 3, "constant like the bias: 1"},
		{"all constant", 40, 2, 2, func(_, _ int, _ float64) float64 { return 3 }, 1, "constant like the bias: 0, 1"},
		{"nearly dependent columns", 200, 3, 2, func(i, j int, v float64) float64 {
			return []float64{v, float64(i), float64(i) + v/100}[j]
		}, 4, "orthogonal"},
		{"large", 30000, 30, 3, nil, 31, "normal equations"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, labels := clouds(c.n, c.d, c.k, 7)
			if c.change != nil {
				x.Apply(c.change, x)
			}
			m := must(classify.FitLeastSquares(x, labels, c.k, classify.LeastSquaresOptions{}))(t)
			errorIf(t, m.Rank != c.rank || !strings.Contains(m.Reason, c.say) || m.N != c.n, "rank %d, want %d; %s",
				m.Rank, c.rank, m.Reason)
			near(t, "W by the pseudo-inverse", m.W, pseudoInverse(t, x, labels, c.k), 1e-11)
			// Check E_D against the definition (4.15), and the constraint of 4.1.3 that y sums to
			// 1.
			var r mat.Dense
			y := must(m.Scores(x))(t)
			r.Sub(y, oneOfK(labels, c.k))
			e := mat.Norm(&r, 2) * mat.Norm(&r, 2) / 2
			within(t, m.SumSquare, e, 1e-11*(1+e), "SumSquare")
			for i := range c.n {
				within(t, floats.Sum(y.RawRowView(i)), 1, 1e-12, "sum of row %d", i)
			}
		})
	}
}

// TestLeastSquaresDuplicate checks that two equal columns share the weight equally, as in the
// least-norm solution.
func TestLeastSquaresDuplicate(t *testing.T) {
	x, labels := clouds(50, 1, 2, 17)
	var y mat.Dense
	y.Augment(x, x)
	a := must(classify.FitLeastSquares(x, labels, 2, classify.LeastSquaresOptions{}))(t)
	b := must(classify.FitLeastSquares(&y, labels, 2, classify.LeastSquaresOptions{}))(t)
	v, w := a.W.RawRowView(0), a.W.RawRowView(1)
	errorIf(t, b.Rank != 2, "rank %d", b.Rank)
	nearly(t, "weights", flat(b.W), []float64{v[0], v[1], w[0] / 2, w[1] / 2, w[0] / 2, w[1] / 2}, 1e-14)
}

func TestLeastSquaresEmptyClass(t *testing.T) {
	x, labels := clouds(30, 2, 2, 47)
	m := must(classify.FitLeastSquares(x, labels, 4, classify.LeastSquaresOptions{}))(t)
	nearly(t, "weights of the empty classes", flat(m.W.Slice(0, 3, 2, 4)), make([]float64, 6), 0)
	for _, k := range []int{-1, 0, 1} {
		mentions(t, of(classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{})),
			fmt.Sprintf("k is %d", k), "two classes")
	}
	mentions(t, of(classify.FitLeastSquares(x, labels, math.MaxInt, classify.LeastSquaresOptions{})), "k is", "30 rows")
}

// TestFisherCoding checks (4.33)–(4.37): w is S_W⁻¹(m₁−m₂) times a positive number and w0 = −wᵀm.
// The model must predict C₁ where wᵀ(x−m) > 0, unlike a model with the sign of (4.38).
func TestFisherCoding(t *testing.T) {
	x, labels := clouds(90, 3, 2, 3)
	for i := range 20 {
		labels[i] = 1 // classes of different sizes
	}
	m := must(classify.FitLeastSquares(x, labels, 2, classify.LeastSquaresOptions{Coding: classify.CodingFisher}))(t)
	s := must(classify.NewScatter(x, labels, 2))(t)
	w, dir := mat.Col(nil, 0, m.W), mat.NewVecDense(3, nil)
	dir.SubVec(s.ClassMeans.RowView(0), s.ClassMeans.RowView(1))
	if err := dir.SolveVec(s.Within, dir); err != nil {
		t.Fatal(err)
	}
	ratio := w[1] / dir.AtVec(0)
	errorIf(t, ratio <= 0, "w points away from C₁: ratio %v", ratio)
	dir.ScaleVec(ratio, dir)
	nearly(t, "w", w[1:], dir.RawVector().Data, 1e-11)
	geoNear(t, "w0 = −wᵀm", w[0], -floats.Dot(w[1:], s.Mean))
	errorIf(t, misclassified(t, m, x, labels) > 30, "the rule is turned round")
	// Explicit Fisher targets give the same weights.
	target := must(classify.FisherTargets(targets(labels)))(t)
	nearly(t, "targets of C₁ and C₂", []float64{target[20], target[0]},
		[]float64{90 / float64(s.Counts[0]), -90 / float64(s.Counts[1])}, 1e-14)
	own := must(classify.FitLeastSquaresTargets(x, mat.NewDense(90, 1, target), classify.LeastSquaresOptions{}))(t)
	nearly(t, "own targets", flat(own.W), flat(m.W), 1e-13)
}

// TestPlusMinusCoding checks that with targets 2t−1 the outputs are 2y−1 and the classes are the
// same as with 1-of-K.
func TestPlusMinusCoding(t *testing.T) {
	for k, outputs := range map[int]int{2: 1, 4: 4} {
		x, labels := clouds(80, 3, k, 4)
		one := must(classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{}))(t)
		pm := must(classify.FitLeastSquares(x, labels, k,
			classify.LeastSquaresOptions{Coding: classify.CodingPlusMinus}))(t)
		y, z := must(one.Outputs(x))(t), must(pm.Outputs(x))(t)
		y.Apply(func(_, _ int, v float64) float64 { return 2*v - 1 }, y)
		near(t, "outputs", z, y.Slice(0, 80, 0, outputs), 1e-13)
		errorIf(t, !slices.Equal(must(one.Predict(x))(t), must(pm.Predict(x))(t)), "other classes")
	}
	nearly(t, "soft targets", must(classify.PlusMinusTargets([]float64{1, 0, 0.5}))(t), []float64{1, -1, 0}, 0)
}

// TestSummationConstraint checks that if aᵀt = b for all rows of T, then y(x) satisfies the same
// constraint (4.18), also for dependent columns and for a ridge with free biases.
func TestSummationConstraint(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	a, b := []float64{2, -1, 0.5}, 3.0
	for _, c := range []struct {
		name         string
		o            classify.LeastSquaresOptions
		spoil, holds bool
	}{
		{"plain", classify.LeastSquaresOptions{}, false, true},
		{"constant and twice the same column", classify.LeastSquaresOptions{}, true, true},
		{"free bias", classify.LeastSquaresOptions{Ridge: 7, FreeBias: true}, false, true},
		{"penalised bias", classify.LeastSquaresOptions{Ridge: 7}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, target := mat.NewDense(50, 4, nil), mat.NewDense(50, 3, nil)
			for i := range 50 {
				for j := range 4 {
					x.Set(i, j, rng.NormFloat64())
				}
				if c.spoil {
					x.Set(i, 1, 4)
					x.Set(i, 2, x.At(i, 0))
				}
				u, v := rng.NormFloat64(), rng.NormFloat64()
				target.SetRow(i, []float64{u, v, (b - a[0]*u - a[1]*v) / a[2]})
			}
			m := must(classify.FitLeastSquaresTargets(x, target, c.o))(t)
			worst, y := 0.0, must(m.Outputs(x))(t)
			for i := range 50 {
				worst = math.Max(worst, math.Abs(floats.Dot(a, y.RawRowView(i))-b))
			}
			errorIf(t, (worst < 1e-11) != c.holds, "off by %v", worst)
		})
	}
}

// TestRidge checks that the gradient Φᵀ(ΦW − T) + λW is 0 and that E is half the sum of squares
// plus the penalty. With free biases λW does not include the bias row. Extreme scaling of the
// columns must not affect these results.
func TestRidge(t *testing.T) {
	for _, free := range []bool{false, true} {
		for _, c := range []struct{ λ, offset float64 }{{0.3, 0}, {50, 4}, {1e-6, -2}} {
			x, labels := clouds(60, 4, 3, 5)
			x.Apply(func(_, j int, v float64) float64 { return v*math.Pow(10, float64(j)) + c.offset }, x)
			m := must(classify.FitLeastSquares(x, labels, 3,
				classify.LeastSquaresOptions{Ridge: c.λ, FreeBias: free}))(t)
			phi, w := mat.NewDense(60, 5, slices.Repeat([]float64{1}, 300)), mat.DenseCopyOf(m.W)
			phi.Slice(0, 60, 1, 5).(*mat.Dense).Copy(x)
			if free {
				w.SetRow(0, make([]float64, 3))
			}
			var r, g mat.Dense
			r.Sub(must(m.Outputs(x))(t), oneOfK(labels, 3))
			g.Mul(phi.T(), &r)
			w.Scale(c.λ, w)
			g.Add(&g, w)
			for j := range 5 {
				within(t, mat.Norm(g.RowView(j), 2), 0, 1e-12*mat.Norm(phi.ColView(j), 2)*mat.Norm(&r, 2),
					"λ = %v, free %v: gradient %d", c.λ, free, j)
			}
			half := mat.Norm(&r, 2) * mat.Norm(&r, 2) / 2
			geoNear(t, "E_D", m.SumSquare, half)
			geoNear(t, "E", m.E, half+mat.Norm(w, 2)*mat.Norm(w, 2)/2/c.λ)
		}
	}
	// More columns than rows are allowed.
	x, labels := clouds(6, 20, 2, 6)
	m := must(classify.FitLeastSquares(x, labels, 2, classify.LeastSquaresOptions{Ridge: 1}))(t)
	errorIf(t, m.Rank != 21 || m.DegreesOfFreedom() != 42, "rank %d, %s", m.Rank, m.Reason)
}

// TestRidgeTwice checks that duplicating all rows and doubling the penalty changes no weight. The
// 80 rows use the normal equations, the 40 rows the orthogonal factorisation.
func TestRidgeTwice(t *testing.T) {
	x, target := drawn(40, 9, 1)
	var twice mat.Dense
	twice.Stack(x, x)
	fit := func(x mat.Matrix, t2 []float64, o classify.LeastSquaresOptions) *classify.LeastSquares {
		return must(classify.FitLeastSquaresTargets(x, mat.NewDense(len(t2), 1, t2), o))(t)
	}
	for _, free := range []bool{false, true} {
		a := fit(x, target, classify.LeastSquaresOptions{Ridge: 5, FreeBias: free})
		b := fit(&twice, slices.Concat(target, target), classify.LeastSquaresOptions{Ridge: 10, FreeBias: free})
		errorIf(t, !strings.Contains(a.Reason, "orthogonal") || !strings.Contains(b.Reason, "normal equations"),
			"%s; %s", a.Reason, b.Reason)
		nearly(t, "w", flat(b.W), flat(a.W), 1e-13)
		geoNear(t, "E", b.E, 2*a.E)
	}
}

func TestTargetErrors(t *testing.T) {
	x := pointsOn(0, 1, 2)
	one := mat.NewDense(3, 1, []float64{1, 2, 3})
	refused(t, []refusal{
		{"rows", of(classify.FitLeastSquaresTargets(x, mat.NewDense(2, 1, nil), classify.LeastSquaresOptions{})),
			[]string{"2×1", "3 rows"}},
		{"NaN", of(classify.FitLeastSquaresTargets(x, pointsOn(1, 2, math.NaN()), classify.LeastSquaresOptions{})),
			[]string{"targets", "row 2"}},
		{"nil", of(classify.FitLeastSquaresTargets(x, nil, classify.LeastSquaresOptions{})), []string{"targets"}},
		{"coding",
			of(classify.FitLeastSquaresTargets(x, one, classify.LeastSquaresOptions{Coding: classify.CodingFisher})),
			[]string{"Coding"}},
		{"unknown coding", of(classify.FitLeastSquares(x, []int{0, 1, 1}, 2, classify.LeastSquaresOptions{Coding: 9})),
			[]string{"Coding is 9"}},
		{"ridge", of(classify.FitLeastSquares(x, []int{0, 1, 1}, 2, classify.LeastSquaresOptions{Ridge: -1})),
			[]string{"Ridge is -1"}},
		{"Fisher, 3 classes",
			of(classify.FitLeastSquares(x, []int{0, 1, 2}, 3,
				classify.LeastSquaresOptions{Coding: classify.CodingFisher})), []string{"two classes"}},
		{"Fisher targets, one class", of(classify.FisherTargets([]float64{1, 1})), []string{"single class"}},
		{"Fisher targets, soft", of(classify.FisherTargets([]float64{1, 0.5})), []string{"t[1]"}},
		{"±1 targets", of(classify.PlusMinusTargets([]float64{1, -1})), []string{"t[1]"}},
		{"overflow",
			of(classify.FitLeastSquaresTargets(pointsOn(0, 1e-300, 2e-300), pointsOn(0, 1e300, 2e300),
				classify.LeastSquaresOptions{})), []string{"cannot be represented"}},
		{"not fitted", of(new(classify.LeastSquares).Outputs(x)), []string{"FitLeastSquares"}},
	})
}

// With the targets N/N₁ and −N/N₂, least squares gives Fisher's discriminant.
func ExampleFitLeastSquaresTargets() {
	x := mat.NewDense(5, 1, []float64{3, 4, 5, 0, 1})
	t := toolkit.Must(classify.FisherTargets([]float64{1, 1, 1, 0, 0}))
	m := toolkit.Must(classify.FitLeastSquaresTargets(x, mat.NewDense(5, 1, t), classify.LeastSquaresOptions{}))
	fmt.Printf("%.3f: boundary at the mean %.1f\n", t[0], -m.W.At(0, 0)/m.W.At(1, 0))
	// Output: 1.667: boundary at the mean 2.6
}

// TestConstraintDependentColumns checks rows with a constant second column (PRML exercise 4.2). The
// 1-of-K outputs sum to 1 on the affine hull of the rows but not outside. At x2 = 3 the least-norm
// weights have the sum 1 + 2·(3−2)/5 = 1.4.
func TestConstraintDependentColumns(t *testing.T) {
	x := mat.NewDense(4, 2, []float64{0, 2, 1, 2, 2, 2, 3, 2})
	m := must(classify.FitLeastSquares(x, []int{0, 0, 1, 1}, 2, classify.LeastSquaresOptions{}))(t)
	errorIf(t, m.Rank != 2, "rank %d, want 2 of 3", m.Rank)
	for _, c := range []struct {
		name string
		x, y []float64
	}{
		{"a row", []float64{1, 2}, []float64{0.7, 0.3}},
		{"an affine combination", []float64{-7, 2}, []float64{3.9, -2.9}},
		{"another second column", []float64{1.5, 3}, []float64{0.94, 0.46}},
	} {
		nearly(t, c.name, flat(must(m.Scores(mat.NewDense(1, 2, c.x)))(t)), c.y, 1e-12)
	}
}
