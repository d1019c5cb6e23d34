// Package twoclass contains the code that the exercises about the likelihood of two classes share:
// the problems, the sums over their points, and the comparison of answers.
package twoclass

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Problem contains the features Φ and the targets of the points of two classes. It also contains
// the weights w at which the exercise evaluates a function.
type Problem struct {
	Name   string
	Phi    *mat.Dense // N×M
	T      []float64  // N, in {0,1}
	W      []float64  // M
	Least  bool       // whether w minimises the error
	Scaled bool       // whether every entry of Φ is very small or very large
}

// String returns the name in quotation marks, for use in messages.
func (p Problem) String() string { return "“" + p.Name + "”" }

// Scale returns the largest absolute value in each column of Φ, and 1 for a column of zeros.
func (p Problem) Scale() instance.Scale { return instance.Sizes(p.Phi) }

// Reach returns the largest absolute value of an activation.
func (p Problem) Reach() float64 { return floats.Norm(instance.Activations(p.Phi, p.W), math.Inf(1)) }

// Margins returns (2t_n−1)·wᵀφ_n for each point n. This number is positive for points on the right
// side of the decision boundary.
func (p Problem) Margins(w []float64) []float64 {
	m := instance.Activations(p.Phi, w)
	for i := range m {
		m[i] *= 2*p.T[i] - 1
	}
	return m
}

// Labelled returns a copy of p with the given name, in which every target is t.
func (p Problem) Labelled(name string, t float64) Problem {
	p.Name, p.T = name, make([]float64, len(p.T))
	floats.AddConst(t, p.T)
	return p
}

// Rare returns a copy of p in which only point i has the target 1.
func (p Problem) Rare(i int) Problem {
	p = p.Labelled(p.Name, 0)
	p.T[i] = 1
	return p
}

// AtOrigin returns a copy of p with w = 0.
func (p Problem) AtOrigin() Problem {
	p.W = make([]float64, len(p.W))
	return p
}

// Only returns a copy of p in which all rows of Φ are 0 except the rows from `first` to `last`. A
// row of zeros contributes nothing to a sum. Negative indices count from the end; −1 means the last
// row.
func (p Problem) Only(first, last int) Problem {
	if first < 0 {
		first += len(p.T)
	}
	if last < 0 {
		last += len(p.T)
	}
	p.Phi = mat.DenseCopyOf(p.Phi)
	for i := range p.T {
		if i < first || i > last {
			clear(p.Phi.RawRowView(i))
		}
	}
	return p
}

// A Source draws problems. Each target is 1 with probability Ones/Total, and 0 otherwise. Spread is
// the typical size of the activations.
type Source struct {
	Rand        *rand.Rand
	Ones, Total int
	Spread      float64
}

// Draw draws a problem of n points. The columns of Φ have the given centres and spreads.
func (s Source) Draw(name string, n int, centre, spread []float64) Problem {
	p := Problem{Name: name, Phi: instance.Design(s.Rand, n, centre, spread), T: make([]float64, n)}
	for i := range p.T {
		if s.Rand.IntN(s.Total) < s.Ones {
			p.T[i] = 1
		}
	}
	p.W = instance.Weights(s.Rand, p.Phi, s.Spread)
	return p
}

// Label draws a target: 1 with probability σ(a), and 0 otherwise.
func Label(r *rand.Rand, a float64) float64 {
	if r.Float64() < kernel.Sigmoid(a) {
		return 1
	}
	return 0
}

// Around returns the given numbers, followed by n numbers that it draws uniformly between `from`
// and `to`.
func Around[T ~float64](r *rand.Rand, n int, from, to float64, given ...T) []T {
	for range n {
		given = append(given, T((to-from)*r.Float64()+from))
	}
	return given
}

// BothSides returns c and −c for every number c in sizes.
func BothSides[T ~float64](sizes []float64) (list []T) {
	for _, c := range sizes {
		list = append(list, T(c), T(-c))
	}
	return list
}

// Definite returns 1 if all eigenvalues of h are positive, −1 if all are negative, and 0 otherwise.
// Eigenvalues whose absolute value is below tol times the largest one count as 0.
func Definite(h *mat.Dense, tol float64) int {
	if verify.PositiveDefinite(h, tol).OK {
		return 1
	}
	var minus mat.Dense
	minus.Scale(-1, h)
	if verify.PositiveDefinite(&minus, tol).OK {
		return -1
	}
	return 0
}
