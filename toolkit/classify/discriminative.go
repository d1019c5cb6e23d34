package classify

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// What the discriminative models share besides the solvers.

// completeSolver fills in the defaults of a solver's options for inputs of d
// columns and k classes.
func completeSolver(s *Solver, maxIterations *int, tolerance *float64, d, k int) error {
	if *maxIterations < 0 {
		return fmt.Errorf("option MaxIterations is %d: it must not be negative (0 is the solver's default)", *maxIterations)
	}
	if !(*tolerance >= 0) || math.IsInf(*tolerance, 1) {
		return fmt.Errorf("option Tolerance is %v: it must not be negative (0 is the default, 1e-10)", *tolerance)
	}
	if *tolerance == 0 {
		*tolerance = 1e-10
	}
	if *s == nil {
		*s = Newton{}
	}
	if check.Nil(*s) {
		return fmt.Errorf("option Solver is a nil %T: leave Solver out for Newton{}, or give a value", *s)
	}
	most, err := (*s).prepare(d, k)
	if err != nil {
		return err
	}
	if *maxIterations == 0 {
		*maxIterations = most
	}
	return nil
}

// curved is a loss whose second derivative has a bound.
type curved interface {
	curvature() float64
}

func (crossEntropy) curvature() float64 { return 0.25 }

// bound returns the triangular factor of a matrix that no Hessian of the
// likelihood exceeds: c·ΦᵀΦ with the loss's largest curvature c, and for softmax
// ½(I − 11ᵀ/K) ⊗ ΦᵀΦ (Böhning 1992). For a loss without a bound c = 1 is a guess.
func (g *glm) bound() *block.Triangle {
	_, m := g.design.Dims()
	t := block.Reduce(g.design, 0, func() *block.Triangle { return block.NewTriangle(m) },
		func(int) func(*block.Triangle, *block.Block) { return (*block.Triangle).Add }, (*block.Triangle).Merge)
	patterns, c := [][]float64{{1}}, 1.0
	if g.many != nil {
		patterns, c = helmert(g.many.k), 0.5
	} else if l, ok := g.loss.(curved); ok {
		c = l.curvature()
	}
	out := block.NewTriangle(g.m)
	for _, h := range patterns {
		for i := range m {
			row := make([]float64, g.m)
			for k, v := range h {
				for j := i; j < m; j++ {
					row[k*m+j] = math.Sqrt(c) * v * t.At(i, j)
				}
			}
			out.AddRow(row)
		}
	}
	return out
}
