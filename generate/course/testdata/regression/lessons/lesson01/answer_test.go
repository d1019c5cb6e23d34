package lesson01_test

// Bias returns the expectation of the shrunk mean of n targets, minus mu. mu is the mean of each
// target, n is at least 1, and lambda is at least 0.
func Bias(mu float64, n int, lambda float64) float64 {
	return -lambda * mu / (float64(n) + lambda)
}

// MSE returns the expected squared error of the shrunk mean of n targets with mean mu and standard
// deviation sigma. n is at least 1, and lambda is at least 0.
func MSE(mu, sigma float64, n int, lambda float64) float64 {
	d := float64(n) + lambda
	return (lambda*lambda*mu*mu + float64(n)*sigma*sigma) / (d * d)
}
