package class

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"maps"
	"math"
	"net/url"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed pages.html
var pageText embed.FS

var pages = template.Must(template.New("").Option("missingkey=error").Funcs(template.FuncMap{"number": number, "path": url.PathEscape}).ParseFS(pageText, "pages.html"))

// feedback is the page of one learner: what was judged and what became of it. It holds
// nothing of others.
func (b *Book) feedback(l Learner) ([]byte, error) {
	results := b.of(l)
	points, most := 0.0, 0.0
	for _, r := range results {
		points, most = points+r.Points, most+r.Max
	}
	return page("feedback", map[string]any{"Learner": l, "Results": results, "Points": points, "Max": most})
}

func page(name string, values map[string]any) ([]byte, error) {
	var text bytes.Buffer
	err := pages.ExecuteTemplate(&text, name, values)
	return text.Bytes(), err
}

// A tally is how often something was met.
type tally struct {
	Name string
	N    int
}

// summary is the page of the whole class.
func (b *Book) summary() ([]byte, error) {
	tenths := make([]tally, 10)
	for i := range tenths {
		tenths[i].Name = fmt.Sprintf("%d–%d %%", 10*i, 10*i+10)
	}
	type row struct {
		Learner     Learner
		Results     []*Result
		Points, Max float64
	}
	var rows []row
	met := map[string]int{}
	attempts := make([]tally, len(b.course.Exercises))
	for i, e := range b.course.Exercises {
		attempts[i].Name = e.ID
	}
	for _, l := range b.course.Learners {
		line := row{Learner: l, Results: b.of(l)}
		for i, r := range line.Results {
			attempts[i].N += r.Attempts
			line.Points, line.Max = line.Points+r.Points, line.Max+r.Max
			keys := map[string]bool{} // one learner has a misconception once
			for _, p := range r.Parts {
				if p.Key != "" && p.Outcome == verify.Wrong {
					keys[r.Exercise+" "+p.Key] = true
				}
			}
			for key := range keys {
				met[key]++
			}
		}
		rows = append(rows, line)
		if line.Max > 0 {
			tenths[min(9, int(math.Floor(10*line.Points/line.Max+1e-9)))].N++
		}
	}
	var mistakes []tally
	for _, key := range slices.Sorted(maps.Keys(met)) {
		mistakes = append(mistakes, tally{key, met[key]})
	}
	slices.SortStableFunc(mistakes, func(x, y tally) int { return cmp.Compare(y.N, x.N) })
	mistakes = mistakes[:min(len(mistakes), 15)]
	values := map[string]any{"Course": b.course, "Rows": rows, "Mistakes": mistakes, "Alike": b.alike, "NotCompared": b.NotCompared, "Tool": b.Tool, "Attempts": attempts, "MistakesPlot": template.URL("")}
	var err error
	if values["ScoresPlot"], err = bars("learners", "share of the points", tenths); err != nil {
		return nil, err
	}
	if len(mistakes) > 0 {
		if values["MistakesPlot"], err = bars("learners", "", mistakes); err != nil {
			return nil, err
		}
	}
	if values["AttemptsPlot"], err = bars("hand-ins", "", attempts); err != nil {
		return nil, err
	}
	return page("summary", values)
}

// bars draws how many of something there are of each kind, from the top, as a picture that
// stands in the page itself.
func bars(of, label string, list []tally) (template.URL, error) {
	p := show.NewPanel(of, label)
	values, names := make(plotter.Values, len(list)), make([]plot.Tick, len(list))
	most := 1
	for i, t := range list {
		at := len(list) - 1 - i
		values[at], names[at] = float64(t.N), plot.Tick{Value: float64(at), Label: t.Name}
		most = max(most, t.N)
	}
	chart, err := plotter.NewBarChart(values, vg.Points(9))
	if err != nil {
		return "", err
	}
	chart.Horizontal, chart.Color, chart.LineStyle.Width = true, show.LineColor(0), 0
	p.Add(chart)
	p.Y.Tick.Marker = plot.ConstantTicks(names)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, float64(most)*1.05, -0.7, float64(len(list))-0.3
	f, err := show.NewFigure(1, p)
	if err != nil {
		return "", err
	}
	svg, err := f.SVG()
	if err != nil {
		return "", err
	}
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg)), nil
}
