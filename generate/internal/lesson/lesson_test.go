package lesson

import (
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/jupytertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

const head = "---\nid: small\ntitle: A small lesson\nslug: lessons/small\n---\n"

func notebook(text string) (*nbformat.Notebook, error) {
	l, err := Parse("small.md", []byte(text))
	if err != nil {
		return nil, err
	}
	return l.Notebook(nil, map[string]cell.Import{"ex25": {Path: cell.Module + "/exercises/prml4/ex25"}})
}

// outline is a line per cell: type, id, and its source in quotes.
func outline(nb *nbformat.Notebook) string {
	var b strings.Builder
	for _, c := range nb.Cells {
		b.WriteString(string(c.Type) + " " + c.ID + " " + strings.ReplaceAll(c.Source, "\n", "⏎") + "\n")
	}
	return strings.ReplaceAll(b.String(), toolkit.Version, "VERSION")
}

func TestNotebook(t *testing.T) {
	const toolkitImport = `"github.com/hyperplane-notebooks/hyperplane/toolkit"`
	tests := []struct{ name, in, want string }{
		{"own title and set-up block", head + `
# Title

Intro, version {{.Version}}.

` + "```go\n%noautoget\nimport \"fmt\"\n\n%%\ntoolkit.MadeWith(\"{{.Version}}\")\n```" + `

After.

## First part: λ & more

` + "```go\nvar x = math.Pi\n```\n\n```go\n%%\nex25.Hint(1)\n```\n\n## !\n", `markdown small-start-1 # Title⏎⏎Intro, version VERSION.
code small-setup %noautoget⏎import (⏎	"fmt"⏎	"math"⏎⏎	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex25"⏎	` + toolkitImport + `⏎)⏎⏎%%⏎toolkit.MadeWith("VERSION")
markdown small-start-2 After.
markdown small-first-part-more-1 ## First part: λ & more
code small-first-part-more-2 var x = math.Pi
code small-first-part-more-3 %%⏎ex25.Hint(1)
markdown small-section-1 ## !
`},
		{"no title, no set-up block", head + "Intro.\n\n```go\n%%\nfmt.Println()\n```\n", `markdown small-start-1 # A small lesson
markdown small-start-2 Intro.
code small-setup %noautoget⏎import (⏎	"fmt"⏎⏎	` + toolkitImport + `⏎)⏎⏎%%⏎toolkit.MadeWith("VERSION")
code small-start-3 %%⏎fmt.Println()
`},
		{"code first", head + "```go\n%%\nprintln()\n```\n", `markdown small-start-1 # A small lesson
code small-setup %noautoget⏎import (⏎	` + toolkitImport + `⏎)⏎⏎%%⏎toolkit.MadeWith("VERSION")
code small-start-2 %%⏎println()
`},
		{"text only", head + "# T\n", `markdown small-start-1 # T
code small-setup %noautoget⏎import (⏎	` + toolkitImport + `⏎)⏎⏎%%⏎toolkit.MadeWith("VERSION")
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			nb := must.Get(notebook(tt.in))(t)
			if got := outline(nb); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestWordsAtTheFence(t *testing.T) {
	nb := must.Get(notebook(head + "# T\n\n```go raises-exception expect=CompileError slow\nvar x int = 1.5\n```\n"))(t)
	c := nb.Cell("small-start-2")
	if own := c.Metadata["hyperplane"].(map[string]any); own["expect"] != "CompileError" || own["role"] != "code" {
		t.Errorf("metadata is %v", own)
	}
	if tags := c.Metadata["tags"].([]string); strings.Join(tags, " ") != "raises-exception slow" {
		t.Errorf("tags are %q", tags)
	}
}

func TestFaults(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", "small.md:1: "},
		{"no front matter", "# T\n", "small.md:1: found \"# T\""},
		{"never closed", "---\nid: a\n", "small.md:3: "},
		{"no slug", "---\nid: a\ntitle: b\n---\n", "small.md:4: the front matter lacks \"slug: …\""},
		{"bad id", "---\nid: A b\n---\n", "small.md:2: id is \"A b\""},
		{"bad slug", "---\nslug: ../up\n---\n", "small.md:2: slug is"},
		{"bad order", "---\norder: -1\n---\n", "small.md:2: order is"},
		{"order with a tail", "---\norder: 1x\n---\n", "small.md:2: order is"},
		{"twice", "---\nid: a\nid: b\n---\n", "small.md:3: \"id\" is given twice"},
		{"unknown key", "---\nauthor: a\n---\n", "small.md:2: unknown key"},
		{"no colon", "---\nid\n---\n", "small.md:2: found \"id\""},
		{"no text", head, "small.md:6: there is no text"},
		{"no Go", head + "\n```go\nfunc (\n```\n", "small.md:8: "},
		{"same section twice", head + "# T\n\n## A b\n\n## A, b!\n", "small.md:10: two sections"},
		{"late imports", head + "# T\n\n```go\nvar x = 1\n```\n\n```go\nimport \"fmt\"\n```\n", "small.md:13: this cell holds only imports"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := notebook(tt.in)
			must.Fail(t, err, tt.want)
		})
	}
}

func TestJupyterWritesTheSameBytes(t *testing.T) {
	files := map[string]string{}
	for name, file := range map[string]string{"fixture.ipynb": "testdata/small.md", "tour.ipynb": "../../lessons/tour.md"} {
		files[name] = string(must.Get(must.Get(notebook(must.Read(t, file)))(t).Marshal())(t))
	}
	jupytertest.SameBytes(t, files)
}
