// Package glm evaluates the likelihood of a generalized linear model as a function of its weights.
// In one pass over a design, it adds up the losses of all rows. The loss of a row is a function of
// the row's activation wᵀφ, or of its K activations for a softmax.
package glm
