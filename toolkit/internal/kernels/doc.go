// Package kernels contains the numerically delicate scalar and vector functions of the models:
// logistic sigmoid, softmax, normal distribution function, and the logarithms and complements of
// these functions.
//
// Every function keeps full relative accuracy in both tails. It returns its limit for ±Inf, and NaN
// for NaN. The functions are pure: they have no state, return no errors, and depend on the
// processor only through package math. The models call these functions instead of math.Exp.
package kernels
