package exercise

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/markdown"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

//go:embed templates/cells.tmpl
var templates embed.FS

var cells = template.Must(template.New("").Option("missingkey=error").ParseFS(templates, "templates/cells.tmpl"))

// metadataKey is the key of hyperplane's metadata in notebooks and cells.
const metadataKey = "hyperplane"

// alwaysImported lists the packages that every exercise notebook imports, because an answer may
// need them. An unused import does no harm, because GoNB omits it from the program of a cell. A
// missing import costs time, because GoNB then searches for the package whenever it runs a cell.
var alwaysImported = []cell.Import{
	{Path: "fmt"}, {Path: "math"}, {Path: "gonum.org/v1/gonum/mat"},
	{Path: cell.HyperplaneModule + "/toolkit"}, {Path: cell.HyperplaneModule + "/toolkit/verify"},
}

// Learner returns the learner's notebook with the task, the stub, the check, a cell that can show the
// hints, and a cell that can reveal the solution. An unedited notebook shows no hint and no solution
// when it runs.
func (e *Exercise) Learner() (*nbformat.Notebook, error) { return e.notebook(false) }

// Solved returns the notebook with the reference answer and the derivation.
func (e *Exercise) Solved() (*nbformat.Notebook, error) { return e.notebook(true) }

// values contains the data that the templates insert into the cells.
type values map[string]any

func (e *Exercise) notebook(solved bool) (*nbformat.Notebook, error) {
	text := path.Join(e.Dir, "exercise.md")
	blocks, imports, err := e.exploreCells(text, solved)
	if err != nil {
		return nil, err
	}
	code := e.Answer.Stub
	if solved {
		code = e.Answer.Solution
	}
	var variant []cell.Import
	if e.Seed != 0 {
		variant = []cell.Import{{Path: cell.HyperplaneModule + "/exercises"}}
	}
	v := values{
		"Solved": solved, "Version": toolkit.Version, "Package": e.Package(), "LearnerPath": e.LearnerPath(),
		"Title": e.Title, "Source": e.Source, "Stars": strings.Repeat("★", e.Stars) + strings.Repeat("☆", 3-e.Stars),
		"Equations": strings.Join(e.Equations, ", "), "Needs": e.Needs, "Lessons": e.Lessons,
		"Imports": cell.Declaration(cell.Merge(alwaysImported, variant, []cell.Import{e.Import()}, code.Imports,
			imports)),
		"Task": e.Task, "Derivation": e.Derivation, "Next": e.Next,
		"Seed": e.Seed, "For": e.escapedName(), "Hints": len(e.Hints),
		"Stub": e.Answer.Stub.Source, "Solution": e.Answer.Solution.Source, "TODO": "`panic(verify.TODO)`",
	}
	b := &builder{exercise: e.ID, values: v, nb: nbformat.New()}
	own := map[string]any{"exercise": e.ID, "solved": solved, "version": toolkit.Version}
	if e.Seed != 0 {
		own["seed"] = json.Number(strconv.FormatUint(e.Seed, 10))
	}
	b.nb.Metadata[metadataKey] = own

	b.text("title")
	b.code("setup", "setup")
	b.text("task")
	b.text("derivation")
	b.text("answer")
	b.code("stub", "stub")
	for i, call := range e.Calls {
		b.values["Call"] = call.String()
		b.code("check", "check"+idSuffix(i))
	}
	if !solved {
		b.text("hints")
		b.code("hint", "hint")
	}
	for i, block := range blocks {
		switch {
		case block.Code:
			b.add(b.nb.AddCode(b.id("explore"+idSuffix(i)), block.Text), "explore")
		case i == 0:
			b.values["Text"] = block.Text
			b.text("explore")
		default:
			b.add(b.nb.AddMarkdown(b.id("explore"+idSuffix(i)), block.Text), "explore")
		}
	}
	if !solved {
		b.text("solution")
		b.code("reveal", "reveal")
	}
	b.text("next")
	if b.err != nil {
		return nil, fmt.Errorf("%s: %w", text, b.err)
	}
	for _, c := range b.nb.Cells {
		// In a variant, macros become plain names and not links, because a learner who receives a
		// variant does not receive the pages to which the links would lead.
		if e.Seed != 0 && c.Type == nbformat.Markdown {
			c.Source = e.Plain(c.Source)
		}
	}
	return b.nb, b.nb.Validate()
}

