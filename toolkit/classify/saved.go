package classify

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Model is a pointer to a fitted model of this package, or to SufficientMoments, SufficientCounts or
// LogisticSums. Save and Saved write these types, Load returns them, and a type switch distinguishes
// them:
//
//	switch m := model.(type) {
//	case *classify.Logistic:
//
// A model on a basis can be saved only if this package defines the type of the basis. Load returns
// such a model as an *OnBasis[Predictor].
type Model any

// Save writes m to w as one JSON object and a newline. From this JSON, Load returns a model with
// the same numbers, bit for bit. Do not use json.Marshal for a model, because it does not write all
// fields. If a model is a part of other JSON, use [Saved]. Errors: w or m is nil, m is not a Model,
// a write to w fails.
func Save(w io.Writer, m Model) error {
	switch {
	case check.Nil(w):
		return failure("Save", errors.New("w is nil"))
	case check.Nil(m):
		return failure("Save", errors.New("m is nil: want the result of a Fit function"))
	}
	b, err := encode(m)
	if err == nil {
		_, err = w.Write(append(b, '\n'))
	}
	if err != nil {
		return failure("Save", err)
	}
	return nil
}

// Load reads r to its end and returns the model that Save or Saved wrote. It reads the files of all
// versions since 0.1. Errors: r is nil or cannot be read; the text is not JSON, has an unknown
// schema or unknown fields, or has fields with invalid values or of inconsistent sizes.
func Load(r io.Reader) (Model, error) {
	if check.Nil(r) {
		return nil, failure("Load", errors.New("r is nil"))
	}
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, failure("Load", err)
	}
	m, err := decode[Model](b)
	if err != nil {
		return nil, failure("Load", err)
	}
	return m, nil
}

// Saved makes a model a part of other JSON, for example of a struct:
//
//	type file struct {
//		Encoder datasets.Encoder
//		Model   classify.Saved[*classify.Logistic]
//	}
//
// M is the type of the model, or an interface such as Model or Predictor if the kind of the model
// is known only from the JSON. The JSON of a nil model is null.
type Saved[M any] struct{ Model M }

// MarshalJSON returns the JSON that Save writes. It returns an error if the model is not a Model.
func (s Saved[M]) MarshalJSON() ([]byte, error) {
	b, err := encode(s.Model)
	if err != nil {
		return nil, failure("Saved", err)
	}
	return b, nil
}

// UnmarshalJSON restores a model. Errors: the errors of Load, and a model that is not an M. After
// an error, s is unchanged.
func (s *Saved[M]) UnmarshalJSON(b []byte) error {
	var m M
	if !missing(b) {
		var err error
		if m, err = decode[M](b); err != nil {
			return failure("Saved", err)
		}
	}
	s.Model = m
	return nil
}

// encode returns the JSON of a model, or null if the model is nil.
func encode(model any) ([]byte, error) {
	if check.Nil(model) {
		return []byte("null"), nil
	}
	switch m := model.(type) {
	case basisModel:
		return m.encode()
	case *SufficientMoments:
		model = m.withoutPending()
	case *LogisticSums:
		if m.hessian != nil {
			model = m.withoutPending()
		}
	}
	return codec.Marshal(model)
}

// decode returns the model in b. The model must have the type M or implement the interface M.
func decode[M any](b []byte) (m M, err error) {
	schema, err := codec.SchemaOf(b)
	if err != nil {
		return m, err
	}
	var model any
	switch {
	case schema == onBasisSchema:
		t := reflect.TypeFor[M]()
		if t.Kind() == reflect.Interface {
			t = reflect.TypeFor[*OnBasis[Predictor]]()
		}
		if t.Kind() != reflect.Pointer {
			break
		}
		if on, ok := reflect.New(t.Elem()).Interface().(basisModel); ok {
			model, err = on, on.decode(b)
		}
	case schema == "":
		err = errors.New(`the text has no field "schema": write models with classify.Save or classify.Saved`)
	default:
		model, err = codec.Load(b)
	}
	if err != nil {
		return m, err
	}
	m, ok := model.(M)
	if !ok {
		err = fmt.Errorf("the text is a model of the schema %q, want a %v", schema, reflect.TypeFor[M]())
	}
	return m, err
}

