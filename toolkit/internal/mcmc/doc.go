// Package mcmc draws from a posterior of weights by Markov chains, and tells how far
// they have converged.
package mcmc
