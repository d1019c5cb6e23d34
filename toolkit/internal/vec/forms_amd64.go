//go:build !safe

package vec

func (w wide) Products(out, x []float64, stride, n int, f *Form, ahead bool) {
	if n > 0 {
		nv, last, far := w.reach(f.d, stride, n, ahead)
		if w == 8 {
			products512(n, &x[0], stride*8, nv, last, &f.shift[0], &f.weights[0], &f.bias, &out[0], far)
		} else {
			products256(n, &x[0], stride*8, nv, last, &f.shift[0], &f.weights[0], &f.bias, &out[0], far)
		}
	}
}

func (w wide) Squares(out, x []float64, stride, n int, f *Form, ahead bool) {
	if n > 0 {
		nv, last, far := w.reach(f.d, stride, n, ahead)
		if w == 8 {
			squares512(n, &x[0], stride*8, nv, last, &f.shift[0], &f.weights[0], &f.bias, &out[0], far)
		} else {
			squares256(n, &x[0], stride*8, nv, last, &f.shift[0], &f.weights[0], &f.bias, &out[0], far)
		}
	}
}

// reach returns the number of vectors that hold d numbers, the mask of the last vector, and the
// distance in bytes to the rows to prefetch. If ahead is false, the distance is 0.
func (w wide) reach(d, stride, n int, ahead bool) (nv int, last *int64, far int) {
	nv = (d + int(w) - 1) / int(w)
	if ahead {
		far = n * stride * 8
	}
	return nv, &leading[d-(nv-1)*int(w)][0], far
}

func (w wide) Lengths(out []float64, ldo int, x []float64, stride, n int, whitenings []*Whitening, room []float64) {
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
