package datasets

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// CSVOptions say how to read a CSV file. The zero value reads a comma separated
// file with a header row whose last column is the class.
type CSVOptions struct {
	// Label is the name of the column with the class; "" is the last column.
	Label string
	// Classes fixes the order of the classes (index 0 is C₁) and allows no
	// others; nil sorts their names, by size if all are numbers: the order of the
	// rows never decides which class is C₁.
	Classes []string
	// Comma separates the fields; 0 is ','.
	Comma rune
	// NoHeader says that the first line is data. The columns are then called
	// x1, x2, … and the last one is the class.
	NoHeader bool
	// SkipMissing leaves out rows with a missing value (empty, "NA", "N/A",
	// "NaN", "null", "?"); without it a missing value is an error.
	SkipMissing bool
	// Name and Source describe the data set; Name "" is "CSV" or the file's name.
	Name, Source string
}

// ReadCSVFile reads the named CSV file (see ReadCSV). Errors: those of ReadCSV, and
// a file that cannot be opened.
func ReadCSVFile(path string, o CSVOptions) (*Dataset, error) {
	return fromFile(path, &o.Name, func(r io.Reader) (*Dataset, error) { return ReadCSV(r, o) })
}

// ReadCSV reads a data set: one row per line, all columns finite numbers but
// the class. A byte order mark, CRLF line ends, empty lines, quoted fields and
// blanks around fields without quotes are accepted. Everything else (a value that is missing
// or no number, a line of another length, a repeated name in the header, an
// unknown class, no rows) is an error that names line and column, counted from 1.
// For files with columns of words see ReadTable.
func ReadCSV(r io.Reader, o CSVOptions) (*Dataset, error) {
	if err := unique("class", o.Classes); err != nil {
		return nil, fmt.Errorf("datasets: CSVOptions.Classes: %s", bare(err))
	}
	if o.Name == "" {
		o.Name = "CSV"
	}
	d := &Dataset{Name: o.Name, Source: o.Source, ClassNames: slices.Clone(o.Classes)}
	classes, skipped := numbered(o.Classes), 0
	var values []float64
	s := &scanner{options: "CSVOptions", labelled: o.Label, noHeader: o.NoHeader, comma: o.Comma}
	row := func(fields []string) error {
		if o.SkipMissing && slices.ContainsFunc(fields, missing) {
			skipped++
			return nil
		}
		for i, f := range fields {
			if missing(f) {
				return fmt.Errorf("%s: the value %q is missing: fill it in, or set CSVOptions.SkipMissing", s.place(s.line(i), i), f)
			}
			if i == s.label {
				k, ok := classes[f]
				if !ok && o.Classes != nil {
					return fmt.Errorf("%s: class %q is none of CSVOptions.Classes (%s)", s.place(s.line(i), i), f, quoted(o.Classes))
				}
				if !ok {
					k, f = len(d.ClassNames), strings.Clone(f)
					classes[f] = k
					d.ClassNames = append(d.ClassNames, f)
				}
				d.Labels = append(d.Labels, k)
				continue
			}
			v, err := finite(f)
			if err != nil {
				return fmt.Errorf("%s: %w", s.place(s.line(i), i), err)
			}
			values = append(values, v)
		}
		return nil
	}
	begin := func() error {
		if len(s.names) < 2 {
			return fmt.Errorf("line %d has 1 column: needed are at least one feature and the class (is the separator %q? set CSVOptions.Comma)", s.first, s.csv.Comma)
		}
		return nil
	}
	if err := s.scan(r, begin, row); err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	if len(d.Labels) == 0 {
		return nil, fmt.Errorf("datasets: all %d rows have a missing value: nothing is left", skipped)
	}
	if o.Classes == nil {
		seen := d.ClassNames
		d.ClassNames = Column{Values: seen}.Levels()
		index := numbered(d.ClassNames)
		for i, l := range d.Labels {
			d.Labels[i] = index[seen[l]]
		}
	}
	d.FeatureNames = slices.Delete(s.names, s.label, s.label+1)
	d.X = mat.NewDense(len(d.Labels), len(d.FeatureNames), values)
	return d, d.Check()
}
