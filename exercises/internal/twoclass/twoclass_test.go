package twoclass

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

func drawn() Problem {
	return Source{instance.Source(1, 2), 1, 3, 1.5}.Draw("sixty points", 60, []float64{1, 0, 1e4}, []float64{0, 1, 5e3})
}

// TestLogistic checks that Logistic accepts the right derivatives and rejects derivatives with a
// relative error of 1e-6.
func TestLogistic(t *testing.T) {
	p := drawn()
	g, h := Logistic.Gradient(p), Logistic.Hessian(p)
	if f := Logistic.Derivatives(p, g); !f.OK {
		t.Errorf("Derivatives rejects the gradient of the cross-entropy: %s", f.Off())
	}
	if f := Logistic.SecondDerivatives(p, h); !f.OK {
		t.Errorf("SecondDerivatives rejects the Hessian of the cross-entropy: %s", f.Off())
	}
	g[2] *= 1 + 1e-6
	h[8] *= 1 + 1e-6
	if Logistic.Derivatives(p, g).OK || Logistic.SecondDerivatives(p, h).OK {
		t.Errorf("whether an entry with a relative error of 1e-6 is accepted: got %t from Derivatives and %t from SecondDerivatives, want false from both",
			Logistic.Derivatives(p, g).OK, Logistic.SecondDerivatives(p, h).OK)
	}
}

func TestMinimum(t *testing.T) {
	low := Logistic.Minimum(drawn())
	if g := low.unscaleWeights(Logistic.Gradient(low)); !low.Least || floats.Norm(g, math.Inf(1)) > 1e-9 {
		t.Errorf("at the minimum the gradient is %g and Least is %t, want at most 1e-9 in every entry, and true", g, low.Least)
	}
}

func TestOnly(t *testing.T) {
	p := drawn()
	for _, tc := range []struct {
		first, last int
		kept        []int // how many rows `Only` must keep of three groups: the first 20, the next 39, and the last row
	}{
		{0, 0, []int{1, 0, 0}}, {-1, -1, []int{0, 0, 1}}, {1, -1, []int{19, 39, 1}}, {0, -2, []int{20, 39, 0}},
	} {
		kept := make([]int, 3)
		for i := range p.T {
			if p.Only(tc.first, tc.last).Phi.At(i, 0) == 1 {
				kept[min(i/20, 1)+max(0, i-58)]++
			}
		}
		if !slices.Equal(kept, tc.kept) {
			t.Errorf("of the first 20 rows, the next 39 and the last row, Only(%d, %d) kept %v, want %v", tc.first, tc.last, kept, tc.kept)
		}
	}
	one := Source{instance.Source(1, 3), 1, 2, 1}.Draw("one point", 1, []float64{1}, []float64{0})
	if one.Only(1, -1).Phi.At(0, 0) != 0 || one.Only(0, -2).Phi.At(0, 0) != 0 {
		t.Error("in a problem with one row, the method Only keeps this row although it is excluded, want it set to 0")
	}
}

func TestPrior(t *testing.T) {
	w := []float64{0.5, -2, 1}
	for _, tc := range []struct {
		extra []float64
		want  bool
	}{
		{[]float64{1, -4, 2}, true}, {[]float64{0, -4, 2}, true},
		{[]float64{-1, 4, -2}, false}, {[]float64{1, 4, 2}, false}, {[]float64{0, 0, 0}, false},
	} {
		if got := Prior(tc.extra, w); got != tc.want {
			t.Errorf("for the difference %v Prior returned %v, want %v", tc.extra, got, tc.want)
		}
	}
}

