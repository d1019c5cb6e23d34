package vec

// Gram adds ZᵀZ by tiles of 2×4. Eight sums and six operands fit the sixteen
// registers that compiled Go can use; a 4×4 tile spills and is slower.
func (plain) Gram(g, z []float64, n, ld, m int, _ []float64) {
	if n == 0 {
		return
	}
	for i := 0; i < m; i += 2 {
		for j := i &^ 3; j < m; j += 4 {
			var a0, a1, a2, a3, b0, b1, b2, b3 float64
			zi, zj := z[i:], z[j:]
			off := 0
			for range n {
				u := zi[off : off+2 : off+2]
				v := zj[off : off+4 : off+4]
				off += ld
				x, y := u[0], u[1]
				a0 += x * v[0]
				b0 += y * v[0]
				a1 += x * v[1]
				b1 += y * v[1]
				a2 += x * v[2]
				b2 += y * v[2]
				a3 += x * v[3]
				b3 += y * v[3]
			}
			p := g[i*ld+j : i*ld+j+4 : i*ld+j+4]
			p[0] += a0
			p[1] += a1
			p[2] += a2
			p[3] += a3
			q := g[(i+1)*ld+j : (i+1)*ld+j+4 : (i+1)*ld+j+4]
			q[0] += b0
			q[1] += b1
			q[2] += b2
			q[3] += b3
		}
	}
}
