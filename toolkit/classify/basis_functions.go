package classify

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

var _ Basis = (*GaussianBasis)(nil)

// GaussianBasis consists of Gaussian functions around centres, PRML (3.4) and figure 4.12,
//
//	φ_j(x) = exp(−‖x − c_j‖²/2s_j²).
//
// Alpaydin 10.2 writes exp(−‖x−m‖²/c), so Alpaydin's c is 2s².
type GaussianBasis struct {
	Centres [][]float64 // centres, M rows of D numbers
	Widths  []float64   // s_j, M numbers
}

// BasisGaussian returns a GaussianBasis whose centres are the rows of the M×D matrix `centres`.
// Give one width for all functions, or M widths, one for each function. BasisCentresKMeans returns
// suitable centres. Errors: no centres, NaN or Inf in a centre, a number of widths other than 1 or
// M, a width that is not a finite positive number.
func BasisGaussian(centres mat.Matrix, width ...float64) (*GaussianBasis, error) {
	src, _, err := check.Inputs(centres)
	if err != nil {
		return nil, failure("BasisGaussian", fmt.Errorf("in the matrix of centres, here called x: %w", err))
	}
	m, d := src.Dims()
	if len(width) != 1 && len(width) != m {
		return nil, failure("BasisGaussian",
			fmt.Errorf("%d widths for %d centres: give one common width, or one width for each centre", len(width), m))
	}
	b := &GaussianBasis{}
	for i := range m {
		c := make([]float64, d)
		for j := range c {
			c[j] = centres.At(i, j)
		}
		b.Centres = append(b.Centres, c)
		b.Widths = append(b.Widths, width[i%len(width)])
	}
	if err := b.check(); err != nil {
		return nil, failure("BasisGaussian", err)
	}
	return b, nil
}

// Dims returns the number D of inputs and the number M of functions.
func (b *GaussianBasis) Dims() (d, m int) {
	if len(b.Centres) == 0 {
		return 0, 0
	}
	return len(b.Centres[0]), len(b.Centres)
}

// Eval writes the M values φ(x) to phi.
func (b *GaussianBasis) Eval(phi, x []float64) error {
	if b == nil {
		return failure("GaussianBasis", errNoBasis)
	}
	for j, c := range b.Centres {
		s := b.Widths[j]
		var r2 float64
		for i, v := range c {
			q := (x[i] - v) / s
			r2 += q * q
		}
		phi[j] = kernels.Bell(r2)
	}
	return nil
}

func (b *GaussianBasis) check() error {
	if err := basisTable("GaussianBasis.Centres", b.Centres); err != nil {
		return err
	}
	if err := check.Vector("GaussianBasis.Widths", b.Widths, len(b.Centres), "one per centre"); err != nil {
		return err
	}
	for j, s := range b.Widths {
		if !(s > 0) {
			return fmt.Errorf("GaussianBasis.Widths[%d] is %v: a width must be greater than 0", j, s)
		}
	}
	return nil
}

var _ = codec.Register(codec.Kind[GaussianBasis]{Key: "kind", Schema: "gaussian"})

var _ Basis = (*RidgeBasis)(nil)

// RidgeBasis consists of functions that each vary in a single direction,
//
//	φ_j(x) = f(w_j0 + w_j1 x_1 + … + w_jD x_D).
//
// Four functions in Alpaydin's list in 10.2 have this form:
//
//	sin(x1)          f = "sin",       w = (0, 1, 0)
//	log(x2)          f = "log",       w = (0, 0, 1)
//	1(x1 > c)        f = "indicator", w = (−c, 1, 0)
//	1(ax1 + bx2 > c) f = "indicator", w = (−c, a, b)
//
// With f = "sigmoid", the functions are the hidden units of a perceptron with one hidden layer,
// PRML (3.5).
type RidgeBasis struct {
	Function string      // name of f: "sigmoid", "indicator", "log" or "sin"
	W        [][]float64 // weights, M rows of D+1 numbers, bias first
}

// ridgeFunctions maps names to the functions f that a RidgeBasis can use.
var ridgeFunctions = map[string]func(a float64) float64{
	"sigmoid": kernels.Sigmoid,
	"indicator": func(a float64) float64 {
		if a > 0 {
			return 1
		}
		return 0
	},
	"log": math.Log,
	"sin": math.Sin,
}

