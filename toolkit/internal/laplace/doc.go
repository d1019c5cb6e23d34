// Package laplace finds the maxima of ln f for a function f of several variables. For each maximum
// it computes the Gaussian with the same mode, height and curvature as f.
package laplace
