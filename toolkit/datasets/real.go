package datasets

import (
	"bytes"
	"embed"
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// data/README.md states where the embedded files come from and how they may be used.
//
//go:embed data/*.csv
var files embed.FS

// massRights states how the data files of R's package MASS may be used. It is the end of the field
// Source of each data set from MASS.
const massRights = `
From the R package MASS (Venables and Ripley), which says of its data files: "Our understanding is that the dataset files
MASS/data/*.rda are not copyright."`

// embedded returns the data set in an embedded file. It panics if the file is invalid, which cannot
// happen because the tests read every file.
func embedded(file string, o CSVOptions) *Dataset {
	return toolkit.Must(ReadCSV(bytes.NewReader(toolkit.Must(files.ReadFile("data/"+file))), o))
}

func embeddedTable(file string, o TableOptions) *Table {
	return toolkit.Must(ReadTable(bytes.NewReader(toolkit.Must(files.ReadFile("data/"+file))), o))
}

// Iris returns Fisher's iris data: 150 rows, 50 of each of the classes setosa,
// versicolor and virginica; features sepal_length, sepal_width, petal_length and
// petal_width in cm. Setosa is linearly separable from the others; versicolor
// and virginica overlap. Each call returns a new Dataset.
func Iris() *Dataset {
	return embedded("iris.csv", CSVOptions{Name: "Iris", Source: `Iris: four measurements in cm of 150 flowers of three species of iris.
Published by R. A. Fisher, "The use of multiple measurements in taxonomic problems", Annals of Eugenics 7 (1936);
measured by E. Anderson (1935). UCI Machine Learning Repository, doi 10.24432/C56C76, licensed under CC BY 4.0;
the copy that scikit-learn ships (BSD-3-Clause), with two rows corrected after Fisher's paper.`})
}

// Wine returns chemical analyses of Italian wines: 178 rows, 13 measurements in units of very
// different size, and three cultivars, class_0, class_1 and class_2 (59, 71 and 48 rows). Call
// Standardize before you use gradient descent.
func Wine() *Dataset {
	return embedded("wine.csv", CSVOptions{Name: "Wine", Source: `Wine: chemical analysis of 178 wines of one region of Italy, from three cultivars.
S. Aeberhard and M. Forina (1992), "Wine", UCI Machine Learning Repository, doi 10.24432/C5PC7J, licensed under CC BY 4.0
(owners: M. Forina et al., PARVUS, Genoa). This is the copy of scikit-learn (BSD-3-Clause), which adds the names of columns and classes.`})
}

// Crabs returns five measurements in mm of 200 rock crabs: 50 in each of the classes BF, BM, OF and OM. The
// first letter of a class gives the colour (blue or orange), and the second letter gives the sex.
// The features (frontal lobe FL, rear width RW, carapace length CL and width CW, body depth BD) are
// nearly collinear, because all of them grow with the size of the crab. The size therefore hides
// the differences between the classes. Use Relabel to join classes so that only the sex or only the
// colour remains.
func Crabs() *Dataset {
	return embedded("crabs.csv", CSVOptions{Name: "Crabs", Classes: []string{"BF", "BM", "OF", "OM"}, Source: `Crabs: five measurements in mm of 200 rock crabs (Leptograpsus variegatus) of two colour forms and both sexes.
N. A. Campbell and R. J. Mahon, Australian Journal of Zoology 22 (1974).` + massRights})
}

// Cats returns body weight in kg (Bwt) and heart weight in g (Hwt) of 144 cats
// used for digitalis experiments: 47 of class F, 97 of class M.
func Cats() *Dataset {
	return embedded("cats.csv", CSVOptions{Name: "Cats", Classes: []string{"F", "M"}, Source: `Cats: body and heart weight of 144 adult cats, by sex.
R. A. Fisher, "The analysis of covariance method for the relation between a part and the whole", Biometrics 3 (1947).` + massRights})
}

// Ripley returns Ripley's artificial two-class problem: 250 points of the plane (xs, ys), 125 of
// each class c0 and c1; each class is a mixture of two Gaussians. No classifier can have an error
// rate below about 8 % on new points of this problem.
func Ripley() *Dataset {
	return embedded("ripley.csv", CSVOptions{Name: "Ripley", Classes: []string{"c0", "c1"}, Source: `Ripley: 250 artificial points, each class drawn from a mixture of two Gaussians (MASS: synth.tr).
B. D. Ripley, "Neural networks and related methods for classification", Journal of the Royal Statistical Society B 56 (1994).` + massRights})
}

const birthSource = `Birth weights: 189 births at Baystate Medical Center, Springfield, Massachusetts, in 1986.
D. W. Hosmer and S. Lemeshow, "Applied Logistic Regression" (1989); race in words, ptd = earlier premature labours > 0.` + massRights

// BirthWeightsTable returns the birth weight data as a Table, before any encoding. The column "low"
// contains the class, which is "yes" for a weight below 2.5 kg. The column "race" is categorical
// (white, black, other). The other columns are age in years, lwt (mother's weight in pounds),
// smoke, ptd (earlier premature labour), ht (hypertension), ui (uterine irritability) and ftv
// (visits to a physician).
func BirthWeightsTable() *Table {
	return embeddedTable("birthweights.csv", TableOptions{Name: "Birth weights", Source: birthSource})
}

// BirthWeights returns the risk factors for a low birth weight: 189 rows, 59 of class "yes" (below
// 2.5 kg) and 130 of class "no". The data set is the table of BirthWeightsTable after encoding:
// race is in 1-of-L form, without a column for the reference level white.
func BirthWeights() *Dataset {
	t := BirthWeightsTable()
	e := toolkit.Must(NewEncoder(t, EncoderOptions{
		Classes:   []string{"yes", "no"},
		Levels:    map[string][]string{"race": {"white", "black", "other"}},
		DropFirst: true,
	}))
	return toolkit.Must(e.Encode(t))
}

// ShuttleTable returns the landing rules of the space shuttle as a Table, before any encoding. It
// has six categorical columns called stability, error, sign, wind, magn and vis. The class column
// is called use and contains "auto" or "noauto".
func ShuttleTable() *Table {
	return embeddedTable("shuttle.csv", TableOptions{Name: "Shuttle", Source: `Shuttle: when to land the space shuttle by the automatic pilot, 253 situations (rows 1 to 253 of the data).
D. Michie, "Problems of computer-aided concept formation", in Applications of Expert Systems 2 (1989).` + massRights})
}

// Shuttle returns the table of ShuttleTable with every feature in 1-of-L form. It has 253 rows, 145
// of class auto and 108 of class noauto, and 16 columns of zeros and ones. The columns of one
// categorical feature sum to 1, so they are collinear with a bias.
func Shuttle() *Dataset {
	t := ShuttleTable()
	e := toolkit.Must(NewEncoder(t, EncoderOptions{Classes: []string{"auto", "noauto"}}))
	return toolkit.Must(e.Encode(t))
}

// Entry describes one data set of the catalogue that All returns.
type Entry struct {
	Name      string
	About     string // a description in one line
	Synthetic bool   // whether a generator draws the data
	make      func() (*Dataset, error)
}

// Load returns a new copy of the data set. It returns an error if the Entry does not come from All.
func (e Entry) Load() (*Dataset, error) {
	if e.make == nil {
		return nil, fmt.Errorf("datasets: the entry %q is not in the catalogue: use an Entry that All returns", e.Name)
	}
	return e.make()
}

// All returns the catalogue of data sets: first the embedded sets, then the synthetic sets. The
// synthetic sets have default options, except that the set "quasi-separable" has Touching: 3.
func All() []Entry {
	fixed := func(f func() *Dataset) func() (*Dataset, error) {
		return func() (*Dataset, error) { return f(), nil }
	}
	return []Entry{
		{"iris", "three species of iris, four measurements", false, fixed(Iris)},
		{"wine", "three cultivars, thirteen chemical measurements", false, fixed(Wine)},
		{"crabs", "two colours × two sexes of crab, five collinear measurements", false, fixed(Crabs)},
		{"cats", "sex by body and heart weight", false, fixed(Cats)},
		{"birth weights", "low birth weight by eight risk factors, in nine columns", false, fixed(BirthWeights)},
		{"ripley", "two classes, each a mixture of two Gaussians", false, fixed(Ripley)},
		{"shuttle", "automatic landing by six categorical factors", false, fixed(Shuttle)},

		{"two Gaussians", "two overlapping round clouds", true,
			func() (*Dataset, error) { return TwoGaussians(TwoGaussiansOptions{}) }},
		{"Gaussians", "three round clouds at the corners of a triangle", true,
			func() (*Dataset, error) { return Gaussians(GaussiansOptions{}) }},
		{"outliers", "two classes, one of them with points far on its correct side", true,
			func() (*Dataset, error) { _, with, err := Outliers(OutliersOptions{}); return with, err }},
		{"three in a row", "three classes in a row; least squares masks the middle class", true,
			func() (*Dataset, error) { return ThreeInARow(SceneOptions{}) }},
		{"three Gaussians", "three classes: two share a covariance, the third has a different one", true,
			func() (*Dataset, error) { return ThreeGaussians(SceneOptions{}) }},
		{"sandwich", "two classes: one lies between two clouds of the other", true,
			func() (*Dataset, error) { return Sandwich(SceneOptions{}) }},
		{"XOR", "two classes: opposite corners of a square belong to one class", true,
			func() (*Dataset, error) { return XOR(SceneOptions{}) }},
		{"rings", "two classes: a disc, and a ring around the disc", true, func() (*Dataset, error) { return Rings(RingsOptions{}) }},
		{"separable", "two classes on the two sides of a line, with a margin", true,
			func() (*Dataset, error) { return Separable(SeparableOptions{}) }},
		{"quasi-separable", "two classes on the two sides of a line, and points of both on the line", true,
			func() (*Dataset, error) { return Separable(SeparableOptions{Touching: 3}) }},
		{"thresholds", `one input; the class is "on" if the input passes a random threshold`, true,
			func() (*Dataset, error) { return Thresholds(ThresholdsOptions{}) }},
	}
}
