package vec

// Form contains the parameters of Products and Squares: a shift and K vectors. Each vector consists
// of a bias and the weights of the D differences x_j − shift_j.
type Form struct {
	d              int
	bias           []float64 // biases of the K vectors
	shift, weights []float64 // padded to Width(d) numbers; `weights` contains the K weight vectors
}

// NewForm returns a Form with copies of its arguments. Each of the vectors w begins with the bias.
// A nil shift means 0.
func NewForm(shift []float64, w ...[]float64) *Form {
	d, k := len(w[0])-1, len(w)
	ld := Width(d)
	room := make([]float64, k+(k+1)*ld)
	f := &Form{d: d, bias: room[:k], shift: room[k : k+ld], weights: room[k+ld:]}
	copy(f.shift, shift)
	for i, v := range w {
		f.bias[i] = v[0]
		copy(f.weights[i*ld:], v[1:])
	}
	return f
}

// vector returns the bias and the weights of vector k.
func (f *Form) vector(k int) (bias float64, w []float64) {
	return f.bias[k], f.weights[k*Width(f.d):][:f.d]
}

// Whitening describes the vector R⁻ᵀ(x − shift) for a row x, where R is upper triangular. Lengths
// computes the squared length of this vector.
type Whitening struct {
	d       int
	shift   []float64
	r       []float64 // R by rows
	columns []float64 // the columns of R, from the top to the diagonal; a diagonal element is replaced by its reciprocal
}

// NewWhitening returns a Whitening. It keeps the slices `shift` and `r`, and does not copy them.
// The slice `r` contains the D×D matrix R row by row.
func NewWhitening(shift, r []float64) *Whitening {
	t := &Whitening{d: len(shift), shift: shift, r: r}
	for j := range t.d {
		for i := range j {
			t.columns = append(t.columns, r[i*t.d+j])
		}
		t.columns = append(t.columns, 1/r[j*t.d+j])
	}
	return t
}

// Room returns the length of the buffer that Lengths needs for rows of d numbers.
func Room(d int) int { return (2*d + 1) * Group }

// Group is the largest number of rows that Lengths processes at the same time.
const Group = 8 * Pad

func (plainKernels) Products(out []float64, ldo int, x []float64, stride, n int, f *Form, _ bool) {
	shift := f.shift[:f.d]
	for k := range f.bias {
		bias, w := f.vector(k)
		for r := range n {
			row := x[r*stride:][:len(w)]
			// Add in the same order as Margins in plain Go does for rows that begin with 1.
			s := [4]float64{bias}
			whole := (len(w)+1)&^3 - 1
			for j, v := range row {
				at := 0
				if j < whole {
					at = (j + 1) & 3
				}
				s[at] += (v - shift[j]) * w[j]
			}
			out[k*ldo+r] = (s[0] + s[1]) + (s[2] + s[3])
		}
	}
}

func (plainKernels) Squares(out, x []float64, stride, n int, f *Form, _ bool) {
	shift := f.shift[:f.d]
	bias, w := f.vector(0)
	for r := range n {
		row := x[r*stride:][:len(w)]
		var s float64
		for j, v := range row {
			u := (v - shift[j]) * w[j]
			s += u * u
		}
		out[r] = bias + s
	}
}

func (plainKernels) Lengths(out []float64, ldo int, x []float64, stride, n int, whitenings []*Whitening,
	room []float64) {
	for k, t := range whitenings {
		u := room[:t.d]
		for r := range n {
			for j, v := range x[r*stride:][:len(u)] {
				u[j] = v - t.shift[j]
			}
			var s float64
			for i := range u {
				row := t.r[i*t.d:][:len(u)]
				u[i] /= row[i]
				a := u[i]
				for j := i + 1; j < len(u); j++ {
					u[j] -= row[j] * a
				}
				s += a * a
			}
			out[k*ldo+r] = s
		}
	}
}

func (plainKernels) ByRow(out []float64, stride int, a []float64, lda, n, k int) {
	for c := range k {
		for r, v := range a[c*lda:][:n] {
			out[r*stride+c] = v
		}
	}
}

// byColumns transposes n rows of d numbers into d columns of `group` numbers. It fills each column
// with zeros after the first n numbers.
func byColumns(to []float64, group int, x []float64, stride, n, d int) {
	r := 0
	for ; r+4 <= n; r += 4 {
		x0, x1 := x[r*stride:][:d], x[(r+1)*stride:][:d]
		x2, x3 := x[(r+2)*stride:][:d], x[(r+3)*stride:][:d]
		for j := range d {
			column := to[j*group+r:][:4]
			column[0], column[1], column[2], column[3] = x0[j], x1[j], x2[j], x3[j]
		}
	}
	for j := range d {
		column := to[j*group:][:group]
		for i := r; i < n; i++ {
			column[i] = x[i*stride+j]
		}
		clear(column[n:])
	}
}
