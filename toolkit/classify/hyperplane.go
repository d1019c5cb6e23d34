package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

var (
	_ Predictor   = (*Hyperplane)(nil)
	_ Scorer      = (*Hyperplane)(nil)
	_ linearModel = (*Hyperplane)(nil)
)

// Hyperplane is the surface y(x) = 0 of a linear discriminant,
//
//	y(x) = wᵀx + w0 (4.4).
//
// w is normal to the plane and points to the side of C₁, where y ≥ 0. w0 determines the position of
// the plane along w. If w and w0 are multiplied by the same positive number, the plane and all
// distances stay the same.
//
// Equations: PRML (4.4).
type Hyperplane struct {
	W0 float64   // the bias; on the plane, wᵀx = −W0
	W  []float64 // the normal vector, D numbers, not all 0
}

// NewHyperplane returns the plane with the weights w = (w0, w1 … wD), bias first. Errors: fewer
// than two weights, NaN or Inf, w1 … wD all 0, a plane whose distance from the origin overflows.
func NewHyperplane(w []float64) (*Hyperplane, error) {
	if len(w) < 2 {
		return nil, failure("NewHyperplane",
			fmt.Errorf("w has %d entries: want the bias and at least one other weight", len(w)))
	}
	if err := check.Vector("w", w, len(w), "weights"); err != nil {
		return nil, failure("NewHyperplane", err)
	}
	h := &Hyperplane{w[0], append([]float64(nil), w[1:]...)}
	if _, err := h.unitWeights(); err != nil {
		return nil, failure("NewHyperplane", err)
	}
	return h, nil
}

// Weights returns (w0, w1 … wD).
//
// Equations: PRML (4.8).
func (h *Hyperplane) Weights() []float64 { return append([]float64{h.W0}, h.W...) }

func (h *Hyperplane) linearWeights() *mat.Dense { return twoColumns(h.Weights()) }

// Value returns y(x) = wᵀx + w0 for one input of D numbers. It returns an error if x and w differ
// in length, if x contains NaN or Inf, or if h is nil.
//
// Equations: PRML (4.4); Alpaydin (10.1).
func (h *Hyperplane) Value(x []float64) (float64, error) {
	if h == nil {
		return 0, failure("Hyperplane.Value", errNoPlane)
	}
	if err := check.Vector("x", x, len(h.W), "one number for each entry of w"); err != nil {
		return 0, failure("Hyperplane.Value", err)
	}
	return linalg.Dot(h.W, x) + h.W0, nil
}

// Distance returns the signed distance r = y(x)/‖w‖ of one input from the plane, PRML (4.7) and
// Alpaydin (10.4). The distance is positive on the side that w points to. Errors: the errors of
// Value; weights that NewHyperplane rejects.
//
// Equations: PRML (4.7); Alpaydin (10.4).
func (h *Hyperplane) Distance(x []float64) (float64, error) {
	u, err := h.unitWeights()
	if err == nil {
		err = check.Vector("x", x, len(h.W), "one number for each entry of w")
	}
	if err != nil {
		return 0, failure("Hyperplane.Distance", err)
	}
	return linalg.Dot(u[1:], x) + u[0], nil
}

// Distances returns the signed distance of each of the N rows of x. Errors: a number of columns
// that differs from the length of w, NaN or Inf, weights that NewHyperplane rejects.
//
// Equations: PRML (4.7); Alpaydin (10.4).
func (h *Hyperplane) Distances(x mat.Matrix) ([]float64, error) {
	u, err := h.unitWeights()
	if err != nil {
		return nil, failure("Hyperplane.Distances", err)
	}
	s, err := linearScores(x, [][]float64{u})
	if err != nil {
		return nil, failure("Hyperplane.Distances", err)
	}
	return s.RawMatrix().Data, nil
}

// Project returns x⊥ = x − r·w/‖w‖, the point of the plane nearest to x (PRML 4.6). Errors: as for
// Distance.
//
// Equations: PRML (4.6); Notes on part I (orthogonal), (foot-product).
func (h *Hyperplane) Project(x []float64) ([]float64, error) {
	r, err := h.Distance(x)
	if err != nil {
		return nil, err
	}
	u, err := h.unitWeights()
	if err != nil {
		return nil, failure("Hyperplane.Project", err)
	}
	p := append([]float64(nil), x...)
	floats.AddScaled(p, -r, u[1:])
	return p, nil
}

