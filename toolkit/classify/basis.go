package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// Basis is a fixed non-linear transformation of the inputs (PRML 4.3.1, Alpaydin
// 10.2): a vector of basis functions φ(x) = (φ_1(x) … φ_M(x)). Models that are
// linear in φ are then curved in x. The constant φ_0 = 1 is not one of them: the
// models have their own bias.
//
// Alpaydin's (10.3) prints weights w_j that all classes share, with functions of
// their own; meant are weights of each class on shared functions, as in (10.35)
// (erratum A13).
//
// The constructors are BasisPolynomial, BasisProducts, BasisGaussian,
// BasisSigmoid, BasisIndicator, BasisLog, BasisSin, BasisStandard, BasisColumns,
// BasisCompose and BasisJoin. Any type with these two methods will do, but a
// model on a basis of another package cannot be saved.
//
// Equations: Alpaydin (10.3), (10.35).
type Basis interface {
	// Dims returns the columns D of x and the number M of functions.
	Dims() (d, m int)
	// Eval writes φ(x), of M numbers, to phi. It must be safe for use by several
	// goroutines. An x for which a function has no value is an error.
	Eval(phi, x []float64) error
}

// checked is a basis that knows whether its parts fit together.
type checked interface{ check() error }

// Features returns the N×M matrix of φ(x_n), the inputs of a fit in the space of
// the basis functions. It is computed row by row whenever it is read and takes no
// memory of its own; it reads x, which must not change.
//
// Errors: x with another width than the basis, NaN or Inf in x, a row for which a
// function has no value (the logarithm of 0 or less) or an infinite one.
func Features(x mat.Matrix, b Basis) (mat.Matrix, error) {
	v, err := features(x, b)
	if err != nil {
		return nil, failure("Features", err)
	}
	return v, nil
}

func features(x mat.Matrix, b Basis) (mat.Matrix, error) {
	if err := basisCheck(b); err != nil {
		return nil, err
	}
	src, _, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	n, got := src.Dims()
	d, m := b.Dims()
	if got != d {
		return nil, fmt.Errorf("x is %d×%d: the basis functions are of inputs with %d columns", n, got, d)
	}
	if err := basisValues(src, b, m); err != nil {
		return nil, err
	}
	return block.NewView(src, m, func() func(phi, x []float64) {
		f := basisRow(b)
		return func(phi, x []float64) {
			if f(phi, x) != nil { // x has changed since: the fit will say where
				for j := range phi {
					phi[j] = math.NaN()
				}
			}
		}
	}), nil
}

// basisFault is the first row without a finite φ.
type basisFault struct {
	row int
	err error
}

// basisValues evaluates every row once and returns the first error.
func basisValues(src *block.Source, b Basis, m int) error {
	n, d := src.Dims()
	fault := block.Walk(n, max(d, m), func() *basisFault { return new(basisFault) }, func() func(*basisFault, int, int) {
		f, phi := basisRow(b), make([]float64, m)
		var buf []float64
		if !src.InMemory() {
			buf = make([]float64, d)
		}
		return func(a *basisFault, lo, hi int) {
			for i := lo; i < hi && a.err == nil; i++ {
				x, _ := src.Rows(i, i+1, buf)
				err := f(phi, x[:d])
				for j := 0; j < m && err == nil; j++ {
					if v := phi[j]; v-v != 0 {
						err = fmt.Errorf("function %d is %v: choose other units for x", j, v)
					}
				}
				if err != nil {
					a.row, a.err = i, err
				}
			}
		}
	}, func(dst, src *basisFault) {
		if dst.err == nil {
			*dst = *src
		}
	})
	if fault.err != nil {
		return fmt.Errorf("x row %d: %w", fault.row, fault.err)
	}
	return nil
}

var errNoBasis = errors.New("the basis is nil: make one with BasisPolynomial, BasisGaussian, …")

// basisCheck refuses a basis that is nil or contradicts itself.
func basisCheck(b Basis) error {
	if check.Nil(b) {
		return errNoBasis
	}
	if c, ok := b.(checked); ok {
		if err := c.check(); err != nil {
			return err
		}
	}
	if d, m := b.Dims(); d < 1 || m < 1 {
		return fmt.Errorf("the basis has %d functions of %d inputs: needed is at least one of each", m, d)
	}
	return nil
}

// basisRow returns the function φ(x) for one goroutine, with its scratch memory.
func basisRow(b Basis) func(phi, x []float64) error {
	if s, ok := b.(interface {
		scratch() func(phi, x []float64) error
	}); ok {
		return s.scratch()
	}
	return b.Eval
}

// basisTable checks a table of numbers, rows of the same length.
func basisTable(name string, v [][]float64) error {
	if len(v) == 0 {
		return fmt.Errorf("%s is empty: give at least one", name)
	}
	if len(v[0]) == 0 {
		return fmt.Errorf("%s[0] is empty", name)
	}
	for i, row := range v {
		if err := check.Vector(fmt.Sprintf("%s[%d]", name, i), row, len(v[0]), "as the first"); err != nil {
			return err
		}
	}
	return nil
}
