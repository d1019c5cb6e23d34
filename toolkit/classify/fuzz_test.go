package classify_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestRoundTripInf: numbers that JSON has no form for come back, bit by bit.
func TestRoundTripInf(t *testing.T) {
	inf, negZero := math.Inf(1), math.Copysign(0, -1)
	m := &classify.Logistic{Estimate: classify.Estimate{
		W: []float64{inf, -inf, negZero, 5e-324, math.MaxFloat64}, E: -inf, LogLikelihood: inf,
		Direction: []float64{1, 0, 0, negZero, 0.1 + 0.2},
		Trace:     classify.Trace{{W: []float64{inf, 0, 0, 0, -inf}, E: inf, GradNorm: inf, Misclassified: 3}},
	}}
	back := new(classify.Logistic)
	if err := json.Unmarshal(must(json.Marshal(m))(t), back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(m, back) || !math.Signbit(back.W[2]) || !math.Signbit(back.Direction[3]) {
		t.Errorf("%+v came back as %+v", m, back)
	}
	ls := &classify.LeastSquares{W: mat.NewDense(2, 2, []float64{inf, -inf, negZero, 1}), SumSquare: inf}
	lsBack := new(classify.LeastSquares)
	if err := json.Unmarshal(must(json.Marshal(ls))(t), lsBack); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(ls, lsBack) {
		t.Errorf("%+v came back as %+v", ls, lsBack)
	}
	nan := &classify.Logistic{Estimate: classify.Estimate{W: []float64{math.NaN(), 1}}}
	if err := json.Unmarshal(must(json.Marshal(nan))(t), back); err != nil || !math.IsNaN(back.W[0]) {
		t.Errorf("NaN came back as %v, %v", back.W, err)
	}
}

func TestLoadErrors(t *testing.T) {
	const head = `{"schema":"hyperplane-logistic/1",`
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"other kind", `{"schema":"hyperplane-least-squares/1"}`, []string{"hyperplane-least-squares/1", "another kind"}},
		{"no schema", `{"w":[1,2]}`, []string{`""`}},
		{"no weights", head + `"w":[]}`, []string{"0 weights"}},
		{"no number", head + `"w":[1,"two"]}`, []string{`"two"`}},
		{"null", head + `"w":[1,null]}`, []string{"null"}},
		{"unknown field", head + `"w":[1,2],"weights":[1]}`, []string{"weights"}},
		{"direction", head + `"w":[1,2],"direction":[1]}`, []string{"direction", "1 entries", "2"}},
		{"trace", head + `"w":[1,2],"trace":[{"w":[1]}]}`, []string{"step 0", "1 weights"}},
		{"hessian size", head + `"w":[1,2],"hessian":{"rows":3,"cols":3,"data":[1,2,3,4,5,6,7,8,9]}}`, []string{"hessian", "3×3", "2×2"}},
		{"hessian data", head + `"w":[1,2],"covariance":{"rows":2,"cols":2,"data":[1,2,3]}}`, []string{"covariance", "3 numbers"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &classify.Logistic{Estimate: classify.Estimate{W: []float64{4, 5}}}
			mentions(t, json.Unmarshal([]byte(c.text), m), c.want...)
			if len(m.W) != 2 || m.W[0] != 4 {
				t.Errorf("the model was changed to %+v", m)
			}
		})
	}
	var ls classify.LeastSquares
	mentions(t, json.Unmarshal([]byte(`{"schema":"hyperplane-least-squares/1"}`), &ls), "w is missing")
	mentions(t, json.Unmarshal([]byte(`{"schema":"hyperplane-least-squares/1","w":{"rows":-1,"cols":-1,"data":[1]}}`), &ls), "-1×-1")
	// A model that was never fitted or loaded answers with an error.
	_, err := new(classify.Logistic).Predict(mat.NewDense(1, 1, nil))
	mentions(t, err, "no weights", "Fit function")
	_, err = new(classify.LeastSquares).Predict(mat.NewDense(1, 1, nil))
	mentions(t, err, "no weights", "FitLeastSquares")
}

