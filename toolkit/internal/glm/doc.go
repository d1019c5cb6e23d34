// Package glm evaluates the likelihood of a generalized linear model as a function of its weights.
// In one pass over a design, it sums a loss of each row's activation wᵀφ, or of the K activations
// of a softmax.
package glm
