// Package classify contains the linear models for classification of PRML chapter 4 and Alpaydin
// chapter 10. Start with the functions whose names begin with Fit.
//
//	m, err := classify.FitLogistic(x, t, classify.LogisticOptions{})
//
// Shapes. The inputs x are an N×D matrix with one input per row. Two-class fits accept targets t in
// [0,1], where t = 1 means class C₁; FitFisher and FitPerceptron accept only 0 and 1. Multi-class
// fits accept labels 0…K−1 and the number K. Index 0 is C₁ everywhere. A weight vector w = (w0, w1 …
// wD) begins with the bias. A weight matrix W is (D+1)×K with the biases in row 0.
//
// A fit returns a new model, which is ready to use. A fit does not keep or change its inputs. A
// fitted model is safe for concurrent use. The zero value of every Options struct works.
//
// Errors. Invalid data or arguments lead to an error. Examples are shapes that do not agree, NaN or
// Inf, a single class, labels out of range, and a covariance that is not positive definite. The
// error names the argument, reports the invalid value, and states what to do. Only toolkit.Must
// panics. If a fit does not reach an optimum, it still returns a model, which can be plotted, and no
// error. The fields Converged, Reason and Separable of the model then report the problem.
//
// Weights. If the likelihood or the sum of squares of a fit is a sum over rows, the options of the
// fit have a field Weights. Weights contains, for each row, the number of times that the row
// counts. A row of weight 3 has the same effect on every result as three copies of the row, except
// in a fit that processes one row at a time. For example, Sequential presents a row of weight 3
// once, with a step three times as long. A row of weight 0 has no effect. Weights need not be whole
// numbers. The fields N and Counts of the model are the sums of the weights, rounded to whole rows.
// SumWeights and ClassWeights are the exact sums. BIC, class priors and unbiased divisors use the exact
// sums. If Weights is nil, every row counts once. An Objective always counts every row once, and a
// Stopping counts every held-out row once. The weights of FitWeightedLeastSquares are not counts.
// FitAdaline and FitIRLS, which demonstrate algorithms, have no option Weights.
//
// Separable classes. If a hyperplane separates the classes, some maximum-likelihood weights are
// infinite, even if some of the rows lie on the hyperplane. FitLogistic and FitProbit report this in
// the field Separable. The field Infinite states which weights are infinite, and with which sign. A
// prior gives finite weights. The prior Jeffreys (Firth's penalised likelihood) has no parameter to
// choose. ProfileIntervals returns intervals, p-values and odds ratios that are valid for such data.
//
//	m, err := classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Jeffreys{}})
//	v, err := m.ProfileIntervals(x, t, classify.ProfileOptions{Prior: classify.Jeffreys{}})
//
// More data than memory. The functions Fit…From fit the same models to a Source. Rows reads rows
// from a file, a generator or any other origin, once in every pass. SufficientMoments,
// SufficientCounts and LogisticSums contain the sums over rows that fits need. These values can be
// merged and sent, so different computers can process different parts of the rows.
//
//	m, err := classify.FitLogisticFrom(rows, classify.LogisticOptions{})
//
// A generalized linear model combines a loss, a prior and a solver, each in a separate file. Most
// fits centre each column internally and scale it by a power of two. However, the weights that they
// return multiply the original x. Sums over rows have a fixed order. A fit therefore returns the
// same bits for any number of processors of one kind. On a processor of another kind, the last bits
// of a result may differ, even for small data. AVX2, AVX-512 and plain Go sum in different orders,
// and Go fuses products and sums on some processors, such as arm64. The environment variable
// HYPERPLANE_KERNEL=generic selects plain Go everywhere, which gives the same bits on all amd64
// processors. The last bits of predictions also depend on the kind of processor.
package classify
