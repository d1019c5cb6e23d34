package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
)

var (
	_ Predictor = (*OneVersusRest)(nil)
	_ Scorer    = (*OneVersusRest)(nil)
	_ Decider   = (*OneVersusRest)(nil)
)

// OneVersusRestOptions are the options of FitOneVersusRest. The zero value fits a machine for every
// class.
type OneVersusRestOptions struct {
	// LastIsRest omits the machine of the last class, as in PRML 4.1.2. The model then has K−1
	// machines, and points that no machine claims belong to the last class. Without LastIsRest the
	// model has K machines, as in Alpaydin (10.7) and most software.
	LastIsRest bool
}

// OneVersusRest combines two-class machines. Each machine separates one class from all others. The
// machine of class k claims x for its class if g_k(x) > 0.
//
// In some regions, several machines or no machine claim x (PRML figure 4.2, Alpaydin figure 10.3).
// Decide reports these regions. For every x, Predict chooses the class with the largest g_k
// (Alpaydin 10.8). This rule requires that the g_k of all machines have the same scale.
//
// Equations: Alpaydin (10.6)–(10.8).
type OneVersusRest struct {
	// Machines contains the machines of classes 0, 1, …. There are K−1 machines with LastIsRest,
	// and K machines without LastIsRest. The machine of a class without rows is nil, and that class
	// claims no points.
	Machines []Scorer
	K        int
}

// FitOneVersusRest fits, for each class that has rows, a machine that separates the class from all
// other classes. With LastIsRest, the last class has no machine. x is N×D, and labels are 0…k−1.
// FitOneVersusRest calls `fit` once for each machine. Errors: shapes that do not agree, NaN or Inf,
// labels out of range or of a single class, a nil `fit`, a `fit` that returns an error or no model.
// It is also an error if the Scores of a machine fail for the first row of its fit, do not have two
// columns or give a NaN discriminant.
//
// Equations: Alpaydin (10.6)–(10.8).
func FitOneVersusRest(x mat.Matrix, labels []int, k int, fit FitTwoClass, o OneVersusRestOptions) (*OneVersusRest,
	error) {
	counts, err := combineInputs(x, labels, k, fit)
	if err != nil {
		return nil, failure("FitOneVersusRest", err)
	}
	m := &OneVersusRest{K: k, Machines: make([]Scorer, k)}
	if o.LastIsRest {
		m.Machines = m.Machines[:k-1]
	}
	for c := range m.Machines {
		if counts[c] == 0 {
			continue
		}
		t := make([]float64, len(labels))
		for i, l := range labels {
			if l == c {
				t[i] = 1
			}
		}
		if m.Machines[c], err = fitMachine(fit, x, t, fmt.Sprintf("class %d against all other classes", c)); err != nil {
			return nil, failure("FitOneVersusRest", err)
		}
	}
	return m, nil
}

// Scores returns the N×K discriminants g_k(x). The score of a class without a machine is −Inf. With
// LastIsRest, however, the score of the last class is 0. The last class then has the largest score,
// alone or in a tie, exactly where no machine has a positive discriminant.
func (m *OneVersusRest) Scores(x mat.Matrix) (*mat.Dense, error) {
	s, err := m.scores(x)
	if err != nil {
		return nil, failure("OneVersusRest", err)
	}
	return s, nil
}

func (m *OneVersusRest) scores(x mat.Matrix) (*mat.Dense, error) {
	if m == nil {
		return nil, errNoMachines
	}
	var s *mat.Dense
	for c, machine := range m.Machines {
		if machine == nil {
			continue
		}
		g, err := discriminant(machine, x)
		if err != nil {
			return nil, fmt.Errorf("the machine for class %d against all other classes: %w", c, err)
		}
		if s == nil {
			s = mat.NewDense(len(g), m.K, nil)
			for k := range len(m.Machines) {
				s.SetCol(k, constant(len(g), math.Inf(-1)))
			}
		}
		s.SetCol(c, g)
	}
	if s == nil {
		return nil, errNoMachines
	}
	return s, nil
}

