package vec_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// softmaxRun returns n rows. Their activations have sizes from 0 to several hundred. In some
// rows, two or more activations are equal. If `shared` is true, some rows have positive targets for
// two classes. In all other rows, every target is 0 or 1.
func softmaxRun(n, k int, shared bool, rng *rand.Rand) *vec.SoftmaxRun {
	s := vec.NewSoftmaxRun(k, n)
	for r := range n {
		size := []float64{0, 1e-9, 1, 10, 400}[rng.IntN(5)]
		for c := range k {
			s.A[c*s.LD+r], s.T[c*s.LD+r] = size*rng.NormFloat64(), 0
		}
		if rng.IntN(5) == 0 {
			s.A[rng.IntN(k)*s.LD+r] = s.A[rng.IntN(k)*s.LD+r]
		}
		s.Weights[r] = float64(1 + rng.IntN(3))
		if class := rng.IntN(k); shared && rng.IntN(2) == 0 {
			s.T[class*s.LD+r], s.T[(class+1)%k*s.LD+r] = 0.25, 0.75
		} else {
			s.T[class*s.LD+r] = 1
		}
	}
	return s
}

// bigSoftmax returns the posteriors of row r. It also returns, for each class, the sum of the
// posteriors of all other classes. Like the kernels, it subtracts the largest activation with
// float64 arithmetic.
func bigSoftmax(s *vec.SoftmaxRun, r int) (y, rest []*big.Float) {
	sum, most := bigOf(0), math.Inf(-1)
	for k := range s.K {
		most = math.Max(most, s.A[k*s.LD+r])
	}
	for k := range s.K {
		y = append(y, bigExp(bigOf(s.A[k*s.LD+r]-most)))
		sum.Add(sum, y[k])
	}
	for _, v := range y {
		other := new(big.Float).SetPrec(prec).Sub(sum, v)
		rest = append(rest, other.Quo(other, sum))
		v.Quo(v, sum)
	}
	return y, rest
}

// TestSoftmax compares the posteriors y and the differences y−t on every code path with values
// computed with math/big. The errors must be within the bounds stated in the comments of Kernels.
// If a target is neither 0 nor 1, y−t must agree with the difference of the computed y and t.
// TestSoftmax also compares the sums with the sums in plain Go.
func TestSoftmax(t *testing.T) {
	const bound = 8
	for _, k := range vec.Paths() {
		rng := rand.New(rand.NewPCG(4, 104))
		worst := 0.0
		for _, n := range []int{1, 3, 7, 8, 9, 16, 29} {
			for _, classes := range []int{2, 3, 5, 10} {
				shared := n%2 == 0
				s := softmaxRun(n, classes, shared, rng)
				got, want := vec.SoftmaxSums{E: 1, Margin: math.Inf(1)}, vec.SoftmaxSums{E: 1, Margin: math.Inf(1)}
				vec.Paths()[0].Softmax(s, n, &want)
				k.Softmax(s, n, &got)
				for r := range n {
					y, rest := bigSoftmax(s, r)
					for c := range classes {
						at := c*s.LD + r
						off := ulps(s.Y[at], y[c])
						switch target := s.T[at]; target {
						case 0:
							off = math.Max(off, ulps(s.D[at], y[c]))
						case 1:
							off = math.Max(off, ulps(-s.D[at], rest[c]))
						default:
							off = math.Max(off, math.Abs(s.D[at]-(s.Y[at]-target))*0x1p52)
						}
						if worst = math.Max(worst, off); !(off <= bound) {
							t.Fatalf("%s: class %d of %d: y = %v or y−t = %v has an error of %.2f ulp, want at most 8",
								k.Name(), c, classes,
								s.Y[at], s.D[at], off)
						}
					}
				}
				near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-13*math.Abs(b) || a == b }
				if !near(got.E, want.E) || !near(got.Pearson, want.Pearson) || !near(got.Noise, want.Noise) ||
					got.Wrong != want.Wrong || got.Margin != want.Margin || got.Soft != want.Soft {
					t.Fatalf("%s: the sums of %d rows of %d classes are %+v, want %+v", k.Name(), n, classes, got, want)
				}
			}
		}
		t.Logf("%s: %.2f ulp", k.Name(), worst)
	}
}

// TestSoftmaxAlone checks on every code path that y and y−t of a row have the same bits whether the
// row is processed alone or with others. It also checks that E is NaN if an activation is NaN.
func TestSoftmaxAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 105))
	s := softmaxRun(21, 4, true, rng)
	for _, k := range vec.Paths() {
		var sums vec.SoftmaxSums
		k.Softmax(s, 21, &sums)
		for r := range 21 {
			one := vec.NewSoftmaxRun(4, 1)
			one.Weights[0] = s.Weights[r]
			for c := range 4 {
				one.A[c*one.LD], one.T[c*one.LD] = s.A[c*s.LD+r], s.T[c*s.LD+r]
			}
			k.Softmax(one, 1, &sums)
			for c := range 4 {
				if at := c*s.LD + r; one.Y[c*one.LD] != s.Y[at] || one.D[c*one.LD] != s.D[at] {
					t.Fatalf("%s: row %d, class %d: y and y−t are %v and %v alone, but %v and %v with other rows",
						k.Name(), r, c,
						one.Y[c*one.LD], one.D[c*one.LD], s.Y[at], s.D[at])
				}
			}
			for c := range 4 {
				one.A[c*one.LD] = math.NaN()
				var bad vec.SoftmaxSums
				if k.Softmax(one, 1, &bad); !math.IsNaN(bad.E) {
					t.Fatalf("%s: the sum E is %v with a NaN activation, want NaN", k.Name(), bad.E)
				}
				one.A[c*one.LD] = s.A[c*s.LD+r]
			}
		}
	}
}
