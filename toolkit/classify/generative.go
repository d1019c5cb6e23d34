package classify

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/scatter"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// Generative is a model of the inputs of each class, PRML 4.2. It computes the posterior
// from p(x|C_k) and p(C_k) by Bayes' theorem (4.62) and can draw new data. Predict and Posterior
// return an error for a row with probability 0 in every class.
//
// Equations: PRML (4.2), (4.57), (4.58), (4.62), (4.63).
type Generative interface {
	Predictor
	Scorer
	Prober
	// LogDensities returns the N×K matrix of ln p(x|C_k), with −Inf where p(x|C_k) is 0 and for a
	// class without rows. Errors: x with a different number of columns than in the fit, NaN or Inf,
	// entries of x outside the domain of the densities, an unfitted model.
	LogDensities(x mat.Matrix) (*mat.Dense, error)
	// LogMarginal returns ln p(x) = ln Σ_k p(C_k)p(x|C_k), N entries. It returns the errors
	// of LogDensities.
	LogMarginal(x mat.Matrix) ([]float64, error)
	// LogPosterior returns ln p(C_k|x), N×K, even if p underflows. It returns the errors of
	// Posterior.
	LogPosterior(x mat.Matrix) (*mat.Dense, error)
	// Sample draws n inputs and their classes. Equal seeds give equal data. Errors: n < 1, n too
	// large for memory, an unfitted model.
	Sample(n int, seed uint64) (x *mat.Dense, labels []int, err error)
	// DegreesOfFreedom returns the number of parameters that the fit has estimated.
	DegreesOfFreedom() int
}

// generatedModel is an interface with the methods of a generative model that the functions in this
// file call.
type generatedModel interface {
	kind() string
	shares() *ClassShares
	width() int // number of columns of x
	// a function that explains why an entry of x is invalid, or returns "" for a valid entry; nil
	// if every number is valid
	outside() func(v float64, col int) string
	densities() activator                        // ln p(x|C_k)
	activations() activator                      // computes ln p(x|C_k)p(C_k), up to a term common to all k
	draw(rng *rand.Rand, class int, x []float64) // x from p(x|C_k)
}

var errGeneratedEmpty = errors.New("the model is empty: create the model with its Fit function")

// generate returns the N×K numbers that the activator f() computes for the rows of x.
func generate(m generatedModel, x mat.Matrix, f func() activator) (*mat.Dense, error) {
	return newFilled(m, x, func(dst *mat.Dense) error {
		return generatedWalk(x, len(m.shares().Priors), m.width(), m.outside(), f(),
			predictionLink(byColumn).writeTo(dst), nil)
	})
}

// newFilled returns a new N×K matrix that the function `write` fills. If the model or x is empty, or
// if `write` returns an error, newFilled returns nil and an error that names the kind of the model.
func newFilled(m generatedModel, x mat.Matrix, write func(dst *mat.Dense) error) (*mat.Dense, error) {
	if check.Nil(m) || len(m.shares().Priors) == 0 {
		return nil, failure(m.kind(), errGeneratedEmpty)
	}
	dst, err := newPrediction(x, len(m.shares().Priors), write)
	if err != nil {
		return nil, failure(m.kind(), err)
	}
	return dst, nil
}

// generatedDensities returns ln p(x|C_k).
func generatedDensities(m generatedModel, x mat.Matrix) (*mat.Dense, error) {
	return generate(m, x, m.densities)
}

// generatedScores returns the activations. A row in which all activations are −Inf is not an error.
func generatedScores(m generatedModel, x mat.Matrix) (*mat.Dense, error) {
	return generate(m, x, m.activations)
}

// generatedMarginal returns ln Σ_k p(C_k)p(x|C_k).
func generatedMarginal(m generatedModel, x mat.Matrix) ([]float64, error) {
	s, err := generatedDensities(m, x)
	if err != nil {
		return nil, err
	}
	n, _ := s.Dims()
	out := make([]float64, n)
	for i := range out {
		row := s.RawRowView(i)
		for k, p := range m.shares().Priors {
			row[k] = generatedSum(row[k], math.Log(p))
		}
		out[i] = kernels.LogSumExp(row)
	}
	return out, nil
}

