package ex06_test

/*
Equivalent mutants

NormalMatrix: v := mat.NewVecDense(d, floats.SubTo(make([]float64, d), x, m)) → v := mat.NewVecDense(d, floats.SubTo(make([]float64, d), m, x))
    v changes its sign, and only vvᵀ is used: (−v)(−v)ᵀ = vvᵀ.

Fit: if err := v.SolveVec(NormalMatrix(X1, X2), mat.NewVecDense(d, right)); err != nil → if err := v.SolveVec(NormalMatrix(X1, X2).T(), mat.NewVecDense(d, right)); err != nil
    The matrix is a sum of terms c·vvᵀ, hence its own transpose.
*/
