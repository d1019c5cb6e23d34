package ex05

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// projected are the sums of (4.24) and (4.25), from the projections y = wᵀx alone.
func projected(c instance.Clouds, w []float64) (gap2, scatter float64) {
	var means [2]float64
	for k, x := range []*mat.Dense{c.X1, c.X2} {
		n, _ := x.Dims()
		y := make([]float64, n)
		for i := range y {
			y[i] = floats.Dot(w, x.RawRowView(i))
		}
		means[k] = floats.Sum(y) / float64(n)
		for _, v := range y {
			scatter += (v - means[k]) * (v - means[k])
		}
	}
	return (means[1] - means[0]) * (means[1] - means[0]), scatter
}

// quadratic is wᵀSw, and the size of its terms, to which a tolerance relates.
func quadratic(s *mat.Dense, w []float64) (value, size float64) {
	for i, a := range w {
		for j, b := range w {
			value += a * b * s.At(i, j)
			size += math.Abs(a * b * s.At(i, j))
		}
	}
	return value, size
}

// directions are w for which columns of any size count alike.
func directions(c instance.Clouds, n uint64) [][]float64 {
	r := instance.Source(4050, n)
	_, _, d := c.Dims()
	var out [][]float64
	for range 6 {
		w := instance.Unit(r, d)
		for j := range w {
			w[j] /= 1e-12 + math.Sqrt(c.Within().At(j, j))
		}
		out = append(out, w)
	}
	return out
}

func judgeBetween(scatter scatterFunc) verify.Verdict {
	for i, c := range problems(2) {
		sb, _, bad := ask(scatter, c)
		if bad != nil {
			return *bad
		}
		for _, w := range directions(c, uint64(i)) {
			got, size := quadratic(sb, w)
			want, _ := projected(c, w)
			f := verify.Close(got, want, verify.Tolerance{Rel: 10 * c.Tol, Abs: c.Tol * size})
			if f.OK {
				continue
			}
			if v, ok := learner.Recognise(betweenMistakes, c, even(c, sb)); ok {
				return v
			}
			if factor, ok := learner.Factor(even(c, sb), even(c, between(c))); ok {
				if factor < 0 {
					return verify.Fail("sb-sign", 1, "Your S_B is (4.27) times a negative number: the square (m2 − m1)² of a projected difference is not negative.")
				}
				return verify.Fail("sb-factor", 1, "Your S_B is (4.27) times one number. In (4.25) the squared distance (m2 − m1)² has no factor.")
			}
			return verify.Fail("sb", 1, "For “%s” and a random w the number wᵀS_B w should be (m2 − m1)², the squared distance of the projected means: it is %s.", c.Name, f.Off())
		}
	}
	return verify.Pass("For random w, wᵀS_B w is the squared distance of the projected means, the numerator of (4.25).")
}

func judgeWithin(scatter scatterFunc) verify.Verdict {
	for i, c := range problems(3) {
		_, sw, bad := ask(scatter, c)
		if bad != nil {
			return *bad
		}
		for _, w := range directions(c, uint64(i)) {
			got, size := quadratic(sw, w)
			_, want := projected(c, w)
			f := verify.Close(got, want, verify.Tolerance{Rel: 10 * c.Tol, Abs: 10 * c.Tol * size})
			if f.OK {
				continue
			}
			if v, ok := learner.Recognise(withinMistakes, c, even(c, sw)); ok {
				return v
			}
			if factor, ok := learner.Factor(even(c, sw), even(c, mat.DenseCopyOf(c.Within()))); ok {
				if factor < 0 {
					return verify.Fail("sw-sign", 1, "Your S_W is (4.28) times a negative number: a sum of squares is not negative.")
				}
				return verify.Fail("sw-factor", 2, "Your S_W is (4.28) times one number. The s_k² of (4.24) are sums of squares, not divided by anything.")
			}
			return verify.Fail("sw", 2, "For “%s” and a random w the number wᵀS_W w should be s1² + s2², the scatter of the projected points about their own class means: it is %s.", c.Name, f.Off())
		}
	}
	return verify.Pass("For random w, wᵀS_W w is s1² + s2², the denominator of (4.25). (The text calls it a variance; it is a sum without a division by N, and so the larger class counts for more.)")
}

