package datasets

import "fmt"

// Entry describes one data set of the catalogue.
type Entry struct {
	Name      string
	About     string // a description in one line
	Synthetic bool   // drawn by a generator
	make      func() (*Dataset, error)
}

// Load returns a new copy of the data set. It returns an error for an Entry that All did not
// return.
func (e Entry) Load() (*Dataset, error) {
	if e.make == nil {
		return nil, fmt.Errorf("datasets: the entry %q is not in the catalogue: use an Entry that All returns", e.Name)
	}
	return e.make()
}

// All returns the catalogue: the embedded real sets, then the synthetic sets that the figures draw.
// The generators use default options, except that quasi-separable has Touching: 3.
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

		{"two Gaussians", "two overlapping round clouds", true,
			func() (*Dataset, error) { return TwoGaussians(TwoGaussiansOptions{}) }},
		{"Gaussians", "three round clouds at the corners of a triangle", true,
			func() (*Dataset, error) { return Gaussians(GaussiansOptions{}) }},
		{"outliers", "two classes, one with points far out on its right side", true,
			func() (*Dataset, error) { _, with, err := Outliers(OutliersOptions{}); return with, err }},
		{"three in a row", "least squares masks the middle one of three classes", true,
			func() (*Dataset, error) { return ThreeInARow(SceneOptions{}) }},
		{"three Gaussians", "two classes share a covariance, the third has its own", true,
			func() (*Dataset, error) { return ThreeGaussians(SceneOptions{}) }},
		{"sandwich", "one class lies between two clouds of the other", true,
			func() (*Dataset, error) { return Sandwich(SceneOptions{}) }},
		{"XOR", "opposite corners of a square form a class", true,
			func() (*Dataset, error) { return XOR(SceneOptions{}) }},
		{"rings", "a disc and a ring around it", true, func() (*Dataset, error) { return Rings(RingsOptions{}) }},
		{"separable", "two classes on the two sides of a line, with a margin", true,
			func() (*Dataset, error) { return Separable(SeparableOptions{}) }},
		{"quasi-separable", "two classes on the two sides of a line, and points of both on the line", true,
			func() (*Dataset, error) { return Separable(SeparableOptions{Touching: 3}) }},
		{"thresholds", "one input; the class is on if the input passes a random threshold", true,
			func() (*Dataset, error) { return Thresholds(ThresholdsOptions{}) }},
	}
}
