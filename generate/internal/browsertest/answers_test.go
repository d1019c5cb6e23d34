package browsertest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// That charts answer to the mouse is said where they do: without the script the place
// of the sentence stays empty, run once or twice it is filled.
func TestSaysThatChartsAnswer(t *testing.T) {
	const sentence, text = `<small class="hyperplane-charts-live"></small>`, `document.querySelector("small").textContent`
	all := string(whole(t, small(t, "a"), nil))
	library := all[strings.LastIndex(all, "<script>"):]
	library = library[:strings.Index(library, "</script>")+len("</script>")]
	for name, page := range map[string]string{
		"once":  sentence + library,
		"twice": sentence + library + `<script>document.querySelector("small").textContent = "";</script>` + library,
	} {
		p := OpenHTML(t, []byte("<html><body>"+page+"</body></html>"))
		p.Until(text)
		if got := Get[string](p, text); got != "Charts on this page answer to the mouse." {
			t.Errorf("%s: the page says %q", name, got)
		}
	}
	if got := Get[string](OpenHTML(t, []byte("<html><body>"+sentence+"</body></html>")), text); got != "" {
		t.Errorf("without the script the page says %q", got)
	}
}

// The axes in space give their letters the height without which they are cut off.
func TestLettersInSpaceAreWhole(t *testing.T) {
	c, err := figures.PRML4x10Chart(figures.PRML4x10Options{})
	got := Get[[]float64](chart(t, whole(t, c, err)), `["xAxis3D", "yAxis3D", "zAxis3D"].flatMap(a => {
		const axis = chart.getModel().getComponent(a);
		return [axis.getModel("axisLabel"), axis.getModel("nameTextStyle")].map(m => m.get("lineHeight") / m.get("fontSize"));
	})`)
	for _, ratio := range got {
		if !(ratio >= 1.5) {
			t.Errorf("lines are %g times as high as the letters; want 1.5 or more", ratio)
		}
	}
	if len(got) != 6 {
		t.Errorf("%d styles, want 6", len(got))
	}
}

// A probability too small for its digits is said to be less, not equal.
func TestPointerFarAway(t *testing.T) {
	d, m := threeClasses(t)
	c, err := show.Interactive(show.Posterior(m, d, show.PosteriorOptions{}))
	p := chart(t, whole(t, c, err))
	p.Hover(at(p, 5.5, 2))
	p.Until(`place.querySelector(".hyperplane-readout").textContent.includes("p(setosa|x) < 0.001")`)
}

// On a narrow page the chart scrolls in its box; the page does not.
func TestNarrowPage(t *testing.T) {
	c := must.Get(figures.PRML4x6Chart(figures.PRML4x6Options{}))(t)
	file := filepath.Join(t.TempDir(), "page.html")
	must.Do(t, os.WriteFile(file, whole(t, c, nil), 0o600))
	p := Open(t, "file://"+file, View{Width: 390})
	p.Charts()
	for _, fault := range p.TooWide() {
		t.Error(fault)
	}
	got := Get[[]float64](p, `(() => { const f = document.querySelector(".hyperplane-chart > div"); return [f.clientWidth, f.scrollWidth]; })()`)
	if got[0] > 390 || got[1] <= got[0] {
		t.Errorf("the chart's frame is %g pixels wide, what is in it %g", got[0], got[1])
	}
}
