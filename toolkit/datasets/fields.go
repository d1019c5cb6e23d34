package datasets

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// records returns a reader of the lines of a file, without a byte order mark.
// Comma 0 is ','. A record is valid until the next one is read.
func records(r io.Reader, comma rune) (*csv.Reader, error) {
	if check.Nil(r) {
		return nil, errors.New("the reader is nil: give an open file, or text by strings.NewReader")
	}
	in := bufio.NewReader(r)
	for mark, _ := in.Peek(3); string(mark) == "\ufeff"; mark, _ = in.Peek(3) {
		if _, err := in.Discard(3); err != nil {
			return nil, err
		}
	}
	c := csv.NewReader(in)
	if comma != 0 {
		c.Comma = comma
	}
	c.FieldsPerRecord = -1 // the length is checked later, for a message with both numbers
	c.TrimLeadingSpace = true
	c.ReuseRecord = true
	return c, nil
}

// syntax rewords the errors of encoding/csv.
func syntax(err error) error {
	var pe *csv.ParseError
	if errors.As(err, &pe) {
		return fmt.Errorf("line %d, character %d: %w", pe.Line, pe.Column, pe.Err)
	}
	return err
}

// headerNames reports a column of the header without a name of its own.
func headerNames(header []string, line int) error {
	for i, name := range header {
		if name == "" {
			return fmt.Errorf("line %d, column %d of the header has no name", line, i+1)
		}
		if j := slices.Index(header[:i], name); j >= 0 {
			return fmt.Errorf("line %d: columns %d and %d of the header are both called %q: names must differ", line, j+1, i+1, name)
		}
	}
	return nil
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
