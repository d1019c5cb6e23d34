package classify_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// FuzzLinear: no panic, no NaN without an error, and certificates that hold,
// whatever the data.
func FuzzLinear(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 1, 1, 2, 3, 0, 4, 5, 1}, 2, 0.0)
	f.Add([]byte{0, 0, 1, 1, 2, 0, 3, 1, 4, 0, 5, 1, 6, 0}, 1, 1.0)
	f.Add([]byte{8, 0, 9, 1, 10, 0, 11, 1, 12, 0, 0, 1}, 1, 0.0)
	f.Add([]byte{11, 1, 12, 0, 11, 0, 12, 1}, 1, 1e-300)
	f.Fuzz(func(t *testing.T, b []byte, d int, v float64) {
		if d < 1 || d > 6 || len(b) < d+1 || len(b) > 400 {
			return
		}
		x, labels, target := fuzzData(b, d)
		for i := range target {
			if v < 1 && target[i] != 1 {
				target[i] = 0
			}
		}
		if s, err := classify.Separable(x, target); err == nil {
			if err := s.Verify(x, target); err != nil {
				t.Error(err)
			}
			finite(t, "certificate", append(append(s.W, s.Common...), s.Margin, s.Gap)...)
		}
		p, err := classify.FitPerceptron(x, target, classify.PerceptronOptions{MaxPasses: 20, Rate: v, Pocket: len(b)%2 == 0, Shuffle: len(b)%3 == 0})
		if err == nil {
			finite(t, "perceptron", p.W...)
			if p.Converged && p.Misclassified != 0 {
				t.Errorf("converged with %d rows wrong", p.Misclassified)
			}
		}
		if a, err := classify.FitAdaline(x, target, classify.AdalineOptions{MaxPasses: 20, Rate: v}); err == nil {
			finite(t, "adaline", append(a.W, a.E, a.Excess, a.LeastE)...)
		}
		o := classify.LeastSquaresOptions{Ridge: v, FreeBias: len(b)%2 == 0, Coding: classify.Coding(len(b) % 3)}
		if m, err := classify.FitLeastSquares(x, labels, 3, o); err == nil {
			finite(t, "least squares", append(flat(m.W), m.E, m.SumSquare)...)
		}
		if h, err := classify.HyperplaneThrough(x); err == nil {
			finite(t, "plane", h.Weights()...)
		}
		if m, err := classify.NewLinearMachine(x); err == nil {
			_, k := x.Dims()
			for c := range k {
				if p, ok, err := m.Interior(c); err == nil && ok {
					finite(t, "interior", p...)
				}
			}
		}
		fit := func(x mat.Matrix, t []float64) (classify.Scorer, error) {
			return classify.FitLeastSquares(x, sidesOf(t), 2, classify.LeastSquaresOptions{})
		}
		if m, err := classify.FitOneVersusOne(x, labels, 3, fit, classify.OneVersusOneOptions{Rule: classify.DuelRule(len(b) % 3)}); err == nil {
			if class, err := m.Predict(x); err == nil {
				for _, c := range class {
					if c < 0 || c > 2 {
						t.Errorf("class %d", c)
					}
				}
			}
		}
	})
}

// FuzzLoadLinear: what loads can be saved and loaded again, and answers with an
// error rather than a panic.
func FuzzLoadLinear(f *testing.F) {
	for _, e := range models {
		x, labels := clouds(20, 2, e.k, 1)
		m, err := e.fit(x, labels, e.k)
		if err != nil {
			continue // a model that needs more rows
		}
		b, err := json.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"schema":"hyperplane-one-versus-rest/1","k":2,"machines":[null,null]}`))
	f.Add([]byte(`{"schema":"hyperplane-plane/1","w0":"Infinity","w":["NaN"]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, m := range []classify.Predictor{
			new(classify.Perceptron), new(classify.Adaline), new(classify.Hyperplane), new(classify.LinearMachine),
			new(classify.OneVersusRest), new(classify.OneVersusOne),
		} {
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
