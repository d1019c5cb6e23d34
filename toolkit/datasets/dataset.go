package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Dataset is a set of N labelled inputs.
type Dataset struct {
	Name         string
	X            *mat.Dense // N×D, one input per row
	Labels       []int      // N values 0…K−1; index 0 is the book's C₁
	FeatureNames []string   // D, the columns of X
	ClassNames   []string   // K, named by Labels
	Source       string     // where the data come from
	// Hues are K numbers, which of its colours and markers package show gives each
	// class; nil stands for 0…K−1. A subset keeps those of the whole, so that a class
	// looks the same in all of its figures.
	Hues []int
}

// N returns the number of rows.
func (d *Dataset) N() int { return len(d.Labels) }

// D returns the number of features.
func (d *Dataset) D() int { return len(d.FeatureNames) }

// K returns the number of classes, also those without a row.
func (d *Dataset) K() int { return len(d.ClassNames) }

// Hue returns the number of the colour and marker of class k: see Hues.
func (d *Dataset) Hue(k int) int {
	if k >= 0 && k < len(d.Hues) {
		return d.Hues[k]
	}
	return k
}

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

// Must returns v, and panics if err is not nil: for notebook cells.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Check reports the first contradiction among the fields of d: sizes that do
// not agree, a label without a class name, a name that is empty or used twice,
// a number that is not finite. The other methods that return an error call it.
func (d *Dataset) Check() error {
	if d == nil || d.X == nil {
		return errors.New("datasets: the data set is empty: X is nil")
	}
	n, w := d.X.Dims()
	switch {
	case n == 0 || w == 0:
		return fmt.Errorf("datasets: X is %d×%d: a data set has at least one row and one column", n, w)
	case len(d.Labels) != n:
		return fmt.Errorf("datasets: X has %d rows but there are %d labels: give one label per row", n, len(d.Labels))
	case len(d.FeatureNames) != w:
		return fmt.Errorf("datasets: X has %d columns but there are %d feature names: give one name per column", w, len(d.FeatureNames))
	case d.Hues != nil && len(d.Hues) != d.K():
		return fmt.Errorf("datasets: there are %d hues for %d classes: give one for each, or nil", len(d.Hues), d.K())
	}
	if err := unique("feature", d.FeatureNames); err != nil {
		return err
	}
	if err := unique("class", d.ClassNames); err != nil {
		return err
	}
	for k, h := range d.Hues {
		if h < 0 {
			return fmt.Errorf("datasets: the hue of class %q is %d: hues count from 0", d.ClassNames[k], h)
		}
	}
	for i, l := range d.Labels {
		if l < 0 || l >= d.K() {
			return fmt.Errorf("datasets: label of row %d is %d: with %d classes the labels are 0…%d", i, l, d.K(), d.K()-1)
		}
	}
	for i := 0; i < n; i++ {
		for j, v := range d.X.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("datasets: row %d, column %q is %v: remove the row or fill in a finite number", i, d.FeatureNames[j], v)
			}
		}
	}
	return nil
}

// unique reports an empty or repeated name.
func unique(kind string, names []string) error {
	seen := make(map[string]int, len(names))
	for i, s := range names {
		if s == "" {
			return fmt.Errorf("datasets: %s %d has no name", kind, i)
		}
		if j, ok := seen[s]; ok {
			return fmt.Errorf("datasets: %s name %q is used twice, by %d and %d", kind, s, j, i)
		}
		seen[s] = i
	}
	return nil
}

// Target returns the two-class targets of one class against all others: 1 for
// its rows, 0 for the rest. An unknown class is an error that lists the classes.
func (d *Dataset) Target(class string) ([]float64, error) {
	k, err := d.indices("class", class)
	if err != nil {
		return nil, err
	}
	return Targets(d.Labels, k[0])
}

// Targets returns the two-class targets of labels: t = 1 for those of the class,
// 0 for the rest; with class 0, t = 1 ⇔ C₁. It is what the fit of a
// cross-validation, which gets labels, hands to a two-class model. Errors: no
// labels, a class or a label below 0. That no label is of the class is none.
func Targets(labels []int, class int) ([]float64, error) {
	if class < 0 {
		return nil, fmt.Errorf("datasets: Targets: class is %d: classes count from 0", class)
	}
	if len(labels) == 0 {
		return nil, errors.New("datasets: Targets: there are no labels: give one per row")
	}
	t := make([]float64, len(labels))
	for i, l := range labels {
		if l < 0 {
			return nil, fmt.Errorf("datasets: Targets: label of row %d is %d: labels count from 0", i, l)
		}
		if l == class {
			t[i] = 1
		}
	}
	return t, nil
}

// title is what messages call a data set or a table.
func title(name, kind string) string { return cmp.Or(name, "this "+kind) }

func quoted(names []string) string {
	q := make([]string, len(names))
	for i, s := range names {
		q[i] = fmt.Sprintf("%q", s)
	}
	return strings.Join(q, ", ")
}

// named returns v, or an error with the function's name.
func named[T any](name string, v T, err error) (T, error) {
	if err != nil {
		var none T
		return none, prefixed(name, err)
	}
	return v, nil
}

// prefixed adds the function's name to an error of this package.
func prefixed(name string, err error) error {
	return fmt.Errorf("datasets: %s: %s", name, bare(err))
}

// bare is the message without the package's name, to be put into another one.
func bare(err error) string { return strings.TrimPrefix(err.Error(), "datasets: ") }
