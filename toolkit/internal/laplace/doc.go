// Package laplace finds maxima of ln f for a function f of one or more variables. For each maximum it
// computes the Gaussian with the same mode, the same height and the same curvature (of the
// logarithm) as f.
package laplace
