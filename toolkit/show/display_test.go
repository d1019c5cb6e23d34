//go:build unix

package show

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
	"golang.org/x/sys/unix"
)

func TestDisplayOutsideANotebook(t *testing.T) {
	if os.Getenv(protocol.GONB_PIPE_ENV) != "" {
		t.Skip("this test runs only outside a notebook")
	}
	for _, f := range []*Figure{nil, smallFigure(t)} {
		if err := Display(f); err != nil {
			t.Error(err)
		}
		if err := DisplaySVG(f); err != nil {
			t.Error(err)
		}
	}
	// Each function must return the error of a plot that failed.
	d := square()
	for name, err := range map[string]error{
		"Display":      Display(Regions(nil, d, RegionsOptions{})),
		"DisplaySVG":   DisplaySVG(Regions(nil, d, RegionsOptions{})),
		"DisplayChart": DisplayChart(Interactive(Regions(nil, d, RegionsOptions{}))),
	} {
		t.Run(name, func(t *testing.T) { wantError(t, err, "show: Regions: the model is nil") })
	}
	model := ScoreFunc(func(x []float64) []float64 { return []float64{x[0], x[1]} })
	if err := Display(Regions(model, d, RegionsOptions{Grid: 8})); err != nil {
		t.Error(err)
	}
}

// TestCellProcess is not a test. It is the program of a notebook cell, which runCell runs.
func TestCellProcess(t *testing.T) {
	if os.Getenv("SHOW_TEST_CELL") == "" {
		t.Skip("only as a child of runCell")
	}
	if os.Getenv("SHOW_TEST_CELL") == "chart" {
		fmt.Println(LoadCharts(), DisplayChart(Interactive(smallFigure(t))))
		return
	}
	fmt.Println(Display(smallFigure(t)), DisplaySVG(smallFigure(t)), Display(nil),
		Display(Regions(nil, square(), RegionsOptions{})))
}

// runCell runs TestCellProcess with `env` added to its environment, and plays the part of the
// notebook kernel GoNB. It returns the outputs that the cell sends through a pipe, the number of
// its Sync messages, and the text that the cell prints. runCell answers each Sync message, because
// otherwise the cell would wait forever.
func runCell(t *testing.T, env ...string) (shown []protocol.DisplayData, synced int, printed string) {
	t.Helper()
	dir := t.TempDir()
	to, back := filepath.Join(dir, "to"), filepath.Join(dir, "back")
	for _, p := range []string{to, back} {
		if err := unix.Mkfifo(p, 0o600); err != nil {
			t.Skip("this system cannot make named pipes:", err)
		}
	}
	cell := exec.Command(os.Args[0], "-test.run", "^TestCellProcess$", "-test.v")
	cell.Env = append(append(os.Environ(), env...), protocol.GONB_PIPE_ENV+"="+to, protocol.GONB_PIPE_BACK_ENV+"="+back)
	var out bytes.Buffer
	cell.Stdout, cell.Stderr = &out, &out
	if err := cell.Start(); err != nil {
		t.Fatal(err)
	}
	// Opening the pipe blocks until the cell opens the other end. If the cell has not ended after a
	// minute, the timer kills it.
	watch := time.AfterFunc(time.Minute, func() { _ = cell.Process.Kill() })
	defer watch.Stop()
	defer func() { _ = cell.Process.Kill() }() // Kill has no effect on a finished cell.
	r := must(os.Open(to))(t)
	defer r.Close()
	w := must(os.OpenFile(back, os.O_WRONLY, 0))(t)
	defer w.Close()
	dec, enc := gob.NewDecoder(r), gob.NewEncoder(w)
	for {
		var d protocol.DisplayData
		if err := dec.Decode(&d); err == io.EOF {
			break // end of file: the cell has ended
		} else if err != nil {
			t.Fatal(err)
		}
		if v, ok := d.Data[protocol.MIMECommValue].(protocol.CommValue); ok {
			synced++
			if err := enc.Encode(&protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: v.Value}); err != nil {
				t.Fatal(err)
			}
			continue
		}
		shown = append(shown, d)
	}
	if err := cell.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	return shown, synced, out.String()
}

func TestDisplayInANotebook(t *testing.T) {
	shown, synced, out := runCell(t, "SHOW_TEST_CELL=1")
	if len(shown) != 4 || synced != 4 {
		t.Fatalf("there are %d outputs and %d syncs, want 4 of each\n%s", len(shown), synced, out)
	}
	if !strings.Contains(out, "<nil> <nil> show: the figure is empty") {
		t.Errorf("the calls returned %s, want two nil errors and the error for an empty figure", out)
	}

	picture, _ := shown[0].Data[protocol.MIMEImagePNG].([]byte)
	c := must(png.DecodeConfig(bytes.NewReader(picture)))(t)
	meta := must(json.Marshal(shown[0].Metadata))(t)
	if want := fmt.Sprintf(`{"image/png":{"height":%d,"width":%d}}`, (c.Height+1)/2, (c.Width+1)/2); string(meta) != want {
		t.Errorf("the metadata are %s for a picture of %d × %d pixels, want half of these sizes: %s",
			meta, c.Width, c.Height, want)
	}
	html, _ := shown[1].Data[protocol.MIMETextHTML].(string)
	if !strings.HasPrefix(html, `<img alt="`) || !strings.Contains(html, `src="data:image/svg+xml;base64,`) ||
		strings.Contains(html, "<svg") {
		t.Errorf("the SVG is not in an <img>: %.80q", html)
	}
	for i, want := range []string{"show: the figure is empty", "show: Regions: the model is nil"} {
		text, _ := shown[2+i].Data[protocol.MIMETextPlain].(string)
		if !strings.HasPrefix(text, want) || strings.Contains(text, "\n") || len(shown[2+i].Data) != 1 {
			t.Errorf("the output is %v, want only one line of text that begins with %q", shown[2+i].Data, want)
		}
	}
}

