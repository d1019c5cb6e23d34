package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

var (
	_ Predictor = (*OneVersusOne)(nil)
	_ Scorer    = (*OneVersusOne)(nil)
	_ Decider   = (*OneVersusOne)(nil)
)

// PairRule says how the machines of a OneVersusOne are put together.
type PairRule int

const (
	// PairVotes counts the duels that each class wins (PRML 4.1.2). Decide is
	// Ambiguous where several classes have the most votes.
	PairVotes PairRule = iota
	// PairSums adds the discriminants, g_i = Σ_j g_ij, Alpaydin (10.10). Decide is
	// Ambiguous only where two sums are equal; the machines must be of one scale.
	PairSums
	// PairAll takes the class that wins all its duels (Alpaydin 10.4), and
	// Rejected where there is none. Predict takes the most votes.
	PairAll
)

// OneVersusOneOptions of FitOneVersusOne. The zero value takes votes.
type OneVersusOneOptions struct {
	Rule PairRule
}

// Pair is the machine that divides two classes: g > 0 for the first.
type Pair struct {
	First, Second int
	Machine       Scorer
}

// OneVersusOne combines K(K−1)/2 two-class machines, one per pair of classes,
// each fitted to the rows of its pair alone, Alpaydin (10.9).
//
// With g_ji = −g_ij the demands of (10.9) for (i,j) and for (j,i) contradict each
// other where g_ij = 0: it is allowed for C_j by one and not by the other (erratum
// A12). Here a duel is won where g is strictly positive, and at 0 each gets half a vote.
//
// Equations: Alpaydin (10.9), (10.10).
type OneVersusOne struct {
	Pairs []Pair `saved:"duels"` // in the order (0,1), (0,2) … of the classes that have rows
	K     int
	Rule  PairRule
}

// FitOneVersusOne fits a machine to each pair of the classes 0…k−1 on the rows of
// x, N×D, that belong to it; rows are not copied. A class without rows has no
// duels and is never chosen. Errors: shapes that do not agree, NaN or Inf, labels
// out of range or of a single class, an unknown rule, and those of fit.
//
// Equations: Alpaydin (10.9), (10.10).
func FitOneVersusOne(x mat.Matrix, labels []int, k int, fit FitTwoClass, o OneVersusOneOptions) (*OneVersusOne, error) {
	counts, err := combineInputs(x, labels, k, fit)
	if err != nil {
		return nil, failure("FitOneVersusOne", err)
	}
	if err := o.Rule.check(); err != nil {
		return nil, failure("FitOneVersusOne", err)
	}
	rows := make([][]int, k)
	for i, l := range labels {
		rows[l] = append(rows[l], i)
	}
	m := &OneVersusOne{K: k, Rule: o.Rule}
	for a := range k {
		for b := a + 1; b < k; b++ {
			if counts[a] == 0 || counts[b] == 0 {
				continue
			}
			pair, t := mergePair(rows[a], rows[b])
			machine, err := fitMachine(fit, &rowSubset{x, pair}, t, fmt.Sprintf("classes %d and %d", a, b))
			if err != nil {
				return nil, failure("FitOneVersusOne", err)
			}
			m.Pairs = append(m.Pairs, Pair{a, b, machine})
		}
	}
	return m, nil
}

func (r PairRule) check() error {
	if r < PairVotes || r > PairAll {
		return fmt.Errorf("Rule is %d: choose PairVotes, PairSums or PairAll", r)
	}
	return nil
}

// mergePair returns the rows of two classes in their order, and the targets.
func mergePair(a, b []int) (rows []int, t []float64) {
	for len(a)+len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0] < b[0] {
			rows, t, a = append(rows, a[0]), append(t, 1), a[1:]
		} else {
			rows, t, b = append(rows, b[0]), append(t, 0), b[1:]
		}
	}
	return rows, t
}

