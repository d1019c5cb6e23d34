package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// A Dataset is a set of N inputs with their class labels.
type Dataset struct {
	Name         string
	X            *mat.Dense // N×D, one input per row
	Labels       []int      // N values 0…K−1; the class with label 0 is C₁ in PRML
	FeatureNames []string   // names of the D features, in the order of the columns of X
	ClassNames   []string   // names of the K classes; label k means ClassNames[k]
	Source       string     // origin of the data
	// Hues contains one number per class. The number selects the colour and marker of the class in
	// package show; nil means 0…K−1. A subset of the data keeps the hues of the whole data set, so
	// that a class looks the same in all figures.
	Hues []int
}

// N returns the number of rows.
func (d *Dataset) N() int { return len(d.Labels) }

// D returns the number of features.
func (d *Dataset) D() int { return len(d.FeatureNames) }

// K returns the number of classes, including classes without rows.
func (d *Dataset) K() int { return len(d.ClassNames) }

// Hue returns the number that selects the colour and marker of class k; see the field Hues.
func (d *Dataset) Hue(k int) int {
	if k >= 0 && k < len(d.Hues) {
		return d.Hues[k]
	}
	return k
}

// Counts returns the number of rows of each class. The result has K entries, and a class without
// rows has the entry 0.
func (d *Dataset) Counts() []int {
	counts := make([]int, d.K())
	for _, l := range d.Labels {
		if l >= 0 && l < len(counts) {
			counts[l]++
		}
	}
	return counts
}

// Check returns an error for the first inconsistency among the fields of d. Inconsistencies are a nil
// or empty X, a wrong number of labels, feature names or hues, a label without a class name, a name
// that is empty or used twice, a negative hue, and a number that is not finite. Every method that
// returns an error calls Check.
func (d *Dataset) Check() error {
	if d == nil || d.X == nil {
		return errors.New("datasets: the data set is empty: X is nil")
	}
	n, w := d.X.Dims()
	switch {
	case n == 0 || w == 0:
		return fmt.Errorf("datasets: X is %d×%d: want at least one row and one column", n, w)
	case len(d.Labels) != n:
		return fmt.Errorf("datasets: X has %d rows but there are %d labels: give one label per row", n, len(d.Labels))
	case len(d.FeatureNames) != w:
		return fmt.Errorf("datasets: X has %d columns but there are %d feature names: give one name per column", w,
			len(d.FeatureNames))
	case d.Hues != nil && len(d.Hues) != d.K():
		return fmt.Errorf("datasets: there are %d hues for %d classes: give one for each, or nil", len(d.Hues), d.K())
	}
	if err := checkNames("feature", d.FeatureNames); err != nil {
		return err
	}
	if err := checkNames("class", d.ClassNames); err != nil {
		return err
	}
	for k, h := range d.Hues {
		if h < 0 {
			return fmt.Errorf("datasets: the hue of class %q is %d: hues start at 0", d.ClassNames[k], h)
		}
	}
	for i, l := range d.Labels {
		if l < 0 || l >= d.K() {
			return fmt.Errorf("datasets: label of row %d is %d: with %d classes the labels are 0…%d", i, l, d.K(),
				d.K()-1)
		}
	}
	for i := 0; i < n; i++ {
		for j, v := range d.X.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("datasets: row %d, column %q is %v: remove the row or fill in a finite number", i,
					d.FeatureNames[j], v)
			}
		}
	}
	return nil
}

// checkNames returns an error if a name is empty or occurs twice.
func checkNames(kind string, names []string) error {
	seen := make(map[string]int, len(names))
	for i, s := range names {
		if s == "" {
			return fmt.Errorf("datasets: %s %d has no name", kind, i)
		}
		if j, ok := seen[s]; ok {
			return fmt.Errorf("datasets: %s name %q is used twice, at index %d and index %d", kind, s, j, i)
		}
		seen[s] = i
	}
	return nil
}

// Target returns targets for separating the named class from all other classes: 1 for each row of
// the named class, and 0 for every other row. In a fit to these targets, the named class is C₁. A
// model prints the first of its class names for C₁. If the named class is not the first of
// ClassNames, the printed name is therefore wrong: use Class to put the named class first. For an
// unknown class Target returns an error that lists the known classes.
func (d *Dataset) Target(class string) ([]float64, error) {
	k, err := d.namedIndices("class", class)
	if err != nil {
		return nil, err
	}
	return Targets(d.Labels, k[0])
}

