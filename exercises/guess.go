package exercises

import (
	"fmt"
	"math"
)

// NoGuess stands in a lesson where the learner writes a number before running the
// cell that finds it.
const NoGuess = 1e300

// Guess shows a guess beside the number that was found, and says how far apart they
// are. It judges nothing: a guess is there to be surprised by.
func Guess(what string, guess, found float64) string {
	line := fmt.Sprintf("%s: %.4g.", what, found)
	switch {
	case guess == NoGuess:
		line += " You made no guess: write one in place of exercises.NoGuess next time, before you look."
	case guess == found || math.Abs(guess-found) <= 0.005*math.Abs(found):
		line += fmt.Sprintf(" You said %.4g: so it is.", guess)
	default:
		line += fmt.Sprintf(" You said %.4g.", guess)
	}
	display(line)
	return line
}
