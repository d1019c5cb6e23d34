package classify

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// Predictor assigns a class to each input.
type Predictor interface {
	// Predict returns the class index of each of the N rows of x. Errors: x with a different number
	// of columns than in the fit, NaN or Inf, an unfitted model.
	Predict(x mat.Matrix) ([]int, error)
}

// Scorer computes activations. The predicted class is the class with the largest activation.
type Scorer interface {
	// Scores returns the N×K activations a_k(x). If a two-class model has a single activation a, the
	// columns are a and 0. Scores returns the errors of Predict.
	Scores(x mat.Matrix) (*mat.Dense, error)
}

// Prober computes posterior probabilities.
type Prober interface {
	// Posterior returns the N×K probabilities p(C_k|x); each row sums to 1. It returns
	// the errors of Predict, and an error for a row with probability 0 in every class.
	Posterior(x mat.Matrix) (*mat.Dense, error)
}

// failure puts "classify: " and the name of the given function in front of err, an error about the
// arguments of that function.
func failure(function string, err error) error {
	return fmt.Errorf("classify: %s: %w", function, err)
}

// rowArgMax returns the index of the largest entry of each row. If several entries are largest, it
// returns the lowest of their indices.
func rowArgMax(scores *mat.Dense) []int {
	n, _ := scores.Dims()
	class := make([]int, n)
	for i := range class {
		row := scores.RawRowView(i)
		for k, v := range row {
			if v > row[class[i]] {
				class[i] = k
			}
		}
	}
	return class
}

// rowArgMaxOf returns rowArgMax(scores), or err if err is not nil.
func rowArgMaxOf(scores *mat.Dense, err error) ([]int, error) {
	if err != nil {
		return nil, err
	}
	return rowArgMax(scores), nil
}

// linearModel is a model whose activations are linear in x.
type linearModel interface {
	// linearWeights returns the (D+1)×K weights of the activations; row 0 contains the biases.
	// Two-class models with one activation return the weights of this activation and a column of
	// zeros. The caller may change the matrix.
	linearWeights() *mat.Dense
}

var (
	_ linearModel = (*LeastSquares)(nil)
	_ linearModel = (*Logistic)(nil)
	_ linearModel = (*Probit)(nil)
	_ linearModel = (*LabelFlip)(nil)
	_ linearModel = (*Softmax)(nil)
	_ linearModel = (*Fisher)(nil)
)

// linearWeights returns a copy of W. For a single output, the copy has a second column of zeros.
func (m *LeastSquares) linearWeights() *mat.Dense {
	if _, k := m.W.Dims(); k == 1 {
		return twoColumns(mat.Col(nil, 0, m.W))
	}
	return mat.DenseCopyOf(m.W)
}

func (m *Logistic) linearWeights() *mat.Dense { return twoColumns(m.W) }

func (m *Probit) linearWeights() *mat.Dense { return twoColumns(m.W) }

func (m *LabelFlip) linearWeights() *mat.Dense { return twoColumns(m.W) }

func (m *Fisher) linearWeights() *mat.Dense { return twoColumns(m.W) }

func (m *Softmax) linearWeights() *mat.Dense { return mat.DenseCopyOf(m.W) }

// LinearMachineOf returns the linear machine with the same activations as a fitted model of d
// inputs. The machine provides boundaries, distances and regions.
//
// Models that store the weights of their activations, such as Logistic, provide these weights
// exactly. For any other model, such as LDA, LinearMachineOf computes the weights from the
// activations at the origin and at ±1 along each axis. It checks the weights at these points and at
// a few more points. The rounding errors of the activations limit the accuracy of the weights.
//
// Errors: a nil model, d < 1, the errors of Scores, and weights or activations that are NaN or Inf.
// Activations that are not linear in x are also an error, for example of a quadratic discriminant or
// of a model on a polynomial basis.
func LinearMachineOf(model Scorer, d int) (*LinearMachine, error) {
	if model == nil {
		return nil, failure("LinearMachineOf", errors.New("the model is nil: want a fitted model"))
	}
	if d < 1 {
		return nil, failure("LinearMachineOf", fmt.Errorf("d is %d: want at least one input", d))
	}
	// Scores is called first, because it returns a clear error for an unfitted model.
	if _, err := model.Scores(mat.NewDense(1, d, nil)); err != nil {
		return nil, failure("LinearMachineOf", err)
	}
	if l, ok := model.(linearModel); ok {
		w := l.linearWeights()
		return NewLinearMachine(w)
	}
	m, err := probeWeights(model, d)
	if err != nil {
		return nil, failure("LinearMachineOf", err)
	}
	return m, nil
}

// BoundaryOf returns the hyperplane a₁ = a₂ of a fitted two-class linear model of d inputs. Its
// values are positive on the side of C₁. BoundaryOf returns the errors of LinearMachineOf and of
// Boundary, and an error for a model that does not have two classes.
func BoundaryOf(model Scorer, d int) (*Hyperplane, error) {
	m, err := LinearMachineOf(model, d)
	if err != nil {
		return nil, err
	}
	if _, k := m.W.Dims(); k != 2 {
		return nil, failure("BoundaryOf",
			fmt.Errorf("the model has %d classes, want two: use LinearMachineOf and Boundary(k, j)", k))
	}
	return m.Boundary(0, 1)
}

// probeWeights computes the weights of a model with linear activations from activations at chosen
// points. It returns an error if the activations are not linear.
func probeWeights(model Scorer, d int) (*LinearMachine, error) {
	const extraPoints = 8
	x := mat.NewDense(1+2*d+extraPoints, d, nil)
	for j := range d {
		x.Set(1+2*j, j, 1)
		x.Set(2+2*j, j, -1)
	}
	rng := rand.New(rand.NewPCG(4, 10))
	for i := 1 + 2*d; i < 1+2*d+extraPoints; i++ {
		for j := range d {
			x.Set(i, j, 2*rng.NormFloat64())
		}
	}
	s, err := model.Scores(x)
	if err != nil {
		return nil, err
	}
	if _, _, err := check.Inputs(s); err != nil {
		return nil, fmt.Errorf("in the matrix of activations, here called x: %w", err)
	}
	_, k := s.Dims()
	w := mat.NewDense(d+1, k, nil)
	for c := range k {
		w.Set(0, c, s.At(0, c))
		for j := range d {
			w.Set(j+1, c, s.At(1+2*j, c)/2-s.At(2+2*j, c)/2)
		}
	}
	m := &LinearMachine{w}
	again, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	size := math.Max(mat.Norm(s, math.Inf(1)), mat.Norm(w, math.Inf(1)))
	for i := range 1 + 2*d + extraPoints {
		for c := range k {
			if math.Abs(again.At(i, c)-s.At(i, c)) > 1e-9*size {
				return nil, fmt.Errorf("the activation of class %d is not linear in x: got %v at %v, but a linear function gives %v",
					c, s.At(i, c), mat.Row(nil, i, x), again.At(i, c))
			}
		}
	}
	return NewLinearMachine(w)
}
