package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
)

func TestErrataPerceptron(t *testing.T) {
	// Another η scales a run if the start is scaled with it, as a start at 0 is.
	equation.Holds(t, "P28", func(r *rand.Rand) error {
		x, target, plane := normalMatrix(r, 20, 2), make([]float64, 20), normals(r, 3)
		for i := range target {
			target[i] = truth(plane[0]+floats.Dot(plane[1:], x.RawRowView(i)) > 0)
		}
		target[0] = truth(target[1] == 0) // both classes
		rate, start := 0.1+0.5*r.Float64(), normals(r, 3)
		run := func(rate, scale float64) *classify.Perceptron {
			s := append([]float64{}, start...)
			floats.Scale(scale, s)
			return must(classify.FitPerceptron(x, target, classify.PerceptronOptions{Rate: rate, Start: s, MaxEpochs: 50}))(t)
		}
		for _, scale := range []float64{0, 1} {
			one, other := run(1, scale), run(rate, rate*scale)
			w := append([]float64{}, one.W...)
			floats.Scale(rate, w)
			if one.Mistakes != other.Mistakes || !floats.EqualApprox(w, other.W, 1e-9) {
				return fmt.Errorf("η = %v: %d corrections to %v, with η = 1 %d to %v", rate, other.Mistakes, other.W, one.Mistakes, one.W)
			}
		}
		return nil
	})
	// A factor of the weights leaves every class as it is, if it is positive.
	equation.Holds(t, "P44", func(r *rand.Rand) error {
		x, w, factor := normalMatrix(r, 10, 2), normals(r, 3), 0.1+r.Float64()
		classes := func(factor float64) []int {
			scaled := append([]float64{}, w...)
			floats.Scale(factor, scaled)
			return must((&classify.Perceptron{W: scaled}).Predict(x))(t)
		}
		one, same, turned := classes(1), classes(factor), classes(-factor)
		for i := range one {
			if same[i] != one[i] || turned[i] == one[i] {
				return fmt.Errorf("row %d: class %d, with a factor of %v %d, of its negative %d", i, one[i], factor, same[i], turned[i])
			}
		}
		return nil
	})
	// The widest margin of four points is known: x₁ = 0 between ±1, whatever x₂. Two walks
	// come nearer to its direction, and a fading prior ends there.
	equation.Holds(t, "P50", func(r *rand.Rand) error {
		a, b := 3*r.Float64(), 3*r.Float64()
		x, target := mat.NewDense(4, 2, []float64{1, a, 1, -a, -1, b, -1, -b}), []float64{1, 1, 0, 0}
		off := func(o classify.LogisticOptions) float64 { // the sine of the angle to (0, 1, 0)
			w := must(classify.FitLogistic(x, target, o))(t).W
			return math.Hypot(w[0], w[2]) / floats.Norm(w, 2)
		}
		for range 2 {
			o := classify.LogisticOptions{Start: normals(r, 3), Solver: classify.GradientDescent{}, MaxIterations: 20}
			early := off(o)
			o.MaxIterations = 2000
			if late := off(o); late > early/2 {
				return fmt.Errorf("from %v the direction is off by %v after 20 steps, by %v after 2000", o.Start, early, late)
			}
		}
		if end := off(classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1e-9}}); end > 1e-3 {
			return fmt.Errorf("the direction of the fading prior is off by %v", end)
		}
		return nil
	})
	// From zero weights all patterns are on the boundary. By (4.53) the first of C₂ is
	// the first that is wrong, with wᵀφt = 0; by wᵀφt > 0 it is the very first one.
	boundary := func(r *rand.Rand) error {
		n, ones := 10, 1+r.IntN(5)
		x, target := normalMatrix(r, n, 2), make([]float64, n)
		for i := range ones {
			target[i] = 1
		}
		for rule, first := range map[classify.MistakeRule]int{classify.MistakeStep: ones, classify.MistakeStrict: 0} {
			m := must(classify.FitPerceptron(x, target, classify.PerceptronOptions{Rule: rule, MaxEpochs: 5}))(t)
			if m.Updates[0].Row != first {
				return fmt.Errorf("rule %v corrects row %d first, not row %d", rule, m.Updates[0].Row, first)
			}
		}
		return nil
	}
	equation.Holds(t, "P29", boundary)
	equation.Holds(t, "Q8", boundary)
	// The four corners of a square, turned and moved: no plane, and bounded weights.
	equation.Holds(t, "Q9", func(r *rand.Rand) error {
		x := mat.NewDense(4, 2, []float64{0, 0, 1, 1, 0, 1, 1, 0})
		x.Apply(func(_, j int, v float64) float64 { return v*(1+float64(j)) + r.Float64()/10 }, x)
		long := must(classify.FitPerceptron(x, []float64{1, 1, 0, 0}, classify.PerceptronOptions{MaxEpochs: 20000}))(t)
		if long.Converged || floats.Norm(long.W, 2) > 100 {
			return fmt.Errorf("after %d corrections the weights are %v", long.Mistakes, long.W)
		}
		return nil
	})
}

