package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/existence"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

// ProfileOptions are the options of ProfileIntervals and Profile. The fields Prior and Weights must
// be the same as in the fit. The zero value means a fit without a prior and without row weights,
// and level 0.95.
type ProfileOptions struct {
	// Level is the probability that an interval contains the true weight; 0 means 0.95. Profile ignores
	// Level.
	Level float64
	// Prior is the prior of the fit; nil means maximum likelihood.
	Prior Prior
	// Weights are the row weights of the fit; nil counts each row once.
	Weights []float64
}

// WeightIntervals contains intervals for the weights of a logistic model. Its method String returns
// a table with odds ratios. The odds ratio exp(w_j) is the factor by which the odds p(C₁|x)/p(C₂|x)
// change if x_j increases by 1.
type WeightIntervals struct {
	Names
	Level        float64   // the probability that an interval contains the true weight
	Method       string    // name of the method: "profile likelihood", "penalised profile likelihood" or "Wald"
	W            []float64 // the weights, bias first; an infinite weight is ±Inf, or NaN if its sign is undetermined
	Lower, Upper []float64 // the ends of the intervals, which may be infinite
	// P contains, for each weight, the p-value of the hypothesis that the true weight is 0. For profile
	// intervals, the test is the likelihood-ratio test, penalised under a prior. For Wald's intervals,
	// it is Wald's test.
	P []float64
}

// ProfileIntervals returns an interval for each weight w_j. The interval contains the values c that
// a likelihood-ratio test at level 1−Level does not reject,
//
//	2{min over w with w_j = c of E(w) − min E} ≤ χ²₁(Level).
//
// Under Jeffreys or another prior, E contains the penalty (penalised profile likelihood, Heinze and
// Schemper 2002). Unlike Wald's interval w ± z·se, this interval does not rely on the assumption
// that E is a parabola. If the classes are separable, the intervals of some weights have one or two
// infinite ends. The entry of W for such a weight is ±Inf, or NaN if the data do not determine the
// sign. Even for separable classes, a finite end is exact, because ProfileIntervals uses the limit of
// E along the separating directions that leave w_j unchanged. Rows whose likelihood tends to 1 along
// these directions do not affect the end. P contains the p-values of the likelihood-ratio tests at
// c = 0.
//
// The fit must have had the same x (N×D), t, o.Weights and o.Prior. For each end, ProfileIntervals
// fits the other weights about five times. Each of these fits starts at the optimum of the previous fit.
//
// Errors: a Level not between 0 and 1, data or a prior that differ from the data or the prior of
// the fit, dependent columns, a model without a fit, a fit that stopped before the optimum. Separable
// data that are too large for exact arithmetic are also an error.
//
// Equations: PRML (4.90).
func (m *Logistic) ProfileIntervals(x mat.Matrix, t []float64, o ProfileOptions) (*WeightIntervals, error) {
	v, err := m.profileIntervals(x, t, o)
	if err != nil {
		return nil, failure("ProfileIntervals", err)
	}
	return v, nil
}

// Profile returns the profile of weight j (0 for the bias) at each value. The profile is the least
// E(w) with w_j = value, minus the minimum of E (the infimum, if the classes are separable). The
// parabola ½((value − w_j)/se)² approximates the profile near a finite w_j. If the data do not determine
// the sign of an infinite weight, its profile is 0 at every value. The arguments x, t and o must be the
// same as for ProfileIntervals. Profile returns the errors of ProfileIntervals, except the error for
// Level. A j outside 0…D and a NaN or Inf among the values are also errors.
//
// Twice the profile at a value is the likelihood-ratio statistic of the hypothesis that the true
// weight has this value. Under the hypothesis, the statistic has approximately the distribution
// χ²₁.
func (m *Logistic) Profile(x mat.Matrix, t []float64, j int, values []float64, o ProfileOptions) ([]float64, error) {
	const name = "Profile"
	p, _, err := m.newProfiles(x, t, o)
	if err != nil {
		return nil, failure(name, err)
	}
	if j < 0 || j >= len(p) {
		return nil, failure(name, fmt.Errorf("j is %d: want 0 for the bias, or 1 … %d for a column of x", j, len(p)-1))
	}
	if err := check.Vector("values", values, len(values), "weights"); err != nil {
		return nil, failure(name, err)
	}
	out := make([]float64, len(values))
	for i, c := range values {
		if p[j] == nil {
			continue
		}
		rise, _, err := p[j].At(c)
		if err != nil {
			return nil, failure(name, fmt.Errorf("profile at the value %v: %w", c, err))
		}
		out[i] = math.Max(rise, 0)
	}
	return out, nil
}

