package vec

import "math"

// wide are the kernels for vectors of 4 or 8 numbers.
type wide int

func (w wide) Name() string {
	if w == 8 {
		return "avx512"
	}
	return "avx2"
}

// tileVectors returns how many vectors of b a tile takes where left are to come: three,
// but not so that a single one is left.
func tileVectors(left int) int {
	if left == 4 {
		return 2
	}
	return min(left, 3)
}

func (w wide) Gram(g, z []float64, n, ld int) {
	if n == 0 {
		return
	}
	lanes := int(w)
	for i := 0; i < ld; i += lanes {
		for j := i; j < ld; {
			nv := tileVectors((ld - j) / lanes)
			w.tile(nv, n, &z[i], ld*8, &z[j], ld*8, &g[i*ld+j], ld*8)
			j += nv * lanes
		}
	}
}

func (w wide) Cross(c, a []float64, lda int, b []float64, ldb, n int) {
	if n == 0 {
		return
	}
	lanes := int(w)
	for j := 0; j < ldb; {
		nv := tileVectors((ldb - j) / lanes)
		for i := 0; i < lda; i += lanes {
			w.tile(nv, n, &a[i], lda*8, &b[j], ldb*8, &c[i*ldb+j], ldb*8)
		}
		j += nv * lanes
	}
}

func (w wide) Affine(z []float64, ld int, x []float64, stride, n int, p *Packing, class []int) {
	if n == 0 {
		return
	}
	m, nv := &p.masks[w/8], p.vectors(int(w))
	w.affine(n, &z[0], ld*8, nv, &x[0], stride*8, &m.first[0], &m.last[0], &p.scale[0], &p.shift[0], p.LD*8, &class[0], n*stride*8)
	for r := 0; nv*int(w) < ld && r < n; r++ {
		clear(z[r*ld+nv*int(w) : (r+1)*ld])
	}
}

func (w wide) Margins(out, z []float64, n, ld, _ int, weights []float64) {
	if n > 0 {
		w.margins(n, &z[0], ld*8, ld/int(w), &weights[0], &out[0])
	}
}

func (w wide) AddRows(dst, z []float64, n, ld int, s []float64) {
	if n == 0 {
		return
	}
	lanes := int(w)
	j := 0
	for j+lanes <= len(dst) {
		nv := 1
		if j+4*lanes <= len(dst) {
			nv = 4
		}
		w.addRows(nv, n, &z[j], ld*8, &s[0], &dst[j])
		j += nv * lanes
	}
	if j < len(dst) {
		var rest [Pad]float64
		copy(rest[:], dst[j:])
		w.addRows(1, n, &z[j], ld*8, &s[0], &rest[0])
		copy(dst[j:], rest[:])
	}
}

func (w wide) Scale(to []float64, ldto int, z []float64, ld, m, n int, s []float64) {
	if n > 0 {
		w.scale(n, &to[0], ldto*8, &z[0], ld*8, (m+int(w)-1)/int(w), &s[0])
	}
}

func (w wide) AddByClass(sum, z []float64, n, ld int, class []int, s []float64) {
	if n > 0 {
		w.addByClass(n, &z[0], ld*8, ld/int(w), &class[0], &s[0], &sum[0], ld*8)
	}
}

func (w wide) AddSquares(sum, z []float64, n, ld int, class []int, s []float64) {
	if n > 0 {
		w.addSquares(n, &z[0], ld*8, ld/int(w), &class[0], &s[0], &sum[0], ld*8)
	}
}

func (w wide) PackSquare(v []float64, ldv int, z []float64, ld, m, n int) {
	if n > 0 {
		w.packSquare(n, m, &z[0], ld*8, &v[0], ldv*8)
	}
}

func (w wide) Columns(c Columns, x []float64, stride, n int, share []float64) (finite bool) {
	if n == 0 {
		return true
	}
	finite, lanes := true, int(w)
	for j := 0; j < c.D; j += lanes {
		var bad [Pad]float64
		w.columns(n, &x[j], stride*8, &leading[min(c.D-j, Pad)][0], &share[0], &c.Low[j], &c.High[j], &c.Sum[j], &bad[0], n*stride*8)
		for _, v := range bad {
			finite = finite && !math.IsNaN(v)
		}
	}
	return finite
}

// leading are the masks of the first numbers of a vector.
var leading = func() (m [Pad + 1][Pad]int64) {
	for n := range m {
		for j := range n {
			m[n][j] = -1
		}
	}
	return m
}()
