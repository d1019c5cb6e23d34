package classify_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestScoreConfusion(t *testing.T) {
	labels := []int{0, 0, 0, 1, 1, 2, 2, 2, 2, 2}
	predicted := []int{0, 0, 1, 1, 2, 2, 2, 2, 0, 2}
	c := must(classify.ScoreConfusion(labels, predicted, 4))(t)
	if want := [][]int{{2, 1, 0, 0}, {0, 1, 1, 0}, {1, 0, 4, 0}, {0, 0, 0, 0}}; !reflect.DeepEqual(c.Counts, want) {
		t.Errorf("counts %v, want %v", c.Counts, want)
	}
	if c.N() != 10 || c.Errors() != 3 || math.Abs(c.Accuracy()-0.7) > 1e-15 {
		t.Errorf("N %d, errors %d, accuracy %v", c.N(), c.Errors(), c.Accuracy())
	}
	// By hand: rows 2/3, 1/2, 4/5, none; columns 2/3, 1/2, 4/5, none.
	for name, got := range map[string][]float64{"recall": c.Recall(), "precision": c.Precision()} {
		for i, want := range []float64{2.0 / 3, 0.5, 0.8, math.NaN()} {
			if math.Abs(got[i]-want) > 1e-15 || math.IsNaN(got[i]) != math.IsNaN(want) {
				t.Errorf("%s of class %d is %v, want %v", name, i, got[i], want)
			}
		}
	}
	a := must(classify.ScoreAccuracy(labels, predicted))(t)
	// The error of a share p: √(p(1−p)/(N−1)).
	if math.Abs(a.Value-0.7) > 1e-15 || math.Abs(a.StdError-math.Sqrt(0.7*0.3/9)) > 1e-15 {
		t.Errorf("accuracy %+v", a)
	}
	if !strings.Contains(c.String(), "true 2") {
		t.Errorf("the table reads %s", c)
	}
}

func TestScoreProbabilities(t *testing.T) {
	p := mat.NewDense(3, 2, []float64{0.8, 0.2, 0.5, 0.5, 0.1, 0.9})
	labels := []int{0, 1, 0}
	l := must(classify.ScoreLogLoss(labels, p))(t)
	terms := []float64{-math.Log(0.8), -math.Log(0.5), -math.Log(0.1)}
	mean, sd := stat.MeanStdDev(terms, nil)
	if math.Abs(l.Value-mean) > 1e-15 || math.Abs(l.StdError-sd/math.Sqrt(3)) > 1e-15 {
		t.Errorf("log loss %+v, want %v ± %v", l, mean, sd/math.Sqrt(3))
	}
	b := must(classify.ScoreBrier(labels, p))(t)
	if want := (2*0.04 + 2*0.25 + 2*0.81) / 3; math.Abs(b.Value-want) > 1e-15 {
		t.Errorf("Brier %v, want %v", b.Value, want)
	}
	sure := must(classify.ScoreLogLoss([]int{0, 1}, mat.NewDense(2, 2, []float64{1, 0, 1, 0})))(t)
	if !math.IsInf(sure.Value, 1) || !math.IsInf(sure.StdError, 1) {
		t.Errorf("a true class of probability 0 costs %+v", sure)
	}
	// The mean log loss of a fit on its own rows is its error over N.
	x, y := clouds(50, 2, 2, 4)
	m := must(classify.FitLogistic(x, targets(y), classify.LogisticOptions{}))(t)
	own := must(classify.ScoreLogLoss(y, must(m.Posterior(x))(t)))(t)
	if math.Abs(50*own.Value-m.E) > 1e-12*m.E {
		t.Errorf("log loss %v, E/N %v", own.Value, m.E/50)
	}
}

// pairs is the area under the curve by its meaning: the share of pairs of rows of
// the two classes in the right order, ties counted half.
func pairs(t, a []float64) float64 {
	var right, all float64
	for i, u := range t {
		for j, v := range t {
			if u == 1 && v == 0 {
				all++
				switch {
				case a[i] > a[j]:
					right++
				case a[i] == a[j]:
					right += 0.5
				}
			}
		}
	}
	return right / all
}

