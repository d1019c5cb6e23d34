package datasets

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// CSVRows are the rows of a CSV file that is read again at every pass and need not fit
// into memory. For the fits of package classify:
//
//	f, err := datasets.OpenCSVFile("events.csv", datasets.CSVOptions{Label: "kind"})
//	rows, err := classify.NewRows(f.Each, classify.RowsOptions{Classes: f.K()})
type CSVRows struct {
	FeatureNames []string // D, the columns of the rows
	ClassNames   []string // K, named by the labels
	path         string
	o            CSVOptions
	index        map[string]int
}

// OpenCSVFile returns the rows of the named CSV file, the form of which is that of
// ReadCSV. Without CSVOptions.Classes one pass over the file finds the classes. Errors:
// those of ReadCSVFile; with CSVOptions.Classes only the first row is looked at.
func OpenCSVFile(path string, o CSVOptions) (*CSVRows, error) {
	f := &CSVRows{path: path, o: o, ClassNames: slices.Clone(o.Classes)}
	var classes classList
	err := f.scan(func(_ []float64, class string) bool {
		classes.add(class)
		return o.Classes == nil
	})
	if err != nil {
		return nil, err
	}
	if o.Classes == nil {
		f.ClassNames = classes.sorted()
	}
	f.index = numbered(f.ClassNames)
	f.o.Classes = f.ClassNames // a class that comes later is an error
	return f, nil
}

// D returns the number of features.
func (f *CSVRows) D() int { return len(f.FeatureNames) }

// K returns the number of classes.
func (f *CSVRows) K() int { return len(f.ClassNames) }

// Each reads the file from the beginning and calls yield with the numbers of each row
// and the label 0…K−1 of its class, until yield returns false. The slice is used again
// for the next row. Errors: those of OpenCSVFile, with line and column, and a nil yield.
func (f *CSVRows) Each(yield func(x []float64, label float64) bool) error {
	if f == nil || yield == nil {
		return errors.New("datasets: Each: the file or yield is nil: open a file with OpenCSVFile, and give a function")
	}
	return f.scan(func(x []float64, class string) bool { return yield(x, float64(f.index[class])) })
}

// scan reads the file and the names of its features.
func (f *CSVRows) scan(row func(x []float64, class string) bool) error {
	in, err := os.Open(f.path)
	if err != nil {
		return fmt.Errorf("datasets: %w", err)
	}
	defer in.Close()
	s, err := f.o.scan(io.Reader(in), row)
	if err != nil {
		return fmt.Errorf("datasets: %w (in %s)", err, f.path)
	}
	if f.FeatureNames == nil {
		f.FeatureNames = s.features()
	}
	return nil
}
