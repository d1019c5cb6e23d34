// Package verify judges a learner's code by its mathematics.
//
// An exercise hands Run a list of parts. Each part calls the learner's functions
// and returns a Verdict: Right, or Wrong with the misconception it looks like and
// the hint that fits. Run adds the outcomes that a part cannot report itself: NotAttempted for
// the untouched stub, Crashed for a panic (with its place), TimedOut for a part
// that exceeds its limit, NotRun for a part that was never reached. Only a report that
// is complete and Right in every part is passed.
//
// The property checks (Close, Gradient, PositiveDefinite, SumsTo, Parallel,
// AffineConstraint, …) return a Finding: whether the property holds within a
// stated tolerance, and how far it is missed. A Finding has the size of the
// miss and its place, and never holds the expected value, so that a message
// made from it cannot give the answer away.
//
// In a notebook the report appears as a table, part by part; elsewhere Run prints
// nothing and the caller has Report.String.
package verify