var errNoMachines = errors.New("the model has no machines: create the model with FitOneVersusRest")

func constant(n int, v float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// Decide returns, for each row, the class whose machine alone claims the row. A machine claims a
// row if g_k > 0. If several machines claim the row, Decide returns Ambiguous. If no machine claims
// the row, Decide returns Rejected or, with LastIsRest, the last class. A machine does not claim a
// point with g_k = 0, which is on its boundary (Alpaydin 10.7).
func (m *OneVersusRest) Decide(x mat.Matrix) ([]int, error) {
	s, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	n, _ := s.Dims()
	class := make([]int, n)
	for i := range class {
		class[i] = Rejected
		if len(m.Machines) < m.K {
			class[i] = m.K - 1
		}
		claims := 0
		for c := range m.Machines {
			if s.At(i, c) > 0 {
				claims++
				class[i] = c
			}
		}
		if claims > 1 {
			class[i] = Ambiguous
		}
	}
	return class, nil
}

// Predict returns, for every row, the class with the largest g_k, or the lowest class index in a
// tie.
func (m *OneVersusRest) Predict(x mat.Matrix) ([]int, error) { return rowArgMaxOf(m.Scores(x)) }

var _ = codec.Register(codec.Kind[OneVersusRest]{Schema: "hyperplane-one-versus-rest/1",
	Valid: (*OneVersusRest).checkSizes})

func (m *OneVersusRest) checkSizes() error {
	if n := len(m.Machines); n < 1 || n > m.K || n < m.K-1 {
		return fmt.Errorf("machines has %d entries for %d classes: want one entry per class, or one entry fewer", n, m.K)
	}
	return nil
}

// The constants Ambiguous and Rejected are values that a Decider returns instead of a class.
const (
	// Ambiguous means that several classes claim the point, and that the rule does not choose one
	// of them.
	Ambiguous = -1
	// Rejected means that no class claims the point, or that a Decision rejects the point.
	Rejected = -2
)

// Decider is a model that assigns a class only to points for which its rule gives exactly one
// class.
type Decider interface {
	// Decide returns, for each row of x, the class, Ambiguous or Rejected. Errors: as for Predict.
	Decide(x mat.Matrix) ([]int, error)
}

// FitTwoClass fits a two-class machine to inputs x (N×D) and targets t. The targets are 1 for the
// first class and 0 for the second. A function such as the following adapts a two-class fit of this
// package:
//
//	func(x mat.Matrix, t []float64) (classify.Scorer, error) {
//		return classify.FitLogistic(x, t, classify.LogisticOptions{})
//	}
//
// The Scores of the machine have two columns. Its discriminant g is the first column minus the
// second.
type FitTwoClass func(x mat.Matrix, t []float64) (Scorer, error)

// combineInputs checks the arguments that FitOneVersusOne and FitOneVersusRest have in common.
func combineInputs(x mat.Matrix, labels []int, k int, fit FitTwoClass) (counts []int, err error) {
	src, _, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	n, _ := src.Dims()
	if counts, err = check.Labels(labels, n, k); err != nil {
		return nil, err
	}
	if fit == nil {
		return nil, errors.New("fit is nil: give a function that fits two classes")
	}
	return counts, nil
}

// fitMachine fits one machine, and checks that the machine can score the first row of x.
func fitMachine(fit FitTwoClass, x mat.Matrix, t []float64, what string) (Scorer, error) {
	m, err := fit(x, t)
	if err == nil && m == nil {
		err = errors.New("the fit returned no model: want a model or an error")
	}
	if err == nil {
		_, err = discriminant(m, &rowSubset{x, []int{0}})
	}
	if err != nil {
		return nil, fmt.Errorf("the machine for %s: %w", what, err)
	}
	return m, nil
}

// discriminant returns g(x) of the two-class machine m for each row of x.
func discriminant(m Scorer, x mat.Matrix) ([]float64, error) {
	s, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	n, k := s.Dims()
	if k != 2 {
		return nil, fmt.Errorf("Scores has %d columns: want 2 columns for a two-class machine", k)
	}
	g := make([]float64, n)
	for i := range g {
		if g[i] = s.At(i, 0) - s.At(i, 1); math.IsNaN(g[i]) {
			return nil, fmt.Errorf("the discriminant of row %d is not a number", i)
		}
	}
	return g, nil
}

// rowSubset is a view of the rows of x whose numbers are in the field `rows`.
type rowSubset struct {
	x    mat.Matrix
	rows []int
}

func (s *rowSubset) Dims() (int, int) {
	_, d := s.x.Dims()
	return len(s.rows), d
}

func (s *rowSubset) At(i, j int) float64 { return s.x.At(s.rows[i], j) }

func (s *rowSubset) T() mat.Matrix { return mat.Transpose{Matrix: s} }

// uniqueLargest returns the class with the largest entry in each row of scores, or Ambiguous if
// several entries of the row tie for the largest.
func uniqueLargest(scores *mat.Dense) []int {
	class := rowArgMax(scores)
	for i, c := range class {
		row := scores.RawRowView(i)
		for k, v := range row {
			if k != c && v == row[c] {
				class[i] = Ambiguous
			}
		}
	}
	return class
}

var (
	_ Predictor = (*OneVersusOne)(nil)
	_ Scorer    = (*OneVersusOne)(nil)
	_ Decider   = (*OneVersusOne)(nil)
)

// PairRule selects how a OneVersusOne combines its machines.
type PairRule int

const (
	// PairVotes chooses the class that wins the most pairs (PRML 4.1.2). Decide returns Ambiguous
	// if several classes have the most votes.
	PairVotes PairRule = iota
	// PairSums chooses the class with the largest sum of discriminants, g_i = Σ_j g_ij, Alpaydin
	// (10.10). Decide returns Ambiguous if several classes have the largest sum. The discriminants
	// of all machines must have the same scale.
	PairSums
	// PairAll chooses the class that wins every pair with another class (Alpaydin 10.4). If no
	// class wins every pair, Decide returns Rejected, and Predict returns the class with the most
	// votes.
	PairAll
)

// OneVersusOneOptions are the options of FitOneVersusOne. The zero value uses PairVotes.
type OneVersusOneOptions struct {
	Rule PairRule
}

// Pair is a machine that separates two classes. Its discriminant g is positive for the class First.
type Pair struct {
	First, Second int
	Machine       Scorer
}

// OneVersusOne combines two-class machines, one per pair of classes, Alpaydin (10.9). If all K
// classes have rows, there are K(K−1)/2 machines. Each machine is fitted only to the rows of its two
// classes.
//
// Because g_ji = −g_ij, the conditions of (10.9) for the pairs (i,j) and (j,i) contradict each
// other at points with g_ij = 0. At such points the condition for (i,j) allows C_j, but the
// condition for (j,i) does not (erratum A12). In this package, First wins the pair if g > 0, and
// Second wins if g < 0. Where g is 0, each class gets half a vote.
//
// Equations: Alpaydin (10.9), (10.10).
type OneVersusOne struct {
	Pairs []Pair `saved:"duels"` // the pairs (0,1), (0,2) … of the nonempty classes, in this order
	K     int
	Rule  PairRule
}

// FitOneVersusOne fits a machine to each pair of classes that both have rows. x is N×D, and labels
// are 0…k−1. A machine uses the rows of x that belong to its two classes. Rows are not copied. A
// class without rows has no machines and is never chosen. Errors: shapes that do not agree, NaN or
// Inf, labels out of range or of a single class, an unknown rule, a nil `fit`, a `fit` that returns
// an error or no model. It is also an error if the Scores of a machine fail for the first row of its
// fit, do not have two columns or give a NaN discriminant.
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

// mergePair merges the ascending row numbers of two classes, a for the first class and b for the
// second, into one ascending list. It also returns the targets of these rows: 1 for the rows of the
// first class, and 0 for the rows of the second class.
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

// Votes returns an N×K matrix with the number of pairs that each class wins at each row of x. A tie
// counts ½. The number for a class without rows is −Inf. Errors: as for Scores.
func (m *OneVersusOne) Votes(x mat.Matrix) (*mat.Dense, error) {
	return m.sumPairs("Votes", x, func(g float64) (first, second float64) {
		switch {
		case g > 0:
			return 1, 0
		case g < 0:
			return 0, 1
		}
		return 0.5, 0.5
	})
}

// Sums returns the N×K sums g_i(x) = Σ_j g_ij(x), Alpaydin (10.10), with g_ji = −g_ij. The sum for
// a class without rows is −Inf. Errors: as for Scores.
//
// Equations: Alpaydin (10.10).
func (m *OneVersusOne) Sums(x mat.Matrix) (*mat.Dense, error) {
	return m.sumPairs("Sums", x, func(g float64) (first, second float64) { return g, -g })
}

// sumPairs returns, for each row and class, the sum of the contributions of all pairs with this
// class. The function `contributions` receives the discriminant g of a pair, and returns what
// this pair contributes to each of its two classes.
func (m *OneVersusOne) sumPairs(name string, x mat.Matrix, contributions func(g float64) (first, second float64)) (*mat.Dense,
	error) {
	if m == nil || len(m.Pairs) == 0 {
		return nil, failure("OneVersusOne."+name, errors.New("the model has no machines: create the model with FitOneVersusOne"))
	}
	var s *mat.Dense
	for _, pair := range m.Pairs {
		g, err := discriminant(pair.Machine, x)
		if err != nil {
			return nil, failure("OneVersusOne."+name,
				fmt.Errorf("the machine for classes %d and %d: %w", pair.First, pair.Second, err))
		}
		if s == nil {
			s = m.noVotes(len(g))
		}
		for i, v := range g {
			row := s.RawRowView(i)
			a, b := contributions(v)
			row[pair.First] += a
			row[pair.Second] += b
			if math.IsNaN(row[pair.First]) || math.IsNaN(row[pair.Second]) {
				return nil, failure("OneVersusOne."+name,
					fmt.Errorf("the discriminants of row %d overflow: choose other units for x", i))
			}
		}
	}
	return s, nil
}

// noVotes returns a matrix of n rows. The entries are 0, or −Inf for classes without machines.
func (m *OneVersusOne) noVotes(n int) *mat.Dense {
	voted := make([]bool, m.K)
	for _, d := range m.Pairs {
		voted[d.First], voted[d.Second] = true, true
	}
	s := mat.NewDense(n, m.K, nil)
	for k, ok := range voted {
		if !ok {
			s.SetCol(k, constant(n, math.Inf(-1)))
		}
	}
	return s
}

// Scores returns Sums for the rule PairSums, and Votes for the rules PairVotes and PairAll.
func (m *OneVersusOne) Scores(x mat.Matrix) (*mat.Dense, error) {
	if m != nil && m.Rule == PairSums {
		return m.Sums(x)
	}
	return m.Votes(x)
}

// Decide returns the class that the rule chooses, or Ambiguous, or Rejected.
func (m *OneVersusOne) Decide(x mat.Matrix) ([]int, error) {
	s, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	class := uniqueLargest(s)
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

// Predict returns the predicted class of every row. With PairSums it is the class with the largest
// sum. With the other rules it is the class with the most votes. A tie in votes is broken by the
// larger sum, and then by the lower class index.
func (m *OneVersusOne) Predict(x mat.Matrix) ([]int, error) {
	s, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	if m.Rule == PairSums {
		return rowArgMax(s), nil
	}
	sums, err := m.Sums(x)
	if err != nil {
		return nil, err
	}
	class := rowArgMax(s)
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

var _ = codec.Register(codec.Kind[OneVersusOne]{Schema: "hyperplane-one-versus-one/1",
	Valid: (*OneVersusOne).checkSizes})

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
