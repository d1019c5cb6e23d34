package datasets

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReadTable(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          TableOptions
		columns    string // name:kind of each
		label      string
		values     [][]string
	}{
		{"plain", "age,race,low\n19,black,no\n33,white,yes\n", TableOptions{}, "age:numeric race:categorical low:categorical", "low", [][]string{{"19", "33"}, {"black", "white"}, {"no", "yes"}}},
		{"numbers as class", "a,k\n1,0\n2,1\n", TableOptions{}, "a:numeric k:categorical", "k", [][]string{{"1", "2"}, {"0", "1"}}},
		{"codes", "ward,k\n1,x\n2,y\n", TableOptions{Categorical: []string{"ward"}}, "ward:categorical k:categorical", "k", [][]string{{"1", "2"}, {"x", "y"}}},
		{"label by name", "k,a\nx,1\ny,2\n", TableOptions{Label: "k"}, "k:categorical a:numeric", "k", [][]string{{"x", "y"}, {"1", "2"}}},
		{"no label", "a,b\n1,x\n", TableOptions{NoLabel: true}, "a:numeric b:categorical", "", [][]string{{"1"}, {"x"}}},
		{"one column", "a\n1\n2\n", TableOptions{NoLabel: true}, "a:numeric", "", [][]string{{"1", "2"}}},
		{"no header", "1,u,x\n2,v,y\n", TableOptions{NoHeader: true}, "x1:numeric x2:categorical class:categorical", "class", [][]string{{"1", "2"}, {"u", "v"}, {"x", "y"}}},
		{"no header, no label", "1,u\n", TableOptions{NoHeader: true, NoLabel: true}, "x1:numeric x2:categorical", "", [][]string{{"1"}, {"u"}}},
		{"missing", "a,b,k\nNA,u,x\n2,?,y\n,v,\n", TableOptions{}, "a:numeric b:categorical k:categorical", "k", [][]string{{"", "2", ""}, {"u", "", "v"}, {"x", "y", ""}}},
		{"own marks", "a,k\n-999,x\n-,y\n3,z\n", TableOptions{Missing: []string{"-999", "-"}}, "a:numeric k:categorical", "k", [][]string{{"", "", "3"}, {"x", "y", "z"}}},
		{"column of nothing", "a,k\n,x\n", TableOptions{}, "a:numeric k:categorical", "k", [][]string{{""}, {"x"}}},
		{"half numbers are words", "a,k\n1,x\nu,y\n", TableOptions{}, "a:categorical k:categorical", "k", [][]string{{"1", "u"}, {"x", "y"}}},
		{"mark, CRLF, quotes, blanks", "\ufeffa , \"b, c\",k\r\n 1 ,\"u \"\"v\"\"\",x\r\n", TableOptions{}, "a:numeric b, c:categorical k:categorical", "k", [][]string{{"1"}, {`u "v"`}, {"x"}}},
		{"semicolon", "a;k\n1;x\n", TableOptions{Comma: ';'}, "a:numeric k:categorical", "k", [][]string{{"1"}, {"x"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := must(ReadTable(strings.NewReader(c.text), c.o))(t)
			var columns []string
			for j, col := range tab.Columns {
				columns = append(columns, col.Name+":"+col.Kind.String())
				if !slices.Equal(col.Values, c.values[j]) {
					t.Errorf("column %s: %q, want %q", col.Name, col.Values, c.values[j])
				}
			}
			if got := strings.Join(columns, " "); got != c.columns || tab.Label != c.label || tab.N() != len(c.values[0]) {
				t.Errorf("columns %s, label %q, %d rows", got, tab.Label, tab.N())
			}
		})
	}
}

func TestReadTableErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          TableOptions
		want       []string
	}{
		{"empty", "", TableOptions{}, []string{"empty"}},
		{"only a header", "a,k\n", TableOptions{}, []string{"no rows", "TableOptions.NoHeader"}},
		{"short line", "a,b,k\n1,2,x\n1,x\n", TableOptions{}, []string{"line 3", "2 columns", "line 1 has 3"}},
		{"name twice", "a,a,k\n1,2,x\n", TableOptions{}, []string{"line 1", "columns 1 and 2"}},
		{"no name", "a,,k\n1,2,x\n", TableOptions{}, []string{"column 2", "no name"}},
		{"name of the class twice", "class,k\n1,2\n", TableOptions{Label: "kind"}, []string{`"kind"`, "TableOptions.Label", `"class", "k"`}},
		{"label and none", "a,k\n1,x\n", TableOptions{Label: "k", NoLabel: true}, []string{"NoLabel"}},
		{"label without header", "1,x\n", TableOptions{Label: "k", NoHeader: true}, []string{"NoHeader"}},
		{"unknown categorical", "a,k\n1,x\n", TableOptions{Categorical: []string{"b"}}, []string{`"b"`, "Categorical", `"a", "k"`}},
		{"both kinds", "a,k\n1,x\n", TableOptions{Categorical: []string{"a"}, Numeric: []string{"a"}}, []string{`"a"`, "both"}},
		{"spoilt", "a,k\n1,x\n2,x\n\n3.4.5,y\n", TableOptions{}, []string{"line 5", "column 1 (a)", `"3.4.5"`, "2 other values", "TableOptions.Missing", "TableOptions.Categorical"}},
		{"infinite", "a,k\n1,x\n2,x\nInf,y\n", TableOptions{}, []string{"line 4", `"Inf"`}},
		{"digits in groups", "a,k\n1_000,x\n", TableOptions{Numeric: []string{"a"}}, []string{"line 2", "column 1 (a)", `"1_000"`, "not a number"}},
		{"forced", "a,k\nu,x\n", TableOptions{Numeric: []string{"a"}}, []string{"line 2", "column 1 (a)", `"u"`, "not a number"}},
		{"forced, too large", "a,k\n1e999,x\n", TableOptions{Numeric: []string{"a"}}, []string{"line 2", "too large"}},
		{"open quote", "a,k\n1,\"x\n", TableOptions{}, []string{"line", "quote"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadTable(strings.NewReader(c.text), c.o)
			mentions(t, err, append(c.want, "datasets: ")...)
		})
	}
	broken := errors.New("the cable is out")
	if _, err := ReadTable(iotest.ErrReader(broken), TableOptions{}); !errors.Is(err, broken) {
		t.Errorf("a reader's error came back as %v", err)
	}
	path := filepath.Join(t.TempDir(), "wards.csv")
	if err := os.WriteFile(path, []byte("a,k\n1,x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if tab := must(ReadTableFile(path, TableOptions{}))(t); tab.Name != "wards" || tab.N() != 1 {
		t.Errorf("%q with %d rows", tab.Name, tab.N())
	}
	_, err := ReadTableFile(path, TableOptions{Label: "z"})
	mentions(t, err, "wards.csv", `"z"`)
	_, err = ReadTableFile(path+"x", TableOptions{})
	mentions(t, err, "wards.csvx")
}

func TestTableCheck(t *testing.T) {
	good := func() *Table {
		return &Table{Label: "k", Columns: []Column{{"a", KindNumeric, []string{"1", ""}}, {"k", KindCategorical, []string{"x", "y"}}}}
	}
	if err := good().Check(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		name  string
		spoil func(t *Table)
		want  []string
	}{
		{"no columns", func(t *Table) { t.Columns = nil }, []string{"empty"}},
		{"no rows", func(t *Table) { t.Columns[0].Values = nil }, []string{"empty"}},
		{"length", func(t *Table) { t.Columns[1].Values = []string{"x"} }, []string{`"k" has 1`, `"a" has 2`}},
		{"name twice", func(t *Table) { t.Columns[1].Name = "a" }, []string{"twice"}},
		{"label", func(t *Table) { t.Label = "z" }, []string{`"z"`, "Table.Label"}},
		{"kind", func(t *Table) { t.Columns[1].Kind = 7 }, []string{`"k"`, "Kind(7)"}},
		{"number", func(t *Table) { t.Columns[0].Values[0] = "u" }, []string{"row 0", `"a"`, `"u"`}},
	} {
		tab := good()
		c.spoil(tab)
		mentions(t, tab.Check(), c.want...)
		_, err := NewEncoder(tab, EncoderOptions{})
		mentions(t, err, append(c.want, "NewEncoder")...)
		if got := tab.Describe(); !strings.Contains(got, c.want[0]) {
			t.Errorf("%s: Describe gives %q", c.name, got)
		}
	}
	var none *Table
	mentions(t, none.Check(), "empty")
	_, err := none.Column("a")
	mentions(t, err, "nil")
	_, err = good().Column("b")
	mentions(t, err, `"b"`, `"a", "k"`)
	tab := good()
	c := must(tab.Column("a"))(t)
	c.Values[0] = "changed"
	if tab.Columns[0].Values[0] != "1" {
		t.Error("Column shares memory with the table")
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
			t.Errorf("%q: levels %q, want %q", c.values, got, c.want)
		}
	}
}

func TestDescribeTable(t *testing.T) {
	tab := must(ReadTable(strings.NewReader("a,b,k\n1,u,x\n20,?,y\n3,v,x\n"), TableOptions{Name: "three"}))(t)
	want := `three: 3 rows, 3 columns

column  kind         missing  different  values
a       numeric      0        3          1 … 20
b       categorical  1        2          u, v
k       class        0        2          x, y
`
	if got := tab.Describe(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	many := must(ReadTable(strings.NewReader("b\nh\ng\nf\ne\nd\nc\nb\n"), TableOptions{NoLabel: true, Source: "made up"}))(t)
	if got := many.Describe(); !strings.Contains(got, "b, c, d, e, f, g, …\n") || !strings.HasSuffix(got, "\nmade up\n") {
		t.Error(got)
	}
}
