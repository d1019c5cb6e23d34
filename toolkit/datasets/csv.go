package datasets

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// CSVOptions specify how to read a CSV file. The zero value reads a comma-separated file with a
// header row; the last column contains the class.
type CSVOptions struct {
	// Label is the name of the column with the class; "" means the last column.
	Label string
	// Classes fixes the order of the classes (index 0 is C₁). A class that is not in Classes is
	// then an error. If Classes is nil, the class names are sorted: by value if all of them are
	// numbers, otherwise as text. The order of the rows does not affect the order of the classes.
	Classes []string
	// Comma is the character between two fields; 0 means ','.
	Comma rune
	// NoHeader means that the first line contains data instead of column names. The feature columns
	// are then called x1, x2, …, and the last column is the class.
	NoHeader bool
	// SkipMissing leaves out rows with a missing value (empty, "NA", "N/A", "NaN", "null", "?", in
	// capital or small letters). Without SkipMissing a missing value is an error.
	SkipMissing bool
	// Name and Source describe the data set. If Name is empty, the data set has the name of its
	// file, or the name "CSV" if the rows are not read from a file.
	Name, Source string
}

// ReadCSVFile reads the named CSV file (see ReadCSV). It returns the same errors as ReadCSV, and an
// error if the file cannot be opened.
func ReadCSVFile(path string, o CSVOptions) (*Dataset, error) {
	return readFile(path, &o.Name, func(r io.Reader) (*Dataset, error) { return ReadCSV(r, o) })
}

// ReadCSV reads a data set in CSV form. Each line contains one row, with a finite number in every
// column except the class column. ReadCSV accepts a byte order mark, CRLF line ends, empty lines,
// quoted fields, and blanks around unquoted fields. Errors: a missing value, a field that is not a
// number, a line with too few or too many fields, a repeated name in the header, an unknown class,
// no rows. An error in a line states the line and, if possible, the column, both counted from 1. Use
// ReadTable for a file in which some features are words.
func ReadCSV(r io.Reader, o CSVOptions) (*Dataset, error) { return prefixError(o.read(r)) }

func (o CSVOptions) read(r io.Reader) (*Dataset, error) {
	d := &Dataset{Name: cmp.Or(o.Name, "CSV"), Source: o.Source, ClassNames: slices.Clone(o.Classes)}
	var classes classList
	var values []float64
	s, err := o.scan(r, func(x []float64, class string) bool {
		values = append(values, x...)
		d.Labels = append(d.Labels, classes.add(class))
		return true
	})
	if err != nil {
		return nil, err
	}
	if o.Classes == nil {
		d.ClassNames = classes.sorted()
	}
	index := indexByName(d.ClassNames)
	for i, k := range d.Labels {
		d.Labels[i] = index[classes.names[k]]
	}
	d.FeatureNames = s.features()
	d.X = mat.NewDense(len(d.Labels), len(d.FeatureNames), values)
	return d, nil
}

// scan calls the function `row` with the numbers x and the class of each row, until the function
// returns false. Both arguments are valid only until the next call.
func (o CSVOptions) scan(r io.Reader, row func(x []float64, class string) bool) (*scanner, error) {
	if err := checkNames("class", o.Classes); err != nil {
		return nil, fmt.Errorf("CSVOptions.Classes: %s", trimPrefix(err))
	}
	s := &scanner{options: "CSVOptions", labelled: o.Label, noHeader: o.NoHeader, comma: o.Comma}
	if err := s.open(r); err != nil {
		return nil, err
	}
	if len(s.names) < 2 {
		return nil, fmt.Errorf("line %d has 1 column: want at least one feature and the class (the separator is %q; to change it, set CSVOptions.Comma)", s.first, s.csv.Comma)
	}
	skipped, kept := 0, 0
	x := make([]float64, 0, len(s.names)-1)
	for fields, err := range s.rows() {
		if err != nil {
			return nil, err
		}
		if o.SkipMissing && slices.ContainsFunc(fields, isMissing) {
			skipped++
			continue
		}
		if x, err = o.numbers(s, fields, x[:0]); err != nil {
			return nil, err
		}
		kept++
		if !row(x, fields[s.label]) {
			return s, nil
		}
	}
	if kept == 0 {
		return nil, fmt.Errorf("all %d rows have a missing value: no row is left; fill in values, or remove columns from the file", skipped)
	}
	return s, nil
}

