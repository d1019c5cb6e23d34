package arrowrows_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/arrowrows"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// fruit returns a table with six rows, as its schema and one record batch.
func fruit() (*arrow.Schema, arrow.RecordBatch) {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "weight", Type: arrow.PrimitiveTypes.Float64}, {Name: "size", Type: arrow.PrimitiveTypes.Int64},
		{Name: "kind", Type: arrow.BinaryTypes.String},
	}, nil)
	rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader(`[
		{"weight": 1.5, "size": 3, "kind": "pear"}, {"weight": 1.2, "size": 4, "kind": "apple"}, {"weight": 1.9, "size": 5, "kind": "pear"},
		{"weight": 1.4, "size": 5, "kind": "apple"}, {"weight": 1.1, "size": 3, "kind": "pear"}, {"weight": 1.3, "size": 2, "kind": "apple"}]`))
	if err != nil {
		fmt.Println(err)
	}
	return schema, rec
}

func ExampleOpenParquet() {
	path := filepath.Join(toolkit.Must(os.MkdirTemp("", "rows")), "fruit.parquet")
	defer os.RemoveAll(filepath.Dir(path))
	schema, rec := fruit()
	w := toolkit.Must(pqarrow.NewFileWriter(schema, toolkit.Must(os.Create(path)), parquet.NewWriterProperties(),
		pqarrow.DefaultWriterProps()))
	fmt.Println(w.Write(rec), w.Close())

	f := toolkit.Must(arrowrows.OpenParquet(path, arrowrows.Options{Label: "kind"}))
	rows := toolkit.Must(classify.NewRows(f.Each, classify.RowsOptions{Classes: f.K()}))
	m := toolkit.Must(classify.FitLDAFrom(rows, classify.LDAOptions{}))
	fmt.Println(f.FeatureNames, f.ClassNames, m.Counts)
	// Output:
	// <nil> <nil>
	// [weight size] [apple pear] [3 3]
}

func ExampleOpenArrow() {
	path := filepath.Join(toolkit.Must(os.MkdirTemp("", "rows")), "fruit.arrow")
	defer os.RemoveAll(filepath.Dir(path))
	schema, rec := fruit()
	w := toolkit.Must(ipc.NewFileWriter(toolkit.Must(os.Create(path)), ipc.WithSchema(schema)))
	fmt.Println(w.Write(rec), w.Close())

	f := toolkit.Must(arrowrows.OpenArrow(path, arrowrows.Options{Label: "kind"}))
	fmt.Println(f.D(), "columns,", f.K(), "classes")
	// Output:
	// <nil> <nil>
	// 2 columns, 2 classes
}

func ExampleNew() {
	schema, rec := fruit()
	open := func() (array.RecordReader, error) {
		return array.NewRecordReader(schema, []arrow.RecordBatch{rec})
	}
	f := toolkit.Must(arrowrows.New(open, arrowrows.Options{Label: "kind"}))
	fmt.Println(f.FeatureNames)
	// Output: [weight size]
}

func ExampleRows_Each() {
	schema, rec := fruit()
	open := func() (array.RecordReader, error) {
		return array.NewRecordReader(schema, []arrow.RecordBatch{rec})
	}
	f := toolkit.Must(arrowrows.New(open, arrowrows.Options{Label: "kind"}))
	err := f.Each(func(x []float64, label float64) bool {
		fmt.Println(x, f.ClassNames[int(label)])
		return label == 1
	})
	fmt.Println(err)
	// Output:
	// [1.5 3] pear
	// [1.2 4] apple
	// <nil>
}
