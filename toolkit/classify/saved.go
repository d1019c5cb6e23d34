package classify

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
)

// savedModel is what a model must have to be saved and restored. The methods of
// encoding/gob are written out: to import it costs every cell that fits time to link.
type savedModel interface {
	json.Marshaler
	json.Unmarshaler
	GobEncode() ([]byte, error)
	GobDecode([]byte) error
}

// Load returns the model, as the pointer that its Fit returned, of which b is the
// JSON: a *Logistic, an *LDA … as the schema in b says. A model on a basis comes back
// as *OnBasis[Predictor].
//
//	switch m := model.(type) {
//	case *classify.Logistic:
//
// Errors: what is no JSON, the schema of no model, sizes that contradict each other.
func Load(b []byte) (any, error) {
	if schema, _ := codec.SchemaOf(b); schema == onBasisSchema {
		m := new(OnBasis[Predictor])
		return m, m.UnmarshalJSON(b)
	}
	m, err := codec.Load(b)
	if err != nil {
		return nil, failure("Load", err)
	}
	return m, nil
}

func save(model any) ([]byte, error) {
	b, err := codec.Marshal(model)
	if err != nil {
		return nil, failure(modelName(model)+" to JSON", err)
	}
	return b, nil
}

func restore(b []byte, model any) error {
	if err := codec.Unmarshal(b, model); err != nil {
		return failure(modelName(model)+" from JSON", err)
	}
	return nil
}

func modelName(model any) string { return reflect.TypeOf(model).Elem().Name() }

// sizes compares the sizes of what was read and keeps the first contradiction.
type sizes struct{ err error }

func (s *sizes) say(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

// weights are the bias and at least one more.
func (s *sizes) weights(name string, n int) {
	if n < 2 {
		s.say("%s has %d weights: needed are the bias and at least one more", name, n)
	}
}

// matrix compares a matrix that may be nil, and need one that may not.
func (s *sizes) matrix(name string, m mat.Matrix, rows, cols int) {
	if check.Nil(m) {
		return
	}
	if r, c := m.Dims(); r != rows || c != cols {
		s.say("%s is %d×%d, needed is %d×%d", name, r, c, rows, cols)
	}
}

func (s *sizes) need(name string, m mat.Matrix, rows, cols int) {
	if check.Nil(m) {
		s.say("%s is missing", name)
	}
	s.matrix(name, m, rows, cols)
}

// vector compares a vector that may be nil, and list one that may not.
func (s *sizes) vector(name string, v []float64, n int) {
	if v != nil {
		s.list(name, len(v), n)
	}
}

func (s *sizes) list(name string, got, n int) {
	if got != n {
		s.say("%s has %d entries, needed are %d", name, got, n)
	}
}

func (s *sizes) trace(t Trace, n int) {
	for i, step := range t {
		if len(step.W) != n {
			s.say("step %d of the trace has %d weights, needed are %d", i, len(step.W), n)
		}
	}
}

// dims returns the size of a matrix that may be nil.
func dims(m *mat.Dense) (rows, cols int) {
	if m == nil {
		return 0, 0
	}
	return m.Dims()
}

// penaltyOf completes what a file of version 0.1 does not say of the prior: E is more
// than the negative log likelihood by the penalty.
func penaltyOf(hasPrior *bool, penalty *float64, e, logLikelihood float64) {
	if math.IsNaN(*penalty) {
		*hasPrior, *penalty = e != -logLikelihood, e+logLikelihood
	}
}

var errNoWeightsSaved = errors.New("w is missing")
