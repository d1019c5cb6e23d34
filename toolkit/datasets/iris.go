package datasets

import (
	"bytes"
	_ "embed"
)

//go:embed data/iris.csv
var irisCSV []byte

// irisSource is the provenance, as far as it is known.
const irisSource = `Iris: four measurements in cm of 150 flowers of three species of iris.
Published by R. A. Fisher, "The use of multiple measurements in taxonomic problems", Annals of Eugenics 7 (1936);
measured by E. Anderson (1935). The copy of the UCI repository as shipped with scikit-learn (BSD-3-Clause);
no separate licence of the data is stated.`

// Iris returns Fisher's iris data: 150 rows, 50 of each class setosa,
// versicolor and virginica; features sepal_length, sepal_width, petal_length and
// petal_width in cm. Setosa is linearly separable from the others; versicolor
// and virginica overlap. Each call returns a new Dataset.
func Iris() *Dataset {
	return Must(ReadCSV(bytes.NewReader(irisCSV), CSVOptions{Name: "Iris", Source: irisSource}))
}
