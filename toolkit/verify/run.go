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

// defaultLimit is the time limit of a part whose Limit is 0. On most machines a correct answer
// needs less than 2 s for all parts of an exercise together. On a slow machine the limit is longer
// (see ownTimeFactor). If a function exceeds the limit, later parts do not call this function.
const defaultLimit = 20 * time.Second

// ownTimeFactor determines the time limit of a part on a slow machine. If the check's own work on the part
// (Part.Own) ends within the usual limit, the part may take `ownTimeFactor` times as long as this work.
const ownTimeFactor = 10

// patienceVariable is the name of an environment variable that contains an integer from 1 to 100.
// All time limits are multiplied by this number. A user can set it on a machine that is slow or busy
// with other work.
const patienceVariable = "HYPERPLANE_PATIENCE"

// Patience returns d, a time limit, multiplied by the integer in the environment variable
// HYPERPLANE_PATIENCE, which a user can set on a slow machine. An integer below 1 counts as 1, and an
// integer above 100 counts as 100. If the variable contains no integer, Patience returns d.
func Patience(d time.Duration) time.Duration {
	n, err := strconv.Atoi(os.Getenv(patienceVariable))
	if err != nil {
		return d
	}
	return d * time.Duration(min(max(n, 1), 100))
}

// A Part checks one property of an answer.
type Part struct {
	Name  string         // the property, as a short phrase
	Of    []string       // names of the learner's functions that Judge calls, as they are in the stub
	Limit time.Duration  // 0 means defaultLimit
	Own   func()         // if not nil, the check's own code for the same problems, which shows how fast the machine is
	Judge func() Verdict // calls the learner's code and returns the verdict; need not recover from its panics
}

// limit returns the time limit of p before it is known how long p.Own takes. When this is known,
// the limit may be increased.
func (p Part) limit() time.Duration {
	return Patience(cmp.Or(p.Limit, defaultLimit))
}

// Run judges the parts one after another and returns the report. If one part panics or exceeds its
// time limit, Run continues with the next part. In a notebook, Run shows the report and updates it
// after each part.
//
// Run cannot stop the code of a part that has exceeded its time limit. This code runs until the
// program ends; in a notebook, this is the end of the cell. Later parts that call the same function
// are NotRun. If two parts that call the same functions find the same mistake (the same key and, for
// a panic, the same message), the message of the later part only refers to the earlier part.
//
// The stack trace of the first panic goes to standard error. When nbgrader runs the notebook, the
// trace goes to standard output, because nbgrader gives no points to a cell that writes to standard
// error. A later panic usually has the same trace, so Run prints only one line with its value and
// place.
func Run(exercise, title string, parts ...Part) *Report {
	return Heading{Exercise: exercise, Title: title}.Run(parts...)
}

// Run is like the function Run, but the report has the heading h. The whole heading is shown before
// the first part is judged, because the learner's code can end the program at any time.
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

// beforePart, if not nil, is a function that Run calls before each part.
var beforePart func()

// BeforeParts sets a function that Run calls before each part of all later reports, except during
// Try. A program that runs the answer in a separate process uses BeforeParts to start a new process
// for each part. If f is nil, Run does not call a function.
func BeforeParts(f func()) { beforePart = f }

// trialOrder contains the numbers of the parts to judge while Try is running. At other times it is
// nil.
var trialOrder atomic.Pointer[[]int]

// Try calls f. While f is running, every call of Run is a trial: it judges only the given parts, in
// the given order. Parts are counted from 0. A trial stops at the first part that is not Right. The
// report of a trial is complete if at least one part is given and all given parts exist and are
// Right. A trial shows and prints nothing. If f is nil, Try does nothing. Only one call of Try may
// run at a time.
func Try(parts []int, f func()) {
	if f == nil {
		return
	}
	trialOrder.Store(&parts)
	defer trialOrder.Store(nil)
	f()
}

// Trying reports whether Try is running. In this case a check need not explain mistakes.
func Trying() bool { return trialOrder.Load() != nil }

// runTrial judges the parts in the given order. It stops at the first part that is not Right or does
// not exist.
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

