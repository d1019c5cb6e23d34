// Package variational maximises the variational bound of Bayesian logistic regression,
// PRML (10.159–10.163), over its parameters ξ.
package variational