// numbers appends the numbers of a row to x, and checks the class of the row.
func (o CSVOptions) numbers(s *scanner, fields []string, x []float64) ([]float64, error) {
	for i, f := range fields {
		place := func() string { return s.place(s.line(i), i) }
		switch {
		case isMissing(f):
			return nil, fmt.Errorf("%s: the value is missing (the field is %q): fill it in, or set CSVOptions.SkipMissing", place(), f)
		case i != s.label:
			v, err := parseFinite(f)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", place(), err)
			}
			x = append(x, v)
		case o.Classes != nil && !slices.Contains(o.Classes, f):
			return nil, fmt.Errorf("%s: class %q is not in CSVOptions.Classes (%s)", place(), f, quoted(o.Classes))
		}
	}
	return x, nil
}

// classList lists class names in the order in which they were first added.
type classList struct {
	names []string
	index map[string]int
}

// add returns the index of the class with this name. It appends the name if the list does not
// contain it.
func (c *classList) add(name string) int {
	k, ok := c.index[name]
	if !ok {
		if c.index == nil {
			c.index = map[string]int{}
		}
		k, name = len(c.names), strings.Clone(name)
		c.index[name] = k
		c.names = append(c.names, name)
	}
	return k
}

// sorted returns the names in sorted order: by value if all of them are numbers, otherwise as text.
func (c *classList) sorted() []string { return Column{Values: c.names}.Levels() }

// WriteCSV writes d in the form that ReadCSV reads: a header, then one line per row. The last
// column contains the class. This column is called "class", or "class_2", … if a feature has that
// name. Every number is written with enough digits to restore its exact value. WriteCSV returns an
// error if Check fails, if w is nil, or if writing fails. It also returns an error for the name of a
// class that ReadCSV would change or take for a missing value, such as " a" or "NA".
func WriteCSV(w io.Writer, d *Dataset) error {
	if check.Nil(w) {
		return errors.New("datasets: WriteCSV: the writer is nil: give an open file or a bytes.Buffer, or use WriteCSVFile")
	}
	if err := d.Check(); err != nil {
		return err
	}
	for _, name := range d.ClassNames {
		if isMissing(name) || strings.TrimSpace(name) != name {
			return fmt.Errorf("datasets: WriteCSV: the class %q cannot be read back: rename it with Relabel", name)
		}
	}
	label := "class"
	for i := 2; slices.Contains(d.FeatureNames, label); i++ {
		label = "class_" + strconv.Itoa(i)
	}
	out := csv.NewWriter(w)
	record := append(slices.Clone(d.FeatureNames), label)
	_ = out.Write(record) // the Writer keeps the first error, and out.Error returns it below
	for i, l := range d.Labels {
		for j, v := range d.X.RawRowView(i) {
			record[j] = strconv.FormatFloat(v, 'g', -1, 64)
		}
		record[d.D()] = d.ClassNames[l]
		_ = out.Write(record)
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("datasets: WriteCSV: %w", err)
	}
	return nil
}

// WriteCSVFile writes d to the named file, either completely or not at all. If WriteCSVFile is
// interrupted, an existing file stays unchanged. WriteCSVFile returns the same errors as WriteCSV, and
// an error if the file cannot be written.
func WriteCSVFile(path string, d *Dataset) error {
	var buf bytes.Buffer
	if err := WriteCSV(&buf, d); err != nil {
		return err
	}
	if err := toolkit.WriteFile(path, buf.Bytes()); err != nil {
		return fmt.Errorf("datasets: WriteCSVFile: %w", err)
	}
	return nil
}

// CSVRows are the rows of a CSV file. Every pass reads the file again, so the file need not fit
// into memory. To fit a model of package classify to the rows, pass the method Each to NewRows:
//
//	f, err := datasets.OpenCSVFile("events.csv", datasets.CSVOptions{Label: "kind"})
//	rows, err := classify.NewRows(f.Each, classify.RowsOptions{Classes: f.K()})
type CSVRows struct {
	FeatureNames []string // names of the D features, in the order of the numbers that Each passes to yield
	ClassNames   []string // names of the K classes, indexed by class number
	path         string
	o            CSVOptions
	index        map[string]int
}

