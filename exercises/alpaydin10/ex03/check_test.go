package ex03_test

/*
Equivalent mutants

# Mutants that are right all the same.
DSoftmax: top, sum := floats.Max(a), 0.0 → top, sum := floats.Max(a)/2, 0.0
    Any common shift of the scores cancels. With scores within ±1000 the largest exponent is half the largest score, at most 500 in size, whose exponential is a float64.
*/
