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

// savedModel is the interface of a model that can be saved and restored. It lists the methods of
// encoding/gob instead of importing it, which would lengthen the link time of every cell that fits
// a model.
type savedModel interface {
	json.Marshaler
	json.Unmarshaler
	GobEncode() ([]byte, error)
	GobDecode([]byte) error
}

// Load returns the model encoded by the JSON text b. The result has the pointer type that the Fit
// function of the model returns, for example *Logistic or *LDA, according to the schema in b. A
// model on a basis is returned as *OnBasis[Predictor]. A type switch distinguishes the types:
//
//	switch m := model.(type) {
//	case *classify.Logistic:
//
// Errors: invalid JSON, an unknown schema, inconsistent sizes.
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

// sizes checks the sizes of loaded fields. err is the first error found.
type sizes struct{ err error }

func (s *sizes) say(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

// weights checks that n, the number of weights, is at least 2: the bias and one more weight.
func (s *sizes) weights(name string, n int) {
	if n < 2 {
		s.say("%s has %d weights: want the bias and at least one more", name, n)
	}
}

// matrix checks the size of a matrix that may be nil; need requires a matrix that is not nil.
func (s *sizes) matrix(name string, m mat.Matrix, rows, cols int) {
	if check.Nil(m) {
		return
	}
	if r, c := m.Dims(); r != rows || c != cols {
		s.say("%s is %d×%d, want %d×%d", name, r, c, rows, cols)
	}
}

func (s *sizes) need(name string, m mat.Matrix, rows, cols int) {
	if check.Nil(m) {
		s.say("%s is missing", name)
	}
	s.matrix(name, m, rows, cols)
}

// vector checks the length of a vector that may be nil; list requires the length n.
func (s *sizes) vector(name string, v []float64, n int) {
	if v != nil {
		s.list(name, len(v), n)
	}
}

func (s *sizes) list(name string, got, n int) {
	if got != n {
		s.say("%s has %d entries, want %d", name, got, n)
	}
}

func (s *sizes) trace(t Trace, n int) {
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

// penaltyOf sets hasPrior and penalty if penalty is NaN, because a file of version 0.1 does not
// contain them. The penalty is e minus the negative log likelihood.
func penaltyOf(hasPrior *bool, penalty *float64, e, logLikelihood float64) {
	if math.IsNaN(*penalty) {
		*hasPrior, *penalty = e != -logLikelihood, e+logLikelihood
	}
}

var errNoWeightsSaved = errors.New("w is missing")

var (
	_ savedModel = (*Hyperplane)(nil)
	_ savedModel = (*LinearMachine)(nil)
	_ savedModel = (*LeastSquares)(nil)
	_ savedModel = (*WeightedLeastSquares)(nil)
	_ savedModel = (*Perceptron)(nil)
	_ savedModel = (*Adaline)(nil)
	_ savedModel = (*Fisher)(nil)
	_ savedModel = (*FisherMulti)(nil)
)

var (
	_ = codec.Register(codec.Kind[Hyperplane]{Schema: "hyperplane-plane/1", Valid: (*Hyperplane).sized})
	_ = codec.Register(codec.Kind[LinearMachine]{Schema: "hyperplane-linear-machine/1", Valid: (*LinearMachine).sized})
	_ = codec.Register(codec.Kind[LeastSquares]{Schema: "hyperplane-least-squares/1", Valid: (*LeastSquares).sized})
	_ = codec.Register(codec.Kind[WeightedLeastSquares]{Schema: "hyperplane-weighted-least-squares/1",
		Valid: (*WeightedLeastSquares).sized})
	_ = codec.Register(codec.Kind[Perceptron]{Schema: "hyperplane-perceptron/1", Valid: (*Perceptron).sized})
	_ = codec.Register(codec.Kind[Adaline]{Schema: "hyperplane-adaline/1", Valid: (*Adaline).sized})
	_ = codec.Register(codec.Kind[Fisher]{Schema: "hyperplane-fisher/1", Valid: (*Fisher).sized,
		Fields: func(m *Fisher) []codec.Field {
			return []codec.Field{{Name: "regular", Value: &m.regular}}
		}})
	_ = codec.Register(codec.Kind[FisherMulti]{Schema: "hyperplane-fisher-multi/1", Valid: (*FisherMulti).sized,
		Fields: func(m *FisherMulti) []codec.Field {
			return []codec.Field{{Name: "z", Value: &m.z}}
		}})
)

func (m *Hyperplane) sized() error {
	if len(m.W) == 0 {
		return errNoWeightsSaved
	}
	return nil
}

func (m *LinearMachine) sized() error {
	if r, c := dims(m.W); r < 2 || c < 2 {
		return fmt.Errorf("w is %d×%d: want at least two rows and two columns", r, c)
	}
	return nil
}

func (m *LeastSquares) sized() error {
	if m.W == nil {
		return errNoWeightsSaved
	}
	return nil
}

func (m *WeightedLeastSquares) sized() error {
	s := sizes{}
	s.weights("w", len(m.W))
	return s.err
}

func (m *Perceptron) sized() error {
	s, n := sizes{}, len(m.W)
	s.weights("w", n)
	for i, u := range m.Updates {
		if len(u.W) != n {
			s.say("update %d has %d weights but w has %d", i, len(u.W), n)
		}
	}
	return s.err
}

func (m *Adaline) sized() error {
	s, n := sizes{}, len(m.W)
	s.weights("w", n)
	s.list("least_squares", len(m.LeastSquares), n)
	s.trace(m.Trace, n)
	return s.err
}

func (s *Scatter) sized() error {
	if s == nil {
		return errors.New("scatter is missing")
	}
	z, d := sizes{}, len(s.Mean)
	z.need("within", s.Within, d, d)
	z.need("between", s.Between, d, d)
	z.need("total", s.Total, d, d)
	z.need("class_means", s.ClassMeans, len(s.Counts), d)
	z.vector("class_weights", s.ClassWeights, len(s.Counts))
	return z.err
}

func (m *Fisher) sized() error {
	s, d := sizes{m.Scatter.sized()}, len(m.Direction)
	s.list("w", len(m.W), d+1)
	if s.err == nil && (len(m.Scatter.Mean) != d || len(m.Scatter.Counts) != 2) {
		s.say("scatter has the wrong size: want two classes and the columns of direction")
	}
	return s.err
}

func (m *FisherMulti) sized() error {
	s := sizes{m.Scatter.sized()}
	if s.err != nil {
		return s.err
	}
	d, f := dims(m.W)
	k := len(m.Scatter.Counts)
	s.need("w", m.W, len(m.Scatter.Mean), f)
	s.need("class_means", m.Scatter.ClassMeans, k, d)
	s.need("projected_means", m.ProjectedMeans, k, f)
	s.list("priors", len(m.Priors), k)
	s.need("z", m.z, k, f)
	return s.err
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *Hyperplane) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. A different schema or inconsistent sizes
// are errors; m is then unchanged.
func (m *Hyperplane) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *Hyperplane) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *Hyperplane) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *LinearMachine) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. A different schema or inconsistent sizes
// are errors; m is then unchanged.
func (m *LinearMachine) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *LinearMachine) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *LinearMachine) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *LeastSquares) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. A different schema or inconsistent sizes
// are errors; m is then unchanged.
func (m *LeastSquares) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *LeastSquares) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *LeastSquares) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *WeightedLeastSquares) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. A different schema or inconsistent sizes
// are errors; m is then unchanged.
func (m *WeightedLeastSquares) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *WeightedLeastSquares) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *WeightedLeastSquares) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *Perceptron) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. A different schema or inconsistent sizes
// are errors; m is then unchanged.
func (m *Perceptron) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *Perceptron) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *Perceptron) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *Adaline) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. A different schema or inconsistent sizes
// are errors; m is then unchanged.
func (m *Adaline) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *Adaline) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *Adaline) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *Fisher) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. A different schema or inconsistent sizes
// are errors; m is then unchanged.
func (m *Fisher) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *Fisher) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *Fisher) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *FisherMulti) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. A different schema or inconsistent sizes
// are errors; m is then unchanged.
func (m *FisherMulti) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *FisherMulti) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *FisherMulti) GobDecode(b []byte) error { return restore(b, m) }

