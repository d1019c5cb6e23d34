package jupytertest

import (
	"strings"
	"testing"
)

// TestComplaints checks that complaints reports each of several faults in a notebook.
func TestComplaints(t *testing.T) {
	const good = "{\n \"cells\": [],\n \"metadata\": {},\n \"nbformat\": 4,\n \"nbformat_minor\": 5\n}\n"
	tests := []struct{ name, notebook, want string }{
		{"good", good, ""},
		{"indented by two", strings.ReplaceAll(good, "\n ", "\n  "), "written differently"},
		{"no final newline", strings.TrimSuffix(good, "\n"), "written differently"},
		{"format 4.4", strings.Replace(good, "minor\": 5", "minor\": 4", 1), "format is not 4.5"},
		{"not JSON", "# Title\n", "does not validate"},
		{"cell without id", strings.Replace(good, "[]", `[{"cell_type":"markdown","metadata":{},"source":""}]`, 1),
			"does not validate"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := complaints(t, map[string]string{"a/b.ipynb": tt.notebook})
			if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
				t.Errorf("got the complaints %q, want %q", got, tt.want)
			}
		})
	}
}
