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

var (
	_ = codec.Register(codec.Kind[Hyperplane]{Schema: "hyperplane-plane/1", Valid: (*Hyperplane).checkSizes})
	_ = codec.Register(codec.Kind[LinearMachine]{Schema: "hyperplane-linear-machine/1", Valid: (*LinearMachine).checkSizes})
	_ = codec.Register(codec.Kind[LeastSquares]{Schema: "hyperplane-least-squares/1", Valid: (*LeastSquares).checkSizes})
	_ = codec.Register(codec.Kind[WeightedLeastSquares]{Schema: "hyperplane-weighted-least-squares/1",
		Valid: (*WeightedLeastSquares).checkSizes})
	_ = codec.Register(codec.Kind[Perceptron]{Schema: "hyperplane-perceptron/1", Valid: (*Perceptron).checkSizes})
	_ = codec.Register(codec.Kind[Adaline]{Schema: "hyperplane-adaline/1", Valid: (*Adaline).checkSizes})
	_ = codec.Register(codec.Kind[Fisher]{Schema: "hyperplane-fisher/1", Valid: (*Fisher).checkSizes,
		Fields: func(m *Fisher) []codec.Field {
			return []codec.Field{{Name: "regular", Value: &m.regular}}
		}})
	_ = codec.Register(codec.Kind[FisherMulti]{Schema: "hyperplane-fisher-multi/1", Valid: (*FisherMulti).checkSizes,
		Fields: func(m *FisherMulti) []codec.Field {
			return []codec.Field{{Name: "z", Value: &m.z}}
		}})
)

func (m *Hyperplane) checkSizes() error {
	if len(m.W) == 0 {
		return errNoWeightsSaved
	}
	return nil
}

func (m *LinearMachine) checkSizes() error {
	if r, c := dims(m.W); r < 2 || c < 2 {
		return fmt.Errorf("w is %d×%d: want at least two rows and two columns", r, c)
	}
	return nil
}

func (m *LeastSquares) checkSizes() error {
	if m.W == nil {
		return errNoWeightsSaved
	}
	return nil
}

func (m *WeightedLeastSquares) checkSizes() error {
	s := sizeChecker{}
	s.checkWeights("w", len(m.W))
	return s.err
}

func (m *Perceptron) checkSizes() error {
	s, n := sizeChecker{}, len(m.W)
	s.checkWeights("w", n)
	for i, u := range m.Updates {
		if len(u.W) != n {
			s.say("update %d has %d weights, but w has %d weights", i, len(u.W), n)
		}
	}
	return s.err
}

func (m *Adaline) checkSizes() error {
	s, n := sizeChecker{}, len(m.W)
	s.checkWeights("w", n)
	s.requireLength("least_squares", len(m.LeastSquares), n)
	s.checkTrace(m.Trace, n)
	return s.err
}

func (s *Scatter) checkSizes() error {
	if s == nil {
		return errors.New("scatter is missing")
	}
	z, d := sizeChecker{}, len(s.Mean)
	z.requireMatrix("within", s.Within, d, d)
	z.requireMatrix("between", s.Between, d, d)
	z.requireMatrix("total", s.Total, d, d)
	z.requireMatrix("class_means", s.ClassMeans, len(s.Counts), d)
	z.checkVector("class_weights", s.ClassWeights, len(s.Counts))
	return z.err
}

func (m *Fisher) checkSizes() error {
	s, d := sizeChecker{m.Scatter.checkSizes()}, len(m.Direction)
	s.requireLength("w", len(m.W), d+1)
	if s.err == nil && (len(m.Scatter.Mean) != d || len(m.Scatter.Counts) != 2) {
		s.say("scatter has the wrong size: want two classes, and one column for each entry of direction")
	}
	return s.err
}

func (m *FisherMulti) checkSizes() error {
	s := sizeChecker{m.Scatter.checkSizes()}
	if s.err != nil {
		return s.err
	}
	d, f := dims(m.W)
	k := len(m.Scatter.Counts)
	s.requireMatrix("w", m.W, len(m.Scatter.Mean), f)
	s.requireMatrix("class_means", m.Scatter.ClassMeans, k, d)
	s.requireMatrix("projected_means", m.ProjectedMeans, k, f)
	s.requireLength("priors", len(m.Priors), k)
	s.requireMatrix("z", m.z, k, f)
	return s.err
}

var (
	_ = codec.Register(codec.Kind[OneVersusRest]{Schema: "hyperplane-one-versus-rest/1", Valid: (*OneVersusRest).checkSizes})
	_ = codec.Register(codec.Kind[OneVersusOne]{Schema: "hyperplane-one-versus-one/1", Valid: (*OneVersusOne).checkSizes})

	_ = codec.Register(codec.Kind[PolynomialBasis]{Key: "kind", Schema: "polynomial"})
	_ = codec.Register(codec.Kind[GaussianBasis]{Key: "kind", Schema: "gaussian"})
	_ = codec.Register(codec.Kind[RidgeBasis]{Key: "kind", Schema: "ridge"})
	_ = codec.Register(codec.Kind[ScaledBasis]{Key: "kind", Schema: "scaled"})
	_ = codec.Register(codec.Kind[ColumnsBasis]{Key: "kind", Schema: "columns"})
	_ = codec.Register(codec.Kind[ChainBasis]{Key: "kind", Schema: "chain"})
	_ = codec.Register(codec.Kind[JoinedBasis]{Key: "kind", Schema: "joined"})
)