// Targets turns labels into the targets of a two-class model: t = 1 if the label equals `class`, and
// t = 0 otherwise. With class 0, t = 1 means C₁. In cross-validation the fit function receives
// labels; Targets converts these labels for a two-class model. Errors: no labels, a class or a
// label below 0. It is not an error if no label equals `class`.
func Targets(labels []int, class int) ([]float64, error) {
	if class < 0 {
		return nil, fmt.Errorf("datasets: Targets: class is %d: classes start at 0", class)
	}
	if len(labels) == 0 {
		return nil, errors.New("datasets: Targets: there are no labels: give one per row")
	}
	t := make([]float64, len(labels))
	for i, l := range labels {
		if l < 0 {
			return nil, fmt.Errorf("datasets: Targets: label of row %d is %d: labels start at 0", i, l)
		}
		if l == class {
			t[i] = 1
		}
	}
	return t, nil
}

// dataName returns the name of a data set or table for messages. If name is empty, it returns a
// phrase such as "this table".
func dataName(name, kind string) string { return cmp.Or(name, "this "+kind) }

func quoted(names []string) string {
	q := make([]string, len(names))
	for i, s := range names {
		q[i] = fmt.Sprintf("%q", s)
	}
	return strings.Join(q, ", ")
}

// withPrefix returns v and err unchanged if err is nil. Otherwise it returns the zero value, and
// err with the name of the function in front.
func withPrefix[T any](name string, v T, err error) (T, error) {
	if err != nil {
		var none T
		return none, prefixed(name, err)
	}
	return v, nil
}

// prefixed returns an error whose message begins with "datasets: " and the name of the function.
func prefixed(name string, err error) error {
	return fmt.Errorf("datasets: %s: %s", name, trimPrefix(err))
}

// trimPrefix returns the message of err without "datasets: ", for use within another message.
func trimPrefix(err error) string { return strings.TrimPrefix(err.Error(), "datasets: ") }

// Class returns the rows of the named classes, in their original order, with new labels: the class
// named first has label 0. Errors: no names, an unknown or repeated name, classes that together have
// no rows, and the errors of Check.
func (d *Dataset) Class(names ...string) (*Dataset, error) {
	pick, err := d.namedIndices("class", names...)
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
		return nil, fmt.Errorf("datasets: Class: the classes %s have no rows", quoted(names))
	}
	e := d.takeRows(rows)
	e.Labels, e.ClassNames, e.Hues = labels, slices.Clone(names), d.huesOf(pick)
	return e, nil
}

// Columns returns the data set with only the named features, in the order given. Errors: no names,
// an unknown or repeated name, and the errors of Check.
func (d *Dataset) Columns(names ...string) (*Dataset, error) {
	pick, err := d.namedIndices("feature", names...)
	if err != nil {
		return nil, err
	}
	e := d.takeRows(ascending(d.N()))
	e.X = mat.NewDense(d.N(), len(pick), nil)
	for j, c := range pick {
		e.X.SetCol(j, mat.Col(nil, c, d.X))
	}
	e.FeatureNames = slices.Clone(names)
	return e, nil
}

// Rows returns the data set with only the rows at the given indices, in the order given. Indices
// start at 0, and an index may occur twice. All classes are kept, even if empty. Rows returns an
// error if no index is given, if an index is outside 0 to N−1, or if Check fails.
func (d *Dataset) Rows(index ...int) (*Dataset, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if len(index) == 0 {
		return nil, errors.New("datasets: Rows: no index is given: want at least one row")
	}
	for _, i := range index {
		if i < 0 || i >= d.N() {
			return nil, fmt.Errorf("datasets: Rows: there is no row %d: the rows are 0…%d", i, d.N()-1)
		}
	}
	return d.takeRows(index), nil
}

// Append returns a copy of the data set with one more row at the end, for instance an outlier. The
// class must be one of ClassNames. Errors: an unknown class, a wrong number of features, NaN or
// Inf, and the errors of Check.
func (d *Dataset) Append(x []float64, class string) (*Dataset, error) {
	k, err := d.namedIndices("class", class)
	if err != nil {
		return nil, err
	}
	if len(x) != d.D() {
		return nil, fmt.Errorf("datasets: Append: x has %d numbers but the data set has %d features: %s", len(x), d.D(),
			quoted(d.FeatureNames))
	}
	e := d.takeRows(append(ascending(d.N()), 0)) // appends a copy of row 0; the next lines overwrite this copy
	e.X.SetRow(d.N(), x)
	e.Labels[d.N()] = k[0]
	return e, e.Check()
}

