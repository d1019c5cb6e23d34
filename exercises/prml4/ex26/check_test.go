package ex26_test

/*
Equivalent mutants

# Mutants that are right all the same.
DerivativeMu: u := mu / s → u := -(mu / s)
    Only u² is used: the normal density is an even function.

Integrand: u := lambda * (mu + math.Sqrt(sigma2)*z) → u := -(lambda * (mu + math.Sqrt(sigma2)*z))
    Only u² is used.
*/
