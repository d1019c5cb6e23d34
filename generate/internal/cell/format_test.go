package cell

import (
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// TestFormat checks that both parts of a cell are formatted, that commands and raw strings keep
// their text, and that errors state the line in the cell.
func TestFormat(t *testing.T) {
	for _, tt := range []struct{ name, source, want string }{
		{"empty", "", ""},
		{"declarations", "func f( ) int{\nreturn 1}", "func f() int {\n\treturn 1\n}"},
		{"statements", "%%\nx:=1\nif x>0{\nfmt.Println( x )\n}", "%%\nx := 1\nif x > 0 {\n\tfmt.Println(x)\n}"},
		{"both", "const a=1\n\n%%\nfmt.Println(a )\n", "const a = 1\n\n%%\nfmt.Println(a)\n"},
		{"raw string", "%%\nx:=`a\n\tb`\n_=x", "%%\nx := `a\n\tb`\n_ = x"},
		{"commands", "%noautoget\n!ls  -l\nconst a=1\n%%\n_=a", "%noautoget\n!ls  -l\nconst a = 1\n%%\n_ = a"},
		{"a line that begins with !", "func f(a,b bool) bool {\nreturn a&&\n!b\n}",
			"func f(a, b bool) bool {\n\treturn a &&\n\t\t!b\n}"},
		{"without %%", "x:=3", "x := 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := must.Get(Format(tt.source))(t); got != tt.want {
				t.Errorf("%q becomes\n%q, want\n%q", tt.source, got, tt.want)
			}
		})
	}
	for source, want := range map[string]string{
		"func f() {\n\treturn (1\n}":      "line 2: ",
		"const a = 1\n%%\nx := 1\ny := (": "line 4: ",
		"%%\nfor {":                       "line 2: ",
	} {
		_, err := Format(source)
		must.Fail(t, err, want)
	}
}