// TestChanges checks the wrong answers that ButHessian and Rows return. With Keep, only the diagonal of
// the Hessian may remain. With Rows and Rest, the results for the first row and for all other rows must
// sum to the result for all rows.
func TestChanges(t *testing.T) {
	p := drawn()
	whole := Logistic.Hessian(p)
	diagonal := Logistic.ButHessian(Keep(func(i, j int) bool { return i == j }))(p.W, p.Phi, p.T)
	for i, v := range diagonal.RawMatrix().Data {
		if want := whole[i] * float64(1-min(1, i%4)); v != want {
			t.Errorf("entry %d of the Hessian with only its diagonal kept is %g, want %g", i, v, want)
		}
	}
	first, rest := Logistic.Rows(0, 0)(p.W, p.Phi, p.T), Logistic.Rows(1, -1)(p.W, p.Phi, p.T)
	floats.Add(first, rest)
	if !floats.EqualApprox(first, Logistic.Gradient(p), 1e-9) {
		t.Errorf("the gradient of the first row plus the gradient of all other rows is %g, want the gradient of all rows, %g", first, Logistic.Gradient(p))
	}
	sum, others := Logistic.ButHessian(Logistic.Rest(0, 0))(p.W, p.Phi, p.T),
		Logistic.ButHessian(Logistic.Rest(1, -1))(p.W, p.Phi, p.T)
	sum.Add(sum, others)
	// the tolerance is small relative to the largest entries, which are about 1e9
	if !floats.EqualApprox(sum.RawMatrix().Data, whole, 1e-3) {
		t.Errorf("the Hessian of the first row plus the Hessian of all other rows is %g, want the Hessian of all rows, %g", sum.RawMatrix().Data, whole)
	}
}

// TestForms checks that Along computes the error at c·w, that Curvature computes uᵀHu, and that
// Untargeted computes the Hessian without targets. It also checks Rare, Labelled and Margins.
func TestForms(t *testing.T) {
	p := drawn()
	twice := floats.ScaleTo(make([]float64, 3), 2, p.W)
	if got, want := Along(Logistic.Value)(p.W, p.Phi, p.T, 2), Logistic.At(p, twice); math.Abs(got-want) > 1e-9*want {
		t.Errorf("E(2w) is %g, want %g", got, want)
	}
	h := Untargeted(Prime)(p.W, p.Phi)
	u := mat.NewVecDense(3, []float64{1, -0.5, 1e-4})
	got := Curvature(func(a, s float64) float64 { return Prime(a) * s * s })(u.RawVector().Data, p.W, p.Phi)
	if want := mat.Inner(u, h, u); math.Abs(got-want) > 1e-9*want {
		t.Errorf("uᵀHu is %g, want %g", got, want)
	}
	if p.Rare(7).T[7] != 1 || floats.Sum(p.Rare(7).T) != 1 || floats.Sum(p.Labelled("ones", 1).T) != 60 ||
		floats.Min(p.Labelled("ones", 1).Margins(p.W)) != floats.Min(instance.Activations(p.Phi, p.W)) {
		t.Errorf("Rare(7) returned the targets %g, want 1 at index 7 and 0 elsewhere; Labelled with 1 returned %g, want 60 ones; for targets of 1 the smallest margin is %g, want the smallest activation %g",
			p.Rare(7).T, p.Labelled("ones", 1).T, floats.Min(p.Labelled("ones", 1).Margins(p.W)), floats.Min(instance.Activations(p.Phi, p.W)))
	}
}

