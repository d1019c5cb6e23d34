package classify

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// A model on a basis is a model of φ(x) that takes x: it remembers its basis (PRML
// 4.3.1, Alpaydin 10.2).
// There is one type for each set of abilities that a model can have, so that a
// plot or a score can ask for an ability by type assertion; all have the same
// fields.
type (
	// PredictorOnBasis is a model that assigns classes.
	PredictorOnBasis[M Predictor] struct {
		Model M     // fitted to φ(x): its weights are those of φ_0 = 1, φ_1 … φ_M
		Basis Basis // φ
	}
	// ScorerOnBasis is a model that computes activations, too.
	ScorerOnBasis[M interface {
		Predictor
		Scorer
	}] struct{ PredictorOnBasis[M] }
	// OnBasis is a model that computes posterior probabilities, too.
	OnBasis[M interface {
		Predictor
		Scorer
		Prober
	}] struct{ ScorerOnBasis[M] }
)

var (
	_ Predictor = (*PredictorOnBasis[*Logistic])(nil)
	_ Scorer    = (*ScorerOnBasis[*Logistic])(nil)
	_ Prober    = (*OnBasis[*Logistic])(nil)
)

// FitOnBasis fits a probabilistic model in the space of the basis functions: fit
// gets the N×M matrix of φ(x_n), see Features, and returns the model.
//
//	m, err := classify.FitOnBasis(x, basis, func(phi mat.Matrix) (*classify.Logistic, error) {
//		return classify.FitLogistic(phi, t, classify.LogisticOptions{})
//	})
//
// The columns that an error of the fit counts are then the basis functions. For
// models without a posterior there are FitScorerOnBasis and FitPredictorOnBasis.
// Errors: those of Features, a nil fit or one that returns no model, and those of
// fit as they are.
func FitOnBasis[M interface {
	Predictor
	Scorer
	Prober
}](x mat.Matrix, b Basis, fit func(phi mat.Matrix) (M, error)) (*OnBasis[M], error) {
	m, err := fitOnBasis("FitOnBasis", x, b, fit)
	if err != nil {
		return nil, err
	}
	return &OnBasis[M]{ScorerOnBasis[M]{PredictorOnBasis[M]{m, b}}}, nil
}

// FitScorerOnBasis is FitOnBasis for models with activations but no posterior,
// like LeastSquares. Errors: those of FitOnBasis.
func FitScorerOnBasis[M interface {
	Predictor
	Scorer
}](x mat.Matrix, b Basis, fit func(phi mat.Matrix) (M, error)) (*ScorerOnBasis[M], error) {
	m, err := fitOnBasis("FitScorerOnBasis", x, b, fit)
	if err != nil {
		return nil, err
	}
	return &ScorerOnBasis[M]{PredictorOnBasis[M]{m, b}}, nil
}

// FitPredictorOnBasis is FitOnBasis for models that only assign classes. Errors:
// those of FitOnBasis.
func FitPredictorOnBasis[M Predictor](x mat.Matrix, b Basis, fit func(phi mat.Matrix) (M, error)) (*PredictorOnBasis[M], error) {
	m, err := fitOnBasis("FitPredictorOnBasis", x, b, fit)
	if err != nil {
		return nil, err
	}
	return &PredictorOnBasis[M]{m, b}, nil
}

func fitOnBasis[M Predictor](name string, x mat.Matrix, b Basis, fit func(phi mat.Matrix) (M, error)) (m M, err error) {
	if fit == nil {
		return m, failure(name, errNoFit)
	}
	phi, err := features(x, b)
	if err != nil {
		return m, failure(name, err)
	}
	if m, err = fit(phi); err != nil {
		return m, err
	}
	if check.Nil(m) {
		return m, failure(name, errors.New("fit returned no model"))
	}
	return m, nil
}

var errNotOnBasis = errors.New("the model is nil: make it with FitOnBasis or one of its kind")

// Predict returns the class of each of the N rows of x.
func (m *PredictorOnBasis[M]) Predict(x mat.Matrix) ([]int, error) {
	if m == nil {
		return nil, failure("Predict", errNotOnBasis)
	}
	phi, err := features(x, m.Basis)
	if err != nil {
		return nil, failure("Predict", err)
	}
	return m.Model.Predict(phi)
}

// Predict returns the class of each of the N rows of x.
func (m *ScorerOnBasis[M]) Predict(x mat.Matrix) ([]int, error) {
	if m == nil { // which has no PredictorOnBasis to ask
		return nil, failure("Predict", errNotOnBasis)
	}
	return m.PredictorOnBasis.Predict(x)
}

// Predict returns the class of each of the N rows of x.
func (m *OnBasis[M]) Predict(x mat.Matrix) ([]int, error) {
	if m == nil {
		return nil, failure("Predict", errNotOnBasis)
	}
	return m.PredictorOnBasis.Predict(x)
}

// Scores returns the N×K activations.
func (m *OnBasis[M]) Scores(x mat.Matrix) (*mat.Dense, error) {
	if m == nil {
		return nil, failure("Scores", errNotOnBasis)
	}
	return m.ScorerOnBasis.Scores(x)
}

// Scores returns the N×K activations.
func (m *ScorerOnBasis[M]) Scores(x mat.Matrix) (*mat.Dense, error) {
	if m == nil {
		return nil, failure("Scores", errNotOnBasis)
	}
	phi, err := features(x, m.Basis)
	if err != nil {
		return nil, failure("Scores", err)
	}
	return m.Model.Scores(phi)
}

// Posterior returns the N×K probabilities p(C_k|x).
func (m *OnBasis[M]) Posterior(x mat.Matrix) (*mat.Dense, error) {
	if m == nil {
		return nil, failure("Posterior", errNotOnBasis)
	}
	phi, err := features(x, m.Basis)
	if err != nil {
		return nil, failure("Posterior", err)
	}
	return m.Model.Posterior(phi)
}
