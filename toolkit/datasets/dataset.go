package datasets

import (
	"errors"
	"fmt"
	"math"
	"slices"
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
}

// N returns the number of rows.
func (d *Dataset) N() int { return len(d.Labels) }

// D returns the number of features.
func (d *Dataset) D() int { return len(d.FeatureNames) }

// K returns the number of classes, also those without a row.
func (d *Dataset) K() int { return len(d.ClassNames) }

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
	}
	if err := unique("feature", d.FeatureNames); err != nil {
		return err
	}
	if err := unique("class", d.ClassNames); err != nil {
		return err
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

// Class returns the rows of the named classes, in their old order, relabelled
// so that the first name is class 0. No, unknown and repeated names are errors.
func (d *Dataset) Class(names ...string) (*Dataset, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	pick, err := d.indices("class", d.ClassNames, names)
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
	e.Labels, e.ClassNames = labels, slices.Clone(names)
	return e, nil
}

// Columns returns the named features only, in the order given. No, unknown and
// repeated names are errors.
func (d *Dataset) Columns(names ...string) (*Dataset, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	pick, err := d.indices("feature", d.FeatureNames, names)
	if err != nil {
		return nil, err
	}
	e := d.clone()
	e.X = mat.NewDense(d.N(), len(pick), nil)
	for i := range d.Labels {
		for j, c := range pick {
			e.X.Set(i, j, d.X.At(i, c))
		}
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
	if err := d.Check(); err != nil {
		return nil, err
	}
	k, err := d.index("class", d.ClassNames, class)
	if err != nil {
		return nil, err
	}
	if len(x) != d.D() {
		return nil, fmt.Errorf("datasets: Append: x has %d numbers but the data set has %d features: %s", len(x), d.D(), quoted(d.FeatureNames))
	}
	e := d.clone()
	e.X = mat.NewDense(d.N()+1, d.D(), nil)
	e.X.Slice(0, d.N(), 0, d.D()).(*mat.Dense).Copy(d.X)
	e.X.SetRow(d.N(), x)
	e.Labels = append(e.Labels, k)
	return e, e.Check()
}

// clone copies all but X.
func (d *Dataset) clone() *Dataset {
	e := *d
	e.X = nil
	e.Labels = slices.Clone(d.Labels)
	e.FeatureNames = slices.Clone(d.FeatureNames)
	e.ClassNames = slices.Clone(d.ClassNames)
	return &e
}

// take returns the given rows, which exist.
func (d *Dataset) take(rows []int) *Dataset {
	e := d.clone()
	e.X = mat.NewDense(len(rows), d.D(), nil)
	e.Labels = make([]int, len(rows))
	for i, r := range rows {
		e.X.SetRow(i, d.X.RawRowView(r))
		e.Labels[i] = d.Labels[r]
	}
	return e
}

func (d *Dataset) index(kind string, names []string, name string) (int, error) {
	if k := slices.Index(names, name); k >= 0 {
		return k, nil
	}
	return 0, fmt.Errorf("datasets: there is no %s %q in %s: choose one of %s", kind, name, d.title(), quoted(names))
}

func (d *Dataset) indices(kind string, names, pick []string) ([]int, error) {
	if len(pick) == 0 {
		return nil, fmt.Errorf("datasets: name at least one %s of %s", kind, quoted(names))
	}
	if err := unique(kind, pick); err != nil {
		return nil, err
	}
	index := make([]int, len(pick))
	for i, name := range pick {
		k, err := d.index(kind, names, name)
		if err != nil {
			return nil, err
		}
		index[i] = k
	}
	return index, nil
}

func (d *Dataset) title() string {
	if d.Name == "" {
		return "this data set"
	}
	return d.Name
}

func quoted(names []string) string {
	q := make([]string, len(names))
	for i, s := range names {
		q[i] = fmt.Sprintf("%q", s)
	}
	return strings.Join(q, ", ")
}

// prefixed adds the function's name to an error of this package.
func prefixed(name string, err error) error {
	return fmt.Errorf("datasets: %s: %s", name, bare(err))
}

// bare is the message without the package's name, to be put into another one.
func bare(err error) string { return strings.TrimPrefix(err.Error(), "datasets: ") }
