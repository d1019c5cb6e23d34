package classify

import (
	"fmt"
	"slices"
)

var _ Basis = (*PolynomialBasis)(nil)

// PolynomialBasis are products of powers of the inputs,
//
//	φ_j(x) = Π_i x_i^p,  p = Powers[j][i].
//
// With all terms of degree 1 and 2 a linear model in φ is the quadratic
// discriminant of Alpaydin (10.34), whose (10.2) misses a transpose
// (erratum A1).
type PolynomialBasis struct {
	Powers [][]int // M of D
}

// basisMost bounds the number of basis functions.
const basisMost = 1 << 20

// BasisPolynomial returns all products of the d inputs of degree 1 to degree, by
// degree and then with the powers of x_1 falling: x1, x2, x1², x1x2, x2², … Their
// number is the binomial coefficient (d+degree over degree), less 1. Errors: d or
// degree below 1, too many terms.
//
// Equations: Alpaydin (10.2), (10.34).
func BasisPolynomial(d, degree int) (*PolynomialBasis, error) {
	if d < 1 || degree < 1 {
		return nil, failure("BasisPolynomial", fmt.Errorf("d is %d and degree %d: both must be at least 1", d, degree))
	}
	count := 1.0
	for i := 1; i <= degree && count <= basisMost; i++ {
		count = count * float64(d+i) / float64(i)
	}
	if count-1 > basisMost {
		return nil, failure("BasisPolynomial", fmt.Errorf("degree %d in %d inputs makes more than %d terms: lower the degree or choose columns with BasisColumns", degree, d, basisMost))
	}
	b := &PolynomialBasis{}
	for g := 1; g <= degree; g++ {
		b.spread(make([]int, d), 0, g)
	}
	return b, nil
}

// spread appends all ways to share degree left among inputs i and after.
func (b *PolynomialBasis) spread(p []int, i, left int) {
	if i == len(p)-1 {
		p[i] = left
		b.Powers = append(b.Powers, slices.Clone(p))
		return
	}
	for e := left; e >= 0; e-- {
		p[i] = e
		b.spread(p, i+1, left-e)
	}
}

// BasisProducts returns the higher-order terms in the order of Alpaydin 10.2:
// the d inputs, their squares, and the products of two different inputs:
// x1, x2, x1², x2², x1x2. A d that is not 1 to 1000 is an error.
func BasisProducts(d int) (*PolynomialBasis, error) {
	if d < 1 || d > 1000 {
		return nil, failure("BasisProducts", fmt.Errorf("d is %d: it must be 1 to 1000", d))
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

// Dims returns D and M.
func (b *PolynomialBasis) Dims() (d, m int) {
	if len(b.Powers) == 0 {
		return 0, 0
	}
	return len(b.Powers[0]), len(b.Powers)
}

// Eval writes φ(x) to phi.
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
			return fmt.Errorf("PolynomialBasis.Powers[%d] has %d entries, the first has %d", j, len(p), len(b.Powers[0]))
		}
		total := 0
		for i, e := range p {
			if e < 0 || e > 1000 {
				return fmt.Errorf("PolynomialBasis.Powers[%d][%d] is %d: powers are 0 to 1000", j, i, e)
			}
			total += e
		}
		if total == 0 {
			return fmt.Errorf("PolynomialBasis.Powers[%d] are all 0: the constant is the model's own bias", j)
		}
	}
	return nil
}
