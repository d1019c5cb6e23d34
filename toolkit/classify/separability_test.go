package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// decided calls Separable and checks the certificate twice: by Verify, and by plain sums in the
// coordinates of x.
func decided(t *testing.T, x mat.Matrix, target []float64) *classify.Separability {
	t.Helper()
	s := must(classify.Separable(x, target))(t)
	errorIf(t, s.Verify(x, target) != nil, "%v", s.Verify(x, target))
	_, d := x.Dims()
	if s.Separable {
		errorIf(t, s.Alpha != nil || s.Common != nil || !(s.Margin > 0) || len(s.W) != d+1,
			"certificate of a separable set: %+v", s)
		return s
	}
	errorIf(t, s.W != nil || len(s.Alpha)+len(s.Beta) > d+2, "certificate of a set that is not: %+v", s)
	for j := range d {
		var size float64
		point := func(rows []int, shares []float64) (sum float64) {
			for i, r := range rows {
				sum += shares[i] * x.At(r, j)
				size = math.Max(size, math.Abs(x.At(r, j)))
			}
			return sum
		}
		a, b := point(s.RowsC1, s.Alpha), point(s.RowsC2, s.Beta)
		within(t, a, b, 1e-12*size, "column %d of both points", j)
		within(t, a, s.Common[j], 1e-12*size, "column %d of the common point", j)
	}
	return s
}

// pointsOn returns v as a matrix with one column.
func pointsOn(v ...float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }

// TestSeparableLarge checks inputs of 10000×50, which are too slow unless the program uses few
// rows.
func TestSeparableLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, shift := range []float64{0.3, 0.9, 1.5} {
		x, target := mat.NewDense(10000, 50, nil), make([]float64, 10000)
		for i := range target {
			target[i] = float64(i % 2)
			for j := range 50 {
				x.Set(i, j, rng.NormFloat64()+shift*target[i])
			}
		}
		s := decided(t, x, target)
		errorIf(t, s.Separable != (shift > 0.5), "shift %v: separable %v", shift, s.Separable)
	}
}

func TestSeparableErrors(t *testing.T) {
	x := pointsOn(0, 1, 2)
	refused(t, []refusal{
		{"soft", of(classify.Separable(x, []float64{0, 0.5, 1})), []string{"t[1]", "0.5", "exactly"}},
		{"one class", of(classify.Separable(x, []float64{1, 1, 1})), []string{"3 targets", "single class"}},
		{"short", of(classify.Separable(x, []float64{1})), []string{"1 targets", "3 rows"}},
		{"NaN", of(classify.Separable(pointsOn(0, math.NaN()), []float64{0, 1})), []string{"row 1"}},
		{"labels", of(classify.SeparablePairs(x, []int{0, 1, 5}, 3)), []string{"labels[2]"}},
		{"rest", of(classify.SeparableFromRest(x, []int{0, 1}, 3)), []string{"2 entries"}},
		{"plane", of(must(classify.Separable(x, []float64{0, 1, 0}))(t).Plane()), []string{"not separable"}},
	})
}

// TestVerifyRejects checks that Verify rejects certificates that do not prove their claim.
func TestVerifyRejects(t *testing.T) {
	x, target := pointsOn(0, 1, 2, 3), []float64{0, 1, 0, 1}
	good := must(classify.Separable(x, target))(t)
	for _, c := range []struct {
		name  string
		spoil func(s *classify.Separability)
		want  []string
	}{
		{"not on its side",
			func(s *classify.Separability) { *s = classify.Separability{Separable: true, W: []float64{-0.5, 1}} },
			[]string{"row 2", "strictly"}},
		{"on the plane",
			func(s *classify.Separability) { *s = classify.Separability{Separable: true, W: []float64{-1, 1}} },
			[]string{"row 1", "strictly"}},
		{"width", func(s *classify.Separability) { *s = classify.Separability{Separable: true, W: []float64{-1}} },
			[]string{"1 entries"}},
		{"sum", func(s *classify.Separability) { s.Alpha[0] += 0.1 }, []string{"Alpha", "sums"}},
		{"negative", func(s *classify.Separability) { s.RowsC2, s.Beta = []int{0, 2, 2}, []float64{-1, 1, 1} },
			[]string{"Beta[0]", "negative"}},
		{"other class", func(s *classify.Separability) { s.RowsC1[0] = 0 }, []string{"Alpha[0]", "row 0"}},
		{"no row", func(s *classify.Separability) { s.RowsC1[0] = 9 }, []string{"row 9"}},
		{"other point", func(s *classify.Separability) { s.RowsC2, s.Beta = []int{0}, []float64{1} },
			[]string{"not the same point"}},
		{"nothing", func(s *classify.Separability) { *s = classify.Separability{} }, []string{"0 shares"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fromGob(t, good)
			c.spoil(s)
			mentions(t, s.Verify(x, target), c.want...)
		})
	}
}