// TestDisplayChartHeadless checks that, in a headless run, DisplayChart outputs the PNG of the
// figure. With HYPERPLANE_HEADLESS=charts, the output also contains the interactive form and the
// SVGs. In an interactive notebook (HYPERPLANE_HEADLESS=0), it contains only the interactive form.
func TestDisplayChartHeadless(t *testing.T) {
	for mode, want := range map[string]struct {
		outputs        int // including the library
		picture, chart bool
		vectors        bool // whether the output also contains the picture as SVG, for wide and for narrow windows
	}{"0": {2, false, true, false}, "1": {1, true, false, false}, "charts": {1, true, true, true}} {
		t.Run(mode, func(t *testing.T) {
			shown, _, out := runCell(t, "SHOW_TEST_CELL=chart", "HYPERPLANE_HEADLESS="+mode)
			if len(shown) != want.outputs || !strings.Contains(out, "<nil> <nil>") {
				t.Fatalf("there are %d outputs, want %d, or the cell did not print two nil errors; it printed\n%s", len(shown), want.outputs, out)
			}
			last := shown[len(shown)-1].Data
			picture, _ := last[protocol.MIMEImagePNG].([]byte)
			page, _ := last[protocol.MIMETextHTML].(string)
			if chart := strings.Contains(page, `class="hyperplane-chart"`); (picture != nil) != want.picture || chart != want.chart {
				t.Errorf("the output has a picture: %v, and a chart: %v; want %+v", picture != nil, chart, want)
			}
			if same := must(smallFigure(t).Encode("png"))(t); want.picture && !bytes.Equal(picture, same) {
				t.Error("the picture differs from the PNG of the figure")
			}
			wide, _ := last[protocol.MIMEImageSVG].(string)
			narrow, _ := last[protocol.MIMEType(NarrowMIME)].(string)
			if same := string(must(smallFigure(t).SVG())(t)); (wide == same) != want.vectors ||
				strings.Contains(narrow, `width="270pt"`) != want.vectors {
				t.Errorf("the wide SVG has %d bytes, and the narrow SVG begins with %.100q; want the two SVGs of the figure: %v",
					len(wide), narrow, want.vectors)
			}
		})
	}
}

// TestProgress checks the progress bar for notebooks and the progress bar for terminals. The bar
// must appear after two seconds, be updated from time to time, and be full at the end of its pass.
func TestProgress(t *testing.T) {
	var clock time.Time
	clock = clock.Add(time.Hour)
	var bars, lines []string
	p := &progress{now: func() time.Time { return clock }, draw: func(pass, row, rows int) {
		bars = append(bars, progressBar(pass, row, rows))
		lines = append(lines, progressLine(pass, row, rows))
	}}
	for _, s := range []struct {
		after           time.Duration
		pass, row, rows int
	}{
		{0, 0, 100, 0},
		{1900 * time.Millisecond, 0, 200, 0},
		{100 * time.Millisecond, 0, 300, 0},
		{100 * time.Millisecond, 0, 400, 0}, // this call comes so soon after the last update that it does not update the bar
		{300 * time.Millisecond, 1, 100, 500},
		{time.Millisecond, 1, 500, 500},
		{time.Millisecond, 2, 100, 500},
		{time.Millisecond, 2, 500, 500}, // this pass is so short that no bar is drawn
		{time.Second, 3, 250, 500},
	} {
		clock = clock.Add(s.after)
		p.step(s.pass, s.row, s.rows)
	}
	wantBars := []string{
		"<progress></progress> 300 rows counted",
		`<progress value="100" max="500"></progress> pass 1: row 100 of 500`,
		`<progress value="500" max="500"></progress> pass 1: row 500 of 500`,
		`<progress value="250" max="500"></progress> pass 3: row 250 of 500`,
	}
	wantLines := []string{
		"\r300 rows counted\x1b[K",
		"\r[====                ] pass 1: row 100 of 500\x1b[K",
		"\r[====================] pass 1: row 500 of 500\x1b[K\n",
		"\r[==========          ] pass 3: row 250 of 500\x1b[K",
	}
	if !slices.Equal(bars, wantBars) || !slices.Equal(lines, wantLines) {
		t.Errorf("the bars in the notebook are %q and in the terminal %q\nwant %q and %q",
			bars, lines, wantBars, wantLines)
	}
	Progress()(1, 2, 3) // without a notebook or a terminal, Progress writes nothing
}
