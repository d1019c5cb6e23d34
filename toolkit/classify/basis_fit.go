package classify

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// OnBasis is a model of φ(x) that takes x: it remembers its basis (PRML 4.3.1,
// Alpaydin 10.2). It has Scores and Posterior whatever the model; where that has none
// they are errors, and ScorerOf and ProberOf say so beforehand.
//
// Equations: Alpaydin (10.3), (10.35).
type OnBasis[M Predictor] struct {
	Model M     // fitted to φ(x): its weights are those of φ_0 = 1, φ_1 … φ_M
	Basis Basis // φ
}

var (
	_ Predictor = (*OnBasis[Predictor])(nil)
	_ Scorer    = (*OnBasis[Predictor])(nil)
	_ Prober    = (*OnBasis[Predictor])(nil)
	_ onBasis   = (*OnBasis[Predictor])(nil)
)

// FitOnBasis fits a model in the space of the basis functions: fit gets the N×M matrix
// of φ(x_n), see Features, and returns the model.
//
//	m, err := classify.FitOnBasis(x, basis, func(phi mat.Matrix) (*classify.Logistic, error) {
//		return classify.FitLogistic(phi, t, classify.LogisticOptions{})
//	})
//
// The columns that an error of the fit counts are then the basis functions. Errors:
// those of Features, a nil fit or one that returns no model, and those of fit as they
// are.
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
		return nil, failure(name, errors.New("fit returned no model"))
	}
	return &OnBasis[M]{m, b}, nil
}

// onBasis is an OnBasis of any model.
type onBasis interface{ onBasis() any }

func (m *OnBasis[M]) onBasis() any {
	if m == nil {
		return nil
	}
	return m.Model
}

// ScorerOf returns a model as a Scorer, and whether it is one: a model on a basis has
// activations if the model there has.
func ScorerOf(model any) (Scorer, bool) {
	s, ok := model.(Scorer)
	if on, is := model.(onBasis); ok && is {
		_, ok = ScorerOf(on.onBasis())
	}
	return s, ok
}

// ProberOf returns a model as a Prober, and whether it is one: a model on a basis has
// a posterior if the model there has.
func ProberOf(model any) (Prober, bool) {
	p, ok := model.(Prober)
	if on, is := model.(onBasis); ok && is {
		_, ok = ProberOf(on.onBasis())
	}
	return p, ok
}

// features returns φ(x) for the method of that name.
func (m *OnBasis[M]) features(name string, x mat.Matrix) (mat.Matrix, error) {
	if m == nil || check.Nil(m.Model) {
		return nil, failure(name, errors.New("the model is nil: make it with FitOnBasis"))
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

// Scores returns the N×K activations. It is an error if the model on the basis has
// none.
func (m *OnBasis[M]) Scores(x mat.Matrix) (*mat.Dense, error) {
	phi, err := m.features("Scores", x)
	if err != nil {
		return nil, err
	}
	s, ok := ScorerOf(m.Model)
	if !ok {
		return nil, failure("Scores", fmt.Errorf("the model on the basis, a %T, has no activations: use Predict, or fit a model that is a Scorer", m.Model))
	}
	return s.Scores(phi)
}

// Posterior returns the N×K probabilities p(C_k|x). It is an error if the model on the
// basis has none.
func (m *OnBasis[M]) Posterior(x mat.Matrix) (*mat.Dense, error) {
	phi, err := m.features("Posterior", x)
	if err != nil {
		return nil, err
	}
	p, ok := ProberOf(m.Model)
	if !ok {
		return nil, failure("Posterior", fmt.Errorf("the model on the basis, a %T, has no posterior probabilities: use Scores or Predict, or fit a model that is a Prober", m.Model))
	}
	return p.Posterior(phi)
}
