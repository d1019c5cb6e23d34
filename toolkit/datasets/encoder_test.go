package datasets

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// mixed has a numeric column and two categorical ones, one of them of numbers.
const mixed = "age,race,ward,low\n20,black,2,no\n30,white,10,yes\n40,black,1,no\n"

func mixedTable(t *testing.T) *Table {
	t.Helper()
	return must(ReadTable(strings.NewReader(mixed), TableOptions{Categorical: []string{"ward"}, Name: "mixed", Source: "made up"}))(t)
}

// Which class is C₁ does not depend on the order of the rows.
func TestEncoderSortsClasses(t *testing.T) {
	for _, text := range []string{"a,k\n1,10\n2,9\n", "a,k\n2,9\n1,10\n"} {
		tab := must(ReadTable(strings.NewReader(text), TableOptions{}))(t)
		if e := must(NewEncoder(tab, EncoderOptions{}))(t); !slices.Equal(e.Classes, []string{"9", "10"}) {
			t.Errorf("%q: classes %q", text, e.Classes)
		}
	}
}

func TestEncode(t *testing.T) {
	for _, c := range []struct {
		name     string
		o        EncoderOptions
		features string
		x        [][]float64
		classes  string
		labels   []int
	}{
		{"all levels", EncoderOptions{}, "age race=black race=white ward=1 ward=2 ward=10",
			[][]float64{{20, 1, 0, 0, 1, 0}, {30, 0, 1, 0, 0, 1}, {40, 1, 0, 1, 0, 0}}, "no yes", []int{0, 1, 0}},
		{"without the first", EncoderOptions{DropFirst: true}, "age race=white ward=2 ward=10",
			[][]float64{{20, 0, 1, 0}, {30, 1, 0, 1}, {40, 0, 0, 0}}, "no yes", []int{0, 1, 0}},
		{"levels given", EncoderOptions{DropFirst: true, Levels: map[string][]string{"race": {"white", "other", "black"}}}, "age race=other race=black ward=2 ward=10",
			[][]float64{{20, 0, 1, 1, 0}, {30, 0, 0, 0, 1}, {40, 0, 1, 0, 0}}, "no yes", []int{0, 1, 0}},
		{"columns given", EncoderOptions{Columns: []string{"race", "age"}}, "race=black race=white age",
			[][]float64{{1, 0, 20}, {0, 1, 30}, {1, 0, 40}}, "no yes", []int{0, 1, 0}},
		{"classes given", EncoderOptions{Columns: []string{"age"}, Classes: []string{"yes", "no", "unknown"}}, "age",
			[][]float64{{20}, {30}, {40}}, "yes no unknown", []int{1, 0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := mixedTable(t)
			e := must(NewEncoder(tab, c.o))(t)
			d := must(e.Encode(tab))(t)
			if got := strings.Join(d.FeatureNames, " "); got != c.features {
				t.Errorf("features %s", got)
			}
			if !reflect.DeepEqual(rowsOf(d), c.x) || !slices.Equal(d.Labels, c.labels) || strings.Join(d.ClassNames, " ") != c.classes {
				t.Errorf("x %v, labels %v, classes %v", rowsOf(d), d.Labels, d.ClassNames)
			}
			if d.Name != "mixed" || d.Source != "made up" {
				t.Errorf("%q from %q", d.Name, d.Source)
			}
			if x := must(e.EncodeInputs(tab))(t); !mat.Equal(x, d.X) {
				t.Error("EncodeInputs gives other inputs than Encode")
			}
			if !reflect.DeepEqual(tab, mixedTable(t)) {
				t.Error("the table was changed")
			}
			d.ClassNames[0] = "changed"
			if e.Classes[0] == "changed" {
				t.Error("the data set shares memory with the encoder")
			}
		})
	}
}

