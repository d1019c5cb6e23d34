package markdown

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		name  string
		in    string
		level int
		want  []Block
	}{
		{"nothing", "\n \n", 2, nil},
		{"text only", "a\n\nb\n", 2, []Block{{Text: "a\n\nb", Line: 1}}},
		{"code between text", "a\n\n```go\nx\n```\n\nb", 0, []Block{
			{Text: "a", Line: 1}, {Code: true, Text: "x", Line: 4, Tags: []string{}}, {Text: "b", Line: 7}}},
		{"code at the end without a newline", "```go\nx\n```", 0,
			[]Block{{Code: true, Text: "x", Line: 2, Tags: []string{}}}},
		{"blank lines in code are kept", "```go\n\nx\n\n\ty\n\n```\n", 0,
			[]Block{{Code: true, Text: "\nx\n\n\ty", Line: 2, Tags: []string{}}}},
		{"tags", "```go raises-exception slow\nx\n```\n", 0,
			[]Block{{Code: true, Text: "x", Line: 2, Tags: []string{"raises-exception", "slow"}}}},
		{"tildes", "~~~go\n```\n~~~\n", 0, []Block{{Code: true, Text: "```", Line: 2, Tags: []string{}}}},
		{"other language is text", "```sh\nls\n```\n", 0, []Block{{Text: "```sh\nls\n```", Line: 1}}},
		{"longer fence that contains a fence is text", "````\n```go\nx\n```\n````\n", 0,
			[]Block{{Text: "````\n```go\nx\n```\n````", Line: 1}}},
		{"fence in a list is text", "- a\n\n  ```go\n  x\n  ```\n", 0,
			[]Block{{Text: "- a\n\n  ```go\n  x\n  ```", Line: 1}}},
		{"headings begin blocks", "# T\n\nin\n\n## A\n\na\n\n### deep\n\n## B & *b*\n", 2, []Block{
			{Text: "# T\n\nin", Line: 1, Heading: "T", Level: 1},
			{Text: "## A\n\na\n\n### deep", Line: 5, Heading: "A", Level: 2},
			{Text: "## B & *b*", Line: 11, Heading: "B & *b*", Level: 2}}},
		{"heading in code is code", "```go\n# x\n## y\n```\n", 2,
			[]Block{{Code: true, Text: "# x\n## y", Line: 2, Tags: []string{}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := must.Get(Split("x.md", []byte(tt.in), tt.level))(t)
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestEmptyCodeIsAnError(t *testing.T) {
	_, err := Split("x.md", []byte("a\n\n```go\n\n```\n"), 0)
	must.Fail(t, err, "x.md:3: ")
}

// FuzzSplit checks that the texts of all Markdown blocks occur in the source, in the order of the
// blocks, and that they do not overlap.
func FuzzSplit(f *testing.F) {
	f.Add("# T\n\na\n\n```go\nx\n```\n\n## B\nb\n")
	f.Add("```go")
	f.Add("> ```go\n> x\n\n~~~go\ny")
	f.Fuzz(func(t *testing.T, in string) {
		blocks, err := Split("f", []byte(in), 2)
		if err != nil {
			return
		}
		rest := in
		for _, b := range blocks {
			if !b.Code {
				i := strings.Index(rest, b.Text)
				if i < 0 {
					t.Fatalf("the Markdown block %q does not occur in %q after the end of the Markdown block before it", b.Text, in)
				}
				rest = rest[i+len(b.Text):]
			}
		}
	})
}
