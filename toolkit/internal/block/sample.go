package block

import "math/bits"

// Spread returns about count of the indices 0…n−1, in the given number of runs, evenly spaced.
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

// InspectSome is Inspect of a few rows, evenly spaced.
func InspectSome(s *Source) *Columns {
	const rows, runs = 2048, 64
	return Inspect(NewSource(NewRowsView(s, Spread(s.n, rows, runs))))
}

// SumDepth bounds the number of successive additions in a sum over n rows of m columns. The rows
// of a block are summed on their own, in accumulators of about size numbers: see ReduceWide.
func SumDepth(n, m, size int) int {
	rows := Rows(pad(m))
	return rows + chunkRows(n, max(size, pad(m)*pad(m)), rows)/rows + bits.Len(maxChunks)
}