// TestNewRows: rows that were not there when the encoder was made, in a table
// with other columns in another order and another guess at their kinds.
func TestNewRows(t *testing.T) {
	e := must(NewEncoder(mixedTable(t), EncoderOptions{DropFirst: true}))(t)
	rows := must(ReadTable(strings.NewReader("ward,name,race,age\n10,Ann,black,25\n1,Bea,white,35\n"), TableOptions{NoLabel: true}))(t)
	x := must(e.EncodeInputs(rows))(t)
	if want := mat.NewDense(2, 4, []float64{25, 0, 0, 1, 35, 1, 0, 0}); !mat.Equal(x, want) {
		t.Errorf("%v", mat.Formatted(x))
	}
	if got := must(e.EncodeRow("25", "black", "10"))(t); !slices.Equal(got, x.RawRowView(0)) {
		t.Errorf("EncodeRow gives %v", got)
	}
	read := func(text string) *Table { return must(ReadTable(strings.NewReader(text), TableOptions{}))(t) }
	second := func(_ any, err error) error { return err }
	for _, c := range []struct {
		name string
		err  error
		want []string
	}{
		{"unseen level", second(e.Encode(read("age,race,ward,low\n20,black,1,no\n20,blakc,1,no\n"))), []string{"Encode", "row 1", `"race"`, `level "blakc" is not known`, `"black", "white"`}},
		{"nearly", second(e.EncodeRow("1", "whit", "1")), []string{"EncodeRow", "row 0", `did you mean "white"?`}},
		{"other code", second(e.EncodeRow("1", "white", "1.0")), []string{`"ward"`, `"1.0"`, `"1", "2", "10"`}},
		{"unseen class", second(e.Encode(read("age,race,ward,low\n20,black,1,maybe\n"))), []string{"row 0", `class "maybe" is not known`, `"no", "yes"`}},
		{"no number", second(e.EncodeRow("x", "white", "1")), []string{`"age"`, `"x"`, "not a number"}},
		{"number of values", second(e.EncodeRow("1", "white")), []string{"2 values", "3 features", `"age", "race", "ward"`}},
		{"missing", second(e.EncodeRow("1", "", "1")), []string{`"race"`, "missing", "MissingFill"}},
		{"missing class", second(e.Encode(read("age,race,ward,low\n20,black,1,\n"))), []string{"row 0 has no class", `"low"`}},
		{"column", second(e.EncodeInputs(read("age,ward\n20,1\n"))), []string{"EncodeInputs", `no column "race"`}},
		{"class column", second(e.Encode(read("age,race,ward\n20,black,1\n"))), []string{`no column "low"`}},
		{"nil table", second(e.Encode(nil)), []string{"empty"}},
		{"nil encoder", second((*Encoder)(nil).Encode(rows)), []string{"no features"}},
		{"nil encoder, one row", second((*Encoder)(nil).EncodeRow("1")), []string{"no features"}},
		{"numeric index", second(e.Indices(mixedTable(t))), []string{"Indices", `"age" is numeric`, "EncoderOptions.Columns"}},
	} {
		t.Run(c.name, func(t *testing.T) { mentions(t, c.err, append(c.want, "datasets: ")...) })
	}
	unlabelled := must(NewEncoder(rows, EncoderOptions{Columns: []string{"race"}}))(t)
	_, err := unlabelled.Encode(rows)
	mentions(t, err, "without a class", "EncodeInputs")
}

