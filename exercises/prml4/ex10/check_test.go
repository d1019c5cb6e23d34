package ex10_test

/*
Equivalent mutants

Fit: v := floats.SubTo(make([]float64, m), Phi.RawRowView(i), mu.RawRowView(k)) → v := floats.SubTo(make([]float64, m), mu.RawRowView(k), Phi.RawRowView(i))
Gradient: mat.NewVecDense(m, floats.SubTo(make([]float64, m), Phi.RawRowView(i), mu.RawRowView(k))) → mat.NewVecDense(m, floats.SubTo(make([]float64, m), mu.RawRowView(k), Phi.RawRowView(i)))
    v changes its sign, and only vvᵀ is used: (−v)(−v)ᵀ = vvᵀ.
*/
