package oracle

import (
	"encoding/json"
	"io/fs"
	"math"
	"path"
	"strings"
	"testing"
)

// TestRelErr checks that RelErr finds differences between got and want.
func TestRelErr(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name      string
		got, want []float64
		err       float64
	}{
		{"equal", []float64{1, 2}, []float64{1, 2}, 0},
		{"one percent", []float64{1, 2.02}, []float64{1, 2}, 0.01},
		{"small beside large", []float64{1e-9, 1}, []float64{0, 1}, 1e-3},
		{"infinities", []float64{inf, -inf}, []float64{inf, -inf}, 0},
		{"NaN", []float64{nan}, []float64{1}, inf},
		{"infinite for finite", []float64{inf}, []float64{1}, inf},
		{"length", []float64{1}, []float64{1, 2}, inf},
	} {
		if e := RelErr(c.got, c.want); e != c.err && math.Abs(e-c.err) > 1e-12 {
			t.Errorf("%s: the relative error is %v, want %v", c.name, e, c.err)
		}
	}
}

// TestFiles checks that every family loads, and that the tables and values of its cases are
// complete.
func TestFiles(t *testing.T) {
	names, err := fs.Glob(files, "testdata/*.json")
	if err != nil || len(names) < 19 {
		t.Fatalf("found %d families, with the error %v; want at least 19 and no error", len(names), err)
	}
	for _, name := range names {
		cases, err := Load(strings.TrimSuffix(path.Base(name), ".json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			for key := range c.Values {
				if v, err := c.Value(key); err != nil || len(v) == 0 {
					t.Errorf("case %s: Value(%q) returns %v and the error %v, want at least one number and no error", c.ID, key, v, err)
				}
			}
			if c.Data == "" {
				continue
			}
			x, text, err := c.Table()
			if err != nil {
				t.Errorf("%s: %v", c.ID, err)
				continue
			}
			if n, _ := x.Dims(); n != len(text) || n == 0 {
				t.Errorf("%s has %d rows but %d labels, want equal numbers above 0", c.ID, n, len(text))
			}
			if c.Classes != nil {
				if _, err := c.Labels(text); err != nil {
					t.Error(err)
				}
			}
			if _, err := c.Target(text); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := Load("none"); err == nil {
		t.Error("Load returns no error for a missing family")
	}
	c := Case{Values: map[string]json.RawMessage{"inf": json.RawMessage(`["-Infinity",1]`)}}
	if v, err := c.Value("inf"); err != nil || !math.IsInf(v[0], -1) || v[1] != 1 {
		t.Errorf("Value(\"inf\") returns %v and the error %v, want −Inf, 1 and no error", v, err)
	}
	if _, err := c.Value("other"); err == nil {
		t.Error("Value returns no error for a missing value")
	}
}
