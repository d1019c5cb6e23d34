// Package verify judges a learner's code. It checks mathematical properties of the results of this
// code.
//
// An exercise passes a list of parts to Run. Each part calls the learner's functions and returns a
// Verdict: Right, or Wrong with the likely mistake and a matching hint. Run adds the outcomes that
// a part cannot return itself. NotAttempted means that the learner has not replaced a stub. Crashed
// means that a part panicked or that the learner's code ended its goroutine or its process. TimedOut
// means that a part exceeded its time limit, and NotRun means that a part was not judged. A report
// has passed if it is complete and has at least one part, and if every part is Right.
//
// The property checks (Close, Gradient, PositiveDefinite, SumsTo, Parallel, AffineConstraint, …)
// return a Finding. A Finding states whether the property holds within a given tolerance, and
// otherwise the size and the place of the violation. It never contains the expected value. Its
// method Off rounds the size to a power of ten, so a message with this text does not reveal the
// answer.
//
// In a notebook the report appears as a table, part by part. In other programs Run does not print
// the report, but the caller can print Report.String.
package verify
