// Package solve finds the weights of a generalized linear model. It contains Newton's method and
// the solvers of the books. Newton's method proves that the maximum exists or does not exist. The
// other solvers exist for learners, who study the paths to the optimum. A Problem is the objective
// in inner coordinates: the columns are centred and scaled, so that units and offsets of the inputs
// cost no digits. A Path is the result of a Solver.
package solve
