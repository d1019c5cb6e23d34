package datasets

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// drawn returns the rows in random order, stratified class by class.
func (d *Dataset) drawn(seed, stream uint64, stratified bool) []int {
	rows := rand.New(rand.NewPCG(seed, stream)).Perm(d.N())
	if stratified {
		slices.SortStableFunc(rows, func(a, b int) int { return d.Labels[a] - d.Labels[b] })
	}
	return rows
}

// Shuffle returns the rows in random order. The same seed gives the same order.
// Errors: those of Check.
func (d *Dataset) Shuffle(seed uint64) (*Dataset, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	return d.take(d.drawn(seed, shuffleStream, false)), nil
}

// Split divides the rows at random into a training part, with the share train of
// them, rounded to whole rows, and a test part. Each keeps the rows' order. The
// same seed gives the same parts. A share that leaves a part empty is an error.
// Classes are not balanced: a small class may be missing in one part, see
// SplitStratified.
func (d *Dataset) Split(train float64, seed uint64) (training, test *Dataset, err error) {
	return d.split("Split", train, seed, false)
}

// SplitStratified is Split with the same share of every class in both parts, up to
// one row. Errors: those of Split.
func (d *Dataset) SplitStratified(train float64, seed uint64) (training, test *Dataset, err error) {
	return d.split("SplitStratified", train, seed, true)
}

func (d *Dataset) split(name string, train float64, seed uint64, stratified bool) (training, test *Dataset, err error) {
	if err := d.Check(); err != nil {
		return nil, nil, err
	}
	n := d.N()
	k := 0
	if train > 0 && train < 1 {
		k = int(math.Round(train * float64(n)))
	}
	if k <= 0 || k >= n {
		return nil, nil, fmt.Errorf("datasets: %s: a training share of %v of %d rows leaves one part empty: choose one between 0 and 1, such as 0.7", name, train, n)
	}
	p := d.drawn(seed, splitStream, stratified)
	if stratified {
		for i := range k { // rows at even distances go to the front
			j := (2*i + 1) * n / (2 * k)
			p[i], p[j] = p[j], p[i]
		}
	}
	slices.Sort(p[:k])
	slices.Sort(p[k:])
	return d.take(p[:k]), d.take(p[k:]), nil
}

// FlipLabels returns the data with each label, independently with probability
// epsilon, replaced by one of the other classes, all equally likely: the
// mislabelled data of PRML (4.117). An epsilon outside [0, 1] is an error, and so is a single class.
//
// Equations: PRML (4.117).
func (d *Dataset) FlipLabels(epsilon float64, seed uint64) (*Dataset, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if !(epsilon >= 0 && epsilon <= 1) {
		return nil, fmt.Errorf("datasets: FlipLabels: epsilon is %v: it is a probability, between 0 and 1", epsilon)
	}
	if d.K() < 2 {
		return nil, errors.New("datasets: FlipLabels: there is a single class: there is no other to flip to")
	}
	rng := rand.New(rand.NewPCG(seed, flipStream))
	e := d.take(ascending(d.N()))
	for i, l := range e.Labels {
		// Both numbers are drawn for every row, so that a larger epsilon flips
		// the same rows and some more.
		flip, to := rng.Float64() < epsilon, rng.IntN(d.K()-1)
		if !flip {
			continue
		}
		if to >= l {
			to++
		}
		e.Labels[i] = to
	}
	return e, nil
}
