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
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// checkedSeparability calls Separable and checks the certificate in two ways. It calls the method
// Verify, and it also computes the sums over the rows of x itself.
func checkedSeparability(t *testing.T, x mat.Matrix, target []float64) *classify.Separability {
	t.Helper()
	s := must(classify.Separable(x, target))(t)
	errorIf(t, s.Verify(x, target) != nil, "Verify rejects the certificate of Separable: %v", s.Verify(x, target))
	_, d := x.Dims()
	if s.Separable {
		errorIf(t, s.Alpha != nil || s.Common != nil || !(s.Margin > 0) || len(s.W) != d+1,
			"the classes are separable, but the certificate is %+v: want a plane and no common point", s)
		return s
	}
	errorIf(t, s.W != nil || len(s.Alpha)+len(s.Beta) > d+2, "the classes are not separable, but the certificate is %+v: want no plane, and a common point of at most D+2 rows", s)
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
		closeTo(t, a, b, 1e-12*size, "column %d of the point Σ α x, compared with Σ β x", j)
		closeTo(t, a, s.Common[j], 1e-12*size, "column %d of the point Σ α x, compared with Common", j)
	}
	return s
}

// pointsOn returns v as a matrix with one column.
func pointsOn(v ...float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }

// TestSeparableLarge checks inputs of 10000×50. If the linear program used all rows, the test would
// be too slow.
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
		s := checkedSeparability(t, x, target)
		errorIf(t, s.Separable != (shift > 0.5), "shift %v: Separable is %v, want true only for a shift above ½",
			shift, s.Separable)
	}
}

func TestSeparableErrors(t *testing.T) {
	x := pointsOn(0, 1, 2)
	errorHas(t, errorOf(classify.Separable(x, []float64{0, 0.5, 1})), "t[1]", "0.5", "exactly")
	errorHas(t, errorOf(classify.Separable(x, []float64{1, 1, 1})), "3 targets", "single class")
	errorHas(t, errorOf(classify.Separable(x, []float64{1})), "1 targets", "3 rows")
	errorHas(t, errorOf(classify.Separable(pointsOn(0, math.NaN()), []float64{0, 1})), "row 1")
	errorHas(t, errorOf(classify.SeparablePairs(x, []int{0, 1, 5}, 3)), "labels[2]")
	errorHas(t, errorOf(classify.SeparableFromRest(x, []int{0, 1}, 3)), "2 entries")
	errorHas(t, errorOf(must(classify.Separable(x, []float64{0, 1, 0}))(t).Plane()), "not separable")
}

// TestVerifyRejects checks that Verify rejects certificates that do not prove their result.
func TestVerifyRejects(t *testing.T) {
	x, target := pointsOn(0, 1, 2, 3), []float64{0, 1, 0, 1}
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
		{"overflow",
			func(s *classify.Separability) {
				*s = classify.Separability{Separable: true, W: []float64{-1e308, 1.2e308}}
			}, []string{"row 2", "NaN", "strictly"}},
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
			s := must(classify.Separable(x, target))(t)
			c.spoil(s)
			errorHas(t, s.Verify(x, target), c.want...)
		})
	}
}

// TestSeparableClasses checks the iris data with a fourth class that has no rows. A plane separates
// setosa from the other classes. No plane separates versicolor or virginica from the other classes.
// Setosa is also separable from each single class, but versicolor is not separable from virginica.
// The test also uses three classes that lie side by side. The class in the middle is separable from
// each of the others, but not from both together (Alpaydin figure 10.4).
func TestSeparableClasses(t *testing.T) {
	iris := datasets.Iris()
	rest := must(classify.SeparableFromRest(iris.X, iris.Labels, 4))(t)
	pairs := must(classify.SeparablePairs(iris.X, iris.Labels, 4))(t)
	if len(rest) != 4 || rest[3] != nil || len(pairs) != 3 {
		t.Fatalf("got the results of %d classes and %d pairs, want 4 classes, the last with a nil result, and 3 pairs", len(rest), len(pairs))
	}
	for c, want := range []bool{true, false, false} {
		errorIf(t, rest[c].Separable != want, "class %d against the other classes: got Separable %v, want the opposite", c, rest[c].Separable)
		target := must(iris.Target(iris.ClassNames[c]))(t)
		if err := rest[c].Verify(iris.X, target); err != nil {
			t.Error(err)
		}
	}
	for i, want := range []bool{true, true, false} {
		errorIf(t, pairs[i].Separable != want, "classes %d and %d: got Separable %v, want the opposite", pairs[i].First, pairs[i].Second,
			pairs[i].Separable)
	}
	x, labels := pointsOn(0, 1, 2, 3, 4, 5), []int{0, 0, 1, 1, 2, 2}
	for _, p := range must(classify.SeparablePairs(x, labels, 3))(t) {
		errorIf(t, !p.Separable, "classes %d and %d are not separable, want separable", p.First, p.Second)
	}
	for c, s := range must(classify.SeparableFromRest(x, labels, 3))(t) {
		errorIf(t, s.Separable != (c != 1), "class %d against the other classes: got Separable %v, want the opposite", c, s.Separable)
	}
}