// newProfiles checks that the data are the data of the fit, and prepares the profiles of all weights.
// The profile of a weight is nil if the weight can both grow and fall without bound. If the classes are
// separable, the second result tells which weights can grow and which can fall without bound. Otherwise
// the second result is nil.
func (m *Logistic) newProfiles(x mat.Matrix, t []float64, o ProfileOptions) ([]*solve.Profile, *solve.Growth, error) {
	if m.estimate().classes() == 0 {
		return nil, nil, errNoEstimate
	}
	if !m.Separable && !m.Converged {
		return nil, nil, errors.New("the fit has not converged to a maximum: " + m.Reason)
	}
	in, err := InMemory{X: x, T: t}.checkedData(requirements{weights: o.Weights})
	if err != nil {
		return nil, nil, err
	}
	if _, d := in.Src.Dims(); d+1 != len(m.W) {
		return nil, nil, fmt.Errorf("x has %d columns, but the x of the fit had %d", d, len(m.W)-1)
	}
	p, err := newProblem(in, glm.CrossEntropy{}, LogisticOptions{Prior: o.Prior, Start: m.W, MaxIterations: 1000})
	if err != nil {
		return nil, nil, err
	}
	if p.Rank != nil {
		return nil, nil, errors.New("the weights are not unique, so they have no profiles: " + p.Rank.Columns(p.Cols))
	}
	if _, e := p.Evaluate(p.Start, glm.OnlyValue); m.HasPrior != (o.Prior != nil) ||
		!(math.Abs(e-m.E) <= 1e-6*(1+math.Abs(m.E))) {
		return nil, nil,
			fmt.Errorf("E at W is %.6g with these rows and this prior, but %.6g in the fit: want the x, t, Weights and Prior of the fit",
				e, m.E)
	}
	if m.Separable {
		growth := p.Growth(existence.NewBudget())
		if !growth.Known {
			return nil, nil,
				errors.New("the classes are separable, and exact arithmetic would take too long: use a Prior")
		}
		f, err := p.Profiles(nil, 0, growth)
		return f, growth, err
	}
	path := solve.Newton{}.Solve(p)
	if !path.Converged {
		return nil, nil, errors.New(path.Reason)
	}
	f, err := p.Profiles(path.W, path.Trace[len(path.Trace)-1].E, nil)
	return f, nil, err
}

