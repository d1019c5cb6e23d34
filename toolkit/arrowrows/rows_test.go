package arrowrows

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

var pool = memory.DefaultAllocator

// column describes a column of a test table.
func column(name string, typ arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: typ, Nullable: true}
}

// batchesOf returns one record batch for each JSON text.
func batchesOf(t *testing.T, schema *arrow.Schema, texts ...string) []arrow.RecordBatch {
	t.Helper()
	var out []arrow.RecordBatch
	for _, text := range texts {
		rec, _, err := array.RecordFromJSON(pool, schema, strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, rec)
	}
	return out
}

// writeParquet and writeArrow write the batches to a file and return its path. In a Parquet file,
// each batch becomes a row group.
func writeParquet(t *testing.T, schema *arrow.Schema, batches ...arrow.RecordBatch) string {
	t.Helper()
	path, out := newFile(t, "a.parquet")
	write(t, must(pqarrow.NewFileWriter(schema, out, parquet.NewWriterProperties(), pqarrow.DefaultWriterProps()))(t), batches)
	return path
}

func writeArrow(t *testing.T, schema *arrow.Schema, batches ...arrow.RecordBatch) string {
	t.Helper()
	path, out := newFile(t, "a.arrow")
	write(t, must(ipc.NewFileWriter(out, ipc.WithSchema(schema)))(t), batches)
	return path
}

func newFile(t *testing.T, name string) (path string, out *os.File) {
	path = filepath.Join(t.TempDir(), name)
	out = must(os.Create(path))(t)
	t.Cleanup(func() { out.Close() })
	return path, out
}

type batchWriter interface {
	Write(arrow.RecordBatch) error
	Close() error
}

