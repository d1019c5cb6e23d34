package twoclass

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
)

// A Descent is a right or wrong version of gradient descent with one learning factor, a bias and
// weights for the columns of X. The zero value is the right descent on the cross-entropy.
type Descent struct {
	Residual    Term                                   // factor of the input in the gradient; nil means σ(a) − r
	Size        func(g []float64, eta float64) float64 // the size that is compared with tol; nil means ‖g‖
	Start       float64                                // initial value of all weights
	NoBias      bool
	Online      bool // the weights change after every point
	Fresh       bool // … but the gradient is summed with the weights from before these changes
	InTurn      bool // each derivative uses the weights that were changed before it
	Accumulated bool // the gradient is never reset to 0
}

// Steps returns the number of updates until the size is at most tol, or −1 if limit updates are not
// enough.
func (d Descent) Steps(X *mat.Dense, r []float64, eta, tol float64, limit int) int {
	if d.Residual == nil {
		d.Residual = Residual
	}
	if d.Size == nil {
		d.Size = func(g []float64, _ float64) float64 { return floats.Norm(g, 2) }
	}
	x := instance.WithOnes(X)
	if d.NoBias {
		x = mat.DenseCopyOf(X)
	}
	n, m := x.Dims()
	w, g := make([]float64, m), make([]float64, m)
	floats.AddConst(d.Start, w)
	for step := 0; ; step++ {
		if !d.Accumulated {
			clear(g)
		}
		at := slices.Clone(w) // the weights used in the sum
		for t := range n {
			e := d.Residual(floats.Dot(at, x.RawRowView(t)), r[t])
			if d.Online {
				floats.AddScaled(at, -eta*e, x.RawRowView(t))
			}
			if d.Fresh {
				e = d.Residual(floats.Dot(w, x.RawRowView(t)), r[t])
			}
			floats.AddScaled(g, e, x.RawRowView(t))
		}
		switch {
		case d.Size(g, eta) <= tol:
			return step
		case step == limit:
			return -1
		case d.Online:
			w = at
		case d.InTurn:
			for j := range w {
				w[j] -= eta * Pulling(d.Residual)(w, x, r)[j]
			}
		default:
			floats.AddScaled(w, -eta, g)
		}
	}
}
