package scatter

import (
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// roots returns the classes' sums Σz and, for each group, R with RᵀR = Σzzᵀ − (Σz)(Σz)ᵀ/N_k summed
// over its classes. If the Gram matrix is not clearly well conditioned, sound is false, and a
// second pass about the exact means takes R from an orthogonal factorisation. It returns the
// errors of Inspected.
func (p *Plan) roots(shift [][]float64) (sum [][]float64, root []*linalg.Upper, sound []bool, err error) {
	size := p.k
	if p.own {
		ld := p.d + 4
		size = min(max(scatterNumbers/(64*ld*ld), 1), p.k)
	}
	sum = make([][]float64, p.k)
	for first := 0; first < p.k; first += size {
		last := min(first+size, p.k)
		s := p.pass(shift, first, last, false)
		if err := p.Inspected(s.cols); err != nil {
			return nil, nil, nil, err
		}
		for k := first; k < last; k++ {
			if p.rows[k] > 0 {
				sum[k] = s.of(k, p.d)
			}
		}
		ill := false
		at := len(root)
		for g, gram := range s.gram {
			lo, hi := first, last
			if p.own {
				lo, hi = first+g, first+g+1
			}
			r, pivot := linalg.Cholesky(p.centred(gram, sum, lo, hi), p.d)
			ok := r != nil && pivot > linalg.WellConditioned
			root, sound = append(root, r), append(sound, ok)
			ill = ill || !ok && !(p.own && p.rows[lo] == 0)
		}
		if !ill {
			continue
		}
		exact := make([][]float64, p.k)
		for k := first; k < last; k++ {
			for j, v := range sum[k] {
				exact[k] = append(exact[k], shift[k][j]+v/p.counts[k])
			}
		}
		for g, t := range p.pass(exact, first, last, true).tri {
			if !sound[at+g] {
				root[at+g] = linalg.UpperOf(p.d, func(i, j int) float64 { return t.At(i+1, j+1) }) // column 0 holds zeros
			}
		}
	}
	return sum, root, sound, nil
}

// centred returns element (i,j) of the Gram matrix about the class means.
func (p *Plan) centred(g *block.Gram, sum [][]float64, lo, hi int) func(i, j int) float64 {
	return func(i, j int) float64 {
		v := g.At(i+1, j+1)
		for k := lo; k < hi; k++ {
			if sum[k] != nil {
				v -= sum[k][i] * sum[k][j] / p.counts[k]
			}
		}
		return v
	}
}
