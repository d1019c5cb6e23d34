package datasets

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"gonum.org/v1/gonum/mat"
)

func TestReadCSV(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          CSVOptions
		x          [][]float64
		labels     []int
		names      string // of features and classes
	}{
		{"plain", "a,b,kind\n1,2,x\n3,4,y\n5,6,x\n", CSVOptions{}, [][]float64{{1, 2}, {3, 4}, {5, 6}}, []int{0, 1, 0}, "a|b: x y"},
		{"no last newline", "a,kind\n1,x\n2,y", CSVOptions{}, [][]float64{{1}, {2}}, []int{0, 1}, "a: x y"},
		{"byte order mark and CRLF", "\ufeffa,kind\r\n1,x\r\n2,y\r\n", CSVOptions{}, [][]float64{{1}, {2}}, []int{0, 1}, "a: x y"},
		{"empty lines", "\n\na,kind\n\n1,x\n\n2,y\n\n", CSVOptions{}, [][]float64{{1}, {2}}, []int{0, 1}, "a: x y"},
		{"blanks and quotes", "a , \"b, c\",kind\n 1 ,2, \"an x\"\n", CSVOptions{}, [][]float64{{1, 2}}, []int{0}, "a|b, c: an x"},
		{"label by name", "a,kind,b\n1,x,2\n3,y,4\n", CSVOptions{Label: "kind"}, [][]float64{{1, 2}, {3, 4}}, []int{0, 1}, "a|b: x y"},
		{"order of classes", "a,kind\n1,x\n2,y\n", CSVOptions{Classes: []string{"y", "x", "z"}}, [][]float64{{1}, {2}}, []int{1, 0}, "a: y x z"},
		{"semicolon", "a;kind\n1.5;x\n", CSVOptions{Comma: ';'}, [][]float64{{1.5}}, []int{0}, "a: x"},
		{"no header", "1,2,x\n3,4,y\n", CSVOptions{NoHeader: true}, [][]float64{{1, 2}, {3, 4}}, []int{0, 1}, "x1|x2: x y"},
		{"skip missing", "a,kind\n1,x\nNA,x\n,y\n2,?\n3,y\n", CSVOptions{SkipMissing: true}, [][]float64{{1}, {3}}, []int{0, 1}, "a: x y"},
		{"numbers as classes", "a,kind\n1,0\n2,1\n", CSVOptions{}, [][]float64{{1}, {2}}, []int{0, 1}, "a: 0 1"},
		{"numbers as classes, by size", "a,kind\n1,10\n2,9\n", CSVOptions{}, [][]float64{{1}, {2}}, []int{1, 0}, "a: 9 10"},
		{"classes do not depend on the rows", "a,kind\n2,y\n1,x\n3,y\n", CSVOptions{}, [][]float64{{2}, {1}, {3}}, []int{1, 0, 1}, "a: x y"},
		{"all forms of numbers", "a,b,c,kind\n-1.5e-3,+2,1e-400,x\n", CSVOptions{}, [][]float64{{-0.0015, 2, 0}}, []int{0}, "a|b|c: x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := must(ReadCSV(strings.NewReader(c.text), c.o))(t)
			names := strings.Join(d.FeatureNames, "|") + ": " + strings.Join(d.ClassNames, " ")
			if names != c.names || !slices.Equal(d.Labels, c.labels) || !reflect.DeepEqual(rowsOf(d), c.x) {
				t.Errorf("%s, labels %v, rows %v", names, d.Labels, rowsOf(d))
			}
		})
	}
}

func TestReadCSVErrors(t *testing.T) {
	read := func(text string, o CSVOptions) error { return of(ReadCSV(strings.NewReader(text), o)) }
	none := CSVOptions{}
	faults(t, "datasets: ", map[string]error{
		"is empty: |header":                        read("", none),
		"the file is empty":                        read("\ufeff", none),
		"no rows|CSVOptions.NoHeader":              read("a,kind\n", none),
		"line 1|1 column|Comma":                    read("a;kind\n1;x\n", none),
		`line 3|column 2 (b)|"4.5.6"|not a number`: read("a,b,kind\n1,2,x\n3,4.5.6,y\n", none),
		`line 2|column 1|"1_000"|not a number`:     read("a,kind\n1_000,x\n", none),
		`line 2|column 1|"0x1p4"|not a number`:     read("a,kind\n0x1p4,x\n", none),
		`line 2|column 1|"1,5"`:                    read("a;kind\n1,5;x\n", CSVOptions{Comma: ';'}),
		"line 2|column 2 (b)|missing|SkipMissing":  read("a,b,kind\n1,,x\n", none),
		`line 4|column 1|"NA"`:                     read("a,kind\n\n\nNA,x\n", none),
		"line 2|column 1|missing":                  read("a,kind\nNaN,x\n", none),
		"line 3|column 1|not a finite number":      read("a,kind\n1,x\n-Inf,x\n", none),
		"line 2|column 1|too large":                read("a,kind\n1e999,x\n", none),
		"line 2|column 2 (kind)|missing":           read("a,kind\n1,\n", none),
		"line 3|2 columns|line 1 has 3":            read("a,b,kind\n1,2,x\n1,x\n", none),
		"line 2|3 columns|2":                       read("a,kind\n1,2,x\n", none),
		`line 1|columns 1 and 3|"a"`:               read("a,b,a,kind\n1,2,3,x\n", none),
		"line 1|column 2|no name":                  read("a,,kind\n1,2,x\n", none),
		`line 1|"class"|"kind"`:                    read("a,kind\n1,x\n", CSVOptions{Label: "class"}),
		"Label|NoHeader":                           read("1,x\n", CSVOptions{NoHeader: true, Label: "class"}),
		`line 3|column 2|"z"|"x", "y"`:             read("a,kind\n1,x\n2,z\n", CSVOptions{Classes: []string{"x", "y"}}),
		"Classes|twice":                            read("a,kind\n1,x\n", CSVOptions{Classes: []string{"x", "x"}}),
		"all 1 rows":                               read("a,kind\nNA,x\n", CSVOptions{SkipMissing: true}),
		"line|quote":                               read("a,kind\n1,\"x\n2,y\n", none),
		`line 4|column 1|"q"`:                      read("a,kind\n1,\"x\ny\"\nq,z\n", none), // after a quoted newline
	})
	broken := errors.New("the cable is out")
	for _, err := range []error{of(ReadCSV(iotest.ErrReader(broken), none)), of(ReadTable(iotest.ErrReader(broken), TableOptions{}))} {
		if !errors.Is(err, broken) {
			t.Errorf("a reader's error came back as %v", err)
		}
	}
}

