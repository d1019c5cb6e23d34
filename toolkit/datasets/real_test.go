package datasets

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestRealSets compares the means of the first columns with the sources, with all digits that a
// source gives. The sources are the UCI repository for iris, scikit-learn's description for wine,
// and summary() in R for the data sets of MASS. TestSameBytes checks the rows and all names.
func TestRealSets(t *testing.T) {
	for _, c := range []struct {
		d      *Dataset
		source string // words in the field Source, separated by |
		means  []float64
		tol    float64
	}{
		{Iris(), "Fisher|CC BY 4.0", []float64{5.843333, 3.057333, 3.758, 1.199333}, 1e-6},
		{Wine(), "Forina|CC BY 4.0|doi 10.24432/C5PC7J", []float64{13.0, 2.34, 2.36, 19.5, 99.7, 2.29, 2.03}, 0.05},
		{Crabs(), "Campbell|MASS", []float64{15.58, 12.74, 32.11, 36.41, 14.03}, 0.005},
		{Cats(), "Fisher|MASS", []float64{2.724, 10.63}, 0.005},
		{BirthWeights(), "Hosmer|MASS", []float64{23.24, 129.8, 26. / 189, 67. / 189}, 0.05},
		{Ripley(), "Ripley|synth.tr", nil, 0},
		{Shuttle(), "Michie|MASS", nil, 0},
	} {
		wantMention(t, errors.New(c.d.Source), strings.Split(c.source, "|")...)
		for j, want := range c.means {
			if got := mat.Sum(c.d.X.ColView(j)) / float64(c.d.N()); math.Abs(got-want) > c.tol {
				t.Errorf("the mean of %s is %v, want %v", c.d.FeatureNames[j], got, want)
			}
		}
	}
}

func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range All() {
		if seen[e.Name] || e.About == "" {
			t.Errorf("the name %s occurs twice, or its description is empty: %q", e.Name, e.About)
		}
		seen[e.Name] = true
		d := must(e.Load())(t)
		if err := d.Check(); err != nil || d.Source == "" || strings.HasPrefix(d.Source, "synthetic") != e.Synthetic {
			t.Errorf("%s: Check returns %v, Synthetic is %v and the source is %q; want no error, and a source that matches Synthetic", e.Name, err, e.Synthetic, d.Source)
		}
		before := hash(t, d)
		d.X.Zero()
		d.ClassNames[0] = "changed"
		if again := must(e.Load())(t); hash(t, again) != before {
			t.Errorf("%s: the results of two calls of Load share memory", e.Name)
		}
	}
	wantMention(t, errorOf(Entry{Name: "mine"}.Load()), `"mine"`, "All")
}
