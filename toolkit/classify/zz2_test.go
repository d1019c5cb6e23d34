package classify_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestYY(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{-3e150, -2e150, 1e150, 2e150})
	y := []float64{0, 0, 1, 1}
	m, _ := classify.FitLogistic(x, y, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: .5}})
	for i, s := range m.Trace {
		if i%5 == 0 || i < 30 {
			fmt.Println(i, s.W[0], s.W[1]*1e150, s.E, s.GradNorm)
		}
	}
	fmt.Println(m.Reason)
}
