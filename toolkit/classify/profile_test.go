package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestProfileSeparable checks the finite ends of intervals for separable classes against the profile
// under a prior of precision 1e-9. The check is independent, because the computation of this profile
// does not use the separating plane.
func TestProfileSeparable(t *testing.T) {
	const tiny = 1e-9
	rng := rand.New(rand.NewPCG(20, 7))
	finite, infinite, either := 0, 0, 0
	for k := 0; k < 400 && finite < 60; k++ {
		d := 1 + k%3
		n := d + 4 + rng.IntN(8)
		x, target := mat.NewDense(n, d, nil), make([]float64, n)
		x.Apply(func(int, int, float64) float64 { return float64(rng.IntN(5) - 2) }, x)
		for i := range target {
			a := x.At(i, 0) + float64(rng.IntN(2))/2 - 0.25 - float64(rng.IntN(2))*float64(rng.IntN(3)-1)*0.3
			target[i] = truth(a > 0)
		}
		m, err := classify.FitLogistic(x, target, classify.LogisticOptions{})
		if err != nil || !m.Separable || m.Rank <= d {
			continue
		}
		v := must(m.ProfileIntervals(x, target, classify.ProfileOptions{}))(t)
		prior := classify.Isotropic{Alpha: tiny}
		p := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: prior}))(t)
		for j, s := range m.Infinite {
			lo, hi := v.Lower[j], v.Upper[j]
			switch s {
			case 0:
				errorIf(t, math.IsInf(lo, 0) || math.IsInf(hi, 0) || !(lo < v.W[j] && v.W[j] < hi),
					"the finite weight %v or its interval %v to %v is wrong, want a finite interval around the weight", v.W[j], lo, hi)
			case classify.EitherSign:
				errorIf(t, !math.IsInf(lo, -1) || !math.IsInf(hi, 1) || !math.IsNaN(v.W[j]),
					"a weight of either sign is %v with interval %v to %v, want NaN and infinities", v.W[j], lo, hi)
				either++
			default:
				errorIf(t, !math.IsInf(v.W[j], s), "got weight %v, want an infinity with sign %d", v.W[j], s)
				infinite++
			}
			for i, end := range []float64{lo, hi} {
				if math.IsInf(end, 0) {
					continue
				}
				finite++
				rise := must(p.Profile(x, target, j, []float64{end}, classify.ProfileOptions{Prior: prior}))(t)
				closeTo(t, rise[0], 3.841458820694124/2, 1e-5, "x %v, t %v: the profile at end %d of the interval of weight %d",
					mat.Formatted(x), target, i, j)
			}
		}
	}
	errorIf(t, finite < 60 || infinite < 20 || either < 20, "got %d finite ends, %d infinite weights and %d weights with EitherSign, want at least 60, 20 and 20",
		finite, infinite, either)
}

func signOf(up, down bool) int {
	switch {
	case up && down:
		return classify.EitherSign
	case up:
		return 1
	case down:
		return -1
	}
	return 0
}

// TestInfiniteWeights compares the results of InfiniteWeights with Konis's linear programs in R and
// with the field Infinite of a fit. Most and Least contain the signs of the largest and the smallest
// value of each weight, each from its own linear program. Find contains the signs of the weights from
// a single linear program. This program finds only one direction, so an entry of Find can be 0 for an
// infinite weight.
func TestInfiniteWeights(t *testing.T) {
	seen := map[int]int{}
	for i, k := range storedFits[rReference](t, "reference.json").Konis {
		x, target := k.x(), k.T
		got := must(classify.InfiniteWeights(x, target))(t)
		for j, s := range got {
			seen[s]++
			errorIf(t, s != signOf(k.Most[j] > 0, k.Least[j] < 0),
				"design %d: InfiniteWeights gives weight %d the sign %d, want the sign that follows from the signs of lpSolve's minimum, %d, and maximum, %d",
				i, j, s, k.Least[j], k.Most[j])
			errorIf(t, k.Find[j] != 0 && s != classify.EitherSign && s != k.Find[j],
				"design %d: InfiniteWeights gives weight %d the sign %d, want EitherSign or %d, the sign that lpSolve finds", i, j, s, k.Find[j])
		}
		m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
		errorIf(t, fmt.Sprint(m.Infinite) != fmt.Sprint(got) && m.Separable || !m.Separable && m.Infinite != nil,
			"design %d: the fit has Separable %v and Infinite %v, want Infinite %v (from InfiniteWeights) if Separable is true, and nil if it is false", i, m.Separable, m.Infinite, got)
	}
	for _, s := range []int{-1, 0, 1, classify.EitherSign} {
		errorIf(t, seen[s] < 50, "sign %d occurs only %d times, want at least 50", s, seen[s])
	}
	// Along a direction in which weights grow, the activation of a row with a soft target must not
	// change. Thirds are not exact in binary, but InfiniteWeights treats the rounded numbers as exact.
	x := mat.NewDense(6, 2, []float64{1. / 3, 0, 2. / 3, 1, 1, 0, 4. / 3, 1, 5. / 3, 0, 1. / 3, 5})
	for _, c := range []struct {
		t    []float64
		want string
	}{
		{[]float64{0, 0, 0, 1, 1, 0}, "[-1 1 2]"},
		{[]float64{0, 0.5, 0, 1, 1, 1}, "[-1 1 1]"},
		{[]float64{0, 1, 0, 1, 0, 0.5}, "[0 0 0]"},
	} {
		got := must(classify.InfiniteWeights(x, c.t))(t)
		errorIf(t, fmt.Sprint(got) != c.want, "targets %v: got the signs %v, want %s", c.t, got, c.want)
	}
}