func TestSeparableCases(t *testing.T) {
	plane := func(v ...float64) *mat.Dense { return mat.NewDense(len(v)/2, 2, v) }
	for _, c := range []struct {
		name string
		x    *mat.Dense
		t    []float64
		want bool
	}{
		{"two points", pointsOn(0, 1), []float64{0, 1}, true},
		{"the same point", pointsOn(3, 3), []float64{0, 1}, false},
		{"touching intervals", pointsOn(0, 1, 1, 2), []float64{0, 0, 1, 1}, false},
		{"apart by a little", pointsOn(0, 1, 1+1e-9, 2), []float64{0, 0, 1, 1}, true},
		// With w1 = 1, no floating-point number w0 puts the threshold between two adjacent numbers.
		// With w1 = 3, such a w0 exists.
		{"classes at adjacent numbers", pointsOn(-1, 0.5, math.Nextafter(0.5, 1), 1), []float64{0, 0, 1, 1}, true},
		{"inside", pointsOn(0, 1, 2), []float64{0, 1, 0}, false},
		{"corner touches edge", plane(0, 0, 2, 0, 1, 0, 1, 5), []float64{0, 0, 1, 1}, false},
		{"corner above edge", plane(0, 0, 2, 0, 1, 1e-8, 1, 5), []float64{0, 0, 1, 1}, true},
		{"edges touch", plane(0, 0, 1, 0, 1, 0, 2, 0), []float64{0, 0, 1, 1}, false},
		{"exclusive or", plane(0, 0, 1, 1, 0, 1, 1, 0), []float64{0, 0, 1, 1}, false},
		{"and", plane(0, 0, 0, 1, 1, 0, 1, 1), []float64{0, 0, 0, 1}, true},
		{"duplicates, apart", plane(0, 0, 0, 0, 0, 0, 1, 1, 1, 1), []float64{0, 0, 0, 1, 1}, true},
		{"duplicates, across", plane(0, 0, 0, 0, 1, 1, 0, 0, 1, 1), []float64{0, 0, 0, 1, 1}, false},
		{"constant column", plane(7, 0, 7, 1, 7, 2, 7, 3), []float64{0, 0, 1, 1}, true},
		{"all columns constant", plane(7, 1, 7, 1), []float64{0, 1}, false},
		{"duplicated column", plane(0, 0, 1, 1, 2, 2, 3, 3), []float64{0, 1, 0, 1}, false},
		{"far away", plane(1e8, 1, 1e8+1, 1, 1e8+2, 1, 1e8+3, 1), []float64{0, 0, 1, 1}, true},
		{"far away, touching", plane(1e8, 1, 1e8+1, 1, 1e8+1, 1, 1e8+3, 1), []float64{0, 0, 1, 1}, false},
		{"huge and tiny units", plane(1e150, 1e-150, 2e150, 1e-150, 1e150, 2e-150, 2e150, 2e-150),
			[]float64{0, 0, 1, 1}, true},
		{"huge and tiny, across", plane(1e150, 1e-150, 2e150, 2e-150, 1e150, 2e-150, 2e150, 1e-150),
			[]float64{0, 0, 1, 1}, false},
		{"one last bit apart", pointsOn(-3, -2, 1, math.Nextafter(1, 2), 2, 3), []float64{0, 0, 0, 1, 1, 1}, true},
		{"touching, equal in every bit", pointsOn(-3, -2, 1, 1, 2, 3), []float64{0, 0, 0, 1, 1, 1}, false},
		{"overlapping by the last bit", pointsOn(-3, -2, math.Nextafter(1, 2), 1, 2, 3), []float64{0, 0, 0, 1, 1, 1},
			false},
		{"2e-15 apart, around 0", pointsOn(-3, -2, -1e-15, 1e-15, 2, 3), []float64{0, 0, 0, 1, 1, 1}, true},
		{"overlapping by 2e-15, around 0", pointsOn(-3, -2, 1e-15, -1e-15, 2, 3), []float64{0, 0, 0, 1, 1, 1}, false},
		{"one far outlier", plane(0, 0, 1, 0, 0, 1, 1e12, 1), []float64{0, 0, 1, 1}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			errorIf(t, checkedSeparability(t, c.x, c.t).Separable != c.want, "Separable is %v, want the opposite",
				!c.want)
			// The result must not change if the classes are swapped and every row occurs twice.
			var twice mat.Dense
			twice.Stack(c.x, c.x)
			other := slices.Concat(c.t, c.t)
			floats.AddConst(-1, other)
			floats.Scale(-1, other)
			errorIf(t, checkedSeparability(t, &twice, other).Separable != c.want,
				"classes exchanged, rows doubled: Separable is %v, want the opposite", !c.want)
		})
	}
}

