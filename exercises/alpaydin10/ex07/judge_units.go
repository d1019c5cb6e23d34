package ex07

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// condition is the ratio of the largest to the smallest curvature that is not
// zero, of E with bias, up to the weights y(1−y), and in how many directions it is
// not zero.
func condition(x *mat.Dense) (ratio float64, curved int) {
	values := spectrum(x)
	top := values[len(values)-1]
	for i, v := range values {
		if v > 1e-11*top {
			return top / v, len(values) - i
		}
	}
	return math.Inf(1), 0
}

// roomy is how much worse than standardised inputs others may be: inputs brought
// to [0, 1] need it, which are spread less and not centred.
const roomy = 300

func judgeCondition(rescale rescaleFunc) verify.Verdict {
	worst := 0.0
	all := plain(sets(source(7)))
	slices.SortStableFunc(all, func(a, b set) int { // the usual units first: what fails there has a plainer reason
		switch {
		case a.far == b.far:
			return 0
		case a.far:
			return 1
		}
		return -1
	})
	for _, s := range all {
		train, _, _, bad := askRescale(rescale, s)
		if bad != nil {
			return *bad
		}
		if s.far {
			if bad := absolute(rescale, s); bad != nil {
				return *bad
			}
		}
		_, mean, spread := probe(s.train)
		best := mat.DenseCopyOf(s.train)
		best.Apply(func(_, j int, v float64) float64 { return (v - mean[j]) / spread[j] }, best)
		now, curved := condition(train)
		ideal, full := condition(best)
		worst = math.Max(worst, now)
		if now <= roomy*ideal && curved >= full {
			continue
		}
		offsets, spreads := 0.0, []float64{math.Inf(1), 0}
		_, d := train.Dims()
		for j := range d {
			m, sd := stat.PopMeanStdDev(mat.Col(nil, j, train), nil)
			if sd > 1e-9*math.Abs(m) {
				offsets = math.Max(offsets, math.Abs(m)/sd)
				spreads[0], spreads[1] = math.Min(spreads[0], sd), math.Max(spreads[1], sd)
			}
		}
		switch {
		case mat.EqualApprox(train, s.train, 0):
			return verify.Fail("unchanged", 1, "For “%s” the inputs come back as they were.", s.name)
		case spreads[0] < 1e-7:
			return verify.Fail("absolute-threshold", 2, "For “%s” a column with a spread of about %s is left with it. Was it taken for a constant one, or a number added to its spread? Whether a spread is small must be asked in the column's own unit: against its mean, not against a fixed number.", s.name, verify.Magnitude(spreads[0]))
		case spreads[1] > 20*spreads[0]:
			return verify.Fail("not-scaled", 2, "For “%s” the columns still differ in spread by a factor of about %s, so one η is too large for one weight or too small for another. Divide each column by its spread.", s.name, verify.Magnitude(spreads[1]/spreads[0]))
		case offsets > 10:
			return verify.Fail("not-centred", 2, "For “%s” the columns have one spread, but lie far from 0, at about %s times their spread. Then bias and weight pull on nearly the same thing, and a narrow valley remains. Subtract the mean first.", s.name, verify.Magnitude(offsets))
		case spreads[1] < 0.03 || spreads[0] > 30:
			return verify.Fail("other-unit", 2, "For “%s” all columns have one spread, but a very different one from the bias's input, which is 1. The bias counts among the weights: bring the spread near 1.", s.name)
		}
		return verify.Fail("badly-conditioned", 2, "For “%s” the largest and the smallest curvature of E still differ by a factor of about %s in your units.", s.name, verify.Magnitude(now))
	}
	return verify.Pass("In your units the largest and the smallest curvature differ by a factor of %.0f at most, whatever the old units were: one η suits all, and the better the smaller this factor is.", math.Ceil(worst))
}

