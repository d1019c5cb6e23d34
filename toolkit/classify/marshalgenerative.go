package classify

import (
	"encoding/json"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// The saved form of the models in this file holds what the fit estimated and all
// that was computed from it, so that a loaded model gives the same bits anywhere.

const (
	ldaSchema              = "hyperplane-lda/1"
	qdaSchema              = "hyperplane-qda/1"
	naiveBernoulliSchema   = "hyperplane-naive-bayes-bernoulli/1"
	naiveCategoricalSchema = "hyperplane-naive-bayes-categorical/1"
	naiveGaussianSchema    = "hyperplane-naive-bayes-gaussian/1"
	expFamilySchema        = "hyperplane-exponential-family/1"
)

// sharesJSON is embedded in the saved form of each model.
type sharesJSON struct {
	Schema        string   `json:"schema"`
	Priors        []number `json:"priors"`
	Counts        []int    `json:"counts"`
	N             int      `json:"n"`
	LogLikelihood number   `json:"log_likelihood"`
	Parameters    int      `json:"parameters"`
}

func (c *ClassShares) saved(schema string) sharesJSON {
	return sharesJSON{schema, numbers(c.Priors), c.Counts, c.N, number(c.LogLikelihood), c.Parameters}
}

func (j *sharesJSON) restore() (ClassShares, error) {
	c := ClassShares{floats64(j.Priors), j.Counts, j.N, float64(j.LogLikelihood), j.Parameters}
	if len(j.Priors) < 2 || len(j.Counts) != len(j.Priors) {
		return c, fmt.Errorf("%d priors and %d counts: needed is one of each for at least two classes", len(j.Priors), len(j.Counts))
	}
	for k, p := range c.Priors {
		if !(p >= 0 && p <= 1) || (p > 0 && j.Counts[k] == 0) {
			return c, fmt.Errorf("priors[%d] is %v with %d rows: it must be a probability, 0 for a class without rows", k, p, j.Counts[k])
		}
	}
	return c, nil
}

// savedMatrix returns the form of a matrix that may be nil.
func savedMatrix(m *mat.Dense) *matrix { return toMatrix(m, m == nil) }

func savedVector(v []float64) *matrix { return &matrix{1, len(v), numbers(v)} }

func savedUpper(u *upper) *matrix {
	if u == nil {
		return nil
	}
	return &matrix{u.n, u.n, numbers(u.a)}
}

// restorer reads matrices of known sizes and keeps the first error.
type restorer struct{ err error }

func (r *restorer) dense(name string, m *matrix, rows, cols int) *mat.Dense {
	if r.err != nil {
		return nil
	}
	if m == nil {
		r.err = errors.New(name + " is missing")
		return nil
	}
	if r.err = m.check(name); r.err != nil {
		return nil
	}
	if m.Rows != rows || m.Cols != cols {
		r.err = fmt.Errorf("%s is %d×%d, needed is %d×%d", name, m.Rows, m.Cols, rows, cols)
		return nil
	}
	return mat.NewDense(rows, cols, floats64(m.Data))
}

func (r *restorer) vector(name string, m *matrix, n int) []float64 {
	d := r.dense(name, m, 1, n)
	if d == nil {
		return nil
	}
	return d.RawMatrix().Data
}

func (r *restorer) upper(name string, m *matrix, n int) *upper {
	d := r.dense(name, m, n, n)
	if d == nil {
		return nil
	}
	u := &upper{n, d.RawMatrix().Data}
	if !u.regular() {
		r.err = fmt.Errorf("%s is singular", name)
	}
	return u
}

func (r *restorer) symmetric(name string, m *matrix, n int) *mat.SymDense {
	if r.err != nil {
		return nil
	}
	if m == nil {
		r.err = errors.New(name + " is missing")
		return nil
	}
	var s *mat.SymDense
	s, r.err = m.symmetric(name, n)
	return s
}

// columnsOf returns the number of columns of a matrix that may be missing.
func columnsOf(m *matrix) int {
	if m == nil {
		return 0
	}
	return m.Cols
}

type ldaJSON struct {
	sharesJSON
	W      *matrix `json:"w"`
	Means  *matrix `json:"means"`
	Sigma  *matrix `json:"sigma"`
	Mean   *matrix `json:"mean"`
	Root   *matrix `json:"root"`
	Inner  *matrix `json:"inner"`
	Common *matrix `json:"common"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *LDA) MarshalJSON() ([]byte, error) {
	return json.Marshal(ldaJSON{m.saved(ldaSchema), savedMatrix(m.W), savedMatrix(m.Means), toMatrix(m.Sigma, m.Sigma == nil),
		savedVector(m.Mean), savedUpper(m.root), savedMatrix(m.inner), savedVector(m.common)})
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *LDA) UnmarshalJSON(b []byte) error {
	var j ldaJSON
	if err := decode(b, ldaSchema, &j); err != nil {
		return failure("LDA from JSON", err)
	}
	s, err := j.restore()
	if err != nil {
		return failure("LDA from JSON", err)
	}
	r, k, d := restorer{}, len(s.Priors), columnsOf(j.Means)
	l := LDA{s, r.dense("w", j.W, d+1, k), r.dense("means", j.Means, k, d), r.symmetric("sigma", j.Sigma, d),
		r.vector("mean", j.Mean, d), r.upper("root", j.Root, d), r.dense("inner", j.Inner, d+1, k), r.vector("common", j.Common, d+1)}
	if r.err != nil {
		return failure("LDA from JSON", r.err)
	}
	*m = l
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *LDA) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *LDA) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

type qdaJSON struct {
	sharesJSON
	Means  *matrix   `json:"means"`
	LogDet []number  `json:"log_det"`
	Sigma  []*matrix `json:"sigma"`
	Root   []*matrix `json:"root"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *QDA) MarshalJSON() ([]byte, error) {
	j := qdaJSON{sharesJSON: m.saved(qdaSchema), Means: savedMatrix(m.Means), LogDet: numbers(m.LogDet)}
	for k, r := range m.root {
		j.Root = append(j.Root, savedUpper(r))
		j.Sigma = append(j.Sigma, toMatrix(m.Sigma[k], m.Sigma[k] == nil))
	}
	return json.Marshal(j)
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *QDA) UnmarshalJSON(b []byte) error {
	var j qdaJSON
	if err := decode(b, qdaSchema, &j); err != nil {
		return failure("QDA from JSON", err)
	}
	s, err := j.restore()
	if err != nil {
		return failure("QDA from JSON", err)
	}
	r, k, d := restorer{}, len(s.Priors), columnsOf(j.Means)
	q := QDA{s, r.dense("means", j.Means, k, d), make([]*mat.SymDense, k), floats64(j.LogDet), make([]*upper, k)}
	if r.err == nil && (len(j.LogDet) != k || len(j.Root) != k || len(j.Sigma) != k) {
		r.err = fmt.Errorf("%d log_det, %d root and %d sigma for %d classes", len(j.LogDet), len(j.Root), len(j.Sigma), k)
	}
	for c, n := range s.Counts {
		if n != 0 && r.err == nil {
			q.Sigma[c] = r.symmetric("sigma", j.Sigma[c], d)
			q.root[c] = r.upper("root", j.Root[c], d)
		}
	}
	if r.err != nil {
		return failure("QDA from JSON", r.err)
	}
	*m = q
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *QDA) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *QDA) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }
