package vec

import (
	"fmt"
	"os"
	"slices"
	"sync"
)

// Pad is the width of the widest vector. The length of a packed row is a multiple of it.
const Pad = 8

// Width returns the length of a packed row of m columns.
func Width(m int) int { return (m + Pad - 1) &^ (Pad - 1) }

// Kernels are the loops of one path. Runs may have no rows.
type Kernels interface {
	// Name returns the name of the path in HYPERPLANE_KERNEL.
	Name() string
	// Gram adds ZᵀZ of n packed rows of m columns to the tiles of g, ld×ld, on and above the
	// diagonal. Tiles below the diagonal may change too. Meanwhile it prefetches ahead.
	Gram(g, z []float64, n, ld, m int, ahead []float64)
	// Cross adds AᵀB of n packed rows to c, lda×ldb.
	Cross(c, a []float64, lda int, b []float64, ldb, n int)
	// Affine packs n rows of d numbers of x: row r of z is the bias and x·scale − shift, with the
	// shift of the row's class. See NewPacking. With ahead it also prefetches as many rows after
	// them.
	Affine(z []float64, ld int, x []float64, stride, n int, p *Packing, class []int, ahead bool)
	// Margins writes the products of n packed rows with w, of ld numbers with zeros
	// behind m, to out.
	Margins(out, z []float64, n, ld, m int, w []float64)
	// Products writes bias + Σ_j (x_j − shift_j)·w_j of n rows of x to out. With ahead it also
	// prefetches as many rows after them.
	Products(out, x []float64, stride, n int, f *Form, ahead bool)
	// Squares writes bias + Σ_j ((x_j − shift_j)·w_j)² in the same way.
	Squares(out, x []float64, stride, n int, f *Form, ahead bool)
	// Lengths writes ‖R⁻ᵀ(x − shift)‖² of n rows of x to out, from k·ldo on for whitening k. room
	// has as many numbers as Room returns.
	Lengths(out []float64, ldo int, x []float64, stride, n int, w []*Whitening, room []float64)
	// AddRows adds Σ_r s_r z_r to dst, of m numbers. It completes the sum before adding it.
	AddRows(dst, z []float64, n, ld int, s []float64)
	// Scale writes s_r z_r of n packed rows to the first m columns of to, and perhaps
	// to the columns behind them within the padding.
	Scale(to []float64, ldto int, z []float64, ld, m, n int, s []float64)
	// AddByClass adds s_r z_r to row class_r of sum, whose rows have ld numbers.
	AddByClass(sum, z []float64, n, ld int, class []int, s []float64)
	// AddSquares adds s_r z_r², number by number, in the same way.
	AddSquares(sum, z []float64, n, ld int, class []int, s []float64)
	// PackSquare writes the products z_i z_j, i ≤ j < m, of each row to v, by i and
	// then by j; ldv is at least PackedSquare(m). It may read Pad numbers behind the last row.
	PackSquare(v []float64, ldv int, z []float64, ld, m, n int)
	// Columns adds n rows of x to the statistics of their columns. It reports whether all numbers
	// are finite. The slices of c have space for Width numbers.
	Columns(c Columns, x []float64, stride, n int, share []float64) (finite bool)
	// Exp writes exp(a), within 2 ulp.
	Exp(y, a []float64)
	// Sigmoid writes σ(a) and σ(−a), each within 4 ulp.
	Sigmoid(y, c, a []float64)
	// CrossEntropy returns Σ s{−t ln σ(a) − (1−t) ln σ(−a)} and writes the derivatives
	// of the braces in a, y−t and y(1−y), PRML (4.90), (4.91), (4.97). A nil s is 1.
	CrossEntropy(a, t, s, d1, d2 []float64) float64
	// Normal writes Φ(a) and Φ(−a), each within 8 ulp.
	Normal(y, c, a []float64)
	// Probit returns Σ s{−t ln Φ(a) − (1−t) ln Φ(−a)} and writes the derivatives of the braces in
	// a, PRML (4.114). A nil s is 1. For t of 0 or 1 a row's value and first derivative are within
	// 8 ulp, and its second derivative within 12, on the plain path within 128.
	Probit(a, t, s, d1, d2 []float64) float64
	// Softmax writes y and y−t, PRML (4.104), (4.109), of the first n rows and adds to the sums.
	// Numbers after these rows may change. Apart from the rounding of differences of activations,
	// y is within 8 ulp, and so is y−t if t is 0 or 1.
	Softmax(s *SoftmaxRun, n int, to *SoftmaxSums)
	// Sides returns how many rows have a > 0 and t ≤ ½ or the reverse, the least
	// margin, a where t = 1 and −a where t = 0, and whether t has no other values.
	// If any margin is NaN, the least margin is NaN.
	Sides(a, t []float64) (wrong int, margin float64, hard bool)
	// Sizes returns sums over rows with activations a and derivatives d1 and d2 of their
	// loss, and turns d2 into its square roots.
	Sizes(a, d1, d2 []float64) Sizes
}

