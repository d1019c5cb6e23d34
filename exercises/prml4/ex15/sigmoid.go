package ex15

import "math"

// sigmoid is σ(a) = 1/(1+e^−a), written so that exp sees no positive number and
// the left tail keeps its digits.
func sigmoid(a float64) float64 {
	e := math.Exp(-math.Abs(a))
	if a < 0 {
		return e / (1 + e)
	}
	return 1 / (1 + e)
}

// logSigmoid is ln σ(a).
func logSigmoid(a float64) float64 { return math.Min(a, 0) - math.Log1p(math.Exp(-math.Abs(a))) }

// weight is y(1−y) = σ(a)σ(−a), with all its digits in both tails.
func weight(a float64) float64 { return sigmoid(a) * sigmoid(-a) }
