package block

import (
	"math"
	"slices"
)

// farOff is the largest distance of the mean from the median, in typical distances. In a typical
// row x − mean loses the digits of a factor of that size.
const farOff = 1 << 16

// centre inspects a sample of rows, evenly spaced.
func (c *Columns) centre(s *Source) {
	const most = 129
	count := min(s.n, most)
	sample, buf := make([]float64, count*s.d), s.buffer(1)
	for i := range count {
		at := i * s.n / count
		row, _ := s.Rows(at, at+1, buf)
		copy(sample[i*s.d:(i+1)*s.d], row)
	}
	c.Centre = slices.Clone(c.Mean)
	v := make([]float64, count)
	for j, mean := range c.Mean {
		for i := range v {
			v[i] = sample[i*s.d+j]
		}
		if scattered(v, c.Min[j], c.Max[j]) {
			continue
		}
		median := smallest(v, count/2)
		if closer(v, median, math.Abs(mean-median)/farOff) {
			c.Centre[j] = median
		}
	}
}

// scattered reports whether every two neighbours of 64 equal parts of the range together hold at
// most a quarter of the numbers. Then closer is false, whatever the mean, because all numbers
// within (high−low)/farOff of the median are in two neighbours.
func scattered(v []float64, low, high float64) bool {
	var parts [64]int
	scale := float64(len(parts)-1) / (high - low)
	if !(scale > 0) || math.IsInf(scale, 1) {
		return low == high // all are the median
	}
	for _, x := range v {
		parts[int((x-low)*scale)]++
	}
	before := 0
	for _, n := range parts {
		if before+n > len(v)/4 {
			return false
		}
		before = n
	}
	return true
}

// closer reports whether more than a quarter of the numbers that differ from the median are closer
// to it than some distance.
func closer(v []float64, median, distance float64) bool {
	others, near := 0, 0
	for _, x := range v {
		if x == median {
			continue
		}
		others++
		if math.Abs(x-median) < distance {
			near++
		}
	}
	return near > others/4
}

// smallest returns number k of v in ascending order, from 0. It moves smaller numbers before it
// and larger ones behind it (Hoare's selection). The numbers are finite.
func smallest(v []float64, k int) float64 {
	for len(v) > 1 {
		pivot := v[len(v)/2]
		i, j := 0, len(v)-1
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			v = v[:j+1]
		case k >= i:
			v, k = v[i:], k-i
		default:
			return pivot
		}
	}
	return v[0]
}