func TestScoreROC(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 50 {
		n := 2 + rng.IntN(60)
		y, a := make([]float64, n), make([]float64, n)
		for i := range y {
			y[i] = float64(i % 2)
			a[i] = math.Round(4*(rng.NormFloat64()+y[i])) / 4 // many ties
		}
		if trial%5 == 0 {
			a[0], a[n-1] = math.Inf(1), math.Inf(-1)
		}
		before := slices.Clone(a)
		r := must(classify.ScoreROC(y, a))(t)
		if !slices.Equal(a, before) {
			t.Fatal("the activations were reordered")
		}
		if want := pairs(y, a); math.Abs(r.AUC.Value-want) > 1e-14 {
			t.Errorf("AUC %v, by pairs %v", r.AUC.Value, want)
		}
		last := len(r.Threshold) - 1
		if r.TruePositive[0] != 0 || r.FalsePositive[0] != 0 || r.TruePositive[last] != 1 || r.FalsePositive[last] != 1 {
			t.Errorf("from (%v, %v) to (%v, %v)", r.FalsePositive[0], r.TruePositive[0], r.FalsePositive[last], r.TruePositive[last])
		}
		for i, c := range r.Threshold[1:] {
			var tp, fp, ones float64
			for j, v := range a {
				ones += y[j]
				if v >= c {
					tp += y[j]
					fp += 1 - y[j]
				}
			}
			if math.Abs(r.TruePositive[i+1]-tp/ones) > 1e-14 || math.Abs(r.FalsePositive[i+1]-fp/(float64(n)-ones)) > 1e-14 {
				t.Errorf("threshold %v: (%v, %v), counted (%v, %v)", c, r.FalsePositive[i+1], r.TruePositive[i+1], fp/(float64(n)-ones), tp/ones)
			}
		}
	}
	perfect := must(classify.ScoreROC([]float64{0, 0, 1}, []float64{-1, 0, 5}))(t)
	if perfect.AUC != (classify.Score{Value: 1}) {
		t.Errorf("perfect order: %+v", perfect.AUC)
	}
}

func TestScoreCalibration(t *testing.T) {
	p := []float64{0, 0.05, 0.15, 0.15, 0.99, 1}
	y := []float64{0, 1, 0, 1, 1, 1}
	c := must(classify.ScoreCalibration(y, p, 0))(t)
	n := 0
	for i, b := range c.Bins {
		n += b.N
		if math.Abs(b.Lo-float64(i)/10) > 1e-15 || math.Abs(b.Hi-float64(i+1)/10) > 1e-15 {
			t.Errorf("bin %d is [%v, %v)", i, b.Lo, b.Hi)
		}
		if b.N == 0 != math.IsNaN(b.Predicted) {
			t.Errorf("bin %d: %+v", i, b)
		}
	}
	if n != 6 || c.Bins[0].N != 2 || c.Bins[1].N != 2 || c.Bins[9].N != 2 {
		t.Errorf("bins %+v", c.Bins)
	}
	// By hand: (2·|0.5−0.025| + 2·|0.5−0.15| + 2·|1−0.995|)/6.
	if want := (2*0.475 + 2*0.35 + 2*0.005) / 6; math.Abs(c.Error-want) > 1e-15 {
		t.Errorf("calibration error %v, want %v", c.Error, want)
	}
}

var leastSquares = multi(classify.FitLeastSquares, classify.LeastSquaresOptions{})

// fitLogisticLabels fits a logistic model to labels 0 and 1.
func fitLogisticLabels(x mat.Matrix, labels []int) (classify.Predictor, error) {
	return classify.FitLogistic(x, targets(labels), classify.LogisticOptions{})
}

