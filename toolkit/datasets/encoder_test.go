package datasets

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// mixed is a CSV text with a numeric column, two categorical columns and the class. The column
// called "ward" contains numbers that are only codes for wards.
const mixed = "age,race,ward,low\n20,black,2,no\n30,white,10,yes\n40,black,1,no\n"

func mixedTable(t *testing.T) *Table {
	t.Helper()
	return must(ReadTable(strings.NewReader(mixed),
		TableOptions{Categorical: []string{"ward"}, Name: "mixed", Source: "made up"}))(t)
}

// mustTable returns the table in a CSV text, read with the default options.
func mustTable(t *testing.T, text string) *Table {
	t.Helper()
	return must(readTable(text))(t)
}

func readTable(text string) (*Table, error) {
	return ReadTable(strings.NewReader(text), TableOptions{})
}

// mustEncoder returns an Encoder for the table tab, and fails the test on an error.
func mustEncoder(t *testing.T, tab *Table, o EncoderOptions) *Encoder {
	t.Helper()
	return must(NewEncoder(tab, o))(t)
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
		{"levels given",
			EncoderOptions{DropFirst: true, Levels: map[string][]string{"race": {"white", "other", "black"}}},
			"age race=other race=black ward=2 ward=10",
			[][]float64{{20, 0, 1, 1, 0}, {30, 0, 0, 0, 1}, {40, 0, 1, 0, 0}}, "no yes", []int{0, 1, 0}},
		{"columns given", EncoderOptions{Columns: []string{"race", "age"}}, "race=black race=white age",
			[][]float64{{1, 0, 20}, {0, 1, 30}, {1, 0, 40}}, "no yes", []int{0, 1, 0}},
		{"classes given", EncoderOptions{Columns: []string{"age"}, Classes: []string{"yes", "no", "unknown"}}, "age",
			[][]float64{{20}, {30}, {40}}, "yes no unknown", []int{1, 0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := mixedTable(t)
			e := mustEncoder(t, tab, c.o)
			d := must(e.Encode(tab))(t)
			if strings.Join(d.FeatureNames, " ") != c.features || !reflect.DeepEqual(rowsOf(d), c.x) ||
				!slices.Equal(d.Labels, c.labels) || strings.Join(d.ClassNames, " ") != c.classes ||
				d.Name != "mixed" || d.Source != "made up" {
				t.Errorf("got the features %q (want %q), the classes %q (want %q), the labels %v (want %v), the rows %v (want %v), the name %q (want \"mixed\") and the source %q (want \"made up\")",
					strings.Join(d.FeatureNames, " "), c.features, strings.Join(d.ClassNames, " "), c.classes,
					d.Labels, c.labels, rowsOf(d), c.x, d.Name, d.Source)
			}
			if x := must(e.EncodeInputs(tab))(t); !mat.Equal(x, d.X) {
				t.Error("EncodeInputs and Encode return different inputs")
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

// TestNewRows checks the encoding of rows that were not in the encoder's table. The new table has
// a different order of columns and an additional column. ReadTable guesses that its column "ward" is
// numeric, but the encoder must still treat the values of this column as levels. The test also checks
// the errors of Encode, EncodeInputs, EncodeRow and Indices.
func TestNewRows(t *testing.T) {
	e := mustEncoder(t, mixedTable(t), EncoderOptions{DropFirst: true})
	rows := must(ReadTable(strings.NewReader("ward,name,race,age\n10,Ann,black,25\n1,Bea,white,35\n"),
		TableOptions{NoLabel: true}))(t)
	x := must(e.EncodeInputs(rows))(t)
	if want := mat.NewDense(2, 4, []float64{25, 0, 0, 1, 35, 1, 0, 0}); !mat.Equal(x, want) {
		t.Errorf("EncodeInputs returns %v, want the rows [25 0 0 1] and [35 1 0 0]", mat.Formatted(x))
	}
	if got := must(e.EncodeRow("25", "black", "10"))(t); !slices.Equal(got, x.RawRowView(0)) {
		t.Errorf("EncodeRow returns %v, want the same row as EncodeInputs", got)
	}
	unlabelled := mustEncoder(t, rows, EncoderOptions{Columns: []string{"race"}})
	var none *Encoder
	wantErrors(t, "datasets: ", map[string]error{
		`Encode|row 1|"race"|level "blakc" is not known|"black", "white"`: errorOf(e.Encode(mustTable(t,
			"age,race,ward,low\n20,black,1,no\n20,blakc,1,no\n"))),
		`"ward"|"1.0"|"1", "2", "10"`: errorOf(e.EncodeRow("1", "white", "1.0")),
		`row 0|class "maybe" is not known|"no", "yes"`: errorOf(e.Encode(mustTable(t,
			"age,race,ward,low\n20,black,1,maybe\n"))),
		`"age"|"x"|not a number`:                    errorOf(e.EncodeRow("x", "white", "1")),
		`2 values|3 features|"age", "race", "ward"`: errorOf(e.EncodeRow("1", "white")),
		`"race"|missing|MissingFill`:                errorOf(e.EncodeRow("1", "", "1")),
		`row 0 has no class|"low"`: errorOf(e.Encode(mustTable(t,
			"age,race,ward,low\n20,black,1,\n"))),
		`EncodeInputs|no column "race"`: errorOf(e.EncodeInputs(mustTable(t,
			"age,ward\n20,1\n"))),
		`no column "low"`: errorOf(e.Encode(mustTable(t,
			"age,race,ward\n20,black,1\n"))),
		"empty":                   errorOf(e.Encode(nil)),
		"Encode: |no features":    errorOf(none.Encode(rows)),
		"EncodeRow: |no features": errorOf(none.EncodeRow("1")),
		`Indices|"age" is numeric|EncoderOptions.Columns`: errorOf(e.Indices(mixedTable(t))),
		"without a class|EncodeInputs":                    errorOf(unlabelled.Encode(rows)),
	})
}

// TestShuttleIndices checks that the levels are sorted by their bytes, as in the reference values
// nb_categorical/shuttle of package oracle. It also checks that Indices and Encode represent the same
// levels.
func TestShuttleIndices(t *testing.T) {
	tab := ShuttleTable()
	e := mustEncoder(t, tab, EncoderOptions{Classes: []string{"auto", "noauto"}})
	if got := e.LevelCounts(); !slices.Equal(got, []int{2, 4, 2, 2, 4, 2}) {
		t.Errorf("got the numbers of levels %v, want [2 4 2 2 4 2]", got)
	}
	if got := e.Features[4].Levels; !slices.Equal(got, []string{"Light", "Medium", "Out", "Strong"}) {
		t.Errorf("got the levels %q of the column magn, want Light, Medium, Out and Strong, sorted by their bytes", got)
	}
	index, ones := must(e.Indices(tab))(t), must(e.Encode(tab))(t)
	if got := strings.Join(index.FeatureNames, " "); got != "stability error sign wind magn vis" || !slices.Equal(index.Labels, ones.Labels) {
		t.Errorf("got the features %q, want \"stability error sign wind magn vis\"; Indices returns the labels %v and Encode returns %v, want equal labels",
			got, index.Labels, ones.Labels)
	}
	for i := range index.N() {
		at := 0
		for j, l := range e.LevelCounts() {
			for k := range l {
				want := 0.0
				if index.X.At(i, j) == float64(k) {
					want = 1
				}
				if ones.X.At(i, at+k) != want {
					t.Fatalf("row %d, feature %d, level %d: the entry from Encode is %v, want %v, because the index from Indices is %v",
						i, j, k, ones.X.At(i, at+k), want, index.X.At(i, j))
				}
			}
			at += l
		}
	}
	if x := must(e.IndexInputs(tab))(t); !mat.Equal(x, index.X) {
		t.Error("IndexInputs and Indices return different numbers")
	}
	first := mustEncoder(t, tab, EncoderOptions{DropFirst: true})
	if x := must(first.IndexInputs(tab))(t); !mat.Equal(x, index.X) {
		t.Error("IndexInputs returns different numbers with DropFirst, want no effect")
	}
}

func TestMissing(t *testing.T) {
	tab := mustTable(t, "a,b,k\n1,u,x\n,v,x\n4,,y\n7,v,y\n7,v,\n")
	filled := mustTable(t, "a,b,k\n1,u,x\n,v,x\n4,,y\n7,v,y\n")
	wantMention(t, errorOf(NewEncoder(tab, EncoderOptions{})), "row 1", `"a"`, "missing", "MissingSkip", "MissingFill")
	wantMention(t, errorOf(NewEncoder(tab, EncoderOptions{Missing: MissingFill})), "row 4 has no class", `"k"`,
		"MissingSkip")

	skip := mustEncoder(t, tab, EncoderOptions{Missing: MissingSkip})
	d := must(skip.Encode(tab))(t)
	if want := [][]float64{{1, 1, 0}, {7, 0, 1}}; !reflect.DeepEqual(rowsOf(d), want) || !slices.Equal(d.Labels, []int{0, 1}) {
		t.Errorf("with MissingSkip, got the rows %v (want the two complete rows %v) and the labels %v (want [0 1])", rowsOf(d), want, d.Labels)
	}
	wantMention(t, errorOf(skip.EncodeInputs(tab)), "row 1", "cannot be skipped", "MissingFill")
	// A level that occurs only in skipped rows must not be a level of the encoder.
	gone := mustTable(t, "a,b,k\n1,u,x\n,w,x\n")
	if e := mustEncoder(t, gone, EncoderOptions{Missing: MissingSkip}); !slices.Equal(e.Features[1].Levels, []string{"u"}) {
		t.Errorf("got the levels %q, want only \"u\"", e.Features[1].Levels)
	}

	fill := mustEncoder(t, filled, EncoderOptions{Missing: MissingFill})
	d = must(fill.Encode(filled))(t)
	if want := [][]float64{{1, 1, 0}, {4, 0, 1}, {4, 0, 1}, {7, 0, 1}}; !reflect.DeepEqual(rowsOf(d), want) {
		t.Errorf("with MissingFill, got the rows %v, want %v, with the mean 4 and the level v in the gaps", rowsOf(d), want)
	}
	if got := must(fill.EncodeRow("", ""))(t); !slices.Equal(got, []float64{4, 0, 1}) {
		t.Errorf("EncodeRow for a row of missing values returned %v, want the fill-in values [4 0 1]", got)
	}
	// If two levels are equally frequent, the fill-in value must be the first of them in Feature.Levels,
	// which are sorted.
	even := must(ReadTable(strings.NewReader("b\nv\nu\nNA\n"), TableOptions{NoLabel: true}))(t)
	if e := mustEncoder(t, even, EncoderOptions{Missing: MissingFill}); e.Features[0].Mode != 0 {
		t.Errorf("got the mode %d, want 0, the index of the level u", e.Features[0].Mode)
	}
}

func TestNewEncoderErrors(t *testing.T) {
	names := "name,k\n"
	for i := range 51 {
		names += fmt.Sprintf("N%d,x\n", i)
	}
	made := func(text string, o EncoderOptions) error { return errorOf(NewEncoder(mustTable(t, text), o)) }
	mix := func(o EncoderOptions) error { return errorOf(NewEncoder(mixedTable(t), o)) }
	levels := func(column string, names ...string) EncoderOptions {
		return EncoderOptions{Levels: map[string][]string{column: names}}
	}
	unlabelled := must(ReadTable(strings.NewReader("a\n1\n"), TableOptions{NoLabel: true}))(t)
	wantErrors(t, "datasets: NewEncoder: ", map[string]error{
		"empty":                                    errorOf(NewEncoder(nil, EncoderOptions{})),
		"there is no feature":                      made("k\nx\n", EncoderOptions{}),
		`"agee"|"age"`:                             mix(EncoderOptions{Columns: []string{"agee"}}),
		"column|twice":                             mix(EncoderOptions{Columns: []string{"age", "age"}}),
		`"low" is the class`:                       mix(EncoderOptions{Columns: []string{"low"}}),
		`"rac"|not a feature`:                      mix(levels("rac")),
		`"age"|numeric|TableOptions.Categorical`:   mix(levels("age", "20")),
		`row 1|"white"|the levels are "black"`:     mix(levels("race", "black")),
		`"race"|twice`:                             mix(levels("race", "black", "white", "black")),
		`row 0|"no"|EncoderOptions.Classes: "yes"`: mix(EncoderOptions{Classes: []string{"yes"}}),
		"class|twice":                              mix(EncoderOptions{Classes: []string{"yes", "no", "no"}}),
		`"name" has 51 levels|MaxLevels`:           made(names, EncoderOptions{}),
		"MaxLevels is -1":                          made(names, EncoderOptions{MaxLevels: -1}),
		"Missing is 9|MissingFill":                 mix(EncoderOptions{Missing: 9}),
		`"a" has no value`:                         made("a,k\n,x\n", EncoderOptions{Missing: MissingFill}),
		"all 2 rows":                               made("a,b,k\n,1,x\n2,,y\n", EncoderOptions{Missing: MissingSkip}),
		"single level|DropFirst":                   made("a,k\nu,x\nu,y\n", EncoderOptions{DropFirst: true}),
		`"r=u"|twice|rename`:                       made("r=u,r,k\n1,u,x\n1,v,y\n", EncoderOptions{}),
		"has no class":                             errorOf(NewEncoder(unlabelled, EncoderOptions{Classes: []string{"x"}})),
	})
	mustEncoder(t, mustTable(t, names), EncoderOptions{MaxLevels: 51})
	huge := mustTable(t, "a,k\n1.7976931348623157e308,x\n1.7976931348623157e308,y\n,y\n")
	if e := mustEncoder(t, huge, EncoderOptions{Missing: MissingFill}); math.Abs(e.Features[0].Mean/math.MaxFloat64-1) > 1e-8 {
		t.Errorf("the mean of MaxFloat64 and MaxFloat64 is %v, want MaxFloat64 with a relative error of at most 1e-8", e.Features[0].Mean)
	}
}

// FuzzReadTable calls NewEncoder for every table that ReadTable accepts. NewEncoder must return an
// error or an encoder that can encode this table; a comment below states the only exception. Saving
// and loading must not change the encoder, but saving may fail if a string is not UTF-8.
func FuzzReadTable(f *testing.F) {
	for _, s := range []string{
		mixed, "a,k\n1,x\n,y\n", "\ufeffa;k\r\n1;x\r\n", "", "\n", "a,a\n1,1", "a,k\n\"u\",\"x\ny\"\n",
		"r=u,r,k\n1,u,x\n1,v,y\n",
		"a,k\nInf,x\n1,x\n2,y\n", "a,k\n\xff,x\nu,\x00\n", "a,b,k\n1e308,u,x\n-1e308,NA,x\n?,v,y\n", "k\nx\n",
	} {
		f.Add(s, "", byte(0))
		f.Add(s, "k", byte(0xff))
	}
	f.Fuzz(func(t *testing.T, text, label string, bits byte) {
		tab, err := ReadTable(strings.NewReader(text),
			TableOptions{Label: label, NoHeader: bits&1 != 0, NoLabel: bits&2 != 0})
		if err != nil {
			wantMention(t, err, "datasets: ")
			return
		}
		if tab.Describe() == "" {
			t.Error("there is no description")
		}
		e, err := NewEncoder(tab, EncoderOptions{DropFirst: bits&4 != 0, Missing: Missing(bits >> 3 % 3)})
		if err != nil {
			wantMention(t, err, "datasets: NewEncoder: ")
			return
		}
		// An encoder must be able to encode the table that it was made from, with one exception. With
		// MissingSkip, a table without a class cannot be encoded if a value is missing: Encode needs a
		// class, and EncodeInputs never skips a row, so it rejects the missing value.
		d := new(Dataset)
		if tab.Label != "" {
			if d, err = e.Encode(tab); err == nil {
				err = d.Check()
			}
		} else if d.X, err = e.EncodeInputs(tab); err != nil && e.Missing == MissingSkip {
			return
		}
		if err != nil {
			t.Fatalf("the encoder made from the table %q cannot encode this table: %v", text, err)
		}
		b, err := json.Marshal(e)
		if err != nil {
			wantMention(t, err, "UTF-8")
			return
		}
		var back Encoder
		if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(*e, back) {
			t.Fatalf("the saved encoder %s is loaded as %+v with the error %v, want the same encoder and no error", b, back, err)
		}
		if _, width := d.X.Dims(); width != len(back.FeatureNames()) {
			t.Fatalf("got %d columns of inputs but %d feature names, want equal numbers", width, len(back.FeatureNames()))
		}
	})
}
