package classify_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// TestEvidenceAgainstBIC: as N grows by four decades the Laplace evidence and BIC
// both fall by thousands, and their difference stays bounded: it tends to
// ln p(w) + (M/2) ln 2π − ½ ln|A/N| (PRML exercise 4.23). Also shown: what N has to
// be for BIC to weigh a parameter more than AIC, N ≥ 8 and not any N.
func TestEvidenceAgainstBIC(t *testing.T) {
	x, target := drawn(1000000, 2, 5)
	var low, high float64
	for i, n := range []int{100, 1000, 10000, 100000, 1000000} {
		part := x.Slice(0, n, 0, 2)
		m := must(classify.FitBayesLogistic(part, target[:n], classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
		gap := m.LogEvidence() + m.BIC()/2
		t.Logf("N = %7d: ln p(D) = %12.3f, difference %.4f", n, m.LogEvidence(), gap)
		if i == 0 {
			low, high = gap, gap
		}
		low, high = math.Min(low, gap), math.Max(high, gap)
		limit := m.Evidence.LogPrior + 1.5*math.Log(2*math.Pi) - (m.Evidence.LogDet-3*math.Log(float64(n)))/2
		if math.Abs(gap-limit) > 1e-9*math.Abs(m.LogEvidence()) {
			t.Errorf("difference %v, limit %v", gap, limit)
		}
	}
	if high-low > 1 {
		t.Errorf("the difference goes from %v to %v", low, high)
	}
	for n := 1; n < 20; n++ {
		e := classify.Evidence{M: 1, N: n}
		if (e.BIC() > e.AIC()) != (n >= 8) {
			t.Errorf("N = %d: BIC %v, AIC %v", n, e.BIC(), e.AIC())
		}
	}
}

// TestBayesFirstOrder: the gradient of the negative log posterior vanishes at
// w_MAP, A is its derivative by differences, and S_N the inverse.
func TestBayesFirstOrder(t *testing.T) {
	x, target := drawn(60, 3, 8)
	prior := classify.Gaussian{Mean: []float64{1, -1, 0.5, 2}, Cov: spd(4, 50, 3)}
	m := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: prior}))(t)
	o := must(classify.LogisticObjective(x, target, prior))(t)
	stationary(t, o, m.W, 1e-12)
	secondDifferences(t, o, m.W, m.Precision)
	inverses(t, m.Precision, m.Covariance, 4e-12)
	var square mat.Dense
	square.Mul(m.Root, m.Root.T())
	if !mat.EqualApprox(&square, m.Covariance, 1e-14) {
		t.Errorf("Root·Rootᵀ %v, S_N %v", flat(&square), flat(m.Covariance))
	}
	if !(m.Determined > 0 && m.Determined < 4) {
		t.Errorf("γ = %v", m.Determined)
	}
	// The general Laplace approximation of the same posterior, by differences.
	neg := func(w []float64) float64 { return -must(o.Value(w))(t) }
	fit := must(classify.Laplace(neg, make([]float64, 4), classify.LaplaceOptions{Random: 2}))(t)
	logDet, _ := mat.LogDet(prior.Cov)
	if want := m.LogEvidence() + 2*math.Log(2*math.Pi) + logDet/2; math.Abs(fit.LogZ-want) > 1e-9*math.Abs(want) {
		t.Errorf("general ln Z %v, want %v", fit.LogZ, want)
	}
}

