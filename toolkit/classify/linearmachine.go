package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/existence"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

var (
	_ Predictor = (*LinearMachine)(nil)
	_ Scorer    = (*LinearMachine)(nil)
	_ Linear    = (*LinearMachine)(nil)
)

// LinearMachine is the K-class discriminant of PRML 4.1.2,
//
//	y_k(x) = w_kᵀx + w_k0  (4.9),  class = argmax_k y_k(x).
//
// Except for ties on boundaries, every point has exactly one largest y_k, so no region is
// ambiguous. A region R_k is the set where K−1 linear inequalities hold. R_k is therefore convex
// and connected (4.11, 4.12). A piece of the hyperplane y_k = y_j separates neighbouring regions.
// A region may also be empty.
//
// Equations: PRML (4.9)–(4.12); Alpaydin (10.1), (10.6), (10.8).
type LinearMachine struct {
	W *mat.Dense // (D+1)×K, with the biases in row 0
}

// NewLinearMachine returns the machine with a copy of the (D+1)×K weights w, K ≥ 2. NaN and Inf are
// errors.
func NewLinearMachine(w mat.Matrix) (*LinearMachine, error) {
	if _, _, err := check.Inputs(w); err != nil {
		return nil, failure("NewLinearMachine, weights as x", err)
	}
	if r, k := w.Dims(); r < 2 || k < 2 {
		return nil, failure("NewLinearMachine",
			fmt.Errorf("w is %d×%d: want a row of biases, at least one other row, and a column for each of at least two classes", r, k))
	}
	return &LinearMachine{mat.DenseCopyOf(w)}, nil
}

// LinearWeights returns a copy of W.
func (m *LinearMachine) LinearWeights() *mat.Dense { return mat.DenseCopyOf(m.W) }

// Scores returns the N×K values y_k(x).
//
// Equations: PRML (4.9), (4.12).
func (m *LinearMachine) Scores(x mat.Matrix) (*mat.Dense, error) {
	if m == nil || m.W == nil {
		return nil, failure("LinearMachine", errNoWeights("NewLinearMachine"))
	}
	s, err := linearScores(x, weightColumns(m.W))
	if err != nil {
		return nil, failure("LinearMachine", err)
	}
	return s, nil
}

// Predict returns the class with the largest y_k, or the lowest index in a tie.
//
// Equations: PRML (4.11); Notes on part I (largest).
func (m *LinearMachine) Predict(x mat.Matrix) ([]int, error) { return largestOf(m.Scores(x)) }

// Boundary returns the hyperplane y_k = y_j between two classes,
//
//	(w_k − w_j)ᵀx + (w_k0 − w_j0) = 0  (4.10),
//
// positive on the side of class k. The regions R_k and R_j may share only a part of this
// hyperplane, or nothing if they are not neighbours: see Adjacent. Boundary returns an error if the
// two classes have the same normal vector, because they then have no boundary.
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
		return nil, failure(fmt.Sprintf("LinearMachine.Boundary: classes %d and %d have no hyperplane between them", k,
			j), err)
	}
	return h, nil
}

// Interior returns a point where y_k is strictly the largest. It returns false if no such point
// exists, because the region R_k is empty or has no interior. It returns an error if class k does
// not exist.
func (m *LinearMachine) Interior(k int) (x []float64, ok bool, err error) {
	if err := m.classes(k, -1); err != nil {
		return nil, false, failure("LinearMachine.Interior", err)
	}
	return m.witness(k, -1)
}

// Adjacent reports whether the regions R_k and R_j share a piece of the plane y_k = y_j. x is a
// point of this piece where the scores of all other classes are strictly smaller. Regions that only
// touch in a corner or an edge are not adjacent. Errors: a class that does not exist, k = j.
func (m *LinearMachine) Adjacent(k, j int) (x []float64, ok bool, err error) {
	if err := m.classes(k, j); err != nil {
		return nil, false, failure("LinearMachine.Adjacent", err)
	}
	return m.witness(k, j)
}

func (m *LinearMachine) classes(k, j int) error {
	if m == nil || m.W == nil {
		return errNoWeights("NewLinearMachine")
	}
	_, n := m.W.Dims()
	for _, c := range []int{k, j} {
		if c >= n || c < -1 || k == -1 {
			return fmt.Errorf("class %d of %d: classes are 0…%d", c, n, n-1)
		}
	}
	if k == j {
		return errors.New("the two classes are the same: want two different classes")
	}
	return nil
}

// witness solves y_k > y_l for all l ≠ k, j, and y_k = y_j if j ≥ 0, in the homogeneous coordinates
// z = (z0, z) with x = z/z0, z0 > 0.
func (m *LinearMachine) witness(k, j int) ([]float64, bool, error) {
	d, n := m.W.Dims()
	// Scale each coordinate so that its weights are about 1.
	unit := make([]int, d)
	for i := range unit {
		row := m.W.RawRowView(i)
		big := 0.0
		for _, v := range row {
			big = math.Max(big, math.Abs(v/2-row[k]/2))
		}
		if big > 0 {
			_, unit[i] = math.Frexp(big)
		}
	}
	diff := func(l int) []float64 {
		a := make([]float64, d)
		for i := range a {
			a[i] = math.Ldexp(m.W.At(i, k)/2-m.W.At(i, l)/2, -unit[i])
		}
		if size := floats.Norm(a, 2); size > 0 {
			floats.Scale(1/size, a)
		}
		return a
	}
	ahead := make([]float64, d)
	ahead[0] = 1
	rows := [][]float64{ahead}
	for l := range n {
		if l != k && l != j {
			rows = append(rows, diff(l))
		}
	}
	var e []float64
	if j >= 0 {
		e = diff(j)
		if floats.Norm(e[1:], 2) == 0 {
			return nil, false, nil // y_k and y_j are equal nowhere or everywhere
		}
		for _, a := range rows {
			floats.AddScaled(a, -linalg.Dot(a, e), e)
		}
	}
	lp := existence.NewLP(d)
	for _, a := range rows {
		lp.Add(a)
	}
	if !lp.Solve() {
		return nil, false, failure("LinearMachine",
			errors.New("double precision cannot determine the regions: scale the inputs"))
	}
	if lp.S <= 1e-12 {
		return nil, false, nil
	}
	z := append([]float64(nil), lp.V...)
	if e != nil {
		floats.AddScaled(z, -linalg.Dot(z, e), e)
	}
	x := make([]float64, d-1)
	for i := range x {
		x[i] = math.Ldexp(z[i+1]/z[0], unit[0]-unit[i+1])
	}
	return x, true, nil
}

// errNoWeights returns the error of a model that was declared but not fitted.
func errNoWeights(constructor string) error {
	return errors.New("the model has no weights: make it with " + constructor)
}

// weightColumns returns the columns of w.
func weightColumns(w *mat.Dense) [][]float64 {
	_, k := w.Dims()
	out := make([][]float64, k)
	for j := range out {
		out[j] = mat.Col(nil, j, w)
	}
	return out
}
