package verify

import "fmt"

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
