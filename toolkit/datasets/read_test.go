package datasets

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"gonum.org/v1/gonum/mat"
)

// TestReadCSV checks ReadCSV and OpenCSVFile. Every pass over an open file must yield the same rows.
func TestReadCSV(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	for _, c := range []struct {
		name, text string
		o          CSVOptions
		x          [][]float64
		labels     []int
		names      string // feature names and class names
	}{
		{"plain", "a,b,kind\n1,2,x\n3,4,y\n5,6,x\n", CSVOptions{}, [][]float64{{1, 2}, {3, 4}, {5, 6}}, []int{0, 1, 0},
			"a|b: x y"},
		{"no last newline", "a,kind\n1,x\n2,y", CSVOptions{}, [][]float64{{1}, {2}}, []int{0, 1}, "a: x y"},
		{"byte order mark and CRLF", "\ufeffa,kind\r\n1,x\r\n2,y\r\n", CSVOptions{}, [][]float64{{1}, {2}}, []int{0, 1},
			"a: x y"},
		{"empty lines", "\n\na,kind\n\n1,x\n\n2,y\n\n", CSVOptions{}, [][]float64{{1}, {2}}, []int{0, 1}, "a: x y"},
		{"blanks and quotes", "a , \"b, c\",kind\n 1 ,2, \"an x\"\n", CSVOptions{}, [][]float64{{1, 2}}, []int{0},
			"a|b, c: an x"},
		{"label by name", "a,kind,b\n1,x,2\n3,y,4\n", CSVOptions{Label: "kind"}, [][]float64{{1, 2}, {3, 4}},
			[]int{0, 1}, "a|b: x y"},
		{"order of classes", "a,kind\n1,x\n2,y\n", CSVOptions{Classes: []string{"y", "x", "z"}}, [][]float64{{1}, {2}},
			[]int{1, 0}, "a: y x z"},
		{"semicolon", "a;kind\n1.5;x\n", CSVOptions{Comma: ';'}, [][]float64{{1.5}}, []int{0}, "a: x"},
		{"no header, missing", "1,2,x\n3,NA,y\n5,6,z\n", CSVOptions{NoHeader: true, SkipMissing: true},
			[][]float64{{1, 2}, {5, 6}}, []int{0, 1}, "x1|x2: x z"},
		{"skip missing", "a,kind\n1,x\nNA,x\n,y\n2,?\n3,y\n", CSVOptions{SkipMissing: true}, [][]float64{{1}, {3}},
			[]int{0, 1}, "a: x y"},
		{"numbers as classes, by size", "a,kind\n1,10\n2,9\n", CSVOptions{}, [][]float64{{1}, {2}}, []int{1, 0},
			"a: 9 10"},
		{"order of classes, whatever the order of rows", "a,kind\n2,y\n1,x\n3,y\n", CSVOptions{}, [][]float64{{2}, {1}, {3}},
			[]int{1, 0, 1}, "a: x y"},
		{"signs, exponents and underflow", "a,b,c,kind\n-1.5e-3,+2,1e-400,x\n", CSVOptions{}, [][]float64{{-0.0015, 2, 0}},
			[]int{0}, "a|b|c: x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := must(ReadCSV(strings.NewReader(c.text), c.o))(t)
			names := strings.Join(d.FeatureNames, "|") + ": " + strings.Join(d.ClassNames, " ")
			if names != c.names || !slices.Equal(d.Labels, c.labels) || !reflect.DeepEqual(rowsOf(d), c.x) {
				t.Errorf("got the feature and class names %q (want %q), the labels %v (want %v) and the rows %v (want %v)",
					names, c.names, d.Labels, c.labels, rowsOf(d), c.x)
			}
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			f := must(OpenCSVFile(path, c.o))(t)
			if !slices.Equal(f.FeatureNames, d.FeatureNames) || !slices.Equal(f.ClassNames, d.ClassNames) {
				t.Errorf("OpenCSVFile: got the features %q (want %q) and the classes %q (want %q), the names from ReadCSV",
					f.FeatureNames, d.FeatureNames, f.ClassNames, d.ClassNames)
			}
			for range 2 {
				var labels []int
				var rows [][]float64
				if err := f.Each(func(x []float64, label float64) bool {
					rows, labels = append(rows, slices.Clone(x)), append(labels, int(label))
					return true
				}); err != nil || !reflect.DeepEqual(rows, c.x) || !slices.Equal(labels, c.labels) {
					t.Errorf("Each: got the rows %v (want %v), the labels %v (want %v) and the error %v (want no error)",
						rows, c.x, labels, c.labels, err)
				}
			}
		})
	}
}

