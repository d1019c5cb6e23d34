package classify_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

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
			for _, by := range []classify.PredictiveMethod{classify.PredictiveModerated, classify.PredictiveQuadrature, classify.PredictivePlugIn} {
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
	iris := toolkit.Must(datasets.Iris().Columns("petal_length", "petal_width"))
	t := toolkit.Must(iris.Target("setosa")) // separable from the others
	m := toolkit.Must(classify.FitBayesLogistic(iris.X, t, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))
	far := mat.NewDense(2, 2, []float64{1.4, 0.2, -6, -6})
	plug, moderated := toolkit.Must(m.PosteriorBy(far, classify.PredictivePlugIn)), toolkit.Must(m.Posterior(far))
	fmt.Printf("w = %.3f, ln p(D) = %.2f\n", m.W, m.LogEvidence())
	for i := range 2 {
		fmt.Printf("p(setosa) = %.4f at the mode, %.4f moderated\n", plug.At(i, 0), moderated.At(i, 0))
	}
	// Output:
	// w = [3.977 -1.152 -1.702], ln p(D) = -23.17
	// p(setosa) = 0.8833 at the mode, 0.8779 moderated
	// p(setosa) = 1.0000 at the mode, 0.9997 moderated
}