// TestCSVRoundTrip: numbers of every size, and names that need quotes.
func TestCSVRoundTrip(t *testing.T) {
	d := sample()
	d.X.SetRow(0, []float64{math.Pi, -5e-324})
	d.X.SetRow(1, []float64{math.MaxFloat64, 0.1 + 0.2})
	d.FeatureNames = []string{"class", `a "quoted, name"`}
	var b strings.Builder
	if err := WriteCSV(&b, d); err != nil {
		t.Fatal(err)
	}
	back := must(ReadCSV(strings.NewReader(b.String()), CSVOptions{Label: "class_2", Classes: d.ClassNames}))(t)
	if !mat.Equal(back.X, d.X) || !slices.Equal(back.Labels, d.Labels) || !slices.Equal(back.FeatureNames, d.FeatureNames) {
		t.Errorf("%s\ncame back as %+v", b.String(), back)
	}
}

func TestWriteCSVFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "data.csv")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	bad := sample()
	bad.Labels[0] = 7
	mentions(t, WriteCSVFile(path, bad), "label of row 0")
	if b, _ := os.ReadFile(path); string(b) != "old" {
		t.Errorf("a failed write left %q", b)
	}
	d := sample()
	if err := WriteCSVFile(path, d); err != nil {
		t.Fatal(err)
	}
	back := must(ReadCSVFile(path, CSVOptions{Classes: d.ClassNames}))(t)
	if !mat.Equal(back.X, d.X) || !slices.Equal(back.Labels, d.Labels) || back.Name != "data" {
		t.Errorf("came back as %+v", back)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files are left", len(left))
	}
	mentions(t, WriteCSVFile(filepath.Join(dir, "no", "data.csv"), d), "WriteCSVFile")
	r, w := io.Pipe()
	_ = r.CloseWithError(errors.New("no space left"))
	mentions(t, WriteCSV(w, d), "WriteCSV", "no space left")
	_, err := ReadCSVFile(filepath.Join(dir, "none.csv"), CSVOptions{})
	mentions(t, err, "none.csv")
}

func FuzzReadCSV(f *testing.F) {
	for _, s := range []string{
		"a,b,kind\n1,2,x\n3,4,y\n", "\ufeffa,kind\r\n1,x\r\n", "", "\n", "a,a\n1,1", "a,kind\n\"1\",\"x\ny\"\n",
		"1,2,x\n", "a;b\n1;2\n", "a,kind\nNaN,x\n1e999,y\n", "a,kind\n1,x\n1,2,3\n", "\"", "a,\x00\n1,\xff\n",
	} {
		f.Add(s, "", false, false)
		f.Add(s, "a", true, true)
	}
	f.Fuzz(func(t *testing.T, text, label string, noHeader, skip bool) {
		d, err := ReadCSV(strings.NewReader(text), CSVOptions{Label: label, NoHeader: noHeader, SkipMissing: skip})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "datasets: ") {
				t.Errorf("error %q has no prefix", err)
			}
			return
		}
		if err := d.Check(); err != nil {
			t.Fatalf("%q gives a bad data set: %v", text, err)
		}
		// What was read can be written and read again.
		var b strings.Builder
		if err := WriteCSV(&b, d); err != nil {
			t.Fatal(err)
		}
		again, err := ReadCSV(strings.NewReader(b.String()), CSVOptions{})
		if err != nil {
			t.Fatalf("%q written as %q: %v", text, b.String(), err)
		}
		if !mat.Equal(again.X, d.X) || !slices.Equal(again.Labels, d.Labels) {
			t.Fatalf("%q written as %q came back different", text, b.String())
		}
	})
}
