// Package mcmc draws from a posterior of weights by Markov chains, and diagnoses
// how far they have converged.
package mcmc
