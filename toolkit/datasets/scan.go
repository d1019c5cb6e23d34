package datasets

import (
	"bufio"
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

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// scanner reads the records of a CSV file for ReadCSV and ReadTable.
type scanner struct {
	options           string // the type of the caller's options, for messages
	labelled          string // the option Label
	noLabel, noHeader bool
	comma             rune // 0 means ','

	csv     *csv.Reader
	first   int      // line of the header
	names   []string // column names
	label   int      // index of the class; −1 without a class
	pending []string // the first line, if the line is a row and not a header
}

// open reads the names of the columns.
func (s *scanner) open(r io.Reader) error {
	if check.Nil(r) {
		return errors.New("the reader is nil: give an open file, or text by strings.NewReader")
	}
	in := bufio.NewReader(r)
	for mark, _ := in.Peek(3); string(mark) == "\ufeff"; mark, _ = in.Peek(3) {
		if _, err := in.Discard(3); err != nil {
			return err
		}
	}
	s.csv = csv.NewReader(in)
	s.csv.Comma = cmp.Or(s.comma, ',')
	s.csv.FieldsPerRecord = -1 // rows checks the length itself and reports both numbers, so csv must not check it.
	s.csv.TrimLeadingSpace = true
	s.csv.ReuseRecord = true
	fields, err := s.read()
	if err == io.EOF {
		return errors.New("the file is empty: want a header and at least one row")
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
	return fields, syntax(err)
}

// rows yields the fields of each row, valid until the next row. An error ends the
// sequence.
func (s *scanner) rows() iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		fields, err := s.pending, error(nil)
		if fields == nil {
			if fields, err = s.read(); err == io.EOF {
				err = fmt.Errorf("there is a header but no rows (for a file without a header set %s.NoHeader)",
					s.options)
			}
		}
		for ; err != io.EOF; fields, err = s.read() {
			if err == nil && len(fields) != len(s.names) {
				err = fmt.Errorf("line %d has %d columns where line %d has %d", s.line(0), len(fields), s.first,
					len(s.names))
			}
			if !yield(fields, err) || err != nil {
				return
			}
		}
	}
}

// header sets the names of the columns and the index of the class.
func (s *scanner) header(fields []string) error {
	s.first = s.line(0)
	if s.labelled != "" && (s.noLabel || s.noHeader) {
		return fmt.Errorf("%s.Label is %q but NoLabel or NoHeader says that no column has that name: leave one of them out", s.options, s.labelled)
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
	return s.known(s.labelled, "Label")
}

// known returns an error if an option names an unknown column.
func (s *scanner) known(name, option string) error {
	if slices.Contains(s.names, name) {
		return nil
	}
	return fmt.Errorf("line %d: no column is called %q (%s.%s): the header has %s", s.first, name, s.options, option,
		quoted(s.names))
}

// features returns the names of the columns except the class.
func (s *scanner) features() []string {
	return slices.Delete(slices.Clone(s.names), s.label, s.label+1)
}

// line returns the line on which field i begins.
func (s *scanner) line(i int) int {
	line, _ := s.csv.FieldPos(i)
	return line
}

// place describes the position of the field of column i on this line.
func (s *scanner) place(line, i int) string {
	return fmt.Sprintf("line %d, column %d (%s)", line, i+1, s.names[i])
}

// tagged adds the package's name to an error.
func tagged[T any](v *T, err error) (*T, error) {
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	return v, nil
}

// fromFile reads the file at path. If name is empty, it is set to the file's name.
func fromFile[T any](path string, name *string, read func(io.Reader) (T, error)) (T, error) {
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

// syntax rewords the errors of encoding/csv.
func syntax(err error) error {
	var pe *csv.ParseError
	if errors.As(err, &pe) {
		return fmt.Errorf("line %d, character %d: %w", pe.Line, pe.Column, pe.Err)
	}
	return err
}

// finite parses a finite number.
func finite(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if strings.ContainsAny(s, "_xX") { // Go accepts this number syntax, but CSV files do not use it
		err = strconv.ErrSyntax
	}
	switch {
	case errors.Is(err, strconv.ErrRange) && !math.IsInf(v, 0):
		return v, nil // on underflow, the nearest float64 is correct
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%q is too large for a float64", s)
	case err != nil:
		return 0, fmt.Errorf("%q is not a number (numbers look like -1.5 or 2e-3)", s)
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, fmt.Errorf("%q is not a finite number", s)
	}
	return v, nil
}

// missing reports whether s is one of the usual marks of a missing value.
func missing(s string) bool {
	switch strings.ToLower(s) {
	case "", "na", "n/a", "nan", "null", "?":
		return true
	}
	return false
}