// generatedSum returns a + b, where a is the logarithm of a density and b is the logarithm of a
// probability. If b is −Inf, the sum is −Inf, because probability 0 times an infinite density is 0.
func generatedSum(a, b float64) float64 {
	if math.IsInf(b, -1) {
		return b
	}
	return a + b
}

// generatedPosterior returns the numbers that the link l computes from the activations, such as the
// posterior. A row with probability 0 in every class is an error, because its posterior is 0/0.
func generatedPosterior(m generatedModel, x mat.Matrix, l predictionLink) (*mat.Dense, error) {
	return newFilled(m, x, func(dst *mat.Dense) error { return posteriorRows(m, x, l.writeTo(dst)) })
}

// generatedPosteriorTo writes to dst what generatedPosterior returns for a fitted model.
func generatedPosteriorTo(dst *mat.Dense, m generatedModel, x mat.Matrix, l predictionLink) error {
	if err := posteriorRows(m, x, l.writeTo(dst)); err != nil {
		return failure(m.kind(), err)
	}
	return nil
}

// posteriorRows calls generatedWalk with the activations of the model m. A row with probability 0 in
// every class is an error.
func posteriorRows(m generatedModel, x mat.Matrix, newRun func(rows int) activationRun) error {
	return generatedWalk(x, len(m.shares().Priors), m.width(), m.outside(), m.activations(), newRun, func(row int) error {
		return fmt.Errorf("row %d of x has probability 0 in every class, so its posterior does not exist: "+
			"set Smoothing in the fit if the model has this option, or remove the row", row)
	})
}

// generatedPredict returns, for each row, the class with the largest activation. A row with
// probability 0 in every class is an error.
func generatedPredict(m generatedModel, x mat.Matrix) ([]int, error) {
	if check.Nil(m) || len(m.shares().Priors) == 0 {
		return nil, failure(m.kind(), errGeneratedEmpty)
	}
	class, err := newClasses(x, func(class []int) error {
		return posteriorRows(m, x, largestOf(class, len(m.shares().Priors)))
	})
	if err != nil {
		return nil, failure(m.kind(), err)
	}
	return class, nil
}

const generativeStream = 0x67656e6572617465 // "generate"

// generatedSample draws n classes from the priors, and one input from the density of each drawn
// class.
func generatedSample(m generatedModel, n int, seed uint64) (*mat.Dense, []int, error) {
	if check.Nil(m) || len(m.shares().Priors) == 0 {
		return nil, nil, failure(m.kind(), errGeneratedEmpty)
	}
	if n < 1 {
		return nil, nil, failure(m.kind(), fmt.Errorf("Sample: n is %d: draw at least one row", n))
	}
	if err := check.Drawn(float64(n), m.width()); err != nil {
		return nil, nil, failure(m.kind(), fmt.Errorf("Sample: %w", err))
	}
	s, rng := m.shares(), rand.New(rand.NewPCG(seed, generativeStream))
	x, labels := mat.NewDense(n, m.width(), nil), make([]int, n)
	for i := range n {
		u := rng.Float64()
		for k, p := range s.Priors {
			if p > 0 {
				labels[i] = k // if u stays ≥ 0 because of rounding errors, the last class with p > 0 is drawn
			}
			if u -= p; u < 0 && p > 0 {
				break
			}
		}
		m.draw(rng, labels[i], x.RawRowView(i))
	}
	return x, labels, nil
}

// generatedLikelihood returns Σ_n r_n ln p(x_n|C_{t_n}), where r_n is the weight of row n. It makes
// one more pass over the rows.
func generatedLikelihood(m generatedModel, src *block.Source, labels []int) float64 {
	k, densities := len(m.shares().Priors), m.densities()
	s := block.Reduce(block.NewDesign(src, nil, nil), 0, func() *float64 { return new(float64) },
		func(rows int) func(*float64, *block.Block) {
			a, f := make([]float64, k*rows), densities(rows)
			return func(s *float64, b *block.Block) {
				f(a, rows, b.Z[1:], b.LD, b.N)
				for r, c := range labels[b.Lo : b.Lo+b.N] {
					*s += b.W.At(r) * a[c*rows+r]
				}
			}
		}, func(dst, src *float64) { *dst += *src })
	return *s
}

