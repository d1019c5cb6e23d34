package verify

import (
	"fmt"
	"slices"
)

// Outcome is what became of one part.
type Outcome int

const (
	NotRun       Outcome = iota // never reached, or the program ended before
	NotAttempted                // the stub's panic(TODO) and nothing else
	Right                       // everything the part looks at holds
	Wrong                       // has a message and, where one fits, a hint
	Crashed                     // the learner's code panicked
	TimedOut                    // the part's time limit passed
)

var outcomeNames = [...]string{"NotRun", "NotAttempted", "Right", "Wrong", "Crashed", "TimedOut"}

// String returns the outcome's name as reports show it.
func (o Outcome) String() string {
	if o < 0 || int(o) >= len(outcomeNames) {
		return fmt.Sprintf("Outcome(%d)", int(o))
	}
	return outcomeNames[o]
}

// MarshalText writes the name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads a name. It returns an error for an unknown name.
func (o *Outcome) UnmarshalText(text []byte) error {
	i := slices.Index(outcomeNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("verify: unknown outcome %q", text)
	}
	*o = Outcome(i)
	return nil
}

type todo struct{}

func (todo) String() string { return "not attempted yet" }

// TODO is the value that every stub panics with. It alone means NotAttempted; any other panic of
// the learner's code is Crashed.
var TODO any = todo{}

// Verdict is what a part returns; make one with Pass, Fail or Found.
type Verdict struct {
	Outcome Outcome
	Key     string // names the misconception, "" for a Right part
	Message string // what was looked at, what was found, what it looks like
	Hint    int    // number of the hint that fits, 0 for none
}

// Pass is a Right verdict. The message says what was established, and which
// convention was recognised where several are right.
func Pass(format string, args ...any) Verdict {
	return Verdict{Outcome: Right, Message: fmt.Sprintf(format, args...)}
}

// Fail is a Wrong verdict with the key of the misconception, the number of the
// hint that fits (0 for none) and a message.
func Fail(key string, hint int, format string, args ...any) Verdict {
	return Verdict{Outcome: Wrong, Key: key, Message: fmt.Sprintf(format, args...), Hint: hint}
}