// Relabel renames classes. A class that is not a key of `names` keeps its name. Relabel then joins
// classes with the same name into one class, which has the position of the first old class that it
// contains. Errors: an unknown class, an empty new name, and the errors of Check.
func (d *Dataset) Relabel(names map[string]string) (*Dataset, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	e := d.takeRows(ascending(d.N()))
	// check the keys in sorted order, so that a call with several wrong keys always returns the
	// same error
	for _, old := range slices.Sorted(maps.Keys(names)) {
		k, err := d.namedIndices("class", old)
		if err != nil {
			return nil, err
		}
		e.ClassNames[k[0]] = names[old]
	}
	renamed := e.ClassNames
	e.ClassNames = nil
	var first []int // for each class of e, the index of the first class of d that it contains
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

// takeRows returns a new data set with the given rows, which must exist.
func (d *Dataset) takeRows(rows []int) *Dataset {
	e := &Dataset{Name: d.Name, Source: d.Source, X: mat.NewDense(len(rows), d.D(), nil),
		Labels:       make([]int, len(rows)),
		FeatureNames: slices.Clone(d.FeatureNames), ClassNames: slices.Clone(d.ClassNames), Hues: slices.Clone(d.Hues)}
	for i, r := range rows {
		e.X.SetRow(i, d.X.RawRowView(r))
		e.Labels[i] = d.Labels[r]
	}
	return e
}

// huesOf returns the hues of the given classes. It returns nil if these hues are 0, 1, 2, …,
// because nil also stands for these numbers.
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

// namedIndices returns the indices of the classes or features with the names in `pick`. It returns an
// error if Check fails, if `pick` is empty, or if a name in `pick` is unknown or occurs twice.
func (d *Dataset) namedIndices(kind string, pick ...string) ([]int, error) {
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
			return nil, fmt.Errorf("datasets: there is no %s %q in %s: choose one of %s", kind, name,
				dataName(d.Name, "data set"), quoted(names))
		}
	}
	return index, checkNames(kind, pick)
}

// randomOrder returns the row numbers in random order. If stratified is true, the order is random
// only within each class, and the rows of a class are consecutive.
func (d *Dataset) randomOrder(seed, stream uint64, stratified bool) []int {
	rows := rand.New(rand.NewPCG(seed, stream)).Perm(d.N())
	if stratified {
		slices.SortStableFunc(rows, func(a, b int) int { return d.Labels[a] - d.Labels[b] })
	}
	return rows
}

// Shuffle returns the rows in random order. The same seed gives the same order.
// Errors: the errors of Check.
func (d *Dataset) Shuffle(seed uint64) (*Dataset, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	return d.takeRows(d.randomOrder(seed, shuffleStream, false)), nil
}

// Split divides the rows at random into a training part and a test part. The argument `train` is the
// fraction of the rows in the training part; the number of rows is rounded to an integer. Each part
// keeps the order of the rows. The same seed gives the same parts. If a part would be empty, Split
// returns an error. Split does not balance the classes, so a part may contain no row of a small
// class; see SplitStratified.
func (d *Dataset) Split(train float64, seed uint64) (training, test *Dataset, err error) {
	return d.split("Split", train, seed, false)
}

// SplitStratified is like Split, but the training part contains the fraction `train` of the rows of
// every class. Because the number of rows of a class must be whole, it may differ from this fraction by
// about one row. SplitStratified returns the same errors as Split.
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
		return nil, nil, fmt.Errorf("datasets: %s: a training share of %v of %d rows leaves one part empty: choose a share between 0 and 1 that gives at least one row to each part, such as 0.7", name, train, n)
	}
	p := d.randomOrder(seed, splitStream, stratified)
	if stratified {
		for i := range k { // Move k evenly spaced rows to the front. These rows become the training part.
			j := (2*i + 1) * n / (2 * k)
			p[i], p[j] = p[j], p[i]
		}
	}
	slices.Sort(p[:k])
	slices.Sort(p[k:])
	return d.takeRows(p[:k]), d.takeRows(p[k:]), nil
}

