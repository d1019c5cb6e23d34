package vec

import (
	"fmt"
	"os"
	"slices"
	"sync"
)

// Pad is the number of float64 values in the widest vector register. The length of a packed row is
// a multiple of Pad.
const Pad = 8

// Width returns the length of a packed row of m columns.
func Width(m int) int { return (m + Pad - 1) &^ (Pad - 1) }

// Kernels contains the loops of one code path, such as AVX2. Every method accepts a call with no
// rows. The path in plain Go does not prefetch.
type Kernels interface {
	// Name returns the value of HYPERPLANE_KERNEL that selects this path.
	Name() string
	// Gram adds ZᵀZ to the ld×ld matrix g, where Z consists of n packed rows with m columns.
	// Afterwards only the elements of g on and above the diagonal are valid. Gram also prefetches
	// the slice `ahead`.
	Gram(g, z []float64, n, ld, m int, ahead []float64)
	// Cross adds AᵀB to the lda×ldb matrix c, where A and B consist of n packed rows each.
	Cross(c, a []float64, lda int, b []float64, ldb, n int)
	// Affine packs n rows of x. Row r of z becomes the bias, followed by x·scale − shift with the
	// shift of class[r] (see NewPacking). If the argument `ahead` is true, Affine also prefetches
	// the n rows that follow in memory.
	Affine(z []float64, ld int, x []float64, stride, n int, p *Packing, class []int, ahead bool)
	// Margins writes the product wᵀz of each of n packed rows z to the slice `out`. The slice w
	// contains ld numbers, which are zero after the first m.
	Margins(out, z []float64, n, ld, m int, w []float64)
	// Products writes bias + Σ_j (x_j − shift_j)·w_j to the slice `out`, for n rows x and for each
	// weight vector w of f. The results for vector k begin at out[k·ldo]. If the argument `ahead`
	// is true, Products also prefetches the n rows that follow in memory.
	Products(out []float64, ldo int, x []float64, stride, n int, f *Form, ahead bool)
	// Squares writes bias + Σ_j ((x_j − shift_j)·w_j)² to the slice `out`, for n rows x and for the
	// first weight vector w of f. If the argument `ahead` is true, Squares also prefetches the n
	// rows that follow in memory.
	Squares(out, x []float64, stride, n int, f *Form, ahead bool)
	// Lengths writes ‖R⁻ᵀ(x − shift)‖² to the slice `out`, for n rows x and for each whitening. The
	// results for whitening k begin at out[k·ldo]. The last argument is a buffer of at least
	// Room(d) numbers.
	Lengths(out []float64, ldo int, x []float64, stride, n int, w []*Whitening, room []float64)
	// AddRows adds the sum Σ_r s_r z_r of n packed rows to dst, whose length is the number of
	// columns. It computes the whole sum of a column before it changes this column of dst.
	AddRows(dst, z []float64, n, ld int, s []float64)
	// Scale writes the products s_r z_r for n packed rows to the first m columns of the slice `to`.
	// It may also write to the padding after these columns.
	Scale(to []float64, ldto int, z []float64, ld, m, n int, s []float64)
	// AddByClass adds s_r z_r to row class[r] of `sum`, for each row r. A row of `sum` has ld
	// numbers.
	AddByClass(sum, z []float64, n, ld int, class []int, s []float64)
	// AddSquares squares the elements of z_r and adds s_r z_r² to row class[r] of `sum`, for each
	// row r.
	AddSquares(sum, z []float64, n, ld int, class []int, s []float64)
	// PackSquare writes the products z_i z_j, i ≤ j < m, of each row to v, ordered by i and then by
	// j. ldv is at least PackedSquare(m). PackSquare may read Pad numbers after the last row.
	PackSquare(v []float64, ldv int, z []float64, ld, m, n int)
	// Columns updates the statistics c with n rows of x. It adds share_r·x_r to c.Sum for each row
	// r. It reports whether all numbers of the rows are finite. Each slice of c contains Width(c.D)
	// numbers.
	Columns(c Columns, x []float64, stride, n int, share []float64) (finite bool)
	// Finite reports whether all numbers of a slice are finite.
	Finite(a []float64) bool
	// ByRow transposes k columns of n numbers: it writes a[c·lda+r] to out[r·stride+c].
	ByRow(out []float64, stride int, a []float64, lda, n, k int)
	// Exp writes exp(a), with an error of at most 2 ulp.
	Exp(y, a []float64)
	// Sigmoid writes σ(a) and σ(−a), each with an error of at most 4 ulp.
	Sigmoid(y, c, a []float64)
	// CrossEntropy returns Σ s{−t ln σ(a) − (1−t) ln σ(−a)}, PRML (4.90), where s contains the
	// weights of the rows. If s is nil, all weights are 1. CrossEntropy also writes the first two
	// derivatives of the expression in braces with respect to a: y−t (4.91) and y(1−y) (4.97).
	CrossEntropy(a, t, s, d1, d2 []float64) float64
	// Normal writes Φ(a) and Φ(−a), each with an error of at most 8 ulp.
	Normal(y, c, a []float64)
	// Probit returns Σ s{−t ln Φ(a) − (1−t) ln Φ(−a)}, where s contains the weights of the rows and
	// Φ is defined in PRML (4.114). If s is nil, all weights are 1. Probit also writes the first
	// two derivatives of the expression in braces with respect to a. If t is 0 or 1, the errors for
	// a row are at most 8 ulp for the value and for the first derivative. For the second derivative
	// they are at most 12 ulp, and in plain Go at most 128 ulp.
	Probit(a, t, s, d1, d2 []float64) float64
	// Softmax writes y, PRML (4.104), and y−t (4.109) for the first n rows of s. It also updates
	// the argument `to` with these rows. It may change the later rows of s. Apart from the rounding
	// errors of the differences between activations, the error of y is at most 8 ulp. If t is 0 or
	// 1, the error of y−t is also at most 8 ulp.
	Softmax(s *SoftmaxRun, n int, to *SoftmaxSums)
	// Sides returns the number of wrong rows, the smallest margin, and whether every t is 0 or 1. A
	// row is wrong if a > 0 and t ≤ ½, or if t > ½ and a is not positive. The margin is the
	// activation a if t = 1, and −a if t = 0. Other rows have no margin. If a margin is NaN and no
	// margin is −Inf, the smallest margin is NaN. Without margins it is +Inf.
	Sides(a, t []float64) (wrong int, margin float64, hard bool)
	// Sizes returns the sums that the type Sizes describes. The rows have the activations a, and d1
	// and d2 are the derivatives of their losses. Sizes replaces each number in d2 with its square
	// root.
	Sizes(a, d1, d2 []float64) Sizes
}