// FootCoordinate returns −w0/‖w‖, PRML (4.5). The line through the origin in the direction of w
// crosses the plane at the point FootCoordinate·w/‖w‖. The coordinate is negative if w points from
// the plane to the origin. The absolute value of the coordinate is the distance between the plane
// and the origin. Alpaydin's distance (10.5) has the opposite sign (erratum A2). Errors: as for
// OriginDistance.
//
// Equations: PRML (4.5).
func (h *Hyperplane) FootCoordinate() (float64, error) {
	r, err := h.OriginDistance()
	return -r, err
}

// OriginDistance returns w0/‖w‖, Alpaydin (10.5): the signed distance y(0)/‖w‖ between the plane
// and the origin. OriginDistance is the negative of PRML (4.5). Both signs are correct, because
// (10.5) is the position of the origin relative to the plane, and (4.5) is the position of the
// plane relative to the origin (erratum A2). OriginDistance returns an error for weights that
// NewHyperplane rejects.
//
// Equations: Alpaydin (10.5).
func (h *Hyperplane) OriginDistance() (float64, error) {
	u, err := h.unitWeights()
	if err != nil {
		return 0, failure("Hyperplane.OriginDistance", err)
	}
	return u[0], nil
}

// Foot returns the point of the plane nearest to the origin, −w0·w/‖w‖². Errors: as for
// OriginDistance.
func (h *Hyperplane) Foot() ([]float64, error) {
	u, err := h.unitWeights()
	if err != nil {
		return nil, failure("Hyperplane.Foot", err)
	}
	p := u[1:]
	floats.Scale(-u[0], p)
	return p, nil
}

// Unit returns the same plane with weights scaled so that ‖w‖ = 1. y(x) is then the signed
// distance. Errors: as for OriginDistance.
func (h *Hyperplane) Unit() (*Hyperplane, error) {
	u, err := h.unitWeights()
	if err != nil {
		return nil, failure("Hyperplane.Unit", err)
	}
	return &Hyperplane{u[0], u[1:]}, nil
}

// Flip returns the same plane with its sides swapped, so the weights are −w and −w0.
func (h *Hyperplane) Flip() *Hyperplane {
	w := append([]float64(nil), h.W...)
	floats.Scale(-1, w)
	return &Hyperplane{-h.W0, w}
}

// Scores returns an N×2 matrix with y(x) for C₁ and 0 for C₂.
func (h *Hyperplane) Scores(x mat.Matrix) (*mat.Dense, error) {
	w, err := h.weights()
	return modelScores("Hyperplane", x, w, err)
}

// Predict returns class 0 (C₁) where y(x) ≥ 0 and class 1 where y(x) < 0.
func (h *Hyperplane) Predict(x mat.Matrix) ([]int, error) {
	w, err := h.weights()
	return modelClasses("Hyperplane", x, w, err)
}

func (h *Hyperplane) weights() ([][]float64, error) {
	if _, err := h.unitWeights(); err != nil {
		return nil, err
	}
	return [][]float64{h.Weights()}, nil
}

var errNoPlane = errors.New("the hyperplane is nil: make it with NewHyperplane")

// unitWeights returns the weights divided by the length of the normal vector, (w0, w)/‖w‖.
func (h *Hyperplane) unitWeights() ([]float64, error) {
	if h == nil {
		return nil, errNoPlane
	}
	size := floats.Norm(h.W, math.Inf(1))
	if !(size > 0) || math.IsInf(size, 0) {
		return nil, errors.New("the normal vector w is 0 or not finite: a hyperplane needs a direction")
	}
	// Scale by a power of two first, so that the square of the largest entry does not overflow or
	// underflow.
	_, e := math.Frexp(size)
	u := make([]float64, len(h.W)+1)
	for j, v := range h.W {
		u[j+1] = math.Ldexp(v, -e)
	}
	norm := floats.Norm(u[1:], 2)
	floats.Scale(1/norm, u[1:])
	u[0] = math.Ldexp(h.W0/norm, -e)
	if math.IsNaN(u[0]) || math.IsInf(u[0], 0) {
		return nil, fmt.Errorf("w0 = %v divided by ‖w‖ = %v is not finite: the plane is too far from the origin", h.W0,
			floats.Norm(h.W, 2))
	}
	return u, nil
}

// twoColumns returns the (D+1)×2 weights of a two-class model: w for C₁ and 0 for C₂.
func twoColumns(w []float64) *mat.Dense {
	m := mat.NewDense(len(w), 2, nil)
	m.SetCol(0, w)
	return m
}

var _ = codec.Register(codec.Kind[Hyperplane]{Schema: "hyperplane-plane/1", Valid: (*Hyperplane).checkSizes})

func (m *Hyperplane) checkSizes() error {
	if len(m.W) == 0 {
		return errNoWeightsSaved
	}
	return nil
}