// TestBayesEdges are the data on which maximum likelihood fails.
func TestBayesEdges(t *testing.T) {
	iso := classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}
	separable := mat.NewDense(4, 1, []float64{-2, -1, 1, 2})
	st := []float64{0, 0, 1, 1}
	wide, labels := clouds(5, 9, 2, 3)
	constant := mat.NewDense(6, 2, []float64{1, 3, 2, 3, 3, 3, 4, 3, 5, 3, 6, 3})
	ct := []float64{0, 1, 0, 1, 0, 1}
	huge, tiny := mat.NewDense(4, 1, []float64{-2e150, -1e150, 1e150, 2e150}), mat.NewDense(4, 1, []float64{-2e-150, -1e-150, 1e-150, 2e-150})
	for _, c := range []struct {
		name string
		x    *mat.Dense
		t    []float64
	}{
		{"separable", separable, st}, {"one row", mat.NewDense(1, 1, []float64{3}), []float64{1}},
		{"one class", separable, []float64{1, 1, 1, 1}}, {"D > N", wide, targets(labels)},
		{"constant column", constant, ct}, {"soft targets", separable, []float64{0.2, 0.9, 0.5, 1}},
		{"large units", huge, st}, {"small units", tiny, st},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := must(classify.FitBayesLogistic(c.x, c.t, iso))(t)
			if !m.Converged || m.Evidence.LogEvidence() >= 0 || m.Determined < 0 {
				t.Errorf("%s; ln p(D) %v, γ %v", m.Reason, m.LogEvidence(), m.Determined)
			}
			for _, by := range []classify.PredictiveMethod{classify.Moderated, classify.Quadrature, classify.PlugIn} {
				p := must(m.PosteriorBy(c.x, by))(t)
				finite(t, "p", flat(p)...)
			}
		})
	}
	for _, c := range []struct {
		name string
		x    *mat.Dense
		t    []float64
		o    classify.BayesLogisticOptions
		want []string
	}{
		{"flat, separable", separable, st, classify.BayesLogisticOptions{}, []string{"flat", "separable", "cannot be normalised", "Prior"}},
		{"flat, one class", separable, []float64{0, 0, 0, 0}, classify.BayesLogisticOptions{}, []string{"flat", "single class"}},
		{"free bias, one class", separable, []float64{0, 0, 0, 0}, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1, FreeBias: true}}, []string{"flat in the bias"}},
		{"flat, constant column", constant, ct, classify.BayesLogisticOptions{}, []string{"flat", "constant", "cannot be normalised"}},
		{"α", separable, st, classify.BayesLogisticOptions{Prior: classify.Isotropic{}}, []string{"Alpha", "0"}},
		{"α, re-estimated", separable, st, classify.BayesLogisticOptions{Reestimate: true, Prior: classify.Isotropic{Alpha: -1}}, []string{"Alpha", "-1"}},
		{"S0 indefinite", separable, st, classify.BayesLogisticOptions{Prior: classify.Gaussian{Cov: mat.NewSymDense(2, []float64{1, 2, 2, 1})}}, []string{"Cov", "positive definite"}},
		{"S0 size", separable, st, classify.BayesLogisticOptions{Prior: classify.Gaussian{Cov: mat.NewSymDense(3, nil)}}, []string{"3×3", "2×2"}},
		{"re-estimated Gaussian", separable, st, classify.BayesLogisticOptions{Reestimate: true, Prior: classify.Gaussian{}}, []string{"Reestimate", "Isotropic"}},
		{"method", separable, st, classify.BayesLogisticOptions{Method: 7}, []string{"Method", "7"}},
		{"no data, flat", &mat.Dense{}, nil, classify.BayesLogisticOptions{}, []string{"0×0", "Prior"}},
		{"no data, isotropic", &mat.Dense{}, nil, iso, []string{"0×0", "Gaussian"}},
		{"no rows, targets", &mat.Dense{}, st, iso, []string{"0×0"}},
		{"start", separable, st, classify.BayesLogisticOptions{Start: []float64{1}}, []string{"Start"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := classify.FitBayesLogistic(c.x, c.t, c.o)
			mentions(t, err, c.want...)
		})
	}
	// A flat prior on overlapping classes is the maximum-likelihood fit.
	x, target := drawn(50, 2, 4)
	m := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{}))(t)
	ml := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	if !reflect.DeepEqual(m.W, ml.W) || !mat.Equal(m.Covariance, ml.Covariance) || m.Evidence.Flat != 3 {
		t.Errorf("%v and %v", m.W, ml.W)
	}
	if m.BIC() != ml.BIC() || m.AIC() != ml.AIC() {
		t.Error("other criteria than maximum likelihood")
	}
}

// noRows is a matrix with columns but no rows, which gonum's Dense cannot be.
type noRows struct{ d int }

func (m noRows) Dims() (r, c int)    { return 0, m.d }
func (m noRows) At(i, j int) float64 { panic("no rows") }
func (m noRows) T() mat.Matrix       { return mat.Transpose{Matrix: m} }

// TestBayesNoData: the prior comes back.
func TestBayesNoData(t *testing.T) {
	cov := spd(3, 100, 2)
	prior := classify.Gaussian{Mean: []float64{1, 2, 3}, Cov: cov}
	for _, x := range []mat.Matrix{&mat.Dense{}, noRows{2}} {
		m := must(classify.FitBayesLogistic(x, nil, classify.BayesLogisticOptions{Prior: prior}))(t)
		if !m.Converged || !slices.Equal(m.W, prior.Mean) || math.Abs(m.LogEvidence()) > 1e-12 || m.N != 0 || m.Determined != 0 || m.BIC() != 0 {
			t.Errorf("%+v, ln p(D) %v", m, m.LogEvidence())
		}
		if !mat.EqualApprox(m.Covariance, cov, 1e-12) {
			t.Errorf("S_N %v, S0 %v", flat(m.Covariance), flat(cov))
		}
	}
	m := must(classify.FitBayesLogistic(noRows{2}, nil, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 4}}))(t)
	if m.Alpha != 4 || m.Covariance.At(1, 1) != 0.25 || m.Covariance.At(1, 2) != 0 {
		t.Errorf("%+v", m)
	}
	s := must(classify.FitBayesSoftmax(&mat.Dense{}, nil, 3, classify.BayesSoftmaxOptions{Prior: classify.Gaussian{Cov: spd(6, 10, 1)}}))(t)
	if !mat.EqualApprox(s.Covariance, spd(6, 10, 1), 1e-12) || math.Abs(s.LogEvidence()) > 1e-12 {
		t.Errorf("%+v", s)
	}
}

