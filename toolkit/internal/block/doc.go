// Package block carries rows from a matrix to the models' inner loops.
//
// A Source reads runs of rows of any mat.Matrix. It does not copy a *mat.Dense, strided views
// included. A Design packs a run as rows φ = (1, x·scale − shift) into a block small enough to
// stay in cache. Reduce walks all blocks on several goroutines. A model makes a few calls per
// block: margins wᵀφ, scaling of rows, and adding the block to an accumulator. The accumulator is
// a Gram matrix G += ZᵀZ or a triangle R of an orthogonal factorisation. Least squares, scatter
// matrices, logistic and softmax Newton passes share these loops, and no model makes an N×D
// temporary.
//
// The number of rows alone determines the chunks, whose results are merged in a fixed order. So
// the bits are the same for any number of processors.
package block
