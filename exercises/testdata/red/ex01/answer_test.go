package ex01_test

// Area returns the area of a rectangle with the sides a and b.
func Area(a, b float64) float64 { return a * b }

// Square returns the area of a square with the side a.
func Square(a float64) float64 {
	s := a
	return s * s
}
