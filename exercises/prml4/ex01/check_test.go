package ex01_test

/*
Equivalent mutants

Separate: if mat.Norm(r, 2) < 1e-7 → if mat.Norm(r, 1) < 1e-7
Separate: if mat.Norm(r, 2) < 1e-7 → if mat.Norm(r, 2) <= 1e-7
CommonPoint: if mat.Norm(r, 2) >= 1e-7 → if mat.Norm(r, 1) >= 1e-7
CommonPoint: if mat.Norm(r, 2) >= 1e-7 → if mat.Norm(r, 2) > 1e-7
    1e-7 lies far from both: where there is a common point r is rounding, about 1e-15, and where there is none the promise keeps it above
    1e-5 (the points are measured in units of their spread). The norms differ by a factor of at most √(D+2).

Separate: return nil, 0, false → return nil, 1, false
    Where ok is false, w0 may be any number.

problemOf: p.scale = mat.Norm(&all, math.Inf(1)) → p.scale = -mat.Norm(&all, math.Inf(1))
problemOf: p.scale = mat.Norm(&all, math.Inf(1)) → p.scale = 2*mat.Norm(&all, math.Inf(1))
problemOf: p.scale = mat.Norm(&all, math.Inf(1)) → p.scale = mat.Norm(&all, math.Inf(1))/2
    Any unit that follows the size of the points will do. The weights of a common point do not depend on it, and w is divided by the same
    one: with z = (x − centre)/scale, −r·z is wᵀ(x − centre) for a negative scale, too.

problemOf: p.scale = 1 → p.scale = -1
problemOf: p.scale = 1 → p.scale = 2
problemOf: p.scale = 1 → p.scale = 0.5
    Here all points are the same, and every coordinate is 0 in any unit.
*/
