package ex02_test

/*
Equivalent mutants

# Mutants that are right all the same.
OriginDistance: return w0 / floats.Norm(w, 2) → return -(w0 / floats.Norm(w, 2))
    The statement leaves the sign to the learner: it asks how far the origin is.
*/