// TestBayesNearlySingular: a prior that ties two weights together. Along the tie
// it is a single weight of the sum of the columns.
func TestBayesNearlySingular(t *testing.T) {
	x, target := drawn(80, 2, 6)
	n, _ := x.Dims()
	sum := mat.NewDense(n, 1, nil)
	for i := range n {
		sum.Set(i, 0, x.At(i, 0)+x.At(i, 1))
	}
	one := must(classify.FitBayesLogistic(sum, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
	for _, eps := range []float64{1e-8, 1e-12, 1e-14} {
		tied := mat.NewSymDense(3, []float64{1, 0, 0, 0, 1, 1 - eps, 0, 1 - eps, 1})
		m := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Gaussian{Cov: tied}}))(t)
		if !m.Converged || math.Abs(m.W[1]-one.W[1]) > 100*eps+1e-7 || math.Abs(m.W[1]-m.W[2]) > 100*eps+1e-7 {
			t.Errorf("ε = %v: %v, one weight %v; %s", eps, m.W, one.W, m.Reason)
		}
		if math.Abs(m.LogEvidence()-one.LogEvidence()) > 100*eps+1e-4 {
			t.Errorf("ε = %v: ln p(D) %v and %v", eps, m.LogEvidence(), one.LogEvidence())
		}
		p, q := must(m.Posterior(x))(t), must(one.Posterior(sum))(t)
		if !mat.EqualApprox(p, q, 1e-6) {
			t.Errorf("ε = %v: other predictions", eps)
		}
	}
	_, err := classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Gaussian{Cov: mat.NewSymDense(3, []float64{1, 0, 0, 0, 1, 1, 0, 1, 1})}})
	mentions(t, err, "positive definite")
}

// TestReestimate: the evidence is stationary in ln α at the α found, and higher
// than at any other on a grid.
func TestReestimate(t *testing.T) {
	x, target := drawn(300, 4, 2)
	for _, free := range []bool{false, true} {
		m := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Reestimate: true, Prior: classify.Isotropic{Alpha: 1, FreeBias: free}}))(t)
		if !m.Converged || !strings.Contains(m.Reason, "maximises") || len(m.AlphaTrace) > 60 {
			t.Errorf("%s, %d values", m.Reason, len(m.AlphaTrace))
		}
		at := func(alpha float64) float64 {
			p := classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: alpha, FreeBias: free}}
			return must(classify.FitBayesLogistic(x, target, p))(t).LogEvidence()
		}
		if math.Abs(at(m.Alpha)-m.LogEvidence()) > 1e-10 {
			t.Errorf("evidence %v, by a fit with that α %v", m.LogEvidence(), at(m.Alpha))
		}
		if slope := (at(m.Alpha*1.01) - at(m.Alpha/1.01)) / (2 * math.Log(1.01)); math.Abs(slope) > 1e-4 {
			t.Errorf("slope %v at α = %v", slope, m.Alpha)
		}
		for k := -10; k <= 10; k++ {
			if e := at(math.Exp2(float64(k))); e > m.LogEvidence()+1e-12 {
				t.Errorf("α = %v has the evidence %v, more than %v at %v", math.Exp2(float64(k)), e, m.LogEvidence(), m.Alpha)
			}
		}
		// From elsewhere, and from the rows in reverse, the same α is found.
		n, d := x.Dims()
		back, backT := mat.NewDense(n, d, nil), slices.Clone(target)
		slices.Reverse(backT)
		for i := range n {
			back.SetRow(i, x.RawRowView(n-1-i))
		}
		rev := must(classify.FitBayesLogistic(back, backT, classify.BayesLogisticOptions{Reestimate: true, Prior: classify.Isotropic{Alpha: 1, FreeBias: free}}))(t)
		if math.Abs(rev.Alpha/m.Alpha-1) > 1e-9 {
			t.Errorf("α = %v, from the rows in reverse %v", m.Alpha, rev.Alpha)
		}
		far := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Reestimate: true, Prior: classify.Isotropic{Alpha: 1e4, FreeBias: free}}))(t)
		if math.Abs(far.Alpha/m.Alpha-1) > 1e-7 {
			t.Errorf("α = %v from 1 and %v from 10⁴", m.Alpha, far.Alpha)
		}
	}
	// Targets that have nothing to do with x: α → ∞, said so.
	noise := mat.NewDense(4, 1, []float64{-1, 1, -1, 1})
	m := must(classify.FitBayesLogistic(noise, []float64{1, 1, 0, 0}, classify.BayesLogisticOptions{Reestimate: true}))(t)
	if m.Converged || !strings.Contains(m.Reason, "still rises") || m.Alpha < 100 {
		t.Errorf("α = %v, %s", m.Alpha, m.Reason)
	}
	s, labels := clouds(120, 3, 3, 4)
	b := must(classify.FitBayesSoftmax(s, labels, 3, classify.BayesSoftmaxOptions{Reestimate: true}))(t)
	saved := new(classify.BayesSoftmax)
	if err := json.Unmarshal(must(json.Marshal(b))(t), saved); err != nil || !reflect.DeepEqual(b, saved) || len(b.AlphaTrace) == 0 {
		t.Errorf("%+v came back as %+v, %v", b, saved, err)
	}
	for _, f := range []float64{0.5, 2} {
		other := must(classify.FitBayesSoftmax(s, labels, 3, classify.BayesSoftmaxOptions{Prior: classify.Isotropic{Alpha: f * b.Alpha}}))(t)
		if !b.Converged || other.LogEvidence() >= b.LogEvidence() {
			t.Errorf("softmax: %v at α = %v, %v at %v times it; %s", b.LogEvidence(), b.Alpha, other.LogEvidence(), f, b.Reason)
		}
	}
}

