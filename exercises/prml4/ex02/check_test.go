package ex02_test

/*
Equivalent mutants

Predict: ones := mat.NewDense(n, d+1, nil) → ones := mat.NewDense(n, d+2, nil)
    The column too many is all zeros. It adds no direction to the columns of [1 X], so the fit is the same; the pseudo-inverse gives it
    the weight 0, and no entry of x meets it.
*/
