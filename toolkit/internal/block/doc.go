// Package block feeds the rows of a matrix to the inner loops of the models.
//
// A Source reads runs of rows of any mat.Matrix. It does not copy a *mat.Dense, even if the matrix
// is a strided view. A Design packs a run as rows φ = (1, x·scale − shift) into a block small
// enough to stay in cache. Reduce processes all blocks on several goroutines. A model makes a few
// calls per block: margins wᵀφ, scaling of rows, and adding the block to an accumulator. The
// accumulator is a Gram matrix G += ZᵀZ or a triangle R of an orthogonal factorisation. Least
// squares, scatter matrices, logistic and softmax Newton passes share these loops, and no model
// makes an N×D temporary.
//
// The division of the rows into chunks depends only on the sizes of the matrix and of the
// accumulator. The results of the chunks are merged in a fixed order. The bits of the result are
// therefore the same for any number of processors.
package block