// TestModerationDecisions: with equal losses moderation changes no decision;
// with unequal ones it does, only between ½ and the threshold; a row with μ_a = 0
// is never changed; and it rejects more.
func TestModerationDecisions(t *testing.T) {
	x, target := drawn(20, 2, 3)
	m := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
	rng := rand.New(rand.NewPCG(1, 1))
	points := mat.NewDense(2000, 2, nil)
	points.Apply(func(_, _ int, _ float64) float64 { return 4 * rng.NormFloat64() }, points)
	equal := must(m.Moderation(points, classify.Decision{}))(t)
	if len(equal.Changed) != 0 || !slices.Equal(equal.PlugIn, equal.Moderated) || !slices.Equal(equal.PlugIn, must(m.Predict(points))(t)) {
		t.Errorf("equal losses: %d decisions changed", len(equal.Changed))
	}
	unequal := classify.Decision{Loss: mat.NewDense(2, 2, []float64{0, 1, 9, 0})} // C₁ from p = 0.9 on
	if th := must(unequal.Threshold())(t); math.Abs(th-0.9) > 1e-15 {
		t.Errorf("threshold %v", th)
	}
	mod := must(m.Moderation(points, unequal))(t)
	if len(mod.Changed) == 0 {
		t.Error("unequal losses: no decision changed")
	}
	plug := must(m.PosteriorBy(points, classify.PlugIn))(t)
	for _, i := range mod.Changed {
		if p := plug.At(i, 0); mod.PlugIn[i] != 0 || mod.Quadrature[i] != 1 || p < 0.9 {
			t.Errorf("row %d, p = %v: %d became %d", i, p, mod.PlugIn[i], mod.Quadrature[i])
		}
	}
	reject := must(m.Moderation(points, classify.Decision{Reject: 0.1}))(t)
	count := func(c []int) (n int) {
		for _, v := range c {
			if v == classify.Rejected {
				n++
			}
		}
		return n
	}
	if a, b := count(reject.PlugIn), count(reject.Quadrature); a >= b || b == 2000 {
		t.Errorf("%d rejected without and %d with moderation", a, b)
	}
	// On the plane μ_a = 0 all methods say ½, whatever σ_a.
	flat0 := &classify.BayesLogistic{W: []float64{0, 0}, Root: mat.NewDense(2, 2, []float64{1, 0, 0, 5})}
	for _, by := range []classify.PredictiveMethod{classify.Moderated, classify.Quadrature, classify.PlugIn} {
		if p := must(flat0.PosteriorBy(mat.NewDense(1, 1, []float64{7}), by))(t); p.At(0, 0) != 0.5 {
			t.Errorf("method %d at μ_a = 0: %v", by, p.At(0, 0))
		}
	}
}

