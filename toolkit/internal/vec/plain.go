package vec

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// plainKernels implements Kernels in Go, without assembly.
type plainKernels struct{}

func (plainKernels) Name() string { return "generic" }

func (plainKernels) Cross(c, a []float64, lda int, b []float64, ldb, n int) {
	for r := range n {
		row := b[r*ldb : (r+1)*ldb]
		for i, v := range a[r*lda : (r+1)*lda] {
			to := c[i*ldb:][:len(row)]
			for j, u := range row {
				to[j] += v * u
			}
		}
	}
}

func (plainKernels) Affine(z []float64, ld int, x []float64, stride, n int, p *Packing, class []int, _ bool) {
	for r := range n {
		row, from := z[r*ld:(r+1)*ld], x[r*stride:r*stride+p.D]
		shift := p.shift[class[r]*p.LD:][:p.D+1]
		row[0] = -shift[0]
		to, s, c := row[1:][:len(from)], p.scale[1:][:len(from)], shift[1:][:len(from)]
		for j, v := range from {
			to[j] = v*s[j] - c[j]
		}
		clear(row[p.D+1:])
	}
}

func (plainKernels) Margins(out, z []float64, n, ld, m int, w []float64) {
	w = w[:m]
	for r := range n {
		row := z[r*ld:][:len(w)]
		var s0, s1, s2, s3 float64
		j := 0
		for ; j+4 <= len(w); j += 4 {
			s0 += row[j] * w[j]
			s1 += row[j+1] * w[j+1]
			s2 += row[j+2] * w[j+2]
			s3 += row[j+3] * w[j+3]
		}
		for ; j < len(w); j++ {
			s0 += row[j] * w[j]
		}
		out[r] = (s0 + s1) + (s2 + s3)
	}
}

func (plainKernels) AddRows(dst, z []float64, n, ld int, s []float64) {
	j := 0
	for ; j+4 <= len(dst); j += 4 {
		var s0, s1, s2, s3 float64
		for r, v := range s[:n] {
			row := z[r*ld+j:][:4]
			s0 += v * row[0]
			s1 += v * row[1]
			s2 += v * row[2]
			s3 += v * row[3]
		}
		dst[j] += s0
		dst[j+1] += s1
		dst[j+2] += s2
		dst[j+3] += s3
	}
	for ; j < len(dst); j++ {
		var sum float64
		for r, v := range s[:n] {
			sum += v * z[r*ld+j]
		}
		dst[j] += sum
	}
}

func (plainKernels) Scale(to []float64, ldto int, z []float64, ld, m, n int, s []float64) {
	for r := range n {
		v, row, from := s[r], to[r*ldto:][:m], z[r*ld:][:m]
		for j, u := range from {
			row[j] = v * u
		}
	}
}

func (k plainKernels) AddByClass(sum, z []float64, n, ld int, class []int, s []float64) {
	for r := range n {
		c := class[r]
		k.AddRows(sum[c*ld:(c+1)*ld], z[r*ld:], 1, ld, s[r:])
	}
}

func (plainKernels) AddSquares(sum, z []float64, n, ld int, class []int, s []float64) {
	for r := range n {
		v, row := s[r], z[r*ld:][:ld]
		to := sum[class[r]*ld:][:len(row)]
		for j, u := range row {
			to[j] += v * (u * u)
		}
	}
}

func (plainKernels) PackSquare(v []float64, ldv int, z []float64, ld, m, n int) {
	for r := range n {
		row, to := z[r*ld:][:m], v[r*ldv:]
		for i, a := range row {
			for j, b := range row[i:] {
				to[j] = a * b
			}
			to = to[m-i:]
		}
	}
}

func (plainKernels) Columns(c Columns, x []float64, stride, n int, share []float64) (finite bool) {
	finite = true
	low, high, sum := c.Low[:c.D], c.High[:c.D], c.Sum[:c.D]
	for r := range n {
		row := x[r*stride:][:len(low)]
		for j, v := range row {
			if v-v != 0 { // the difference is 0 except for NaN and ±Inf
				finite = false
			}
			if v < low[j] {
				low[j] = v
			}
			if v > high[j] {
				high[j] = v
			}
			sum[j] += v * share[r]
		}
	}
	return finite
}

