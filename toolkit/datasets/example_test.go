package datasets_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

func ExampleIris() {
	two := toolkit.Must(datasets.Iris().Class("versicolor", "virginica"))
	petals := toolkit.Must(two.Columns("petal_length", "petal_width"))
	t := toolkit.Must(petals.Target("versicolor"))
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
	d := toolkit.Must(datasets.TwoGaussians(datasets.TwoGaussiansOptions{N1: 2, N2: 1, Seed: 7}))
	if err := datasets.WriteCSV(os.Stdout, d); err != nil {
		fmt.Println(err)
	}
	// Output:
	// x1,x2,class
	// 0.816810549,-2.28507266,C1
	// -1.92504559,0.7752533,C1
	// -0.778649625,-0.0456410332,C2
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
	// standardise the test rows with the means and standard deviations of the training rows
	same := toolkit.Must(scale.Apply(test.X))
	n, d := same.Dims()
	fmt.Println(scaled.N(), n, d)
	// Output: 105 45 4
}

func ExampleDataset_Describe() {
	fmt.Print(toolkit.Must(datasets.XOR(datasets.SceneOptions{})).Describe())
	// Output:
	// XOR: 200 rows, 2 features, 2 classes
	//
	// class  rows  share
	// C1     100   50.0%
	// C2     100   50.0%
	//
	// feature  min     mean      max    std    different
	// x1       -2.018  -0.02375  1.909  1.043  200
	// x2       -1.833  0.0449    1.751  1.051  200
	//
	// synthetic: scene "XOR" with seed 0 (PCG, nine digits)
}

func ExampleGaussians() {
	d := toolkit.Must(datasets.Gaussians(datasets.GaussiansOptions{
		Means:   [][]float64{{0, 0}, {4, 0}, {0, 4}},
		N:       []int{2, 1, 1},
		Classes: []string{"near", "far", "far"}, // two clouds with the same class name form one class
	}))
	fmt.Println(d.ClassNames, d.Labels, d.Counts())
	// Output: [near far] [0 0 1 1] [2 2]
}

func ExampleNewEncoder() {
	file := `age,ward,smoker,outcome
61,north,yes,ill
35,south,no,well
48,west,no,well
`
	table := toolkit.Must(datasets.ReadTable(strings.NewReader(file), datasets.TableOptions{}))
	enc := toolkit.Must(datasets.NewEncoder(table, datasets.EncoderOptions{DropFirst: true}))
	d := toolkit.Must(enc.Encode(table))
	fmt.Println(d.FeatureNames)
	fmt.Println(d.X.RawRowView(0), d.ClassNames[d.Labels[0]])

	saved := toolkit.Must(json.Marshal(enc)) // for later use
	var again datasets.Encoder
	if err := json.Unmarshal(saved, &again); err != nil {
		fmt.Println(err)
	}
	fmt.Println(again.EncodeRow("52", "west", "yes"))
	_, err := again.EncodeRow("52", "wets", "yes")
	fmt.Println(err)
	// Output:
	// [age ward=south ward=west smoker=yes]
	// [61 0 0 1] ill
	// [52 0 1 1] <nil>
	// datasets: EncodeRow: row 0, column "ward": the level "wets" is not known: the levels are "north", "south", "west"
}

func ExampleEncoder_Indices() {
	table := datasets.ShuttleTable()
	enc := toolkit.Must(datasets.NewEncoder(table, datasets.EncoderOptions{Columns: []string{"error", "wind"}}))
	d := toolkit.Must(enc.Indices(table)) // naive Bayes needs the index of each row's level
	fmt.Println(enc.LevelCounts(), d.X.RawRowView(5), enc.Features[0].Levels)
	// Output: [4 2] [0 1] [LX MM SS XL]
}

func ExampleReadTable() {
	table := toolkit.Must(datasets.ReadTable(strings.NewReader("weight,colour,kind\n9,red,a\nNA,blue,b\n10.5,,b\n"),
		datasets.TableOptions{Name: "fruit"}))
	fmt.Print(table.Describe())
	// Output:
	// fruit: 3 rows, 3 columns
	//
	// column  kind         missing  different  values
	// weight  numeric      1        2          9 … 10.5
	// colour  categorical  1        2          blue, red
	// kind    class        0        2          a, b
}

func ExampleDataset_Relabel() {
	sexes := toolkit.Must(datasets.Crabs().Relabel(map[string]string{"BF": "F", "OF": "F", "BM": "M", "OM": "M"}))
	fmt.Println(sexes.ClassNames, sexes.Counts())
	// Output: [F M] [100 100]
}

func ExampleOpenCSVFile() {
	path := filepath.Join(toolkit.Must(os.MkdirTemp("", "rows")), "fruit.csv")
	defer os.RemoveAll(filepath.Dir(path))
	if err := os.WriteFile(path, []byte("weight,size,kind\n1.5,3,pear\n1.2,4,apple\n"), 0o600); err != nil {
		fmt.Println(err)
	}
	f := toolkit.Must(datasets.OpenCSVFile(path, datasets.CSVOptions{Label: "kind"}))
	fmt.Println(f.FeatureNames, f.ClassNames)
	rows := toolkit.Must(classify.NewRows(f.Each, classify.RowsOptions{Classes: f.K()}))
	fmt.Println(rows.N(), "rows of", rows.D(), "columns")
	// Output:
	// [weight size] [apple pear]
	// 2 rows of 2 columns
}

func ExampleCSVRows_Each() {
	path := filepath.Join(toolkit.Must(os.MkdirTemp("", "rows")), "fruit.csv")
	defer os.RemoveAll(filepath.Dir(path))
	if err := os.WriteFile(path, []byte("weight,kind\n1.5,pear\n1.2,apple\n"), 0o600); err != nil {
		fmt.Println(err)
	}
	f := toolkit.Must(datasets.OpenCSVFile(path, datasets.CSVOptions{}))
	for range 2 { // the file can be read any number of times
		if err := f.Each(func(x []float64, label float64) bool {
			fmt.Println(x,
				f.ClassNames[int(label)])
			return true
		}); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(f.D(), f.K())
	// Output:
	// [1.5] pear
	// [1.2] apple
	// [1.5] pear
	// [1.2] apple
	// 1 2
}
