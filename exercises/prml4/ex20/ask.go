package ex20

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// hessianFunc is the learner's function.
type hessianFunc = func(W, Phi *mat.Dense) *mat.Dense

// ask calls the learner's function with copies and returns a copy of its answer,
// as it came; with a verdict instead where that is not an MK×MK matrix of finite
// numbers.
func ask(hessian hessianFunc, p problem) (*mat.Dense, *verify.Verdict) {
	var in learner.Inputs
	h := hessian(in.Dense("W", p.W), in.Dense("Phi", p.Phi))
	if bad := in.Changed(3); bad != nil {
		return nil, bad
	}
	n, m, k := p.dims()
	if h != nil && !h.IsEmpty() && k > 1 && m > 1 {
		switch r, c := h.Dims(); {
		case r != c, r == m*k:
		case r == m:
			return nil, learner.Fail("one-block", 1, "Your matrix is M×M: one block. There is one for each pair of classes, K×K of them.")
		case r == k:
			return nil, learner.Fail("one-block", 1, "Your matrix is K×K. Each pair of classes has a block of M×M second derivatives.")
		case r == m*(k-1):
			return nil, learner.Fail("class-held", 1, "Your matrix has M(K−1) rows, as when one class's weights are held at 0. Here all K weight vectors are free.")
		case r == n || r == n*k:
			return nil, learner.Fail("by-points", 1, "Your matrix has %d rows, which belong to data points. The second derivatives are by the MK weights, summed over the points.", r)
		}
	}
	if bad := form.Matrix("Hessian", h, m*k, m*k, "MK×MK", p.name, 3); bad != nil {
		return nil, bad
	}
	return mat.DenseCopyOf(h), nil
}

// byClasses brings a matrix from the order by features (row aK+j) to the order by
// classes (row jM+a).
func byClasses(h *mat.Dense, m, k int) *mat.Dense {
	var out mat.Dense
	at := func(i int) int { return i%m*k + i/m }
	out.Apply(func(i, j int, _ float64) float64 { return h.At(at(i), at(j)) }, h)
	return &out
}

// An order is one of the two that the statement leaves open.
type order struct {
	name     string
	features bool
}

var orders = []order{{"by classes, as the blocks of (4.110)", false}, {"by features, all classes for each", true}}

func (o order) classes(h *mat.Dense, p problem) *mat.Dense {
	if !o.features {
		return h
	}
	_, m, k := p.dims()
	return byClasses(h, m, k)
}

// flatAlongShifts tells whether h, in the order by classes, takes a vector added to
// all w_k to 0, for columns of Φ brought to size 1.
func flatAlongShifts(h *mat.Dense, p problem) bool {
	_, m, k := p.dims()
	even := p.even(h)
	for a := range m {
		u := make([]float64, m*k)
		for c := range k {
			u[c*m+a] = 1
		}
		if floats.Norm(mulVec(even, u), math.Inf(1)) > 1e-9*mat.Norm(even, 1) {
			return false
		}
	}
	return true
}

// orderOf finds the learner's order on a problem where the two differ: the one in
// which the matrix is flat along the shifts, as the Hessian is, and if that does
// not tell, the one in which it is nearer to the Hessian, sign and size apart.
func orderOf(hessian hessianFunc) (order, *verify.Verdict) {
	p := fullRank(source(9))[0]
	h, bad := ask(hessian, p)
	if bad != nil {
		return orders[0], bad
	}
	if classes, features := flatAlongShifts(orders[0].classes(h, p), p), flatAlongShifts(orders[1].classes(h, p), p); classes != features {
		if features {
			return orders[1], nil
		}
		return orders[0], nil
	}
	right := p.right()
	likeness := func(o order) float64 {
		var product mat.Dense
		scaled := mat.DenseCopyOf(o.classes(h, p))
		if size := math.Max(mat.Max(scaled), -mat.Min(scaled)); size > 0 {
			scaled.Apply(func(_, _ int, v float64) float64 { return v / size }, scaled)
		}
		product.MulElem(scaled, right)
		return math.Abs(mat.Sum(&product))
	}
	if likeness(orders[1]) > likeness(orders[0])*(1+1e-9) {
		return orders[1], nil
	}
	return orders[0], nil
}

// askOrdered is ask with the answer in the order by classes.
func askOrdered(hessian hessianFunc, o order, p problem) (*mat.Dense, *verify.Verdict) {
	h, bad := ask(hessian, p)
	if bad != nil {
		return nil, bad
	}
	return o.classes(h, p), nil
}