// Votes returns N×K: how many duels each class wins at each row, ½ for a draw.
// Classes without rows have −Inf. Errors: those of Scores.
func (m *OneVersusOne) Votes(x mat.Matrix) (*mat.Dense, error) {
	return m.table("Votes", x, func(g float64) (first, second float64) {
		switch {
		case g > 0:
			return 1, 0
		case g < 0:
			return 0, 1
		}
		return 0.5, 0.5
	})
}

// Sums returns N×K: g_i(x) = Σ_j g_ij(x), Alpaydin (10.10), with g_ji = −g_ij.
// Classes without rows have −Inf. Errors: those of Scores.
//
// Equations: Alpaydin (10.10).
func (m *OneVersusOne) Sums(x mat.Matrix) (*mat.Dense, error) {
	return m.table("Sums", x, func(g float64) (first, second float64) { return g, -g })
}

// table adds up what each duel gives to its two classes.
func (m *OneVersusOne) table(name string, x mat.Matrix, give func(g float64) (first, second float64)) (*mat.Dense, error) {
	if m == nil || len(m.Pairs) == 0 {
		return nil, failure("OneVersusOne."+name, errors.New("the model has no machines: make it with FitOneVersusOne"))
	}
	var s *mat.Dense
	for _, duel := range m.Pairs {
		g, err := discriminant(duel.Machine, x)
		if err != nil {
			return nil, failure("OneVersusOne."+name, fmt.Errorf("the machine for classes %d and %d: %w", duel.First, duel.Second, err))
		}
		if s == nil {
			s = m.noVotes(len(g))
		}
		for i, v := range g {
			row := s.RawRowView(i)
			a, b := give(v)
			row[duel.First] += a
			row[duel.Second] += b
			if math.IsNaN(row[duel.First]) || math.IsNaN(row[duel.Second]) {
				return nil, failure("OneVersusOne."+name, fmt.Errorf("the discriminants of row %d overflow: choose other units for x", i))
			}
		}
	}
	return s, nil
}

// noVotes returns n rows of 0, −Inf for classes without duels.
func (m *OneVersusOne) noVotes(n int) *mat.Dense {
	has := make([]bool, m.K)
	for _, d := range m.Pairs {
		has[d.First], has[d.Second] = true, true
	}
	s := mat.NewDense(n, m.K, nil)
	for k, ok := range has {
		if !ok {
			s.SetCol(k, constant(n, math.Inf(-1)))
		}
	}
	return s
}

// Scores returns Sums for PairSums, else Votes.
func (m *OneVersusOne) Scores(x mat.Matrix) (*mat.Dense, error) {
	if m != nil && m.Rule == PairSums {
		return m.Sums(x)
	}
	return m.Votes(x)
}

// Decide returns the class that the rule chooses, or Ambiguous or Rejected.
func (m *OneVersusOne) Decide(x mat.Matrix) ([]int, error) {
	s, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	class := single(s)
	if m.Rule != PairAll {
		return class, nil
	}
	opponents := -1.0
	for _, v := range m.noVotes(1).RawRowView(0) {
		if v == 0 {
			opponents++
		}
	}
	for i, c := range class {
		if c < 0 || s.At(i, c) < opponents {
			class[i] = Rejected
		}
	}
	return class, nil
}

// Predict returns a class for every row: the largest sum for PairSums; else the
// most votes, of several classes the one with the largest sum, and of these the
// one with the lowest index.
func (m *OneVersusOne) Predict(x mat.Matrix) ([]int, error) {
	s, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	if m.Rule == PairSums {
		return largest(s), nil
	}
	sums, err := m.Sums(x)
	if err != nil {
		return nil, err
	}
	class := largest(s)
	for i := range class {
		votes, sum := s.RawRowView(i), sums.RawRowView(i)
		most := votes[class[i]]
		for k, v := range votes {
			if v == most && sum[k] > sum[class[i]] {
				class[i] = k
			}
		}
	}
	return class, nil
}
