package classify

import (
	"fmt"
	"slices"
)

var (
	_ Basis = (*ChainBasis)(nil)
	_ Basis = (*JoinedBasis)(nil)
)

// ChainBasis are basis functions of basis functions: each part takes the values
// of the one before as its inputs.
type ChainBasis struct {
	Parts []Basis
}

// BasisCompose returns the parts one after the other, the first of x itself:
// BasisCompose(standard, polynomial) are polynomials of standardised columns.
// The number of functions of a part must be the number of inputs of the next.
//
// Errors: no parts, a bad part, numbers that do not agree.
func BasisCompose(part ...Basis) (*ChainBasis, error) {
	b := &ChainBasis{slices.Clone(part)}
	if err := b.check(); err != nil {
		return nil, failure("BasisCompose", err)
	}
	return b, nil
}

// Dims returns the inputs of the first part and the functions of the last.
func (b *ChainBasis) Dims() (d, m int) {
	if len(b.Parts) == 0 {
		return 0, 0
	}
	d, _ = b.Parts[0].Dims()
	_, m = b.Parts[len(b.Parts)-1].Dims()
	return d, m
}

// Eval writes φ(x) to phi.
func (b *ChainBasis) Eval(phi, x []float64) error { return b.scratch()(phi, x) }

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
			return fmt.Errorf("part %d has %d functions but part %d has %d inputs: they must agree", i, m, i+1, d)
		}
	}
	return nil
}

// JoinedBasis are the functions of several bases side by side.
type JoinedBasis struct {
	Parts []Basis
}

// BasisJoin returns the functions of all parts, those of the first part first.
// All parts must have as many inputs.
//
// Errors: no parts, a bad part, numbers of inputs that do not agree.
func BasisJoin(part ...Basis) (*JoinedBasis, error) {
	b := &JoinedBasis{slices.Clone(part)}
	if err := b.check(); err != nil {
		return nil, failure("BasisJoin", err)
	}
	return b, nil
}

// Dims returns the inputs of the parts and the number of all their functions.
func (b *JoinedBasis) Dims() (d, m int) {
	for _, p := range b.Parts {
		var k int
		d, k = p.Dims()
		m += k
	}
	return d, m
}

// Eval writes φ(x) to phi.
func (b *JoinedBasis) Eval(phi, x []float64) error { return b.scratch()(phi, x) }

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
			return fmt.Errorf("part %d has %d inputs but part 0 has %d: all must have as many", i, got, d)
		}
	}
	return nil
}

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