// TestNoMaximum checks every model of the list `optima` on separable data. Converged must be false,
// Separable must be true, Direction must be set, and Covariance must be nil. Under a prior the fit
// must converge, except for a label-flip fit to the data set "huge". The last data set is for the
// label-flip model only: it is separable except for one row.
func TestNoMaximum(t *testing.T) {
	for _, c := range []struct {
		name  string
		x, t  []float64
		quasi bool
		only  string // the only model to test, or "" for all models
	}{
		{"complete", []float64{-3, -2, 1, 2}, []float64{0, 0, 1, 1}, false, ""},
		{"shared point", []float64{-3, -2, 0, 0, 1, 2}, []float64{0, 0, 0, 1, 1, 1}, true, ""},
		{"shared point, uneven", []float64{-3, -2, 0, 0, 0, 0, 1, 2}, []float64{0, 0, 0, 1, 1, 1, 1, 1}, true, ""},
		{"soft on the plane", []float64{-3, 0, 2}, []float64{0, 0.3, 1}, true, ""},
		{"narrow gap", []float64{0, 1, 1 + 1e-9, 2}, []float64{0, 0, 1, 1}, false, ""},
		{"far offset", []float64{1e8, 1e8 + 1, 1e8 + 2, 1e8 + 3}, []float64{0, 0, 1, 1}, false, ""},
		{"tiny", []float64{-3e-150, -2e-150, 1e-150, 2e-150}, []float64{0, 0, 1, 1}, false, ""},
		{"huge", []float64{-3e150, -2e150, 1e150, 2e150}, []float64{0, 0, 1, 1}, false, ""},
		{"separable except for a far mislabelled row", []float64{-4, -3, -2, -1, 1, 2, 3, 4}, []float64{1, 0, 0, 0, 1, 1, 1, 1}, false,
			"label flip"},
	} {
		x := mat.NewDense(len(c.x), 1, c.x)
		for _, f := range optima {
			if c.only != "" && f.name != c.only {
				continue
			}
			t.Run(c.name+"/"+f.name, func(t *testing.T) {
				m := must(f.fit(x, c.t, classify.LogisticOptions{}))(t)
				if m.Converged || !m.Separable || !(m.Direction[1] > 0) || m.Covariance != nil {
					t.Fatalf("got Converged %v, Separable %v and direction %v, want false, true, a positive slope and no covariance: %s", m.Converged, m.Separable, m.Direction,
						m.Reason)
				}
				if f.name == "logistic" {
					errorHas(t, errorOf(m.StandardErrors()), "separable", "Prior")
					errorIf(t, strings.Contains(m.Reason, "quasi") != c.quasi || m.Hessian == nil,
						"want a Hessian, and a Reason with the word quasi if and only if a row lies on the plane: %s", m.Reason)
				}
				p := must(f.fit(x, c.t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.5}}))(t)
				errorIf(t, p.Separable || !p.Converged && !(c.name == "huge" && strings.HasPrefix(f.name, "label")),
					"with a prior: got Separable %v and Converged %v, want false and true: %s", p.Separable, p.Converged, p.Reason)
			})
		}
	}
	// The classes are only 2e-12 apart. Because they are separable, the estimate of ε must be 0.
	x := pointsOn(-3, -2, -1e-12, 1e-12, 2, 3)
	m := must(classify.FitLabelFlip(x, []float64{0, 0, 0, 1, 1, 1}, classify.LabelFlipOptions{Estimate: true}))(t)
	errorIf(t, m.Converged || !m.Separable || !(m.Direction[1] > 0) ||
		math.Abs(m.Direction[0]) >= 1e-12*m.Direction[1] || m.Epsilon != 0,
		"got Converged %v, Separable %v, direction %v and ε %v, want false, true, a positive slope with a bias near 0, and ε 0: %s", m.Converged, m.Separable, m.Direction, m.Epsilon,
		m.Reason)
}

