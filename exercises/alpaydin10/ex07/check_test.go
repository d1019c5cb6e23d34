package ex07_test

/*
Equivalent mutants

# Mutants that are right all the same.
Rescale: scale[j] = 1 → scale[j] = -1
Rescale: scale[j] = 1 → scale[j] = 2
Rescale: scale[j] = 1 → scale[j] = 0.5
    The scale of a column that is constant in train. In the new units the column is 0 whatever its scale is, so nothing is learned from it; and back divides by the same number.
*/
