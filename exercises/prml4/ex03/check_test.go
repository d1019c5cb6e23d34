package ex03_test

/*
Equivalent mutants

Constraints: for i := range n → for i := 1; i < n; i++
Constraints: for i := range n → for i := range n-1
    One row of the centred targets stays 0. The deviations from the mean sum to 0, so any one of them is minus the sum of the others: the
    rows that remain span the same space, and the same a are orthogonal to them.

Constraints: centred.Set(i, j, T.At(i, j)-mean[j]) → centred.Set(i, j, -(T.At(i, j)-mean[j]))
Constraints: centred.Set(i, j, T.At(i, j)-mean[j]) → centred.Set(i, j, 2*(T.At(i, j)-mean[j]))
Constraints: centred.Set(i, j, T.At(i, j)-mean[j]) → centred.Set(i, j, (T.At(i, j)-mean[j])/2)
    All deviations are multiplied by one number. The same a are orthogonal to them, and the singular values change by a factor of 1 or 2,
    which is nothing beside the distance from rounding (1e-16 of T) and from what counts as satisfied (1e-9 of it).

Constraints: if s > 1e-9*mat.Norm(T, 2) → if s > 1e-9*mat.Norm(T, 1)
    Another norm of the same matrix as "the size of T", which the statement leaves open: between 1/√K and √N times the first one, and 0
    where that is 0.
*/
