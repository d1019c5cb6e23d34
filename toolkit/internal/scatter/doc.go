// Package scatter computes class means and scatter matrices. It usually needs one pass over the
// rows, and a second pass if a scatter matrix is not clearly well conditioned. It represents each
// scatter matrix by a triangular factor, so that no digits are lost. The package also computes
// whitening matrices.
package scatter