func missing(text json.RawMessage) bool { return len(text) == 0 || string(text) == "null" }

// sizeChecker checks the sizes of loaded fields. The field err is the first error found.
type sizeChecker struct{ err error }

func (s *sizeChecker) say(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

// checkWeights checks that n, the number of weights, is at least 2: the bias and one more weight.
func (s *sizeChecker) checkWeights(name string, n int) {
	if n < 2 {
		s.say("%s has %d weights: want the bias and at least one more weight", name, n)
	}
}

// checkMatrix checks the size of a matrix that may be nil. requireMatrix also requires that the
// matrix is not nil.
func (s *sizeChecker) checkMatrix(name string, m mat.Matrix, rows, cols int) {
	if check.Nil(m) {
		return
	}
	if r, c := m.Dims(); r != rows || c != cols {
		s.say("%s is %d×%d, want %d×%d", name, r, c, rows, cols)
	}
}

func (s *sizeChecker) requireMatrix(name string, m mat.Matrix, rows, cols int) {
	if check.Nil(m) {
		s.say("%s is missing", name)
	}
	s.checkMatrix(name, m, rows, cols)
}

// requireMatrices checks that each of the listed matrices is not nil and has the size rows×cols.
func (s *sizeChecker) requireMatrices(rows, cols int, names string, list ...*mat.Dense) {
	for _, m := range list {
		s.requireMatrix(names, m, rows, cols)
	}
}

// checkVector checks the length of a vector that may be nil. requireLength checks the length of a
// vector that must not be nil.
func (s *sizeChecker) checkVector(name string, v []float64, n int) {
	if v != nil {
		s.requireLength(name, len(v), n)
	}
}

func (s *sizeChecker) requireLength(name string, got, n int) {
	if got != n {
		s.say("%s has %d entries, want %d", name, got, n)
	}
}

func (s *sizeChecker) checkTrace(t Trace, n int) {
	for i, step := range t {
		if len(step.W) != n {
			s.say("step %d of the trace has %d weights, want %d", i, len(step.W), n)
		}
	}
}

// checkShares checks the fields that all generative models have, and returns the number of classes. It does
// not recompute the numbers that the fit computes from the estimates, because the JSON contains these
// numbers too. On the same kind of processor, the results of a loaded model therefore have the same bits
// as the results of the fitted model.
func (s *sizeChecker) checkShares(c *ClassShares) (k int) {
	k = len(c.Priors)
	s.checkVector("class_weights", c.ClassWeights, k)
	if k < 2 || len(c.Counts) != k {
		s.say("got %d priors and %d counts: want one prior and one count for each of at least two classes", k, len(c.Counts))
		return k
	}
	for i, p := range c.Priors {
		if !(p >= 0 && p <= 1) || (p > 0 && c.perClass()[i] == 0) {
			s.say("priors[%d] is %v for a class of %d rows: it must be a probability, and 0 for a class without rows", i, p,
				c.Counts[i])
		}
	}
	return k
}

func (s *sizeChecker) checkRoot(u *linalg.Upper, d int) {
	switch {
	case u == nil:
		s.say("root is missing")
	case u.N != d:
		s.say("root is %d×%d, want %d×%d", u.N, u.N, d, d)
	case !u.Regular():
		s.say("root is singular")
	}
}

// checkMethod checks that m is a valid PredictiveMethod.
func (s *sizeChecker) checkMethod(m PredictiveMethod) {
	if m < PredictiveModerated || m > PredictivePlugIn {
		s.say("method is %d: want 0, 1 or 2", m)
	}
}

// dims returns the size of m, or 0×0 if m is nil.
func dims(m *mat.Dense) (rows, cols int) {
	if m == nil {
		return 0, 0
	}
	return m.Dims()
}

// penaltyOf completes a model from a file of version 0.1, which stores neither `hasPrior` nor
// `penalty`. For such a file `penalty` is NaN on entry, and penaltyOf computes it as e +
// logLikelihood. It sets `hasPrior` to true if the penalty is not 0.
func penaltyOf(hasPrior *bool, penalty *float64, e, logLikelihood float64) {
	if math.IsNaN(*penalty) {
		*hasPrior, *penalty = e != -logLikelihood, e+logLikelihood
	}
}

var errNoWeightsSaved = errors.New("w is missing")