// Dims returns the number D of inputs and the number M of functions.
func (b *RidgeBasis) Dims() (d, m int) {
	if len(b.W) == 0 {
		return 0, 0
	}
	return len(b.W[0]) - 1, len(b.W)
}

// Eval writes the M values φ(x) to phi.
func (b *RidgeBasis) Eval(phi, x []float64) error {
	if b == nil {
		return failure("RidgeBasis", errNoBasis)
	}
	f := ridgeFunctions[b.Function]
	for j, w := range b.W {
		a := w[0]
		for i, v := range w[1:] {
			a += v * x[i]
		}
		if b.Function == "log" && !(a > 0) {
			return fmt.Errorf("basis function %d is the logarithm of %v: the argument must be greater than 0; change the bias of the function, or leave the function out", j, a)
		}
		phi[j] = f(a)
	}
	return nil
}

func (b *RidgeBasis) check() error {
	if ridgeFunctions[b.Function] == nil {
		return fmt.Errorf("RidgeBasis.Function is %q: want sigmoid, indicator, log or sin", b.Function)
	}
	if err := basisTable("RidgeBasis.W", b.W); err != nil {
		return err
	}
	if len(b.W[0]) < 2 {
		return fmt.Errorf("RidgeBasis.W[0] has %d entries: want one entry for the bias and one for each column of x", len(b.W[0]))
	}
	return nil
}

var _ = codec.Register(codec.Kind[RidgeBasis]{Key: "kind", Schema: "ridge"})

var _ Basis = (*PolynomialBasis)(nil)

// PolynomialBasis consists of products of powers of the inputs,
//
//	φ_j(x) = Π_i x_i^p,  p = Powers[j][i].
//
// If φ contains all terms of degree 1 and 2, a model that is linear in φ is the quadratic
// discriminant of Alpaydin (10.34). The same discriminant in Alpaydin's (10.2) lacks a transpose
// (erratum A1).
type PolynomialBasis struct {
	Powers [][]int // powers, M rows of D exponents
}

// maxBasisFunctions is the maximum number of functions in a basis from BasisPolynomial.
const maxBasisFunctions = 1 << 20

// BasisPolynomial returns all products of powers of the d inputs whose total degree is between 1
// and `degree`. The products are sorted by degree and then by falling powers of x_1: x1, x2, x1²,
// x1x2, x2², …. Their number is the binomial coefficient (d+`degree` over `degree`), minus 1.
// Errors: d or `degree` below 1, more than 2²⁰ products.
//
// Equations: Alpaydin (10.2), (10.34).
func BasisPolynomial(d, degree int) (*PolynomialBasis, error) {
	if d < 1 || degree < 1 {
		return nil, failure("BasisPolynomial", fmt.Errorf("d is %d and degree is %d: both must be at least 1", d, degree))
	}
	count := 1.0
	for i := 1; i <= degree && count-1 <= maxBasisFunctions; i++ {
		count = count * float64(d+i) / float64(i)
	}
	if count-1 > maxBasisFunctions {
		return nil, failure("BasisPolynomial",
			fmt.Errorf("degree %d in %d inputs gives more than %d terms: lower the degree or choose columns with BasisColumns", degree, d, maxBasisFunctions))
	}
	b := &PolynomialBasis{}
	for g := 1; g <= degree; g++ {
		b.addPowers(make([]int, d), 0, g)
	}
	return b, nil
}

// addPowers appends rows of powers to b.Powers: all rows that begin with p[:i] and whose other
// powers add up to `degree`.
func (b *PolynomialBasis) addPowers(p []int, i, degree int) {
	if i == len(p)-1 {
		p[i] = degree
		b.Powers = append(b.Powers, slices.Clone(p))
		return
	}
	for e := degree; e >= 0; e-- {
		p[i] = e
		b.addPowers(p, i+1, degree-e)
	}
}

