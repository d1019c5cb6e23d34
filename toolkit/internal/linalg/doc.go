// Package linalg is the linear algebra of the fits: triangular factors, numerical
// rank, the scaling of columns, least squares by an orthogonal factor or the normal
// equations. Its loops sum in an order of their own, which is the same on every
// processor; gonum's assembler sums in another order where it has wider registers.
package linalg