// TestShuttleIndices: the levels are those of the oracle's nb_categorical/shuttle
// (sorted bytewise), and the two forms say the same.
func TestShuttleIndices(t *testing.T) {
	tab := ShuttleTable()
	e := must(NewEncoder(tab, EncoderOptions{Classes: []string{"auto", "noauto"}}))(t)
	if got := e.LevelCounts(); !slices.Equal(got, []int{2, 4, 2, 2, 4, 2}) {
		t.Errorf("levels %v", got)
	}
	if got := e.Features[4].Levels; !slices.Equal(got, []string{"Light", "Medium", "Out", "Strong"}) {
		t.Errorf("levels of magn: %q", got)
	}
	index, ones := must(e.Indices(tab))(t), must(e.Encode(tab))(t)
	if got := strings.Join(index.FeatureNames, " "); got != "stability error sign wind magn vis" || !slices.Equal(index.Labels, ones.Labels) {
		t.Errorf("features %s", got)
	}
	for i := range index.N() {
		at := 0
		for j, l := range e.LevelCounts() {
			for k := range l {
				want := 0.0
				if index.X.At(i, j) == float64(k) {
					want = 1
				}
				if got := ones.X.At(i, at+k); got != want {
					t.Fatalf("row %d, feature %d, level %d: %v, want %v", i, j, k, got, want)
				}
			}
			at += l
		}
	}
	if x := must(e.IndexInputs(tab))(t); !mat.Equal(x, index.X) {
		t.Error("IndexInputs gives other numbers than Indices")
	}
	first := must(NewEncoder(tab, EncoderOptions{DropFirst: true}))(t)
	if x := must(first.IndexInputs(tab))(t); !mat.Equal(x, index.X) {
		t.Error("DropFirst changes the level numbers")
	}
}

func TestMissing(t *testing.T) {
	tab := must(ReadTable(strings.NewReader("a,b,k\n1,u,x\n,v,x\n4,,y\n7,v,y\n7,v,\n"), TableOptions{}))(t)
	filled := must(ReadTable(strings.NewReader("a,b,k\n1,u,x\n,v,x\n4,,y\n7,v,y\n"), TableOptions{}))(t)
	_, err := NewEncoder(tab, EncoderOptions{})
	mentions(t, err, "row 1", `"a"`, "missing", "MissingSkip", "MissingFill")
	_, err = NewEncoder(tab, EncoderOptions{Missing: MissingFill})
	mentions(t, err, "row 4 has no class", `"k"`, "MissingSkip")
	_, err = NewEncoder(tab, EncoderOptions{Missing: 9})
	mentions(t, err, "Missing is 9", "MissingFill")

	skip := must(NewEncoder(tab, EncoderOptions{Missing: MissingSkip}))(t)
	d := must(skip.Encode(tab))(t)
	if want := [][]float64{{1, 1, 0}, {7, 0, 1}}; !reflect.DeepEqual(rowsOf(d), want) || !slices.Equal(d.Labels, []int{0, 1}) {
		t.Errorf("skipped: %v, %v", rowsOf(d), d.Labels)
	}
	_, err = skip.EncodeInputs(tab)
	mentions(t, err, "row 1", "cannot be skipped", "MissingFill")
	// A level that only skipped rows have is not known.
	gone := must(ReadTable(strings.NewReader("a,b,k\n1,u,x\n,w,x\n"), TableOptions{}))(t)
	if e := must(NewEncoder(gone, EncoderOptions{Missing: MissingSkip}))(t); !slices.Equal(e.Features[1].Levels, []string{"u"}) {
		t.Errorf("levels %q", e.Features[1].Levels)
	}

	fill := must(NewEncoder(filled, EncoderOptions{Missing: MissingFill}))(t)
	d = must(fill.Encode(filled))(t)
	if want := [][]float64{{1, 1, 0}, {4, 0, 1}, {4, 0, 1}, {7, 0, 1}}; !reflect.DeepEqual(rowsOf(d), want) {
		t.Errorf("filled: %v", rowsOf(d))
	}
	if got := must(fill.EncodeRow("", ""))(t); !slices.Equal(got, []float64{4, 0, 1}) {
		t.Errorf("a row of nothing: %v", got)
	}
	// Two levels equally frequent: the first.
	even := must(ReadTable(strings.NewReader("b\nv\nu\nNA\n"), TableOptions{NoLabel: true}))(t)
	if e := must(NewEncoder(even, EncoderOptions{Missing: MissingFill}))(t); e.Features[0].Mode != 0 {
		t.Errorf("mode %d", e.Features[0].Mode)
	}
}