// TestSeparableClasses checks iris: a plane separates setosa from the rest, but no plane separates
// versicolor or virginica from the rest. Setosa is also separable from each of the two alone. The
// test also uses three classes in a row. The middle class is separable from each neighbour but not
// from both together (Alpaydin figure 10.4).
func TestSeparableClasses(t *testing.T) {
	iris := datasets.Iris()
	rest := must(classify.SeparableFromRest(iris.X, iris.Labels, 4))(t)
	pairs := must(classify.SeparablePairs(iris.X, iris.Labels, 4))(t)
	if len(rest) != 4 || rest[3] != nil || len(pairs) != 3 {
		t.Fatalf("%d classes, %d pairs", len(rest), len(pairs))
	}
	for c, want := range []bool{true, false, false} {
		errorIf(t, rest[c].Separable != want, "class %d from the rest: %v", c, rest[c].Separable)
		target := must(iris.Target(iris.ClassNames[c]))(t)
		if err := rest[c].Verify(iris.X, target); err != nil {
			t.Error(err)
		}
	}
	for i, want := range []bool{true, true, false} {
		errorIf(t, pairs[i].Separable != want, "classes %d and %d: %v", pairs[i].First, pairs[i].Second,
			pairs[i].Separable)
	}
	x, labels := pointsOn(0, 1, 2, 3, 4, 5), []int{0, 0, 1, 1, 2, 2}
	for _, p := range must(classify.SeparablePairs(x, labels, 3))(t) {
		errorIf(t, !p.Separable, "classes %d and %d are not separable", p.First, p.Second)
	}
	for c, s := range must(classify.SeparableFromRest(x, labels, 3))(t) {
		errorIf(t, s.Separable != (c != 1), "class %d from the rest: %v", c, s.Separable)
	}
}

// Exactly one of two things exists: a separating plane, or a point in both hulls.
func ExampleSeparable() {
	x := mat.NewDense(4, 2, []float64{0, 0, 1, 1, 0, 1, 1, 0})
	and := toolkit.Must(classify.Separable(x, []float64{0, 1, 0, 0}))
	fmt.Printf("%v, margin %.3f\n", and.Separable, and.Margin)
	xor := toolkit.Must(classify.Separable(x, []float64{0, 0, 1, 1}))
	fmt.Printf("%v, common point %.2f = %.2f of rows %v\n", xor.Separable, xor.Common, xor.Alpha, xor.RowsC1)
	// Output:
	// true, margin 0.354
	// false, common point [0.50 0.50] = [0.50 0.50] of rows [2 3]
}

// TestOneVerdict compares all models with exact arithmetic on the same points of the plane. Every
// model must report correctly whether a maximum exists. Separable must decide correctly whether the
// classes are strictly separable and return a valid proof. The directions of the fits must separate
// the classes. A fit that reports Converged must be at the optimum, which the test checks in
// arithmetic of 1024 bits.
func TestOneVerdict(t *testing.T) {
	trial, count := 0, map[string]int{}
	planeSets(900, func(name string, x *mat.Dense, target []float64) {
		weak, strict := exactRecession(x, target)
		fail := func(format string, args ...any) {
			t.Errorf(name+": "+format+"\n%v\n%v", append(args, mat.Formatted(x), target)...)
		}
		if s, err := classify.Separable(x, target); err != nil || s.Separable != strict || s.Verify(x, target) != nil {
			fail("%+v, %v, but strictly separable is %v", s, err, strict)
		}
		for i, f := range optima {
			if i > 0 && trial%4 != 0 {
				break
			}
			m, err := f.fit(x, target, classify.LogisticOptions{})
			if err != nil {
				fail("%s: %v", f.name, err)
				continue
			}
			whole := name == "integers" || name == "grid"
			convex := !strings.HasPrefix(f.name, "label")
			if weak && (m.Converged || !m.Separable) || !weak && convex && (m.Separable || whole && !m.Converged) {
				fail("no maximum is %v, %s: %v %s", weak, f.name, m.Separable, m.Reason)
			}
			if weak && f.name == "logistic" && strings.Contains(m.Reason, "quasi") == strict {
				fail("complete separation is %v: %s", strict, m.Reason)
			}
			if weak && whole && convex {
				if least := leastMargin(x, target, m.Direction); least < -1e-10 || strict && least <= 0 {
					fail("%s: direction %v, margin %v", f.name, m.Direction, least)
				}
			}
			if m.Converged && f.same {
				arrived(t, name+", "+f.name, x, target, 0, m.W)
			}
		}
		if trial%4 == 0 && name != "grid" {
			f, err := classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Epsilon: 0.1, Estimate: true})
			if err != nil || weak && !f.Separable || strict && f.Epsilon != 0 {
				fail("label flip: %+v, %v", f, err)
			}
		}
		trial++
		count[fmt.Sprint(weak, strict)]++
	})
	errorIf(t, min(count["true true"], count["true false"], count["false false"]) < 60, "one-sided: %v", count)
}