// notCalled returns the verdict NotRun for part i if an earlier part that calls one of its functions
// exceeded its time limit. Otherwise part i may call its functions, and notCalled returns nil. If
// the earlier part called several functions, it is unknown which one did not return, so later parts
// may not call any of them.
func (r *Report) notCalled(parts []Part, i int) *Verdict {
	for j := range i {
		for _, f := range parts[i].Of {
			if r.Parts[j].Outcome == TimedOut && slices.Contains(parts[j].Of, f) {
				return &Verdict{Outcome: NotRun,
					Message: fmt.Sprintf("Not called: %s is also used in part %d, which exceeded its time limit.", f, j+1)}
			}
		}
	}
	return nil
}

// shortenRepeated returns the verdict v for part i. If an earlier part found the same mistake in
// the same functions, shortenRepeated replaces the message with a reference to the earlier part and
// removes the hint. Two panics are the same mistake only if their messages are equal.
func (r *Report) shortenRepeated(parts []Part, i int, v Verdict) *Verdict {
	for j := range i {
		before := r.Parts[j]
		same := len(parts[i].Of) > 0 && slices.Equal(parts[j].Of, parts[i].Of) && v.Key != "" && before.Key == v.Key &&
			before.Outcome == v.Outcome
		if same && (v.Outcome == Wrong || before.Message == v.Message) {
			v.Message, v.Hint = fmt.Sprintf("Some cases of this part show the mistake of part %d: fix it there first.", j+1), 0
			break
		}
	}
	return &v
}

// judge judges one part in a separate goroutine. A time limit is therefore possible, and
// runtime.Goexit in the learner's code ends only this goroutine. The argument `traced` records
// whether a stack trace was already printed for the report.
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
		end = max(end, ownTimeFactor*took)
	case <-time.After(p.Limit): // Own may never return, because it can call the learner's code
	}
	select {
	case v := <-done:
		return v
	case <-time.After(time.Until(begin.Add(end))):
		return Verdict{Outcome: TimedOut, Key: "timed-out", Message: fmt.Sprintf(
			"No answer within %v. Either a loop does not end for this input (think of NaN), or the function takes far longer than the exercise needs.",
			end.Round(time.Millisecond))}
	}
}

// runOwn calls Own, the check's own work on the part. It measures the time that Own needs, and
// sends this time on the channel.
func runOwn(p Part) <-chan time.Duration {
	took := make(chan time.Duration, 1)
	go func() {
		begin := time.Now()
		defer func() {
			recover() // ignore a panic of the learner's code: it is reported when Judge calls this code
			took <- time.Since(begin)
		}()
		if p.Own != nil {
			p.Own()
		}
	}()
	return took
}

// crashVerdict returns the verdict on a panic. Its argument is the value that recover has returned.
// crashVerdict must run in the goroutine that panicked, because it reads the place of the panic
// from the stack.
func crashVerdict(cause any, traced *atomic.Bool) Verdict {
	p, isRemote := cause.(*remote.Panic)
	if cause == TODO || isRemote && p.Todo {
		return Verdict{Outcome: NotAttempted, Message: "The function still holds the stub."}
	}
	if isRemote && p.Lost != nil {
		if errors.Is(p.Lost, remote.ErrTime) {
			return Verdict{Outcome: TimedOut, Key: "timed-out",
				Message: "No answer within the time limit. Either a loop does not end for this input (think of NaN), or the function takes far longer than the exercise needs."}
		}
		return Verdict{Outcome: Crashed, Key: "ended",
			Message: fmt.Sprintf("The program ended while it ran your function: %v. Check that your code does not call os.Exit, call itself forever, or use too much memory.", p.Lost)}
	}
	if cause == nil || isRemote && p.Exit {
		return Verdict{Outcome: Crashed, Key: "goexit",
			Message: "Your code ended its goroutine (runtime.Goexit) and returned no value."}
	}
	text := remote.Short(fmt.Sprint(cause))
	at, ok := remote.Place(2)
	if isRemote {
		at, ok = p.Place, p.Place != ""
	}
	switch {
	case Trying():
	case traced.CompareAndSwap(false, true):
		// The notebook kernel converts the line numbers in this trace to lines of the cell.
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
		"panic: %s\nThe panic happened outside your code. Perhaps your code returned a nil function or a nil matrix. If not, the check has a fault; please report it.", text)}
}
