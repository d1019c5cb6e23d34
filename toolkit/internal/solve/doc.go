// Package solve finds the weights of a generalized linear model. It contains Newton's method and
// the solvers of the books. Newton's method also decides whether the likelihood has a maximum. The
// other solvers are for learners, who study the paths to the optimum. A Problem is the objective in
// inner coordinates: the columns are centred and scaled, so that units and offsets of the inputs
// cost no digits. A Path is the result of a Solver.
package solve
