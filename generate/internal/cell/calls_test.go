package cell

import (
	"strings"
	"testing"
)

func TestCalls(t *testing.T) {
	wanted := []string{"Mean", "Halve", "Sum"}
	for _, tt := range []struct {
		name  string
		cells []string
		want  string // of the last cell
	}{
		{"directly", []string{"%%\nfmt.Println(Mean(x))"}, "Mean"},
		{"in the order of the stub", []string{"%%\nSum(Mean(x))"}, "Mean Sum"},
		{"as a value", []string{"%%\nplot(Halve)"}, "Halve"},
		{"through a function of the cell", []string{"func f() { Halve(2) }\n%%\nf()"}, "Halve"},
		{"through an earlier cell", []string{"func f() { g() }", "func g() { Sum(nil) }", "%%\nf()"}, "Sum"},
		{"through a method", []string{"type curve struct{}\nfunc (c *curve) At() float64 { return Mean(nil) }", "%%\nplot(&curve{})"}, "Mean"},
		{"through a variable", []string{"var f = Mean", "%%\nf()"}, "Mean"},
		{"in circles", []string{"func f() { g() }\nfunc g() { f(); Sum(nil) }", "%%\nf()"}, "Sum"},
		{"declared and not called", []string{"func f() { Halve(2) }", "%%\nfmt.Println()"}, ""},
		{"main of another cell", []string{"%%\nMean(x)", "%%\nfmt.Println()"}, ""},
		{"no main", []string{"func f() { Halve(2) }"}, ""},
		{"of another package", []string{"%%\nstat.Mean(x, nil)"}, ""},
		{"a variable of the same name", []string{"%%\nMean := 2.0\nfmt.Println(Mean)"}, ""},
		{"a parameter of the same name", []string{"func f(Mean float64) float64 { return Mean }\n%%\nf(1)"}, ""},
		{"in a comment and in a text", []string{"%%\n// Mean(x)\nfmt.Println(\"Halve\")"}, ""},
		{"no Go", []string{"%%bash\nMean"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var c Calls
			var got []string
			for _, source := range tt.cells {
				got = c.Add(source, wanted)
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("it comes to call %q, want %q", got, tt.want)
			}
		})
	}
}

func TestOnTop(t *testing.T) {
	for source, want := range map[string]string{
		"%%\nf()":            "%%\ndefer g()\nf()",
		"var x = 1\n%main\n": "var x = 1\n%main\ndefer g()\n",
		"func f() {}":        "func f() {}",
		"%%bash\nls":         "%%bash\nls",
	} {
		if got := OnTop(source, "defer g()"); got != want {
			t.Errorf("%q becomes %q, want %q", source, got, want)
		}
	}
}