// FlipLabels returns a copy of the data with random label errors, as in the model of mislabelled
// data in PRML (4.117). Each label changes with probability epsilon, independently of the others. A
// changed label becomes one of the other classes, all equally likely. Errors: an epsilon outside
// [0, 1], a data set with a single class, and the errors of Check.
//
// Equations: PRML (4.117).
func (d *Dataset) FlipLabels(epsilon float64, seed uint64) (*Dataset, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if !(epsilon >= 0 && epsilon <= 1) {
		return nil, fmt.Errorf("datasets: FlipLabels: epsilon is %v: want a probability between 0 and 1", epsilon)
	}
	if d.K() < 2 {
		return nil, errors.New("datasets: FlipLabels: there is a single class: flipping needs at least two")
	}
	rng := rand.New(rand.NewPCG(seed, flipStream))
	e := d.takeRows(ascending(d.N()))
	for i, l := range e.Labels {
		// Draw the same random numbers for each row, whatever epsilon is. Every label that a small
		// epsilon flips is then also flipped by a larger epsilon.
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

// Scale is the map x ↦ (x − Mean)/Std of Standardize, with one mean and one standard deviation per
// column. Call Apply for new inputs, so that they are transformed like the training data.
type Scale struct {
	Mean, Std []float64
}

// Standardize returns the data set with every column shifted to mean 0 and scaled to standard
// deviation 1. The variance is the sum of squared deviations divided by N (maximum likelihood).
// Standardize also returns the Scale, which transforms new inputs in the same way. A constant column
// is an error because it cannot be scaled. A column whose standard deviation overflows or underflows
// is also an error.
func (d *Dataset) Standardize() (*Dataset, Scale, error) {
	if err := d.Check(); err != nil {
		return nil, Scale{}, err
	}
	s := Scale{make([]float64, d.D()), make([]float64, d.D())}
	col := make([]float64, d.N())
	for j, name := range d.FeatureNames {
		mat.Col(col, j, d.X)
		if slices.Min(col) == slices.Max(col) {
			return nil, Scale{}, fmt.Errorf("datasets: Standardize: column %q is constant (%v in all %d rows) and has no scale: leave it out with Columns", name, col[0], d.N())
		}
		s.Mean[j], s.Std[j] = moments(col)
		if s.Std[j] == 0 || math.IsInf(s.Std[j], 0) {
			return nil, Scale{}, fmt.Errorf("datasets: Standardize: the spread of column %q (%v) cannot be represented: choose another unit", name, s.Std[j])
		}
	}
	e := d.takeRows(ascending(d.N()))
	var err error
	e.X, err = s.Apply(d.X)
	return e, s, err
}

// moments returns the mean and the standard deviation of v. The variance has the divisor N. moments
// divides all numbers by a power of two, the smallest that exceeds all numbers in absolute value, so
// that no sum overflows. It divides the deviations from the mean by the largest deviation, so that the
// largest square does not underflow.
func moments(v []float64) (mean, std float64) {
	big := math.Max(math.Abs(slices.Max(v)), math.Abs(slices.Min(v)))
	_, e := math.Frexp(big)
	n := float64(len(v))
	for _, a := range v {
		mean += math.Ldexp(a, -e) / n
	}
	if slices.Min(v) == slices.Max(v) {
		return v[0], 0
	}
	var far float64 // the largest absolute deviation from the mean
	for _, a := range v {
		far = math.Max(far, math.Abs(math.Ldexp(a, -e)-mean))
	}
	var s, r float64
	for _, a := range v {
		u := (math.Ldexp(a, -e) - mean) / far
		s += u * u
		r += u
	}
	// Correct for the rounding error of the mean. Only the square of this error then affects the
	// result.
	std = far * math.Sqrt((s-r*r/n)/n)
	return math.Ldexp(mean+far*r/n, e), math.Ldexp(std, e)
}

// Apply returns (x − Mean)/Std, column by column, for an N×D matrix x. Errors: an x that is nil or has
// no rows, and an x with more or fewer columns than the Scale.
func (s Scale) Apply(x mat.Matrix) (*mat.Dense, error) {
	return s.each(x, func(v float64, j int) float64 { return (v - s.Mean[j]) / s.Std[j] })
}

// Invert returns x·Std + Mean, the inverse of Apply. It returns the same errors as Apply.
func (s Scale) Invert(x mat.Matrix) (*mat.Dense, error) {
	return s.each(x, func(v float64, j int) float64 { return v*s.Std[j] + s.Mean[j] })
}

func (s Scale) each(x mat.Matrix, f func(v float64, j int) float64) (*mat.Dense, error) {
	if check.Nil(x) {
		return nil, errors.New("datasets: Scale: x is nil")
	}
	n, d := x.Dims()
	if d != len(s.Mean) || d != len(s.Std) || n == 0 || d == 0 {
		return nil, fmt.Errorf("datasets: Scale: x is %d×%d, Scale.Mean has %d numbers and Scale.Std has %d: want at least one row, and as many columns as Mean and Std have numbers", n, d, len(s.Mean), len(s.Std))
	}
	out := mat.NewDense(n, d, nil)
	out.Apply(func(_, j int, v float64) float64 { return f(v, j) }, x)
	return out, nil
}