func TestDecide(t *testing.T) {
	p := mat.NewDense(3, 3, []float64{0.5, 0.3, 0.2, 0.34, 0.33, 0.33, 0.05, 0.05, 0.9})
	if c := must(classify.Decision{}.Decide(p))(t); !slices.Equal(c, []int{0, 0, 2}) {
		t.Errorf("%v", c)
	}
	if c := must(classify.Decision{Reject: 0.4}.Decide(p))(t); !slices.Equal(c, []int{classify.Rejected, classify.Rejected, 2}) {
		t.Errorf("%v", c)
	}
	// Mistaking class 2 for another costs 10: expected losses of row 0 are
	// 0.3+10·0.2, 0.5+10·0.2, 0.8.
	loss := mat.NewDense(3, 3, []float64{0, 1, 1, 1, 0, 1, 10, 10, 0})
	if c := must(classify.Decision{Loss: loss}.Decide(p))(t); !slices.Equal(c, []int{2, 2, 2}) {
		t.Errorf("%v", c)
	}
	for _, c := range []struct {
		d    classify.Decision
		p    mat.Matrix
		want []string
	}{
		{classify.Decision{Reject: -1}, p, []string{"Reject", "-1"}},
		{classify.Decision{Loss: mat.NewDense(2, 2, nil)}, p, []string{"2×2", "3×3"}},
		{classify.Decision{Loss: mat.NewDense(3, 3, []float64{0, 1, 1, 1, 0, math.NaN(), 1, 1, 0})}, p, []string{"Loss(1,2)", "NaN"}},
		{classify.Decision{}, mat.NewDense(1, 2, []float64{2, -1}), []string{"row 0", "probability"}},
		{classify.Decision{}, mat.NewDense(1, 2, []float64{0.2, 0.2}), []string{"row 0", "sums to 0.4"}},
		{classify.Decision{}, nil, []string{"nil"}},
	} {
		_, err := c.d.Decide(c.p)
		mentions(t, err, c.want...)
	}
	_, err := classify.Decision{Loss: mat.NewDense(2, 2, nil)}.Threshold()
	mentions(t, err, "does not depend")
}