func TestReadCSVErrors(t *testing.T) {
	read := func(text string, o CSVOptions) error { return errorOf(ReadCSV(strings.NewReader(text), o)) }
	none := CSVOptions{}
	wantErrors(t, "datasets: ", map[string]error{
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
	for _, err := range []error{errorOf(ReadCSV(iotest.ErrReader(broken), none)),
		errorOf(ReadTable(iotest.ErrReader(broken), TableOptions{}))} {
		if !errors.Is(err, broken) {
			t.Errorf("got the error %v, want the error of the reader", err)
		}
	}
}

// TestCSVRoundTrip checks that reading restores the rows and the names of features and classes that
// WriteCSVFile has written. The data contain very large and very small numbers, and a name that needs
// quotation marks. A failed write must leave the file unchanged.
func TestCSVRoundTrip(t *testing.T) {
	d, dir := sample(), t.TempDir()
	path := filepath.Join(dir, "data.csv")
	d.X.SetRow(0, []float64{math.Pi, -5e-324})
	d.X.SetRow(1, []float64{math.MaxFloat64, 0.1 + 0.2})
	d.FeatureNames = []string{"class", `a "quoted, name"`}
	if err := WriteCSVFile(path, d); err != nil {
		t.Fatal(err)
	}
	bad := sample()
	bad.Labels[0] = 7
	wantMention(t, WriteCSVFile(path, bad), "label of row 0")
	for _, name := range []string{"NA", " a", "?"} {
		odd := sample()
		odd.ClassNames[1] = name
		wantMention(t, WriteCSVFile(path, odd), "cannot be read back", "Relabel")
	}
	back := must(ReadCSVFile(path, CSVOptions{Label: "class_2", Classes: d.ClassNames}))(t)
	if !mat.Equal(back.X, d.X) || !slices.Equal(back.Labels, d.Labels) || back.Name != "data" ||
		!slices.Equal(back.FeatureNames, d.FeatureNames) {
		t.Errorf("after writing and reading, got the rows %v (want %v), the labels %v (want %v), the features %q (want %q) and the name %q (want \"data\")",
			rowsOf(back), rowsOf(d), back.Labels, d.Labels, back.FeatureNames, d.FeatureNames, back.Name)
	}
	r, w := io.Pipe()
	_ = r.CloseWithError(errors.New("no space left"))
	wantMention(t, WriteCSV(w, d), "WriteCSV", "no space left")
	wantMention(t, WriteCSVFile(filepath.Join(dir, "no", "data.csv"), d), "WriteCSVFile")
	wantMention(t, errorOf(ReadCSVFile(filepath.Join(dir, "none.csv"), CSVOptions{})), "none.csv")
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
				t.Errorf("the error %q does not begin with \"datasets: \"", err)
			}
			return
		}
		if err := d.Check(); err != nil {
			t.Fatalf("ReadCSV accepts %q but returns an invalid data set: %v", text, err)
		}
		// Writing and reading again must not change the data set.
		var b strings.Builder
		if err := WriteCSV(&b, d); err != nil {
			t.Fatal(err)
		}
		again, err := ReadCSV(strings.NewReader(b.String()), CSVOptions{})
		if err != nil {
			t.Fatalf("the data set in %q is written as %q, which ReadCSV rejects: %v", text, b.String(), err)
		}
		if !mat.Equal(again.X, d.X) || !slices.Equal(again.Labels, d.Labels) {
			t.Fatalf("the data set in %q is written as %q and changes when it is read again", text, b.String())
		}
	})
}

