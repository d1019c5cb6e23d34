package ex23_test

/*
Equivalent mutants

# Mutants that are right all the same.
Dropped: d.SubVec(mat.NewVecDense(len(m), mode), mat.NewVecDense(len(m), m)) → d.SubVec(mat.NewVecDense(len(m), m), mat.NewVecDense(len(m), mode))
    The difference enters through the quadratic form dᵀV0⁻¹d alone, which does not see its sign.

Dropped: return math.NaN() → return 0
    The line is reached only if V0 cannot be inverted; a normal density with such a covariance does not exist, and there is no right answer there.
*/
