package classify

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
)

var (
	_ savedModel = (*SufficientMoments)(nil)
	_ savedModel = (*SufficientCounts)(nil)
	_ savedModel = (*LogisticSums)(nil)
)

var (
	_ = codec.Register(codec.Kind[SufficientMoments]{Schema: "hyperplane-sufficient-moments/1", Valid: (*SufficientMoments).sized, Fields: func(s *SufficientMoments) []codec.Field {
		return []codec.Field{{Name: "columns", Value: &s.d}, {Name: "origin", Value: &s.origin}, {Name: "factor", Value: &s.factor}}
	}})
	_ = codec.Register(codec.Kind[SufficientCounts]{Schema: "hyperplane-sufficient-counts/1", Valid: (*SufficientCounts).sized})
	_ = codec.Register(codec.Kind[LogisticSums]{Schema: "hyperplane-logistic-sums/1", Valid: (*LogisticSums).sized, Fields: func(s *LogisticSums) []codec.Field {
		return []codec.Field{{Name: "e", Value: &s.e}, {Name: "gradient", Value: &s.gradient}, {Name: "hessian", Value: &s.hessian}}
	}})
)

func (s *SufficientMoments) sized() error {
	z := sizes{}
	k := len(s.Counts)
	if k < 2 || s.d < 1 {
		z.say("%d columns and %d classes: needed are at least 1 and 2", s.d, k)
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
				z.say("factor[%d] begins with %v: of %d rows it is their square root", c, s.factor[c].At(0, 0), n)
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
				z.say("the values of feature %d are of %d rows of class %d: its rows are %d", i, sum, k, s.Counts[k])
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

// MarshalJSON writes the statistics; the result restores them bit by bit.
func (s *SufficientMoments) MarshalJSON() ([]byte, error) {
	if s != nil {
		s = s.completed()
	}
	return save(s)
}

// UnmarshalJSON reads what MarshalJSON wrote. Text that is no such statistics or whose
// sizes contradict each other is an error.
func (s *SufficientMoments) UnmarshalJSON(b []byte) error { return restore(b, s) }

// GobEncode writes the JSON of MarshalJSON.
func (s *SufficientMoments) GobEncode() ([]byte, error) { return s.MarshalJSON() }

// GobDecode reads it.
func (s *SufficientMoments) GobDecode(b []byte) error { return s.UnmarshalJSON(b) }

// MarshalJSON writes the counts.
func (s *SufficientCounts) MarshalJSON() ([]byte, error) { return save(s) }

// UnmarshalJSON reads what MarshalJSON wrote. Text that is no such counts or whose sizes
// contradict each other is an error.
func (s *SufficientCounts) UnmarshalJSON(b []byte) error { return restore(b, s) }

// GobEncode writes the JSON of MarshalJSON.
func (s *SufficientCounts) GobEncode() ([]byte, error) { return s.MarshalJSON() }

// GobDecode reads it.
func (s *SufficientCounts) GobDecode(b []byte) error { return s.UnmarshalJSON(b) }

// MarshalJSON writes the sums; the result restores them bit by bit.
func (s *LogisticSums) MarshalJSON() ([]byte, error) {
	if s != nil && s.hessian != nil {
		s = s.completed()
	}
	return save(s)
}

// UnmarshalJSON reads what MarshalJSON wrote. Text that is no such sums or whose sizes
// contradict each other is an error.
func (s *LogisticSums) UnmarshalJSON(b []byte) error { return restore(b, s) }

// GobEncode writes the JSON of MarshalJSON.
func (s *LogisticSums) GobEncode() ([]byte, error) { return s.MarshalJSON() }

// GobDecode reads it.
func (s *LogisticSums) GobDecode(b []byte) error { return s.UnmarshalJSON(b) }
