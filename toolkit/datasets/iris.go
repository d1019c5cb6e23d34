package datasets

// irisSource is the provenance, as far as it is known.
const irisSource = `Iris: four measurements in cm of 150 flowers of three species of iris.
Published by R. A. Fisher, "The use of multiple measurements in taxonomic problems", Annals of Eugenics 7 (1936);
measured by E. Anderson (1935). UCI Machine Learning Repository, doi 10.24432/C56C76, there under CC BY 4.0;
the copy that scikit-learn ships (BSD-3-Clause), with two rows corrected after Fisher's paper.`

// Iris returns Fisher's iris data: 150 rows, 50 of each class setosa,
// versicolor and virginica; features sepal_length, sepal_width, petal_length and
// petal_width in cm. Setosa is linearly separable from the others; versicolor
// and virginica overlap. Each call returns a new Dataset.
func Iris() *Dataset {
	return embedded("iris.csv", CSVOptions{Name: "Iris", Source: irisSource})
}
