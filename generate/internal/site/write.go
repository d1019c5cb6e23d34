package site

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"regexp"

	"codeberg.org/go-fonts/stix/stix2mathregular"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/formula"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/licences"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

//go:embed frame.html play.html site.css site.js
var own embed.FS

var frame = template.Must(template.New("frame.html").Option("missingkey=error").ParseFS(own, "frame.html"))

// keys are those of charts, which name their files.
var keys = regexp.MustCompile(`^[0-9a-f]{1,64}$`)

// write makes the files of the site.
func (b *builder) write() error {
	start := b.sheets[0]
	for i, s := range b.sheets {
		if i > 0 {
			s.Previous = b.sheets[i-1]
			s.Up = cmp.Or(s.Up, start)
		}
		if i+1 < len(b.sheets) {
			s.Next = b.sheets[i+1]
		}
	}
	for _, s := range b.sheets {
		var out bytes.Buffer
		if err := frame.Execute(&out, map[string]any{"Page": s, "Version": toolkit.Version}); err != nil {
			return fmt.Errorf("%s: %w", s.Path, err)
		}
		b.files[s.Path] = out.Bytes()
		for _, c := range s.Doc.Charts {
			if !keys.MatchString(c.Key) {
				return fmt.Errorf("%s: a chart has the key %q, want hexadecimal digits", s.Path, c.Key)
			}
			b.files["assets/charts/"+c.Key+".js"] = []byte(c.Script)
		}
	}
	maps.Copy(b.files, licences.Tree(b.Works))
	css, err := fs.ReadFile(own, "site.css")
	if err != nil {
		return err
	}
	script, err := fs.ReadFile(own, "site.js")
	if err != nil {
		return err
	}
	b.files["assets/site.css"] = []byte(page.CSS + string(css))
	b.files["assets/site.js"] = script
	b.files["assets/Temml.woff2"] = formula.Font
	b.files["assets/STIXTwoMath-Regular.otf"] = stix2mathregular.TTF
	b.files["assets/charts.js"] = []byte(show.ChartLibrary())
	b.files["assets/search.js"], err = b.searchIndex()
	return err
}
