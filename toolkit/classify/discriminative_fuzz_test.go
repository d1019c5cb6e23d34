package classify_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// FuzzFitDiscriminative: no panic, no NaN without an error, and an honest report,
// whatever the data.
func FuzzFitDiscriminative(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 1, 1, 2, 3, 0, 4, 5, 1}, 2, 0.0, byte(0))
	f.Add([]byte{0, 0, 1, 1, 2, 2, 3, 1, 4, 0, 5, 1, 6, 2}, 1, 1.0, byte(1))
	f.Add([]byte{8, 0, 9, 1, 10, 0, 11, 1, 12, 0, 0, 1}, 1, 0.0, byte(2))
	f.Add([]byte{8, 0, 9, 1, 10, 2, 11, 1, 12, 0, 0, 1, 1, 5}, 1, 0.1, byte(3))
	f.Add([]byte{1, 0, 2, 1, 3, 2, 4, 1, 5, 0, 6, 1, 7, 4}, 1, 0.0, byte(4))
	f.Add([]byte{1, 2, 0, 2, 3, 1, 3, 4, 2, 4, 5, 1, 5, 6, 0}, 2, 0.0, byte(5))
	f.Add([]byte("18+00001110"), 4, 0.0, byte('(')) // columns of size 1e150 and 1, fewer rows than columns
	f.Fuzz(func(t *testing.T, b []byte, d int, alpha float64, kind byte) {
		if d < 1 || d > 4 || len(b) < d+1 || len(b) > 200 {
			return
		}
		x, labels, target := fuzzData(b, d)
		var prior classify.Prior
		if alpha != 0 {
			prior = classify.Isotropic{Alpha: alpha, FreeBias: len(b)%2 == 0}
		}
		estimate := func(m classify.Estimate, err error) {
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
			honest(t, m.Converged, m.Separable, m.Reason)
		}
		switch kind % 6 {
		case 0:
			m, err := classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Prior: prior})
			if err != nil {
				return
			}
			finite(t, "W", flat(m.W)...)
			finite(t, "numbers", m.E, m.LogLikelihood, m.NullLogLikelihood)
			finite(t, "Hessian", flat(m.Hessian)...)
			if m.Covariance != nil {
				finite(t, "covariance", flat(m.Covariance)...)
			}
			if m.Direction != nil {
				finite(t, "direction", flat(m.Direction)...)
			}
			honest(t, m.Converged, m.Separable, m.Reason)
		case 1:
			m, err := classify.FitProbit(x, target, classify.ProbitOptions{Prior: prior})
			if err == nil {
				estimate(m.Estimate, nil)
			}
		case 2:
			m, err := classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Prior: prior, Epsilon: 0.1, Estimate: len(b)%3 == 0})
			if err == nil {
				estimate(m.Estimate, nil)
				finite(t, "ε", m.Epsilon)
			}
		case 3:
			m, err := classify.FitSigmoidSquares(x, labels, 3, classify.SigmoidOptions{Prior: prior})
			if err != nil {
				return
			}
			finite(t, "W", flat(m.W)...)
			for _, o := range m.Outputs {
				finite(t, "numbers", o.E)
				finite(t, "Hessian", flat(o.Hessian)...)
				finite(t, "direction", o.Direction...)
				honest(t, o.Converged, o.Separable, o.Reason)
			}
		case 4:
			for i := range target {
				target[i] += float64(labels[i]) // 0.25 … 3
			}
			for _, family := range []classify.TargetFamily{classify.PoissonTarget{}, classify.GaussianTarget{}, classify.GammaTarget{}} {
				m, err := classify.FitGLM(x, target, family, classify.GLMOptions{Prior: prior})
				if err == nil {
					estimate(m.Estimate, nil)
				}
			}
		case 5:
			o := classify.QuadraticOptions{Lambda: alpha, Rank: len(b) % 3}
			m, err := classify.FitQuadraticLogistic(x, labels, 3, o)
			if err != nil {
				return
			}
			finite(t, "linear", flat(m.Linear)...)
			finite(t, "numbers", append([]float64{m.E, m.LogLikelihood}, m.Bias...)...)
			for _, q := range m.Quadratic {
				finite(t, "quadratic", flat(q)...)
			}
			honest(t, m.Converged, m.Separable, m.Reason)
		}
	})
}

func honest(t *testing.T, converged, separable bool, reason string) {
	t.Helper()
	if converged && separable || reason == "" {
		t.Errorf("Converged %v, Separable %v, reason %q", converged, separable, reason)
	}
}

// FuzzLoadDiscriminative: whatever loads can be saved, loaded again and asked.
func FuzzLoadDiscriminative(f *testing.F) {
	x, labels := clouds(20, 2, 2, 1)
	for _, e := range models {
		if m, err := e.fit(x, labels, 2); err == nil && e.k == 2 {
			b, err := json.Marshal(m)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b)
		}
	}
	glm, err := classify.FitGLM(x, targets(labels), classify.PoissonTarget{}, classify.GLMOptions{})
	if err != nil {
		f.Fatal(err)
	}
	b, err := json.Marshal(glm)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, m := range []interface {
			Activity
			json.Marshaler
			json.Unmarshaler
		}{new(classify.Softmax), new(classify.Probit), new(classify.LabelFlip), new(classify.SigmoidSquares), new(classify.QuadraticLogistic)} {
			if json.Unmarshal(b, m) != nil {
				continue
			}
			again := must(m.MarshalJSON())(t)
			if err := json.Unmarshal(again, m); err != nil {
				t.Errorf("%s loads, but its copy %s does not: %v", b, again, err)
			}
			if _, err := m.Scores(mat.NewDense(1, 1, []float64{1})); err != nil && !strings.HasPrefix(err.Error(), "classify: ") {
				t.Errorf("error %q has no prefix", err)
			}
		}
		m := new(classify.GLM)
		if json.Unmarshal(b, m) == nil {
			if _, err := m.Mean(mat.NewDense(1, 1, []float64{1})); err != nil && !strings.HasPrefix(err.Error(), "classify: ") {
				t.Errorf("error %q has no prefix", err)
			}
		}
	})
}

// Activity is what every discriminative classifier answers.
type Activity interface {
	classify.Predictor
	classify.Scorer
}