func write(t *testing.T, w batchWriter, batches []arrow.RecordBatch) {
	t.Helper()
	for _, rec := range batches {
		if err := w.Write(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// onePass returns the rows and labels that one pass yields.
func onePass(t *testing.T, f *Rows) (x [][]float64, labels []float64) {
	t.Helper()
	if err := f.Each(func(row []float64, label float64) bool {
		x, labels = append(x, slices.Clone(row)), append(labels, label)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return x, labels
}

// TestTypes checks that feature columns of different numeric types are read. It also checks that
// label columns of strings, integers and booleans are read as classes, and a label column of
// floating-point numbers as targets.
func TestTypes(t *testing.T) {
	for _, label := range []struct {
		typ     arrow.DataType
		values  [3]string
		o       Options
		classes []string
		want    []float64
	}{
		{arrow.BinaryTypes.String, [3]string{`"pear"`, `"apple"`, `"pear"`}, Options{}, []string{"apple", "pear"},
			[]float64{1, 0, 1}},
		{arrow.BinaryTypes.String, [3]string{`"pear"`, `"apple"`, `"pear"`},
			Options{Classes: []string{"pear", "plum", "apple"}}, []string{"pear", "plum", "apple"}, []float64{0, 2, 0}},
		{&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String},
			[3]string{`"b"`, `"b"`, `"a"`}, Options{Label: "kind"}, []string{"a", "b"}, []float64{1, 1, 0}},
		{arrow.PrimitiveTypes.Int32, [3]string{"10", "9", "9"}, Options{}, []string{"9", "10"}, []float64{1, 0, 0}},
		{arrow.FixedWidthTypes.Boolean, [3]string{"true", "false", "true"}, Options{}, []string{"false", "true"},
			[]float64{1, 0, 1}},
		{arrow.PrimitiveTypes.Float64, [3]string{"1", "0", "0.25"}, Options{}, nil, []float64{1, 0, 0.25}},
	} {
		schema := arrow.NewSchema([]arrow.Field{
			column("f64", arrow.PrimitiveTypes.Float64), column("f32", arrow.PrimitiveTypes.Float32),
			column("f16", arrow.FixedWidthTypes.Float16),
			column("i64", arrow.PrimitiveTypes.Int64), column("i8", arrow.PrimitiveTypes.Int8),
			column("u16", arrow.PrimitiveTypes.Uint16),
			column("yes", arrow.FixedWidthTypes.Boolean), column("kind", label.typ),
		}, nil)
		row := func(i int) string {
			return `{"f64":1.5,"f32":-0.5,"f16":2,"i64":-7,"i8":3,"u16":65535,"yes":true,"kind":` +
				label.values[i] + `}`
		}
		batches := batchesOf(t, schema, "["+row(0)+","+row(1)+"]", "["+row(2)+"]")
		if label.typ.ID() == arrow.DICTIONARY {
			// Use one batch, because all batches of an Arrow file share one dictionary per column.
			batches = batchesOf(t, schema, "["+row(0)+","+row(1)+","+row(2)+"]")
		}
		files := map[string]*Rows{
			"Arrow": must(OpenArrow(writeArrow(t, schema, batches...), label.o))(t),
			"reader": must(New(func() (array.RecordReader, error) { return array.NewRecordReader(schema, batches) },
				label.o))(t),
		}
		if label.typ.ID() != arrow.DICTIONARY { // Parquet does not preserve the type of an Arrow dictionary
			files["Parquet"] = must(OpenParquet(writeParquet(t, schema, batches...), label.o))(t)
		}
		for name, f := range files {
			if f.D() != 7 || !slices.Equal(f.ClassNames, label.classes) || f.K() != len(label.classes) ||
				!slices.Equal(f.FeatureNames, []string{"f64", "f32", "f16", "i64", "i8", "u16", "yes"}) {
				t.Errorf("%s: got %d columns %q and the classes %q, want the 7 columns f64 to yes and the classes %q", name, f.D(),
					f.FeatureNames, f.ClassNames, label.classes)
			}
			for range 2 { // two passes
				x, labels := onePass(t, f)
				if !slices.Equal(labels, label.want) || len(x) != 3 ||
					!slices.Equal(x[2], []float64{1.5, -0.5, 2, -7, 3, 65535, 1}) {
					t.Errorf("%s: got the rows %v and the labels %v, want 3 equal rows and the labels %v", name, x, labels, label.want)
				}
			}
		}
	}
}

// testTable returns n rows in record batches of a thousand rows. Each row has three numbers and one
// of two classes. The results x and labels contain the same numbers and classes.
func testTable(n int) (schema *arrow.Schema, batches []arrow.RecordBatch, x *mat.Dense, labels []int) {
	schema = arrow.NewSchema([]arrow.Field{
		column("a", arrow.PrimitiveTypes.Float64), column("kind", arrow.BinaryTypes.String),
		column("b", arrow.PrimitiveTypes.Float64), column("c", arrow.PrimitiveTypes.Float64),
	}, nil)
	rng := rand.New(rand.NewPCG(16, 3))
	x = mat.NewDense(n, 3, nil)
	b := array.NewRecordBuilder(pool, schema)
	defer b.Release()
	for i := range n {
		k := rng.IntN(2)
		labels = append(labels, k)
		b.Field(1).(*array.StringBuilder).Append([]string{"one", "two"}[k])
		for j, at := range []int{0, 2, 3} {
			v := rng.NormFloat64() + float64(k*j)
			x.Set(i, j, v)
			b.Field(at).(*array.Float64Builder).Append(v)
		}
		if (i+1)%1000 == 0 || i == n-1 {
			batches = append(batches, b.NewRecordBatch())
		}
	}
	return schema, batches, x, labels
}

// TestFits fits models to a Parquet file, to an Arrow file and to the same data in memory. The
// fitted models must be equal bit for bit.
func TestFits(t *testing.T) {
	schema, batches, x, labels := testTable(5500)
	target := make([]float64, len(labels))
	for i, k := range labels {
		target[i] = float64(1 - k)
	}
	text := func(m any, err error) string {
		var b strings.Builder
		if err := errors.Join(err, classify.Save(&b, m)); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	logistic := text(classify.FitLogistic(x, target, classify.LogisticOptions{}))
	lda := text(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))
	for name, f := range map[string]*Rows{
		"Parquet": must(OpenParquet(writeParquet(t, schema, batches...), Options{Label: "kind"}))(t),
		"Arrow":   must(OpenArrow(writeArrow(t, schema, batches...), Options{Label: "kind"}))(t),
	} {
		rows := must(classify.NewRows(f.Each, classify.RowsOptions{Classes: f.K()}))(t)
		if got := text(classify.FitLogisticFrom(rows, classify.LogisticOptions{})); got != logistic {
			t.Errorf("%s: got the fit %s\nwant %s", name, got, logistic)
		}
		if got := text(classify.FitLDAFrom(rows, classify.LDAOptions{})); got != lda {
			t.Errorf("%s: got the fit %s\nwant %s", name, got, lda)
		}
	}
}

// TestMemory checks that the heap grows by at most 6 MB while a file of more than 12 MB is read.
func TestMemory(t *testing.T) {
	const n, most = 500_000, 6 << 20
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // collect garbage often, so that the heap contains little garbage
	schema, batches, _, _ := testTable(n)
	paths := []string{writeParquet(t, schema, batches...), writeArrow(t, schema, batches...)}
	batches = nil
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for i, open := range []func(string, Options) (*Rows, error){OpenParquet, OpenArrow} {
		runtime.GC()
		runtime.GC() // a second collection frees the objects that finalizers have released
		before, peak, rows := heap(), uint64(0), 0
		f := must(open(paths[i], Options{Label: "kind"}))(t)
		if err := f.Each(func([]float64, float64) bool {
			if rows++; rows%5000 == 0 {
				peak = max(peak, heap())
			}
			return true
		}); err != nil || rows != n {
			t.Fatalf("read %d rows (error %v), want %d", rows, err, n)
		}
		t.Logf("%s: %.1f MB", filepath.Base(paths[i]), float64(peak-before)/(1<<20))
		if peak > before+most {
			t.Errorf("%s: the heap grew by %.1f MB, want at most %d MB", paths[i], float64(peak-before)/(1<<20), most>>20)
		}
	}
}

// TestErrors checks that the error messages contain the file name, the row and the column. A
// corrupted file must not cause a panic. But a panic of yield, the caller's function, must reach the
// caller.
func TestErrors(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{column("a", arrow.PrimitiveTypes.Float64),
		column("kind", arrow.BinaryTypes.String)}, nil)
	words := arrow.NewSchema([]arrow.Field{column("a", arrow.BinaryTypes.String),
		column("kind", arrow.BinaryTypes.String)}, nil)
	twice := arrow.NewSchema([]arrow.Field{column("a", arrow.PrimitiveTypes.Float64),
		column("a", arrow.BinaryTypes.String)}, nil)
	good := batchesOf(t, schema, `[{"a":1,"kind":"x"},{"a":2,"kind":"y"}]`)
	garbage := filepath.Join(t.TempDir(), "garbage")
	if err := os.WriteFile(garbage, []byte("PAR1 begins every Parquet file, and ARROW1 begins every Arrow file"), 0o600); err != nil {
		t.Fatal(err)
	}
	cut := writeArrow(t, schema, good...)
	if err := os.Truncate(cut, 200); err != nil {
		t.Fatal(err)
	}
	each := func(f *Rows, err error) error {
		if err != nil {
			return err
		}
		return f.Each(func([]float64, float64) bool { return true })
	}
	reader := func(schema *arrow.Schema, o Options, batches ...arrow.RecordBatch) error {
		return each(New(func() (array.RecordReader, error) { return array.NewRecordReader(schema, batches) }, o))
	}
	calls := 0
	// If one byte of a file is corrupted, reading may succeed or return an error, but must not
	// panic.
	path := writeParquet(t, schema, good...)
	whole, refused := must(os.ReadFile(path))(t), 0
	for i := range whole {
		spoilt := slices.Clone(whole)
		spoilt[i] ^= 0x55
		if err := os.WriteFile(path, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := each(OpenParquet(path, Options{})); err != nil {
			if refused++; !strings.Contains(err.Error(), path) {
				t.Errorf("with byte %d corrupted, got the error %v, want an error that names the file", i, err)
			}
		}
	}
	if refused < len(whole)/4 {
		t.Errorf("of %d corrupted files only %d were rejected, want at least a quarter", len(whole), refused)
	}
	func() {
		defer func() {
			if r := recover(); r != "the caller's own" {
				t.Errorf("got the panic %v, want \"the caller's own\", the panic value of yield", r)
			}
		}()
		f := must(OpenArrow(writeArrow(t, schema, good...), Options{}))(t)
		t.Error(f.Each(func([]float64, float64) bool { panic("the caller's own") }))
	}()
	missing := batchesOf(t, schema, `[{"a":1,"kind":"x"}]`, `[{"a":1,"kind":"x"},{"kind":"x"}]`)
	for want, err := range map[string]error{
		"open is nil":             each(New(nil, Options{})),
		"no.parquet":              each(OpenParquet("no.parquet", Options{})),
		"no.arrow":                each(OpenArrow("no.arrow", Options{})),
		"in " + garbage:           each(OpenParquet(garbage, Options{})),
		"(in " + garbage:          each(OpenArrow(garbage, Options{})),
		"in " + cut:               each(OpenArrow(cut, Options{})),
		"no rows":                 reader(schema, Options{}),
		`no column "sort"|"kind"`: reader(schema, Options{Label: "sort"}, good...),
		`column "a"|utf8`:         reader(words, Options{}, batchesOf(t, words, `[{"a":"1","kind":"x"}]`)...),
		`columns are called "a"`:  reader(twice, Options{}, array.NewRecordBatch(twice, good[0].Columns(), 2)),
		`row 2 (counting from 0), column "a": the value is missing`: reader(schema, Options{}, missing...),
		`row 1 (counting from 0), column "kind": the value is missing`: reader(schema, Options{},
			batchesOf(t, schema, `[{"a":1,"kind":"x"},{"a":3}]`)...),
		`row 1|class "y" is not in ["x" "z"]`: reader(schema, Options{Classes: []string{"x", "z"}}, good...),
		"twice":                               reader(schema, Options{Classes: []string{"x", "x"}}, good...),
		"the connection is closed": each(New(func() (array.RecordReader, error) {
			if calls++; calls > 1 {
				return nil, errors.New("the connection is closed")
			}
			return array.NewRecordReader(schema, good)
		}, Options{})),
		"arrowrows: |nil": (*Rows)(nil).Each(nil),
	} {
		for _, w := range append(strings.Split(want, "|"), "arrowrows: ") {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("got the error %v, want an error that contains %q", err, w)
			}
		}
	}
}
