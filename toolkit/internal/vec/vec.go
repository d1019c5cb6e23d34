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

// Kernels are the loops of one path. Every method accepts a run without rows.
type Kernels interface {
	// Name returns the value of HYPERPLANE_KERNEL that selects the path.
	Name() string
	// Gram adds ZᵀZ of n packed rows of m columns to the ld×ld matrix g. Only the tiles of g on and
	// above the diagonal are valid afterwards. Gram also prefetches the slice ahead.
	Gram(g, z []float64, n, ld, m int, ahead []float64)
	// Cross adds AᵀB of n packed rows to c, lda×ldb.
	Cross(c, a []float64, lda int, b []float64, ldb, n int)
	// Affine packs n rows of x. Row r of z becomes the bias followed by x·scale − shift, with the
	// shift of class[r]; see NewPacking. If ahead is set, Affine also prefetches the n rows that
	// follow in memory.
	Affine(z []float64, ld int, x []float64, stride, n int, p *Packing, class []int, ahead bool)
	// Margins writes the product of w and each of n packed rows to out. w contains ld numbers,
	// which are zero after the first m.
	Margins(out, z []float64, n, ld, m int, w []float64)
	// Products writes bias + Σ_j (x_j − shift_j)·w_j of n rows of x to out, for each vector of
	// weights of f. The results of vector k start at out[k·ldo]. If ahead is set, Products also
	// prefetches the n rows that follow in memory.
	Products(out []float64, ldo int, x []float64, stride, n int, f *Form, ahead bool)
	// Squares writes bias + Σ_j ((x_j − shift_j)·w_j)² of n rows of x to out, with the first vector
	// of weights of f, and prefetches as Products does.
	Squares(out, x []float64, stride, n int, f *Form, ahead bool)
	// Lengths writes ‖R⁻ᵀ(x − shift)‖² of n rows of x to out. The results of whitening k start at
	// out[k·ldo]. room is a buffer of at least Room(d) numbers.
	Lengths(out []float64, ldo int, x []float64, stride, n int, w []*Whitening, room []float64)
	// AddRows adds Σ_r s_r z_r to the m numbers of dst. It computes the whole sum before it changes
	// dst.
	AddRows(dst, z []float64, n, ld int, s []float64)
	// Scale writes s_r z_r of n packed rows to the first m columns of to. It may also write to the
	// padding after these columns.
	Scale(to []float64, ldto int, z []float64, ld, m, n int, s []float64)
	// AddByClass adds s_r z_r to row class[r] of sum. A row of sum has ld numbers.
	AddByClass(sum, z []float64, n, ld int, class []int, s []float64)
	// AddSquares adds s_r z_r², squared element by element, to row class[r] of sum.
	AddSquares(sum, z []float64, n, ld int, class []int, s []float64)
	// PackSquare writes the products z_i z_j, i ≤ j < m, of each row to v, ordered by i and then by
	// j. ldv is at least PackedSquare(m). PackSquare may read Pad numbers after the last row.
	PackSquare(v []float64, ldv int, z []float64, ld, m, n int)
	// Columns updates the statistics c with n rows of x, adding share_r·x_r to c.Sum. It reports
	// whether all numbers of the rows are finite. Each slice of c contains Width(c.D) numbers.
	Columns(c Columns, x []float64, stride, n int, share []float64) (finite bool)
	// Finite reports whether all numbers of a are finite.
	Finite(a []float64) bool
	// ByRow transposes k columns of n numbers: it writes a[c·lda+r] to out[r·stride+c].
	ByRow(out []float64, stride int, a []float64, lda, n, k int)
	// Exp writes exp(a), within 2 ulp.
	Exp(y, a []float64)
	// Sigmoid writes σ(a) and σ(−a), each within 4 ulp.
	Sigmoid(y, c, a []float64)
	// CrossEntropy returns Σ s{−t ln σ(a) − (1−t) ln σ(−a)}. It writes the first two derivatives of
	// the expression in braces with respect to a, y−t and y(1−y), PRML (4.90), (4.91), (4.97). A
	// nil s means weights of 1.
	CrossEntropy(a, t, s, d1, d2 []float64) float64
	// Normal writes Φ(a) and Φ(−a), each within 8 ulp.
	Normal(y, c, a []float64)
	// Probit returns Σ s{−t ln Φ(a) − (1−t) ln Φ(−a)}. It writes the first two derivatives of the
	// expression in braces with respect to a, PRML (4.114). A nil s means weights of 1. If t is 0
	// or 1, the value and the first derivative of a row are within 8 ulp. The second derivative is
	// then within 12 ulp, and within 128 on the plain path.
	Probit(a, t, s, d1, d2 []float64) float64
	// Softmax writes y and y−t, PRML (4.104), (4.109), of the first n rows of s, and adds their
	// losses and other results to the sums in to. It may change numbers of s after these rows.
	// Apart from the rounding of differences of activations, y is within 8 ulp. If t is 0 or 1, y−t
	// is also within 8 ulp.
	Softmax(s *SoftmaxRun, n int, to *SoftmaxSums)
	// Sides returns the number of wrong rows, the least margin, and whether every t is 0 or 1. A
	// row is wrong if a > 0 and t ≤ ½, or if a ≤ 0 and t > ½. The margin is a for t = 1 and −a for
	// t = 0. If any margin is NaN, the least margin is NaN.
	Sides(a, t []float64) (wrong int, margin float64, hard bool)
	// Sizes returns sums over rows with activations a and with derivatives d1 and d2 of the loss.
	// It replaces each number of d2 with its square root.
	Sizes(a, d1, d2 []float64) Sizes
}

// Sizes are Σd1²/d2 over the rows where d1 is not 0, Σ|d1|, Σd2 and Σ|a·d2|.
type Sizes struct{ Pearson, Slopes, Bends, Moved float64 }

// Columns contains running statistics of D columns: the least number, the largest number, and the
// sum of share_r·x_r, which becomes the mean.
type Columns struct {
	D              int
	Low, High, Sum []float64
}

// PackedSquare returns the space for the products of a row of m columns. It includes the numbers
// that the kernel writes after the products.
func PackedSquare(m int) int { return Width(m*(m+1)/2) + Pad }

// Variable is the environment variable that chooses a path.
const Variable = "HYPERPLANE_KERNEL"

// Use returns the path of this run. The first call reads the environment.
var Use = sync.OnceValue(func() Kernels { return choose(os.Getenv(Variable)) })

// few is the number of rows below which vector instructions do not speed up a sum over rows.
const few = 64

// For returns the path for a run of n rows: the plain path if n is below few, otherwise the path of
// Use.
func For(n int) Kernels {
	if n < few {
		return plain{}
	}
	return Use()
}

// choose returns the path with that name, or the fastest path for "". If this processor does not
// support the path, choose writes a message to standard error and returns the plain path.
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

// Packing is the mapping x·scale − shift for rows of D columns. Each class has a shift.
type Packing struct {
	D, LD        int
	scale, shift []float64 // padded, column 0 first
	masks        [2]struct{ first, last [Pad]int64 }
}

// NewPacking pads scale and the shifts of the classes. A nil scale means 1, and a missing shift
// means 0. bias is the value of column 0 of the packed rows.
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
		p.shift[k] = -bias // column 0 is computed as 0·0 − (−bias)
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

// vectors returns the number of vectors, each with the given number of lanes, that hold a packed
// row.
func (p *Packing) vectors(lanes int) int { return (p.D + lanes) / lanes }

// mask returns a lane's value in a mask: −1 if the lane is on, otherwise 0.
func mask(on bool) int64 {
	if on {
		return -1
	}
	return 0
}
