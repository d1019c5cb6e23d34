package instance

// Scores are the scores of K = 1 to 5 classes, all within ±1000, on which a softmax
// shows where it overflows and what it cuts off: the largest stands in every place
// and lies above the others by every distance, from 3 to 2000 with none skipped; it
// is −1000 + the distance, 0, or 1000. Each call returns new slices.
func Scores() [][]float64 {
	list := [][]float64{{-1000}, {1000}, {800, 800}, {-1000, -1000, -1000}, {710, -745, 709, 0}}
	for _, a := range [][3]float64{{1000, 0, -1000}, {1000, 999, -1000}, {1000, 999, 998.5}, {-999, -999.3, -1000}} {
		for _, p := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			list = append(list, []float64{a[p[0]], a[p[1]], a[p[2]]})
		}
	}
	for i, distance := range []float64{3, 5, 7, 10, 14, 17, 20, 25, 30, 37, 40, 100, 300, 700, 710, 745, 800, 1000, 1500, 2000} {
		for _, top := range []float64{0, 1000, distance - 1000} {
			if top-distance < -1000 {
				continue
			}
			k := 2 + i%4
			for place := range k {
				a := make([]float64, k)
				for j := range a {
					a[j] = top - distance
				}
				a[place] = top
				list = append(list, a)
			}
		}
	}
	return list
}