// Either a plane separates the classes, or their convex hulls have a common point. The result
// contains the plane or the point.
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

// checkVerdict compares Separable and the first n fits of `optima` with exact arithmetic. Every model
// must report correctly whether a maximum exists. Separable must decide correctly whether the
// classes are strictly separable, and return a valid proof. If all columns are whole numbers, the
// directions of the fits must separate the classes, and the fits must converge if a maximum exists.
// The loss of the label-flip model is not convex. checkVerdict therefore checks only that this model
// reports separable classes. It returns the results of exactRecession.
func checkVerdict(t *testing.T, name string, x *mat.Dense, target []float64, n int) (weak, strict bool) {
	t.Helper()
	weak, strict = exactRecession(x, target)
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf(name+": "+format+"\n%v\n%v", append(args, mat.Formatted(x), target)...)
	}
	s, err := classify.Separable(x, target)
	if err == nil {
		err = s.Verify(x, target)
	}
	// If Separable finds no separating weights of 53 bits, it returns an error.
	narrow := strict && err != nil && strings.Contains(err.Error(), "53 bits")
	if !narrow && (err != nil || s.Separable != strict) {
		fail("Separable returns %+v (error of Separable or Verify: %v), but exact arithmetic finds strict separability %v", s, err, strict)
	}
	whole := name == "integers" || name == "grid"
	for _, f := range optima[:n] {
		m := must(f.fit(x, target, classify.LogisticOptions{}))(t)
		convex := !strings.HasPrefix(f.name, "label")
		if weak && (m.Converged || !m.Separable) || !weak && convex && (m.Separable || whole && !m.Converged) {
			fail("%s: got Separable %v and Converged %v, but exact arithmetic finds separability %v; want the same Separable and the opposite Converged: %s", f.name, m.Separable,
				m.Converged, weak, m.Reason)
		}
		if weak && f.name == "logistic" && whole && strings.Contains(m.Reason, "quasi") == strict {
			fail("exact arithmetic finds strict separability %v, but Reason states the opposite: %s", strict, m.Reason)
		}
		if weak && whole && convex {
			if least := leastMargin(x, target, m.Direction); least < -1e-10 || strict && least <= 0 {
				fail("%s: the direction %v has the margin %v, want a margin of at least 0, or above 0 for strictly separable classes", f.name, m.Direction, least)
			}
		}
		// Check the optimum only for rank 3. With a lower rank, columns are dependent up to rounding, and
		// w is the shortest solution, which may differ from the optimum.
		if m.Converged && f.same && m.Rank == 3 {
			checkOptimum(t, name+", "+f.name, x, target, 0, m.W)
		}
	}
	return weak, strict
}

// TestOneVerdict compares verdicts on points of the plane with exact arithmetic. It checks the verdicts
// of Separable and FitLogistic for every data set, and the verdicts of all models for every fourth
// data set. For these, except on the grid, it also checks a label-flip fit that estimates ε.
func TestOneVerdict(t *testing.T) {
	trial, count := 0, map[string]int{}
	planeSets(900, func(name string, x *mat.Dense, target []float64) {
		n := 1
		if trial%4 == 0 {
			n = len(optima)
		}
		weak, strict := checkVerdict(t, name, x, target, n)
		if trial%4 == 0 && name != "grid" {
			f := must(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Epsilon: 0.1, Estimate: true}))(t)
			errorIf(t, weak && !f.Separable || strict && f.Epsilon != 0,
				"the label-flip fit is %+v, want Separable for separable classes, and ε 0 if they are strictly separable", f)
		}
		trial++
		count[fmt.Sprint(weak, strict)]++
	})
	errorIf(t, min(count["true true"], count["true false"], count["false false"]) < 60,
		"the numbers of data sets by (separable, strictly separable) are %v, want at least 60 of each kind", count)
}
