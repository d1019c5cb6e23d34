package datasets

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestOpenCSVFile: every pass over a file yields what ReadCSVFile keeps.
func TestOpenCSVFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	for _, c := range []struct {
		name, text string
		o          CSVOptions
	}{
		{"plain", "a,b,kind\n1,2,x\n3,4,y\n5,6,x\n", CSVOptions{}},
		{"label by name", "a,kind,b\n1,y,2\n3,x,4\n", CSVOptions{Label: "kind"}},
		{"order of classes", "a,kind\n1,x\n2,y\n", CSVOptions{Classes: []string{"y", "x", "z"}}},
		{"numbers as classes", "a,kind\n1,10\n2,9\n", CSVOptions{}},
		{"no header, missing", "1,2,x\n3,NA,y\n5,6,z\n", CSVOptions{NoHeader: true, SkipMissing: true}},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		want := must(ReadCSVFile(path, c.o))(t)
		f := must(OpenCSVFile(path, c.o))(t)
		if f.D() != want.D() || f.K() != want.K() || !slices.Equal(f.FeatureNames, want.FeatureNames) || !slices.Equal(f.ClassNames, want.ClassNames) {
			t.Errorf("%s: columns %q, classes %q, want %q, %q", c.name, f.FeatureNames, f.ClassNames, want.FeatureNames, want.ClassNames)
		}
		for range 2 {
			var labels []int
			var rows [][]float64
			if err := f.Each(func(x []float64, label float64) bool {
				rows, labels = append(rows, slices.Clone(x)), append(labels, int(label))
				return true
			}); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(rows, rowsOf(want)) || !slices.Equal(labels, want.Labels) {
				t.Errorf("%s: rows %v of classes %v, want %v, %v", c.name, rows, labels, rowsOf(want), want.Labels)
			}
		}
	}
}

// TestOpenCSVFileErrors: they name file, line and column, also when the file has
// changed between two passes.
func TestOpenCSVFileErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	open := func(text string, o CSVOptions) error {
		write(text)
		return of(OpenCSVFile(path, o))
	}
	good := "a,kind\n1,x\n2,y\n"
	later := func(text string) error {
		write(good)
		f := must(OpenCSVFile(path, CSVOptions{}))(t)
		write(text)
		return f.Each(func([]float64, float64) bool { return true })
	}
	faults(t, "datasets: ", map[string]error{
		"no such file":                                of(OpenCSVFile(filepath.Join(t.TempDir(), "none.csv"), CSVOptions{})),
		`line 3|column 1 (a)|"two"|in ` + path:        open("a,kind\n1,x\ntwo,y\n", CSVOptions{}),
		"line 3 has 3 columns":                        open("a,kind\n1,x\n2,y,3\n", CSVOptions{}),
		"no rows":                                     open("a,kind\n", CSVOptions{}),
		"nothing is left":                             open("a,kind\nNA,x\n", CSVOptions{SkipMissing: true}),
		`no column is called "sort"|Label`:            open(good, CSVOptions{Label: "sort"}),
		`line 2|class "x"|none of CSVOptions.Classes`: open(good, CSVOptions{Classes: []string{"u", "v"}}),
		`line 4|class "z"|none of`:                    later(good + "3,z\n"),
		`line 4, column 1 (a)|"" is missing`:          later(good + ",x\n"),
		"Each|nil":                                    (*CSVRows)(nil).Each(nil),
	})
}

// TestCSVRowsMemory: a file of 12 MB is read in a small part of that.
func TestCSVRowsMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big.csv")
	var b strings.Builder
	b.WriteString("a,b,kind\n")
	const n = 400_000
	for i := range n {
		b.WriteString(strconv.FormatFloat(float64(i)*0.001953125, 'g', -1, 64) + ",-12.5e-3,k" + strconv.Itoa(i%3) + "\n")
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	size := b.Len()
	b.Reset()
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	runtime.GC()
	before, peak, rows := heap(), uint64(0), 0
	f := must(OpenCSVFile(path, CSVOptions{}))(t)
	if err := f.Each(func([]float64, float64) bool {
		if rows++; rows%10_000 == 0 {
			peak = max(peak, heap())
		}
		return true
	}); err != nil || rows != n {
		t.Errorf("%d rows, %v", rows, err)
	}
	if peak > before+6<<20 {
		t.Errorf("the heap grew by %.1f MB over a file of %.1f MB, want at most 6", float64(peak-before)/(1<<20), float64(size)/(1<<20))
	}
}
