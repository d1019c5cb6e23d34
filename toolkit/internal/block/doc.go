// Package block feeds the rows of a matrix to the inner loops of the models.
//
// A Source reads consecutive rows of any mat.Matrix. It does not copy the rows of a *mat.Dense,
// even if the matrix is a strided view. A Design computes the rows φ = (1, x·scale − shift) and
// writes them into a block that is small enough to stay in cache. Reduce processes the blocks, on
// several goroutines unless the rows are few or come from a Stream. For each block, a model calls a
// few methods: they compute the activations wᵀφ, scale the rows, and add the block to an
// accumulator. The accumulator is a Gram matrix G += ZᵀZ or the triangle R of an orthogonal
// factorisation. Least squares, scatter matrices, and Newton's method for logistic and softmax
// regression use these loops. No model allocates a temporary N×D matrix.
//
// The division of the rows into chunks depends only on the sizes of the matrix and of the
// accumulator. The results of the chunks are merged in a fixed order. The bits of the result are
// therefore the same for any number of processors.
package block
