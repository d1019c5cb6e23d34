package lesson14_test

import (
	"fmt"
	"math"
	"sort"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson14"
)

type areaFunc = func(t, a []float64) float64

func TestFunctions(t *testing.T) {
	gate.Functions(t, lesson14.Exercise(), gate.Of(lesson14.Check, AUC))
}

// areaOfCurve applies the trapezoid rule to the ROC curve that gonum computes.
func areaOfCurve(t, a []float64) (area float64) {
	y, class := append([]float64(nil), a...), make([]bool, len(t))
	for n := range t {
		class[n] = t[n] == 1
	}
	stat.SortWeightedLabeled(y, class, nil)
	tpr, fpr, _ := stat.ROC(nil, y, class, nil)
	for i := 1; i < len(fpr); i++ {
		area += (fpr[i] - fpr[i-1]) * (tpr[i] + tpr[i-1]) / 2
	}
	return area
}

// TestDigits checks the tolerance for every problem: Check must accept a tenth of the error that
// the statement allows, and reject ten times the allowed error.
func TestDigits(t *testing.T) {
	gate.Digits(t, lesson14.Check, AUC, func(_, _ []any) float64 { return 1e-12 })
}

func TestRight(t *testing.T) {
	gate.Rights(t, lesson14.Check, map[string]areaFunc{
		"reference":    AUC,
		"by the curve": areaOfCurve,
		"by searching": func(t, a []float64) float64 {
			var c1, c2 []float64
			for n, v := range a {
				if t[n] > 0.5 {
					c1 = append(c1, v)
				} else {
					c2 = append(c2, v)
				}
			}
			sort.Float64s(c2)
			twice := 0
			for _, v := range c1 {
				twice += sort.SearchFloat64s(c2, v) + sort.Search(len(c2), func(i int) bool { return c2[i] > v })
			}
			return float64(twice) / 2 / float64(len(c1)) / float64(len(c2))
		},
		"from the other side": func(t, a []float64) float64 {
			lost, all := 0., 0.
			for i := range t {
				for j := range t {
					if t[i] > t[j] {
						all++
						if d := a[i] - a[j]; d < 0 {
							lost++
						} else if d == 0 {
							lost += .5
						}
					}
				}
			}
			return 1 - lost/all
		},
	})
}

// tied returns the share of the pairs with equal scores among all pairs of a row of C₁ and a row of
// C₂.
func tied(t, a []float64) float64 {
	sum, pairs := 0.0, 0.0
	for i := range a {
		for j := range a {
			if t[i] > t[j] {
				pairs++
				if a[i] == a[j] {
					sum++
				}
			}
		}
	}
	return sum / pairs
}

func TestWrong(t *testing.T) {
	gate.Wrongs(t, lesson14.Exercise(), lesson14.Check, map[string][]areaFunc{
		"pairs": {func(t, a []float64) float64 { return 0.5 },
			func(t, a []float64) float64 { return AUC(t[1:], a[1:]) }},
		"ties": {func(t, a []float64) float64 { return AUC(t, a) + tied(t, a)/4 }},
		"scale": {func(t, a []float64) float64 { // this answer rounds the scores to single precision
			single := make([]float64, len(a))
			for n := range a {
				single[n] = float64(float32(a[n]))
			}
			return AUC(t, single)
		}, func(t, a []float64) float64 { // this answer divides the scores into 10⁵ bins; scores in one bin count as equal
			low, high, bin := floats.Min(a), floats.Max(a), make([]float64, len(a))
			for n := range a {
				bin[n] = math.Floor(1e5 * (a[n] - low) / max(high-low, 1e-300))
			}
			return AUC(t, bin)
		}},
	})
}

func ExampleCheck() {
	turned := func(t, a []float64) float64 { return 1 - AUC(t, a) }
	fmt.Println(lesson14.Check(turned).Parts[1].Message)
	// Output: Your area is the share of the pairs in the wrong order, so a good model gets a small area. Count a pair if the row of C₁ (t = 1) has the larger score.
}
