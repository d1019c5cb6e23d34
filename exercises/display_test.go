package exercises

import (
	"fmt"
	"strings"
	"testing"
)

func TestGuess(t *testing.T) {
	for _, tt := range []struct {
		guess, found float64
		want         string
	}{
		{NoGuess, 3, "mistakes: 3. You made no guess"},
		{3, 3, "mistakes: 3. You said 3: so it is."},
		{0.3333, 1. / 3, "mistakes: 0.3333. You said 0.3333: so it is."},
		{0, 0, "mistakes: 0. You said 0: so it is."},
		{-2, 3, "mistakes: 3. You said -2."},
	} {
		if got := Guess("mistakes", tt.guess, tt.found); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func ExampleGuess() {
	const mine = NoGuess // guess: how many corrections are needed?
	fmt.Println(Guess("corrections", mine, 3)[:15])
	// Output: corrections: 3.
}
