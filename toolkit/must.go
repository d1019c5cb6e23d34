package toolkit

// Must returns v and panics if err is not nil. Use Must in notebook cells:
//
//	iris := toolkit.Must(datasets.ReadCSVFile("iris.csv", datasets.CSVOptions{}))
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
