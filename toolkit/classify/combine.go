package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

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
