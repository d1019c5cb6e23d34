package datasets

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
)

const shuffleStream = 0x73687566666c65 // "shuffle"

// Counts returns the number of rows of each class, K entries; a class without
// rows has 0.
func (d *Dataset) Counts() []int {
	counts := make([]int, d.K())
	for _, l := range d.Labels {
		if l >= 0 && l < len(counts) {
			counts[l]++
		}
	}
	return counts
}

// Head returns the first n rows, or all if there are fewer. An n below 1 is an
// error.
func (d *Dataset) Head(n int) (*Dataset, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, fmt.Errorf("datasets: Head: n is %d: it must be at least 1", n)
	}
	return d.take(ascending(min(n, d.N()))), nil
}

// Shuffle returns the rows in random order. The same seed gives the same order.
// Errors: those of Check.
func (d *Dataset) Shuffle(seed uint64) (*Dataset, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	return d.take(d.drawn(seed, shuffleStream, false)), nil
}

// Concat returns the rows of d followed by those of the others. Features are
// matched by name and must be the same; classes that only another one has are
// added at the end. Name and Source are those of d. Errors: other features, and
// those of Check.
func (d *Dataset) Concat(others ...*Dataset) (*Dataset, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	e := d.clone()
	n := d.N()
	for i, o := range others {
		if err := o.Check(); err != nil {
			return nil, prefixed(fmt.Sprintf("Concat: data set %d", i+1), err)
		}
		n += o.N()
	}
	e.X = mat.NewDense(n, d.D(), nil)
	e.X.Slice(0, d.N(), 0, d.D()).(*mat.Dense).Copy(d.X)
	at := d.N()
	for i, o := range others {
		if o.D() != d.D() {
			return nil, fmt.Errorf("datasets: Concat: data set %d has %d features but the first has %d: take the same Columns of both", i+1, o.D(), d.D())
		}
		o, err := o.Columns(d.FeatureNames...)
		if err != nil {
			return nil, prefixed(fmt.Sprintf("Concat: data set %d", i+1), err)
		}
		e.X.Slice(at, at+o.N(), 0, d.D()).(*mat.Dense).Copy(o.X)
		at += o.N()
		label := make([]int, o.K())
		for k, c := range o.ClassNames {
			if label[k] = slices.Index(e.ClassNames, c); label[k] < 0 {
				label[k] = len(e.ClassNames)
				e.ClassNames = append(e.ClassNames, c)
			}
		}
		for _, l := range o.Labels {
			e.Labels = append(e.Labels, label[l])
		}
	}
	return e, e.Check()
}

// Relabel renames classes; classes that get one name are joined. A class that is
// not mentioned keeps its name, and a joined class has the place of its first
// part. An unknown class is an error.
func (d *Dataset) Relabel(names map[string]string) (*Dataset, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	olds := make([]string, 0, len(names))
	for old := range names {
		olds = append(olds, old)
	}
	slices.Sort(olds) // so that of two errors always the same is reported
	for _, old := range olds {
		if _, err := d.index("class", d.ClassNames, old); err != nil {
			return nil, err
		}
	}
	e := d.take(ascending(d.N()))
	e.ClassNames = nil
	label := make([]int, d.K())
	for k, c := range d.ClassNames {
		if name, ok := names[c]; ok {
			c = name
		}
		if label[k] = slices.Index(e.ClassNames, c); label[k] < 0 {
			label[k] = len(e.ClassNames)
			e.ClassNames = append(e.ClassNames, c)
		}
	}
	for i, l := range d.Labels {
		e.Labels[i] = label[l]
	}
	return e, e.Check()
}

// ascending returns 0, 1, …, n−1.
func ascending(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
