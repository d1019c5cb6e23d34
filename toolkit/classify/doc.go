// Package classify holds the linear models for classification of PRML chapter 4
// and Alpaydin chapter 10. The constructors Fit… are its menu.
//
//	m, err := classify.FitLogistic(x, t, classify.LogisticOptions{})
//
// Shapes. Inputs x are N×D, one input per row. Two-class fits take targets t in
// [0,1], where t = 1 means class C₁; multi-class fits take labels 0…K−1 and K.
// Index 0 is C₁ everywhere. Weights are bias first, w = (w0, w1 … wD); a weight
// matrix W is (D+1)×K with the biases in row 0.
//
// A fit returns a new value. There is no unfitted state, nothing is kept of the
// inputs and nothing of them is changed; a fitted model is safe for use by
// several goroutines. The zero value of every Options struct works.
//
// Errors. Whatever data or a learner's typing can cause is an error that names
// the argument, says what was found and what to do: shapes, NaN and Inf, a
// single class, labels out of range, a covariance that is not positive definite.
// Only Must panics. Not reaching an optimum is no error: the model is returned,
// can be plotted, and says so (Converged, Reason, Separable).
//
// Weights. The options of every fit whose likelihood or sum of squares is a sum over
// rows have Weights, one for each row, that say how often it counts: rows of weight 3
// give every number that they would give written three times, rows of weight 0 are not
// there. Fractions are allowed. N and Counts are then the sums of the weights rounded
// to whole rows, and SumWeights and ClassWeights the sums themselves, with which BIC,
// priors and unbiased divisors are computed. Nil Weights count every row once, and so
// do objectives and the held-out rows of a Stopping always. What goes row by row has a
// way of its own for rows written out: Sequential presents a row of weight 3 once,
// with a step three times as long. The weights of FitWeightedLeastSquares are no counts;
// FitIRLS, which shows an algorithm at work, has none.
//
// More data than memory. Rows are read pass after pass from a file, a generator or
// whatever else yields them, and their methods Fit… give the bits of the same fit in
// memory. SufficientMoments, SufficientCounts and LogisticSums are the sums that such
// fits make of the rows, as values that merge and travel: parts of the rows may be on
// several machines.
//
// A generalized linear model is loss × prior × solver, each in its own file.
// Fits work in coordinates of their own, each column centred and scaled by a
// power of two, and give the weights for x as it was given. Sums over rows are
// made in a fixed order: a fit returns the same bits for any number of
// processors of one kind. Processors of another kind may give other last bits, of
// small data too: AVX2, AVX-512 and plain Go sum in different orders, and Go
// fuses products and sums on some processors, as on arm64. The environment variable
// HYPERPLANE_KERNEL=generic takes plain Go everywhere, which gives the same bits on
// all amd64 processors. What a saved model predicts differs in the same way.
package classify