// escapedName returns the learner's name with Markdown's special characters escaped.
func (e *Exercise) escapedName() string {
	var b strings.Builder
	for _, r := range e.For {
		if r < utf8.RuneSelf && (unicode.IsPunct(r) || unicode.IsSymbol(r)) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// exploreCells splits the section Explore into cells and determines their imports. The first cell
// must be text, because it gets the heading of the section. In the learner's notebook, a cell that
// calls an unfinished function prints a message instead of panicking.
func (e *Exercise) exploreCells(file string, solved bool) ([]markdown.Block, []cell.Import, error) {
	above := strings.Repeat("\n", e.exploreLine-1) // empty lines, so that errors state the line of exercise.md
	blocks, err := markdown.Split(file, []byte(above+e.Explore), 0)
	if err != nil {
		return nil, nil, err
	}
	if blocks[0].Code {
		return nil, nil, fmt.Errorf("%s:%d: begin the section Explore with a sentence about what the learner will see, not with code",
			file, blocks[0].Line)
	}
	known := cell.Common()
	known[e.Package()] = e.Import()
	var imports []cell.Import
	var calls cell.Calls
	for i, block := range blocks {
		if !block.Code {
			continue
		}
		c, err := cell.Read(file, block.Line, block.Text, known)
		if err != nil {
			return nil, nil, err
		}
		blocks[i].Text = c.Source
		if stubs := calls.Add(c.Source, e.Answer.Functions); len(stubs) > 0 && !solved {
			blocks[i].Text = cell.OnTop(c.Source, fmt.Sprintf("defer verify.Later(%s)", quotedNames(stubs)))
		}
		imports = append(imports, c.Imports...)
	}
	return blocks, imports, nil
}

// quotedNames returns the names as Go string literals, separated by commas, so that Go code can pass
// them as the arguments of a call.
func quotedNames(names []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = strconv.Quote(name)
	}
	return strings.Join(list, ", ")
}

// idSuffix returns the end of a cell's id. It distinguishes cells of the same kind, such as several
// check cells; `i` is the index of the cell among them, counted from 0. For index 0, idSuffix returns "".
func idSuffix(i int) string {
	if i == 0 {
		return ""
	}
	return "-" + strconv.Itoa(i+1)
}

// A builder appends cells made from the templates to a notebook. If executing a template fails, the
// builder stores the first error.
type builder struct {
	exercise string
	values   values
	nb       *nbformat.Notebook
	err      error
}

func (b *builder) id(part string) string { return nbformat.ID(b.exercise, part) }

// text appends a Markdown cell made from the template with the given name. The name is also the role
// of the cell.
func (b *builder) text(name string) { b.add(b.nb.AddMarkdown(b.id(name), b.execute(name)), name) }

// code appends a code cell made from the template with the name `role`, which is also the role of
// the cell. The cell's id ends with `part`.
func (b *builder) code(role, part string) { b.add(b.nb.AddCode(b.id(part), b.execute(role)), role) }

func (b *builder) add(c *nbformat.Cell, role string) {
	c.Metadata[metadataKey] = map[string]any{"exercise": b.exercise, "role": role}
}

func (b *builder) execute(name string) string {
	var s strings.Builder
	if err := cells.ExecuteTemplate(&s, name, b.values); err != nil && b.err == nil {
		b.err = err
	}
	return strings.TrimRight(s.String(), " \t\n")
}