// OpenCSVFile returns the rows of the named CSV file, which has the form described at ReadCSV.
// Without CSVOptions.Classes it reads the whole file to find the classes. With CSVOptions.Classes
// it checks only the first row. It returns the same errors as ReadCSVFile.
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
	f.index = indexByName(f.ClassNames)
	f.o.Classes = f.ClassNames // from now on, a class that did not occur in the first pass is an error
	return f, nil
}

// D returns the number of features.
func (f *CSVRows) D() int { return len(f.FeatureNames) }

// K returns the number of classes.
func (f *CSVRows) K() int { return len(f.ClassNames) }

// Each reads the file from the beginning. It calls yield with the numbers x of each row and the
// label of its class, 0…K−1, until yield returns false. Each reuses the slice x for the next row.
// It returns the same errors as OpenCSVFile, with line and column, and an error for a nil yield.
func (f *CSVRows) Each(yield func(x []float64, label float64) bool) error {
	if f == nil || yield == nil {
		return errors.New("datasets: Each: the file or yield is nil: open a file with OpenCSVFile, and pass a function")
	}
	return f.scan(func(x []float64, class string) bool { return yield(x, float64(f.index[class])) })
}

// scan reads the file and calls the function `row` for each row, until the function returns false. If
// FeatureNames is nil and no error occurs, scan also sets FeatureNames.
func (f *CSVRows) scan(row func(x []float64, class string) bool) error {
	s, err := readFile(f.path, &f.path, func(r io.Reader) (*scanner, error) { return prefixError(f.o.scan(r, row)) })
	if err == nil && f.FeatureNames == nil {
		f.FeatureNames = s.features()
	}
	return err
}

// scanner reads the records of a CSV file for ReadCSV and ReadTable.
type scanner struct {
	options           string // name of the caller's options type, such as CSVOptions, for messages
	labelled          string // the option Label
	noLabel, noHeader bool
	comma             rune // 0 means ','

	csv     *csv.Reader
	first   int      // line number of the header, or of the first row if there is no header
	names   []string // column names
	label   int      // index of the class column; −1 if no column is the class
	pending []string // the fields of the first line if this line is a row of data instead of a header
}

// open reads the first line, which determines the names of the columns.
func (s *scanner) open(r io.Reader) error {
	if check.Nil(r) {
		return errors.New("the reader is nil: give an open file, or make a reader from a string with strings.NewReader")
	}
	in := bufio.NewReader(r)
	for mark, _ := in.Peek(3); string(mark) == "\ufeff"; mark, _ = in.Peek(3) {
		if _, err := in.Discard(3); err != nil {
			return err
		}
	}
	s.csv = csv.NewReader(in)
	s.csv.Comma = cmp.Or(s.comma, ',')
	s.csv.FieldsPerRecord = -1 // the method `rows` checks the number of fields itself, for a better message
	s.csv.TrimLeadingSpace = true
	s.csv.ReuseRecord = true
	fields, err := s.read()
	if err == io.EOF {
		return errors.New("the file is empty: want at least one row, and a header unless NoHeader is set")
	}
	if err != nil {
		return err
	}
	if s.noHeader {
		s.pending = fields
	}
	return s.header(fields)
}

func (s *scanner) read() ([]string, error) {
	fields, err := s.csv.Read()
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	return fields, rewordSyntax(err)
}

// rows returns a sequence with the fields of one row at a time. The fields are valid only until the
// next row is read. An error ends the sequence.
func (s *scanner) rows() iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		fields, err := s.pending, error(nil)
		if fields == nil {
			if fields, err = s.read(); err == io.EOF {
				err = fmt.Errorf("there is a header but no rows (for a file without a header, set %s.NoHeader)",
					s.options)
			}
		}
		for ; err != io.EOF; fields, err = s.read() {
			if err == nil && len(fields) != len(s.names) {
				err = fmt.Errorf("line %d has %d columns, but line %d has %d", s.line(0), len(fields), s.first,
					len(s.names))
			}
			if !yield(fields, err) || err != nil {
				return
			}
		}
	}
}

