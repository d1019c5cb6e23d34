package datasets_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

func ExampleIris() {
	two := datasets.Must(datasets.Iris().Class("versicolor", "virginica"))
	petals := datasets.Must(two.Columns("petal_length", "petal_width"))
	t := datasets.Must(petals.Target("versicolor"))
	fmt.Println(petals.N(), petals.D(), petals.ClassNames, t[0], t[99])
	// Output: 100 2 [versicolor virginica] 1 0
}

func ExampleReadCSV() {
	file := "height,weight,sex\n1.71,64,f\n1.85,x,m\n"
	_, err := datasets.ReadCSV(strings.NewReader(file), datasets.CSVOptions{})
	fmt.Println(err)
	// Output: datasets: line 3, column 2 (weight): "x" is not a number (numbers look like -1.5 or 2e-3)
}

func ExampleTwoGaussians() {
	d := datasets.Must(datasets.TwoGaussians(datasets.TwoGaussiansOptions{N1: 2, N2: 1, Seed: 7}))
	if err := datasets.WriteCSV(os.Stdout, d); err != nil {
		fmt.Println(err)
	}
	// Output:
	// x1,x2,class
	// 0.816810549,-2.28507266,C1
	// -1.92504559,0.7752533,C1
	// -0.778649625,-0.0456410332,C2
}

func ExampleOutliers() {
	clean, with, err := datasets.Outliers(datasets.OutliersOptions{})
	fmt.Println(clean.N(), with.N(), err)
	// Output: 100 108 <nil>
}

func ExampleDataset_Standardize() {
	train, test, err := datasets.Iris().Split(0.7, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	scaled, scale, err := train.Standardize()
	if err != nil {
		fmt.Println(err)
		return
	}
	same := datasets.Must(scale.Apply(test.X)) // the test rows with the training rows' scale
	n, d := same.Dims()
	fmt.Println(scaled.N(), n, d)
	// Output: 105 45 4
}
