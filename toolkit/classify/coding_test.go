package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestFisherCoding: (4.33)–(4.37). w is S_W⁻¹(m₁−m₂) times a positive number and
// w0 = −wᵀm; C₁ is where wᵀ(x−m) > 0, which the sign of (4.38) would turn round.
func TestFisherCoding(t *testing.T) {
	x, labels := clouds(90, 3, 2, 3)
	for i := range 20 {
		labels[i] = 1 // classes of different sizes
	}
	m := must(classify.FitLeastSquares(x, labels, 2, classify.LeastSquaresOptions{Coding: classify.CodingFisher}))(t)
	mean := [2][]float64{make([]float64, 3), make([]float64, 3)}
	var count [2]float64
	for i, l := range labels {
		count[l]++
		for j := range 3 {
			mean[l][j] += x.At(i, j)
		}
	}
	all := make([]float64, 3)
	diff := mat.NewVecDense(3, nil)
	for j := range 3 {
		all[j] = (mean[0][j] + mean[1][j]) / 90
		mean[0][j] /= count[0]
		mean[1][j] /= count[1]
		diff.SetVec(j, mean[0][j]-mean[1][j])
	}
	sw := mat.NewDense(3, 3, nil)
	for i, l := range labels {
		for a := range 3 {
			for b := range 3 {
				sw.Set(a, b, sw.At(a, b)+(x.At(i, a)-mean[l][a])*(x.At(i, b)-mean[l][b]))
			}
		}
	}
	var dir mat.VecDense
	if err := dir.SolveVec(sw, diff); err != nil {
		t.Fatal(err)
	}
	ratio := m.W.At(1, 0) / dir.AtVec(0)
	if ratio <= 0 {
		t.Fatalf("w points away from C₁: ratio %v", ratio)
	}
	w0 := 0.0
	for j := range 3 {
		if r := m.W.At(j+1, 0) / dir.AtVec(j); math.Abs(r/ratio-1) > 1e-11 {
			t.Errorf("component %d: ratio %v, others %v", j, r, ratio)
		}
		w0 -= m.W.At(j+1, 0) * all[j]
	}
	geoNear(t, "w0 = −wᵀm", m.W.At(0, 0), w0)
	right := len(labels) - misclassified(t, m, x, labels)
	if right < 60 {
		t.Errorf("%d of 90 rows right: the rule is turned round", right)
	}
	// The same through targets of one's own.
	target := must(classify.FisherTargets(targets(labels)))(t)
	geoNear(t, "target of C₁", target[20], 90/count[0])
	geoNear(t, "target of C₂", target[0], -90/count[1])
	own := must(classify.FitLeastSquaresTargets(x, mat.NewDense(90, 1, target), classify.LeastSquaresOptions{}))(t)
	for i, w := range flat(m.W) {
		geoNear(t, "own targets", own.W.At(i, 0), w)
	}
}

// TestPlusMinusCoding: with targets 2t−1 the outputs are 2y−1 and the classes the
// same as with 1-of-K.
func TestPlusMinusCoding(t *testing.T) {
	for _, k := range []int{2, 4} {
		x, labels := clouds(80, 3, k, 4)
		one := must(classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{}))(t)
		pm := must(classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{Coding: classify.CodingPlusMinus}))(t)
		y, z := must(one.Outputs(x))(t), must(pm.Outputs(x))(t)
		a, b := must(one.Predict(x))(t), must(pm.Predict(x))(t)
		_, outputs := z.Dims()
		if want := map[int]int{2: 1, 4: 4}[k]; outputs != want {
			t.Fatalf("%d outputs, want %d", outputs, want)
		}
		for i := range 80 {
			for c := range outputs {
				geoNear(t, "output", z.At(i, c), 2*y.At(i, c)-1)
			}
			if a[i] != b[i] {
				t.Errorf("row %d: classes %d and %d", i, a[i], b[i])
			}
		}
	}
	soft := must(classify.PlusMinusTargets([]float64{1, 0, 0.5}))(t)
	if soft[0] != 1 || soft[1] != -1 || soft[2] != 0 {
		t.Errorf("targets %v", soft)
	}
}

