package classify

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// BasisCentresKMeans returns the m centres that Lloyd's k-means finds for the rows of x (N×D). The
// initial centres are rows drawn at random with the given seed. The farther a row is from the
// centres drawn so far, the more likely it is to be drawn next (k-means++). Each iteration then
// moves every centre to the mean of the rows that are nearest to it, or to a distant row if there
// are no such rows. The search stops when no row changes its nearest centre, or after 300
// iterations. In the first case the result is a local minimum of the sum of squared distances. The
// result may depend on the seed. Distances depend on the units of the columns, so standardise the
// columns first if their units differ. Errors: x without rows or columns, NaN or Inf in x, an m
// outside 1 … N.
func BasisCentresKMeans(x mat.Matrix, m int, seed uint64) (*mat.Dense, error) {
	src, err := kMeansRows(x, m)
	if err != nil {
		return nil, failure("BasisCentresKMeans", err)
	}
	_, d := src.Dims()
	k := &kMeans{src: src, m: m, d: d}
	k.drawCentres(rand.New(rand.NewPCG(seed, 5)))
	for range 300 {
		s := k.assignRows()
		if s.changed == 0 {
			break
		}
		k.moveCentres(s)
	}
	return k.c, nil
}

func kMeansRows(x mat.Matrix, m int) (*block.Source, error) {
	src, _, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	if n, _ := src.Dims(); m < 1 || m > n {
		return nil, fmt.Errorf("m is %d: want at least 1 and at most %d, the number of rows of x", m, n)
	}
	return src, nil
}

// kMeans is the state of Lloyd's algorithm.
type kMeans struct {
	src  *block.Source
	m, d int
	c    *mat.Dense
	near []int     // index of the centre nearest to each row
	far  []float64 // squared distance from each row to its nearest centre
}

// drawCentres draws the initial centres. The probability that a row is drawn next is proportional
// to the square of its distance from the nearest centre drawn so far.
func (k *kMeans) drawCentres(rng *rand.Rand) {
	n, _ := k.src.Dims()
	k.c, k.near, k.far = mat.NewDense(k.m, k.d, nil), make([]int, n), make([]float64, n)
	for i := range k.far {
		k.far[i], k.near[i] = math.Inf(1), -1
	}
	buf := make([]float64, k.d)
	at := rng.IntN(n)
	for j := range k.m {
		row, _ := k.src.Rows(at, at+1, buf)
		k.c.SetRow(j, row[:k.d])
		var total float64
		for i := range n {
			x, _ := k.src.Rows(i, i+1, buf)
			k.far[i] = math.Min(k.far[i], squaredDistance(x[:k.d], k.c.RawRowView(j)))
			total += k.far[i]
		}
		at = rng.IntN(n) // row of the next centre if every row equals a centre, or if the squared distances overflow
		if total > 0 && !math.IsInf(total, 1) {
			left := rng.Float64() * total
			for i, v := range k.far {
				if left -= v; left < 0 && v > 0 {
					at = i
					break
				}
			}
		}
	}
}

// kMeansSums contains, for each centre, the number and the mean of the rows that are nearest to it.
// It also contains the number of rows whose nearest centre has changed.
type kMeansSums struct {
	n       []int
	mean    *mat.Dense
	changed int
}

// assignRows assigns every row to its nearest centre.
func (k *kMeans) assignRows() *kMeansSums {
	n, _ := k.src.Dims()
	return block.Walk(n, max(k.m, k.d), func() *kMeansSums {
		return &kMeansSums{n: make([]int, k.m), mean: mat.NewDense(k.m, k.d, nil)}
	}, func() func(*kMeansSums, int, int) {
		buf := make([]float64, k.d)
		return func(s *kMeansSums, lo, hi int) {
			for i := lo; i < hi; i++ {
				row, _ := k.src.Rows(i, i+1, buf)
				row = row[:k.d]
				best, least := 0, math.Inf(1)
				for j := range k.m {
					if r := squaredDistance(row, k.c.RawRowView(j)); r < least {
						best, least = j, r
					}
				}
				if k.near[i] != best {
					k.near[i] = best
					s.changed++
				}
				k.far[i] = least
				s.n[best]++
				mean := s.mean.RawRowView(best)
				for j, v := range row { // update the mean row by row, because the sum of the rows could overflow
					mean[j] += (v - mean[j]) / float64(s.n[best])
				}
			}
		}
	}, func(dst, src *kMeansSums) {
		dst.changed += src.changed
		for j, n := range src.n {
			if n == 0 {
				continue
			}
			dst.n[j] += n
			a, f := dst.mean.RawRowView(j), float64(n)/float64(dst.n[j])
			for i, v := range src.mean.RawRowView(j) {
				a[i] += (v - a[i]) * f
			}
		}
	})
}

// moveCentres sets each centre to the mean of the rows that are nearest to it. A centre without
// rows moves to the row that is farthest from its nearest centre.
func (k *kMeans) moveCentres(s *kMeansSums) {
	for j, n := range s.n {
		if n > 0 {
			k.c.SetRow(j, s.mean.RawRowView(j))
			continue
		}
		at := 0
		for i, v := range k.far {
			if v > k.far[at] {
				at = i
			}
		}
		row, _ := k.src.Rows(at, at+1, make([]float64, k.d))
		k.c.SetRow(j, row[:k.d])
		k.far[at] = 0
	}
}

func squaredDistance(a, b []float64) float64 {
	var s float64
	for i, v := range a {
		s += (v - b[i]) * (v - b[i])
	}
	return s
}
