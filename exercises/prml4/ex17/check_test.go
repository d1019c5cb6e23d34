package ex17_test

/*
Equivalent mutants

# Mutants that are right all the same.
Jacobian: top := floats.Max(a) → top := floats.Max(a)/2
    Any common shift of the activations cancels. With activations within ±1000 the largest exponent is half the largest activation, at most 500 in size, whose exponential is a float64.

Jacobian: y[k] = math.Exp(v - top) → y[k] = -math.Exp(v - top)
Jacobian: y[k] = math.Exp(v - top) → y[k] = 2*math.Exp(v - top)
Jacobian: y[k] = math.Exp(v - top) → y[k] = math.Exp(v - top)/2
    The outputs are divided by their sum afterwards: a common factor cancels.

Jacobian: J.Set(k, j, y[k]*(1-y[k])) → J.Set(j, k, y[k]*(1-y[k]))
Jacobian: J.Set(k, j, -y[k]*y[j]) → J.Set(j, k, -y[k]*y[j])
    The matrix is symmetric: diag(y) − yyᵀ.
*/
