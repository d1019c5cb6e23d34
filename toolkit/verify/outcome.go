package verify

import "fmt"

// Outcome is what became of one part.
type Outcome int

const (
	NotRun       Outcome = iota // never reached, or the program ended before
	NotAttempted                // the stub's panic(TODO) and nothing else
	Right                       // everything the part looks at holds
	Wrong                       // with a message and, where one fits, a hint
	Crashed                     // the learner's code panicked
	TimedOut                    // the part's time limit passed
)

var outcomeNames = [...]string{"NotRun", "NotAttempted", "Right", "Wrong", "Crashed", "TimedOut"}

// String returns the outcome's name, as it stands in reports.
func (o Outcome) String() string {
	if o < 0 || int(o) >= len(outcomeNames) {
		return fmt.Sprintf("Outcome(%d)", int(o))
	}
	return outcomeNames[o]
}

// MarshalText writes the name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads a name; an unknown one is an error.
func (o *Outcome) UnmarshalText(text []byte) error {
	for i, name := range outcomeNames {
		if name == string(text) {
			*o = Outcome(i)
			return nil
		}
	}
	return fmt.Errorf("verify: unknown outcome %q", text)
}

type todo struct{}

func (todo) String() string { return "not attempted yet" }

// TODO is what every stub panics with. It alone means NotAttempted; any other
// panic of the learner's is Crashed.
var TODO any = todo{}
