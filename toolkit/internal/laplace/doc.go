// Package laplace searches for the maxima of the logarithm of a function of several
// variables and the Gaussians that touch it there.
package laplace
