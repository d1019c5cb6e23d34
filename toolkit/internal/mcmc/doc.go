// Package mcmc draws samples from a posterior of weights by Markov chains, and diagnoses the
// convergence of the chains.
package mcmc