func TestReadTable(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          TableOptions
		columns    string // name and kind of each column, such as a:numeric
		label      string
		values     [][]string
	}{
		{"plain", "age,race,low\n19,black,no\n33,white,yes\n", TableOptions{},
			"age:numeric race:categorical low:categorical", "low",
			[][]string{{"19", "33"}, {"black", "white"}, {"no", "yes"}}},
		{"numbers as class", "a,k\n1,0\n2,1\n", TableOptions{}, "a:numeric k:categorical", "k",
			[][]string{{"1", "2"}, {"0", "1"}}},
		{"codes", "ward,k\n1,x\n2,y\n", TableOptions{Categorical: []string{"ward"}}, "ward:categorical k:categorical",
			"k", [][]string{{"1", "2"}, {"x", "y"}}},
		{"label by name", "k,a\nx,1\ny,2\n", TableOptions{Label: "k"}, "k:categorical a:numeric", "k",
			[][]string{{"x", "y"}, {"1", "2"}}},
		{"no label", "a,b\n1,x\n", TableOptions{NoLabel: true}, "a:numeric b:categorical", "",
			[][]string{{"1"}, {"x"}}},
		{"no header", "1,u,x\n2,v,y\n", TableOptions{NoHeader: true}, "x1:numeric x2:categorical class:categorical",
			"class", [][]string{{"1", "2"}, {"u", "v"}, {"x", "y"}}},
		{"no header, no label", "1,u\n", TableOptions{NoHeader: true, NoLabel: true}, "x1:numeric x2:categorical", "",
			[][]string{{"1"}, {"u"}}},
		{"missing", "a,b,k\nNA,u,x\n2,?,y\n,v,\n", TableOptions{}, "a:numeric b:categorical k:categorical", "k",
			[][]string{{"", "2", ""}, {"u", "", "v"}, {"x", "y", ""}}},
		{"own marks", "a,k\n-999,x\n-,y\n3,z\n", TableOptions{Missing: []string{"-999", "-"}},
			"a:numeric k:categorical", "k", [][]string{{"", "", "3"}, {"x", "y", "z"}}},
		{"column without values", "a,k\n,x\n", TableOptions{}, "a:numeric k:categorical", "k", [][]string{{""}, {"x"}}},
		{"half of the values are words", "a,k\n1,x\nu,y\n", TableOptions{}, "a:categorical k:categorical", "k",
			[][]string{{"1", "u"}, {"x", "y"}}},
		{"semicolon", "a;k\n1;x\n", TableOptions{Comma: ';'}, "a:numeric k:categorical", "k", [][]string{{"1"}, {"x"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := must(ReadTable(strings.NewReader(c.text), c.o))(t)
			var columns []string
			var values [][]string
			for _, col := range tab.Columns {
				columns = append(columns, col.Name+":"+col.Kind.String())
				values = append(values, col.Values)
			}
			if got := strings.Join(columns, " "); got != c.columns || tab.Label != c.label || tab.N() != len(c.values[0]) || !reflect.DeepEqual(values, c.values) {
				t.Errorf("got the columns %q (want %q), the label %q (want %q), %d rows (want %d) and the values %q (want %q)",
					got, c.columns, tab.Label, c.label, tab.N(), len(c.values[0]), values, c.values)
			}
		})
	}
}

