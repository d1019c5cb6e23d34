// Package kernels contains the functions that the models need and for which a simple formula would
// lose digits or overflow. Examples are the logistic sigmoid, the softmax, the normal distribution
// function, and the logarithms and complements of these functions.
//
// Every function keeps its relative accuracy in both tails. For ±Inf it returns its limit, except
// for Jaakkola and SoftmaxParts, which need finite arguments. For NaN it returns NaN. The functions
// have no state and return no errors. The last bits of their results depend on the processor,
// because the results of package math do, and because Go fuses products and sums on some processors.
// The models call these functions instead of math.Exp.
package kernels
