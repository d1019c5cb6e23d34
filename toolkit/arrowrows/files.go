package arrowrows

import (
	"context"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// batchRows is how many rows of a Parquet file are in memory at a time.
const batchRows = 4096

// OpenParquet returns the rows of the named Parquet file. A few thousand rows and the
// pages that hold them are in memory at a time. Errors: those of New, and of a file that
// cannot be opened or is no Parquet.
func OpenParquet(path string, o Options) (*Rows, error) {
	return newRows(path, o, func(yield func(arrow.RecordBatch) bool) error {
		props := parquet.NewReaderProperties(memory.DefaultAllocator)
		props.BufferedStreamEnabled = true // pages in turn, not a whole row group
		in, err := file.OpenParquetFile(path, false, file.WithReadProps(props))
		if err != nil {
			return err
		}
		defer in.Close()
		f, err := pqarrow.NewFileReader(in, pqarrow.ArrowReadProperties{BatchSize: batchRows}, memory.DefaultAllocator)
		if err != nil {
			return err
		}
		r, err := f.GetRecordReader(context.Background(), nil, nil)
		if err != nil {
			return err
		}
		defer r.Release()
		for r.Next() {
			if !yield(r.RecordBatch()) {
				return nil
			}
		}
		return r.Err()
	})
}

// OpenArrow returns the rows of the named Arrow IPC file, also called Feather version 2.
// One record batch is in memory at a time, as large as the file says. Errors: those of
// New, and of a file that cannot be opened or is no Arrow IPC file.
func OpenArrow(path string, o Options) (*Rows, error) {
	return newRows(path, o, func(yield func(arrow.RecordBatch) bool) error {
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		f, err := ipc.NewFileReader(in)
		if err != nil {
			return err
		}
		defer f.Close()
		for i := range f.NumRecords() {
			rec, err := f.RecordBatch(i) // released by the next, or by Close
			if err != nil {
				return err
			}
			if !yield(rec) {
				break
			}
		}
		return nil
	})
}
