package classify_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestYY(t *testing.T) {
	for _, v := range [][]float64{{-3, -2, -1e-12, 1e-12, 2, 3}, {-3, -2, -1e-6, 1e-6, 2, 3}, {-3, -2, -1, 1, 2, 3}, {-3, -2, 1, math.Nextafter(1, 2), 2, 3}, {-3, -2, 0, 0, 2, 3}} {
		x := mat.NewDense(6, 1, v)
		y := []float64{0, 0, 0, 1, 1, 1}
		for _, o := range []classify.LabelFlipOptions{{Estimate: true}, {Epsilon: .1}, {Epsilon: .1, Estimate: true, Prior: classify.Isotropic{Alpha: 1e-16}}, {Epsilon: .1, Prior: classify.Isotropic{Alpha: 1e-16}}, {Epsilon: .1, Prior: classify.Isotropic{Alpha: 1e-8}}} {
			m, err := classify.FitLabelFlip(x, y, o)
			if err != nil {
				fmt.Println(err)
				continue
			}
			fmt.Println(m.W, m.Epsilon, m.Converged, m.Separable, m.Direction, m.Reason)
		}
	}
	x := mat.NewDense(4, 1, []float64{-2, -1, 1, 2})
	y := []float64{0, 0, 1, 1}
	for _, a := range []float64{1, 1e-4, 1e-8, 1e-12, 1e-18} {
		m, err := classify.FitVariationalLogistic(x, y, classify.VariationalLogisticOptions{Prior: classify.Isotropic{Alpha: a}})
		if err != nil {
			fmt.Println(err)
			continue
		}
		w, s := m.Mean[1], m.Covariance.At(1, 1)
		// fixed point: ξ² = x²(s+w²) + s0
		fmt.Println(a, m.Mean, s, m.Xi, m.Converged, m.Reason)
		var g, h float64
		for i := range 4 {
			xi := math.Sqrt(x.At(i, 0)*x.At(i, 0)*(s+w*w) + m.Covariance.At(0, 0) + m.Mean[0]*m.Mean[0])
			l := math.Tanh(xi/2) / (4 * xi)
			h += 2 * l * x.At(i, 0) * x.At(i, 0)
			g += (y[i] - .5) * x.At(i, 0)
			fmt.Print(xi/m.Xi[i]-1, " ")
		}
		fmt.Println("map", g/(h+a)-w)
	}
	for _, v := range []float64{1e8, 1e13, 1e20, 1e37} {
		x := mat.NewDense(5, 1, []float64{-1, 1, -2, 3, v})
		y := []float64{0, 1, 1, 1, 1}
		m, err := classify.FitVariationalLogistic(x, y, classify.VariationalLogisticOptions{Prior: classify.Isotropic{Alpha: .1}})
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(v, m.Mean, m.Xi, m.Bound, m.Converged, m.Reason)
	}
}