func judgeSymmetric(scatter scatterFunc) verify.Verdict {
	for _, c := range problems(4) {
		sb, sw, bad := ask(scatter, c)
		if bad != nil {
			return *bad
		}
		for _, m := range []struct {
			name string
			s    *mat.Dense
		}{{"S_B", sb}, {"S_W", sw}} {
			if f := verify.Symmetric(m.s, 1e-10); !f.OK {
				return verify.Fail("not-symmetric", 3, "Your %s differs from its transpose: %s. A sum of products vvᵀ cannot. (wᵀSw alone does not notice: it sees only S + Sᵀ. Is one triangle left 0, or are the two mixed?)", m.name, f.Off())
			}
		}
	}
	return verify.Pass("Both equal their transposes. Only because of that are they determined by wᵀSw at all w.")
}

func judgeRank(scatter scatterFunc) verify.Verdict {
	for _, c := range problems(5) {
		sb, sw, bad := ask(scatter, c)
		if bad != nil {
			return *bad
		}
		_, _, d := c.Dims()
		unit := mat.NewDense(d, d, even(c, sb))
		if top := mat.Norm(unit, 1); top > 1e150 || !(top >= 0) {
			return verify.Fail("rank", 2, "The rank of your S_B could not be found: its entries are of the size %s.", verify.Magnitude(top))
		}
		var svd mat.SVD
		if !svd.Factorize(unit, mat.SVDNone) {
			return verify.Fail("rank", 2, "The rank of your S_B could not be found.")
		}
		values := svd.Values(nil)
		if values[0] == 0 {
			return verify.Fail("rank", 2, "Your S_B is the zero matrix, although the means differ.")
		}
		if d > 1 && values[1] > math.Max(1e-9, 100*c.Tol)*values[0] {
			return verify.Fail("rank", 2, "For “%s” your S_B has more than one independent column. An outer product vvᵀ has only one: every row is a multiple of vᵀ.", c.Name)
		}
		if f := verify.PositiveSemidefinite(mat.NewDense(d, d, even(c, sw)), 1e-9); !f.OK {
			return verify.Fail("negative-direction", 2, "For “%s” there is a w with wᵀS_W w < 0, but that number is a sum of squares.", c.Name)
		}
	}
	return verify.Pass("S_B sees a single direction; that is why S_B w always points along m2 − m1, and why Fisher's direction needs no eigenvalues.")
}

func judgeCriterion(scatter scatterFunc) verify.Verdict {
	for i, c := range problems(6) {
		sb, sw, bad := ask(scatter, c)
		if bad != nil {
			return *bad
		}
		for _, w := range directions(c, uint64(i)) {
			gap2, within := projected(c, w)
			b, _ := quadratic(sb, w)
			s, size := quadratic(sw, w)
			if math.Abs(s) <= 1e-8*size || size == 0 {
				if within > 0 {
					return verify.Fail("criterion", 1, "For “%s” and a random w your wᵀS_W w is 0, or nearly, and (4.26) cannot be formed.", c.Name)
				}
				continue
			}
			if f := verify.Close(b/s, gap2/within, verify.Tolerance{Rel: 1e3 * c.Tol, Abs: 1e-12}); !f.OK {
				if scaledCriterion(c, sb, sw, uint64(i)) {
					return verify.Fail("criterion-scaled", 1, "Your J(w) is (4.25) times one number, the same for all w. The best w does not notice, but J is another number: one of the matrices has a factor of its own.")
				}
				return verify.Fail("criterion", 1, "For “%s” and a random w the ratio (4.26) with your matrices is not (4.25) from the projections: %s.", c.Name, f.Off())
			}
		}
	}
	return verify.Pass("For random w the ratio of your two quadratic forms is Fisher's criterion.")
}

// scaledCriterion tells whether the ratio of the two forms is J(w) times one
// number for all w.
func scaledCriterion(c instance.Clouds, sb, sw *mat.Dense, n uint64) bool {
	first := 0.0
	for i, w := range directions(c, n) {
		gap2, within := projected(c, w)
		b, _ := quadratic(sb, w)
		s, _ := quadratic(sw, w)
		ratio := b / s / (gap2 / within)
		if i == 0 {
			first = ratio
		}
		if !verify.Close(ratio, first, verify.Tolerance{Rel: 1e-6}).OK {
			return false
		}
	}
	return first > 0
}
