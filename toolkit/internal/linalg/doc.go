// Package linalg is the linear algebra of the fits: triangular factors, numerical rank, the
// scaling of columns, least squares by an orthogonal factor or the normal equations. Its loops add
// in the same order on every processor, whereas gonum's assembler changes the order on processors
// with wider registers.
package linalg
