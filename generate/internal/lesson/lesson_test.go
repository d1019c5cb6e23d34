package lesson

import (
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
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
	return l.Notebook(nil, map[string]cell.Import{"ex25": {Path: cell.HyperplaneModule + "/exercises/prml4/ex25"}})
}

// outline returns one line for each cell, with its type, its id and its source.
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
		{"lesson with its own title and set-up block", head + `
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
		{"lesson without a title and a set-up block", head + "Intro.\n\n```go\n%%\nfmt.Println()\n```\n", `markdown small-start-1 # A small lesson
markdown small-start-2 Intro.
code small-setup %noautoget⏎import (⏎	"fmt"⏎⏎	` + toolkitImport + `⏎)⏎⏎%%⏎toolkit.MadeWith("VERSION")
code small-start-3 %%⏎fmt.Println()
`},
		{"command in the set-up block", head + "Intro.\n\n```go\n%noautoget\n!*ls\nimport \"fmt\"\n```\n",
			`markdown small-start-1 # A small lesson
markdown small-start-2 Intro.
code small-setup %noautoget⏎!*ls⏎import (⏎	"fmt"⏎⏎	` + toolkitImport + `⏎)⏎⏎%%⏎toolkit.MadeWith("VERSION")
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

// smallCourse returns a course of two lessons and one other page. It also returns the first lesson,
// which has the given text, a task and an exercise.
func smallCourse(t *testing.T, text string) (*Course, *Lesson) {
	t.Helper()
	parse := func(id, order, more, text string) *Lesson {
		return must.Get(Parse(id+".md",
			[]byte("---\nid: "+id+"\ntitle: T"+order+"\nslug: lessons/"+id+"\norder: "+order+"\n"+more+"---\n"+
				text)))(t)
	}
	first := parse("lesson-1", "1", "sections: PRML 4.1.1\nminutes: 20\nexercises: prml-4.25\n", text)
	return &Course{
		Lessons: []*Lesson{first, parse("lesson-2", "2", "needs: 1\n", "\n# T2\n"), parse("index", "3", "", "\n# C\n")},
		Tasks: map[string]Task{"lesson-1": {Package: "lesson01", Title: "A side", Text: "Write `Side`.",
			Stub: "func Side() int {\n\tpanic(verify.TODO)\n}", Calls: []string{"Check(Side)"}, Hints: 2}},
		Titles: map[string]string{"prml-4.25": "Which λ? ★★"},
	}, first
}

func TestCourse(t *testing.T) {
	c, l := smallCourse(t, "\n# T1\n\nIntro.\n\n{task}\n\n## Way\n\n{map}\n\n{next}\n")
	nb := must.Get(l.Notebook(c,
		map[string]cell.Import{"lesson01": {Path: cell.HyperplaneModule + "/exercises/lessons/lesson01"},
			"exercises": {Path: cell.HyperplaneModule + "/exercises"}}))(t)
	text := outline(nb)
	for _, want := range []string{
		"lesson-1-start-1 # T1⏎⏎**Lesson 1** · PRML 4.1.1 · about 20 minutes⏎⏎Intro.\n",
		"lesson-1-your-turn-1 ## Your turn⏎⏎**A side.** Write `Side`.⏎",
		"code lesson-1-your-turn-2 func Side() int {⏎	panic(verify.TODO)⏎}\n",
		"code lesson-1-your-turn-3 %%⏎lesson01.Check(Side)\n",
		"code lesson-1-your-turn-5 %%⏎lesson01.Hint(0)⏎// lesson01.Solution()\n",
		"| 1 | {lesson:1:T1} | PRML 4.1.1 | 20 | – | {ex:prml-4.25} |⏎| 2 | {lesson:2:T2} |  | 0 | {lesson:1:1} | – |",
		"## Where to go next⏎⏎- {ex:prml-4.25}: Which λ? ★★⏎- the next lesson: {lesson:2:T2}⏎- {page:index:the map of the course}",
		"%%⏎exercises.Progress(\"lesson-1\", \"prml-4.25\")\n",
	} {
		must.Contain(t, text, want)
	}
	if own := nb.Cell("lesson-1-your-turn-3").Metadata["hyperplane"].(map[string]any); own["expect"] != "NotPassed" {
		t.Errorf("the check cell of an untouched lesson has the metadata expect=%v, want NotPassed", own["expect"])
	}
	// The field Packages is set only for a course that is a separate Go module.
	c.Packages = map[string]string{"lesson-1": "lesson01", "prml-4.25": "ex25"}
	if call := c.progressCall(l); call != "exercises.ProgressOf(lesson01.Exercise(), ex25.Exercise())" {
		t.Errorf("the cell that shows the progress contains the call %s, want a call of exercises.ProgressOf for lesson01 and ex25", call)
	}
	last := must.Get(c.Lessons[1].Notebook(c, nil))(t)
	must.Contain(t, outline(last), "**Lesson 2** · builds on {lesson:1}")

	_, l = smallCourse(t, "\n# T1\n\n{next}\n")
	_, err := l.Notebook(nil, nil)
	must.Fail(t, err, "lesson-1.md:11: {next} is allowed only in a lesson")
	for text, want := range map[string]string{"{task}": "the lesson has no task: want an exercise with the id lesson-1",
		"{next}": `there is no exercise "prml-4.25"`} {
		c, l := smallCourse(t, "\n# T1\n\n"+text+"\n")
		c.Tasks, c.Titles = nil, nil
		_, err := l.Notebook(c, nil)
		must.Fail(t, err, "lesson-1.md:", want)
	}
}

// TestCharts checks that the set-up cell loads the chart library if and only if a cell shows a
// chart.
func TestCharts(t *testing.T) {
	nb := must.Get(notebook(head + "# T\n\n```go\n%%\nshow.DisplayChart(nil)\n```\n"))(t)
	must.Contain(t, nb.Cell("small-setup").Source, "\nshow.LoadCharts()")
	if nb := must.Get(notebook(head + "# T\n\n```go\n%%\nshow.Display(nil)\n```\n"))(t); strings.Contains(nb.Cell("small-setup").Source, "LoadCharts") {
		t.Error("the set-up cell loads the library although no cell shows a chart")
	}
}

// TestMarks checks that Notebook removes the marks from the text and stores their contents in
// Covers and Quotes.
func TestMarks(t *testing.T) {
	l := must.Get(Parse("small.md",
		[]byte(head+
			"# T\n\n<!-- covers: PRML 4.1.7; Topic x -->\nOf {=−3.5} and {=12}.\n\n## B\n\n<!-- covers: PRML 4.2 -->\nText.\n")))(t)
	nb := must.Get(l.Notebook(nil, nil))(t)
	if got := outline(nb); strings.Contains(got, "covers") || !strings.Contains(got, "Of −3.5 and 12.") {
		t.Errorf("the marks were not removed from the notebook\n%s", got)
	}
	if want := []Cover{{"PRML 4.1.7", "small-start-1"}, {"Topic x", "small-start-1"}, {"PRML 4.2", "small-b-1"}}; !slices.Equal(l.Covers, want) {
		t.Errorf("got the covered sections %v, want %v", l.Covers, want)
	}
	if want := []Quote{{"−3.5", "small-start-"}, {"12", "small-start-"}}; !slices.Equal(l.Quotes, want) {
		t.Errorf("got the quoted numbers %v, want %v", l.Quotes, want)
	}
	for output, want := range map[string][]bool{
		"w = [-3.5 2]": {true, false}, "-3.52, 112, 12.5": {false, false}, "3.5 of 12.": {false, true},
		"12": {false, true}, "0.12": {false, false},
	} {
		if got := []bool{l.Quotes[0].Printed(output), l.Quotes[1].Printed(output)}; !slices.Equal(got, want) {
			t.Errorf("Printed for the output %q gives %v, want %v", output, got, want)
		}
	}
}

func TestWordsAtTheFence(t *testing.T) {
	nb := must.Get(notebook(head + "# T\n\n```go raises-exception expect=CompileError slow\nvar x int = 1.5\n```\n"))(t)
	c := nb.Cell("small-start-2")
	if own := c.Metadata["hyperplane"].(map[string]any); own["expect"] != "CompileError" || own["role"] != "code" {
		t.Errorf("got the metadata %v, want the role code and the expectation CompileError", own)
	}
	if tags := c.Metadata["tags"].([]string); strings.Join(tags, " ") != "raises-exception slow" {
		t.Errorf("got the tags %q, want raises-exception and slow", tags)
	}
}

func TestFaults(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", "small.md:1: "},
		{"no front matter", "# T\n", "small.md:1: found \"# T\""},
		{"never closed", "---\nid: a\n", "small.md:3: "},
		{"no slug", "---\nid: a\ntitle: b\n---\n", "small.md:4: the front matter lacks \"slug: …\""},
		{"bad id", "---\nid: A b\n---\n", "small.md:2: invalid id \"A b\""},
		{"bad slug", "---\nslug: ../up\n---\n", "small.md:2: invalid slug"},
		{"bad order", "---\norder: -1\n---\n", "small.md:2: invalid order"},
		{"bad minutes", "---\nminutes: soon\n---\n", "small.md:2: invalid minutes"},
		{"order with a tail", "---\norder: 1x\n---\n", "small.md:2: invalid order"},
		{"twice", "---\nid: a\nid: b\n---\n", "small.md:3: \"id\" is given twice"},
		{"unknown key", "---\nauthor: a\n---\n", "small.md:2: unknown key"},
		{"no colon", "---\nid\n---\n", "small.md:2: found \"id\""},
		{"no text", head, "small.md:6: there is no text"},
		{"no Go", head + "\n```go\nfunc (\n```\n", "small.md:8: "},
		{"same section twice", head + "# T\n\n## A b\n\n## A, b!\n", "small.md:10: two sections"},
		{"late imports", head + "# T\n\n```go\nvar x = 1\n```\n\n```go\nimport \"fmt\"\n```\n",
			"small.md:13: this cell contains only imports"},
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
	for name, file := range map[string]string{"fixture.ipynb": "testdata/small.md",
		"tour.ipynb": "../../lessons/tour.md"} {
		files[name] = string(must.Get(must.Get(notebook(must.Read(t, file)))(t).Marshal())(t))
	}
	must.SameNotebooks(t, files)
}