// absolute finds a rule that tells a constant column by a fixed number, or adds
// one to every spread: in tiny or huge units one spread of an old column is no
// longer one step of the usual size in the new ones.
func absolute(rescale rescaleFunc, s set) *verify.Verdict {
	points, _, _ := probe(s.train)
	_, rule, _, bad := askRescale(rescale, set{name: s.name, train: s.train, test: points})
	if bad != nil {
		return bad
	}
	steps := make([]float64, len(s.train.RawRowView(0)))
	for j := range steps {
		steps[j] = floats.Distance(rule.RawRowView(j+1), rule.RawRowView(0), 2)
	}
	if j := floats.MinIdx(steps); 5*steps[j] < floats.Max(steps) {
		return learner.Fail("absolute-threshold", 3, "For “%s” column %d comes out far narrower than the other, or not at all: was it taken for constant, or a number added to its spread? No fixed number is small in every unit. Compare the spread with the size of its own column.", s.name, j)
	}
	return nil
}

// judgeBack compares w0 + wᵀx in both units, for random weights.
func judgeBack(rescale rescaleFunc) verify.Verdict {
	r := source(8)
	for _, s := range plain(sets(r)) {
		train, test, back, bad := askRescale(rescale, s)
		if bad != nil {
			return *bad
		}
		_, width := train.Dims()
		_, d := s.train.Dims()
		for range 3 {
			w := instance.Normals(r, width+1)
			mine := append([]float64(nil), w...)
			old := append([]float64(nil), back(mine)...)
			switch {
			case !floats.Equal(mine, w):
				return verify.Fail("mutates-inputs", 4, "Your function back changed the weights that it was handed. Write into a new slice.")
			case len(old) != d+1:
				return verify.Fail("wrong-length", 4, "For “%s” back returned %d weights; in the old units there are a bias and %d more.", s.name, len(old), d)
			}
			for _, pair := range [][2]*mat.Dense{{s.train, train}, {s.test, test}} {
				if v := sameActivations(s, pair[0], pair[1], old, w); v != nil {
					return *v
				}
			}
		}
	}
	return verify.Pass("For random weights in the new units, back gives the same posteriors at all training and test inputs in the old ones, bias included.")
}

// sameActivations is nil where old on x gives what w gives on z.
func sameActivations(s set, x, z *mat.Dense, old, w []float64) *verify.Verdict {
	n, _ := x.Dims()
	for t := range n {
		xt, zt := x.RawRowView(t), z.RawRowView(t)
		got, want := old[0]+floats.Dot(old[1:], xt), w[0]+floats.Dot(w[1:], zt)
		size := 1 + math.Abs(old[0])
		for j, v := range xt {
			size += math.Abs(v * old[j+1])
		}
		if math.IsNaN(size) || math.IsInf(size, 0) {
			size = 1
		}
		f := verify.Close(got, want, verify.Tolerance{Abs: 1e-9*math.Min(size, 1e6) + 1e-9*math.Abs(want)})
		if f.OK {
			continue
		}
		v := wrongBack(s, x, z, old, w, f)
		return &v
	}
	return nil
}

// wrongBack names what is wrong with weights brought back.
func wrongBack(s set, x, z *mat.Dense, old, w []float64, f verify.Finding) verify.Verdict {
	if floats.EqualApprox(old, w, 1e-12) {
		return verify.Fail("back-identity", 3, "For “%s” back returns the weights as they were. In the old units an input is larger or smaller by its scale, and its weight must make up for that.", s.name)
	}
	// With the right weights the activations differ by one number, the bias's miss.
	n, _ := x.Dims()
	lo, hi := math.Inf(1), math.Inf(-1)
	for t := range n {
		d := old[0] + floats.Dot(old[1:], x.RawRowView(t)) - w[0] - floats.Dot(w[1:], z.RawRowView(t))
		lo, hi = math.Min(lo, d), math.Max(hi, d)
	}
	if hi-lo <= 1e-6*(1+math.Abs(hi)) {
		if old[0] == w[0] {
			return verify.Fail("back-bias-forgotten", 3, "For “%s” the weights are right, but the bias is left as it was: the mean that was subtracted goes into it. Write w0 + Σ w_j (x_j − m_j)/s_j out: what does not depend on x?", s.name)
		}
		return verify.Fail("back-bias", 3, "For “%s” the weights are right, but the bias is not: every activation is off by the same number, about %s. Which sign has the mean, and is it divided by the scale?", s.name, verify.Magnitude(hi))
	}
	return verify.Fail("back-weights", 3, "For “%s” the weights brought back give another w0 + wᵀx than the ones in the new units: %s. A scale that divided the input divides its weight. (If test was rescaled by numbers of its own, mend that first.)", s.name, minus(f.Off()))
}
