// Package scatter computes class means and scatter matrices in two passes over the rows. It returns
// the scatter matrices as triangular factors, to full precision. It also whitens the inputs.
package scatter
