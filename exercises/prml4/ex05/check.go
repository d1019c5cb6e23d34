// Package ex05 judges PRML exercise 4.5: the two matrices that turn the Fisher criterion into a
// ratio of quadratic forms.
package ex05

import (
	"embed"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges scatter of PRML exercise 4.5: from the points X1 (N1×D) and X2
// (N2×D) of two classes it returns the D×D matrices S_B (4.27) and S_W (4.28).
func Check(scatter func(X1, X2 *mat.Dense) (SB, SW *mat.Dense)) *verify.Report {
	return exercise.Judge(slices.Concat(
		askBoth.Parts(scatter,
			judge.Form("the result is two D×D matrices, and X1 and X2 stay unchanged", problems, nil, judge.Wrong{},
				"You returned two D×D matrices, for D from 1 to 5.")),
		askBetween.Parts(scatter, projects("wᵀS_B w is the squared distance between the projected means", between, 1,
			judge.Wrong{Key: "sb", Hint: 1,
				Message: "For {problem} and a random w, wᵀS_B w should be (m2 − m1)², the squared distance between the projected means, but it is {off}."},
			"For random w, wᵀS_B w is the squared distance between the projected means, the numerator of (4.25).")),
		askWithin.Parts(scatter,
			projects("wᵀS_W w is the scatter of the projected points about their class means", within, 10,
				judge.Wrong{Key: "sw", Hint: 2,
					Message: "For {problem} and a random w, wᵀS_W w should be s1² + s2², the scatter of the projected points about their class means, but it is {off}."},
				"For random w, wᵀS_W w is s1² + s2², the denominator of (4.25). (The text calls s_k² a variance, but it is a sum that is not divided by N, so the larger class has more weight.)")),
		askBoth.Parts(scatter, []judge.Property[problem]{
			{Name: "both are symmetric", On: problems,
				Holds: func(p problem, both []float64) verify.Finding {
					sb, sw := p.split(both)
					return judge.All(p.symmetric(sb), p.symmetric(sw))
				},
				Wrong: judge.Wrong{Key: "not-symmetric", Hint: 3,
					Message: "For {problem} one of your matrices is not symmetric: the difference from its transpose is {off}. A sum of products vvᵀ is symmetric. (wᵀSw does not detect the error, because it depends only on S + Sᵀ. Compare your two triangles.)"},
				Right: "Both matrices are symmetric. Only a symmetric matrix is determined by wᵀSw for all w."},
			{Name: "S_B has rank 1, S_W has no negative direction", On: problems,
				First: rank,
				Holds: func(p problem, both []float64) verify.Finding {
					_, sw := p.split(both)
					even := p.Spread().Even(entries(sw))
					for j := range p.dim() {
						even.Set(j, j, even.At(j, j)+tiny)
					}
					return verify.PositiveSemidefinite(even, 1e-9)
				},
				Wrong: judge.Wrong{Key: "negative-direction", Hint: 2,
					Message: "For {problem} there is a w with wᵀS_W w < 0, but wᵀS_W w is a sum of squares."},
				Right: "S_B has rank 1, so S_B w always points along m2 − m1, and Fisher's direction needs no eigenvalues."},
			{Name: "(4.26) is (4.25): the two forms of J(w) agree", On: problems,
				Holds: criterion,
				Wrong: judge.Wrong{Key: "criterion", Hint: 1,
					Message: "For {problem} and a random w the ratio (4.26) with your matrices should equal (4.25) from the projections, but it is {off}."},
				Right: "For random w the ratio of your two quadratic forms is Fisher's criterion."},
		}...))...)
}

// tiny is the largest rounding error of S_W, relative to the spread of the whole problem. It
// matters where the points of each class coincide, so that S_W is 0.
const tiny = 1e-12

// projects returns the part that compares wᵀSw with a number computed from the projections. The
// tolerance is abs·Tol relative to the size of the terms.
func projects(name string, of matrix, abs float64, wrong judge.Wrong, right string) judge.Property[problem] {
	return judge.Property[problem]{Name: name, On: problems, Wrong: wrong, Right: right,
		Holds: func(p problem, s []float64) verify.Finding {
			return p.each(func(w []float64) verify.Finding {
				got, size := quadratic(s, w)
				return verify.Close(got, p.projected(w)[of],
					verify.Tolerance{Rel: 10 * p.Tol, Abs: abs*p.Tol*size + tiny})
			})
		}}
}

// rank rejects an S_B that is zero or has more than one independent column.
func rank(p problem, both []float64) *verify.Verdict {
	sb, _ := p.split(both)
	unit := p.Spread().Even(entries(sb))
	var svd mat.SVD
	switch top := mat.Norm(unit, 1); {
	case top > 1e150 || !svd.Factorize(unit, mat.SVDNone):
		return judge.Fail("rank", 2, "Check could not compute the rank of your S_B, because its entries are of the size %s.",
			verify.Magnitude(top))
	case top == 0:
		return judge.Fail("rank", 2, "Your S_B is the zero matrix, although the means differ.")
	}
	if values := svd.Values(nil); len(values) > 1 && !(values[1] <= math.Max(1e-9, 100*p.Tol)*values[0]) {
		return judge.Fail("rank", 2,
			"For %v your S_B has more than one independent column. An outer product vvᵀ has only one, because every row is a multiple of vᵀ.", p)
	}
	return nil
}

// criterion compares (4.26) with (4.25) in random directions. It skips directions in which the
// classes have no spread.
func criterion(p problem, both []float64) verify.Finding {
	sb, sw := p.split(both)
	return p.each(func(w []float64) verify.Finding {
		y := p.projected(w)
		if y[within] == 0 {
			return verify.Finding{OK: true}
		}
		b, _ := quadratic(sb.RawMatrix().Data, w)
		s, size := quadratic(sw.RawMatrix().Data, w)
		if math.Abs(s) <= 1e-8*size || size == 0 {
			return verify.Finding{Note: "wᵀS_W w is 0, or nearly"}
		}
		return verify.Close(b/s, y[between]/y[within], verify.Tolerance{Rel: 1e3 * p.Tol, Abs: 1e-12})
	})
}

// A problem is two classes of points.
type problem struct{ gauss.Classes }

// problems include classes of one point, and means that are close together or far apart. Some
// problems have fewer points than columns, so that S_W is singular or 0.
var problems = instance.Once(func() (list []problem) {
	r := instance.Source(405, 1)
	for _, c := range slices.Concat(instance.TwoClasses(r), instance.FewPoints(r)) {
		list = append(list, problem{gauss.Classes{Clouds: c}})
	}
	return list
})

// dim returns the number D of columns.
func (p problem) dim() int { _, _, d := p.Dims(); return d }

// A matrix selects one of the two results, S_B or S_W, and its quadratic form.
type matrix int

const (
	between matrix = iota
	within
)

// projected returns the sums of (4.24) and (4.25), computed from the projections y = wᵀx alone.
func (p problem) projected(w []float64) (sums [2]float64) {
	var means [2]float64
	for k, x := range []*mat.Dense{p.X1, p.X2} {
		y := instance.Activations(x, w)
		means[k] = floats.Sum(y) / float64(len(y))
		for _, v := range y {
			sums[within] += (v - means[k]) * (v - means[k])
		}
	}
	sums[between] = (means[1] - means[0]) * (means[1] - means[0])
	return sums
}

// symmetric checks that s is symmetric, with the same tolerance as projects. If the inputs are far
// from the origin, n·m_p·m_q and n·m_q·m_p differ by more than the rounding of S_W.
func (p problem) symmetric(s *mat.Dense) verify.Finding {
	return verify.Symmetric(p.Spread().Even(entries(s)), 10*p.Tol)
}

// each applies look to random directions w and returns the first finding that is not OK. The
// directions are scaled so that columns of any size have the same weight.
func (p problem) each(look func(w []float64) verify.Finding) verify.Finding {
	r := instance.Source(4050, uint64(p.dim()))
	spread := p.Spread()
	for range 6 {
		w := instance.Unit(r, p.dim())
		floats.Div(w, spread)
		if f := look(w); !f.OK {
			return f
		}
	}
	return verify.Finding{OK: true}
}

// split separates S_B and S_W.
func (p problem) split(both []float64) (sb, sw *mat.Dense) {
	d := p.dim()
	return mat.NewDense(d, d, both[:d*d]), mat.NewDense(d, d, both[d*d:])
}

func entries(s *mat.Dense) []float64 { return s.RawMatrix().Data }

// quadratic returns wᵀSw and the sum of the absolute values of its terms. Tolerances are relative
// to this sum.
func quadratic(s, w []float64) (value, size float64) {
	for i, a := range w {
		for j, b := range w {
			value += a * b * s[i*len(w)+j]
			size += math.Abs(a * b * s[i*len(w)+j])
		}
	}
	return value, size
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex05", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
