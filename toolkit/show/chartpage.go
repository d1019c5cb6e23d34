package show

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/echarts"
)

// waiting follows the data of each chart. It claims the chart's place by its key:
// where the script itself stands is no help, since some pages run it elsewhere; and
// it waits for the library, which may come later, and after five seconds says where
// it comes from.
const waiting = `
  var place = null, tries = 0, note = null;
  (function wait() {
    if (!place) {
      place = document.querySelector(".hyperplane-chart[data-key='" + key + "']:not([data-taken])");
      if (place) place.setAttribute("data-taken", "");
    }
    if (place && globalThis.hyperplaneCharts) { if (note) note.remove(); globalThis.hyperplaneCharts.show(place, data); return; }
    if (place && tries === 50) {
      note = document.createElement("div");
      note.style.cssText = "font:12px sans-serif;color:#444";
      note.textContent = "A still picture: for the interactive chart run show.LoadCharts() in a cell of this notebook.";
      place.appendChild(note);
    }
    if (tries++ < 3000) setTimeout(wait, 100);
  })();
})();`

// Snippet returns the chart as a piece of HTML: the picture, and the script that
// puts the chart in its place as soon as the page has the chart library (see
// [LoadCharts]). Beside the picture it holds the numbers of every position of the
// sliders: some ten kilobytes for a plot of its own, some hundred for a long
// sequence. Errors: those of the drawing of the picture.
func (c *Chart) Snippet() (string, error) {
	picture, err := c.image()
	if err != nil {
		return "", err
	}
	// encoding/json writes <, > and & as \u003c …: no name can end the script.
	data, err := json.Marshal(c.data)
	if err != nil {
		return "", fmt.Errorf("show: Snippet: %w", err)
	}
	key := sha256.Sum256(data)
	return fmt.Sprintf("<div class=\"hyperplane-chart\" data-key=\"%x\">%s</div>\n<script>(function () {\n  var key = \"%x\", data = %s;%s</script>\n",
		key[:8], picture, key[:8], data, waiting), nil
}

// image is the picture as an element that may stand on any page.
func (c *Chart) image() (string, error) {
	png, err := c.picture.PNG()
	if err != nil {
		return "", err
	}
	_, w, _ := c.picture.page()
	return fmt.Sprintf(`<img alt="%s" width="%.0f" src="data:image/png;base64,%s">`,
		html.EscapeString(c.picture.description()), math.Round(w*96/72), base64.StdEncoding.EncodeToString(png)), nil
}

// HTML returns a page of its own with the chart and the library, about 700 kB, that
// needs no network. Errors: those of Snippet.
func (c *Chart) HTML() ([]byte, error) {
	snippet, err := c.Snippet()
	if err != nil {
		return nil, err
	}
	title := unicodeText(c.picture.Title)
	if title == "" {
		title = c.picture.description()
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n</head>\n<body>\n%s<script>%s</script>\n</body>\n</html>\n",
		html.EscapeString(title), snippet, echarts.Script())
	return b.Bytes(), nil
}

// Save writes the page of [Chart.HTML]; path must end in .html. The folder must exist.
// A file of that name is replaced only when the new one is complete. Errors:
// another ending, those of HTML, and of writing the file.
func (c *Chart) Save(path string) error {
	if !hasEnding(path, ".html", ".htm") {
		return fmt.Errorf("show: Save: %q does not end in .html; for other formats save its Figure()", path)
	}
	page, err := c.HTML()
	if err != nil {
		return err
	}
	return writeFile(path, page)
}
