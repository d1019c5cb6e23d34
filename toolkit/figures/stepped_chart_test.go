package figures

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// steppedPage is what these tests read of the page of a chart.
type steppedPage struct {
	size   int // of the data, in bytes
	Frames []struct {
		Title []struct{ Text string }
	}
	Sliders []struct {
		Labels []string
		Start  int
		Play   bool
	}
}

func readPage(t *testing.T, chart *show.Chart, err error) steppedPage {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	snippet := must(chart.Snippet())(t)
	data, ok := chartData(snippet)
	page := steppedPage{size: len(data)}
	if err := json.Unmarshal([]byte(data), &page); err != nil || !ok {
		t.Fatalf("the data of the page: %v", err)
	}
	return page
}

// begins reports whether the title of a frame begins so.
func (p steppedPage) begins(frame int, title string) error {
	if frame >= len(p.Frames) || len(p.Frames[frame].Title) == 0 || !strings.HasPrefix(p.Frames[frame].Title[0].Text, title) {
		return fmt.Errorf("frame %d of %d does not begin with %q", frame, len(p.Frames), title)
	}
	return nil
}

// TestSteppedPages reads in the pages that each position of the sliders shows the frame
// of that position, and that they are not large.
func TestSteppedPages(t *testing.T) {
	iterations := []int{0, 1, 7, 40}
	descents := map[string]func() (*descent, *show.Chart, error){
		"10.6": func() (*descent, *show.Chart, error) {
			run, err := Alpaydin10x6Options{Iterations: iterations}.filled().run(mostFrames)
			if err != nil {
				return nil, nil, err
			}
			chart, err := Alpaydin10x6Chart(Alpaydin10x6Options{Iterations: iterations})
			return run, chart, err
		},
		"10.8": func() (*descent, *show.Chart, error) {
			run, err := Alpaydin10x8Options{Iterations: iterations}.filled().run(mostFrames)
			if err != nil {
				return nil, nil, err
			}
			chart, err := Alpaydin10x8Chart(Alpaydin10x8Options{Iterations: iterations})
			return run, chart, err
		},
	}
	for name, both := range descents {
		run, chart, err := both()
		page := readPage(t, chart, err)
		for i, n := range iterations {
			step := run.trace[n]
			if err := page.begins(i, fmt.Sprintf("E = %.2f,  %s", step.E, mistaken(step.Misclassified, run.data.N()))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got := fmt.Sprint(page.Sliders); got != "[{[0 1 7 40] 0 true}]" {
			t.Errorf("%s: sliders %v", name, got)
		}
		// Red: the frame of another position.
		if page.begins(1, fmt.Sprintf("E = %.2f", run.trace[7].E)) == nil {
			t.Errorf("%s: the second frame passes for the third", name)
		}
	}

	chart, err := Alpaydin10x7Chart(Alpaydin10x7Options{Iterations: iterations})
	page := readPage(t, chart, err)
	for i, title := range []string{"after 0 iterations: ", "after 1 iteration: ", "after 7 iterations: ", "after 40 iterations: "} {
		if err := page.begins(i, title); err != nil {
			t.Error(err)
		}
	}

	chart, err = GambosiNewtonChart(GambosiNewtonOptions{})
	page = readPage(t, chart, err)
	for i, title := range []string{"w₍₀₎ = ", "the tangent at w₍₀₎", "w₍₁₎ = ", "the tangent at w₍₁₎"} {
		if err := page.begins(i, title); err != nil {
			t.Error(err)
		}
	}

	o := PRML4x12Options{}.filled()
	chart, err = PRML4x12Chart(o)
	page = readPage(t, chart, err)
	s := must(o.scene())(t)
	n := len(prml4x12Places)
	for _, at := range [][2]int{{1, 1}, {0, 2}, {2, 0}, {5, 6}} {
		fig := must(o.frame(s, at[0], at[1]))(t)
		if err := page.begins(at[0]*n+at[1], fig.Title); err != nil {
			t.Errorf("centres at %v: %v", at, err)
		}
	}
	if got := page.Sliders[1].Labels[page.Sliders[1].Start]; got != "(1.50, 1.00)" || len(page.Frames) != n*n {
		t.Errorf("centre 2 starts at %s in %d frames", got, len(page.Frames))
	}
}

// TestSteppedPagesAreSmall weighs the data of each page of the catalogue.
func TestSteppedPagesAreSmall(t *testing.T) {
	for _, id := range []string{"prml-4.12", "alpaydin-10.6", "alpaydin-10.7", "alpaydin-10.8", "gambosi-newton"} {
		e := must(Find(id))(t)
		chart, err := e.Chart()
		page := readPage(t, chart, err)
		t.Logf("%s: %d frames, %d bytes", id, len(page.Frames), page.size)
		if page.size > 400_000 {
			t.Errorf("%s: the data of the page are %d bytes; draw fewer frames, or coarser ones", id, page.size)
		}
		if !strings.HasPrefix(e.ChartCall, "figures.") || !strings.Contains(e.ChartCall, "Chart(figures.") {
			t.Errorf("%s: ChartCall is %q", id, e.ChartCall)
		}
	}
}
