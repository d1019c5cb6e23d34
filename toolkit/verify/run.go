package verify

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify/remote"
)

// DefaultLimit is how long a learner waits for loops without an end: each of the
// functions that the parts of a report name in Of has an equal share of it, and one
// that used up its share is not called again. It lies far above what a correct
// answer needs (2 s for a whole exercise).
const DefaultLimit = 20 * time.Second

// Part is one thing that a check establishes.
type Part struct {
	Name  string         // what is established, as a short phrase
	Of    []string       // the learner's functions that it calls, as the stub names them
	Limit time.Duration  // 0 means the function's share of DefaultLimit
	Judge func() Verdict // calls the learner's code; may panic with its panic
}

// Run judges the parts one after another and returns the report. A panic or a
// time-out in one part does not keep the next from being judged. In a notebook
// the report is shown and grows with each part.
//
// A part that timed out cannot be stopped: its goroutine goes on until the
// program ends, which in a notebook is the end of the cell. Later parts of the same
// function are NotRun. A part that finds of a function what an earlier one found,
// by the key, says that in one line.
//
// The stack trace of the first panic goes to standard error (under nbgrader, where that
// costs points, to standard output) whole, that of every
// later one, which mostly is the same, as a line with its value and place.
func Run(exercise, title string, parts ...Part) *Report {
	return Heading{Exercise: exercise, Title: title}.Run(parts...)
}

// Run is the function Run for a report with this heading, which it carries from
// its first display on: the learner's code may end the program before a second.
func (h Heading) Run(parts ...Part) *Report {
	r := newReport(h, parts)
	screen := newScreen()
	screen.show(r)
	var traced atomic.Bool
	share := DefaultLimit / time.Duration(functions(parts))
	for i, p := range parts {
		if begun != nil {
			begun()
		}
		if p.Limit == 0 {
			p.Limit = share
		}
		v := r.unasked(parts, i)
		if v == nil {
			v = r.echo(parts, i, judge(p, &traced))
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

// begun is called before each part.
var begun func()

// BeforeParts lets f be called before each part of every report that is run from then on:
// who judges an answer that is elsewhere begins with a fresh process for each. With nil
// nothing is called.
func BeforeParts(f func()) { begun = f }

// functions counts the learner's functions that the parts name, 1 at the least.
func functions(parts []Part) int {
	seen := map[string]bool{}
	for _, p := range parts {
		for _, f := range p.Of {
			seen[f] = true
		}
	}
	return max(1, len(seen))
}

// unasked is the verdict on part i when one of its functions did not come back from
// an earlier one, nil when they may be called. Which of several did not come back
// nobody knows, and none of them is called again.
func (r *Report) unasked(parts []Part, i int) *Verdict {
	for j := range i {
		for _, f := range parts[i].Of {
			if r.Parts[j].Outcome == TimedOut && slices.Contains(parts[j].Of, f) {
				return &Verdict{Outcome: NotRun, Message: fmt.Sprintf("Not asked: %s did not come to an end in part %d.", f, j+1)}
			}
		}
	}
	return nil
}

// echo shortens the verdict on part i when an earlier part has found the same of
// the same functions: its message says all.
func (r *Report) echo(parts []Part, i int, v Verdict) *Verdict {
	for j := range i {
		before := r.Parts[j]
		same := len(parts[i].Of) > 0 && slices.Equal(parts[j].Of, parts[i].Of) && v.Key != "" && before.Key == v.Key && before.Outcome == v.Outcome
		if same && (v.Outcome == Wrong || before.Message == v.Message) {
			v.Message, v.Hint = fmt.Sprintf("The same as in part %d: mend that first.", j+1), 0
			break
		}
	}
	return &v
}

// judge runs one part in a goroutine of its own, so that it can be timed and so
// that runtime.Goexit in the learner's code ends only that part. traced tells
// whether a stack trace of the same report has been printed.
func judge(p Part, traced *atomic.Bool) Verdict {
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
	timer := time.NewTimer(p.Limit)
	defer timer.Stop()
	select {
	case v := <-done:
		return v
	case <-timer.C:
		return Verdict{Outcome: TimedOut, Key: "timed-out", Message: fmt.Sprintf(
			"No answer within %v. Does a loop end for every input, also when the values are not numbers?", p.Limit)}
	}
}

// crashed turns what recover returned into a verdict. It runs on the panicking
// goroutine's stack, so that the place can be read off it.
func crashed(cause any, traced *atomic.Bool) Verdict {
	p, far := cause.(*remote.Panic)
	if cause == TODO || far && p.Todo {
		return Verdict{Outcome: NotAttempted, Message: "The function still holds the stub."}
	}
	if far && p.Lost != nil {
		if errors.Is(p.Lost, remote.ErrTime) {
			return Verdict{Outcome: TimedOut, Key: "timed-out", Message: "No answer within the time limit. Does a loop end for every input, also when the values are not numbers?"}
		}
		return Verdict{Outcome: Crashed, Key: "ended", Message: fmt.Sprintf("The program ended while your function was asked: %v. Does it call os.Exit, call itself without an end, or take too much memory?", p.Lost)}
	}
	if cause == nil || far && p.Exit {
		return Verdict{Outcome: Crashed, Key: "goexit", Message: "The code ended its goroutine (runtime.Goexit) and returned no answer."}
	}
	at, ok := remote.Place(2)
	if far {
		at, ok = p.Place, p.Place != ""
	}
	if traced.CompareAndSwap(false, true) {
		// The kernel maps the lines of this trace to lines of the cell.
		fmt.Fprintf(traces(), "panic: %v\n%s", cause, debug.Stack())
	} else {
		where := at
		if !ok {
			where = "outside your code"
		}
		fmt.Fprintln(traces(), strings.Join(strings.Fields(fmt.Sprintf("panic again: %v, %s", cause, where)), " "))
	}
	if ok {
		return Verdict{Outcome: Crashed, Key: "panic", Message: fmt.Sprintf("panic: %v\n%s", cause, at)}
	}
	return Verdict{Outcome: Crashed, Key: "panic-in-check", Message: fmt.Sprintf(
		"panic: %v\nIt happened outside your code. Was a function or a matrix nil? If not, the check has a fault: please report it.", cause)}
}