func FuzzLoad(f *testing.F) {
	x, labels := clouds(20, 2, 2, 1)
	for _, e := range models {
		m, err := e.fit(x, labels, e.k)
		if err != nil {
			continue // three classes asked for, two in these data
		}
		b, err := json.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"schema":"hyperplane-logistic/1","w":[1,"Infinity"],"trace":[{"w":[1,2]}]}`))
	f.Add([]byte(`{"schema":"hyperplane-least-squares/1","w":{"rows":9223372036854775807,"cols":2,"data":[1]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, m := range []classify.Predictor{new(classify.Logistic), new(classify.LeastSquares)} {
			if json.Unmarshal(b, m) != nil {
				continue
			}
			again := must(json.Marshal(m))(t)
			if err := json.Unmarshal(again, m); err != nil {
				t.Errorf("%s loads, but its copy %s does not: %v", b, again, err)
			}
			if _, err := m.Predict(mat.NewDense(1, 1, []float64{1})); err != nil && !strings.HasPrefix(err.Error(), "classify: ") {
				t.Errorf("error %q has no prefix", err)
			}
		}
	})
}

// fuzzData makes rows, labels and targets from bytes: seven numbers per scale,
// ordinary and extreme, so that ties, constants and separations are frequent.
func fuzzData(b []byte, d int) (x *mat.Dense, labels []int, t []float64) {
	n := len(b) / (d + 1)
	x = mat.NewDense(n, d, nil)
	values := []float64{0, 1, -1, 2, 0.5, -3, 1e-3, 1e3, 1e150, -1e150, 1e-150, 1e8, 1e8 + 1, math.NaN(), math.Inf(1), 7}
	for i := range n {
		row := b[i*(d+1) : (i+1)*(d+1)]
		for j := range d {
			x.Set(i, j, values[row[j]%16])
		}
		labels = append(labels, int(row[d]%3))
		t = append(t, []float64{0, 1, 0, 1, 0.5, 0.25}[row[d]%6])
	}
	return x, labels, t
}

// FuzzFit: no panic, and no NaN without an error, whatever the data.
func FuzzFit(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 1, 1, 2, 3, 0, 4, 5, 1}, 2, 0.0)
	f.Add([]byte{0, 0, 1, 1, 2, 0, 3, 1, 4, 0, 5, 1, 6, 0}, 1, 1.0)
	f.Add([]byte{8, 0, 9, 1, 10, 0, 11, 1, 12, 0, 0, 1}, 1, 0.0)
	f.Add([]byte{13, 0, 14, 1}, 1, 0.5)
	f.Fuzz(func(t *testing.T, b []byte, d int, alpha float64) {
		if d < 1 || d > 6 || len(b) < d+1 || len(b) > 400 {
			return
		}
		x, labels, target := fuzzData(b, d)
		if m, err := classify.FitLeastSquares(x, labels, 3, classify.LeastSquaresOptions{}); err == nil {
			finite(t, "W", flat(m.W)...)
			finite(t, "SumSquare", m.SumSquare)
		}
		o := classify.LogisticOptions{}
		if alpha != 0 {
			o.Prior = classify.Isotropic{Alpha: alpha, FreeBias: len(b)%2 == 0}
		}
		m, err := classify.FitLogistic(x, target, o)
		if err != nil {
			return
		}
		finite(t, "w", m.W...)
		finite(t, "direction", m.Direction...)
		finite(t, "numbers", m.E, m.LogLikelihood, m.NullLogLikelihood)
		finite(t, "Hessian", flat(m.Hessian)...)
		if m.Covariance != nil {
			finite(t, "covariance", flat(m.Covariance)...)
		}
		if m.Converged == m.Separable && m.Converged {
			t.Errorf("both converged and separable: %s", m.Reason)
		}
		if m.Reason == "" || len(m.Trace) != m.Iterations+1 {
			t.Errorf("reason %q, %d steps, %d iterations", m.Reason, len(m.Trace), m.Iterations)
		}
	})
}

func finite(t *testing.T, name string, v ...float64) {
	t.Helper()
	for _, a := range v {
		if math.IsNaN(a) || math.IsInf(a, 0) {
			t.Errorf("%s: %v", name, v)
			return
		}
	}
}
