package lesson14_test

// AUC returns the area under the ROC curve of the scores a for the targets t, 1 for
// C₁ and 0 for C₂. Both classes occur. The area is the share of the pairs of a row
// of C₁ and a row of C₂ in which the row of C₁ has the larger score. A pair with
// equal scores counts ½. t and a have the same length and stay unchanged.
func AUC(t, a []float64) float64 {
	sum, pairs := 0.0, 0.0
	for i := range a {
		for j := range a {
			if t[i] == 0 || t[j] == 1 {
				continue
			}
			pairs++
			switch {
			case a[i] > a[j]:
				sum++
			case a[i] == a[j]:
				sum += 0.5
			}
		}
	}
	return sum / pairs
}
