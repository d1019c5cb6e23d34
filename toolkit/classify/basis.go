package classify

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
)

// Basis is a fixed non-linear transformation of the inputs (PRML 4.3.1, Alpaydin 10.2): a vector of
// basis functions φ(x) = (φ_1(x) … φ_M(x)). The boundaries of a model that is linear in φ are
// curved in x. The constant φ_0 = 1 is not part of the basis, because every model adds a bias
// itself.
//
// Alpaydin's (10.3) prints weights w_j that all classes share, and basis functions that differ by
// class. In the correct form (10.35), the classes have different weights but share the basis
// functions (erratum A13).
//
// The constructors are BasisPolynomial, BasisProducts, BasisGaussian, BasisStandard, BasisColumns,
// BasisCompose and BasisJoin. To make a RidgeBasis, write a composite literal. Any type with the
// two methods below is a Basis. However, a model can be saved only if this package defines the type
// of its basis.
//
// Equations: Alpaydin (10.3), (10.35).
type Basis interface {
	// Dims returns the number D of input columns and the number M of basis functions.
	Dims() (d, m int)
	// Eval writes the M numbers φ(x) to phi. Several goroutines may call Eval at the same time.
	// Eval returns an error if a function is undefined at x.
	Eval(phi, x []float64) error
}

// checkedBasis is a basis with a method that checks whether its fields are consistent.
type checkedBasis interface{ check() error }

// Features returns the N×M matrix of φ(x_n), the inputs of a fit in the space of the basis
// functions. The matrix is not stored. Every read of a row computes the row from x. The caller must
// therefore not change x.
//
// Errors: a nil or inconsistent basis, the wrong number of columns in x, NaN or Inf in x, a row for
// which a function is undefined (such as the logarithm of 0 or less) or not finite.
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
		return nil, fmt.Errorf("x is %d×%d: the basis expects inputs with %d columns", n, got, d)
	}
	if err := basisValues(src, b, m); err != nil {
		return nil, err
	}
	return block.NewView(src, m, func() func(phi, x []float64) {
		f := basisRow(b)
		return func(phi, x []float64) {
			if f(phi, x) != nil { // x changed after the check: write NaN, so that the fit reports the row
				for j := range phi {
					phi[j] = math.NaN()
				}
			}
		}
	}), nil
}

// basisFault contains the index of the first row for which φ is undefined or not finite, and the
// error for that row.
type basisFault struct {
	row int
	err error
}

