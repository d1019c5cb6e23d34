package datasets

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// WriteCSV writes d as ReadCSV reads it: a header, then one line per row, the
// class last in a column called "class" (or "class_2", … if a feature is called
// that). Numbers have as many digits as the exact value needs. Errors: those of
// Check, a nil writer, and those of writing.
func WriteCSV(w io.Writer, d *Dataset) error {
	if check.Nil(w) {
		return errors.New("datasets: WriteCSV: the writer is nil: give an open file or a bytes.Buffer, or use WriteCSVFile")
	}
	if err := d.Check(); err != nil {
		return err
	}
	label := "class"
	for i := 2; slices.Contains(d.FeatureNames, label); i++ {
		label = "class_" + strconv.Itoa(i)
	}
	out := csv.NewWriter(w)
	rec := append(slices.Clone(d.FeatureNames), label)
	if err := out.Write(rec); err != nil {
		return fmt.Errorf("datasets: WriteCSV: %w", err)
	}
	for i, l := range d.Labels {
		for j, v := range d.X.RawRowView(i) {
			rec[j] = strconv.FormatFloat(v, 'g', -1, 64)
		}
		rec[d.D()] = d.ClassNames[l]
		if err := out.Write(rec); err != nil {
			return fmt.Errorf("datasets: WriteCSV: %w", err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("datasets: WriteCSV: %w", err)
	}
	return nil
}

// WriteCSVFile writes d to the named file, which appears whole or not at all: an
// interruption leaves an old file as it was. Errors: those of Check, and of
// writing the file.
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