func (m *OneVersusRest) checkSizes() error {
	if n := len(m.Machines); n < 1 || n > m.K || n < m.K-1 {
		return fmt.Errorf("machines has %d entries for %d classes: want one entry per class, or one entry fewer", n, m.K)
	}
	return nil
}

func (m *OneVersusOne) checkSizes() error {
	if err := m.Rule.check(); err != nil {
		return err
	}
	if most := 2*len(m.Pairs) + 1002; m.K < 2 || m.K > most {
		return fmt.Errorf("k is %d: want between 2 and %d classes for %d pairs", m.K, most, len(m.Pairs))
	}
	for _, d := range m.Pairs {
		if d.First < 0 || d.Second <= d.First || d.Second >= m.K {
			return fmt.Errorf("the pair of classes %d and %d is invalid for %d classes: want 0 ≤ first class < second class < number of classes", d.First, d.Second, m.K)
		}
		if d.Machine == nil {
			return errors.New("a pair has no machine: want a machine for every pair")
		}
	}
	return nil
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

func missing(text json.RawMessage) bool { return len(text) == 0 || string(text) == "null" }

var (
	_ = codec.Register(codec.Kind[SufficientMoments]{Schema: "hyperplane-sufficient-moments/1",
		Valid: (*SufficientMoments).checkSizes, Fields: func(s *SufficientMoments) []codec.Field {
			return []codec.Field{{Name: "columns", Value: &s.d}, {Name: "origin", Value: &s.origin},
				{Name: "factor", Value: &s.factor}}
		}})
	_ = codec.Register(codec.Kind[SufficientCounts]{Schema: "hyperplane-sufficient-counts/1",
		Valid: (*SufficientCounts).checkSizes})
	_ = codec.Register(codec.Kind[LogisticSums]{Schema: "hyperplane-logistic-sums/1", Valid: (*LogisticSums).checkSizes,
		Fields: func(s *LogisticSums) []codec.Field {
			return []codec.Field{{Name: "e", Value: &s.e}, {Name: "gradient", Value: &s.gradient},
				{Name: "hessian", Value: &s.hessian}}
		}})
)

func (s *SufficientMoments) checkSizes() error {
	z := sizeChecker{}
	k := len(s.Counts)
	if k < 2 || s.d < 1 {
		z.say("%d columns and %d classes: want at least 1 column and 2 classes", s.d, k)
	}
	z.requireLength("origin", len(s.origin), k)
	z.requireLength("factor", len(s.factor), k)
	for c, n := range s.Counts {
		switch {
		case z.err != nil:
		case n < 0:
			z.say("counts[%d] is %d: it must be at least 0", c, n)
		case n == 0:
			s.origin[c], s.factor[c] = nil, nil
		default:
			z.requireLength("origin", len(s.origin[c]), s.d)
			z.requireMatrix("factor", s.factor[c], s.d+1, s.d+1)
			if z.err == nil && !(math.Abs(s.factor[c].At(0, 0)-math.Sqrt(float64(n))) <= 1e-9*math.Sqrt(float64(n))) {
				z.say("factor[%d] begins with %v: want √%d, the square root of the number of rows", c, s.factor[c].At(0, 0), n)
			}
		}
	}
	return z.err
}

func (s *SufficientCounts) checkSizes() error {
	z := sizeChecker{}
	if _, err := NewSufficientCounts(s.Levels, len(s.Counts)); err != nil {
		return err
	}
	z.requireLength("cells", len(s.Cells), len(s.Counts))
	for k := 0; k < len(s.Counts) && z.err == nil; k++ {
		at := 0
		for i, l := range s.Levels {
			sum := 0
			for j := at; j < at+l && j < len(s.Cells[k]); j++ {
				sum += s.Cells[k][j]
				if s.Cells[k][j] < 0 {
					z.say("cells[%d][%d] is %d: it must be at least 0", k, j, s.Cells[k][j])
				}
			}
			if at += l; sum != s.Counts[k] {
				z.say("the counts of the values of feature %d add up to %d rows of class %d, want %d", i, sum, k, s.Counts[k])
			}
		}
		z.requireLength("a row of cells", len(s.Cells[k]), at)
	}
	return z.err
}

func (s *LogisticSums) checkSizes() error {
	z := sizeChecker{}
	z.checkWeights("w", len(s.W))
	z.requireLength("gradient", len(s.gradient), len(s.W))
	if z.requireMatrix("hessian", s.hessian, len(s.W), len(s.W)); s.N < 0 {
		z.say("n is %d: it must be at least 0", s.N)
	}
	return z.err
}