// BasisProducts returns the terms of degree 1 and 2 in the order of Alpaydin 10.2: the d inputs,
// their squares, and the products of two different inputs. For d = 2 the terms are x1, x2, x1²,
// x2², x1x2. BasisProducts returns an error for d outside 1 … 1000.
func BasisProducts(d int) (*PolynomialBasis, error) {
	if d < 1 || d > 1000 {
		return nil, failure("BasisProducts", fmt.Errorf("d is %d: it must be between 1 and 1000", d))
	}
	b := &PolynomialBasis{}
	term := func(e int, at ...int) {
		p := make([]int, d)
		for _, i := range at {
			p[i] += e
		}
		b.Powers = append(b.Powers, p)
	}
	for e := 1; e <= 2; e++ {
		for i := range d {
			term(e, i)
		}
	}
	for i := range d {
		for j := i + 1; j < d; j++ {
			term(1, i, j)
		}
	}
	return b, nil
}

// Dims returns the number D of inputs and the number M of functions.
func (b *PolynomialBasis) Dims() (d, m int) {
	if len(b.Powers) == 0 {
		return 0, 0
	}
	return len(b.Powers[0]), len(b.Powers)
}

// Eval writes the M values φ(x) to phi.
func (b *PolynomialBasis) Eval(phi, x []float64) error {
	if b == nil {
		return failure("PolynomialBasis", errNoBasis)
	}
	for j, p := range b.Powers {
		v := 1.0
		for i, e := range p {
			for ; e > 0; e-- {
				v *= x[i]
			}
		}
		phi[j] = v
	}
	return nil
}

func (b *PolynomialBasis) check() error {
	for j, p := range b.Powers {
		if len(p) != len(b.Powers[0]) {
			return fmt.Errorf("PolynomialBasis.Powers[%d] has %d entries: want %d, as in Powers[0]", j, len(p),
				len(b.Powers[0]))
		}
		total := 0
		for i, e := range p {
			if e < 0 || e > 1000 {
				return fmt.Errorf("PolynomialBasis.Powers[%d][%d] is %d: a power must be between 0 and 1000", j, i, e)
			}
			total += e
		}
		if total == 0 {
			return fmt.Errorf("PolynomialBasis.Powers[%d] contains only zeros: omit this constant function, because models already have a bias", j)
		}
	}
	return nil
}

var _ = codec.Register(codec.Kind[PolynomialBasis]{Key: "kind", Schema: "polynomial"})

var (
	_ Basis = (*ScaledBasis)(nil)
	_ Basis = (*ColumnsBasis)(nil)
)

// ScaledBasis rescales the inputs: φ_j(x) = (x_j − Shift_j)/Scale_j.
type ScaledBasis struct {
	Shift, Scale []float64 // D entries
}

// BasisStandard returns a basis that standardises each column: it subtracts the column's mean in x
// and divides by the column's standard deviation (divisor N). Use this basis for fits that have a
// single learning rate for all weights. Errors: x without rows or columns, NaN or Inf in x, a
// constant column, a column whose deviations from the mean overflow.
func BasisStandard(x mat.Matrix) (*ScaledBasis, error) {
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, failure("BasisStandard", err)
	}
	n, d := src.Dims()
	spread := make([]float64, d)
	for j := range spread {
		if spread[j] = math.Max(cols.Max[j]-cols.Mean[j], cols.Mean[j]-cols.Min[j]); spread[j] == 0 || math.IsInf(spread[j], 1) {
			return nil, failure("BasisStandard",
				fmt.Errorf("column %d of x has spread %v: omit the column if it is constant, or rescale the column if its values are huge", j,
					spread[j]))
		}
	}
	// All deviations from the mean are divided by the largest deviation in the column, so no square
	// overflows. The mean of the deviations is then added to the mean, which corrects the rounding
	// error of the mean.
	type moments struct{ first, second []float64 }
	sums := block.Walk(n, d, func() *moments { return &moments{make([]float64, d), make([]float64, d)} },
		func() func(*moments, int, int) {
			buf := make([]float64, block.Rows(d)*d)
			return func(m *moments, lo, hi int) {
				rows, stride := src.Rows(lo, hi, buf)
				for r := range hi - lo {
					for j, v := range rows[r*stride : r*stride+d] {
						q := (v - cols.Mean[j]) / spread[j]
						m.first[j] += q
						m.second[j] += q * q
					}
				}
			}
		}, func(dst, src *moments) {
			for j := range dst.first {
				dst.first[j] += src.first[j]
				dst.second[j] += src.second[j]
			}
		})
	b := &ScaledBasis{make([]float64, d), make([]float64, d)}
	for j := range d {
		mean := sums.first[j] / float64(n)
		b.Shift[j] = cols.Mean[j] + mean*spread[j]
		b.Scale[j] = spread[j] * math.Sqrt(sums.second[j]/float64(n)-mean*mean)
	}
	if err := b.check(); err != nil {
		return nil, failure("BasisStandard", err)
	}
	return b, nil
}

