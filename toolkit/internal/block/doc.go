// Package block is the one road from a matrix to the models' inner loops.
//
// A Source reads runs of rows of any mat.Matrix (without a copy from a
// *mat.Dense, strided views included). A Design packs a run as rows
// φ = (1, x·scale − shift) into a block small enough to stay in cache. Reduce
// walks all blocks on several goroutines; what a model does with a block is a
// few calls: margins wᵀφ, scaling of rows, and adding the block to an
// accumulator, either a Gram matrix G += ZᵀZ or a triangle R of an orthogonal
// factorisation. So least squares, scatter matrices, logistic and softmax
// Newton passes share these loops, and none of them makes an N×D temporary.
//
// The rows are cut into chunks by their number alone and the chunks' results are
// merged in a fixed order: the same bits come out for any number of processors.
package block
