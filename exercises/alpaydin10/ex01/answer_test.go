package ex01_test

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex01"
)

// Sine returns where in the plane of x = (x1, x2) the function sin(x1) is defined //hyperplane:vary // Sine returns where in the plane of x = (x1, x2) the function [[sineGo]] is defined
// and not zero.
//
// Build regions from ex01.Everywhere(), ex01.Nowhere() and ex01.Disc(m1, m2, r),
// and conditions on ex01.X1, ex01.X2 or ex01.Linear(a, b), which is a·x1 + b·x2.
// The conditions are .Above(c) >, .AtLeast(c) ≥, .Below(c) <, .AtMost(c) ≤,
// .Equals(c) =, .Between(from, to) without the ends, and .Lattice(period, offset).
// The last one holds at offset + k·period for every whole number k. Combine regions
// with .And(…), .Or(…) and .Except(…).
func Sine() ex01.Region {
	return ex01.Everywhere().Except(ex01.X1.Lattice(math.Pi, 0)) //hyperplane:vary return ex01.Everywhere().Except(ex01.X1.Lattice([[period]], [[offset]]))
}

// Bump returns where exp(−(x1−a)²/c) is not zero; c > 0.
func Bump(a, c float64) ex01.Region {
	return ex01.Everywhere()
}

// RadialBump returns where exp(−‖x−m‖²/c) is not zero; m has two entries, c > 0.
func RadialBump(m []float64, c float64) ex01.Region {
	return ex01.Everywhere()
}

// Log returns where log(x2) is defined and not zero. //hyperplane:vary // Log returns where [[logGo]] is defined and not zero.
func Log() ex01.Region {
	return ex01.X2.Above(0).Except(ex01.X2.Equals(1)) //hyperplane:vary return ex01.X2.Above([[logFrom]]).Except(ex01.X2.Equals([[logZero]]))
}

// Step returns where 1(x1 > c) is not zero; 1(…) is 1 if … is true, and 0
// otherwise.
func Step(c float64) ex01.Region {
	return ex01.X1.Above(c)
}

// HalfPlane returns where 1(a·x1 + b·x2 > c) is not zero; a and b are not both 0.
func HalfPlane(a, b, c float64) ex01.Region {
	return ex01.Linear(a, b).Above(c)
}
