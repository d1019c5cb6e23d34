// Package mcmc draws samples from a posterior of weights with Markov chains, and checks the
// convergence of the chains.
package mcmc
