// Package linalg contains the linear algebra of the fits: triangular factors, numerical rank, the
// scaling of columns, and least squares by an orthogonal factor or the normal equations. The loops
// of linalg add numbers in the same order on every processor. The assembly code of gonum, in
// contrast, changes the order on processors with wider registers.
package linalg
