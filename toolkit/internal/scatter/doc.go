// Package scatter computes class means and scatter matrices in two passes over the rows, as
// triangular factors with all their digits, and whitens the inputs.
package scatter
