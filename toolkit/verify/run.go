package verify

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"
)

// DefaultLimit is the time a part may take when it states no limit of its own.
// It lies far above what a correct answer needs (2 s for a whole exercise).
const DefaultLimit = 20 * time.Second

// Part is one thing that a check establishes.
type Part struct {
	Name  string         // what is established, as a short phrase
	Limit time.Duration  // 0 means DefaultLimit
	Judge func() Verdict // calls the learner's code; may panic with its panic
}

// Run judges the parts one after another and returns the report. A panic or a
// time-out in one part does not keep the next from being judged. In a notebook
// the report is shown and grows with each part.
//
// A part that timed out cannot be stopped: its goroutine goes on until the
// program ends, which in a notebook is the end of the cell.
//
// The stack trace of the first panic goes to standard error whole, that of every
// later one, which mostly is the same, as a line with its value and place.
func Run(exercise, title string, parts ...Part) *Report {
	return RunVariant(exercise, title, 0, parts...)
}

// RunVariant is Run for a personal variant of an exercise: the parts draw their
// numbers by the seed, and the report carries it.
func RunVariant(exercise, title string, seed uint64, parts ...Part) *Report {
	return Heading{Exercise: exercise, Title: title, Seed: seed}.Run(parts...)
}

// Run is the function Run for a report with this heading, which it carries from
// its first display on: the learner's code may end the program before a second.
func (h Heading) Run(parts ...Part) *Report {
	r := newReport(h, parts)
	screen := newScreen()
	screen.show(r)
	var traced atomic.Bool
	for i, p := range parts {
		v := judge(p, &traced)
		r.Parts[i].set(v)
		r.Complete = i == len(parts)-1
		screen.show(r)
	}
	if len(parts) == 0 {
		r.Complete = true
		screen.show(r)
	}
	return r
}

// judge runs one part in a goroutine of its own, so that it can be timed and so
// that runtime.Goexit in the learner's code ends only that part. traced tells
// whether a stack trace of the same report has been printed.
func judge(p Part, traced *atomic.Bool) Verdict {
	limit := p.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	done := make(chan Verdict, 1)
	go func() {
		verdict, returned := Verdict{}, false
		defer func() {
			if returned {
				done <- verdict
				return
			}
			done <- crashed(recover(), traced)
		}()
		verdict = p.Judge()
		returned = true
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case v := <-done:
		return v
	case <-timer.C:
		return Verdict{Outcome: TimedOut, Key: "timed-out", Message: fmt.Sprintf(
			"No answer within %v. Does a loop end for every input, also when the values are not numbers?", limit)}
	}
}

// crashed turns what recover returned into a verdict. It runs on the panicking
// goroutine's stack, so that the place can be read off it.
func crashed(cause any, traced *atomic.Bool) Verdict {
	if cause == TODO {
		return Verdict{Outcome: NotAttempted, Message: "The function still holds the stub."}
	}
	if cause == nil {
		return Verdict{Outcome: Crashed, Key: "goexit", Message: "The code ended its goroutine (runtime.Goexit) and returned no answer."}
	}
	at, ok := learnerPlace()
	if traced.CompareAndSwap(false, true) {
		// The kernel maps the lines of this trace to lines of the cell.
		fmt.Fprintf(os.Stderr, "panic: %v\n%s", cause, debug.Stack())
	} else {
		where := at
		if !ok {
			where = "outside your code"
		}
		fmt.Fprintln(os.Stderr, strings.Join(strings.Fields(fmt.Sprintf("panic again: %v, %s", cause, where)), " "))
	}
	if ok {
		return Verdict{Outcome: Crashed, Key: "panic", Message: fmt.Sprintf("panic: %v\n%s", cause, at)}
	}
	return Verdict{Outcome: Crashed, Key: "panic-in-check", Message: fmt.Sprintf(
		"panic: %v\nIt happened outside your code. Was a function or a matrix nil? If not, the check has a fault: please report it.", cause)}
}
