package block

import "iter"

// Targets returns the targets of rows lo … hi−1, from t or, if t is nil, from the source.
func (s *Source) Targets(t []float64, lo, hi int) []float64 {
	if s.stream == nil || t != nil {
		return t[lo:hi]
	}
	_, t = s.stream.window(lo, hi)
	return t
}

// Labels is Targets for class labels.
func (s *Source) Labels(labels []int, lo, hi int) []int {
	if s.stream == nil || labels != nil {
		return labels[lo:hi]
	}
	_, t := s.stream.window(lo, hi)
	l := s.stream.labels[:0]
	for _, v := range t {
		l = append(l, int(v))
	}
	s.stream.labels = l
	return l
}

// EachTarget yields all targets in order, with the number of the row.
func (s *Source) EachTarget(t []float64) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		for i := range s.n {
			if !yield(i, s.Targets(t, i, i+1)[0]) {
				return
			}
		}
	}
}