func TestEvaluateFolds(t *testing.T) {
	x, labels := clouds(103, 2, 2, 21)
	o := classify.EvaluateOptions{Folds: 5, Seed: 3, Stratified: true}
	e := must(classify.EvaluateFolds(x, labels, 2, fitLogisticLabels, o))(t)
	if rows := slices.Sorted(slices.Values(e.Rows)); len(rows) != 103 || rows[0] != 0 || rows[102] != 102 || len(slices.Compact(rows)) != 103 {
		t.Errorf("judged are %v", e.Rows)
	}
	if e.Confusion.N() != 103 || math.Abs(e.Confusion.Accuracy()-e.Accuracy.Value) > 1e-14 {
		t.Errorf("confusion of %d rows, accuracy %v and %v", e.Confusion.N(), e.Confusion.Accuracy(), e.Accuracy.Value)
	}
	// A naive twin: copy the rows of each fold's complement and fit.
	at := 0
	for f, fold := range e.Folds {
		out := e.Rows[at : at+fold.N]
		at += fold.N
		var keep []int
		share := 0
		for n := range labels {
			if !slices.Contains(out, n) {
				keep = append(keep, n)
			} else if labels[n] == 0 {
				share++
			}
		}
		if share < fold.N/2-1 || share > fold.N/2+1 {
			t.Errorf("fold %d has %d of %d rows of class 0", f, share, fold.N)
		}
		z, l := mat.NewDense(len(keep), 2, nil), make([]int, len(keep))
		for i, n := range keep {
			z.SetRow(i, x.RawRowView(n))
			l[i] = labels[n]
		}
		m := must(fitLogisticLabels(z, l))(t).(*classify.Logistic)
		for i, n := range out {
			p := must(m.Posterior(x.Slice(n, n+1, 0, 2)))(t)
			if j := at - fold.N + i; p.At(0, 0) != e.Posterior.At(j, 0) {
				t.Fatalf("row %d: %v, by a fit to copied rows %v", n, e.Posterior.At(j, 0), p.At(0, 0))
			}
		}
	}
	judged := make([]int, len(e.Rows))
	for i, n := range e.Rows {
		judged[i] = labels[n]
	}
	if l := must(classify.ScoreLogLoss(judged, e.Posterior))(t); l != e.LogLoss {
		t.Errorf("log loss %+v, of the posterior %+v", e.LogLoss, l)
	}
	if again := must(classify.EvaluateFolds(x, labels, 2, fitLogisticLabels, o))(t); !reflect.DeepEqual(e, again) {
		t.Error("the same seed gives another evaluation")
	}
	ls := must(classify.EvaluateFolds(x, labels, 2, func(x mat.Matrix, l []int) (classify.Predictor, error) { return leastSquares(x, l, 2) }, o))(t)
	if !math.IsNaN(ls.LogLoss.Value) || ls.Posterior != nil || math.IsNaN(ls.Accuracy.Value) {
		t.Errorf("least squares has the log loss %v", ls.LogLoss)
	}
}

func TestEvaluateHeldOut(t *testing.T) {
	x, labels := clouds(90, 2, 3, 2)
	for i := range 30 { // unequal shares: 40, 40 and 10 rows
		if i%3 != 0 {
			labels[3*i+2] = i % 3 % 2
		}
	}
	fit := func(x mat.Matrix, l []int) (classify.Predictor, error) { return leastSquares(x, l, 3) }
	e := must(classify.EvaluateHeldOut(x, labels, 3, fit, classify.EvaluateOptions{HeldOut: 0.3, Stratified: true, Seed: 5}))(t)
	counts := make([]int, 3)
	for _, n := range e.Rows {
		counts[labels[n]]++
	}
	if want := []int{12, 12, 3}; !slices.Equal(counts, want) {
		t.Errorf("held out %v, want %v", counts, want)
	}
	if e := must(classify.EvaluateHeldOut(x, labels, 3, fit, classify.EvaluateOptions{}))(t); len(e.Rows) != 23 || len(e.Folds) != 1 {
		t.Errorf("by default %d of 90 rows", len(e.Rows))
	}
}

