// Package linalg contains the linear algebra of the fits: triangular factors, numerical rank, the
// scaling of columns, and least squares. It solves least-squares problems with an orthogonal
// factorisation or with the normal equations. The loops of linalg add numbers in the same order on
// every processor. The assembly code of gonum, in contrast, uses a different order than the Go code
// that replaces it on other processors.
package linalg
