package ex06

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A decided is a fixed sample of one input, and two values of λ of which one
// predicts the points left out better, with hardly any exception among the ways to
// divide them (decided_test.go). A random sample rarely tells so much; these were
// searched for, each such that the wrong losses above it prefer the other value.
// Every such loss has two samples at least, so that a single miss, by an unlucky
// division, can be let pass.
type decided struct {
	x, r          []float64
	better, worse float64
}

var decisions = []decided{
	// λ halved, the sign of w, or the scores of the errors alone
	{[]float64{-0.6, 1.8, 1.1, -2.3, -0.6, 0, 0.2, -0.5, 1.4, 0.2, 0.5, 1.7, 1.9, -0.5, 1.1, 0.2, 0.4, -0.5, 0.3, -2.7, -0.1, 0.8, -0.7, -0.4},
		[]float64{0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0}, 0.125, 8},
	{[]float64{-0.5, 0.7, 1.1, 0.1, -0.4, 0.3, 0.9, -1.1, 1, 0.1, 0.4, 1.6, 1.7, -0.4, 0.9, 0.4, -0.6, -0.5, 0.1, 0.2, 0, 0.3, -0.6, -0.6},
		[]float64{0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0}, 0.125, 4},
	// λ doubled
	{[]float64{-0.1, 0.1, 0.4, 0.4, 0.6, -1.6, 0.9, 0.7, 0.6, 0.6, -0.8, 0.8, 0.7, 1, 0.3, 0.4, 0.8, -1.6, 0.8, 0.6, 0, 0.4, 1.3, -3.1},
		[]float64{0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 0}, 8, 1},
	{[]float64{0.2, 1.2, 0.4, 0.6, 0.8, -1.6, -0.6, 1.2, 0.4, 0.3, 0.7, 0.9, 0.3, 1.3, 0.4, 0.2, 1.3, -3.3, 0.6, 1.3, -0.9, 0.2, 1.2, -3.5},
		[]float64{0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 0}, 8, 1},
	// too dear where g is near 0, or scores halved
	{[]float64{-1.4, 1.4, 0.1, 2, -1.3, -0.8, 0.3, 1.1, -3.2, 0.6, -3.5, -0.1, 0.1, -3.2, 3.5, 0.3, -1.4, 3.5, -0.3, 0.3, -0.1, 3.5, -1.4, 0.4},
		[]float64{0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1}, 4, 0.03125},
	{[]float64{-3.3, 0.6, 0, 2, -1.3, -0.8, 0.2, -0.4, -0.5, 0.8, -1.7, -0.6, 0.5, 1.8, -0.7, -0.1, 1.9, -0.7, -0.6, -3.5, 0.2, -1.6, -1.6, 0.4},
		[]float64{0, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0}, 4, 0.03125},
	// too cheap where g is near 0, or the sign of w0
	crowd([][3]float64{{-1, 28, 12}, {0, 24, 56}, {1, 28, 12}}, 0.01, 100),
	crowd([][3]float64{{-1, 30, 10}, {0, 20, 60}, {1, 30, 10}}, 0.01, 100),
	// too cheap away from 0, or scores doubled
	crowd([][3]float64{{-1, 72, 8}, {0, 16, 144}, {1, 72, 8}}, 0.01, 7),
	crowd([][3]float64{{-1, 72, 8}, {0, 16, 144}, {1, 72, 8}}, 0.01, 10),
}

// crowd has many points at few places, in a mixed order; a group is a place, its
// ones and its zeros.
func crowd(groups [][3]float64, better, worse float64) decided {
	c := decided{better: better, worse: worse}
	for _, g := range groups {
		for i := range int(g[1] + g[2]) {
			c.x = append(c.x, g[0])
			c.r = append(c.r, 0)
			if i < int(g[1]) {
				c.r[len(c.r)-1] = 1
			}
		}
	}
	rand.New(rand.NewPCG(1006, 1)).Shuffle(len(c.x), func(i, j int) {
		c.x[i], c.x[j], c.r[i], c.r[j] = c.x[j], c.x[i], c.r[j], c.r[i]
	})
	return c
}

func (c decided) sample() sample {
	return sample{fmt.Sprintf("%d points of one input", len(c.x)), mat.NewDense(len(c.x), 1, c.x), c.r}
}

// judgeDecided hands each pair out in both orders.
func judgeDecided(choose chooseFunc) verify.Verdict {
	missed, firsts := 0, 0
	for _, c := range decisions {
		wrong := false
		for _, grid := range [][]float64{{c.better, c.worse}, {c.worse, c.better}} {
			lambda, bad := askChoice(choose, c.sample(), grid)
			if bad != nil {
				return *bad
			}
			wrong = wrong || lambda != c.better
			if lambda == grid[0] {
				firsts++
			}
		}
		if wrong {
			missed++
		}
	}
	switch {
	case missed <= 1:
		return verify.Pass("On %d of %d fixed samples you choose the λ that predicts left-out points better, whatever the order of the grid.", len(decisions)-missed, len(decisions))
	case firsts == 0 || firsts == 2*len(decisions):
		return verify.Fail("order", 3, "Of two values in the grid you always choose the one in the same place, also when the grid is turned round. Is the loss of every value of the grid looked at?")
	}
	return verify.Fail("left-out-loss", 3, "On %d of %d fixed samples, with two values of λ to choose from, the points left out are predicted better by the value that you do not choose, and it hardly matters how they are divided. What is added up for a point left out? It is −log of the probability given to its own class, neither the number of errors nor another distance, with g(x) = xᵀWx + wᵀx + w0 of the fit with just this λ.", missed, len(decisions))
}
