package classify

import (
	"encoding/gob"
	"encoding/json"
	"errors"
)

var (
	_ gob.GobEncoder = (*Scatter)(nil)
	_ gob.GobEncoder = (*Fisher)(nil)
	_ gob.GobEncoder = (*FisherMulti)(nil)
)

const (
	scatterSchema     = "hyperplane-scatter/1"
	fisherSchema      = "hyperplane-fisher/1"
	fisherMultiSchema = "hyperplane-fisher-multi/1"
)

type scatterJSON struct {
	Schema     string  `json:"schema"`
	Within     *matrix `json:"within"`
	Between    *matrix `json:"between"`
	Total      *matrix `json:"total"`
	Mean       *matrix `json:"mean"`
	ClassMeans *matrix `json:"class_means"`
	Counts     []int   `json:"counts"`
}

// MarshalJSON saves the matrices; UnmarshalJSON restores them exactly.
func (s *Scatter) MarshalJSON() ([]byte, error) {
	return json.Marshal(scatterJSON{scatterSchema, toMatrix(s.Within, s.Within == nil), toMatrix(s.Between, s.Between == nil),
		toMatrix(s.Total, s.Total == nil), savedVector(s.Mean), savedMatrix(s.ClassMeans), s.Counts})
}

// UnmarshalJSON restores what MarshalJSON saved. Another schema or sizes that
// contradict each other are errors; s is then unchanged.
func (s *Scatter) UnmarshalJSON(b []byte) error {
	var j scatterJSON
	if err := decode(b, scatterSchema, &j); err != nil {
		return failure("Scatter from JSON", err)
	}
	r, k, d := restorer{}, len(j.Counts), columnsOf(j.Mean)
	out := Scatter{r.symmetric("within", j.Within, d), r.symmetric("between", j.Between, d), r.symmetric("total", j.Total, d),
		r.vector("mean", j.Mean, d), r.dense("class_means", j.ClassMeans, k, d), j.Counts}
	if r.err != nil {
		return failure("Scatter from JSON", r.err)
	}
	*s = out
	return nil
}

// GobEncode saves the matrices for encoding/gob.
func (s *Scatter) GobEncode() ([]byte, error) { return s.MarshalJSON() }

// GobDecode restores what GobEncode saved.
func (s *Scatter) GobDecode(b []byte) error { return s.UnmarshalJSON(b) }

type fisherJSON struct {
	Schema            string   `json:"schema"`
	W                 *matrix  `json:"w"`
	Direction         *matrix  `json:"direction"`
	Threshold         number   `json:"threshold"`
	J                 number   `json:"j"`
	ProjectedMeans    *matrix  `json:"projected_means"`
	ProjectedScatters *matrix  `json:"projected_scatters"`
	Scatter           *Scatter `json:"scatter"`
	Rank              int      `json:"rank"`
	Reason            string   `json:"reason"`
	Regular           bool     `json:"regular"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *Fisher) MarshalJSON() ([]byte, error) {
	return json.Marshal(fisherJSON{fisherSchema, savedVector(m.W), savedVector(m.Direction), number(m.Threshold), number(m.J),
		savedVector(m.ProjectedMeans[:]), savedVector(m.ProjectedScatters[:]), m.Scatter, m.Rank, m.Reason, m.regular})
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *Fisher) UnmarshalJSON(b []byte) error {
	var j fisherJSON
	if err := decode(b, fisherSchema, &j); err != nil {
		return failure("Fisher from JSON", err)
	}
	r, d := restorer{}, columnsOf(j.Direction)
	f := Fisher{r.vector("w", j.W, d+1), r.vector("direction", j.Direction, d), float64(j.Threshold), float64(j.J), [2]float64{}, [2]float64{}, j.Scatter, j.Rank, j.Reason, j.Regular}
	copy(f.ProjectedMeans[:], r.vector("projected_means", j.ProjectedMeans, 2))
	copy(f.ProjectedScatters[:], r.vector("projected_scatters", j.ProjectedScatters, 2))
	if r.err == nil && (j.Scatter == nil || len(j.Scatter.Mean) != d || len(j.Scatter.Counts) != 2) {
		r.err = errors.New("scatter is missing or of another size")
	}
	if r.err != nil {
		return failure("Fisher from JSON", r.err)
	}
	*m = f
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *Fisher) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *Fisher) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }

type fisherMultiJSON struct {
	Schema         string   `json:"schema"`
	W              *matrix  `json:"w"`
	Eigenvalues    []number `json:"eigenvalues"`
	J              number   `json:"j"`
	ProjectedMeans *matrix  `json:"projected_means"`
	Priors         *matrix  `json:"priors"`
	Scatter        *Scatter `json:"scatter"`
	Rank           int      `json:"rank"`
	Reason         string   `json:"reason"`
	Z              *matrix  `json:"z"`
}

// MarshalJSON saves the model; UnmarshalJSON restores it exactly.
func (m *FisherMulti) MarshalJSON() ([]byte, error) {
	return json.Marshal(fisherMultiJSON{fisherMultiSchema, savedMatrix(m.W), numbers(m.Eigenvalues), number(m.J), savedMatrix(m.ProjectedMeans),
		savedVector(m.Priors), m.Scatter, m.Rank, m.Reason, savedMatrix(m.z)})
}

// UnmarshalJSON restores a model that MarshalJSON saved. Another schema or sizes
// that contradict each other are errors; m is then unchanged.
func (m *FisherMulti) UnmarshalJSON(b []byte) error {
	var j fisherMultiJSON
	if err := decode(b, fisherMultiSchema, &j); err != nil {
		return failure("FisherMulti from JSON", err)
	}
	if j.Scatter == nil || j.W == nil || len(j.Scatter.Mean) != j.W.Rows {
		return failure("FisherMulti from JSON", errors.New("scatter or w is missing or of another size"))
	}
	r, k, d, f := restorer{}, len(j.Scatter.Counts), j.W.Rows, j.W.Cols
	out := FisherMulti{r.dense("w", j.W, d, f), floats64(j.Eigenvalues), float64(j.J), r.dense("projected_means", j.ProjectedMeans, k, f),
		r.vector("priors", j.Priors, k), j.Scatter, j.Rank, j.Reason, r.dense("z", j.Z, k, f)}
	if r.err != nil {
		return failure("FisherMulti from JSON", r.err)
	}
	*m = out
	return nil
}

// GobEncode saves the model for encoding/gob.
func (m *FisherMulti) GobEncode() ([]byte, error) { return m.MarshalJSON() }

// GobDecode restores a model that GobEncode saved.
func (m *FisherMulti) GobDecode(b []byte) error { return m.UnmarshalJSON(b) }