var (
	_ savedModel = (*OneVersusRest)(nil)
	_ savedModel = (*OneVersusOne)(nil)
)

var (
	_ = codec.Register(codec.Kind[OneVersusRest]{Schema: "hyperplane-one-versus-rest/1", Valid: (*OneVersusRest).sized})
	_ = codec.Register(codec.Kind[OneVersusOne]{Schema: "hyperplane-one-versus-one/1", Valid: (*OneVersusOne).sized})

	_ = codec.Register(codec.Kind[PolynomialBasis]{Key: "kind", Schema: "polynomial"})
	_ = codec.Register(codec.Kind[GaussianBasis]{Key: "kind", Schema: "gaussian"})
	_ = codec.Register(codec.Kind[RidgeBasis]{Key: "kind", Schema: "ridge"})
	_ = codec.Register(codec.Kind[ScaledBasis]{Key: "kind", Schema: "scaled"})
	_ = codec.Register(codec.Kind[ColumnsBasis]{Key: "kind", Schema: "columns"})
	_ = codec.Register(codec.Kind[ChainBasis]{Key: "kind", Schema: "chain"})
	_ = codec.Register(codec.Kind[JoinedBasis]{Key: "kind", Schema: "joined"})
)

func (m *OneVersusRest) sized() error {
	if n := len(m.Machines); n < 1 || n > m.K || n < m.K-1 {
		return fmt.Errorf("machines has %d entries for %d classes: want one per class, or one fewer", n, m.K)
	}
	return nil
}

func (m *OneVersusOne) sized() error {
	if err := m.Rule.check(); err != nil {
		return err
	}
	if m.K < 2 || m.K > 2+2*len(m.Pairs)+1000 {
		return fmt.Errorf("k is %d with %d pairs: k is below 2 or too large for the pairs", m.K, len(m.Pairs))
	}
	for _, d := range m.Pairs {
		if d.First < 0 || d.Second <= d.First || d.Second >= m.K {
			return fmt.Errorf("invalid pair of classes %d and %d of %d", d.First, d.Second, m.K)
		}
		if d.Machine == nil {
			return errors.New("a pair has no machine")
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

// MarshalJSON saves the model and its basis; UnmarshalJSON restores both exactly. MarshalJSON
// returns an error if the type of the basis is from another package.
func (m *OnBasis[M]) MarshalJSON() ([]byte, error) {
	const name = "a model on a basis to JSON"
	if check.Nil(m.Basis) {
		return nil, failure(name, errors.New("the basis is nil: make the model with FitOnBasis"))
	}
	b, err := codec.Marshal(m.Basis)
	if err != nil {
		return nil, failure(name, fmt.Errorf("%w: only bases of this package can be saved", err))
	}
	model, err := json.Marshal(m.Model)
	if err != nil {
		return nil, err
	}
	return json.Marshal(onBasisJSON{onBasisSchema, b, model})
}

// UnmarshalJSON restores a model that MarshalJSON saved. A different schema, a different kind of
// model or inconsistent sizes are errors; m is then unchanged.
func (m *OnBasis[M]) UnmarshalJSON(data []byte) error {
	const name = "a model on a basis from JSON"
	var j onBasisJSON
	if err := codec.Strict(data, onBasisSchema, &j); err != nil {
		return failure(name, err)
	}
	switch {
	case missing(j.Basis):
		return failure(name, errors.New("basis is missing"))
	case missing(j.Model):
		return failure(name, errors.New("model is missing"))
	}
	b, err := codec.Load(j.Basis)
	if err != nil {
		return failure(name, err)
	}
	basis, ok := b.(Basis)
	if !ok {
		return failure(name, fmt.Errorf("a %T is not a basis", b))
	}
	if err := basisCheck(basis); err != nil {
		return failure(name, err)
	}
	var model M
	if err := codec.Value(j.Model, &model); err != nil {
		return failure(name, err)
	}
	m.Model, m.Basis = model, basis
	return nil
}

func missing(text json.RawMessage) bool { return len(text) == 0 || string(text) == "null" }

// GobEncode saves the model for encoding/gob.
func (m *OnBasis[M]) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *OnBasis[M]) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *OneVersusRest) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. A different schema or inconsistent sizes
// are errors; m is then unchanged.
func (m *OneVersusRest) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *OneVersusRest) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *OneVersusRest) GobDecode(b []byte) error { return restore(b, m) }

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *OneVersusOne) MarshalJSON() ([]byte, error) { return save(m) }

// UnmarshalJSON restores a model that MarshalJSON saved. A different schema or inconsistent sizes
// are errors; m is then unchanged.
func (m *OneVersusOne) UnmarshalJSON(b []byte) error { return restore(b, m) }

// GobEncode saves the model for encoding/gob.
func (m *OneVersusOne) GobEncode() ([]byte, error) { return save(m) }

// GobDecode restores a model that GobEncode saved.
func (m *OneVersusOne) GobDecode(b []byte) error { return restore(b, m) }

var (
	_ savedModel = (*SufficientMoments)(nil)
	_ savedModel = (*SufficientCounts)(nil)
	_ savedModel = (*LogisticSums)(nil)
)

var (
	_ = codec.Register(codec.Kind[SufficientMoments]{Schema: "hyperplane-sufficient-moments/1",
		Valid: (*SufficientMoments).sized, Fields: func(s *SufficientMoments) []codec.Field {
			return []codec.Field{{Name: "columns", Value: &s.d}, {Name: "origin", Value: &s.origin},
				{Name: "factor", Value: &s.factor}}
		}})
	_ = codec.Register(codec.Kind[SufficientCounts]{Schema: "hyperplane-sufficient-counts/1",
		Valid: (*SufficientCounts).sized})
	_ = codec.Register(codec.Kind[LogisticSums]{Schema: "hyperplane-logistic-sums/1", Valid: (*LogisticSums).sized,
		Fields: func(s *LogisticSums) []codec.Field {
			return []codec.Field{{Name: "e", Value: &s.e}, {Name: "gradient", Value: &s.gradient},
				{Name: "hessian", Value: &s.hessian}}
		}})
)