// Sizes contains the sums Σd1²/d2 (over the rows in which d1 is not 0), Σ|d1|, Σd2 and Σ|a·d2|.
type Sizes struct{ Pearson, Slopes, CurvatureSum, Moved float64 }

// Columns contains statistics of D columns, to which rows can be added: the smallest number, the
// largest number, and the sum of share_r·x_r. If the shares of all rows add up to 1, this sum is
// the weighted mean.
type Columns struct {
	D              int
	Low, High, Sum []float64
}

// PackedSquare returns the smallest ldv that PackSquare accepts for rows of m columns. It leaves
// room for the numbers that PackSquare may write after the products of a row.
func PackedSquare(m int) int { return Width(m*(m+1)/2) + Pad }

// Variable is the name of the environment variable that selects a code path.
const Variable = "HYPERPLANE_KERNEL"

// Use returns the code path that the environment variable HYPERPLANE_KERNEL selects. The first call
// reads the variable.
var Use = sync.OnceValue(func() Kernels { return choose(os.Getenv(Variable)) })

// fewRows is the number of rows below which a sum over rows is not faster with vector instructions.
const fewRows = 64

// For returns the code path for a sum over n rows. If n is less than fewRows, this is the path in
// plain Go. Otherwise it is the path that Use returns.
func For(n int) Kernels {
	if n < fewRows {
		return plainKernels{}
	}
	return Use()
}

// choose returns the code path with the given name, or the fastest one if the name is empty. If Paths
// contains no path with this name, choose writes a message to standard error and returns the path
// in plain Go.
func choose(name string) Kernels {
	paths := Paths()
	if name == "" {
		return paths[len(paths)-1]
	}
	i := slices.IndexFunc(paths, func(k Kernels) bool { return k.Name() == name })
	if i < 0 {
		fmt.Fprintf(os.Stderr, "%s is %q: want one of %s on this processor; using generic\n", Variable, name,
			names(paths))
		return plainKernels{}
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

// Packing describes the mapping from a row x of D columns to x·scale − shift. Each class has its
// own shift.
type Packing struct {
	D, LD        int
	scale, shift []float64 // padded copies of scale and shifts; they begin with column 0
	masks        [2]struct{ first, last [Pad]int64 }
}

// NewPacking returns a Packing with padded copies of scale and of the shifts of the classes. A nil
// scale means 1, and a nil shift means 0. The argument `bias` is the value of column 0 in every
// packed row.
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
		p.shift[k] = -bias // column 0 of a packed row is computed as 0·0 − (−bias)
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

// vectors returns how many vectors a packed row fills. The argument is the number of lanes of a
// vector.
func (p *Packing) vectors(lanes int) int { return (p.D + lanes) / lanes }

// mask returns the value that a lane has in a mask: −1 if the lane is used, and 0 if it is not.
func mask(on bool) int64 {
	if on {
		return -1
	}
	return 0
}
