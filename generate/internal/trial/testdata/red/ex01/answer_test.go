package ex01_test

// side is a type that only the solution has.
//
//hyperplane:hidden
type side float64

// Area returns the area of a square in cm².
func Area() float64 { return float64(side(2) * side(2)) }

// Perimeter has a parameter of the hidden type side, so the stub does not compile.
func Perimeter(s side) float64 { return 4 * float64(s) }
