package toolkit

// Must returns v if err is nil. Otherwise it panics with err. Use Must in notebook cells:
//
//	iris := toolkit.Must(datasets.ReadCSVFile("iris.csv", datasets.CSVOptions{}))
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
