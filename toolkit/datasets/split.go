package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// splitStream and the other stream numbers keep the random numbers of different
// uses of one seed apart.
const splitStream = 0x73706c6974 // "split"

// Split divides the rows at random into a training part, of the given fraction
// rounded to whole rows, and a test part. Each keeps the rows' order. The same
// seed gives the same parts. A fraction that leaves a part empty is an error.
// Classes are not balanced: a small class may be missing in one part.
func (d *Dataset) Split(fraction float64, seed uint64) (train, test *Dataset, err error) {
	if err := d.Check(); err != nil {
		return nil, nil, err
	}
	n := d.N()
	k := 0
	if fraction > 0 && fraction < 1 {
		k = int(math.Round(fraction * float64(n)))
	}
	if k <= 0 || k >= n {
		return nil, nil, fmt.Errorf("datasets: Split: a fraction of %v of %d rows leaves one part empty: choose one between 0 and 1, such as 0.7", fraction, n)
	}
	p := rand.New(rand.NewPCG(seed, splitStream)).Perm(n)
	slices.Sort(p[:k])
	slices.Sort(p[k:])
	return d.take(p[:k]), d.take(p[k:]), nil
}
