package figures

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// stepped is a chart with its frames, in the order of its page.
type stepped struct {
	chart func() (*show.Chart, error)
	draw  func(i int) *show.Figure
	// holds checks the numbers of frame i against a calculation of its own. Those of
	// another frame must fail it.
	holds func(i int, d show.Data)
	// all, if not nil, checks what the frames show together. In the opposite order they
	// must fail it.
	all func(frames []show.Data)
	// says returns texts of frame i, as the page shows them, with … for what is before or after.
	says func(i int) []string
}

func TestChartsFrameByFrame(t *testing.T) {
	for name, frames := range map[string]func() stepped{
		"4.1": func() stepped { return geometryFrames(PRML4x1Options{}) },
		"4.1, other options": func() stepped {
			return geometryFrames(PRML4x1Options{W0: 3, Norm: 1.7, Angle: -47, X: [2]float64{-1, 2}})
		},
		"4.4":       outlierFrames,
		"4.6":       headingFrames,
		"4.7":       func() stepped { return correctionFrames(PRML4x7Options{}) },
		"4.7, many": func() stepped { return correctionFrames(PRML4x7Options{N: 60, Rate: 0.02, Angle: 300}) },
		"4.12":      centreFrames,
		"10.6":      twoClassFrames,
		"10.7":      oneInputFrames,
		"10.8":      threeClassFrames,
		"Newton":    newtonFrames,
	} {
		t.Run(name, func(t *testing.T) {
			c := frames()
			page := pageOf(t, must(c.chart())(t))
			var numbers []show.Data
			for i := range page.Frames {
				numbers = append(numbers, c.draw(i).Data())
			}
			for i, d := range numbers {
				if err := failing(func() { c.holds(i, d) }); err != nil {
					t.Errorf("frame %d: %v", i, err)
				}
				if failing(func() { c.holds(i, numbers[(i+1)%len(numbers)]) }) == nil {
					t.Errorf("frame %d: the next one passes for it", i)
				}
				for _, text := range c.says(i) {
					if !page.says(i, text) {
						t.Errorf("frame %d does not say %q but %q", i, text, page.texts(i))
					}
				}
			}
			if c.all == nil {
				return
			}
			if err := failing(func() { c.all(numbers) }); err != nil {
				t.Error(err)
			}
			slices.Reverse(numbers)
			if failing(func() { c.all(numbers) }) == nil {
				t.Error("the frames hold in the opposite order too")
			}
		})
	}
}

// page is what these tests read of the page of a chart.
type page struct {
	size  int // of the data, in bytes
	Parts []struct {
		With struct{ Labels []string }
	}
	Frames []struct {
		Parts []int
		Title []struct{ Text string }
	}
	Sliders []struct {
		Labels []string
		Start  int
	}
}

func pageOf(t *testing.T, c *show.Chart) (p page) {
	t.Helper()
	_, rest, ok := strings.Cut(must(c.Snippet())(t), "\", data = ")
	var data json.RawMessage
	if err := json.NewDecoder(strings.NewReader(rest)).Decode(&data); err != nil || !ok {
		t.Fatalf("the page has no data: %v", err)
	}
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	p.size = len(data)
	return p
}

// texts returns the titles and labels of a frame.
func (p page) texts(frame int) (out []string) {
	for _, title := range p.Frames[frame].Title {
		out = append(out, title.Text)
	}
	for _, part := range p.Frames[frame].Parts {
		out = append(out, p.Parts[part].With.Labels...)
	}
	return out
}

func (p page) says(frame int, text string) bool {
	begin, open := strings.CutSuffix(text, "…")
	end, rest := strings.CutPrefix(text, "…")
	return slices.ContainsFunc(p.texts(frame), func(s string) bool {
		return s == text || open && strings.HasPrefix(s, begin) || rest && strings.HasSuffix(s, end)
	})
}

// The figures that the catalogue marks as interactive have a chart, with the code for
// it, and no others. It starts at the options of the printed figure, and sequences at
// the beginning; its page is small.
func TestInteractiveFigures(t *testing.T) {
	starts := map[string][]string{
		"fig-prml-4.1": {"20°", "−4.8"}, "fig-prml-4.4": {"8", "1×"}, "fig-prml-4.6": {"177.4° (line of the means)"}, "fig-prml-4.7": {"0"},
		"fig-prml-4.10": nil, "fig-prml-4.12": {"(−1.50, −1.00)", "(1.50, 1.00)"}, "fig-alpaydin-10.6": {"0"}, "fig-alpaydin-10.7": {"0"},
		"fig-alpaydin-10.8": {"0"}, "fig-alpaydin-10.10": nil, "fig-gambosi-gda": nil, "fig-gambosi-newton": {"start"},
	}
	for _, e := range All() {
		want, interactive := starts[e.ID]
		delete(starts, e.ID)
		if (e.Chart != nil) != interactive || strings.Contains(e.ChartCall, "Chart(figures.") != interactive {
			t.Errorf("%s: interactive is %v, ChartCall %q", e.ID, e.Chart != nil, e.ChartCall)
		}
		if !interactive {
			continue
		}
		p := pageOf(t, must(e.Chart())(t))
		var got []string
		for _, s := range p.Sliders {
			got = append(got, s.Labels[s.Start])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s starts at %q, want %q", e.ID, got, want)
		}
		if p.size > 400_000 {
			t.Errorf("%s: the data of %d frames are %d bytes; draw fewer frames, or coarser ones", e.ID, len(p.Frames), p.size)
		}
	}
	if len(starts) > 0 {
		t.Errorf("no figures %v", slices.Collect(maps.Keys(starts)))
	}
}
