package ex05_test

/*
Equivalent mutants

# Mutants that are right all the same.
GradientW: y[i] = mat.Inner(x, W[i], x) + mat.Dot(w.ColView(i), x) + w0[i] → y[i] = mat.Inner(x, W[i].T(), x) + mat.Dot(w.ColView(i), x) + w0[i]
    xᵀWᵀx = xᵀWx, a number being its own transpose.
*/