// Dims returns D as both numbers, because there is one function per input.
func (b *ScaledBasis) Dims() (d, m int) { return len(b.Shift), len(b.Shift) }

// Eval writes the M values φ(x) to phi.
func (b *ScaledBasis) Eval(phi, x []float64) error {
	if b == nil {
		return failure("ScaledBasis", errNoBasis)
	}
	for j, v := range x {
		phi[j] = (v - b.Shift[j]) / b.Scale[j]
	}
	return nil
}

func (b *ScaledBasis) check() error {
	if err := check.Vector("ScaledBasis.Shift", b.Shift, len(b.Scale), "one per column"); err != nil {
		return err
	}
	if err := check.Vector("ScaledBasis.Scale", b.Scale, len(b.Shift), "one per column"); err != nil {
		return err
	}
	for j, s := range b.Scale {
		if s == 0 {
			return fmt.Errorf("ScaledBasis.Scale[%d] is 0: want a nonzero scale", j)
		}
	}
	return nil
}

var _ = codec.Register(codec.Kind[ScaledBasis]{Key: "kind", Schema: "scaled"})

// ColumnsBasis selects columns of x and does not change them: φ_j(x) = x_i, i = Index[j].
type ColumnsBasis struct {
	Inputs int   // D, the number of inputs
	Index  []int // the M selected columns, counted from 0
}

// BasisColumns returns a basis that selects the given columns of d inputs. Columns are counted from
// 0. Without column arguments the basis selects all d columns. Errors: a column outside 0 … d−1,
// d < 1.
func BasisColumns(d int, column ...int) (*ColumnsBasis, error) {
	b := &ColumnsBasis{Inputs: d, Index: slices.Clone(column)}
	if len(column) == 0 {
		for j := range max(d, 0) {
			b.Index = append(b.Index, j)
		}
	}
	if err := b.check(); err != nil {
		return nil, failure("BasisColumns", err)
	}
	return b, nil
}

// Dims returns the number D of inputs and the number M of selected columns.
func (b *ColumnsBasis) Dims() (d, m int) { return b.Inputs, len(b.Index) }

// Eval writes the M selected values of x to phi.
func (b *ColumnsBasis) Eval(phi, x []float64) error {
	if b == nil {
		return failure("ColumnsBasis", errNoBasis)
	}
	for j, i := range b.Index {
		phi[j] = x[i]
	}
	return nil
}

func (b *ColumnsBasis) check() error {
	if b.Inputs < 1 || len(b.Index) == 0 {
		return fmt.Errorf("ColumnsBasis selects %d of %d columns: both numbers must be at least 1", len(b.Index), b.Inputs)
	}
	for _, i := range b.Index {
		if i < 0 || i >= b.Inputs {
			return fmt.Errorf("x has no column %d: the %d columns have the numbers 0…%d", i, b.Inputs, b.Inputs-1)
		}
	}
	return nil
}

var _ = codec.Register(codec.Kind[ColumnsBasis]{Key: "kind", Schema: "columns"})

var (
	_ Basis = (*ChainBasis)(nil)
	_ Basis = (*JoinedBasis)(nil)
)

// ChainBasis is a composition of bases. The function values of each part are the inputs of the next
// part.
type ChainBasis struct {
	Parts []Basis
}

// BasisCompose returns the composition of the parts. It applies the first part to x, and each later
// part to the function values of the part before it. For example, BasisCompose(standard,
// polynomial) returns polynomials of standardised columns. The number of functions of a part must
// equal the number of inputs of the next part. Errors: no parts, a nil or invalid part, parts whose
// numbers of functions and inputs do not agree.
func BasisCompose(part ...Basis) (*ChainBasis, error) {
	b := &ChainBasis{slices.Clone(part)}
	if err := b.check(); err != nil {
		return nil, failure("BasisCompose", err)
	}
	return b, nil
}