// ClassShares contains the priors, counts and likelihood that every generative model has.
//
// Equations: PRML (4.71)–(4.73), (4.159).
type ClassShares struct {
	Names
	Priors []float64 // π_k = p(C_k), K entries
	Counts []int     // the class sizes N_k in the fit: the sums of the row weights, rounded
	N      int       // number of rows in the fit: the sum of the row weights, rounded
	// ClassWeights contains N_k before rounding; nil for a model from a file without ClassWeights.
	ClassWeights []float64
	// LogLikelihood is ln p(X, t), where p(X, t) is the joint density of the inputs and classes of
	// the fit. PRML (4.71) prints this density as p(t|…) (erratum P18).
	LogLikelihood float64
	Parameters    int // number of parameters that the fit has estimated
}

// DegreesOfFreedom returns the number of parameters that the fit has estimated. The fit estimates
// the parameters of one density for each class that has rows. In LDA the densities share one
// covariance, which counts once. If the fit also estimates the priors, and n classes have rows, the
// priors are n−1 further parameters. For LDA with two classes, PRML 4.3.2 counts M(M+5)/2+1
// parameters.
//
// Equations: Gambosi (degrees-own), (degrees-shared).
func (c *ClassShares) DegreesOfFreedom() int { return c.Parameters }

// AIC returns Akaike's criterion −2 ln p(X,t) + 2·DegreesOfFreedom; smaller is better. PRML (1.73)
// is −½ times the AIC.
func (c *ClassShares) AIC() float64 { return -2*c.LogLikelihood + 2*float64(c.Parameters) }

// BIC returns −2 ln p(X,t) + DegreesOfFreedom·ln N; smaller is better. PRML (4.139) is −½ times the
// BIC.
//
// Equations: PRML (4.139).
func (c *ClassShares) BIC() float64 {
	return -2*c.LogLikelihood + float64(c.Parameters)*math.Log(floats.Sum(c.perClass()))
}

// newShares returns the ClassShares of a fit. The field Priors contains N_k/N (PRML 4.73, 4.159),
// the priors that the caller gives, or equal priors for all classes with rows. Parameters counts
// only the estimated priors, and LogLikelihood contains only the terms ln p(C_k).
func newShares(counts, given []float64, uniform bool) (ClassShares, error) {
	n := floats.Sum(counts)
	c := ClassShares{Counts: wholeCounts(counts), N: wholeRows(n), ClassWeights: counts,
		Priors: make([]float64, len(counts))}
	filled := c.filledClasses()
	switch {
	case given != nil && uniform:
		return c, errors.New("Priors and UniformPriors are both set: set only one of them")
	case given != nil:
		if err := sharesGiven(given, counts); err != nil {
			return c, err
		}
		copy(c.Priors, given)
	default:
		for k, m := range counts {
			switch {
			case uniform && m > 0:
				c.Priors[k] = 1 / float64(filled)
			case !uniform:
				c.Priors[k] = m / n
			}
		}
		if !uniform {
			c.Parameters = filled - 1
		}
	}
	for k, m := range counts {
		if m > 0 {
			c.LogLikelihood += m * math.Log(c.Priors[k])
		}
	}
	return c, nil
}

func sharesGiven(given, counts []float64) error {
	if len(given) != len(counts) {
		return fmt.Errorf("Priors has %d entries but there are %d classes: give one entry per class", len(given), len(counts))
	}
	var sum float64
	for k, p := range given {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("Priors[%d] is %v: it must be a probability in [0,1]", k, p)
		}
		if p > 0 && counts[k] == 0 {
			return fmt.Errorf("Priors[%d] is %v but class %d has no rows, so its density is unknown: set this prior to 0", k, p, k)
		}
		sum += p
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		return fmt.Errorf("Priors sum to %v: they must sum to 1", sum)
	}
	return nil
}

