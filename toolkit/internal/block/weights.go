package block

import (
	"math"
	"slices"
)

// Weights contains the weight of each row of a matrix: how often the row counts in a sum. If
// Weights is nil, every row counts once. Block.AddRows, Gram.Add and Triangle.Add apply the
// weights. Code that computes other sums must multiply each term by the weight that At returns.
type Weights []float64

// At returns the weight of row i.
func (w Weights) At(i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}

// Sum returns the sum of all weights, or the number of rows n if w is nil.
func (w Weights) Sum(n int) float64 {
	if w == nil {
		return float64(n)
	}
	var s float64
	for _, v := range w {
		s += v
	}
	return s
}

// Extreme returns the smallest and the largest weight above 0. If w is nil or has no such weight, it
// returns +Inf and 0. Extreme also reports whether sums of weights lose digits. They do if the sum of
// the smallest and the largest weight is rounded to the largest weight, or if all weights are below
// 2⁻⁹⁰⁰.
func (w Weights) Extreme() (least, most float64, extreme bool) {
	least = math.Inf(1)
	for _, v := range w {
		if v > 0 {
			least, most = math.Min(least, v), math.Max(most, v)
		}
	}
	return least, most, w != nil && (most*0x1p-53 > least || most < 0x1p-900)
}

// Run returns the weights of the rows lo…hi−1.
func (w Weights) Run(lo, hi int) Weights {
	if w == nil {
		return nil
	}
	return w[lo:hi]
}

// Weights returns the weight of each row of s.
func (s *Source) Weights() Weights { return s.weights }

// Total returns the sum of the weights, or N if every row counts once.
func (s *Source) Total() float64 { return s.weights.Sum(s.n) }

// Weighted returns a source with the rows of s and the weights w.
func (s *Source) Weighted(w Weights) *Source {
	out := *s
	out.weights = w
	return &out
}

// PerClass returns, for each of k classes, the sum of the weights of the rows in this class. If labels
// is nil, the source must read a Stream, and PerClass returns a copy of Stream.PerClass.
func (s *Source) PerClass(labels []int, k int) []float64 {
	if s.stream != nil && labels == nil {
		return slices.Clone(s.stream.PerClass)
	}
	n := make([]float64, k)
	for i, l := range labels {
		n[l] += s.weights.At(i)
	}
	return n
}

// NewWeightedView returns a view of the rows of s with the weights w. The view omits the rows with
// weight 0. The weights must not all be 0. The result `index` lists the indices in s of the
// remaining rows. It is nil if the view has all rows.
func NewWeightedView(s *Source, w Weights) (v *View, index []int) {
	if slices.Contains(w, 0) {
		for i, a := range w {
			if a != 0 {
				index = append(index, i)
			}
		}
	}
	return &View{src: s.Weighted(slices.Clone(w)), index: index, m: s.d}, index
}

// weights returns the weights of the rows of the view.
func (v *View) weights() Weights {
	if v.src.weights == nil || v.index == nil {
		return v.src.weights
	}
	out := make(Weights, len(v.index))
	for i, at := range v.index {
		out[i] = v.src.weights[at]
	}
	return out
}

// scaleByWeights multiplies each row z of the block by the square root of its weight. ZᵀZ is then
// the weighted sum of the products zzᵀ.
func (b *Block) scaleByWeights() {
	for r, w := range b.W {
		s := math.Sqrt(w)
		z := b.Row(r)
		for j := range z {
			z[j] *= s
		}
	}
	b.W = nil
}
