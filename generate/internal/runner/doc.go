// Package runner executes notebooks without a person and judges them.
//
// A notebook runs through nbclient (runner.py, one process per notebook, with
// the kernel and every program of every cell below it). What a kernel answers is
// not trusted: GoNB says "ok" to a failing `!` line and to a learner's
// os.Exit(0). A cell is judged by its outputs (judge.go), and a cell that checks
// an exercise passes only when its report arrived complete and every part of it
// is Right, and of the exercise and variant that the notebook is of (claim.go). No
// verdict is never a pass.
//
// Judge, answer and report are one program, and a notebook says itself what it is: a
// verdict holds for a notebook that its learner wrote to learn. It is no proof against
// one that was written to deceive.
//
// Whatever happens, the processes of a run all end with it and its temporary
// folder goes (family_linux.go, session.go).
package runner
