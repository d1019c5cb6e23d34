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

	"gonum.org/v1/gonum/mat"
)

// CSVOptions say how to read a CSV file. The zero value reads a comma separated
// file with a header row whose last column is the class.
type CSVOptions struct {
	// Label is the name of the column with the class; "" is the last column.
	Label string
	// Classes fixes the order of the classes (index 0 is C₁) and allows no
	// others; nil takes them in the order of their first row.
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
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer f.Close()
	if o.Name == "" {
		o.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	d, err := ReadCSV(f, o)
	if err != nil {
		return nil, fmt.Errorf("%w (in %s)", err, path)
	}
	return d, nil
}

// ReadCSV reads a data set: one row per line, all columns finite numbers but
// the class. A byte order mark, CRLF line ends, empty lines, quoted fields and
// blanks around fields without quotes are accepted. Everything else (a value that is missing
// or no number, a line of another length, a repeated name in the header, an
// unknown class, no rows) is an error that names line and column, counted from 1.
// For files with columns of words see ReadTable.
func ReadCSV(r io.Reader, o CSVOptions) (*Dataset, error) {
	in, err := records(r, o.Comma)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	p := &csvReader{o: o, csv: in}
	if err := p.read(); err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	return p.dataset()
}

type csvReader struct {
	o        CSVOptions
	csv      *csv.Reader
	header   []string
	label    int // index of the class column
	values   []float64
	labels   []int
	classes  []string
	known    map[string]int
	skipped  int
	firstRow int // line of the first row, which fixes the length without a header
}

func (p *csvReader) read() error {
	if err := unique("class", p.o.Classes); err != nil {
		return fmt.Errorf("CSVOptions.Classes: %s", bare(err))
	}
	p.known = map[string]int{}
	for i, c := range p.o.Classes {
		p.known[c] = i
	}
	p.classes = slices.Clone(p.o.Classes)
	for {
		rec, err := p.csv.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return syntax(err)
		}
		for i := range rec {
			rec[i] = strings.TrimSpace(rec[i])
		}
		if p.header == nil {
			if err := p.readHeader(rec); err != nil {
				return err
			}
			if !p.o.NoHeader {
				continue
			}
		}
		if err := p.readRow(rec); err != nil {
			return err
		}
	}
	switch {
	case p.header == nil:
		return errors.New("the file is empty: needed are a header and at least one row")
	case len(p.labels) == 0 && p.skipped > 0:
		return fmt.Errorf("all %d rows have a missing value: nothing is left", p.skipped)
	case len(p.labels) == 0:
		return errors.New("there is a header but no rows (for a file without a header set CSVOptions.NoHeader)")
	}
	return nil
}

func (p *csvReader) readHeader(rec []string) error {
	line, _ := p.csv.FieldPos(0)
	p.firstRow = line
	if len(rec) < 2 {
		return fmt.Errorf("line %d has %d column: needed are at least one feature and the class (is the separator %q? set CSVOptions.Comma)", line, len(rec), p.csv.Comma)
	}
	p.label = len(rec) - 1
	if p.o.NoHeader {
		if p.o.Label != "" {
			return fmt.Errorf("CSVOptions.Label is %q but NoHeader says that the columns have no names: leave Label empty (the last column is the class)", p.o.Label)
		}
		p.header = make([]string, len(rec))
		for i := range p.header {
			p.header[i] = "x" + strconv.Itoa(i+1)
		}
		p.header[p.label] = "class"
		return nil
	}
	p.header = slices.Clone(rec)
	if err := headerNames(p.header, line); err != nil {
		return err
	}
	if p.o.Label != "" {
		p.label = slices.Index(p.header, p.o.Label)
		if p.label < 0 {
			return fmt.Errorf("line %d: no column is called %q (CSVOptions.Label): the header has %s", line, p.o.Label, quoted(p.header))
		}
	}
	return nil
}

func (p *csvReader) readRow(rec []string) error {
	line, _ := p.csv.FieldPos(0)
	if len(rec) != len(p.header) {
		return fmt.Errorf("line %d has %d columns where line %d has %d", line, len(rec), p.firstRow, len(p.header))
	}
	if p.o.SkipMissing && slices.ContainsFunc(rec, missing) {
		p.skipped++
		return nil
	}
	at := func(i int) string {
		l, _ := p.csv.FieldPos(i)
		return fmt.Sprintf("line %d, column %d (%s)", l, i+1, p.header[i])
	}
	for i, s := range rec {
		if missing(s) {
			return fmt.Errorf("%s: the value %q is missing: fill it in, or set CSVOptions.SkipMissing", at(i), s)
		}
		if i == p.label {
			k, ok := p.known[s]
			if !ok {
				if p.o.Classes != nil {
					return fmt.Errorf("%s: class %q is none of CSVOptions.Classes (%s)", at(i), s, quoted(p.o.Classes))
				}
				k = len(p.classes)
				s = strings.Clone(s)
				p.known[s] = k
				p.classes = append(p.classes, s)
			}
			p.labels = append(p.labels, k)
			continue
		}
		v, err := finite(s)
		if err != nil {
			return fmt.Errorf("%s: %w", at(i), err)
		}
		p.values = append(p.values, v)
	}
	return nil
}

func (p *csvReader) dataset() (*Dataset, error) {
	d := &Dataset{
		Name:         p.o.Name,
		X:            mat.NewDense(len(p.labels), len(p.header)-1, p.values),
		Labels:       p.labels,
		FeatureNames: slices.Delete(slices.Clone(p.header), p.label, p.label+1),
		ClassNames:   p.classes,
		Source:       p.o.Source,
	}
	if d.Name == "" {
		d.Name = "CSV"
	}
	return d, d.Check()
}