func TestScoreErrors(t *testing.T) {
	x, labels := clouds(20, 2, 2, 2)
	half := mat.NewDense(2, 2, []float64{.5, .5, .5, .5})
	nan := math.NaN()
	folds := func(labels []int, k int, o classify.EvaluateOptions, fit func(mat.Matrix, []int) (classify.Predictor, error)) func() error {
		return func() error { _, err := classify.EvaluateFolds(x, labels, k, fit, o); return err }
	}
	held := func(o classify.EvaluateOptions) func() error {
		return func() error { _, err := classify.EvaluateHeldOut(x, labels, 2, fitLogisticLabels, o); return err }
	}
	rare := make([]int, 20)
	rare[7] = 1
	for name, c := range map[string]struct {
		call func() error
		want []string
	}{
		"no labels":     {func() error { _, err := classify.ScoreConfusion(nil, nil, 2); return err }, []string{"at least one row"}},
		"lengths":       {func() error { _, err := classify.ScoreConfusion([]int{0}, []int{0, 1}, 2); return err }, []string{"2 entries", "labels has 1"}},
		"k":             {func() error { _, err := classify.ScoreConfusion([]int{0}, []int{0}, 1); return err }, []string{"k is 1"}},
		"high label":    {func() error { _, err := classify.ScoreConfusion([]int{0}, []int{2}, 2); return err }, []string{"predicted[0] is 2"}},
		"negative":      {func() error { _, err := classify.ScoreAccuracy([]int{-1}, []int{0}); return err }, []string{"labels[0] is -1"}},
		"nil posterior": {func() error { _, err := classify.ScoreLogLoss([]int{0}, nil); return err }, []string{"posterior is nil"}},
		"rows":          {func() error { _, err := classify.ScoreBrier([]int{0}, half); return err }, []string{"1 entries", "2 rows"}},
		"no probability": {func() error {
			_, err := classify.ScoreBrier([]int{0, 1}, mat.NewDense(2, 2, []float64{.5, .5, nan, 1}))
			return err
		}, []string{"posterior(1,0)", "NaN"}},
		"sum": {func() error {
			_, err := classify.ScoreBrier([]int{0, 1}, mat.NewDense(2, 2, []float64{.5, .5, .5, .6}))
			return err
		}, []string{"row 1", "1.1"}},
		"class":        {func() error { _, err := classify.ScoreLogLoss([]int{0, 2}, half); return err }, []string{"labels[1] is 2"}},
		"one class":    {func() error { _, err := classify.ScoreROC([]float64{1, 1}, []float64{0, 1}); return err }, []string{"all 2 targets are 1"}},
		"soft target":  {func() error { _, err := classify.ScoreROC([]float64{1, .5}, []float64{0, 1}); return err }, []string{"t[1] is 0.5"}},
		"NaN score":    {func() error { _, err := classify.ScoreROC([]float64{1, 0}, []float64{0, nan}); return err }, []string{"a[1] is NaN"}},
		"p":            {func() error { _, err := classify.ScoreCalibration([]float64{1}, []float64{1.5}, 0); return err }, []string{"p[0] is 1.5"}},
		"bins":         {func() error { _, err := classify.ScoreCalibration([]float64{1}, []float64{1}, -1); return err }, []string{"bins is -1"}},
		"target":       {func() error { _, err := classify.ScoreCalibration([]float64{-1}, []float64{1}, 0); return err }, []string{"t[0] is -1"}},
		"folds":        {folds(labels, 2, classify.EvaluateOptions{Folds: 21}, fitLogisticLabels), []string{"21 folds", "20 rows"}},
		"one fold":     {folds(labels, 2, classify.EvaluateOptions{Folds: 1}, fitLogisticLabels), []string{"1 folds"}},
		"wrong option": {folds(labels, 2, classify.EvaluateOptions{HeldOut: .5}, fitLogisticLabels), []string{"HeldOut", "EvaluateHeldOut"}},
		"lost class":   {folds(rare, 2, classify.EvaluateOptions{Folds: 4}, fitLogisticLabels), []string{"fold", "single class"}},
		"fit's error": {folds(labels, 2, classify.EvaluateOptions{}, func(mat.Matrix, []int) (classify.Predictor, error) {
			return nil, errors.New("not today")
		}), []string{"fold 0", "not today"}},
		"no model":      {folds(labels, 2, classify.EvaluateOptions{}, func(mat.Matrix, []int) (classify.Predictor, error) { return nil, nil }), []string{"no model"}},
		"fraction":      {held(classify.EvaluateOptions{HeldOut: 1}), []string{"HeldOut 1"}},
		"NaN fraction":  {held(classify.EvaluateOptions{HeldOut: nan}), []string{"HeldOut NaN"}},
		"tiny fraction": {held(classify.EvaluateOptions{HeldOut: 0.01}), []string{"keeps 0 out"}},
		"folds there":   {held(classify.EvaluateOptions{Folds: 3}), []string{"Folds", "EvaluateFolds"}},
	} {
		t.Run(name, func(t *testing.T) { mentions(t, c.call(), c.want...) })
	}
}