func (m *Logistic) profileIntervals(x mat.Matrix, t []float64, o ProfileOptions) (*WeightIntervals, error) {
	if o.Level == 0 {
		o.Level = 0.95
	}
	if err := checkLevel(o.Level); err != nil {
		return nil, err
	}
	f, growth, err := m.newProfiles(x, t, o)
	if err != nil {
		return nil, err
	}
	z := distuv.UnitNormal.Quantile(0.5 + o.Level/2)
	rise := z * z / 2 // half the quantile of χ²₁ at Level
	v := &WeightIntervals{Names: m.Names, Level: o.Level, Method: "profile likelihood", W: m.W}
	if o.Prior != nil {
		v.Method = "penalised profile likelihood"
	}
	if growth == nil {
		v.W = append([]float64(nil), m.W...)
	} else {
		v.W = solve.Limits(f, growth)
	}
	for j, p := range f {
		ends := [2]float64{math.Inf(-1), math.Inf(1)}
		for i, side := range []int{-1, 1} {
			if p == nil || math.IsInf(v.W[j], side) || math.IsInf(rise, 1) {
				continue
			}
			start, step := v.W[j], p.Step()
			switch {
			case math.IsInf(start, 0):
				if start, err = p.Inside(-side, rise); err != nil {
					return nil, err
				}
			case m.Covariance != nil:
				step = z * math.Sqrt(m.Covariance.At(j, j))
			}
			if ends[i], err = p.End(start, step, side, rise); err != nil {
				return nil, fmt.Errorf("the interval of %s: %w", m.weight(j), err)
			}
		}
		v.Lower, v.Upper = append(v.Lower, ends[0]), append(v.Upper, ends[1])
		atZero := 0.0
		if p != nil {
			if atZero, _, err = p.At(0); err != nil {
				return nil, fmt.Errorf("the test of %s: %w", m.weight(j), err)
			}
		}
		v.P = append(v.P, math.Erfc(math.Sqrt(math.Max(atZero, 0)))) // P(χ²₁ > 2·atZero)
	}
	return v, nil
}

func checkLevel(level float64) error {
	if !(level > 0 && level < 1) {
		return fmt.Errorf("level is %v: want a probability between 0 and 1", level)
	}
	return nil
}

// WaldIntervals returns Intervals(level) as a table with odds ratios. Errors: as for Intervals.
func (m *Logistic) WaldIntervals(level float64) (*WeightIntervals, error) {
	if m.estimate().classes() == 0 {
		return nil, failure("WaldIntervals", errNoEstimate)
	}
	lo, hi, err := m.Intervals(level)
	if err != nil {
		return nil, err
	}
	_, prob, err := m.Wald()
	if err != nil {
		return nil, err
	}
	return &WeightIntervals{Names: m.Names, Level: level, Method: "Wald", W: append([]float64(nil), m.W...),
		Lower: lo, Upper: hi, P: prob}, nil
}

// OddsRatios returns exp of the weights and of the ends of their intervals, bias first. The value
// for the bias is the odds at x = 0, which is not an odds ratio.
func (v *WeightIntervals) OddsRatios() (ratio, lower, upper []float64) {
	if v == nil {
		return nil, nil, nil
	}
	exp := func(w []float64) []float64 {
		out := make([]float64, len(w))
		for i, a := range w {
			out[i] = kernels.Exp(a)
		}
		return out
	}
	return exp(v.W), exp(v.Lower), exp(v.Upper)
}

// String returns a table with one line for each weight. The line contains the weight, its interval, its
// p-value, its odds ratio and the interval of the odds ratio. The bias has no odds ratio.
func (v *WeightIntervals) String() string {
	p := &modelText{}
	if v == nil || len(v.W) == 0 || len(v.Lower) != len(v.W) || len(v.Upper) != len(v.W) || len(v.P) != len(v.W) {
		return "no intervals\n"
	}
	p.say("%.4g%% intervals by the %s method, and odds ratios exp(weight) for class %s", 100*v.Level, v.Method,
		v.class(0))
	p.addRow("", "weight", "lower", "upper", "p", "odds ratio", "lower", "upper")
	ratio, lower, upper := v.OddsRatios()
	for i := range v.W {
		line := []any{v.weight(i), tableCell(v.W[i]), tableCell(v.Lower[i]), tableCell(v.Upper[i]), v.P[i]}
		switch {
		case i == 0:
			line = append(line, "", "", "") // empty cells keep the columns aligned
		case math.IsNaN(v.W[i]):
			line = append(line, "–", tableCell(lower[i]), tableCell(upper[i]))
		default:
			line = append(line, printedOdds(ratio[i], v.W[i]), printedOdds(lower[i], v.Lower[i]), printedOdds(upper[i], v.Upper[i]))
		}
		p.addRow(line...)
	}
	return p.String()
}

