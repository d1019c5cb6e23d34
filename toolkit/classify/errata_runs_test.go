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
	equation.CheckTo(t, "OK1", 1e-8, func(r *rand.Rand) (left, right any) { // differences
		e, w, a := newEntropyOf(r, 20, 3), normals(r, 3), normals(r, 3)
		hessian, jacobian := mat.NewSymDense(3, nil), mat.NewDense(3, 3, nil)
		for n := range e.t {
			y := logisticOf(floats.Dot(w, e.phi.RawRowView(n)))
			hessian.SymRankOne(hessian, y*(1-y), mat.NewVecDense(3, e.phi.RawRowView(n)))
		}
		y := softmaxAsWritten(a)
		for k := range 3 {
			jacobian.SetRow(k, slopes(func(a []float64) float64 { return softmaxAsWritten(a)[k] }, a))
		}
		softmax := mat.NewDense(3, 3, nil)
		softmax.Apply(func(k, j int, _ float64) float64 { return y[k] * (truth(k == j) - y[j]) }, softmax)
		byDifferences := mat.NewDense(3, 3, nil)
		for j := range 3 {
			byDifferences.SetRow(j, slopes(func(w []float64) float64 { return e.gradient(w)[j] }, w))
		}
		return []any{e.gradient(w), hessian, softmax}, []any{slopes(e.value, w), byDifferences, jacobian}
	})
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
	// The gradients of (10.24), (10.33) and (10.40) in an activation.
	equation.CheckTo(t, "OK3", 1e-8, func(r *rand.Rand) (left, right any) { // differences
		o, a, target := r.NormFloat64(), normals(r, 3), r.Float64()
		squares := slope(func(o float64) float64 { return (target - logisticOf(o)) * (target - logisticOf(o)) / 2 }, o)
		e := entropyOf{mat.NewDense(1, 1, []float64{1}), []float64{target}}
		y, s := logisticOf(o), softmaxAsWritten(a)
		several := slopes(func(a []float64) float64 { return -math.Log(softmaxAsWritten(a)[1]) }, a)
		return []any{squares, slopes(e.value, []float64{o}), several},
			[]float64{-(target - y) * y * (1 - y), -(target - y), s[0], s[1] - 1, s[2]}
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
