package datasets

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Class returns the rows of the named classes, in their old order, relabelled
// so that the first name is class 0. No, unknown and repeated names are errors.
func (d *Dataset) Class(names ...string) (*Dataset, error) {
	pick, err := d.indices("class", names...)
	if err != nil {
		return nil, err
	}
	var rows, labels []int
	for i, l := range d.Labels {
		if k := slices.Index(pick, l); k >= 0 {
			rows = append(rows, i)
			labels = append(labels, k)
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("datasets: Class: no row has a class of %s", quoted(names))
	}
	e := d.take(rows)
	e.Labels, e.ClassNames, e.Hues = labels, slices.Clone(names), d.huesOf(pick)
	return e, nil
}

// Columns returns the named features only, in the order given. No, unknown and
// repeated names are errors.
func (d *Dataset) Columns(names ...string) (*Dataset, error) {
	pick, err := d.indices("feature", names...)
	if err != nil {
		return nil, err
	}
	e := d.take(ascending(d.N()))
	e.X = mat.NewDense(d.N(), len(pick), nil)
	for j, c := range pick {
		e.X.SetCol(j, mat.Col(nil, c, d.X))
	}
	e.FeatureNames = slices.Clone(names)
	return e, nil
}

// Rows returns the rows with the given indices, counted from 0, in the order
// given; an index may come twice. All classes stay, also those left empty. Errors:
// no index, one that is not 0 to N−1, and those of Check.
func (d *Dataset) Rows(index ...int) (*Dataset, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if len(index) == 0 {
		return nil, errors.New("datasets: Rows: name at least one row")
	}
	for _, i := range index {
		if i < 0 || i >= d.N() {
			return nil, fmt.Errorf("datasets: Rows: there is no row %d: the rows are 0…%d", i, d.N()-1)
		}
	}
	return d.take(index), nil
}

// Append returns the data set with one more row at the end, for instance an
// outlier. The class must be one of ClassNames. Errors: another class, another
// number of features, NaN or Inf, and those of Check.
func (d *Dataset) Append(x []float64, class string) (*Dataset, error) {
	k, err := d.indices("class", class)
	if err != nil {
		return nil, err
	}
	if len(x) != d.D() {
		return nil, fmt.Errorf("datasets: Append: x has %d numbers but the data set has %d features: %s", len(x), d.D(), quoted(d.FeatureNames))
	}
	e := d.take(append(ascending(d.N()), 0)) // the last row is written over
	e.X.SetRow(d.N(), x)
	e.Labels[d.N()] = k[0]
	return e, e.Check()
}

// Relabel renames classes; classes that get one name are joined. A class that is
// not mentioned keeps its name, and a joined class has the place of its first
// part. An unknown class is an error.
func (d *Dataset) Relabel(names map[string]string) (*Dataset, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	e := d.take(ascending(d.N()))
	for _, old := range slices.Sorted(maps.Keys(names)) { // of two errors always the same
		k, err := d.indices("class", old)
		if err != nil {
			return nil, err
		}
		e.ClassNames[k[0]] = names[old]
	}
	renamed := e.ClassNames
	e.ClassNames = nil
	var first []int // the class that each new one begins with
	label := make([]int, d.K())
	for k, c := range renamed {
		if label[k] = slices.Index(e.ClassNames, c); label[k] < 0 {
			label[k] = len(e.ClassNames)
			e.ClassNames = append(e.ClassNames, c)
			first = append(first, k)
		}
	}
	e.Hues = d.huesOf(first)
	for i, l := range d.Labels {
		e.Labels[i] = label[l]
	}
	return e, e.Check()
}

// take returns the given rows, which exist.
func (d *Dataset) take(rows []int) *Dataset {
	e := &Dataset{Name: d.Name, Source: d.Source, X: mat.NewDense(len(rows), d.D(), nil), Labels: make([]int, len(rows)),
		FeatureNames: slices.Clone(d.FeatureNames), ClassNames: slices.Clone(d.ClassNames), Hues: slices.Clone(d.Hues)}
	for i, r := range rows {
		e.X.SetRow(i, d.X.RawRowView(r))
		e.Labels[i] = d.Labels[r]
	}
	return e
}

// huesOf returns the hues of these classes, nil if they are 0, 1, ….
func (d *Dataset) huesOf(classes []int) []int {
	hues := make([]int, len(classes))
	for i, k := range classes {
		hues[i] = d.Hue(k)
	}
	if slices.Equal(hues, ascending(len(hues))) {
		return nil
	}
	return hues
}

// ascending returns 0, 1, …, n−1.
func ascending(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// indices are the numbers of the classes or features of these names, of which there
// must be some, all different. It calls Check.
func (d *Dataset) indices(kind string, pick ...string) ([]int, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	names := d.ClassNames
	if kind == "feature" {
		names = d.FeatureNames
	}
	if len(pick) == 0 {
		return nil, fmt.Errorf("datasets: name at least one %s of %s", kind, quoted(names))
	}
	index := make([]int, len(pick))
	for i, name := range pick {
		if index[i] = slices.Index(names, name); index[i] < 0 {
			return nil, fmt.Errorf("datasets: there is no %s %q in %s: choose one of %s", kind, name, title(d.Name, "data set"), quoted(names))
		}
	}
	return index, unique(kind, pick)
}
