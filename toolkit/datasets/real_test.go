package datasets

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestRealSets(t *testing.T) {
	for _, c := range []struct {
		d        *Dataset
		counts   []int
		classes  string
		features string
		source   []string
		// means contains the means of the first columns, with all digits that the source gives. The
		// sources are the UCI repository for iris, scikit-learn's description for wine, and
		// summary() in R for the data sets of MASS.
		means []float64
		tol   float64
	}{
		{Iris(), []int{50, 50, 50}, "setosa versicolor virginica", "sepal_length sepal_width petal_length petal_width",
			[]string{"Fisher", "CC BY 4.0"}, []float64{5.843333, 3.057333, 3.758, 1.199333}, 1e-6},
		{Wine(), []int{59, 71, 48}, "class_0 class_1 class_2",
			"alcohol malic_acid ash alcalinity_of_ash magnesium total_phenols flavanoids nonflavanoid_phenols proanthocyanins color_intensity hue od280_od315_of_diluted_wines proline",
			[]string{"Forina", "CC BY 4.0", "doi 10.24432/C5PC7J"}, []float64{13.0, 2.34, 2.36, 19.5, 99.7, 2.29, 2.03},
			0.05},
		{Crabs(), []int{50, 50, 50, 50}, "BF BM OF OM", "FL RW CL CW BD", []string{"Campbell", "MASS"},
			[]float64{15.58, 12.74, 32.11, 36.41, 14.03}, 0.005},
		{Cats(), []int{47, 97}, "F M", "Bwt Hwt", []string{"Fisher", "MASS"}, []float64{2.724, 10.63}, 0.005},
		{BirthWeights(), []int{59, 130}, "yes no", "age lwt race=black race=other smoke ptd ht ui ftv",
			[]string{"Hosmer", "MASS"}, []float64{23.24, 129.8, 26. / 189, 67. / 189}, 0.05},
		{Ripley(), []int{125, 125}, "c0 c1", "xs ys", []string{"Ripley", "synth.tr"}, nil, 0},
		{Shuttle(), []int{145, 108}, "auto noauto",
			"stability=stab stability=xstab error=LX error=MM error=SS error=XL sign=nn sign=pp wind=head wind=tail magn=Light magn=Medium magn=Out magn=Strong vis=no vis=yes",
			[]string{"Michie", "MASS"}, nil, 0},
	} {
		t.Run(c.d.Name, func(t *testing.T) {
			if err := c.d.Check(); err != nil {
				t.Fatal(err)
			}
			if got := c.d.Counts(); !slices.Equal(got, c.counts) {
				t.Errorf("got %v rows per class, want %v", got, c.counts)
			}
			if got := strings.Join(c.d.ClassNames, " "); got != c.classes {
				t.Errorf("classes %s", got)
			}
			if got := strings.Join(c.d.FeatureNames, " "); got != c.features {
				t.Errorf("features %s", got)
			}
			for _, w := range c.source {
				if !strings.Contains(c.d.Source, w) {
					t.Errorf("the source does not mention %q: %s", w, c.d.Source)
				}
			}
			for j, want := range c.means {
				if got := mat.Sum(c.d.X.ColView(j)) / float64(c.d.N()); math.Abs(got-want) > c.tol {
					t.Errorf("the mean of %s is %v, want %v", c.d.FeatureNames[j], got, want)
				}
			}
		})
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
