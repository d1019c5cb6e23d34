package figures

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// pageFrame is what a page shows at one combination of slider positions, in words.
type pageFrame struct{ titles, labels []string }

func (f pageFrame) says(text string) bool {
	return slices.Contains(f.titles, text) || slices.Contains(f.labels, text)
}

// pageOf reads the frames of a chart, and where its sliders start, from its page.
func pageOf(t *testing.T, c *show.Chart) (frames []pageFrame, starts []string) {
	t.Helper()
	page := must(c.Snippet())(t)
	text, ok := chartData(page)
	if !ok {
		t.Fatal("the page has no data")
	}
	var data struct {
		Parts []struct {
			With struct {
				Labels []string `json:"labels"`
			} `json:"with"`
		} `json:"parts"`
		Frames []struct {
			Parts []int `json:"parts"`
			Title []struct {
				Text string `json:"text"`
			} `json:"title"`
		} `json:"frames"`
		Sliders []struct {
			Labels []string `json:"labels"`
			Start  int      `json:"start"`
		} `json:"sliders"`
	}
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err)
	}
	for _, f := range data.Frames {
		var out pageFrame
		for _, title := range f.Title {
			out.titles = append(out.titles, title.Text)
		}
		for _, p := range f.Parts {
			out.labels = append(out.labels, data.Parts[p].With.Labels...)
		}
		frames = append(frames, out)
	}
	for _, s := range data.Sliders {
		starts = append(starts, s.Labels[s.Start])
	}
	return frames, starts
}

// The catalogue's charts start at the options of the printed figures; 4.7, which goes
// through all of them, at the beginning.
func TestChartsStartAsPrinted(t *testing.T) {
	for id, want := range map[string][]string{
		"fig-prml-4.1": {"20°", "−4.8"},
		"fig-prml-4.4": {"8"},
		"fig-prml-4.6": {"177.4° (line of the means)"},
		"fig-prml-4.7": {"0"},
	} {
		e, err := Find(id)
		if err != nil || e.Chart == nil || e.ChartCall == "" {
			t.Fatalf("%s: no chart, %v", id, err)
		}
		c, err := e.Chart()
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		if _, starts := pageOf(t, c); !slices.Equal(starts, want) {
			t.Errorf("%s starts at %q, want %q", id, starts, want)
		}
	}
}

// chartData returns the data of the chart in a snippet, as JSON.
func chartData(snippet string) (string, bool) {
	_, rest, ok := strings.Cut(snippet, "\", data = ")
	var data json.RawMessage
	err := json.NewDecoder(strings.NewReader(rest)).Decode(&data)
	return string(data), ok && err == nil
}
