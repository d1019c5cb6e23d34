package verify

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify/remote"
)

// DefaultLimit is the minimum time limit of a part. If a function exceeds the limit, later parts do
// not call it. A correct answer needs far less on most machines (2 s for a whole exercise). On a
// slow machine a part may take patience times as long as its Own.
const DefaultLimit = 20 * time.Second

// patience determines the time limit of a part on a slow machine. The part may take patience times
// as long as its Own.
const patience = 10

// patienceVariable names an environment variable with a whole number. The number multiplies all
// limits. Set it on a machine that is slow or busy with other work.
const patienceVariable = "HYPERPLANE_PATIENCE"

// Patience returns the time limit d for this machine: d times the number in the environment
// variable HYPERPLANE_PATIENCE, which can be set on a slow machine.
func Patience(d time.Duration) time.Duration {
	n, err := strconv.Atoi(os.Getenv(patienceVariable))
	if err != nil {
		return d
	}
	return d * time.Duration(min(max(n, 1), 100))
}

// Part is one thing that a check establishes.
type Part struct {
	Name  string         // the property that the part establishes, as a short phrase
	Of    []string       // the learner's functions that Judge calls, as the stub names them
	Limit time.Duration  // 0 means DefaultLimit
	Own   func()         // the check's own work on the same problems, which shows how slow the machine is; can be nil
	Judge func() Verdict // calls the learner's code; a panic of that code may pass through
}

// limit returns the time limit of p before its Own is measured.
func (p Part) limit() time.Duration {
	return Patience(cmp.Or(p.Limit, DefaultLimit))
}

// Run judges the parts one after another and returns the report. After a panic or a time-out in one
// part, it still judges the next part. In a notebook, Run shows the report and updates it after
// each part.
//
// Run cannot stop a part that timed out. Its goroutine runs until the program ends, which in a
// notebook is the end of the cell. Later parts of the same function are NotRun. If a part repeats
// an earlier part's key for the same functions, its message only refers to that part.
//
// The stack trace of the first panic goes to standard error in full (to standard output under
// nbgrader, where output on standard error costs points). For a later panic, which usually has the
// same trace, Run prints one line with the value and the place.
func Run(exercise, title string, parts ...Part) *Report {
	return Heading{Exercise: exercise, Title: title}.Run(parts...)
}

// Run does the same as the function Run, for a report with this heading. Even the first display has
// the heading, because the learner's code can end the program before the second display.
func (h Heading) Run(parts ...Part) *Report {
	r := newReport(h, parts)
	if order := trialOrder.Load(); order != nil {
		return r.runTrial(parts, *order)
	}
	screen := newScreen()
	screen.show(r)
	var traced atomic.Bool
	for i, p := range parts {
		if beforePart != nil {
			beforePart()
		}
		p.Limit = p.limit()
		v := r.notCalled(parts, i)
		if v == nil {
			v = r.shortenRepeated(parts, i, judge(p, &traced))
		}
		r.Parts[i].set(*v)
		r.Complete = i == len(parts)-1
		screen.show(r)
	}
	if len(parts) == 0 {
		r.Complete = true
		screen.show(r)
	}
	return r
}

// beforePart is the function that Run calls before each part, or nil.
var beforePart func()

// BeforeParts sets a function that Run calls before each part of every later report. A judge of an
// answer in another process uses BeforeParts to start a fresh process for each part. With nil, Run
// calls no function.
func BeforeParts(f func()) { beforePart = f }

// trialOrder is the order of the parts while Try runs, and nil otherwise.
var trialOrder atomic.Pointer[[]int]

// Try runs f; every report made meanwhile is a trial. A trial judges only the given parts, by their
// numbers from 0, in that order, and stops at the first part that is not Right. A trial is complete
// if all given parts are Right. A trial shows and prints nothing. Only one Try runs at a time.
func Try(parts []int, f func()) {
	if f == nil {
		return
	}
	trialOrder.Store(&parts)
	defer trialOrder.Store(nil)
	f()
}

// Trying reports whether the report is a trial. In a trial, a check need not explain mistakes.
func Trying() bool { return trialOrder.Load() != nil }

// runTrial judges the parts in this order, up to the first part that is not Right.
func (r *Report) runTrial(parts []Part, order []int) *Report {
	var traced atomic.Bool
	for _, i := range order {
		if i < 0 || i >= len(parts) {
			return r
		}
		p := parts[i]
		p.Limit = p.limit()
		r.Parts[i].set(judge(p, &traced))
		if r.Parts[i].Outcome != Right {
			return r
		}
	}
	r.Complete = len(order) > 0
	return r
}

