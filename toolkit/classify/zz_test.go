package classify_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestZZ(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{-2, -1, 1, 2})
	y := []float64{0, 0, 1, 1}
	for _, a := range []float64{1e-10, 1e-16, 1e-18, 1e-25} {
		p := classify.Isotropic{Alpha: a}
		m, err := classify.FitLogistic(x, y, classify.LogisticOptions{Prior: p})
		fmt.Println(a, m.W, m.Converged, m.Reason, err)
		for _, s := range []classify.Solver{classify.LBFGS{}, classify.GradientDescent{}, classify.CoordinateAscent{}, classify.Sequential{Corrected: true}} {
			m, err := classify.FitLogistic(x, y, classify.LogisticOptions{Prior: p, Solver: s})
			fmt.Println(a, m.W, m.Converged, m.Reason, err)
		}
		pr, err := classify.FitProbit(x, y, classify.ProbitOptions{Prior: p})
		fmt.Println(a, pr.W, pr.Converged, pr.Reason, err)
		sm, err := classify.FitSoftmax(x, []int{1, 1, 0, 0}, 2, classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 2 * a}})
		fmt.Println(a, sm.W.At(1, 0)*2, sm.Converged, sm.Reason, err)
	}
	for _, v := range []float64{1e8, 1e13, 1e20, 9.97e36} {
		x = mat.NewDense(5, 1, []float64{-1, 1, -2, 3, v})
		y = []float64{0, 1, 1, 1, 1}
		for _, p := range []classify.Prior{classify.Isotropic{Alpha: .1}, nil} {
			m, err := classify.FitLogistic(x, y, classify.LogisticOptions{Prior: p})
			fmt.Println(v, m.W, m.Converged, m.Iterations, m.Reason, err)
			m, err = classify.FitLogistic(x, y, classify.LogisticOptions{Prior: p, Solver: classify.LBFGS{}})
			fmt.Println(v, m.W, m.Converged, m.Iterations, m.Reason, err)
			pr, err := classify.FitProbit(x, y, classify.ProbitOptions{Prior: p})
			fmt.Println("probit", v, pr.W, pr.Converged, pr.Iterations, pr.Reason, err)
			if p != nil {
				p = classify.Isotropic{Alpha: .2}
			}
			sm, err := classify.FitSoftmax(x, []int{1, 0, 0, 0, 0}, 2, classify.SoftmaxOptions{Prior: p})
			fmt.Println("softmax", v, sm.W.At(0, 0)*2, sm.W.At(1, 0)*2, sm.Converged, sm.Iterations, sm.Reason, err)
		}
	}
}
