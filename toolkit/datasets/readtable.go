package datasets

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// TableOptions say how to read a Table. The zero value reads a comma separated
// file with a header row whose last column is the class.
type TableOptions struct {
	// Label is the name of the column with the class; "" is the last column.
	Label string
	// NoLabel says that no column is the class: new inputs to be predicted.
	NoLabel bool
	// Categorical and Numeric name columns whose kind is not to be found out:
	// numbers that are only codes, such as 1, 2, 3 for three wards, are Categorical.
	Categorical, Numeric []string
	// Missing lists further marks of a missing value, such as "-" or "-999",
	// beside the empty field, "NA", "N/A", "NaN", "null" and "?".
	Missing []string
	// Comma separates the fields; 0 is ','.
	Comma rune
	// NoHeader says that the first line is data. The columns are then called
	// x1, x2, … and the class, which is the last one, class.
	NoHeader bool
	// Name and Source describe the table; Name "" is "CSV" or the file's name.
	Name, Source string
}

// ReadTableFile reads the named CSV file (see ReadTable). Errors: those of
// ReadTable, and a file that cannot be opened.
func ReadTableFile(path string, o TableOptions) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer f.Close()
	if o.Name == "" {
		o.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	t, err := ReadTable(f, o)
	if err != nil {
		return nil, fmt.Errorf("%w (in %s)", err, path)
	}
	return t, nil
}

// ReadTable reads a file with columns of numbers and of words. A column is
// numeric if all its values but the missing ones are finite numbers, and
// categorical otherwise; the class is always categorical. If more than half of a
// column, but not all, are numbers, it is more likely spoilt than categorical:
// that is an error with the first line that has no number, and the options that
// settle it. The form of the file is that of ReadCSV, and so are the errors. A
// table keeps the text of every field: for a large file of numbers use ReadCSV.
func ReadTable(r io.Reader, o TableOptions) (*Table, error) {
	in, err := records(r, o.Comma)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	p := &tableReader{o: o, csv: in, table: &Table{Name: o.Name, Source: o.Source}}
	if p.table.Name == "" {
		p.table.Name = "CSV"
	}
	if err := p.read(); err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	if err := p.kinds(); err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	return p.table, p.table.Check()
}

type tableReader struct {
	o         TableOptions
	csv       *csv.Reader
	table     *Table
	firstLine int
	lines     []int // of each row, for messages
}

func (p *tableReader) read() error {
	for {
		rec, err := p.csv.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return syntax(err)
		}
		line, _ := p.csv.FieldPos(0)
		for i := range rec {
			rec[i] = strings.TrimSpace(rec[i])
		}
		if p.table.Columns == nil {
			if err := p.header(rec, line); err != nil {
				return err
			}
			if !p.o.NoHeader {
				continue
			}
		}
		if len(rec) != len(p.table.Columns) {
			return fmt.Errorf("line %d has %d columns where line %d has %d", line, len(rec), p.firstLine, len(p.table.Columns))
		}
		p.lines = append(p.lines, line)
		for j, s := range rec {
			if missing(s) || slices.Contains(p.o.Missing, s) {
				s = ""
			}
			c := &p.table.Columns[j]
			c.Values = append(c.Values, strings.Clone(s))
		}
	}
	switch {
	case p.table.Columns == nil:
		return errors.New("the file is empty: needed are a header and at least one row")
	case len(p.lines) == 0:
		return errors.New("there is a header but no rows (for a file without a header set TableOptions.NoHeader)")
	}
	return nil
}

func (p *tableReader) header(rec []string, line int) error {
	p.firstLine = line
	if p.o.Label != "" && (p.o.NoLabel || p.o.NoHeader) {
		return fmt.Errorf("TableOptions.Label is %q but NoLabel or NoHeader says that no column has that name: leave one of them out", p.o.Label)
	}
	names := slices.Clone(rec)
	if p.o.NoHeader {
		for i := range names {
			names[i] = "x" + strconv.Itoa(i+1)
		}
		if !p.o.NoLabel {
			names[len(names)-1] = "class"
		}
	}
	if err := headerNames(names, line); err != nil {
		return err
	}
	for _, n := range slices.Concat(p.o.Categorical, p.o.Numeric) {
		if !slices.Contains(names, n) {
			return fmt.Errorf("line %d: no column is called %q (TableOptions.Categorical, Numeric): the header has %s", line, n, quoted(names))
		}
		if slices.Contains(p.o.Categorical, n) && slices.Contains(p.o.Numeric, n) {
			return fmt.Errorf("TableOptions: column %q is both in Categorical and in Numeric", n)
		}
	}
	for _, n := range names {
		p.table.Columns = append(p.table.Columns, Column{Name: n})
	}
	switch {
	case p.o.NoLabel:
	case p.o.Label == "":
		p.table.Label = names[len(names)-1]
	case !slices.Contains(names, p.o.Label):
		return fmt.Errorf("line %d: no column is called %q (TableOptions.Label): the header has %s", line, p.o.Label, quoted(names))
	default:
		p.table.Label = p.o.Label
	}
	return nil
}

// kinds finds out which columns are numeric.
func (p *tableReader) kinds() error {
	for j := range p.table.Columns {
		c := &p.table.Columns[j]
		if c.Name == p.table.Label || slices.Contains(p.o.Categorical, c.Name) {
			c.Kind = Categorical
			continue
		}
		numbers, words, odd := 0, 0, -1
		for i, s := range c.Values {
			if s == "" {
				continue
			}
			_, err := finite(s)
			if err == nil {
				numbers++
				continue
			}
			if slices.Contains(p.o.Numeric, c.Name) {
				return fmt.Errorf("line %d, column %d (%s): %w", p.lines[i], j+1, c.Name, err)
			}
			words++
			if odd < 0 {
				odd = i
			}
		}
		switch {
		case words == 0:
			c.Kind = Numeric
		case numbers <= words:
			c.Kind = Categorical
		default:
			return fmt.Errorf("line %d, column %d (%s): %q is not a finite number, but %d other values of the column are: mend it, name it in TableOptions.Missing, or name the column in TableOptions.Categorical",
				p.lines[odd], j+1, c.Name, c.Values[odd], numbers)
		}
	}
	return nil
}
