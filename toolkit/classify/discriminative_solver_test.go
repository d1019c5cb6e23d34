package classify_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestDiscriminativeSolvers: every solver that uses all rows reaches the optimum
// of every model, with its covariance where the model has one.
func TestDiscriminativeSolvers(t *testing.T) {
	x, labels := clouds(90, 3, 3, 5)
	target := targets(labels)
	counts := make([]float64, len(labels))
	for i, l := range labels {
		counts[i] = float64(l)
	}
	for _, s := range []classify.Solver{classify.LBFGS{}, classify.GradientDescent{}, classify.CoordinateAscent{}} {
		for _, m := range []struct {
			name string
			fit  func(classify.Solver) (e float64, converged bool, reason string, err error)
		}{
			{"softmax", func(s classify.Solver) (float64, bool, string, error) {
				m, err := classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Solver: s})
				if err != nil {
					return 0, false, "", err
				}
				return m.E, m.Converged && m.Covariance != nil, m.Reason, nil
			}},
			{"softmax, free bias", func(s classify.Solver) (float64, bool, string, error) {
				m, err := classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Solver: s, Prior: classify.Isotropic{Alpha: 1, FreeBias: true}})
				if err != nil {
					return 0, false, "", err
				}
				return m.E, m.Converged && m.Covariance != nil, m.Reason, nil
			}},
			{"probit", func(s classify.Solver) (float64, bool, string, error) {
				m, err := classify.FitProbit(x, target, classify.ProbitOptions{Solver: s})
				if err != nil {
					return 0, false, "", err
				}
				return m.E, m.Converged && m.Covariance != nil, m.Reason, nil
			}},
			{"Poisson", func(s classify.Solver) (float64, bool, string, error) {
				m, err := classify.FitGLM(x, counts, classify.PoissonTarget{}, classify.GLMOptions{Solver: s})
				if err != nil {
					return 0, false, "", err
				}
				return m.E, m.Converged && m.Covariance != nil, m.Reason, nil
			}},
			{"label flip", func(s classify.Solver) (float64, bool, string, error) {
				m, err := classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Epsilon: 0.05, Solver: s})
				if err != nil {
					return 0, false, "", err
				}
				return m.E, m.Converged && m.Covariance != nil, m.Reason, nil
			}},
			{"squared sigmoid", func(s classify.Solver) (float64, bool, string, error) {
				m, err := classify.FitSigmoidSquares(x, labels, 3, classify.SigmoidOptions{Solver: s})
				if err != nil {
					return 0, false, "", err
				}
				return m.SumSquare, m.Outputs[0].Converged, m.Outputs[0].Reason, nil
			}},
			{"quadratic", func(s classify.Solver) (float64, bool, string, error) {
				m, err := classify.FitQuadraticLogistic(x, labels, 3, classify.QuadraticOptions{Lambda: 1, Solver: s})
				if err != nil {
					return 0, false, "", err
				}
				return m.E, m.Converged, m.Reason, nil
			}},
		} {
			t.Run(fmt.Sprintf("%s %T", m.name, s), func(t *testing.T) {
				want, _, _, err := m.fit(nil)
				if err != nil {
					t.Fatal(err)
				}
				e, converged, reason, err := m.fit(s)
				if err != nil {
					t.Fatal(err)
				}
				if !converged || math.Abs(e-want) > 1e-10*want {
					t.Errorf("E = %v, Newton has %v: %s", e, want, reason)
				}
			})
		}
	}
}
