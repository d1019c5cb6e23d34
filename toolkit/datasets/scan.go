package datasets

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// A scanner reads the records of a CSV file for ReadCSV and ReadTable.
type scanner struct {
	options           string // the type of the caller's options, for messages
	labelled          string // the option Label
	noLabel, noHeader bool
	comma             rune // 0 is ','

	csv   *csv.Reader
	first int      // line of the header
	names []string // of the columns
	label int      // index of the class; −1 if there is none
}

// scan calls begin when the names of the columns are known and then row with the
// fields of each row, which are valid until the next.
func (s *scanner) scan(r io.Reader, begin func() error, row func(fields []string) error) error {
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
	if s.comma != 0 {
		s.csv.Comma = s.comma
	}
	s.csv.FieldsPerRecord = -1 // the length is checked below, for a message with both numbers
	s.csv.TrimLeadingSpace = true
	s.csv.ReuseRecord = true
	rows := 0
	for {
		fields, err := s.csv.Read()
		switch {
		case err == io.EOF && s.names == nil:
			return errors.New("the file is empty: needed are a header and at least one row")
		case err == io.EOF && rows == 0:
			return fmt.Errorf("there is a header but no rows (for a file without a header set %s.NoHeader)", s.options)
		case err == io.EOF:
			return nil
		case err != nil:
			return syntax(err)
		}
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		if s.names == nil {
			if err := s.header(fields); err != nil {
				return err
			}
			if err := begin(); err != nil {
				return err
			}
			if !s.noHeader {
				continue
			}
		}
		if len(fields) != len(s.names) {
			return fmt.Errorf("line %d has %d columns where line %d has %d", s.line(0), len(fields), s.first, len(s.names))
		}
		rows++
		if err := row(fields); err != nil {
			return err
		}
	}
}

// header finds the names of the columns and which of them is the class.
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
		for i := range s.names {
			s.names[i] = "x" + strconv.Itoa(i+1)
		}
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
			return fmt.Errorf("line %d: columns %d and %d of the header are both called %q: names must differ", s.first, j+1, i+1, name)
		}
	}
	if s.labelled == "" {
		return nil
	}
	s.label = slices.Index(s.names, s.labelled)
	return s.known(s.labelled, "Label")
}

// known reports a name in an option that no column has.
func (s *scanner) known(name, option string) error {
	if slices.Contains(s.names, name) {
		return nil
	}
	return fmt.Errorf("line %d: no column is called %q (%s.%s): the header has %s", s.first, name, s.options, option, quoted(s.names))
}

// line is the line on which field i begins.
func (s *scanner) line(i int) int {
	line, _ := s.csv.FieldPos(i)
	return line
}

// place says where the field of column i is that begins on this line.
func (s *scanner) place(line, i int) string {
	return fmt.Sprintf("line %d, column %d (%s)", line, i+1, s.names[i])
}

// fromFile reads the file at path, after which what is read is called unless name
// says otherwise.
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
	if strings.ContainsAny(s, "_xX") { // Go's own ways to write numbers
		err = strconv.ErrSyntax
	}
	switch {
	case errors.Is(err, strconv.ErrRange) && !math.IsInf(v, 0):
		return v, nil // too small: the nearest number is right
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%q is too large for a float64", s)
	case err != nil:
		return 0, fmt.Errorf("%q is not a number (numbers look like -1.5 or 2e-3)", s)
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, fmt.Errorf("%q is not a finite number", s)
	}
	return v, nil
}

// missing reports whether a field is one of the usual marks of a missing value.
func missing(s string) bool {
	switch strings.ToLower(s) {
	case "", "na", "n/a", "nan", "null", "?":
		return true
	}
	return false
}
