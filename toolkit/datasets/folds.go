package datasets

import "fmt"

const foldStream = 0x666f6c6473 // "folds"

// Fold is one round of a cross-validation: each row is in one of the two parts.
type Fold struct {
	Train, Test *Dataset
}

// Folds divides the rows at random into k test parts of equal size, up to one
// row, each with the other rows as its training part. Stratified, every class is
// dealt out in turn, so that all parts have the same share of it, up to one row.
// Rows keep their order. The same seed gives the same parts. A k below 2 or above
// N is an error. These are the parts to look at or to fit by hand; to judge a
// model by cross-validation there is classify.EvaluateFolds, with folds of its own.
func (d *Dataset) Folds(k int, seed uint64, stratified bool) ([]Fold, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if k < 2 || k > d.N() {
		return nil, fmt.Errorf("datasets: Folds: k is %d: with %d rows it must lie between 2 and %d", k, d.N(), d.N())
	}
	part := make([]int, d.N())
	// Stratified, dealing goes on where the class before ended, which keeps the
	// sizes equal.
	for i, r := range d.drawn(seed, foldStream, stratified) {
		part[r] = i % k
	}
	folds := make([]Fold, k)
	for f := range folds {
		var train, test []int
		for r, p := range part {
			if p == f {
				test = append(test, r)
			} else {
				train = append(train, r)
			}
		}
		folds[f] = Fold{d.take(train), d.take(test)}
	}
	return folds, nil
}
