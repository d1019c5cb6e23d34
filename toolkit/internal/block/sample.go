package block

import "math/bits"

// Spread returns about count of the indices 0…n−1, in as many runs, evenly spaced.
func Spread(n, count, runs int) []int {
	long := max(count/runs, 1)
	index := make([]int, 0, runs*long)
	for r := range runs {
		lo := r * n / runs
		for i := lo; i < min(lo+long, (r+1)*n/runs); i++ {
			index = append(index, i)
		}
	}
	return index
}

// SumDepth bounds how many additions one after the other a sum over n rows of m columns
// makes, where the rows of a block are summed on their own.
func SumDepth(n, m int) int {
	rows := Rows(pad(m))
	return rows + chunkRows(n, pad(m)*pad(m), rows)/rows + bits.Len(maxChunks)
}