func TestReadTableErrors(t *testing.T) {
	read := func(text string, o TableOptions) error { return errorOf(ReadTable(strings.NewReader(text), o)) }
	none, numeric := TableOptions{}, TableOptions{Numeric: []string{"a"}}
	// TestReadCSVErrors checks the errors that ReadTable and ReadCSV have in common.
	wantErrors(t, "datasets: ", map[string]error{
		"no rows|TableOptions.NoHeader":          read("a,k\n", none),
		`"kind"|TableOptions.Label|"class", "k"`: read("class,k\n1,2\n", TableOptions{Label: "kind"}),
		"Label|NoLabel":                          read("a,k\n1,x\n", TableOptions{Label: "k", NoLabel: true}),
		`"b"|Categorical|"a", "k"`:               read("a,k\n1,x\n", TableOptions{Categorical: []string{"b"}}),
		`"a"|both`: read("a,k\n1,x\n",
			TableOptions{Categorical: []string{"a"}, Numeric: []string{"a"}}),
		`line 5|column 1 (a)|"3.4.5"|2 other values|TableOptions.Missing|TableOptions.Categorical`: read("a,k\n1,x\n2,x\n\n3.4.5,y\n", none),
		`line 4|"Inf"`:                         read("a,k\n1,x\n2,x\nInf,y\n", none),
		`line 2|column 1 (a)|"u"|not a number`: read("a,k\nu,x\n", numeric),
		"line 2|too large":                     read("a,k\n1e999,x\n", numeric),
	})
	path := filepath.Join(t.TempDir(), "wards.csv")
	if err := os.WriteFile(path, []byte("a,k\n1,x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if tab := must(ReadTableFile(path, TableOptions{}))(t); tab.Name != "wards" || tab.N() != 1 {
		t.Errorf("got a table with the name %q and %d rows, want \"wards\" and 1", tab.Name, tab.N())
	}
	wantMention(t, errorOf(ReadTableFile(path, TableOptions{Label: "z"})), "wards.csv", `"z"`)
	wantMention(t, errorOf(ReadTableFile(path+"x", TableOptions{})), "wards.csvx")
}

func TestTableCheck(t *testing.T) {
	good := func() *Table {
		return &Table{Label: "k",
			Columns: []Column{{"a", KindNumeric, []string{"1", ""}}, {"k", KindCategorical, []string{"x", "y"}}}}
	}
	if err := good().Check(); err != nil {
		t.Error(err)
	}
	for words, spoil := range map[string]func(t *Table){
		"empty: want at least one column":       func(t *Table) { t.Columns = nil },
		"empty":                                 func(t *Table) { t.Columns[0].Values = nil },
		`"k" has 1 values but "a" has 2`:        func(t *Table) { t.Columns[1].Values = []string{"x"} },
		"twice":                                 func(t *Table) { t.Columns[1].Name = "a" },
		`no column is called "z" (Table.Label)`: func(t *Table) { t.Label = "z" },
		`"k" has the unknown kind Kind(7)`:      func(t *Table) { t.Columns[1].Kind = 7 },
		`row 0, column "a": "u"`:                func(t *Table) { t.Columns[0].Values[0] = "u" },
	} {
		tab := good()
		spoil(tab)
		for _, err := range []error{tab.Check(), errorOf(NewEncoder(tab, EncoderOptions{})), errors.New(tab.Describe())} {
			wantMention(t, err, words)
		}
	}
	var none *Table
	wantMention(t, none.Check(), "empty")
	wantMention(t, errorOf(none.Column("a")), "nil")
	wantMention(t, errorOf(good().Column("b")), `"b"`, `"a", "k"`)
	tab := good()
	c := must(tab.Column("a"))(t)
	c.Values[0] = "changed"
	if tab.Columns[0].Values[0] != "1" {
		t.Error("the result of Column shares memory with the table")
	}
}

func TestLevels(t *testing.T) {
	for _, c := range []struct{ values, want []string }{
		{[]string{"b", "a", "", "b", "B"}, []string{"B", "a", "b"}},
		{[]string{"10", "9", "1", "10"}, []string{"1", "9", "10"}},
		{[]string{"1.0", "1", "-2"}, []string{"-2", "1", "1.0"}},
		{[]string{"10", "9", "x"}, []string{"10", "9", "x"}},
		{[]string{"", ""}, []string{}},
		{nil, nil},
	} {
		if got := (Column{Values: c.values}).Levels(); !slices.Equal(got, c.want) {
			t.Errorf("for the values %q got the levels %q, want %q", c.values, got, c.want)
		}
	}
}

func TestDescribeTable(t *testing.T) {
	many := must(ReadTable(strings.NewReader("b\nh\ng\nf\ne\nd\nc\nb\n"),
		TableOptions{NoLabel: true, Source: "made up"}))(t)
	if got := many.Describe(); !strings.Contains(got, "b, c, d, e, f, g, …\n") ||
		!strings.HasSuffix(got, "\nmade up\n") {
		t.Errorf("got the description %q, want the levels \"b, c, d, e, f, g, …\", and at the end the source \"made up\"", got)
	}
}

// TestOpenCSVFileErrors checks the errors of OpenCSVFile, and the errors of Each for a file that has
// changed since the first pass.
func TestOpenCSVFileErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	open := func(text string, o CSVOptions) error {
		write(text)
		return errorOf(OpenCSVFile(path, o))
	}
	good := "a,kind\n1,x\n2,y\n"
	later := func(text string) error {
		write(good)
		f := must(OpenCSVFile(path, CSVOptions{}))(t)
		write(text)
		return f.Each(func([]float64, float64) bool { return true })
	}
	wantErrors(t, "datasets: ", map[string]error{
		"no such file": errorOf(OpenCSVFile(filepath.Join(t.TempDir(), "none.csv"),
			CSVOptions{})),
		`line 3|column 1 (a)|"two"|in ` + path:       open("a,kind\n1,x\ntwo,y\n", CSVOptions{}),
		"line 3 has 3 columns":                       open("a,kind\n1,x\n2,y,3\n", CSVOptions{}),
		"no rows":                                    open("a,kind\n", CSVOptions{}),
		"no row is left":                             open("a,kind\nNA,x\n", CSVOptions{SkipMissing: true}),
		`no column is called "sort"|Label`:           open(good, CSVOptions{Label: "sort"}),
		`line 2|class "x"|not in CSVOptions.Classes`: open(good, CSVOptions{Classes: []string{"u", "v"}}),
		`line 4|class "z"|not in`:                    later(good + "3,z\n"),
		`line 4, column 1 (a)|the value is missing (the field is "")`: later(good + ",x\n"),
		"Each|nil": (*CSVRows)(nil).Each(nil),
	})
}

// TestCSVRowsMemory checks that the heap grows by at most 6 MB while a file of 9.5 MB is read.
func TestCSVRowsMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big.csv")
	var b strings.Builder
	b.WriteString("a,b,kind\n")
	const n = 400_000
	for i := range n {
		b.WriteString(strconv.FormatFloat(float64(i)*0.001953125, 'g', -1, 64) + ",-12.5e-3,k" + strconv.Itoa(i%3) +
			"\n")
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
		t.Errorf("read %d rows with the error %v, want %d rows and no error", rows, err, n)
	}
	if peak > before+6<<20 {
		t.Errorf("the heap grew by %.1f MB while a file of %.1f MB was read, want at most 6 MB", float64(peak-before)/(1<<20),
			float64(size)/(1<<20))
	}
}
