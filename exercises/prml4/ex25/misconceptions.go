package ex25

import "math"

// A misconception is a wrong value of λ² that a known mistake leads to.
type misconception struct {
	key     string
	value   float64
	tol     float64 // relative; wide where the value is quoted to a few digits
	hint    int
	message string
}

var misconceptions = []misconception{
	{"lambda-for-lambda-squared", math.Sqrt(math.Pi / 8), 1e-6, 3,
		"Your number is λ, not λ²: the exercise asks for the square."},
	{"squared-twice", math.Pi / 8 * math.Pi / 8, 1e-6, 3,
		"Your number is the square of λ²: it was squared once too often."},
	{"inverse", 8 / math.Pi, 1e-6, 2,
		"Your number is the reciprocal: 1/λ². Which curve is stretched, and which one stays?"},
	{"inverse-lambda", math.Sqrt(8 / math.Pi), 1e-6, 2,
		"Your number is 1/λ: the equation was solved for the wrong side, and not squared."},
	{"density-peak-is-one", math.Pi / 4, 1e-6, 2,
		"This is what comes out when λ² rather than λ multiplies the slope somewhere, or a factor 2 is lost. Write the slope of Φ(λa) at 0 with its peak density 1/√(2π) and its inner factor λ."},
	{"slope-of-probit-is-one", 1.0 / 16, 1e-6, 2,
		"λ was set to ¼, as if Φ had slope 1 at 0. Its slope there is the peak of the normal density."},
	{"slope-of-sigmoid-is-half", math.Pi / 2, 1e-6, 2,
		"The slope of σ at 0 was taken for ½, which is its value there."},
	{"erf-convention", math.Pi / 16, 1e-6, 2,
		"This fits ½(1+erf(λa)) to σ(a). Φ(λa) is ½(1+erf(λa/√2)): a √2 lies between the two."},
	{"same-variance", 3 / (math.Pi * math.Pi), 1e-4, 1,
		"This λ gives the normal and the logistic density the same variance. It is a criterion, but not equal slopes at 0."},
	{"minimax", 0.587632 * 0.587632, 5e-5, 1,
		"This is the λ² with the smallest largest gap. A different criterion, and a good one; asked for is equal slopes at 0."},
	{"minimax-lambda", 0.587632, 5e-5, 1,
		"This is the λ (not squared) with the smallest largest gap: a different criterion. Asked for is the square of the λ with equal slopes at 0."},
	{"one-point-seven", 1 / (1.702 * 1.702), 5e-5, 1,
		"This is 1/1.702², a scale quoted in other books: it makes the largest gap small. A different criterion; asked for is equal slopes at 0."},
	{"one-point-seven-lambda", 1 / 1.702, 5e-5, 1,
		"This is 1/1.702, a scale quoted in other books for λ itself: it makes the largest gap small. A different criterion, and not squared."},
	{"kappa", 1 / math.Sqrt(1+math.Pi/8), 1e-6, 3,
		"This is the factor κ(1) of (4.154), in which λ² occurs; the exercise asks for λ² alone."},
}

// recognise names the misconception behind a value of λ², if it is a known one.
func recognise(l2 float64) (misconception, bool) {
	for _, m := range misconceptions {
		if math.Abs(l2-m.value) <= m.tol*m.value {
			return m, true
		}
	}
	return misconception{}, false
}
