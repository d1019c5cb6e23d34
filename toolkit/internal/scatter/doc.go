// Package scatter computes class means and scatter matrices in two passes over the rows. It
// represents the scatter matrices by triangular factors with full precision. The package also
// whitens the inputs.
package scatter