func TestLogisticNumbers(t *testing.T) {
	x, labels := clouds(200, 3, 2, 17)
	y := targets(labels)
	m := must(classify.FitLogistic(x, y, classify.LogisticOptions{}))(t)
	if m.DegreesOfFreedom() != 4 {
		t.Errorf("%d degrees of freedom", m.DegreesOfFreedom())
	}
	if e := must(m.EffectiveDegreesOfFreedom(x))(t); math.Abs(e-4) > 1e-10 {
		t.Errorf("without a prior %v effective ones, want 4", e)
	}
	last := 4.0
	for _, alpha := range []float64{1, 10, 100, 1e6} {
		p := must(classify.FitLogistic(x, y, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: alpha}}))(t)
		// An identity: tr(S·H) = M − α·tr(S), because S⁻¹ = H + αI.
		e, want := must(p.EffectiveDegreesOfFreedom(x))(t), 4-alpha*mat.Trace(p.Covariance)
		if math.Abs(e-want) > 1e-9 || e >= last {
			t.Errorf("α = %v: %v, want %v and less than %v", alpha, e, want, last)
		}
		last = e
		_, _, _, err := p.LikelihoodRatio()
		mentions(t, err, "prior")
	}
	s, df, pv, err := m.LikelihoodRatio()
	if err != nil || df != 3 || math.Abs(s-2*(m.LogLikelihood-m.NullLogLikelihood)) > 1e-12 || !(pv >= 0 && pv < 1e-3) {
		t.Errorf("statistic %v, df %d, p %v (%v)", s, df, pv, err)
	}
	noise := mat.NewDense(200, 1, nil) // a column that says nothing: 1, −1, 1, −1 in pairs of rows of both classes
	for i := range 200 {
		noise.Set(i, 0, float64(1-2*(i/2%2)))
	}
	if _, _, pv, err := must(classify.FitLogistic(noise, y, classify.LogisticOptions{}))(t).LikelihoodRatio(); err != nil || pv < 0.999 {
		t.Errorf("a column without information: p = %v (%v)", pv, err)
	}
	lo, hi, err := m.Intervals(0.95)
	if err != nil {
		t.Fatal(err)
	}
	se := must(m.StandardErrors())(t)
	for i, w := range m.W {
		// 1.959963984540054: the 0.975 quantile of the normal distribution.
		if math.Abs(hi[i]-w-1.959963984540054*se[i]) > 1e-12 || math.Abs(w-lo[i]-(hi[i]-w)) > 1e-12 {
			t.Errorf("weight %d: [%v, %v] around %v ± %v", i, lo[i], hi[i], w, se[i])
		}
	}
	_, _, err = m.Intervals(95)
	mentions(t, err, "level is 95")
	if _, err := m.EffectiveDegreesOfFreedom(x.Slice(0, 9, 0, 3)); err == nil || !strings.Contains(err.Error(), fmt.Sprint(200)) {
		t.Errorf("other rows than the fit's: %v", err)
	}
}
