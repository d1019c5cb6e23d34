package ex15_test

/*
Equivalent mutants

Curvature: sum += Weight(a.AtVec(n)) * s.AtVec(n) * s.AtVec(n) → sum += Weight(-a.AtVec(n)) * s.AtVec(n) * s.AtVec(n)
    The weight y(1−y) = σ(a)σ(−a) is the same for a and −a.
*/