// header sets the names of the columns and the index of the class column.
func (s *scanner) header(fields []string) error {
	s.first = s.line(0)
	if s.labelled != "" && (s.noLabel || s.noHeader) {
		return fmt.Errorf("%s.Label is %q, so the header must name this class column, but NoLabel or NoHeader is also set: leave one of these options out", s.options, s.labelled)
	}
	s.names = slices.Clone(fields)
	s.label = len(fields) - 1
	if s.noLabel {
		s.label = -1
	}
	if s.noHeader {
		s.names = numberedNames("x", len(fields))
		if !s.noLabel {
			s.names[s.label] = "class"
		}
		return nil
	}
	for i, name := range s.names {
		if name == "" {
			return fmt.Errorf("line %d, column %d of the header has no name", s.first, i+1)
		}
		if j := slices.Index(s.names[:i], name); j >= 0 {
			return fmt.Errorf("line %d: columns %d and %d of the header are both called %q: names must differ", s.first,
				j+1, i+1, name)
		}
	}
	if s.labelled == "" {
		return nil
	}
	s.label = slices.Index(s.names, s.labelled)
	return s.checkOption(s.labelled, "Label")
}

// checkOption returns an error if an option names a column that is not in the header.
func (s *scanner) checkOption(name, option string) error {
	if slices.Contains(s.names, name) {
		return nil
	}
	return fmt.Errorf("line %d: no column is called %q (%s.%s): the header has %s", s.first, name, s.options, option,
		quoted(s.names))
}

// features returns the names of all columns except the class column.
func (s *scanner) features() []string {
	return slices.Delete(slices.Clone(s.names), s.label, s.label+1)
}

// line returns the number of the line on which field i begins.
func (s *scanner) line(i int) int {
	line, _ := s.csv.FieldPos(i)
	return line
}

// place describes the position of a field for messages. It states the line, the column number and
// the column name.
func (s *scanner) place(line, i int) string {
	return fmt.Sprintf("line %d, column %d (%s)", line, i+1, s.names[i])
}

// prefixError returns v and err unchanged if err is nil. Otherwise it returns nil, and err with the
// prefix "datasets: ".
func prefixError[T any](v *T, err error) (*T, error) {
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	return v, nil
}

// readFile opens the file at path and calls the function `read` with it. If *name is empty, readFile
// sets *name to the file's name without the extension.
func readFile[T any](path string, name *string, read func(io.Reader) (T, error)) (T, error) {
	var none T
	f, err := os.Open(path)
	if err != nil {
		return none, fmt.Errorf("datasets: %w", err)
	}
	defer f.Close()
	if *name == "" {
		*name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	v, err := read(f)
	if err != nil {
		return none, fmt.Errorf("%w (in %s)", err, path)
	}
	return v, nil
}

// rewordSyntax rewrites an error of package encoding/csv in the wording of this package. It returns
// any other error unchanged.
func rewordSyntax(err error) error {
	var pe *csv.ParseError
	if errors.As(err, &pe) {
		return fmt.Errorf("line %d, character %d: %w", pe.Line, pe.Column, pe.Err)
	}
	return err
}

// parseFinite returns the number in s, or an error if s is not a finite number.
func parseFinite(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if strings.ContainsAny(s, "_xX") { // reject texts such as 1_000 or 0xff, which Go accepts as numbers
		err = strconv.ErrSyntax
	}
	// ParseFloat rounds a number that is too small for a float64 to 0, without an error.
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%q is too large for a float64", s)
	case err != nil:
		return 0, fmt.Errorf("%q is not a number (numbers look like -1.5 or 2e-3)", s)
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, fmt.Errorf("%q is not a finite number", s)
	}
	return v, nil
}

// isMissing reports whether s is one of the usual marks of a missing value, such as "NA".
func isMissing(s string) bool {
	switch strings.ToLower(s) {
	case "", "na", "n/a", "nan", "null", "?":
		return true
	}
	return false
}
