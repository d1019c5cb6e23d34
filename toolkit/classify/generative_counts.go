package classify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/scatter"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// ClassShares is what every generative model knows about its classes and its fit.
//
// Equations: PRML (4.71)–(4.73), (4.159).
type ClassShares struct {
	Names
	Priors []float64 // π_k = p(C_k), K entries
	Counts []int     // N_k, rows of each class in the fit: the sum of their weights, rounded
	N      int       // rows of the fit, likewise
	// ClassWeights is N_k before rounding; nil in a model from a file that does not
	// tell it.
	ClassWeights []float64
	// LogLikelihood is ln p(X, t) of the fit's data, the joint density of inputs
	// and classes. (PRML (4.71) prints it as p(t|…): erratum P18.)
	LogLikelihood float64
	Parameters    int // numbers that the fit has estimated
}

// DegreesOfFreedom returns how many numbers the fit has estimated: those of the
// densities of the classes that have rows, and one prior less than these classes
// if the priors were estimated (PRML 4.3.2 counts M(M+5)/2+1 for LDA and K = 2).
//
// Equations: Gambosi (degrees-own), (degrees-shared).
func (c *ClassShares) DegreesOfFreedom() int { return c.Parameters }

// AIC returns Akaike's criterion −2 ln p(X,t) + 2·DegreesOfFreedom; smaller is
// better. PRML (1.73) is −½ of it.
func (c *ClassShares) AIC() float64 { return -2*c.LogLikelihood + 2*float64(c.Parameters) }

// BIC returns −2 ln p(X,t) + DegreesOfFreedom·ln N; smaller is better. PRML
// (4.139) is −½ of it.
//
// Equations: PRML (4.139).
func (c *ClassShares) BIC() float64 {
	return -2*c.LogLikelihood + float64(c.Parameters)*math.Log(floats.Sum(c.perClass()))
}

// newShares sets the priors: N_k/N (PRML 4.73, 4.159), given, or uniform over the
// classes with rows. Parameters and LogLikelihood hold the part of the priors.
func newShares(counts, given []float64, uniform bool) (ClassShares, error) {
	n := floats.Sum(counts)
	c := ClassShares{Counts: wholeCounts(counts), N: wholeRows(n), ClassWeights: counts, Priors: make([]float64, len(counts))}
	filled := c.filled()
	switch {
	case given != nil && uniform:
		return c, errors.New("Priors and UniformPriors are both set: choose one")
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
		return fmt.Errorf("Priors has %d entries but there are %d classes: give one per class", len(given), len(counts))
	}
	var sum float64
	for k, p := range given {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("Priors[%d] is %v: it must be a probability in [0,1]", k, p)
		}
		if p > 0 && counts[k] == 0 {
			return fmt.Errorf("Priors[%d] is %v but class %d has no rows, so that nothing is known of its density: its prior must be 0", k, p, k)
		}
		sum += p
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		return fmt.Errorf("Priors sum to %v: they must sum to 1", sum)
	}
	return nil
}

// filled returns the number of classes with rows.
func (c *ClassShares) filled() int {
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

// newScattered is newLabelled for a fit by scatter.Of or newDiagonalFit.
func newScattered(x mat.Matrix, labels []int, k int, weights []float64) (*check.Labelled, error) {
	x, labels, err := weigh(x, labels, weights)
	if err != nil {
		return nil, err
	}
	return check.Uninspected(x, labels, k)
}

// newLabelled checks inputs and labels in memory.
func newLabelled(x mat.Matrix, labels []int, k int, weights []float64) (*check.Labelled, error) {
	x, labels, err := weigh(x, labels, weights)
	if err != nil {
		return nil, err
	}
	return check.Classes(x, labels, k)
}

// naiveSums sums the D columns over the rows of each class: K of D. Outside says
// what is wrong with an entry of x, "" for nothing.
func naiveSums(in *check.Labelled, outside func(v float64, j int) string) (sum [][]float64, err error) {
	if err := generatedDomain(in.Src, outside); err != nil {
		return nil, err
	}
	_, d := in.Src.Dims()
	sum = naiveReduce(in, d, scatter.AddTimes)
	for c := range sum {
		if sum[c] == nil {
			sum[c] = make([]float64, d)
		}
	}
	return sum, nil
}

// naiveReduce adds every row, as often as its weight says, to the cells of its
// class, in one pass; the cells of a class without rows stay nil.
func naiveReduce(in *check.Labelled, cells int, add func(dst []float64, weight float64, x []float64)) [][]float64 {
	return block.Reduce(block.NewDesign(in.Src, nil, nil), 0,
		func() [][]float64 { return make([][]float64, in.K) },
		func(int) func([][]float64, *block.Block) {
			return func(s [][]float64, b *block.Block) {
				for r, c := range in.At(b.Lo, b.Lo+b.N) {
					if s[c] == nil {
						s[c] = make([]float64, cells)
					}
					add(s[c], b.W.At(r), b.Row(r)[1:])
				}
			}
		}, naiveMerge)
}

// naiveSmoothing checks the pseudo-count.
func naiveSmoothing(a float64) error {
	if !(a >= 0) || math.IsInf(a, 1) {
		return fmt.Errorf("Smoothing is %v: it must be a number ≥ 0 (0 is maximum likelihood, 1 Laplace's rule)", a)
	}
	return nil
}

// timesLog returns n·ln p with 0·ln 0 = 0.
func timesLog(n, p float64) float64 {
	if n == 0 {
		return 0
	}
	return n * math.Log(p)
}

// newDiagonalFit returns the class means and Σ_{n∈C_k} {s·(x_n − m_k)}² of each
// column, K of D, in one pass with a shift per class.
func newDiagonalFit(in *check.Labelled) (*scatter.Fit, [][]float64, error) {
	var f *scatter.Fit
	var squares [][]float64
	err := scatter.InScale(func() (err error) {
		f = scatter.NewFit(in, true)
		squares, err = diagonalPass(f, in)
		return err
	})
	return f, squares, err
}

func diagonalPass(f *scatter.Fit, in *check.Labelled) ([][]float64, error) {
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

// naiveMerge adds the sums of each class.
func naiveMerge(dst, src [][]float64) {
	for c, v := range src {
		if dst[c] == nil {
			dst[c] = v
		} else if v != nil {
			scatter.AddTo(dst[c], v)
		}
	}
}
