package ex18_test

/*
Equivalent mutants

# Mutants that are right all the same.
Gradient: top := floats.Max(row) → top := floats.Max(row)/2
    Any common shift of the activations cancels. With activations within ±800 the largest exponent is half the largest activation, at most 400 in size, whose exponential is a float64.

Gradient: row[k] = math.Exp(a - top) → row[k] = -math.Exp(a - top)
Gradient: row[k] = math.Exp(a - top) → row[k] = 2*math.Exp(a - top)
Gradient: row[k] = math.Exp(a - top) → row[k] = math.Exp(a - top)/2
    The outputs are divided by their sum afterwards: a common factor cancels.
*/