func (s *SufficientMoments) sized() error {
	z := sizes{}
	k := len(s.Counts)
	if k < 2 || s.d < 1 {
		z.say("%d columns and %d classes: want at least 1 column and 2 classes", s.d, k)
	}
	z.list("origin", len(s.origin), k)
	z.list("factor", len(s.factor), k)
	for c, n := range s.Counts {
		switch {
		case z.err != nil:
		case n < 0:
			z.say("counts[%d] is %d: it must be 0 or more", c, n)
		case n == 0:
			s.origin[c], s.factor[c] = nil, nil
		default:
			z.list("origin", len(s.origin[c]), s.d)
			z.need("factor", s.factor[c], s.d+1, s.d+1)
			if z.err == nil && !(math.Abs(s.factor[c].At(0, 0)-math.Sqrt(float64(n))) <= 1e-9*math.Sqrt(float64(n))) {
				z.say("factor[%d] begins with %v: want the square root of the number of rows, %d", c, s.factor[c].At(0, 0), n)
			}
		}
	}
	return z.err
}

func (s *SufficientCounts) sized() error {
	z := sizes{}
	if _, err := NewSufficientCounts(s.Levels, len(s.Counts)); err != nil {
		return err
	}
	z.list("cells", len(s.Cells), len(s.Counts))
	for k := 0; k < len(s.Counts) && z.err == nil; k++ {
		at := 0
		for i, l := range s.Levels {
			sum := 0
			for j := at; j < at+l && j < len(s.Cells[k]); j++ {
				sum += s.Cells[k][j]
				if s.Cells[k][j] < 0 {
					z.say("cells[%d][%d] is %d: it must be 0 or more", k, j, s.Cells[k][j])
				}
			}
			if at += l; sum != s.Counts[k] {
				z.say("the values of feature %d cover %d rows of class %d, want %d", i, sum, k, s.Counts[k])
			}
		}
		z.list("a row of cells", len(s.Cells[k]), at)
	}
	return z.err
}

func (s *LogisticSums) sized() error {
	z := sizes{}
	z.weights("w", len(s.W))
	z.list("gradient", len(s.gradient), len(s.W))
	if z.need("hessian", s.hessian, len(s.W), len(s.W)); s.N < 0 {
		z.say("n is %d: it must be 0 or more", s.N)
	}
	return z.err
}

// MarshalJSON encodes the statistics, which UnmarshalJSON restores bit for bit.
func (s *SufficientMoments) MarshalJSON() ([]byte, error) {
	if s != nil {
		s = s.completed()
	}
	return save(s)
}

// UnmarshalJSON restores statistics that MarshalJSON encoded. It returns an error if b does not
// encode SufficientMoments or has inconsistent sizes.
func (s *SufficientMoments) UnmarshalJSON(b []byte) error { return restore(b, s) }

// GobEncode returns the JSON of MarshalJSON.
func (s *SufficientMoments) GobEncode() ([]byte, error) { return s.MarshalJSON() }

// GobDecode restores the statistics from the output of GobEncode.
func (s *SufficientMoments) GobDecode(b []byte) error { return s.UnmarshalJSON(b) }

// MarshalJSON encodes the counts.
func (s *SufficientCounts) MarshalJSON() ([]byte, error) { return save(s) }

// UnmarshalJSON restores counts that MarshalJSON encoded. It returns an error if b does not encode
// SufficientCounts or has inconsistent sizes.
func (s *SufficientCounts) UnmarshalJSON(b []byte) error { return restore(b, s) }

// GobEncode returns the JSON of MarshalJSON.
func (s *SufficientCounts) GobEncode() ([]byte, error) { return s.MarshalJSON() }

// GobDecode restores the counts from the output of GobEncode.
func (s *SufficientCounts) GobDecode(b []byte) error { return s.UnmarshalJSON(b) }

// MarshalJSON encodes the sums, which UnmarshalJSON restores bit for bit.
func (s *LogisticSums) MarshalJSON() ([]byte, error) {
	if s != nil && s.hessian != nil {
		s = s.completed()
	}
	return save(s)
}

// UnmarshalJSON restores sums that MarshalJSON encoded. It returns an error if b does not encode
// LogisticSums or has inconsistent sizes.
func (s *LogisticSums) UnmarshalJSON(b []byte) error { return restore(b, s) }

// GobEncode returns the JSON of MarshalJSON.
func (s *LogisticSums) GobEncode() ([]byte, error) { return s.MarshalJSON() }

// GobDecode restores the sums from the output of GobEncode.
func (s *LogisticSums) GobDecode(b []byte) error { return s.UnmarshalJSON(b) }
