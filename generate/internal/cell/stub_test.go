package cell

import (
	"strings"
	"testing"
)

const stub = `// Scale is a factor.
type Scale float64

// Half is given.
func Half() float64 { return 0.5 }

// Mean returns the mean.
func Mean(x, w []float64) (float64, error) {
	panic(verify.TODO)
}

// Sum is a step on the way.
func Sum(x []float64) float64 {
	panic(verify.TODO)
}`

func readStub(t *testing.T, source string) *Stub {
	t.Helper()
	s, err := ReadStub(source)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStub(t *testing.T) {
	const todo = "\tpanic(verify.TODO)\n"
	edit := func(pairs ...string) string {
		t.Helper()
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(stub, pairs[i]) {
				t.Fatalf("%q is not in the stub", pairs[i])
			}
		}
		return strings.NewReplacer(pairs...).Replace(stub)
	}
	fresh := readStub(t, stub)
	for _, tt := range []struct {
		name, mine string
		answers    bool
		fault      string // "" when it fits
	}{
		{"as handed out", stub, false, ""},
		{"a comment", stub + "\n// to do", false, ""},
		{"one of two", edit(todo+"}\n\n// Sum", "\treturn 1, nil\n}\n\n// Sum"), true, ""},
		{"a print before the panic", edit(todo+"}\n\n// Sum", "\tfmt.Println(x)\n"+todo+"}\n\n// Sum"), true, ""},
		{"other names, own layout", edit("x, w []float64", "points []float64,\n\tweights []float64,\n", todo, "\treturn\n"), true, ""},
		{"more of its own", "import \"slices\"\n" + edit(todo, "\treturn mine()\n") + "\n\nfunc mine() (float64, error) { return 0, nil }\n\n%%\nfmt.Println(Mean(nil, nil))", true, ""},
		{"a commented copy of the given", edit("{ return 0.5 }", "{\n\treturn 0.5 // the half\n}", todo, "\treturn\n"), true, ""},
		{"other parameters", edit("x, w []float64", "x []float64", todo, "\treturn\n"), true, "Mean takes or returns something else now"},
		{"other results", edit("(float64, error)", "float64", todo, "\treturn\n"), true, "Mean takes or returns something else now"},
		{"a step deleted", stub[:strings.Index(stub, "// Sum")], false, "it has no function Sum"},
		{"another given function", edit("0.5", "0.25", todo, "\treturn\n"), true, "Half, which the cell gives, is another now"},
		{"another given type", edit("type Scale float64", "type Scale int", todo, "\treturn\n"), true, "Scale, which the cell gives, is another now"},
		{"nothing", "", false, "Scale, which the cell gives"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mine := readStub(t, tt.mine)
			if got := fresh.Answers(mine); got != tt.answers {
				t.Errorf("an answer: %t, want %t", got, tt.answers)
			}
			err := fresh.Fits(mine)
			if (err == nil) != (tt.fault == "") || err != nil && !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("fault %v, want %q", err, tt.fault)
			}
		})
	}
	if _, err := ReadStub("func Mean( {\n}"); err == nil || !strings.HasPrefix(err.Error(), "the cell:1: ") {
		t.Errorf("what is no Go: error %v", err)
	}
}
