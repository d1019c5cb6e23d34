// Package scatter computes class means and scatter matrices in two passes over the rows. It
// represents each scatter matrix by a triangular factor, so that no digits are lost. The package
// also computes whitened inputs.
package scatter