// TestCompareModels: polynomial bases of growing size on data of the second
// degree; the criteria choose it, the likelihood the largest.
func TestCompareModels(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const n = 500
	target := make([]float64, n)
	z := make([]float64, n)
	for i := range n {
		z[i] = 2 * rng.NormFloat64()
		target[i] = truth(rng.Float64() < 1/(1+math.Exp(2-z[i]*z[i])))
	}
	var cs []classify.Candidate
	for d := 1; d <= 6; d++ {
		x := mat.NewDense(n, d, nil)
		for i := range n {
			for j := range d {
				x.Set(i, j, math.Pow(z[i]/2, float64(j+1)))
			}
		}
		m := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
		cs = append(cs, classify.Candidate{Name: fmt.Sprintf("degree %d", d), Model: m})
	}
	c := must(classify.CompareModels(cs...))(t)
	if c.ByEvidence != 1 || c.ByBIC != 1 || c.ByLikelihood < 2 {
		t.Errorf("winners %d, %d, %d, %d\n%s", c.ByEvidence, c.ByBIC, c.ByAIC, c.ByLikelihood, c)
	}
	var sum float64
	for _, r := range c.Rows {
		sum += r.Probability
		if math.Abs(r.LogEvidence-r.LogLikelihood-r.LogOccam) > 1e-9 || r.LogOccam >= 0 {
			t.Errorf("%+v", r)
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("the probabilities sum to %v", sum)
	}
	if text := c.String(); strings.Count(text, "*") != 4 || strings.Count(text, "\n") != 7 {
		t.Errorf("table\n%s", text)
	}
}

// TestCompareLinks: logistic, probit and softmax of the same posterior; the
// evidence of a Logistic and of a BayesLogistic are one.
func TestCompareLinks(t *testing.T) {
	x, target := drawn(200, 2, 9)
	labels := make([]int, len(target))
	for i, v := range target {
		labels[i] = int(1 - v)
	}
	prior := classify.Isotropic{Alpha: 0.5}
	logistic := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: prior}))(t)
	probit := must(classify.FitProbit(x, target, classify.ProbitOptions{Prior: prior}))(t)
	softmax := must(classify.FitSoftmax(x, labels, 2, classify.SoftmaxOptions{Prior: prior}))(t)
	bayes := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: prior}))(t)
	bayesK := must(classify.FitBayesSoftmax(x, labels, 2, classify.BayesSoftmaxOptions{Prior: prior}))(t)
	e := must(classify.EvidenceOf(logistic, prior))(t)
	if math.Abs(e.LogEvidence()-bayes.LogEvidence()) > 1e-10 {
		t.Errorf("%v and %v", e.LogEvidence(), bayes.LogEvidence())
	}
	k := must(classify.EvidenceOf(softmax, prior))(t)
	if math.Abs(k.LogEvidence()-bayesK.LogEvidence()) > 1e-10 {
		t.Errorf("%v and %v", k.LogEvidence(), bayesK.LogEvidence())
	}
	ml := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	c := must(classify.CompareModels(
		classify.Candidate{Name: "logistic", Model: logistic, Prior: prior}, classify.Candidate{Name: "probit", Model: probit, Prior: prior},
		classify.Candidate{Name: "maximum likelihood", Model: ml}, classify.Candidate{Name: "softmax", Model: bayesK}))(t)
	if !math.IsNaN(c.Rows[2].LogEvidence) || c.ByEvidence == 2 || c.ByLikelihood < 0 || math.IsNaN(c.Rows[1].LogEvidence) {
		t.Errorf("%s", c)
	}
	small := must(classify.FitLogistic(x.Slice(0, 100, 0, 2), target[:100], classify.LogisticOptions{}))(t)
	for _, bad := range []struct {
		c    []classify.Candidate
		want []string
	}{
		{nil, []string{"no candidates"}},
		{[]classify.Candidate{{Name: "a"}}, []string{"candidate 0 (a)"}},
		{[]classify.Candidate{{Name: "a", Model: ml}, {Name: "b", Model: small}}, []string{"candidate 1 (b)", "100 rows", "200"}},
		{[]classify.Candidate{{Name: "a", Model: logistic, Prior: classify.Isotropic{Alpha: 3}}}, []string{"penalty", "prior of the fit"}},
		{[]classify.Candidate{{Name: "a", Model: logistic, Prior: classify.Isotropic{}}}, []string{"Alpha"}},
		{[]classify.Candidate{{Name: "a", Model: (*classify.Logistic)(nil)}}, []string{"without a fit"}},
	} {
		_, err := classify.CompareModels(bad.c...)
		mentions(t, err, bad.want...)
	}
	flip := must(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Prior: prior, Epsilon: 0.05}))(t)
	if f, err := classify.EvidenceOf(flip, prior); err != nil || !(f.LogEvidence() < 0) {
		t.Errorf("label flip: %+v, %v", f, err)
	}
	flip.Hessian = mat.NewSymDense(4, nil) // as of an estimated ε
	_, err := classify.EvidenceOf(flip, prior)
	mentions(t, err, "besides its weights")
	twice := mat.NewDense(200, 4, nil)
	twice.Augment(x, x)
	_, err = classify.EvidenceOf(must(classify.FitSoftmax(twice, labels, 2, classify.SoftmaxOptions{}))(t), nil)
	mentions(t, err, "not positive definite", "not unique")
}

// TestBayesSoftmaxTwo: with two classes the difference of the weight vectors is a
// logistic model with half the precision; the draws agree with quadrature within
// 4.5 standard errors, which fall as 1/√Draws.
func TestBayesSoftmaxTwo(t *testing.T) {
	x, target := drawn(60, 2, 7)
	labels := make([]int, len(target))
	for i, v := range target {
		labels[i] = int(1 - v)
	}
	two := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.25}, Method: classify.Quadrature}))(t)
	want := must(two.Posterior(x))(t)
	var last float64
	for _, draws := range []int{200, 20000} {
		m := must(classify.FitBayesSoftmax(x, labels, 2, classify.BayesSoftmaxOptions{Prior: classify.Isotropic{Alpha: 0.5}, Draws: draws, Seed: 5}))(t)
		if !m.Converged {
			t.Fatal(m.Reason)
		}
		for i, w := range two.W {
			if math.Abs(m.W.At(i, 0)-m.W.At(i, 1)-w) > 1e-9 {
				t.Errorf("weight %d: %v, want %v", i, m.W.At(i, 0)-m.W.At(i, 1), w)
			}
		}
		// The evidence differs by the sum of the weights, whose posterior is its prior.
		if math.Abs(m.LogEvidence()-two.LogEvidence()) > 1e-9 {
			t.Errorf("ln p(D) %v and %v", m.LogEvidence(), two.LogEvidence())
		}
		p, se, err := m.PosteriorError(x)
		if err != nil {
			t.Fatal(err)
		}
		var sum float64
		for i := range labels {
			sum += se.At(i, 0)
			if d := math.Abs(p.At(i, 0) - want.At(i, 0)); d > 4.5*se.At(i, 0)+1e-12 {
				t.Errorf("%d draws, row %d: %v ± %v, want %v", draws, i, p.At(i, 0), se.At(i, 0), want.At(i, 0))
			}
		}
		if last > 0 && (sum > last/7 || sum < last/14) {
			t.Errorf("the standard errors fell from %v to %v", last, sum)
		}
		last = sum
	}
}

