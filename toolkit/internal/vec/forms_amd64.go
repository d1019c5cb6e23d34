//go:build !safe

package vec

func (w wideKernels) Products(out []float64, ldo int, x []float64, stride, n int, f *Form, ahead bool) {
	if n == 0 {
		return
	}
	nv, last, far := w.layout(f.d, stride, n, ahead)
	ld := Width(f.d)
	for k := 0; k < len(f.bias); k += 2 {
		pair := k+1 < len(f.bias)
		to, weights, bias := &out[k*ldo], &f.weights[k*ld], &f.bias[k]
		switch {
		case w == 8 && pair:
			products2x512(n, &x[0], stride*8, nv, last, &f.shift[0], weights, ld*8, bias, to, ldo*8, far)
		case w == 8:
			products1x512(n, &x[0], stride*8, nv, last, &f.shift[0], weights, 0, bias, to, 0, far)
		case pair:
			products2x256(n, &x[0], stride*8, nv, last, &f.shift[0], weights, ld*8, bias, to, ldo*8, far)
		default:
			products1x256(n, &x[0], stride*8, nv, last, &f.shift[0], weights, 0, bias, to, 0, far)
		}
		far = 0
	}
}

func (w wideKernels) Squares(out, x []float64, stride, n int, f *Form, ahead bool) {
	if n > 0 {
		nv, last, far := w.layout(f.d, stride, n, ahead)
		if w == 8 {
			squares512(n, &x[0], stride*8, nv, last, &f.shift[0], &f.weights[0], 0, &f.bias[0], &out[0], 0, far)
		} else {
			squares256(n, &x[0], stride*8, nv, last, &f.shift[0], &f.weights[0], 0, &f.bias[0], &out[0], 0, far)
		}
	}
}

func (w wideKernels) ByRow(out []float64, stride int, a []float64, lda, n, k int) {
	if k == 1 && stride == 1 {
		copy(out[:n], a)
		return
	}
	whole := n &^ 3
	for c := 0; c < k && whole > 0; {
		switch {
		case k-c >= 4:
			byRow4x256(whole/4, &out[c], stride*8, &a[c*lda], lda*8)
			c += 4
		case k-c >= 2:
			byRow2x256(whole/4, &out[c], stride*8, &a[c*lda], lda*8)
			c += 2
		default:
			plainKernels{}.ByRow(out[c:], stride, a[c*lda:], lda, whole, 1)
			c++
		}
	}
	if whole < n {
		plainKernels{}.ByRow(out[whole*stride:], stride, a[whole:], lda, n-whole, k)
	}
}

// layout returns three values. The first is the number of vectors that d numbers fill, and the
// second is the mask of the last vector. The third is the distance in bytes to the rows to
// prefetch, or 0 if no rows are to be prefetched.
func (w wideKernels) layout(d, stride, n int, ahead bool) (nv int, last *int64, far int) {
	nv = (d + int(w) - 1) / int(w)
	if ahead {
		far = n * stride * 8
	}
	return nv, &leadingLanes[d-(nv-1)*int(w)][0], far
}

func (w wideKernels) Lengths(out []float64, ldo int, x []float64, stride, n int, whitenings []*Whitening,
	room []float64) {
	group := 8 * int(w)
	d := whitenings[0].d
	columns, u, sum := room[:d*group], room[d*group:2*d*group], room[2*d*group:][:group]
	for lo := 0; lo < n; lo += group {
		rows := min(group, n-lo)
		byColumns(columns, group, x[lo*stride:], stride, rows, d)
		for k, t := range whitenings {
			if w == 8 {
				whiten512(d, &columns[0], &t.shift[0], &t.columns[0], &u[0], &sum[0])
			} else {
				whiten256(d, &columns[0], &t.shift[0], &t.columns[0], &u[0], &sum[0])
			}
			copy(out[k*ldo+lo:][:rows], sum)
		}
	}
}
