package ex06_test

/*
Equivalent mutants

# Mutants that are right all the same.
FitRegularised: phi, penalty := mat.NewDense(n, 1+d+d*d, nil), make([]float64, 1+d+d*d) → phi, penalty := mat.NewDense(n, 1+d+d*d, nil), make([]float64, 2+d+d*d)
FitLowRank: v := Newton(phi, r, make([]float64, 1+d), offset) → v := Newton(phi, r, make([]float64, 2+d), offset)
    Newton reads a penalty for every column of phi, and no further: the last entry is never looked at.

ChooseLambda: const folds = 6 → const folds = 7
ChooseLambda: const folds = 6 → const folds = 5
    The statement leaves the division open; seven groups or five are as good as six.

ChooseLambda: for fold := range folds → for fold := 1; fold < folds; fold++
ChooseLambda: for fold := range folds → for fold := range folds-1
    One group in six is never left out, for any λ: a repeated hold-out of the five others, in which every point that is judged has not been seen. The statement allows it.

ChooseLambda: for t := range n → for t := 1; t < n; t++
ChooseLambda: for t := range n → for t := range n-1
    One point is never learned from, and judged like the others, for every λ alike. All points judged are points not seen.

ChooseLambda: a := mat.Inner(v, W, v) + floats.Dot(w, X.RawRowView(t)) + w0 → a := mat.Inner(v, W.T(), v) + floats.Dot(w, X.RawRowView(t)) + w0
FitLowRank: offset[t] = mat.Inner(x, W, x) → offset[t] = mat.Inner(x, W.T(), x)
    xᵀWᵀx = xᵀWx, a number being its own transpose.

ChooseLambda: losses[g] += math.Max(a, 0) - r[t]*a + math.Log1p(math.Exp(-math.Abs(a))) → losses[g] += 2*(math.Max(a, 0) - r[t]*a + math.Log1p(math.Exp(-math.Abs(a))))
ChooseLambda: losses[g] += math.Max(a, 0) - r[t]*a + math.Log1p(math.Exp(-math.Abs(a))) → losses[g] += (math.Max(a, 0) - r[t]*a + math.Log1p(math.Exp(-math.Abs(a))))/2
    All losses are multiplied by one number, which leaves the place of the least where it is.

FitLowRank: sym.SetSym(j, l, (full.At(j, l)+full.At(l, j))/2) → sym.SetSym(j, l, (full.At(l, j)+full.At(l, j))/2)
FitLowRank: sym.SetSym(j, l, (full.At(j, l)+full.At(l, j))/2) → sym.SetSym(j, l, (full.At(j, l)+full.At(j, l))/2)
    The W of FitRegularised is symmetric, up to the rounding of Newton's steps; the mean of both entries only tidies that.

FitLowRank: size[j] = -math.Abs(v) → size[j] = 2*(-math.Abs(v))
FitLowRank: size[j] = -math.Abs(v) → size[j] = (-math.Abs(v))/2
    The sizes are only compared with each other.
*/