func TestNewEncoderErrors(t *testing.T) {
	read := func(text string) *Table { return must(ReadTable(strings.NewReader(text), TableOptions{}))(t) }
	names := "name,k\n"
	for i := range 51 {
		names += fmt.Sprintf("N%d,x\n", i)
	}
	for _, c := range []struct {
		name string
		t    *Table
		o    EncoderOptions
		want []string
	}{
		{"nil", nil, EncoderOptions{}, []string{"empty"}},
		{"no feature", read("k\nx\n"), EncoderOptions{}, []string{"no feature"}},
		{"unknown column", mixedTable(t), EncoderOptions{Columns: []string{"agee"}}, []string{`"agee"`, `"age"`}},
		{"column twice", mixedTable(t), EncoderOptions{Columns: []string{"age", "age"}}, []string{"twice"}},
		{"class as feature", mixedTable(t), EncoderOptions{Columns: []string{"low"}}, []string{`"low" is the class`}},
		{"levels of no column", mixedTable(t), EncoderOptions{Levels: map[string][]string{"rac": nil}}, []string{`"rac"`, "no feature"}},
		{"levels of numbers", mixedTable(t), EncoderOptions{Levels: map[string][]string{"age": {"20"}}}, []string{`"age"`, "numeric", "TableOptions.Categorical"}},
		{"level not given", mixedTable(t), EncoderOptions{Levels: map[string][]string{"race": {"black"}}}, []string{"row 1", `"white"`, `the levels are "black"`}},
		{"level given twice", mixedTable(t), EncoderOptions{Levels: map[string][]string{"race": {"black", "white", "black"}}}, []string{`"race"`, "twice"}},
		{"class not given", mixedTable(t), EncoderOptions{Classes: []string{"yes"}}, []string{"row 0", `"no"`, `EncoderOptions.Classes ("yes")`}},
		{"class given twice", mixedTable(t), EncoderOptions{Classes: []string{"yes", "no", "no"}}, []string{"twice"}},
		{"too many levels", read(names), EncoderOptions{}, []string{`"name" has 51 levels`, "MaxLevels"}},
		{"negative", read(names), EncoderOptions{MaxLevels: -1}, []string{"MaxLevels is -1"}},
		{"no value", read("a,k\n,x\n"), EncoderOptions{Missing: MissingFill}, []string{`"a" has no value`}},
		{"all skipped", read("a,b,k\n,1,x\n2,,y\n"), EncoderOptions{Missing: MissingSkip}, []string{"all 2 rows"}},
		{"nothing left", read("a,k\nu,x\nu,y\n"), EncoderOptions{DropFirst: true}, []string{"single level", "DropFirst"}},
		{"same name", read("r=u,r,k\n1,u,x\n1,v,y\n"), EncoderOptions{}, []string{`"r=u"`, "twice", "rename"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := NewEncoder(c.t, c.o)
			mentions(t, err, append(c.want, "datasets: NewEncoder: ")...)
			if strings.Count(err.Error(), "datasets: ") != 1 {
				t.Errorf("the prefix comes more than once: %v", err)
			}
		})
	}
	if _, err := NewEncoder(read(names), EncoderOptions{MaxLevels: 51}); err != nil {
		t.Error(err)
	}
	unlabelled := must(ReadTable(strings.NewReader("a\n1\n"), TableOptions{NoLabel: true}))(t)
	_, err := NewEncoder(unlabelled, EncoderOptions{Classes: []string{"x"}})
	mentions(t, err, "no class")
	huge := read("a,k\n1.7976931348623157e308,x\n1.7976931348623157e308,y\n,y\n")
	if e := must(NewEncoder(huge, EncoderOptions{Missing: MissingFill}))(t); math.Abs(e.Features[0].Mean/math.MaxFloat64-1) > 1e-8 {
		t.Errorf("the mean of the largest numbers is %v", e.Features[0].Mean)
	}
}

