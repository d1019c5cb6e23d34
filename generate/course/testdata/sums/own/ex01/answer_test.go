package ex01_test

// Squares returns the sum of the squares of x.
func Squares(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return sum
}
