package ex01_test

/*
Equivalent mutants

# Mutants that are right all the same.
Sine: return ex01.Everywhere().Except(ex01.X1.Lattice(math.Pi, 0)) → return ex01.Everywhere().Except(ex01.X1.Lattice(-math.Pi, 0))
    The lattice has k·period for every whole number k, of either sign: −π gives the same lines.
*/
