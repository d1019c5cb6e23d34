package classify

import (
	"fmt"
	"math"

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