// basisValues evaluates the m functions of b at the rows of src. It returns the error for the first
// row at which a function is undefined or not finite.
func basisValues(src *block.Source, b Basis, m int) error {
	n, d := src.Dims()
	fault := block.Walk(n, max(d, m), func() *basisFault { return new(basisFault) },
		func() func(*basisFault, int, int) {
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
							err = fmt.Errorf("basis function %d (counting from 0) is %v: choose other units for x", j, v)
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

// basisCheck returns an error for a basis that is nil or inconsistent.
func basisCheck(b Basis) error {
	if check.Nil(b) {
		return errNoBasis
	}
	if c, ok := b.(checkedBasis); ok {
		if err := c.check(); err != nil {
			return err
		}
	}
	if d, m := b.Dims(); d < 1 || m < 1 {
		return fmt.Errorf("the basis has %d functions of %d inputs: want at least one function and one input", m, d)
	}
	return nil
}

// basisRow returns the function that evaluates b for one row. The function may use scratch memory,
// so each goroutine needs its own function.
func basisRow(b Basis) func(phi, x []float64) error {
	if s, ok := b.(interface {
		scratch() func(phi, x []float64) error
	}); ok {
		return s.scratch()
	}
	return b.Eval
}

// basisTable returns an error unless v is a non-empty table of finite numbers with rows of equal
// length.
func basisTable(name string, v [][]float64) error {
	if len(v) == 0 {
		return fmt.Errorf("%s is empty: give at least one row", name)
	}
	if len(v[0]) == 0 {
		return fmt.Errorf("%s[0] is empty: give at least one number per row", name)
	}
	for i, row := range v {
		if err := check.Vector(fmt.Sprintf("%s[%d]", name, i), row, len(v[0]), "as many as in row 0"); err != nil {
			return err
		}
	}
	return nil
}

// OnBasis is a model of φ(x), together with its basis (PRML 4.3.1, Alpaydin 10.2). Its methods
// accept x and compute φ(x). OnBasis always has the methods Scores and Posterior. Each of these two
// methods returns an error if the underlying model does not have the same method. Call ScorerOf or
// ProberOf to find out whether the underlying model has the method.
//
// Equations: Alpaydin (10.3), (10.35).
type OnBasis[M Predictor] struct {
	Model M     // the model fitted to φ(x); its weights multiply φ_0 = 1, φ_1 … φ_M
	Basis Basis // φ
}

var (
	_ Predictor = (*OnBasis[Predictor])(nil)
	_ Scorer    = (*OnBasis[Predictor])(nil)
	_ Prober    = (*OnBasis[Predictor])(nil)
	_ onBasis   = (*OnBasis[Predictor])(nil)
)

// FitOnBasis fits a model in the space of the basis functions. It calls `fit` with the N×M matrix
// of φ(x_n) (see Features), and `fit` returns the model.
//
//	m, err := classify.FitOnBasis(x, basis, func(phi mat.Matrix) (*classify.Logistic, error) {
//		return classify.FitLogistic(phi, t, classify.LogisticOptions{})
//	})
//
// Column numbers in the errors that `fit` returns are numbers of basis functions. FitOnBasis
// returns these errors unchanged. It also returns the errors of Features. A nil `fit`, or a `fit`
// that returns no model, is also an error.
//
// Equations: Alpaydin (10.3), (10.35).
func FitOnBasis[M Predictor](x mat.Matrix, b Basis, fit func(phi mat.Matrix) (M, error)) (*OnBasis[M], error) {
	const name = "FitOnBasis"
	if fit == nil {
		return nil, failure(name, errNoFit)
	}
	phi, err := features(x, b)
	if err != nil {
		return nil, failure(name, err)
	}
	m, err := fit(phi)
	if err != nil {
		return nil, err
	}
	if check.Nil(m) {
		return nil, failure(name, errors.New("fit returned no model: want a model or an error"))
	}
	return &OnBasis[M]{m, b}, nil
}

// onBasis is an interface that OnBasis[M] implements for every type M. Its method returns the
// underlying model.
type onBasis interface{ onBasis() any }

func (m *OnBasis[M]) onBasis() any {
	if m == nil {
		return nil
	}
	return m.Model
}

// ScorerOf returns `model` as a Scorer, and reports whether the model has activations. A model on a
// basis has activations if its underlying model has activations. Without activations, the Scorer is nil
// or its method Scores returns an error.
func ScorerOf(model any) (Scorer, bool) {
	s, ok := model.(Scorer)
	if wrapped, is := model.(onBasis); ok && is {
		_, ok = ScorerOf(wrapped.onBasis())
	}
	return s, ok
}

// ProberOf returns `model` as a Prober, and reports whether the model has a posterior. A model on a
// basis has a posterior if its underlying model has a posterior. Without a posterior, the Prober is nil
// or its method Posterior returns an error.
func ProberOf(model any) (Prober, bool) {
	p, ok := model.(Prober)
	if wrapped, is := model.(onBasis); ok && is {
		_, ok = ProberOf(wrapped.onBasis())
	}
	return p, ok
}

// features returns φ(x). Errors start with `name`, the name of the calling method.
func (m *OnBasis[M]) features(name string, x mat.Matrix) (mat.Matrix, error) {
	if m == nil || check.Nil(m.Model) {
		return nil, failure(name, errors.New("the model is nil: create the model with FitOnBasis"))
	}
	phi, err := features(x, m.Basis)
	if err != nil {
		return nil, failure(name, err)
	}
	return phi, nil
}

// Predict returns the class of each of the N rows of x.
func (m *OnBasis[M]) Predict(x mat.Matrix) ([]int, error) {
	phi, err := m.features("Predict", x)
	if err != nil {
		return nil, err
	}
	return m.Model.Predict(phi)
}

// Scores returns the N×K activations. It returns an error if the underlying model has no
// activations.
func (m *OnBasis[M]) Scores(x mat.Matrix) (*mat.Dense, error) {
	phi, err := m.features("Scores", x)
	if err != nil {
		return nil, err
	}
	s, ok := ScorerOf(m.Model)
	if !ok {
		return nil, failure("Scores",
			fmt.Errorf("the model on the basis, a %T, has no activations: use Predict, or fit a model that has Scores",
				m.Model))
	}
	return s.Scores(phi)
}

// Posterior returns the N×K probabilities p(C_k|x). It returns an error if the underlying
// model has no posterior.
func (m *OnBasis[M]) Posterior(x mat.Matrix) (*mat.Dense, error) {
	phi, err := m.features("Posterior", x)
	if err != nil {
		return nil, err
	}
	p, ok := ProberOf(m.Model)
	if !ok {
		return nil, failure("Posterior",
			fmt.Errorf("the model on the basis, a %T, has no posterior probabilities: use Scores or Predict, or fit a model that has Posterior", m.Model))
	}
	return p.Posterior(phi)
}

const onBasisSchema = "hyperplane-on-basis/1"

type onBasisJSON struct {
	Schema string          `json:"schema"`
	Basis  json.RawMessage `json:"basis"`
	Model  json.RawMessage `json:"model"`
}

// basisModel is an interface that all types *OnBasis[M] implement. It is needed because the list of
// codecs cannot contain *OnBasis[M] for every type M.
type basisModel interface {
	encode() ([]byte, error)
	decode(b []byte) error
}

func (m *OnBasis[M]) encode() ([]byte, error) {
	if check.Nil(m.Basis) {
		return nil, errors.New("the basis is nil: make the model with FitOnBasis")
	}
	basis, err := codec.Marshal(m.Basis)
	if err != nil {
		return nil, fmt.Errorf("%w: only bases of this package can be saved", err)
	}
	model, err := encode(m.Model)
	if err != nil {
		return nil, err
	}
	return json.Marshal(onBasisJSON{onBasisSchema, basis, model})
}

func (m *OnBasis[M]) decode(b []byte) error {
	var j onBasisJSON
	if err := codec.Strict(b, onBasisSchema, &j); err != nil {
		return err
	}
	switch {
	case missing(j.Basis):
		return errors.New("basis is missing")
	case missing(j.Model):
		return errors.New("model is missing")
	}
	basis, err := decode[Basis](j.Basis)
	if err != nil {
		return err
	}
	if err := basisCheck(basis); err != nil {
		return err
	}
	m.Basis = basis
	m.Model, err = decode[M](j.Model)
	return err
}