func TestDefinite(t *testing.T) {
	for want, h := range map[int][]float64{1: {2, 1, 1, 2}, -1: {-2, 1, 1, -2}, 0: {1, 2, 2, 1}} {
		if got := Definite(mat.NewDense(2, 2, h), 1e-10); got != want {
			t.Errorf("Definite(%v) = %d, want %d", h, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	if got := BothSides[float64]([]float64{1, 3}); !slices.Equal(got, []float64{1, -1, 3, -3}) {
		t.Errorf("BothSides returned %v, want 1, −1, 3 and −3", got)
	}
	list := Around(instance.Source(1, 4), 50, -3, 2, 7.0)
	if len(list) != 51 || list[0] != 7 || slices.Min(list[1:]) < -3 || slices.Max(list[1:]) > 2 ||
		slices.Min(list[1:]) > -2 {
		t.Errorf("Around returned %v, want 7 and then 50 numbers between −3 and 2, at least one of them below −2", list)
	}
}

// TestDescent checks the number of updates for two points ±1, one of each class. If the weights start at 0, the bias
// stays at 0 by symmetry, and the derivative with respect to the weight w is −2σ(−w). With the learning factor 1, w is
// 0 at the start, 1 after one update, and 1.538 after two. There the length of ∇E is 1, 2σ(−1) = 0.538 and 0.354.
func TestDescent(t *testing.T) {
	x, r := mat.NewDense(2, 1, []float64{-1, 1}), []float64{0, 1}
	for _, tc := range []struct {
		name  string
		d     Descent
		tol   float64
		limit int
		want  int
	}{
		{"at the start", Descent{}, 1, 0, 0},
		{"one update", Descent{}, 0.54, 9, 1},
		{"two updates", Descent{}, 0.36, 9, 2},
		{"no more are allowed", Descent{}, 0.36, 1, -1},
		{"another start", Descent{Start: 1}, 0.6, 9, 1},
		{"no bias", Descent{NoBias: true}, 0.36, 9, 2},
		{"each weight updated in turn", Descent{InTurn: true}, 0.36, 9, 2},
		{"the gradient is never reset to 0", Descent{Accumulated: true}, 0.54, 9, -1},
		{"update after every point, tol compared with the gradient at the old weights", Descent{Online: true, Fresh: true}, 1, 9, 0},
		{"uphill", Descent{Residual: func(a, r float64) float64 { return -Residual(a, r) }}, 0.9, 9, -1},
		{"another size", Descent{Size: func(g []float64, eta float64) float64 { return eta * g[1] * g[1] }}, 0.3, 9, 1},
	} {
		if got := tc.d.Steps(x, r, 1, tc.tol, tc.limit); got != tc.want {
			t.Errorf("%s: got %d updates, want %d", tc.name, got, tc.want)
		}
	}
}

// TestDivisions checks that a division into k groups leaves out every point exactly once in k
// turns. The division that Again returns must have eight turns, and each turn must leave out the
// right number of points.
func TestDivisions(t *testing.T) {
	const n = 24
	for i, d := range []Division{Every(5), Blocks(5), Shuffled(5, 1)} {
		out := d(n)
		for p := range n {
			count := 0
			for turn := range n {
				if out(turn, p) {
					count++
				}
			}
			if count != 1 {
				t.Errorf("division %d: point %d is left out %d times, want once", i, p, count)
			}
		}
	}
	out := Again(4, 1)(n)
	for turn := range 9 {
		count := 0
		for p := range n {
			if out(turn, p) {
				count++
			}
		}
		if want := n / 4; turn < 8 && count != want || turn == 8 && count != 0 {
			t.Errorf("the division made by Again leaves out %[2]d points in turn %[1]d, want 6 points in each of the turns 0 to 7, and no point in turn 8", turn, count)
		}
	}
}

// TestPenalised checks that the derivatives of the penalised error are 0 at the result. A weight
// with a high price must stay at its centre. If all prices are 0, the result must be the minimum of
// the error.
func TestPenalised(t *testing.T) {
	p := Source{instance.Source(1, 3), 1, 3, 1.5}.Draw("sixty points", 60, []float64{1, 0, 2}, []float64{0, 1, 3})
	price, centre := []float64{0, 3, 1e7}, []float64{0.1, -1, 0.5}
	w := Logistic.Penalised(p, price, centre)
	g := Logistic.Gradient(Problem{Phi: p.Phi, T: p.T, W: w})
	floats.Add(g, floats.MulTo(make([]float64, 3), price, instance.Minus(w, centre)))
	if size := floats.Norm(g, math.Inf(1)); !(size < 1e-6) {
		t.Errorf("the gradient of the penalised error is %g, want every entry within ±1e-6", g)
	}
	if !(math.Abs(w[2]-0.5) < 1e-4) || math.Abs(w[1]+1) < 1e-2 {
		t.Errorf("got the weights %g, want the last weight at its centre 0.5, and the second weight away from its centre −1", w)
	}
	if free, low := Logistic.Penalised(p, make([]float64, 3), centre), Logistic.Minimum(p).W; !floats.EqualApprox(free, low, 1e-7) {
		t.Errorf("with all prices 0 got the weights %g, want the minimum %g", free, low)
	}
}

// TestLabel checks that the mean of the labels is σ(a) to within about four standard errors.
func TestLabel(t *testing.T) {
	r, ones := instance.Source(1, 5), 0.0
	for range 4000 {
		ones += Label(r, 1)
	}
	if share := ones / 4000; math.Abs(share-kernel.Sigmoid(1)) > 0.03 {
		t.Errorf("the share of ones is %g, want σ(1) = %.4g to within 0.03", share, kernel.Sigmoid(1))
	}
}
