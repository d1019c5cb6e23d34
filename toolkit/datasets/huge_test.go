package datasets

import (
	"math"
	"strings"
	"testing"
)

// TestHugeNumbersOfPoints: a number of points that no memory holds is an error at
// once.
func TestHugeNumbersOfPoints(t *testing.T) {
	const huge = math.MaxInt / 2
	of := func(_ any, err error) error { return err }
	scene := SceneOptions{N: huge}
	for name, draw := range map[string]func() error{
		"TwoGaussians":        func() error { return of(TwoGaussians(TwoGaussiansOptions{N1: huge})) },
		"TwoGaussians, N2":    func() error { return of(TwoGaussians(TwoGaussiansOptions{N2: huge})) },
		"Gaussians":           func() error { return of(Gaussians(GaussiansOptions{N: []int{huge}})) },
		"Gaussians, one":      func() error { return of(Gaussians(GaussiansOptions{N: []int{1, huge, 1}})) },
		"Rings":               func() error { return of(Rings(RingsOptions{N: huge})) },
		"Separable":           func() error { return of(Separable(SeparableOptions{N: huge})) },
		"Separable, D":        func() error { return of(Separable(SeparableOptions{D: huge})) },
		"Separable, Touching": func() error { return of(Separable(SeparableOptions{Touching: huge})) },
		"Thresholds":          func() error { return of(Thresholds(ThresholdsOptions{N: huge})) },
		"ThreeInARow":         func() error { return of(ThreeInARow(scene)) },
		"ThreeGaussians":      func() error { return of(ThreeGaussians(scene)) },
		"Sandwich":            func() error { return of(Sandwich(scene)) },
		"XOR":                 func() error { return of(XOR(scene)) },
		"Outliers": func() error {
			_, _, err := Outliers(OutliersOptions{N: huge})
			return err
		},
		"Outliers, Outliers": func() error {
			_, _, err := Outliers(OutliersOptions{Outliers: huge})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := draw(); err == nil || !strings.Contains(err.Error(), "GB") || !strings.Contains(err.Error(), "datasets: ") {
				t.Errorf("error %v", err)
			}
		})
	}
}
