//go:build !safe

package vec

// Each method in this file calls the assembly function (kernel) for the vector width w. It calls
// the function directly, so that the memory to which the arguments point stays on the stack. With
// calls through a table of functions, this memory would be on the heap.

func (w wideKernels) affine(n int, z *float64, ldz, nv int, x *float64, ldx int, first, last *int64,
	scale, shift *float64, ldshift int, class *int, ahead int) {
	if w == 8 {
		affine512(n, z, ldz, nv, x, ldx, first, last, scale, shift, ldshift, class, ahead)
	} else {
		affine256(n, z, ldz, nv, x, ldx, first, last, scale, shift, ldshift, class, ahead)
	}
}

func (w wideKernels) margins(n int, z *float64, ldz, nv int, weights, out *float64) {
	if w == 8 {
		margins512(n, z, ldz, nv, weights, out)
	} else {
		margins256(n, z, ldz, nv, weights, out)
	}
}

func (w wideKernels) scale(n int, to *float64, ldto int, z *float64, ldz, nv int, s *float64) {
	if w == 8 {
		scale512(n, to, ldto, z, ldz, nv, s)
	} else {
		scale256(n, to, ldto, z, ldz, nv, s)
	}
}

func (w wideKernels) addByClass(n int, z *float64, ldz, nv int, class *int, s, sum *float64, ldsum int) {
	if w == 8 {
		addByClass512(n, z, ldz, nv, class, s, sum, ldsum)
	} else {
		addByClass256(n, z, ldz, nv, class, s, sum, ldsum)
	}
}

func (w wideKernels) addSquares(n int, z *float64, ldz, nv int, class *int, s, sum *float64, ldsum int) {
	if w == 8 {
		addSquares512(n, z, ldz, nv, class, s, sum, ldsum)
	} else {
		addSquares256(n, z, ldz, nv, class, s, sum, ldsum)
	}
}

func (w wideKernels) packSquare(n, m int, z *float64, ldz int, v *float64, ldv int) {
	if w == 8 {
		packSquare512(n, m, z, ldz, v, ldv)
	} else {
		packSquare256(n, m, z, ldz, v, ldv)
	}
}

func (w wideKernels) columns(n int, x *float64, ldx int, mask *int64, s, low, high, mean, bad *float64, ahead int) {
	if w == 8 {
		columns512(n, x, ldx, mask, s, low, high, mean, bad, ahead)
	} else {
		columns256(n, x, ldx, mask, s, low, high, mean, bad, ahead)
	}
}

func (w wideKernels) finite(nv int, a, bad *float64) {
	if w == 8 {
		finite512(nv, a, bad)
	} else {
		finite256(nv, a, bad)
	}
}

func (w wideKernels) exp(nv int, y, a *float64) {
	if w == 8 {
		exp512(nv, y, a)
	} else {
		exp256(nv, y, a)
	}
}

// link selects the link function for two classes, logistic or probit. For each link there is one
// kernel that computes probabilities and one that computes the loss.
type link int

const (
	logistic link = iota
	probit
)

func (w wideKernels) probabilities(l link, nv int, y, c, a *float64) {
	switch {
	case w == 8 && l == probit:
		normal512(nv, y, c, a)
	case w == 8:
		sigmoid512(nv, y, c, a)
	case l == probit:
		normal256(nv, y, c, a)
	default:
		sigmoid256(nv, y, c, a)
	}
}

func (w wideKernels) lossOf(l link, nv int, a, t, s, d1, d2, sum *float64) {
	switch {
	case w == 8 && l == probit:
		probit512(nv, a, t, s, d1, d2, sum)
	case w == 8:
		crossEntropy512(nv, a, t, s, d1, d2, sum)
	case l == probit:
		probit256(nv, a, t, s, d1, d2, sum)
	default:
		crossEntropy256(nv, a, t, s, d1, d2, sum)
	}
}

func (w wideKernels) softmax(nv, k int, a, t, y, d *float64, ld int, weights, out *float64) {
	if w == 8 {
		softmax512(nv, k, a, t, y, d, ld, weights, out)
	} else {
		softmax256(nv, k, a, t, y, d, ld, weights, out)
	}
}

func (w wideKernels) sides(nv int, a, t, out *float64) {
	if w == 8 {
		sides512(nv, a, t, out)
	} else {
		sides256(nv, a, t, out)
	}
}

func (w wideKernels) sizes(nv int, a, d1, d2, out *float64) {
	if w == 8 {
		sizes512(nv, a, d1, d2, out)
	} else {
		sizes256(nv, a, d1, d2, out)
	}
}

// tile calls the tile kernel for nv vectors of b, where nv is 1, 2 or 3.
func (w wideKernels) tile(nv, n int, a *float64, lda int, b *float64, ldb int, c *float64, ldc int, ahead *float64,
	step int) {
	switch {
	case w == 8 && nv == 1:
		tile1x512(n, a, lda, b, ldb, c, ldc, ahead, step)
	case w == 8 && nv == 2:
		tile2x512(n, a, lda, b, ldb, c, ldc, ahead, step)
	case w == 8:
		tile3x512(n, a, lda, b, ldb, c, ldc, ahead, step)
	case nv == 1:
		tile1x256(n, a, lda, b, ldb, c, ldc, ahead, step)
	case nv == 2:
		tile2x256(n, a, lda, b, ldb, c, ldc, ahead, step)
	default:
		tile3x256(n, a, lda, b, ldb, c, ldc, ahead, step)
	}
}

// addRows calls the addRows kernel for rows of nv vectors, where nv is 1, 2, 3 or 4.
func (w wideKernels) addRows(nv, n int, z *float64, ldz int, s, g *float64) {
	switch {
	case w == 8 && nv == 4:
		addRows4x512(n, z, ldz, s, g)
	case w == 8 && nv == 3:
		addRows3x512(n, z, ldz, s, g)
	case w == 8 && nv == 2:
		addRows2x512(n, z, ldz, s, g)
	case w == 8:
		addRows1x512(n, z, ldz, s, g)
	case nv == 4:
		addRows4x256(n, z, ldz, s, g)
	case nv == 3:
		addRows3x256(n, z, ldz, s, g)
	case nv == 2:
		addRows2x256(n, z, ldz, s, g)
	default:
		addRows1x256(n, z, ldz, s, g)
	}
}