func TestEncoderSaved(t *testing.T) {
	for _, o := range []EncoderOptions{{}, {DropFirst: true, Missing: MissingFill}, {Missing: MissingSkip, Columns: []string{"ward"}}} {
		e := must(NewEncoder(mixedTable(t), o))(t)
		b := must(json.Marshal(e))(t)
		back := new(Encoder)
		if err := json.Unmarshal(b, back); err != nil || !reflect.DeepEqual(e, back) {
			t.Errorf("%s came back as %+v, %v", b, back, err)
		}
		var buf bytes.Buffer
		if err := gob.NewEncoder(&buf).Encode(e); err != nil {
			t.Fatal(err)
		}
		back = new(Encoder)
		if err := gob.NewDecoder(&buf).Decode(back); err != nil || !reflect.DeepEqual(e, back) {
			t.Errorf("by gob it came back as %+v, %v", back, err)
		}
	}
	const numeric = `{"name":"a","kind":"numeric"}`
	for _, c := range []struct {
		name, features, rest string
		want                 []string
	}{
		{"no features", ``, `"missing":"error"`, []string{"no features"}},
		{"kind", `{"name":"a","kind":"word"}`, `"missing":"error"`, []string{`"a"`, `"word"`}},
		{"no levels", `{"name":"a","kind":"categorical"}`, `"missing":"error"`, []string{`"a"`, "0 levels"}},
		{"mode", `{"name":"a","kind":"categorical","levels":["u"],"mode":1}`, `"missing":"error"`, []string{"mode 1"}},
		{"level twice", `{"name":"a","kind":"categorical","levels":["u","u"]}`, `"missing":"error"`, []string{`"u"`, "twice", `"a"`}},
		{"levels of numbers", `{"name":"a","kind":"numeric","levels":["u"]}`, `"missing":"error"`, []string{"numeric and has levels"}},
		{"name twice", numeric + `,` + numeric, `"missing":"error"`, []string{`"a"`, "twice"}},
		{"no name", `{"kind":"numeric"}`, `"missing":"error"`, []string{"no name"}},
		{"missing", numeric, `"missing":"never"`, []string{`"never"`, `"fill"`}},
		{"no classes", numeric, `"missing":"error","label":"k"`, []string{`"k"`, "0 classes"}},
		{"no label", numeric, `"missing":"error","classes":["x"]`, []string{"1 classes"}},
		{"class twice", numeric, `"missing":"error","label":"k","classes":["x","x"]`, []string{"twice"}},
		{"field", numeric, `"missing":"error","fill":1`, []string{"unknown field"}},
	} {
		e := must(NewEncoder(mixedTable(t), EncoderOptions{}))(t)
		before := must(json.Marshal(e))(t)
		text := `{"schema":"hyperplane-encoder/1","features":[` + c.features + `],` + c.rest + `}`
		mentions(t, json.Unmarshal([]byte(text), e), append(c.want, "datasets: Encoder: ")...)
		if after := must(json.Marshal(e))(t); !bytes.Equal(before, after) {
			t.Errorf("%s: a failed load changed the encoder", c.name)
		}
	}
	mentions(t, json.Unmarshal([]byte(`{"schema":"hyperplane-dataset/1"}`), new(Encoder)), "hyperplane-dataset/1")
	_, err := json.Marshal(Encoder{})
	mentions(t, err, "no features")
	_, err = json.Marshal(Encoder{Features: []Feature{{Name: "a", Kind: KindCategorical, Levels: []string{"\xff", "u"}}}, DropFirst: true})
	mentions(t, err, "UTF-8")
}