func TestProfileRefused(t *testing.T) {
	x, labels := clouds(40, 2, 2, 1)
	target := targets(labels)
	m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	short := must(classify.FitLogistic(x, target, classify.LogisticOptions{MaxIterations: 1}))(t)
	equal := mat.NewDense(4, 2, []float64{1, 1, 2, 2, 3, 3, 4, 4})
	dependent := must(classify.FitLogistic(equal, []float64{0, 1, 0, 1}, classify.LogisticOptions{}))(t)
	o := classify.ProfileOptions{}
	errorHas(t, errorOf(m.ProfileIntervals(x, target, classify.ProfileOptions{Level: 1})),
		"ProfileIntervals", "level is 1")
	errorHas(t, errorOf(m.ProfileIntervals(x.Slice(0, 30, 0, 2), target[:30], o)),
		"want the x, t, Weights and Prior of the fit")
	errorHas(t, errorOf(m.ProfileIntervals(equal.Slice(0, 4, 0, 1), target[:4], o)), "1 columns", "had 2")
	errorHas(t, errorOf(m.ProfileIntervals(x, target, classify.ProfileOptions{Prior: jeffreys})), "Prior of the fit")
	errorHas(t, errorOf(short.ProfileIntervals(x, target, o)), "not converged")
	errorHas(t, errorOf(dependent.ProfileIntervals(equal, []float64{0, 1, 0, 1}, o)), "not unique", "0, 1")
	errorHas(t, errorOf(classify.InfiniteWeights(equal, []float64{0, 1, 0, 1})),
		"InfiniteWeights", "not unique", "0, 1")
	errorHas(t, errorOf(new(classify.Logistic).ProfileIntervals(x, target, o)), "Fit")
	errorHas(t, errorOf((*classify.Logistic)(nil).ProfileIntervals(x, target, o)), "Fit")
	errorHas(t, errorOf((*classify.Logistic)(nil).WaldIntervals(0.9)), "Fit")
	errorHas(t, errorOf(m.Profile(x, target, 3, []float64{0}, o)), "Profile", "j is 3", "1 … 2")
	errorHas(t, errorOf(m.Profile(x, target, 1, []float64{math.NaN()}, o)), "values", "NaN")
	errorHas(t, errorOf(m.ProfileIntervals(x, target, classify.ProfileOptions{Weights: make([]float64, 40)})),
		"Weights are 0")
	errorIf(t, (*classify.WeightIntervals)(nil).String() != "no intervals\n", "nil intervals print %q, want the line \"no intervals\"",
		(*classify.WeightIntervals)(nil))
}

// TestInfiniteIsPrinted checks how tables show infinite and very large numbers: the weights for
// separable classes, and odds ratios.
func TestInfiniteIsPrinted(t *testing.T) {
	x, target := mat.NewDense(6, 2, []float64{1, 0, 2, 1, 3, 0, 4, 1, 5, 2, 6, 0}), []float64{0, 0, 1, 0, 1, 1}
	m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	m.Classes, m.Features = []string{"ill", "well"}, []string{"age", "dose"}
	text := m.String()
	for _, want := range []string{"positive weights favour ill\n", "columns that separate the classes: age, dose\n",
		"+∞", "−∞"} {
		errorIf(t, !strings.Contains(text, want), "the table is\n%s, want %q in the table", text, want)
	}
	v := must(m.ProfileIntervals(x, target, classify.ProfileOptions{}))(t)
	ratio, lower, upper := v.OddsRatios()
	errorIf(t, !math.IsInf(ratio[1], 1) || ratio[2] != 0 || lower[1] != math.Exp(v.Lower[1]) ||
		upper[2] != math.Exp(v.Upper[2]),
		"got the odds ratios %v and intervals %v to %v, want exp of the weights %v and exp of the interval ends %v and %v", ratio, lower, upper, v.W, v.Lower, v.Upper)
	for _, want := range []string{"odds ratio", "class ill", "age", fmt.Sprintf("%.4g", lower[1])} {
		errorIf(t, !strings.Contains(v.String(), want), "the table is\n%s, want %q in the table", v, want)
	}
	large := &classify.WeightIntervals{W: []float64{0, 800}, Lower: []float64{0, 2}, Upper: []float64{0, math.Inf(1)},
		P: []float64{1, 0}}
	errorIf(t, !strings.Contains(large.String(), "> 1e308") || !strings.Contains(large.String(), "+∞"),
		"the table is\n%s, want the odds ratios \"> 1e308\" and \"+∞\" in the table", large)
	either := must(classify.FitLogistic(x, []float64{0, 0, 0, 1, 1, 1}, classify.LogisticOptions{}))(t).String()
	for _, want := range []string{"separate the classes: x0\n", "either sign: x1\n", "±∞", "target 1"} {
		errorIf(t, !strings.Contains(either, want), "the table is\n%s, want %q in the table", either, want)
	}
}