func (plainKernels) Finite(a []float64) bool {
	for _, v := range a {
		if v-v != 0 { // the difference is 0 except for NaN and ±Inf
			return false
		}
	}
	return true
}

// Exp computes exp(a) as e·exp(a−1) for a > 709, because on amd64 math.Exp overflows above 709.44
// instead of 709.78.
func (plainKernels) Exp(y, a []float64) {
	for i, v := range a {
		if v > 709 {
			y[i] = math.E * math.Exp(v-1)
		} else {
			y[i] = math.Exp(v)
		}
	}
}

func (plainKernels) Sigmoid(y, c, a []float64) {
	for i, v := range a {
		y[i], c[i], _ = kernels.SigmoidParts(v)
	}
}

func (plainKernels) CrossEntropy(a, t, s, d1, d2 []float64) float64 {
	var sum float64
	t, d1, d2 = t[:len(a)], d1[:len(a)], d2[:len(a)]
	for n, v := range a {
		y, c, l := kernels.SigmoidParts(v)
		// Computed as y(1−t) − t(1−y), the difference y−t loses no digits if t is 0 or 1.
		d1[n] = y*(1-t[n]) - t[n]*c
		d2[n] = y * c
		if v > 0 {
			l += (1 - t[n]) * v
		} else {
			l -= t[n] * v
		}
		if s != nil {
			l *= s[n]
		}
		sum += l
	}
	return sum
}

func (plainKernels) Normal(y, c, a []float64) {
	for i, v := range a {
		y[i], c[i] = kernels.NormCDF(v), kernels.NormCDF(-v)
	}
}

func (k plainKernels) Probit(a, t, s, d1, d2 []float64) float64 {
	var sum float64
	for n, v := range s {
		sum += v * k.Probit(a[n:n+1], t[n:n+1], nil, d1[n:n+1], d2[n:n+1])
	}
	if s != nil {
		return sum
	}
	t, d1, d2 = t[:len(a)], d1[:len(a)], d2[:len(a)]
	for n, v := range a {
		d1[n], d2[n] = 0, 0
		if t[n] > 0 {
			l, h, c := kernels.ProbitParts(v)
			sum -= t[n] * l
			d1[n] = -t[n] * h
			d2[n] = t[n] * c
		}
		if t[n] < 1 {
			l, h, c := kernels.ProbitParts(-v)
			sum -= (1 - t[n]) * l
			d1[n] += (1 - t[n]) * h
			d2[n] += (1 - t[n]) * c
		}
	}
	return sum
}

func (plainKernels) Sizes(a, d1, d2 []float64) (s Sizes) {
	for n, v := range a {
		s.Slopes += math.Abs(d1[n])
		if d1[n] != 0 {
			s.Pearson += d1[n] * (d1[n] / d2[n])
		}
		s.CurvatureSum += d2[n]
		s.Moved += math.Abs(d2[n] * v)
		d2[n] = math.Sqrt(d2[n])
	}
	return s
}

func (plainKernels) Sides(a, t []float64) (wrong int, margin float64, hard bool) {
	margin, hard = math.Inf(1), true
	for n, v := range a {
		if (v > 0) != (t[n] > 0.5) {
			wrong++
		}
		switch t[n] {
		case 1:
			margin = math.Min(margin, v)
		case 0:
			margin = math.Min(margin, -v)
		default:
			hard = false
		}
	}
	return wrong, margin, hard
}

// Gram adds ZᵀZ in tiles of 2×4. The eight sums and six operands of a tile fit into the sixteen
// registers that compiled Go can use. A 4×4 tile would not fit and is slower.
func (plainKernels) Gram(g, z []float64, n, ld, m int, _ []float64) {
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