func TestErrataHulls(t *testing.T) {
	// On a line the hulls are intervals: disjoint ones are separable, and only they.
	equation.Holds(t, "P30", func(r *rand.Rand) error {
		n, shift := 2+r.IntN(4), 4*r.NormFloat64()
		one, two := normals(r, n), normals(r, n)
		floats.AddConst(shift, two)
		x, target := append(append([]float64{}, one...), two...), make([]float64, 2*n)
		for i := range n {
			target[i] = 1
		}
		disjoint := floats.Max(one) < floats.Min(two) || floats.Max(two) < floats.Min(one)
		if s := must(classify.Separable(mat.NewDense(2*n, 1, x), target))(t); s.Separable != disjoint {
			return fmt.Errorf("hulls disjoint: %v, separable: %v", disjoint, s.Separable)
		}
		return nil
	})
}

func TestErrataRight(t *testing.T) {
	// The parameters of the models, counted: priors, means, covariances.
	equation.Check(t, "OK2", func(r *rand.Rand) (left, right any) {
		d := 1 + r.IntN(5)
		x, labels := normalMatrix(r, 40, d), make([]int, 40)
		for i := range labels {
			labels[i] = i % 2
		}
		own := must(classify.FitQDA(x, labels, 2, classify.QDAOptions{}))(t)
		shared := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t)
		return []int{own.DegreesOfFreedom(), shared.DegreesOfFreedom()}, []int{d*(d+3) + 1, d*(d+5)/2 + 1}
	})
}

// TestErrataOfOneSidedRules: what holds of a convention, or not of every set of data.
func TestErrataOfOneSidedRules(t *testing.T) {
	equation.Holds(t, "P38", func(r *rand.Rand) error {
		k := 3 + r.IntN(3)
		x, labels := normalMatrix(r, 12*k, 2), make([]int, 12*k)
		for i := range labels {
			labels[i] = i % k
		}
		fit := func(x mat.Matrix, t []float64) (classify.Scorer, error) {
			return classify.FitFisher(x, t, classify.FisherOptions{})
		}
		for last, want := range map[bool]int{false: k, true: k - 1} {
			m, err := classify.FitOneVersusRest(x, labels, k, fit, classify.OneVersusRestOptions{LastIsRest: last})
			if err != nil || len(m.Machines) != want {
				return fmt.Errorf("last is rest: %v, %d machines of %d classes, %v", last, len(m.Machines), k, err)
			}
		}
		return nil
	})
	// Without errors a gradient step lengthens w; but the weight of the second input
	// points away from the widest margin, and shrinks.
	equation.Holds(t, "A10", func(r *rand.Rand) error {
		rows := [][]float64{{2 + r.Float64(), -1 - r.Float64()}, {1.5 + r.Float64(), -0.5 - r.Float64()}}
		w := []float64{1 + r.Float64(), 0.1 + 0.1*r.Float64()}
		step := make([]float64, 2)
		for _, x := range rows { // and the mirrored rows of the other class, which give the same
			a := w[0]*x[0] + w[1]*x[1]
			if a <= 0 {
				return fmt.Errorf("an error at margin %v", a)
			}
			for j := range step {
				step[j] += 1e-3 * 2 * (1 - logisticOf(a)) * x[j]
			}
		}
		if math.Hypot(w[0]+step[0], w[1]+step[1]) <= math.Hypot(w[0], w[1]) || math.Abs(w[1]+step[1]) >= w[1] {
			return fmt.Errorf("from %v by %v", w, step)
		}
		return nil
	})
	// On the plane between two classes neither may be chosen, if g_ji = −g_ij and both
	// g_ij and g_ji are to be positive in their own class.
	equation.Holds(t, "A12", func(r *rand.Rand) error {
		w := float64(1 + r.IntN(9))
		h, err := classify.NewHyperplane([]float64{-2 * w, w, 0})
		if err != nil {
			return err
		}
		g, err := h.Value([]float64{2, r.NormFloat64()})
		back, err2 := h.Flip().Value([]float64{2, 0})
		if err != nil || err2 != nil || g > 0 || back > 0 {
			return fmt.Errorf("g_ij = %v, g_ji = %v on the plane", g, back)
		}
		return nil
	})
	// Any multiple of a narrow peak is infinite at 0 and 0 elsewhere in the limit: only
	// its integral tells which multiple of δ it is.
	equation.CheckTo(t, "N6", 1e-6, func(r *rand.Rand) (left, right any) { // a quadrature
		c, s, area := 0.5+2*r.Float64(), 1e-3, 0.0
		peak := distuv.Normal{Sigma: s}
		for i := -4000; i <= 4000; i++ {
			area += c * peak.Prob(float64(i)*s/400) * s / 400
		}
		return area, c
	})
}