// TestProfileIntervalsReference compares the intervals with confint of the R package MASS. confint
// interpolates the profile by a spline, so its ends have errors of about 1e-4.
// TestJeffreysReference compares intervals with results that have more digits.
func TestProfileIntervalsReference(t *testing.T) {
	b := storedFits[rReference](t, "reference.json").Budworm
	target, weights := make([]float64, 12), make([]float64, 12)
	for i, dead := range b.Dead {
		target[i], weights[i] = dead/20, 20
	}
	m := must(classify.FitLogistic(b.x(), target, classify.LogisticOptions{Weights: weights}))(t)
	v := must(m.ProfileIntervals(b.x(), target, classify.ProfileOptions{Weights: weights}))(t)
	allClose(t, "W", v.W, b.W, 1e-12)
	allClose(t, "lower", v.Lower, b.Lower, 1e-4)
	allClose(t, "upper", v.Upper, b.Upper, 1e-4)
	errorIf(t, v.Method != "profile likelihood" || v.Level != 0.95, "got the method %q at level %v, want the profile likelihood at level 0.95", v.Method, v.Level)
}

// TestProfilePValues compares the p-value of the slope from ProfileIntervals with a p-value that the
// test computes from the likelihood of the model without a slope. Under Jeffreys' prior, the test
// multiplies the likelihood by the prior. The model without a slope has y = ½ in every row, because
// both classes have the same number of rows. The p-value of the bias must be 1, because the data are
// symmetric about x = 0. The test also checks that WaldIntervals returns the p-values of the method
// Wald.
func TestProfilePValues(t *testing.T) {
	x, target := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3}), []float64{0, 0, 1, 0, 1, 1}
	chi2 := distuv.ChiSquared{K: 1}
	m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	v := must(m.ProfileIntervals(x, target, classify.ProfileOptions{}))(t)
	closeTo(t, v.P[1], chi2.Survival(2*(m.LogLikelihood-m.NullLogLikelihood)), 1e-12, "p of the slope")
	separable := []float64{0, 0, 0, 1, 1, 1}
	m = must(classify.FitLogistic(x, separable, classify.LogisticOptions{}))(t)
	v = must(m.ProfileIntervals(x, separable, classify.ProfileOptions{}))(t)
	allClose(t, "p of separable classes", v.P, []float64{1, chi2.Survival(12 * math.Ln2)}, 1e-12)
	o := classify.ProfileOptions{Prior: jeffreys}
	m = must(classify.FitLogistic(x, separable, classify.LogisticOptions{Prior: jeffreys}))(t)
	v = must(m.ProfileIntervals(x, separable, o))(t)
	null := 6*math.Ln2 - 0.5*math.Log(6*28./16) // −ln p(t) − ½ ln|ΦᵀΦ/4|, with |ΦᵀΦ| = 6·28
	allClose(t, "p under Jeffreys' prior", v.P, []float64{1, chi2.Survival(2 * (null - m.E))}, 1e-9)
	wald := must(m.WaldIntervals(0.95))(t)
	_, p, err := m.Wald()
	errorIf(t, err != nil || fmt.Sprint(wald.P) != fmt.Sprint(p), "WaldIntervals returns the p-values %v; the method Wald returns the p-values %v and the error %v; want equal p-values and no error", wald.P, p, err)
}

