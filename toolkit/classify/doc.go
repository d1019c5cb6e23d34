// Package classify holds the linear models for classification of PRML chapter 4
// and Alpaydin chapter 10. Start with the constructors Fit….
//
//	m, err := classify.FitLogistic(x, t, classify.LogisticOptions{})
//
// Shapes. Inputs x are N×D, one input per row. Two-class fits take targets t in
// [0,1], where t = 1 means class C₁; multi-class fits take labels 0…K−1 and K.
// Index 0 is C₁ everywhere. Weights are bias first, w = (w0, w1 … wD); a weight
// matrix W is (D+1)×K with the biases in row 0.
//
// A fit returns a new value. There is no unfitted state. A fit neither keeps nor changes
// its inputs, and a fitted model is safe for concurrent use. The zero value of every
// Options struct works.
//
// Errors. Invalid data and arguments lead to an error that names the argument, says what
// was found and what to do: shapes, NaN and Inf, a single class, labels out of range, a
// covariance that is not positive definite. Only Must panics. It is not an error if a fit
// does not reach an optimum: the model is returned, can be plotted, and reports it
// (Converged, Reason, Separable).
//
// Weights. If the likelihood or the sum of squares of a fit is a sum over rows, its options
// have Weights: one number per row, the number of times that the row counts. A row of weight
// 3 has the same effect on every number as the row written three times, and a row of weight
// 0 has no effect. Fractions are allowed. N and Counts are then the sums of the weights,
// rounded to whole rows. SumWeights and ClassWeights are the exact sums; BIC, priors and
// unbiased divisors use them. Nil Weights count every row once. Objectives and the held-out
// rows of a Stopping always count every row once. Fits that go row by row differ from fits
// to repeated rows: Sequential presents a row of weight 3 once, with a step three times as
// long. The weights of FitWeightedLeastSquares are not counts; FitIRLS, which demonstrates
// an algorithm, has no Weights.
//
// More data than memory. Rows are read pass after pass from a file, a generator or any other
// source, and their methods Fit… give the same bits as a fit in memory. SufficientMoments,
// SufficientCounts and LogisticSums are the sums over rows that such fits need, as values
// that can be merged and sent: parts of the rows may be on several machines.
//
// A generalized linear model is loss × prior × solver, each in its own file.
// Fits work in their own coordinates, with each column centred and scaled by a
// power of two, and return weights for the original x. Sums over rows have a fixed order: a
// fit returns the same bits for any number of processors of one kind. Other kinds of
// processors may give different last bits, even for small data: AVX2, AVX-512 and plain Go
// sum in different orders, and Go fuses products and sums on some processors, such as arm64.
// The environment variable HYPERPLANE_KERNEL=generic selects plain Go everywhere, which
// gives the same bits on all amd64 processors. Predictions of a saved model differ in the
// same way.
package classify