// notCalled returns the verdict NotRun on part i if a function of part i did not return in an earlier
// part. It returns nil if part i may call its functions. If the earlier part called several
// functions, later parts call none of them, because it is unknown which function did not return.
func (r *Report) notCalled(parts []Part, i int) *Verdict {
	for j := range i {
		for _, f := range parts[i].Of {
			if r.Parts[j].Outcome == TimedOut && slices.Contains(parts[j].Of, f) {
				return &Verdict{Outcome: NotRun,
					Message: fmt.Sprintf("Not called: %s did not return in part %d.", f, j+1)}
			}
		}
	}
	return nil
}

// shortenRepeated shortens the verdict on part i if an earlier part found the same mistake in the same
// functions. The message then only refers to that part.
func (r *Report) shortenRepeated(parts []Part, i int, v Verdict) *Verdict {
	for j := range i {
		before := r.Parts[j]
		same := len(parts[i].Of) > 0 && slices.Equal(parts[j].Of, parts[i].Of) && v.Key != "" && before.Key == v.Key &&
			before.Outcome == v.Outcome
		if same && (v.Outcome == Wrong || before.Message == v.Message) {
			v.Message, v.Hint = fmt.Sprintf("The same as in part %d: fix that first.", j+1), 0
			break
		}
	}
	return &v
}

// judge runs one part in a goroutine of its own, so that it can be timed and so that runtime.Goexit
// in the learner's code ends only that part. traced records whether a stack trace has been printed
// for the same report.
func judge(p Part, traced *atomic.Bool) Verdict {
	done := make(chan Verdict, 1)
	go func() {
		verdict, returned := Verdict{}, false
		defer func() {
			if returned {
				done <- verdict
				return
			}
			done <- crashVerdict(recover(), traced)
		}()
		verdict = p.Judge()
		returned = true
	}()
	begin, end := time.Now(), p.Limit
	select {
	case v := <-done:
		return v
	case <-time.After(p.Limit):
	}
	select {
	case v := <-done:
		return v
	case took := <-runOwn(p):
		end = max(end, patience*took)
	case <-time.After(p.Limit): // Own can call a function that does not return
	}
	select {
	case v := <-done:
		return v
	case <-time.After(time.Until(begin.Add(end))):
		return Verdict{Outcome: TimedOut, Key: "timed-out", Message: fmt.Sprintf(
			"No answer within %v. Check that every loop ends for every input, including NaN.",
			end.Round(time.Millisecond))}
	}
}

// runOwn runs the check's own work and sends its duration on the channel.
func runOwn(p Part) <-chan time.Duration {
	took := make(chan time.Duration, 1)
	go func() {
		begin := time.Now()
		defer func() {
			recover() // Own can call the learner's code. Judge reports panics of that code.
			took <- time.Since(begin)
		}()
		if p.Own != nil {
			p.Own()
		}
	}()
	return took
}

// crashVerdict turns the value that recover returned into a verdict. It runs in the panicking goroutine,
// because it reads the place of the panic from the stack.
func crashVerdict(cause any, traced *atomic.Bool) Verdict {
	p, far := cause.(*remote.Panic)
	if cause == TODO || far && p.Todo {
		return Verdict{Outcome: NotAttempted, Message: "The function still holds the stub."}
	}
	if far && p.Lost != nil {
		if errors.Is(p.Lost, remote.ErrTime) {
			return Verdict{Outcome: TimedOut, Key: "timed-out",
				Message: "No answer within the time limit. Check that every loop ends for every input, including NaN."}
		}
		return Verdict{Outcome: Crashed, Key: "ended",
			Message: fmt.Sprintf("The program ended while it ran your function: %v. Check that your code does not call os.Exit, call itself forever, or use too much memory.", p.Lost)}
	}
	if cause == nil || far && p.Exit {
		return Verdict{Outcome: Crashed, Key: "goexit",
			Message: "Your code ended its goroutine (runtime.Goexit) and returned no value."}
	}
	text := remote.Short(fmt.Sprint(cause))
	at, ok := remote.Place(2)
	if far {
		at, ok = p.Place, p.Place != ""
	}
	switch {
	case Trying():
	case traced.CompareAndSwap(false, true):
		// The kernel maps the lines of this trace to lines of the cell.
		fmt.Fprintf(traceWriter(), "panic: %s\n%s", text, debug.Stack())
	default:
		where := at
		if !ok {
			where = "outside your code"
		}
		fmt.Fprintln(traceWriter(), strings.Join(strings.Fields(fmt.Sprintf("panic again: %s, %s", text, where)), " "))
	}
	if ok {
		return Verdict{Outcome: Crashed, Key: "panic", Message: fmt.Sprintf("panic: %s\n%s", text, at)}
	}
	return Verdict{Outcome: Crashed, Key: "panic-in-check", Message: fmt.Sprintf(
		"panic: %s\nThe panic happened outside your code. If your code returned no nil function or matrix, the check has a fault; please report it.", text)}
}
