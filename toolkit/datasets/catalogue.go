package datasets

import (
	"fmt"
	"strings"
	"unicode"
)

// Entry is a line of the catalogue.
type Entry struct {
	Name      string // what ByName finds
	About     string // one line
	Synthetic bool   // drawn by a generator with its default options
	make      func() (*Dataset, error)
}

// Load returns a new copy of the data set. An entry that is not one of All is an
// error.
func (e Entry) Load() (*Dataset, error) {
	if e.make == nil {
		return nil, fmt.Errorf("datasets: the entry %q is not one of All", e.Name)
	}
	return e.make()
}

// All returns the catalogue: the embedded real sets, then the synthetic ones
// that the figures are drawn from, as their generators give them by default.
func All() []Entry {
	fixed := func(f func() *Dataset) func() (*Dataset, error) {
		return func() (*Dataset, error) { return f(), nil }
	}
	return []Entry{
		{"iris", "three species of iris, four measurements", false, fixed(Iris)},
		{"wine", "three cultivars, thirteen chemical measurements", false, fixed(Wine)},
		{"crabs", "two colours × two sexes of crab, five collinear measurements", false, fixed(Crabs)},
		{"cats", "sex by body and heart weight", false, fixed(Cats)},
		{"birth weights", "low birth weight by nine risk factors", false, fixed(BirthWeights)},
		{"ripley", "two classes, each a mixture of two Gaussians", false, fixed(Ripley)},
		{"shuttle", "automatic landing by six categorical factors", false, fixed(Shuttle)},

		{"two Gaussians", "two overlapping round clouds", true, func() (*Dataset, error) { return TwoGaussians(TwoGaussiansOptions{}) }},
		{"Gaussians", "three round clouds at the corners of a triangle", true, func() (*Dataset, error) { return Gaussians(GaussiansOptions{}) }},
		{"outliers", "two classes, one with points far out on its right side", true, func() (*Dataset, error) { _, with, err := Outliers(OutliersOptions{}); return with, err }},
		{"three in a row", "the middle one of three classes is masked by least squares", true, func() (*Dataset, error) { return ThreeInARow(SceneOptions{}) }},
		{"three Gaussians", "two classes share a covariance, the third has its own", true, func() (*Dataset, error) { return ThreeGaussians(SceneOptions{}) }},
		{"sandwich", "one class lies between two clouds of the other", true, func() (*Dataset, error) { return Sandwich(SceneOptions{}) }},
		{"XOR", "opposite corners of a square form a class", true, func() (*Dataset, error) { return XOR(SceneOptions{}) }},
		{"rings", "a disc and a ring around it", true, func() (*Dataset, error) { return Rings(RingsOptions{}) }},
		{"separable", "two classes on the two sides of a line, with a margin", true, func() (*Dataset, error) { return Separable(SeparableOptions{}) }},
		{"quasi-separable", "the same, and points of both classes on the line", true, func() (*Dataset, error) { return Separable(SeparableOptions{Touching: 3}) }},
		{"thresholds", "one input, on when it passes a random threshold", true, func() (*Dataset, error) { return Thresholds(ThresholdsOptions{}) }},
	}
}

// leftOut says why a set that people look for is not embedded.
var leftOut = map[string]string{
	"pima":    "the UCI repository withdrew it because of permission restrictions",
	"titanic": "it is part of R, and no licence of the data is stated",
	"mtcars":  "it is part of R, and no licence of the data is stated",
}

// ByName returns a new copy of the data set of that name; case, blanks and
// punctuation do not count. An unknown name is an error that lists the names and
// suggests the nearest.
func ByName(name string) (*Dataset, error) {
	want := plain(name)
	var names []string
	best, nearest := 3, "" // at most two letters wrong
	for _, e := range All() {
		if plain(e.Name) == want {
			return e.Load()
		}
		names = append(names, e.Name)
		if n := distance(plain(e.Name), want); n < best {
			best, nearest = n, e.Name
		}
	}
	for key, why := range leftOut {
		if strings.HasPrefix(want, key) {
			return nil, fmt.Errorf("datasets: %q is not embedded: %s; if you have a copy, read it with ReadCSVFile", name, why)
		}
	}
	hint := ""
	if nearest != "" && want != "" {
		hint = fmt.Sprintf(" (did you mean %q?)", nearest)
	}
	return nil, fmt.Errorf("datasets: there is no data set %q%s: choose one of %s", name, hint, quoted(names))
}

// plain keeps the letters and digits, in lower case.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// distance is the number of letters to insert, delete or change (Levenshtein).
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	if len(t) > 100 { // no name is that long
		return len(t)
	}
	row := make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range s {
		diagonal := row[0]
		row[0] = i + 1
		for j, c := range t {
			change := diagonal
			if r != c {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(t)]
}