// Dims returns the number of inputs of the first part and the number of functions of the last part.
func (b *ChainBasis) Dims() (d, m int) {
	if len(b.Parts) == 0 {
		return 0, 0
	}
	d, _ = b.Parts[0].Dims()
	_, m = b.Parts[len(b.Parts)-1].Dims()
	return d, m
}

// Eval writes the values of the composition at x to phi.
func (b *ChainBasis) Eval(phi, x []float64) error {
	if b == nil {
		return failure("ChainBasis", errNoBasis)
	}
	return b.scratch()(phi, x)
}

func (b *ChainBasis) scratch() func(phi, x []float64) error {
	f := make([]func(phi, x []float64) error, len(b.Parts))
	between := make([][]float64, len(b.Parts))
	for i, p := range b.Parts {
		_, m := p.Dims()
		f[i], between[i] = basisRow(p), make([]float64, m)
	}
	last := len(f) - 1
	return func(phi, x []float64) error {
		for i, f := range f[:last] {
			if err := f(between[i], x); err != nil {
				return err
			}
			x = between[i]
		}
		return f[last](phi, x)
	}
}

func (b *ChainBasis) check() error {
	if err := basisParts(b.Parts); err != nil {
		return err
	}
	for i, p := range b.Parts[1:] {
		_, m := b.Parts[i].Dims()
		if d, _ := p.Dims(); d != m {
			return fmt.Errorf("part %d has %d functions but part %d has %d inputs: the two numbers must be equal", i, m, i+1, d)
		}
	}
	return nil
}

var _ = codec.Register(codec.Kind[ChainBasis]{Key: "kind", Schema: "chain"})

// JoinedBasis consists of the functions of several bases, one basis after the other.
type JoinedBasis struct {
	Parts []Basis
}

// BasisJoin returns the functions of all parts, in the order of the parts. All parts must have the
// same number of inputs. Errors: no parts, a nil or invalid part, parts with different numbers of
// inputs.
func BasisJoin(part ...Basis) (*JoinedBasis, error) {
	b := &JoinedBasis{slices.Clone(part)}
	if err := b.check(); err != nil {
		return nil, failure("BasisJoin", err)
	}
	return b, nil
}

// Dims returns the number of inputs and the total number of functions of the parts.
func (b *JoinedBasis) Dims() (d, m int) {
	for _, p := range b.Parts {
		var k int
		d, k = p.Dims()
		m += k
	}
	return d, m
}

// Eval writes the values of all parts at x to phi, in the order of the parts.
func (b *JoinedBasis) Eval(phi, x []float64) error {
	if b == nil {
		return failure("JoinedBasis", errNoBasis)
	}
	return b.scratch()(phi, x)
}

func (b *JoinedBasis) scratch() func(phi, x []float64) error {
	f, count := make([]func(phi, x []float64) error, len(b.Parts)), make([]int, len(b.Parts))
	for i, p := range b.Parts {
		_, count[i] = p.Dims()
		f[i] = basisRow(p)
	}
	return func(phi, x []float64) error {
		for i, f := range f {
			if err := f(phi[:count[i]], x); err != nil {
				return err
			}
			phi = phi[count[i]:]
		}
		return nil
	}
}

func (b *JoinedBasis) check() error {
	if err := basisParts(b.Parts); err != nil {
		return err
	}
	d, _ := b.Parts[0].Dims()
	for i, p := range b.Parts {
		if got, _ := p.Dims(); got != d {
			return fmt.Errorf("part %d has %d inputs but part 0 has %d: all parts must have the same number of inputs", i, got, d)
		}
	}
	return nil
}

var _ = codec.Register(codec.Kind[JoinedBasis]{Key: "kind", Schema: "joined"})

func basisParts(parts []Basis) error {
	if len(parts) == 0 {
		return fmt.Errorf("there are no parts: give at least one basis")
	}
	for i, p := range parts {
		if err := basisCheck(p); err != nil {
			return fmt.Errorf("part %d: %w", i, err)
		}
	}
	return nil
}
