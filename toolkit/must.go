package toolkit

// Must returns v, and panics if err is not nil: for notebook cells.
//
//	left := toolkit.Must(show.Regions(m, d, show.RegionsOptions{}))
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