// FuzzReadTable: what can be read can be encoded, or there is an error; saving
// the encoder and loading it changes nothing.
func FuzzReadTable(f *testing.F) {
	for _, s := range []string{
		mixed, "a,k\n1,x\n,y\n", "\ufeffa;k\r\n1;x\r\n", "", "\n", "a,a\n1,1", "a,k\n\"u\",\"x\ny\"\n", "r=u,r,k\n1,u,x\n1,v,y\n",
		"a,k\nInf,x\n1,x\n2,y\n", "a,k\n\xff,x\nu,\x00\n", "a,b,k\n1e308,u,x\n-1e308,NA,x\n?,v,y\n", "k\nx\n",
	} {
		f.Add(s, "", byte(0))
		f.Add(s, "k", byte(0xff))
	}
	f.Fuzz(func(t *testing.T, text, label string, bits byte) {
		tab, err := ReadTable(strings.NewReader(text), TableOptions{Label: label, NoHeader: bits&1 != 0, NoLabel: bits&2 != 0})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "datasets: ") {
				t.Errorf("error %q has no prefix", err)
			}
			return
		}
		if tab.Describe() == "" {
			t.Error("there is no description")
		}
		e, err := NewEncoder(tab, EncoderOptions{DropFirst: bits&4 != 0, Missing: Missing(bits >> 3 % 3)})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "datasets: NewEncoder: ") {
				t.Errorf("error %q has no prefix", err)
			}
			return
		}
		// The table that an encoder was made from it can encode.
		var x *mat.Dense
		if tab.Label != "" {
			d, err := e.Encode(tab)
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			if err := d.Check(); err != nil {
				t.Fatalf("%q gives a bad data set: %v", text, err)
			}
			x = d.X
		} else if x, err = e.EncodeInputs(tab); err != nil {
			if e.Missing != MissingSkip {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		b, err := json.Marshal(e)
		if err != nil {
			if !strings.Contains(err.Error(), "UTF-8") {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		var back Encoder
		if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(*e, back) {
			t.Fatalf("%s came back as %+v, %v", b, back, err)
		}
		if _, width := x.Dims(); width != len(back.FeatureNames()) {
			t.Fatalf("%d columns but %d names", width, len(back.FeatureNames()))
		}
	})
}

func FuzzEncoderJSON(f *testing.F) {
	f.Add([]byte(`{"schema":"hyperplane-encoder/1","features":[{"name":"a","kind":"numeric","mean":1},{"name":"b","kind":"categorical","levels":["u","v"],"mode":1}],"label":"k","classes":["x"],"missing":"fill"}`), "1", "u")
	f.Add([]byte(`{"schema":"hyperplane-encoder/1","features":[{"name":"a","kind":"categorical","levels":["u"],"mode":-1}],"missing":"skip","drop_first":true}`), "", "")
	f.Fuzz(func(t *testing.T, b []byte, first, second string) {
		var e, again Encoder
		if json.Unmarshal(b, &e) != nil {
			return
		}
		saved := must(json.Marshal(e))(t)
		if err := json.Unmarshal(saved, &again); err != nil || !bytes.Equal(saved, must(json.Marshal(again))(t)) {
			t.Fatalf("%s came back as %+v, %v", saved, again, err)
		}
		x, err := e.EncodeRow(first, second)
		if err == nil && (len(x) != len(e.FeatureNames()) || slices.ContainsFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })) {
			t.Fatalf("%s encodes %q, %q as %v", b, first, second, x)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	for _, n := range []int{100, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var text strings.Builder
			text.WriteString("a,b,k\n")
			for i := range n {
				fmt.Fprintf(&text, "%d.5,level%d,%d\n", i, i%7, i%2)
			}
			for b.Loop() {
				tab := toolkit.Must(ReadTable(strings.NewReader(text.String()), TableOptions{}))
				e := toolkit.Must(NewEncoder(tab, EncoderOptions{}))
				toolkit.Must(e.Encode(tab))
			}
		})
	}
}