// InfiniteWeights reports which weights of the maximum-likelihood fit to separable classes are
// infinite. The result has one entry for each weight, bias first. InfiniteWeights considers all
// directions of w along which the likelihood of no row falls. The entry of a weight is +1 if the
// weight grows along at least one of these directions and falls along none of them. The entry is −1
// if the weight falls along at least one of these directions and grows along none of them. The
// entry is 0 if no direction changes the weight, which then has a finite limit. If a weight grows
// in one direction and falls in another direction, the data do not determine its sign, and the
// entry is EitherSign. If the classes overlap, all entries are 0. The result is the same for the
// likelihoods of FitLogistic and FitProbit. x is N×D, and t is in [0,1].
//
// InfiniteWeights solves a linear program for each sign of each weight (Konis 2007) in exact
// arithmetic.
//
// Errors: shapes that do not agree, NaN or Inf, targets outside [0,1], dependent columns, data too
// large for exact arithmetic.
//
// Equations: PRML (4.156).
func InfiniteWeights(x mat.Matrix, t []float64) ([]int, error) {
	const name = "InfiniteWeights"
	in, err := InMemory{X: x, T: t}.checkedData(requirements{})
	if err != nil {
		return nil, failure(name, err)
	}
	p, err := newProblem(in, glm.CrossEntropy{}, LogisticOptions{})
	if err != nil {
		return nil, failure(name, err)
	}
	if p.Rank != nil {
		return nil, failure(name, errors.New("the weights are not unique, so their signs are not determined: "+p.Rank.Columns(p.Cols)))
	}
	signs := infiniteOf(p, existence.NewBudget())
	if signs == nil {
		return nil, failure(name, errors.New("the data are too large for exact arithmetic: use fewer columns or rows"))
	}
	return signs, nil
}

// EitherSign is the entry of InfiniteWeights for a weight that grows in one direction and falls in
// another direction.
const EitherSign = 2

// These constants limit the computation of the field Infinite. A fit computes Infinite only if Φ
// has few entries and the exact proof is short. The proof then takes at most a few milliseconds.
const (
	infiniteSize     = 1 << 11 // maximum number of entries of Φ
	infiniteProducts = 2e6     // maximum number of products in an exact proof
)

// infiniteOf returns the entries of InfiniteWeights, or nil if the data are too large for exact
// arithmetic or the exact proof would need more products than the budget allows.
func infiniteOf(p *solve.Problem, budget *existence.Budget) []int {
	g := p.Growth(budget)
	if !g.Known {
		return nil
	}
	signs := make([]int, len(g.Up))
	for j, up := range g.Up {
		switch {
		case up && g.Down[j]:
			signs[j] = EitherSign
		case up:
			signs[j] = 1
		case g.Down[j]:
			signs[j] = -1
		}
	}
	return signs
}

// infiniteWeight returns the limit of a weight whose entry of InfiniteWeights is not 0: +Inf or −Inf,
// or NaN if the data do not determine the sign.
func infiniteWeight(sign int) float64 {
	if sign == EitherSign {
		return math.NaN()
	}
	return math.Inf(sign)
}

// printedOdds returns the odds ratio of a weight as text for a table. If the weight is finite but
// its odds ratio overflows, the text is "> 1e308".
func printedOdds(ratio, w float64) any {
	if math.IsInf(ratio, 1) && !math.IsInf(w, 1) {
		return "> 1e308"
	}
	return tableCell(ratio)
}

// tableCell returns v as an entry of a table. For an infinity it returns the text +∞ or −∞, and for
// NaN the text ±∞.
func tableCell(v float64) any {
	switch {
	case math.IsInf(v, 1):
		return "+∞"
	case math.IsInf(v, -1):
		return "−∞"
	case math.IsNaN(v):
		return "±∞"
	}
	return v
}