// TestBayesSoftmaxEdges: an empty class and separable classes with a prior, the
// errors without one.
func TestBayesSoftmaxEdges(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{-3, -2, -0.5, 0.5, 2, 3})
	labels := []int{0, 0, 1, 1, 2, 2}
	iso := classify.BayesSoftmaxOptions{Prior: classify.Isotropic{Alpha: 1}}
	for k := 3; k <= 4; k++ { // class 3 has no rows
		m := must(classify.FitBayesSoftmax(x, labels, k, iso))(t)
		if p := must(m.Posterior(x))(t); !m.Converged || m.LogEvidence() >= 0 || k == 4 && !(p.At(0, 3) > 0) {
			t.Errorf("k = %d: %s", k, m.Reason)
		}
	}
	one := must(classify.FitBayesSoftmax(x, make([]int, 6), 2, iso))(t)
	if p := must(one.Posterior(x))(t); !one.Converged || p.At(2, 0) < 0.6 {
		t.Errorf("one class: %v", flat(p))
	}
	for _, c := range []struct {
		name string
		k    int
		l    []int
		o    classify.BayesSoftmaxOptions
		want []string
	}{
		{"flat, separable", 3, labels, classify.BayesSoftmaxOptions{}, []string{"flat", "separable", "cannot be normalised"}},
		{"flat, empty class", 4, labels, classify.BayesSoftmaxOptions{}, []string{"class"}},
		{"flat, one class", 2, make([]int, 6), classify.BayesSoftmaxOptions{}, []string{"class 0"}},
		{"draws", 3, labels, classify.BayesSoftmaxOptions{Draws: 1}, []string{"Draws"}},
		{"re-estimated, free bias", 3, labels, classify.BayesSoftmaxOptions{Reestimate: true, Prior: classify.Isotropic{Alpha: 1, FreeBias: true}}, []string{"FreeBias"}},
		{"prior size", 3, labels, classify.BayesSoftmaxOptions{Prior: classify.Gaussian{Cov: spd(3, 2, 1)}}, []string{"3×3", "6×6"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := classify.FitBayesSoftmax(x, c.l, c.k, c.o)
			mentions(t, err, c.want...)
		})
	}
}

// TestBayesSampleWeights: the draws of q(w) have its moments.
func TestBayesSampleWeights(t *testing.T) {
	x, target := drawn(40, 1, 2)
	m := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
	const n = 40000
	s := must(m.SampleWeights(n, 9))(t)
	for j := range 2 {
		var mean float64
		for i := range n {
			mean += s.At(i, j) / n
		}
		if se := math.Sqrt(m.Covariance.At(j, j) / n); math.Abs(mean-m.W[j]) > 4.5*se {
			t.Errorf("mean %d of the draws %v, want %v ± %v", j, mean, m.W[j], se)
		}
	}
	if !mat.Equal(s, must(m.SampleWeights(n, 9))(t)) {
		t.Error("equal seeds give other draws")
	}
}

// TestBayesMemory: the fit and the predictions of 10⁶ rows keep nothing of size
// N×D: D = 8 columns are 64 MB.
func TestBayesMemory(t *testing.T) {
	const n, d = 1000000, 8
	x, target := drawn(n, d, 1)
	var m *classify.BayesLogistic
	used := allocated(t, func() (err error) {
		m, err = classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}})
		return err
	})
	// Two copies of the targets (8 MB each) and the accumulators.
	if used > 40<<20 {
		t.Errorf("the fit allocated %d MB", used>>20)
	}
	var p *mat.Dense
	used = allocated(t, func() (err error) { p, err = m.Posterior(x); return err })
	if used > 24<<20 { // the answer is 16 MB
		t.Errorf("the prediction allocated %d MB", used>>20)
	}
	finite(t, "p", p.RawRowView(n-1)...)
	// The data are drawn from w = (0.3, cos(j)/√8); the posterior covers it.
	for j, w := range m.W {
		true := 0.3
		if j > 0 {
			true = math.Cos(float64(j-1)) / math.Sqrt(d)
		}
		if sd := math.Sqrt(m.Covariance.At(j, j)); math.Abs(w-true) > 5*sd {
			t.Errorf("weight %d is %v ± %v, drawn from %v", j, w, sd, true)
		}
	}
}

