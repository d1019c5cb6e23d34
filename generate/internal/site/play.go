package site

import (
	"bytes"
	"encoding/json"
	"html/template"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/play"
)

// playScripts are the scripts of a page on which an exercise is worked on, in the order
// in which they are run.
var playScripts = []string{"codemirror-6.min.js", "store.js", "editor.js", "judge.js", "hints.js", "page.js"}

var playHTML = template.Must(template.New("play.html").Option("missingkey=error").ParseFS(own, "play.html"))

// work adds the place where the answer of an exercise is written and judged, and the
// notebook that can be taken from there. Where no answer can be judged in the page, what
// static adds is seen instead.
func (b *builder) work(s *sheet, doc *page.Builder, e *exercise.Exercise, static func()) error {
	learner := path.Join("exercises", e.LearnerPath())
	var err error
	if b.files[learner], err = fs.ReadFile(b.Module, path.Join(Folder, learner)); err != nil {
		return err
	}
	for _, name := range playScripts {
		s.Scripts = append(s.Scripts, path.Join(play.Folder, name))
	}
	s.Styles = []string{path.Join(play.Folder, "play.css")}
	data, err := json.Marshal(map[string]any{
		"id": e.ID, "package": e.Package(), "path": e.Import().Path, "module": cell.Module, "vary": slices.Contains(e.Varies(), "constants"),
		"notebook": path.Base(learner), "root": s.Root(),
	})
	if err != nil {
		return err
	}
	var out bytes.Buffer
	stub := e.Answer.Stub.Source + "\n"
	err = playHTML.Execute(&out, map[string]any{"Data": string(data), "Stub": stub, "Rows": strings.Count(stub, "\n") + 3, "Calls": e.Calls})
	if err != nil {
		return err
	}
	doc.HTML(out.String())
	doc.HTML("<div id=\"play-static\">\n")
	static()
	doc.HTML("</div>\n")
	return nil
}
