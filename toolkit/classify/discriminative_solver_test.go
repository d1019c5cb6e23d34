package classify_test

import (
	"fmt"
	"math"
	"reflect"
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
	for _, m := range []struct {
		name       string
		covariance bool
		fit        func(classify.Solver) (any, error)
	}{
		{"softmax", true, func(s classify.Solver) (any, error) {
			return classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Solver: s})
		}},
		{"softmax, free bias", true, func(s classify.Solver) (any, error) {
			return classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Solver: s, Prior: classify.Isotropic{Alpha: 1, FreeBias: true}})
		}},
		{"probit", true, func(s classify.Solver) (any, error) {
			return classify.FitProbit(x, target, classify.ProbitOptions{Solver: s})
		}},
		{"Poisson", true, func(s classify.Solver) (any, error) {
			return classify.FitGLM(x, counts, classify.PoissonTarget{}, classify.GLMOptions{Solver: s})
		}},
		{"label flip", true, func(s classify.Solver) (any, error) {
			return classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Epsilon: 0.05, Solver: s})
		}},
		{"squared sigmoid", false, func(s classify.Solver) (any, error) {
			return classify.FitSigmoidSquares(x, labels, 3, classify.SigmoidSquaresOptions{Solver: s})
		}},
		{"quadratic", false, func(s classify.Solver) (any, error) {
			return classify.FitQuadraticLogistic(x, labels, 3, classify.QuadraticLogisticOptions{Lambda: 1, Solver: s})
		}},
	} {
		minimum := func(m any) float64 {
			v := reflect.ValueOf(m).Elem()
			if e := v.FieldByName("SumSquare"); e.IsValid() {
				return e.Float()
			}
			return v.FieldByName("E").Float()
		}
		want := minimum(must(m.fit(nil))(t))
		for _, s := range []classify.Solver{classify.LBFGS{}, classify.GradientDescent{}, classify.CoordinateAscent{}} {
			t.Run(fmt.Sprintf("%s %T", m.name, s), func(t *testing.T) {
				got := must(m.fit(s))(t)
				if e := minimum(got); !hasConverged(got) || math.Abs(e-want) > 1e-10*want {
					t.Errorf("E = %v, Newton has %v: %+v", e, want, got)
				}
				if m.covariance && reflect.ValueOf(got).Elem().FieldByName("Covariance").IsNil() {
					t.Error("no covariance")
				}
			})
		}
	}
}
