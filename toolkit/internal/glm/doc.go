// Package glm is a generalized linear model as a function of its weights. It sums a loss of each
// row's activation wᵀφ, or of the K activations of a softmax, over a design in one pass.
package glm