// filledClasses returns the number of classes with rows.
func (c *ClassShares) filledClasses() int {
	f := 0
	for _, m := range c.perClass() {
		if m > 0 {
			f++
		}
	}
	return f
}

func (c *ClassShares) shares() *ClassShares { return c }

// perClass returns N_k.
func (c *ClassShares) perClass() []float64 { return sumsOr(c.ClassWeights, c.Counts) }

// naiveSmoothing checks the pseudo-count Smoothing.
func naiveSmoothing(a float64) error {
	if !(a >= 0) || math.IsInf(a, 1) {
		return fmt.Errorf("Smoothing is %v: it must be a finite number ≥ 0 (0 means maximum likelihood, 1 means Laplace's rule)", a)
	}
	return nil
}

// newDiagonalFit returns a fit that contains the class means but no scatter. It also returns, for each
// class and each column, the sum Σ_{n∈C_k} {s·(x_n − m_k)}², where s is the scale of the column. The
// sums of a class without rows are nil. newDiagonalFit makes one pass, and a second pass if the
// scales of a sample do not suit all rows. From the rows of each class it first subtracts a vector
// near these rows, so that the sums stay accurate.
func newDiagonalFit(in *check.Data) (*scatter.Fit, [][]float64, error) {
	var f *scatter.Fit
	var squares [][]float64
	err := scatter.InScale(func() (err error) {
		f = scatter.NewFit(in, true)
		squares, err = diagonalPass(f, in)
		return err
	})
	return f, squares, err
}

func diagonalPass(f *scatter.Fit, in *check.Data) ([][]float64, error) {
	k := in.K
	shift, centre := f.Plan.Shifts()
	ld, both := vec.Width(f.D+1), 2*k*vec.Width(f.D+1)
	design := f.Plan.Design(shift)
	packed := block.ReduceWide(design, both,
		func() []float64 { return make([]float64, both) },
		func(rows int) func([]float64, *block.Block) {
			once := slices.Repeat([]float64{1}, rows)
			return func(s []float64, b *block.Block) {
				weights, labels := once, in.At(b.Lo, b.Lo+b.N)
				if b.W != nil {
					weights = b.W
				}
				vec.For(b.N).AddByClass(s[:k*ld], b.Z, b.N, b.LD, labels, weights)
				vec.For(b.N).AddSquares(s[k*ld:], b.Z, b.N, b.LD, labels, weights)
			}
		}, scatter.AddTo)
	if err := f.Plan.Inspected(design.Inspected()); err != nil {
		return nil, err
	}
	sums, squares := make([][]float64, k), make([][]float64, k)
	for c, n := range f.Counts {
		if n == 0 {
			continue
		}
		sums[c], squares[c] = packed[c*ld+1:][:f.D], packed[(k+c)*ld+1:][:f.D]
		for j, v := range sums[c] {
			squares[c][j] = math.Max(squares[c][j]-v*v/n, 0)
		}
	}
	return squares, f.Place(in.Cols, centre, shift, sums)
}

// generatedWalk computes k activations of each row of x with f and passes them to the functions that
// newRun returns. It returns an error if x does not have d columns, if x contains NaN, Inf or an entry
// outside the model's domain, or if an activation is NaN. If all activations of a row are −Inf and
// `rowError` is not nil, generatedWalk returns the error rowError(n), where n is the first such row.
func generatedWalk(x mat.Matrix, k, d int, outside func(float64, int) string, f activator,
	newRun func(rows int) activationRun, rowError func(row int) error) error {
	src, err := check.Wide(x, d)
	if err != nil {
		return err
	}
	if outside != nil { // check the domain first, because f is valid only there
		if _, _, err := check.Inputs(x); err != nil {
			return err
		}
		if err := generatedDomain(src, outside); err != nil {
			return err
		}
	}
	rowCount, _ := src.Dims()
	unlikely := newLowestRow(rowCount)
	bad, finite := passActivations(src, k, f, func(rows int) activationRun {
		run := newRun(rows)
		return func(lo, n int, a []float64, stride int) {
			r := firstImpossible(a, stride, n)
			unlikely.record(lo+r, r < n)
			run(lo, n, a, stride)
		}
	})
	if finite {
		return nil
	}
	if outside == nil {
		if _, _, err := check.Inputs(x); err != nil { // if x contains NaN or Inf, report this instead of a NaN activation
			return err
		}
	}
	switch {
	case bad < rowCount:
		return fmt.Errorf("the activation of row %d is not a number because it overflows: choose other units for x", bad)
	case rowError != nil && unlikely.row() < rowCount:
		return rowError(unlikely.row())
	}
	return nil
}

// firstImpossible returns the index of the first of n rows in which all activations are −Inf, or n
// if no such row exists.
func firstImpossible(a []float64, stride, n int) int {
	if vec.Use().Finite(a[:n]) {
		return n
	}
	for r, v := range a[:n] {
		most := v
		for at := r + stride; math.IsInf(most, -1) && at < len(a); at += stride {
			most = a[at]
		}
		if math.IsInf(most, -1) {
			return r
		}
	}
	return n
}

// generatedDomain returns an error for the first entry of x, row by row, that is outside the domain
// of the density.
func generatedDomain(src *block.Source, outside func(float64, int) string) error {
	type place struct {
		row int
		err error
	}
	p := block.Reduce(block.NewDesign(src, nil, nil), 0, func() *place { return &place{row: -1} },
		func(int) func(*place, *block.Block) {
			return func(p *place, b *block.Block) {
				for r := 0; r < b.N && p.row < 0; r++ {
					for j, v := range b.Row(r)[1:] {
						if what := outside(v, j); what != "" {
							p.row, p.err = b.Lo+r, fmt.Errorf("x row %d, column %d is %v: %s", b.Lo+r, j, v, what)
							break
						}
					}
				}
			}
		}, func(dst, src *place) {
			if dst.row < 0 {
				*dst = *src
			}
		})
	return p.err
}

// gaussianLogs computes ln N(x|μ_k, R_kᵀR_k) = −½{‖R_k⁻ᵀ(x−μ_k)‖² + ln|R_kᵀR_k| + D ln 2π}, PRML
// (4.64). μ_k is row k of `means`. The result is −Inf if R_k is nil.
func gaussianLogs(means *mat.Dense, roots []*linalg.Upper) activator {
	_, d := means.Dims()
	var whitenings []*vec.Whitening
	constant := make([]float64, len(roots))
	for k, r := range roots {
		if r != nil {
			whitenings = append(whitenings, vec.NewWhitening(means.RawRowView(k), r.A))
			constant[k] = r.LogDet() + float64(d)*kernels.Log2Pi
		}
	}
	return func(rows int) activationFunc {
		lengths, room := make([]float64, len(whitenings)*rows), make([]float64, vec.Room(d))
		return func(a []float64, lda int, x []float64, stride, n int) {
			vec.Use().Lengths(lengths, rows, x, stride, n, whitenings, room)
			left := lengths
			for k, r := range roots {
				if r == nil {
					setImpossible(a[k*lda:][:n])
					continue
				}
				for i, u := range left[:n] {
					a[k*lda+i] = -(u + constant[k]) / 2
				}
				left = left[rows:]
			}
		}
	}
}

// setImpossible sets all numbers in a to −Inf. They are the log densities or the activations of one
// class.
func setImpossible(a []float64) {
	for i := range a {
		a[i] = math.Inf(-1)
	}
}

// withPriors returns an activator that adds ln p(C_k) to log densities.
func withPriors(f activator, priors []float64) activator {
	return func(rows int) activationFunc {
		densities := f(rows)
		return func(a []float64, lda int, x []float64, stride, n int) {
			densities(a, lda, x, stride, n)
			for k, p := range priors {
				if ak := a[k*lda:][:n]; p == 0 { // a class with prior 0 has activation −Inf, even if its density is infinite
					setImpossible(ak)
				} else {
					floats.AddConst(math.Log(p), ak)
				}
			}
		}
	}
}
