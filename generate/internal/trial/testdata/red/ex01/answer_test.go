package ex01_test

// side is a type that only the solution has.
//
//hyperplane:hidden
type side float64

// Area returns an area: of a square, in cm².
func Area() float64 { return float64(side(2) * side(2)) }

// Perimeter takes what the learner does not have: here the stub does not compile.
func Perimeter(s side) float64 { return 4 * float64(s) }