func ExampleFitBayesLogistic() {
	iris := datasets.Must(datasets.Iris().Columns("petal_length", "petal_width"))
	t := datasets.Must(iris.Target("setosa")) // separable from the others
	m := classify.Must(classify.FitBayesLogistic(iris.X, t, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))
	far := mat.NewDense(2, 2, []float64{1.4, 0.2, -6, -6})
	plug, moderated := classify.Must(m.PosteriorBy(far, classify.PlugIn)), classify.Must(m.Posterior(far))
	fmt.Printf("w = %.3f, ln p(D) = %.2f\n", m.W, m.LogEvidence())
	for i := range 2 {
		fmt.Printf("p(setosa) = %.4f at the mode, %.4f moderated\n", plug.At(i, 0), moderated.At(i, 0))
	}
	// Output:
	// w = [3.977 -1.152 -1.702], ln p(D) = -23.17
	// p(setosa) = 0.8833 at the mode, 0.8779 moderated
	// p(setosa) = 1.0000 at the mode, 0.9997 moderated
}

func ExampleFitBayesSoftmax() {
	iris := datasets.Must(datasets.Iris().Columns("petal_length", "petal_width"))
	m := classify.Must(classify.FitBayesSoftmax(iris.X, iris.Labels, 3, classify.BayesSoftmaxOptions{Reestimate: true, Draws: 2000}))
	p, se, err := m.PosteriorError(mat.NewDense(1, 2, []float64{4.8, 1.7}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("α = %.3f\n", m.Alpha)
	for k, name := range iris.ClassNames {
		fmt.Printf("%-10s %.2f ± %.3f\n", name, p.At(0, k), se.At(0, k))
	}
	// Output:
	// α = 0.002
	// setosa     0.06 ± 0.004
	// versicolor 0.44 ± 0.002
	// virginica  0.50 ± 0.002
}

func ExampleCompareModels() {
	iris := datasets.Must(datasets.Iris().Class("versicolor", "virginica"))
	t := datasets.Must(iris.Target("versicolor"))
	var all []classify.Candidate
	for _, names := range [][]string{{"sepal_width"}, {"petal_width"}, {"petal_length", "petal_width"}, iris.FeatureNames[1:]} {
		x := datasets.Must(iris.Columns(names...)).X
		m := classify.Must(classify.FitBayesLogistic(x, t, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.01}}))
		all = append(all, classify.Candidate{Name: strings.Join(names, ", "), Model: m})
	}
	fmt.Print(classify.Must(classify.CompareModels(all...)))
	// Output:
	// model                                     M    ln p(D|θ)          AIC          BIC     ln Occam      ln p(D)  p(model|D)
	// sepal_width                               2     -64.299      132.598      137.808       -6.723      -71.022       0.0000
	// petal_width                               2     -17.126       38.252       43.462       -6.881      -24.007       0.0084
	// petal_length, petal_width                 3     -12.255       30.509       38.325      -10.338      -22.593       0.0344
	// sepal_width, petal_length, petal_width    4      -8.737*      25.474*      35.895*     -10.528      -19.266*      0.9573
}

func ExampleDecision() {
	posterior := mat.NewDense(3, 2, []float64{0.95, 0.05, 0.7, 0.3, 0.2, 0.8})
	// Missing C₂ costs ten times as much as a false alarm.
	costly := classify.Decision{Loss: mat.NewDense(2, 2, []float64{0, 1, 10, 0})}
	careful := classify.Decision{Reject: 0.25}
	fmt.Println(classify.Must(costly.Decide(posterior)), classify.Must(careful.Decide(posterior)))
	// Output: [0 1 1] [0 -2 1]
}

// TestOccamSign: under a proper prior the Occam factor is a loss, as S0⁻¹ ≤ A; with
// flat parameters, whose density is taken as 1, it may be a gain.
func TestOccamSign(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{-2, -1, -0.5, 0.5, 1, 2})
	target := []float64{0, 0, 1, 0, 1, 1}
	for _, alpha := range []float64{1e-6, 1e-3, 1, 1e3, 1e6} {
		prior := classify.Isotropic{Alpha: alpha}
		e, err := classify.EvidenceOf(classify.Must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: prior})), prior)
		if err != nil {
			t.Fatal(err)
		}
		if e.Flat != 0 || !(e.LogOccam() < 0) {
			t.Errorf("α = %g: ln of the Occam factor %g with %d flat parameters, want a loss with none", alpha, e.LogOccam(), e.Flat)
		}
	}
	e, err := classify.EvidenceOf(classify.Must(classify.FitLogistic(x, target, classify.LogisticOptions{})), nil)
	if err != nil {
		t.Fatal(err)
	}
	if e.Flat != 2 || !(e.LogOccam() > 1) {
		t.Errorf("flat: ln of the Occam factor %g with %d flat parameters, want a gain with 2", e.LogOccam(), e.Flat)
	}
}
