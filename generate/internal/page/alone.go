package page

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"html/template"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/formula"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

//go:embed page.css
var ownCSS string

// CSS is the style of all pages, in light and dark. It names the file of
// formula.Font as Temml.woff2.
var CSS = formula.CSS + ownCSS

var alone = template.Must(template.New("").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
<link rel="icon" href="data:,">
<style>{{.CSS}}</style>
</head>
<body>
<main>
{{.Body}}</main>
{{- range .Scripts}}
<script>{{.}}</script>
{{- end}}
</body>
</html>
`))

// Alone returns the document as a page in one file, which needs no other. Where it
// has interactive charts their library, 700 kB, is in it.
func (d *Document) Alone(title string) ([]byte, error) {
	font := "data:font/woff2;base64," + base64.StdEncoding.EncodeToString(formula.Font)
	var scripts []template.JS
	for _, c := range d.Charts {
		scripts = append(scripts, template.JS(c.Script))
	}
	if len(scripts) > 0 {
		scripts = append(scripts, template.JS(show.ChartLibrary()))
	}
	var b bytes.Buffer
	err := alone.Execute(&b, map[string]any{
		"Title": title, "Body": d.Body, "Scripts": scripts,
		"CSS": template.CSS(strings.ReplaceAll(CSS, "Temml.woff2", font)),
	})
	return b.Bytes(), err
}
