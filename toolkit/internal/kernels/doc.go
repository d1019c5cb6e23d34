// Package kernels holds the numerically delicate scalar and vector functions
// of the models in one place: logistic sigmoid, softmax, normal distribution
// function, their logarithms and complements.
//
// Every function keeps full relative accuracy in both tails, takes ±Inf to its
// limit, and takes NaN to NaN. They are pure: no state, no errors, no code that
// depends on the processor beyond what package math does. The models never call
// math.Exp themselves.
package kernels
