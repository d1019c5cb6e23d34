package ex22_test

/*
Equivalent mutants

# Mutants that are right all the same.
LogEvidence: return math.NaN() → return 0
    The line is reached only if A is not positive definite, which the statement excludes; there is no right answer there.
*/
