//go:build !safe

package vec

import "math"

// wideKernels implements Kernels with vector registers of 4 or 8 numbers.
type wideKernels int

func (w wideKernels) Name() string {
	if w == 8 {
		return "avx512"
	}
	return "avx2"
}

// tileVectors returns how many of the remaining vectors of b belong to the next tile. The result is
// three, or less if fewer vectors remain or if three would leave a single vector for the last tile.
func tileVectors(left int) int {
	if left == 4 {
		return 2
	}
	return min(left, 3)
}

// lineNumbers is the number of float64 values that fit in a cache line.
const lineNumbers = 8

func (w wideKernels) Gram(g, z []float64, n, ld, m int, ahead []float64) {
	if n == 0 {
		return
	}
	lanes := int(w)
	m = (m + lanes - 1) / lanes * lanes
	for i := 0; i < m; i += lanes {
		for j := i; j < m; {
			nv := tileVectors((m - j) / lanes)
			at, step := &z[0], 0 // if `ahead` is empty, the kernel prefetches memory that is already in the cache
			if len(ahead) > 0 {
				at, step = &ahead[0], lineNumbers*8
				ahead = ahead[min(n*lineNumbers, len(ahead)):]
			}
			w.tile(nv, n, &z[i], ld*8, &z[j], ld*8, &g[i*ld+j], ld*8, at, step)
			j += nv * lanes
		}
	}
}

func (w wideKernels) Cross(c, a []float64, lda int, b []float64, ldb, n int) {
	if n == 0 {
		return
	}
	lanes := int(w)
	for j := 0; j < ldb; {
		nv := tileVectors((ldb - j) / lanes)
		for i := 0; i < lda; i += lanes {
			w.tile(nv, n, &a[i], lda*8, &b[j], ldb*8, &c[i*ldb+j], ldb*8, &a[0], 0)
		}
		j += nv * lanes
	}
}

func (w wideKernels) Affine(z []float64, ld int, x []float64, stride, n int, p *Packing, class []int, ahead bool) {
	if n == 0 {
		return
	}
	far := 0
	m, nv := &p.masks[w/8], p.vectors(int(w))
	if ahead {
		far = n * stride * 8
	}
	w.affine(n, &z[0], ld*8, nv, &x[0], stride*8, &m.first[0], &m.last[0], &p.scale[0], &p.shift[0], p.LD*8, &class[0],
		far)
	for behind := nv * int(w); behind < ld; behind += 4 { // this loop is faster than calling `clear` for each row
		for r := range n {
			*(*[4]float64)(z[r*ld+behind:]) = [4]float64{}
		}
	}
}

func (w wideKernels) Margins(out, z []float64, n, ld, m int, weights []float64) {
	if n > 0 {
		w.margins(n, &z[0], ld*8, (m+int(w)-1)/int(w), &weights[0], &out[0])
	}
}

func (w wideKernels) AddRows(dst, z []float64, n, ld int, s []float64) {
	if n == 0 {
		return
	}
	lanes := int(w)
	for j := 0; j < len(dst); j += 4 * lanes {
		nv := min(4, (len(dst)-j+lanes-1)/lanes)
		if to := dst[j:]; len(to) >= nv*lanes {
			w.addRows(nv, n, &z[j], ld*8, &s[0], &to[0])
			continue
		}
		var last [4 * Pad]float64
		copy(last[:], dst[j:])
		w.addRows(nv, n, &z[j], ld*8, &s[0], &last[0])
		copy(dst[j:], last[:])
	}
}

func (w wideKernels) Scale(to []float64, ldto int, z []float64, ld, m, n int, s []float64) {
	if n > 0 {
		w.scale(n, &to[0], ldto*8, &z[0], ld*8, (m+int(w)-1)/int(w), &s[0])
	}
}

func (w wideKernels) AddByClass(sum, z []float64, n, ld int, class []int, s []float64) {
	if n > 0 {
		w.addByClass(n, &z[0], ld*8, ld/int(w), &class[0], &s[0], &sum[0], ld*8)
	}
}

func (w wideKernels) AddSquares(sum, z []float64, n, ld int, class []int, s []float64) {
	if n > 0 {
		w.addSquares(n, &z[0], ld*8, ld/int(w), &class[0], &s[0], &sum[0], ld*8)
	}
}

func (w wideKernels) PackSquare(v []float64, ldv int, z []float64, ld, m, n int) {
	if n > 0 {
		w.packSquare(n, m, &z[0], ld*8, &v[0], ldv*8)
	}
}

func (w wideKernels) Columns(c Columns, x []float64, stride, n int, share []float64) (finite bool) {
	if n == 0 {
		return true
	}
	finite, lanes := true, int(w)
	for j := 0; j < c.D; j += lanes {
		var bad [Pad]float64
		w.columns(n, &x[j], stride*8, &leadingLanes[min(c.D-j, Pad)][0], &share[0], &c.Low[j], &c.High[j], &c.Sum[j],
			&bad[0], n*stride*8)
		for _, v := range bad {
			finite = finite && !math.IsNaN(v)
		}
	}
	return finite
}

// leadingLanes[n] is the mask of the first n numbers of a vector.
var leadingLanes = func() (m [Pad + 1][Pad]int64) {
	for n := range m {
		for j := range n {
			m[n][j] = -1
		}
	}
	return m
}()
