package classify_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// dyadic returns clouds whose numbers are multiples of 2⁻²⁰, so that an offset of
// up to 2³¹ is added to them without rounding.
func dyadic(n, d, k int, offset float64) (*mat.Dense, []int) {
	x, labels := clouds(n, d, k, 5)
	x.Apply(func(_, _ int, v float64) float64 { return math.Round(v*(1<<20))/(1<<20) + offset }, x)
	return x, labels
}

// naiveScatter is the two-pass value by the definitions (4.40), (4.46), (4.43).
func naiveScatter(x *mat.Dense, labels []int, k int) (within, between, total *mat.Dense) {
	n, d := x.Dims()
	hot := oneOfK(labels, k)
	var means, mean, own, all mat.Dense
	means.Mul(hot.T(), x)
	for c := range k {
		if m := mat.Sum(hot.ColView(c)); m > 0 {
			floats.Scale(1/m, means.RawRowView(c))
		}
	}
	own.Mul(hot, &means)
	mean.Mul(mat.NewDense(1, n, slices.Repeat([]float64{1 / float64(n)}, n)), x)
	all.Mul(mat.NewDense(n, 1, slices.Repeat([]float64{1}, n)), &mean)
	square := func(a, b mat.Matrix) *mat.Dense {
		var diff mat.Dense
		s := mat.NewDense(d, d, nil)
		diff.Sub(a, b)
		s.Mul(diff.T(), &diff)
		return s
	}
	return square(x, &own), square(&own, &all), square(x, &all)
}

func near(t *testing.T, name string, got, want mat.Matrix, tol float64) {
	t.Helper()
	g, w := flat(got), flat(want)
	if len(g) != len(w) {
		t.Fatalf("%s: %d numbers, want %d", name, len(g), len(w))
	}
	var size float64
	for _, v := range w {
		size = math.Max(size, math.Abs(v))
	}
	for i := range w {
		errorIf(t, !(math.Abs(g[i]-w[i]) <= tol*size), "%s[%d]: %v, want %v", name, i, g[i], w[i])
	}
}

// TestScatter: the one pass agrees with two passes, at any offset, and an offset
// that is added without rounding changes nothing but the means.
func TestScatter(t *testing.T) {
	x, labels := dyadic(3000, 4, 3, 0)
	plain := must(classify.NewScatter(x, labels, 3))(t)
	w, b, tot := naiveScatter(x, labels, 3)
	near(t, "S_W", plain.Within, w, 1e-13)
	near(t, "S_B", plain.Between, b, 1e-12)
	near(t, "S_T", plain.Total, tot, 1e-13)
	var sum mat.Dense
	sum.Add(plain.Within, plain.Between)
	near(t, "S_W + S_B", plain.Total, &sum, 1e-15)
	for _, offset := range []float64{1e6, -1e9} {
		y, _ := dyadic(3000, 4, 3, offset)
		far := must(classify.NewScatter(y, labels, 3))(t)
		near(t, "S_W far away", far.Within, plain.Within, 1e-13)
		near(t, "S_B far away", far.Between, plain.Between, 1e-13)
		w, _, _ := naiveScatter(y, labels, 3)
		near(t, "two passes far away", far.Within, w, 1e-9) // the naive means round at the offset
	}
	// The textbook's Σxxᵀ − N·mmᵀ has no digit left there: the comparison can fail.
	y, _ := dyadic(3000, 4, 3, 1e9)
	var raw, mean float64
	for i := range 3000 {
		raw += y.At(i, 0) * y.At(i, 0)
		mean += y.At(i, 0) / 3000
	}
	if bad := raw - 3000*mean*mean; math.Abs(bad-plain.Total.At(0, 0)) < plain.Total.At(0, 0) {
		t.Errorf("the unshifted sum gives %v, as good as %v: the test shows nothing", bad, plain.Total.At(0, 0))
	}
}

// TestScatterFar: classes far from each other beside their spread, sorted and
// interleaved rows, and units from 1e-150 to 1e150.
func TestScatterFar(t *testing.T) {
	x, labels := dyadic(300, 3, 3, 0)
	base := must(classify.NewScatter(x, labels, 3))(t)
	y := mat.DenseCopyOf(x)
	y.Apply(func(i, _ int, v float64) float64 { return v + float64(labels[i])*(1<<30) }, y)
	near(t, "S_W of far classes", must(classify.NewScatter(y, labels, 3))(t).Within, base.Within, 1e-13)
	for _, u := range []float64{0x1p-500, 0x1p500} {
		y.Apply(func(_, _ int, v float64) float64 { return v * u }, x)
		var w mat.Dense
		w.Scale(u*u, base.Within)
		near(t, "S_W in other units", must(classify.NewScatter(y, labels, 3))(t).Within, &w, 1e-14)
	}
	y.Apply(func(_, _ int, v float64) float64 { return v * 1e200 }, x)
	mentions(t, of(classify.NewScatter(y, labels, 3)), "NewScatter", "units")
}

// TestScatterMany: more classes than fit one pass of own scatters, and an empty one.
func TestScatterMany(t *testing.T) {
	const k, d = 40, 70
	x, labels := clouds(k*90, d, k, 3)
	for i, l := range labels {
		if l == 7 {
			labels[i] = 8
		}
	}
	m := must(classify.FitQDA(x, labels, k, classify.QDAOptions{}))(t)
	for _, c := range []int{0, 8, 39} {
		var rows []float64
		for i, l := range labels {
			if l == c {
				rows = append(rows, x.RawRowView(i)...)
			}
		}
		n := len(rows) / d
		w, _, _ := naiveScatter(mat.NewDense(n, d, rows), make([]int, n), 1)
		w.Scale(1/float64(n), w)
		near(t, "Σ_k", m.Sigma[c], w, 1e-13)
	}
	errorIf(t, m.Sigma[7] != nil || m.Priors[7] != 0 || m.Counts[8] != 180, "the empty class has Σ %v and prior %v", m.Sigma[7], m.Priors[7])
}
