// Package verify judges a learner's code by mathematical properties of its results.
//
// An exercise passes a list of parts to Run. Each part calls the learner's functions and returns a
// Verdict: Right, or Wrong with the likely mistake and a matching hint. Run adds the outcomes that
// a part cannot report itself: NotAttempted for an unwritten stub, Crashed for a panic (with its
// place), TimedOut for a part that exceeds its time limit, and NotRun for a part that was not
// judged. A report has passed if it is complete and every part is Right.
//
// The property checks (Close, Gradient, PositiveDefinite, SumsTo, Parallel, AffineConstraint, …)
// return a Finding: whether the property holds within a stated tolerance, and how large the miss
// is. A Finding contains the size and the place of the miss, but never the expected value. A
// message made from a Finding therefore cannot reveal the answer.
//
// In a notebook the report appears as a table, part by part. Elsewhere Run prints nothing, and the
// caller can print Report.String.
package verify
