// Package verify judges a learner's code. It checks mathematical properties of the results of this
// code.
//
// An exercise passes a list of parts to Run. Each part calls the learner's functions and returns a
// Verdict: Right, or Wrong with the likely mistake and a matching hint. Run adds the outcomes that
// a part cannot return itself. NotAttempted means that the learner has not replaced a stub, and
// Crashed means a panic. TimedOut means that a part exceeded its time limit, and NotRun means that
// a part was not judged. A report has passed if it is complete, has a part, and every part is Right.
//
// The property checks (Close, Gradient, PositiveDefinite, SumsTo, Parallel, AffineConstraint, …)
// return a Finding. A Finding states whether the property holds within a given tolerance, and
// otherwise the size and the place of the violation. It never contains the expected value, so a
// message made from it cannot reveal the answer.
//
// In a notebook the report appears as a table, part by part. In other programs Run prints nothing,
// and the caller can print Report.String.
package verify
