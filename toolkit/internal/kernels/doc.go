// Package kernels contains the functions that the models need and for which a simple formula would
// lose digits or overflow. Examples are the logistic sigmoid, the softmax, the normal distribution
// function, and the logarithms and complements of these functions.
//
// Every function keeps full relative accuracy in both tails. For ±Inf it returns its limit, and for
// NaN it returns NaN. The functions have no state and return no errors. Their results depend on the
// processor only because the results of package math do. The models call these functions instead of
// math.Exp.
package kernels
