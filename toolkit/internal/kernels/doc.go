// Package kernels contains the numerically delicate scalar and vector functions of the models. They
// are the logistic sigmoid, the softmax, the normal distribution function, and the logarithms and
// complements of these functions.
//
// Every function keeps full relative accuracy in both tails. For ±Inf it returns its limit, and for
// NaN it returns NaN. The functions have no state, return no errors, and depend on the processor
// only through package math. The models call these functions instead of math.Exp.
package kernels
