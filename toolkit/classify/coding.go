package classify

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// Coding selects the targets that FitLeastSquares assigns to the classes.
type Coding int

const (
	// CodingOneOfK means t_nk = 1 for the class of row n and 0 for the other classes. It has K
	// outputs. Unless the fit penalises the biases, the outputs sum to 1 for every x that is an
	// affine combination of the rows of the fit. If Φ has full column rank, this holds for every x
	// (see LeastSquares).
	//
	// Equations: PRML (4.1).
	CodingOneOfK Coding = iota
	// CodingPlusMinus means the targets +1 and −1. Two classes have a single output, with target +1
	// for C₁. K > 2 classes have K outputs. Wherever the outputs of CodingOneOfK sum to 1, the
	// outputs of CodingPlusMinus sum to 2−K.
	CodingPlusMinus
	// CodingFisher means N/N₁ for C₁ and −N/N₂ for C₂. CodingFisher is for two classes only. The
	// fit then has a single output w0 + wᵀx. Without a Ridge, the vector w is proportional to
	// S_W⁻¹(m₁−m₂), Fisher's direction, and w0 is −wᵀm, where m is the mean of all rows (PRML
	// 4.33–4.37).
	//
	// The direction points to C₁, as in (4.37): the model predicts C₁ if wᵀ(x−m) ≥ 0. The formula
	// (4.38) has the opposite sign, which contradicts the rule printed after it (erratum P11).
	//
	// Equations: PRML (4.31)–(4.37).
	CodingFisher
)

// PlusMinusTargets returns +1 where t is 1 (C₁) and −1 where t is 0. Soft targets become 2t−1.
// PlusMinusTargets returns an error for targets outside [0,1].
func PlusMinusTargets(t []float64) ([]float64, error) {
	if err := check.Targets(t, len(t)); err != nil {
		return nil, failure("PlusMinusTargets", err)
	}
	out := make([]float64, len(t))
	for i, v := range t {
		out[i] = 2*v - 1
	}
	return out, nil
}

// ZeroOneTargets is the inverse function of PlusMinusTargets. It returns 1 where t is +1 (C₁), 0
// where t is −1, and (1+t)/2 in general. For the perceptron, PRML (4.54) uses the targets ±1. The
// likelihoods of PRML and Alpaydin use the targets 0 and 1. ZeroOneTargets returns an error for
// targets outside [−1,1] and for NaN.
func ZeroOneTargets(t []float64) ([]float64, error) {
	out := make([]float64, len(t))
	for i, v := range t {
		if !(v >= -1 && v <= 1) {
			return nil, failure("ZeroOneTargets", fmt.Errorf("t[%d] is %v: it must be between −1 and 1", i, v))
		}
		out[i] = (1 + v) / 2
	}
	return out, nil
}

// FisherTargets returns N/N₁ where t is 1 (C₁) and −N/N₂ where t is 0, PRML 4.1.5. It returns an
// error for other targets and for a class without rows.
//
// Equations: PRML (4.35).
func FisherTargets(t []float64) ([]float64, error) {
	side, err := hardSides(t, len(t))
	if err != nil {
		return nil, failure("FisherTargets", err)
	}
	var n1 float64
	for _, s := range side {
		if s > 0 {
			n1++
		}
	}
	n := float64(len(t))
	out := make([]float64, len(t))
	for i, s := range side {
		out[i] = n / n1
		if s < 0 {
			out[i] = -n / (n - n1)
		}
	}
	return out, nil
}

// hardSides checks that all n two-class targets are 0 or 1 and that both values occur. It returns
// +1 for each row of C₁ and −1 for each row of C₂.
func hardSides(t []float64, n int) ([]int8, error) {
	if err := check.Targets(t, n); err != nil {
		return nil, err
	}
	side := make([]int8, n)
	var sum int
	for i, v := range t {
		switch v {
		case 1:
			side[i] = 1
			sum++
		case 0:
			side[i] = -1
		default:
			return nil, fmt.Errorf("t[%d] is %v: want a target of exactly 1 (C1) or 0 (C2)", i, v)
		}
	}
	if sum == 0 || sum == n {
		return nil, fmt.Errorf("all %d targets are of a single class: want rows of both classes", n)
	}
	return side, nil
}

// targetFunc returns the number of outputs of the coding, and a function that writes the targets of
// row i to t.
func (c Coding) targetFunc(in *check.Data) (outputs int, target func(i int, t []float64), err error) {
	k := in.K
	other, own := 0.0, 1.0
	switch c {
	case CodingOneOfK:
	case CodingPlusMinus:
		other = -1
	case CodingFisher:
		counts := in.Counts()
		if k != 2 || counts[0] == 0 || counts[1] == 0 {
			return 0, nil, fmt.Errorf("CodingFisher needs two classes that both have rows, but the classes have %v rows", counts)
		}
		n := counts[0] + counts[1]
		own, other = n/counts[0], -n/counts[1]
	default:
		return 0, nil, fmt.Errorf("Coding is %d: choose CodingOneOfK, CodingPlusMinus or CodingFisher", c)
	}
	if c == CodingOneOfK || k > 2 {
		return k, func(i int, t []float64) {
			for j := range t {
				t[j] = other
			}
			t[in.At(i, i+1)[0]] = own
		}, nil
	}
	return 1, func(i int, t []float64) {
		t[0] = own
		if in.At(i, i+1)[0] == 1 {
			t[0] = other
		}
	}, nil
}

// checkTargetMatrix checks that t is a matrix of n rows of finite targets, and returns its number
// of columns K.
func checkTargetMatrix(t mat.Matrix, n int) (int, error) {
	if _, _, err := check.Inputs(t); err != nil {
		return 0, fmt.Errorf("in the matrix of targets, here called x: %w", err)
	}
	r, k := t.Dims()
	if r != n {
		return 0, fmt.Errorf("targets is %d×%d but x has %d rows: give one row of targets for each row of x", r, k, n)
	}
	return k, nil
}
