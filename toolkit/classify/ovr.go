package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

var (
	_ Predictor = (*OneVersusRest)(nil)
	_ Scorer    = (*OneVersusRest)(nil)
	_ Decider   = (*OneVersusRest)(nil)
)

// OneVersusRestOptions of FitOneVersusRest. The zero value has a machine for
// every class.
type OneVersusRestOptions struct {
	// LastIsRest leaves out the machine of the last class: K−1 machines, and what
	// none of them claims is the last class, as in PRML 4.1.2. Without it there
	// are K machines, as in Alpaydin (10.7) and most software.
	LastIsRest bool
}

// OneVersusRest combines two-class machines, each of which divides one class from
// all others, g_k(x) > 0 for class k.
//
// The rule "the class whose machine claims x" leaves regions without a single
// answer (PRML figure 4.2, Alpaydin figure 10.3): Decide says where. Predict
// takes the largest g_k everywhere (Alpaydin 10.8), which asks the machines to be
// of one scale.
//
// Equations: Alpaydin (10.6)–(10.8).
type OneVersusRest struct {
	// Machines are those of classes 0, 1 …; K−1 or K of them. That of a class
	// without rows is nil: it claims nothing.
	Machines []Scorer
	K        int
}

// FitOneVersusRest fits a machine for each of the classes 0…k−1 against all
// others to x, N×D, by calling fit K or K−1 times. Errors: shapes that do not
// agree, NaN or Inf, labels out of range or of a single class, and those of fit.
//
// Equations: Alpaydin (10.6)–(10.8).
func FitOneVersusRest(x mat.Matrix, labels []int, k int, fit FitTwoClass, o OneVersusRestOptions) (*OneVersusRest, error) {
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
		if m.Machines[c], err = fitMachine(fit, x, t, fmt.Sprintf("class %d against the rest", c)); err != nil {
			return nil, failure("FitOneVersusRest", err)
		}
	}
	return m, nil
}

// Scores returns the N×K discriminants g_k(x). A class without a machine has −Inf,
// but with LastIsRest the last class has 0, the value that a claim must exceed.
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
			return nil, fmt.Errorf("the machine for class %d against the rest: %w", c, err)
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

var errNoMachines = errors.New("the model has no machines: make it with FitOneVersusRest")

func constant(n int, v float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// Decide returns for each row the one class whose machine claims it, g_k > 0.
// Several claims are Ambiguous. No claim is Rejected; with LastIsRest it is the
// last class. A point on a plane, g_k = 0, is not claimed (Alpaydin 10.7).
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

// Predict returns a class for every row: the largest g_k, the lowest index of
// several.
func (m *OneVersusRest) Predict(x mat.Matrix) ([]int, error) { return largestOf(m.Scores(x)) }

// Answers of a Decider that name no class.
const (
	// Ambiguous: several classes claim the point and nothing decides between them.
	Ambiguous = -1
	// Rejected: no class claims the point.
	Rejected = -2
)

// Decider assigns a class only where its rule has a single answer.
type Decider interface {
	// Decide returns for each row of x its class, or Ambiguous or Rejected. Errors:
	// those of Predict.
	Decide(x mat.Matrix) ([]int, error)
}

// FitTwoClass fits a two-class machine to inputs x (N×D) and targets t, 1 for
// the first class and 0 for the second. Any two-class fit of this package makes
// one:
//
//	func(x mat.Matrix, t []float64) (classify.Scorer, error) {
//		return classify.FitLogistic(x, t, classify.LogisticOptions{})
//	}
//
// Its Scores have two columns; the machine's discriminant g is the first less
// the second.
type FitTwoClass func(x mat.Matrix, t []float64) (Scorer, error)

// combineInputs checks the arguments common to both ways of combining.
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

// fitMachine fits one machine and tries it on the first row.
func fitMachine(fit FitTwoClass, x mat.Matrix, t []float64, what string) (Scorer, error) {
	m, err := fit(x, t)
	if err == nil && m == nil {
		err = errors.New("the fit returned no model")
	}
	if err == nil {
		_, err = discriminant(m, &rowSubset{x, []int{0}})
	}
	if err != nil {
		return nil, fmt.Errorf("the machine for %s: %w", what, err)
	}
	return m, nil
}

// discriminant returns g(x) of a two-class machine for each row.
func discriminant(m Scorer, x mat.Matrix) ([]float64, error) {
	s, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	n, k := s.Dims()
	if k != 2 {
		return nil, fmt.Errorf("it has %d columns of scores: a two-class machine has 2", k)
	}
	g := make([]float64, n)
	for i := range g {
		if g[i] = s.At(i, 0) - s.At(i, 1); math.IsNaN(g[i]) {
			return nil, fmt.Errorf("its discriminant of row %d is not a number", i)
		}
	}
	return g, nil
}

// rowSubset is x with only some of its rows; nothing is copied.
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

// single returns the class with the largest entry in each row of scores, or
// Ambiguous if several share it.
func single(scores *mat.Dense) []int {
	class := largest(scores)
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
