package ex20_test

/*
Equivalent mutants

# Mutants that are right all the same.
Hessian: top := floats.Max(y) → top := floats.Max(y)/2
    Any common shift of the activations cancels. With activations within ±800 the largest exponent is half the largest activation, at most 400 in size, whose exponential is a float64.

Hessian: y[k] = math.Exp(a - top) → y[k] = -math.Exp(a - top)
Hessian: y[k] = math.Exp(a - top) → y[k] = 2*math.Exp(a - top)
Hessian: y[k] = math.Exp(a - top) → y[k] = math.Exp(a - top)/2
    The outputs are divided by their sum afterwards: a common factor cancels.

Spread: mean += y[k] * s[k] → mean -= y[k] * s[k]
    Only the square of the mean is used.
*/
