package classify_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestLoadErrors: a file that contradicts itself is an error that says where, and the
// model to load into stays as it was.
func TestLoadErrors(t *testing.T) {
	saved := string(must(json.Marshal(&classify.Logistic{Estimate: classify.Estimate{W: []float64{1, 2}}}))(t))
	const (
		columns = `"basis":{"kind":"columns","inputs":1,"index":[0]},`
		chain   = `"mean":[1,2],"chains":[{"rows":4,"cols":2,"data":[1,2,3,4,5,6,7,8]}],"log_posterior":[[1,2,3,4]],"acceptance":[1],"step_size":[1],"r_hat":[1,1],"ess":[1,1],"mc_error":[1,1]`
		unit    = `"covariance":{"rows":2,"cols":2,"data":[1,0,0,1]}`
		four    = `"w":{"rows":2,"cols":2,"data":[1,2,3,4]},`
	)
	for _, kind := range []struct {
		schema string
		model  any        // what to load into
		cases  [][]string // the text after the schema and the words of the error
	}{
		{"logistic", &classify.Logistic{Estimate: classify.Estimate{W: []float64{4, 5}}}, [][]string{
			{`"w":[]`, "0 weights"},
			{`"w":[1,"two"]`, `"two"`},
			{`"w":[1,null]`, "null"},
			{`"w":[1,2],"weights":[1]`, "weights"},
			{`"w":[1,2],"direction":[1]`, "direction", "1 entries", "2"},
			{`"w":[1,2],"trace":[{"w":[1]}]`, "step 0", "1 weights"},
			{`"w":[1,2],"hessian":{"rows":3,"cols":3,"data":[1,2,3,4,5,6,7,8,9]}`, "hessian", "3×3", "2×2"},
			{`"w":[1,2],"covariance":{"rows":2,"cols":2,"data":[1,2,3]}`, "covariance", "3 numbers"},
		}},
		{"least-squares", &classify.Logistic{Estimate: classify.Estimate{W: []float64{4, 5}}}, [][]string{{`"w":[1,2]`, "hyperplane-least-squares/1", "another kind"}}},
		{"", new(classify.Logistic), [][]string{{`"w":[1,2]`, `""`}}},
		{"least-squares", new(classify.LeastSquares), [][]string{
			{`"e":1`, "w is missing"},
			{`"w":{"rows":-1,"cols":-1,"data":[1]}`, "-1×-1"},
		}},
		{"on-basis", new(classify.OnBasis[*classify.Logistic]), [][]string{
			{`"model":` + saved, "basis is missing"},
			{`"basis":{"kind":"columns","inputs":1,"index":[0]}`, "model is missing"},
			{`"basis":{"kind":"wavelet"},"model":` + saved, "wavelet"},
			{`"basis":{"kind":"gaussian","centres":[[1]],"widths":[0]},"model":` + saved, "Widths[0]"},
			{`"basis":{"kind":"columns","inputs":1,"index":[1]},"model":` + saved, "column 1"},
			{`"basis":{"kind":"chain","parts":[null]},"model":` + saved, "part 0", "nil"},
			{columns + `"model":{"schema":"x/1"}`, "x/1"},
		}},
		{"bayes-logistic", new(classify.BayesLogistic), [][]string{
			{`"w":[1]`, "1 weights"},
			{`"w":[1,2],"prior_mean":[1]`, "prior_mean has 1"},
			{`"w":[1,2],"method":3`, "method is 3"},
			{`"w":[1,2],"covariance":{"rows":1,"cols":1,"data":[1]}`, "covariance is 1×1"},
			{`"w":[1,2],"root":{"rows":1,"cols":2,"data":[1,2]}`, "root is 1×2, needed is 2×2"},
		}},
		{"bayes-softmax", new(classify.BayesSoftmax), [][]string{
			{`"draws":2`, "w is missing"},
			{`"w":{"rows":1,"cols":2,"data":[1,2]},"draws":2`, "w is 1×2"},
			{four + `"draws":3`, "draws is 3"},
			{four + `"draws":2,"root":{"rows":2,"cols":1,"data":[1,2]}`, "root is 2×1, needed is 4×1"},
		}},
		{"logistic-sample", new(classify.VariationalLogistic), [][]string{{`"mean":[1,2]`, "another kind"}}},
		{"variational-logistic", new(classify.VariationalLogistic), [][]string{
			{`"mean":[1]`, "1 weights"},
			{`"mean":[1,2],"n":3,"xi":[1]`, "xi has 1", "3"},
			{`"mean":[1,2],"method":7`, "method is 7"},
			{`"mean":[1,2],` + unit, "root is missing"},
			{`"mean":[1,2],"root":{"rows":1,"cols":1,"data":[1]},` + unit, "root is 1×1, needed is 2×1"},
			{`"mean":[1,2],"root":{"rows":2,"cols":1,"data":[1,2]},` + unit + `,"trace":[{"mean":[1]}]`, "step 0"},
		}},
		{"logistic-sample", new(classify.LogisticSample), [][]string{
			{`"mean":[1,2]`, "chains are missing"},
			{chain, "covariance is missing"},
			{chain + `,"method":2`, "method is 2"},
			{strings.Replace(chain, `[[1,2,3,4]]`, `[[1,2]]`, 1), "log_posterior 0 has 2 entries", "needed are 4"},
			{strings.Replace(chain, `"ess":[1,1]`, `"ess":[1]`, 1), "ess has 1 entries", "needed are 2"},
		}},
	} {
		head := `{"schema":"hyperplane-` + kind.schema + `/1",`
		if kind.schema == "" {
			head = "{"
		}
		before := fmt.Sprintf("%+v", kind.model)
		for _, c := range kind.cases {
			t.Run(kind.schema+" "+c[0], func(t *testing.T) {
				mentions(t, json.Unmarshal([]byte(head+c[0]+"}"), kind.model), c[1:]...)
				if after := fmt.Sprintf("%+v", kind.model); after != before {
					t.Errorf("the model was changed from %s to %s", before, after)
				}
			})
		}
	}
	_, err := new(classify.LogisticSample).Draws()
	mentions(t, err, "no weights", "SampleLogistic")
}

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
	bayes := &classify.BayesLogistic{W: []float64{1, 2}, Evidence: classify.Evidence{LogLikelihood: math.Inf(-1), LogDet: math.NaN(), LogPrior: -0.1, M: 3, N: 4, Flat: 1}}
	loaded := new(classify.BayesLogistic)
	if err := json.Unmarshal(must(json.Marshal(bayes))(t), loaded); err != nil || !math.IsNaN(loaded.Evidence.LogDet) || loaded.Evidence.LogPrior != -0.1 || loaded.Evidence.Flat != 1 {
		t.Errorf("%+v, %v", loaded, err)
	}
}