// TestProfile checks that the profile is 0 at W and equals half the χ² quantile at the ends of the
// intervals. The test also sets one weight to the upper end of its interval and changes the other
// weights at random. E must then exceed its minimum by at least the profile. With many rows, the
// intervals must have nearly the same width as Wald's intervals.
func TestProfile(t *testing.T) {
	x, labels := clouds(400, 2, 2, 3)
	target := targets(labels)
	for _, prior := range []classify.Prior{nil, jeffreys, classify.Isotropic{Alpha: 0.3, FreeBias: true}} {
		o := classify.ProfileOptions{Level: 0.9, Prior: prior}
		m := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: prior}))(t)
		v := must(m.ProfileIntervals(x, target, o))(t)
		wald := must(m.WaldIntervals(0.9))(t)
		objective := must(classify.LogisticObjective(x, target, prior))(t)
		rng := rand.New(rand.NewPCG(1, 2))
		for j := range m.W {
			p := must(m.Profile(x, target, j, []float64{v.Lower[j], m.W[j], v.Upper[j]}, o))(t)
			const half = 2.705543454095404 / 2 // χ²₁ at 0.9
			allClose(t, fmt.Sprintf("prior %T: the profile of weight %d", prior, j), p, []float64{half, 0, half}, 1e-9)
			for range 20 {
				w := append([]float64(nil), m.W...)
				for k := range w {
					w[k] += rng.NormFloat64() * math.Sqrt(m.Covariance.At(k, k))
				}
				w[j] = v.Upper[j]
				e := must(objective.Value(w))(t)
				errorIf(t, e < m.E+half-1e-9, "weight %d at the end of its interval: E is %v at W = %v, want at least the minimum of E plus the profile, %v", j, e, w, m.E+half)
			}
			width := v.Upper[j] - v.Lower[j]
			closeTo(t, wald.Upper[j]-wald.Lower[j], width, 0.1*width, "prior %T: width of Wald's interval for weight %d, compared with the profile interval", prior, j)
		}
	}
}

// The likelihood of separable classes has no maximum, but a likelihood-ratio test still rejects
// slopes below 0.52.
func ExampleLogistic_ProfileIntervals() {
	x, t := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3}), []float64{0, 0, 0, 1, 1, 1}
	m := toolkit.Must(classify.FitLogistic(x, t, classify.LogisticOptions{}))
	m.Features = []string{"dose"}
	fmt.Print(toolkit.Must(m.ProfileIntervals(x, t, classify.ProfileOptions{})))
	// Output:
	// 95% intervals by the profile likelihood method, and odds ratios exp(weight) for class 0
	//         weight   lower  upper         p  odds ratio  lower  upper
	//   bias      ±∞      −∞     +∞         1
	//   dose      +∞  0.5197     +∞  0.003926          +∞  1.682     +∞
}

// With so few rows, Wald's parabola differs widely from the profile.
func ExampleLogistic_Profile() {
	x, t := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3}), []float64{0, 0, 1, 0, 1, 1}
	m := toolkit.Must(classify.FitLogistic(x, t, classify.LogisticOptions{}))
	se := toolkit.Must(m.StandardErrors())
	values := []float64{0, 1, 2, 3, 4}
	for i, p := range toolkit.Must(m.Profile(x, t, 1, values, classify.ProfileOptions{})) {
		z := (values[i] - m.W[1]) / se[1]
		fmt.Printf("w1 = %v: profile %.2f, parabola %.2f\n", values[i], p, z*z/2)
	}
	// Output:
	// w1 = 0: profile 1.28, parabola 0.88
	// w1 = 1: profile 0.10, parabola 0.12
	// w1 = 2: profile 1.42, parabola 2.63
	// w1 = 3: profile 3.23, parabola 8.43
	// w1 = 4: profile 5.16, parabola 17.50
}

func ExampleLogistic_WaldIntervals() {
	x := mat.NewDense(8, 1, []float64{0, 1, 2, 3, 2, 3, 4, 5})
	m := toolkit.Must(classify.FitLogistic(x, []float64{1, 1, 1, 1, 0, 0, 0, 0}, classify.LogisticOptions{}))
	v := toolkit.Must(m.WaldIntervals(0.9))
	ratio, lower, upper := v.OddsRatios()
	fmt.Printf("odds ratio %.3f, 90%% interval %.3f to %.3f\n", ratio[1], lower[1], upper[1])
	// Output: odds ratio 0.212, 90% interval 0.035 to 1.291
}

// With the first targets, the column x0 separates the classes, and the weight of x1 may have either
// sign. With the second targets, the classes overlap, so all weights are finite.
func ExampleInfiniteWeights() {
	x := mat.NewDense(6, 2, []float64{1, 0, 2, 1, 3, 0, 4, 1, 5, 2, 6, 0})
	fmt.Println(toolkit.Must(classify.InfiniteWeights(x, []float64{0, 0, 0, 1, 1, 1})))
	fmt.Println(toolkit.Must(classify.InfiniteWeights(x, []float64{0, 1, 0, 1, 0, 1})))
	// Output:
	// [-1 1 2]
	// [0 0 0]
}
