// Package linalg is the linear algebra of the fits: triangular factors, numerical rank, the
// scaling of columns, least squares by an orthogonal factor or the normal equations. Its loops add
// in the same order on every processor. gonum's assembler adds in a different order on processors
// with wider registers.
package linalg