// TestSummationConstraint: aᵀt = b for all rows of T holds for y(x), everywhere
// (4.18): for dependent columns, few rows and a ridge with free biases too.
func TestSummationConstraint(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	a, b := []float64{2, -1, 0.5}, 3.0
	for _, c := range []struct {
		name string
		n, d int
		o    classify.LeastSquaresOptions
		spoil,
		holds bool
	}{
		{"plain", 50, 4, classify.LeastSquaresOptions{}, false, true},
		{"constant and twice the same column", 50, 4, classify.LeastSquaresOptions{}, true, true},
		{"free bias", 50, 4, classify.LeastSquaresOptions{Ridge: 7, FreeBias: true}, false, true},
		{"penalised bias", 50, 4, classify.LeastSquaresOptions{Ridge: 7}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, target := mat.NewDense(c.n, c.d, nil), mat.NewDense(c.n, 3, nil)
			for i := range c.n {
				for j := range c.d {
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
			worst := 0.0
			y := must(m.Outputs(x))(t)
			for i := range c.n {
				worst = math.Max(worst, math.Abs(a[0]*y.At(i, 0)+a[1]*y.At(i, 1)+a[2]*y.At(i, 2)-b))
			}
			if (worst < 1e-11) != c.holds {
				t.Errorf("off by %v", worst)
			}
		})
	}
}

// TestRidge: the gradient Φᵀ(ΦW − T) + λW (without its bias row if free) is 0, E is
// half the squares and the penalty, and scaling the columns extremely is no harm.
func TestRidge(t *testing.T) {
	for _, free := range []bool{false, true} {
		for _, c := range []struct{ λ, offset float64 }{{0.3, 0}, {50, 4}, {1e-6, -2}} {
			x, labels := clouds(60, 4, 3, 5)
			x.Apply(func(_, j int, v float64) float64 { return v*math.Pow(10, float64(j)) + c.offset }, x)
			o := classify.LeastSquaresOptions{Ridge: c.λ, FreeBias: free}
			m := must(classify.FitLeastSquares(x, labels, 3, o))(t)
			y := must(m.Outputs(x))(t)
			half, penalty := 0.0, 0.0
			for k := range 3 {
				for j := range 5 {
					g, size := 0.0, 0.0
					for i := range 60 {
						φ := 1.0
						if j > 0 {
							φ = x.At(i, j-1)
						}
						r := y.At(i, k) - truth(labels[i] == k)
						g += φ * r
						size += math.Abs(φ * r)
						if j == 0 {
							half += r * r / 2
						}
					}
					if w := m.W.At(j, k); j > 0 || !free {
						g += c.λ * w
						size += math.Abs(c.λ * w)
						penalty += c.λ * w * w / 2
					}
					if math.Abs(g) > 1e-12*size {
						t.Errorf("λ = %v, free %v: gradient (%d, %d) is %v of %v", c.λ, free, j, k, g, size)
					}
				}
			}
			geoNear(t, "E_D", m.SumSquare, half)
			geoNear(t, "E", m.E, half+penalty)
		}
	}
	// More columns than rows are no matter.
	x, labels := clouds(6, 20, 2, 6)
	m := must(classify.FitLeastSquares(x, labels, 2, classify.LeastSquaresOptions{Ridge: 1}))(t)
	if m.Rank != 21 || m.DegreesOfFreedom() != 42 {
		t.Errorf("rank %d, %s", m.Rank, m.Reason)
	}
}

// TestLargeRidge: above the limit where normal equations take over, all rows twice
// with twice the penalty give the same weights as the orthogonal way once.
func TestLargeRidge(t *testing.T) {
	x, target := drawn(10000, 35, 1)
	twice, both := mat.NewDense(20000, 35, nil), mat.NewDense(20000, 1, nil)
	once := mat.NewDense(10000, 1, target)
	for i := range 20000 {
		twice.SetRow(i, x.RawRowView(i%10000))
		both.Set(i, 0, target[i%10000])
	}
	for _, free := range []bool{false, true} {
		a := must(classify.FitLeastSquaresTargets(x, once, classify.LeastSquaresOptions{Ridge: 500, FreeBias: free}))(t)
		b := must(classify.FitLeastSquaresTargets(twice, both, classify.LeastSquaresOptions{Ridge: 1000, FreeBias: free}))(t)
		if a.Reason == b.Reason {
			t.Fatalf("both %s", a.Reason)
		}
		for i, w := range flat(a.W) {
			geoNear(t, "w", b.W.At(i, 0), w)
		}
		geoNear(t, "E", b.E, 2*a.E)
	}
}

func TestTargetErrors(t *testing.T) {
	x := pointsOn(0, 1, 2)
	one := mat.NewDense(3, 1, []float64{1, 2, 3})
	refused(t, []refusal{
		{"rows", of(classify.FitLeastSquaresTargets(x, mat.NewDense(2, 1, nil), classify.LeastSquaresOptions{})), []string{"2×1", "3 rows"}},
		{"NaN", of(classify.FitLeastSquaresTargets(x, pointsOn(1, 2, math.NaN()), classify.LeastSquaresOptions{})), []string{"targets", "row 2"}},
		{"nil", of(classify.FitLeastSquaresTargets(x, nil, classify.LeastSquaresOptions{})), []string{"targets"}},
		{"coding", of(classify.FitLeastSquaresTargets(x, one, classify.LeastSquaresOptions{Coding: classify.CodingFisher})), []string{"Coding"}},
		{"unknown coding", of(classify.FitLeastSquares(x, []int{0, 1, 1}, 2, classify.LeastSquaresOptions{Coding: 9})), []string{"Coding is 9"}},
		{"ridge", of(classify.FitLeastSquares(x, []int{0, 1, 1}, 2, classify.LeastSquaresOptions{Ridge: -1})), []string{"Ridge is -1"}},
		{"Fisher, 3 classes", of(classify.FitLeastSquares(x, []int{0, 1, 2}, 3, classify.LeastSquaresOptions{Coding: classify.CodingFisher})), []string{"two classes"}},
		{"Fisher targets, one class", of(classify.FisherTargets([]float64{1, 1})), []string{"single class"}},
		{"Fisher targets, soft", of(classify.FisherTargets([]float64{1, 0.5})), []string{"t[1]"}},
		{"±1 targets", of(classify.PlusMinusTargets([]float64{1, -1})), []string{"t[1]"}},
		{"overflow", of(classify.FitLeastSquaresTargets(pointsOn(0, 1e-300, 2e-300), pointsOn(0, 1e300, 2e300), classify.LeastSquaresOptions{})), []string{"cannot be represented"}},
		{"not fitted", of(new(classify.LeastSquares).Outputs(x)), []string{"FitLeastSquares"}},
	})
}

// With the targets N/N₁ and −N/N₂ least squares is Fisher's discriminant.
func ExampleFitLeastSquaresTargets() {
	x := mat.NewDense(5, 1, []float64{3, 4, 5, 0, 1})
	t := toolkit.Must(classify.FisherTargets([]float64{1, 1, 1, 0, 0}))
	m := toolkit.Must(classify.FitLeastSquaresTargets(x, mat.NewDense(5, 1, t), classify.LeastSquaresOptions{}))
	fmt.Printf("%.3f: boundary at the mean %.1f\n", t[0], -m.W.At(0, 0)/m.W.At(1, 0))
	// Output: 1.667: boundary at the mean 2.6
}

// TestConstraintDependentColumns: with a constant second column (PRML exercise
// 4.2) the sum of 1-of-K outputs is 1 on the affine hull of the rows and not off
// it, where the shortest weights give 1 + 2·(3−2)/5 = 1.4 at x2 = 3.
func TestConstraintDependentColumns(t *testing.T) {
	x := mat.NewDense(4, 2, []float64{0, 2, 1, 2, 2, 2, 3, 2})
	m, err := classify.FitLeastSquares(x, []int{0, 0, 1, 1}, 2, classify.LeastSquaresOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Rank != 2 {
		t.Fatalf("rank %d, want 2 of 3", m.Rank)
	}
	for _, c := range []struct {
		name   string
		x      []float64
		y1, y2 float64
	}{
		{"a row", []float64{1, 2}, 0.7, 0.3},
		{"an affine combination", []float64{-7, 2}, 3.9, -2.9},
		{"another second column", []float64{1.5, 3}, 0.94, 0.46},
	} {
		y, err := m.Scores(mat.NewDense(1, 2, c.x))
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(y.At(0, 0)-c.y1) > 1e-12 || math.Abs(y.At(0, 1)-c.y2) > 1e-12 {
			t.Errorf("%s: y = %v, want (%v, %v)", c.name, mat.Formatted(y), c.y1, c.y2)
		}
	}
}
