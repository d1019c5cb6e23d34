package classify

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
)

var (
	_ Predictor   = (*LinearMachine)(nil)
	_ Scorer      = (*LinearMachine)(nil)
	_ linearModel = (*LinearMachine)(nil)
)

// LinearMachine is the K-class discriminant of PRML 4.1.2,
//
//	y_k(x) = w_kᵀx + w_k0 (4.9), class = argmax_k y_k(x).
//
// Except for ties on boundaries, every point has exactly one largest y_k, so no region is
// ambiguous. The region R_k of class k is the set of points at which y_k ≥ y_j for all j. For j ≠ k
// these are K−1 linear inequalities, so the region is convex and connected (4.11, 4.12). A part of
// the hyperplane y_k = y_j separates two neighbouring regions R_k and R_j. A region may also be
// empty.
//
// Equations: PRML (4.9)–(4.12); Alpaydin (10.1), (10.6), (10.8).
type LinearMachine struct {
	W *mat.Dense // (D+1)×K, with the biases in row 0
}

// NewLinearMachine returns the machine with a copy of the (D+1)×K weights w. It returns an error if w
// has fewer than two rows or two columns, or contains NaN or Inf.
func NewLinearMachine(w mat.Matrix) (*LinearMachine, error) {
	if _, _, err := check.Inputs(w); err != nil {
		return nil, failure("NewLinearMachine, where x means the weights w", err)
	}
	if r, k := w.Dims(); r < 2 || k < 2 {
		return nil, failure("NewLinearMachine",
			fmt.Errorf("w is %d×%d: want at least 2 rows (the biases and at least one input) and at least 2 columns (one per class)", r, k))
	}
	return &LinearMachine{mat.DenseCopyOf(w)}, nil
}

func (m *LinearMachine) linearWeights() *mat.Dense { return mat.DenseCopyOf(m.W) }

// Scores returns the N×K values y_k(x).
//
// Equations: PRML (4.9), (4.12).
func (m *LinearMachine) Scores(x mat.Matrix) (*mat.Dense, error) {
	w, err := m.weights()
	return modelScores("LinearMachine", x, w, err)
}

// Predict returns the class with the largest y_k. If several classes share the largest y_k, it
// returns the lowest of their indices.
//
// Equations: PRML (4.11); Notes on part I (largest).
func (m *LinearMachine) Predict(x mat.Matrix) ([]int, error) {
	w, err := m.weights()
	return modelClasses("LinearMachine", x, w, err)
}

func (m *LinearMachine) weights() ([][]float64, error) {
	if m == nil || m.W == nil {
		return nil, errNoWeights("NewLinearMachine")
	}
	return weightColumns(m.W), nil
}

// Boundary returns the hyperplane y_k = y_j between two classes,
//
//	(w_k − w_j)ᵀx + (w_k0 − w_j0) = 0 (4.10),
//
// which is positive on the side of class k. Often only a part of this hyperplane separates the
// regions R_k and R_j. If the regions are not neighbours, no part of the hyperplane separates them.
// If w_k = w_j, the classes have no boundary, and Boundary returns an error. It also returns an error
// for k = j, for a class that does not exist, and for a machine without weights.
//
// Equations: PRML (4.10).
func (m *LinearMachine) Boundary(k, j int) (*Hyperplane, error) {
	if err := m.classes(k, j); err != nil {
		return nil, failure("LinearMachine.Boundary", err)
	}
	diff := mat.Col(nil, k, m.W)
	floats.Sub(diff, mat.Col(nil, j, m.W))
	h, err := NewHyperplane(diff)
	if err != nil {
		return nil, failure(fmt.Sprintf("LinearMachine.Boundary: no hyperplane lies between classes %d and %d", k,
			j), err)
	}
	return h, nil
}

func (m *LinearMachine) classes(k, j int) error {
	if m == nil || m.W == nil {
		return errNoWeights("NewLinearMachine")
	}
	_, n := m.W.Dims()
	for _, c := range []int{k, j} {
		if c < 0 || c >= n {
			return fmt.Errorf("class %d is not one of the %d classes: classes are 0…%d", c, n, n-1)
		}
	}
	if k == j {
		return errors.New("the two classes are the same: want two different classes")
	}
	return nil
}

// errNoWeights returns the error for a model without a fit.
func errNoWeights(constructor string) error {
	return errors.New("the model has no weights: create the model with " + constructor)
}

// weightColumns returns the columns of w.
func weightColumns(w *mat.Dense) [][]float64 {
	m, k := w.Dims()
	out, all := make([][]float64, k), make([]float64, k*m)
	for j := range out {
		out[j] = mat.Col(all[j*m:(j+1)*m:(j+1)*m], j, w)
	}
	return out
}

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

var _ = codec.Register(codec.Kind[LinearMachine]{Schema: "hyperplane-linear-machine/1",
	Valid: (*LinearMachine).checkSizes})

func (m *LinearMachine) checkSizes() error {
	if r, c := dims(m.W); r < 2 || c < 2 {
		return fmt.Errorf("w is %d×%d: want at least two rows and two columns", r, c)
	}
	return nil
}