// Sizes are Σd1²/d2 over the rows where d1 is not 0, Σ|d1|, Σd2 and Σ|a·d2|.
type Sizes struct{ Pearson, Slopes, Bends, Moved float64 }

// Columns are running statistics of D columns: the least and the largest number, and
// the sum of the shares of the mean.
type Columns struct {
	D              int
	Low, High, Sum []float64
}

// PackedSquare returns the space for the products of a row of m columns, including the numbers
// that the kernel writes after them.
func PackedSquare(m int) int { return Width(m*(m+1)/2) + Pad }

// Variable is the environment variable that chooses a path.
const Variable = "HYPERPLANE_KERNEL"

// Use returns the path of this run. The first call reads the environment.
var Use = sync.OnceValue(func() Kernels { return choose(os.Getenv(Variable)) })

// few is the number of rows below which vector units do not pay off for a sum over rows.
const few = 64

// For returns the path for a run of n rows, which is the plain one for few rows.
func For(n int) Kernels {
	if n < few {
		return plain{}
	}
	return Use()
}

// choose returns the path with that name, or the fastest path for "". If this processor lacks the
// path, choose writes so to standard error and returns the plain path.
func choose(name string) Kernels {
	paths := Paths()
	if name == "" {
		return paths[len(paths)-1]
	}
	i := slices.IndexFunc(paths, func(k Kernels) bool { return k.Name() == name })
	if i < 0 {
		fmt.Fprintf(os.Stderr, "%s is %q: want one of %s on this processor; using generic\n", Variable, name,
			names(paths))
		return plain{}
	}
	return paths[i]
}

func names(paths []Kernels) string {
	var s []string
	for _, p := range paths {
		s = append(s, p.Name())
	}
	return fmt.Sprint(s)
}

// Packing is x·scale − shift for rows of d columns, with a shift for each class.
type Packing struct {
	D, LD        int
	scale, shift []float64 // padded, column 0 first
	masks        [2]struct{ first, last [Pad]int64 }
}

// NewPacking pads scale and the shifts of the classes. A nil scale, or no shift, leaves x as it
// is. bias is the value of column 0 of the packed rows.
func NewPacking(d int, bias float64, scale []float64, shift ...[]float64) *Packing {
	p := &Packing{D: d, LD: Width(d + 1)}
	p.scale, p.shift = make([]float64, p.LD), make([]float64, max(len(shift), 1)*p.LD)
	for j := range d {
		p.scale[j+1] = 1
	}
	if scale != nil {
		copy(p.scale[1:], scale)
	}
	for k := 0; k < len(p.shift); k += p.LD {
		p.shift[k] = -bias // column 0 is 0·0 − (−bias)
	}
	for k, s := range shift {
		copy(p.shift[k*p.LD+1:], s)
	}
	for i := range p.masks {
		lanes := 4 << i
		last := p.vectors(lanes) - 1
		for j := range lanes {
			p.masks[i].first[j] = mask(j > 0 && j <= d)
			p.masks[i].last[j] = mask(last*lanes+j <= d)
		}
	}
	return p
}

// vectors returns the number of vectors of the given number of lanes that hold a row.
func (p *Packing) vectors(lanes int) int { return (p.D + lanes) / lanes }

// mask returns the mask of one lane.
func mask(on bool) int64 {
	if on {
		return -1
	}
	return 0
}
