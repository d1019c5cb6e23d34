package site

import (
	"context"
	"encoding/json"
	"html"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// chromium opens a page of the site in dir from disk and returns the DOM after the page's scripts
// have run. It skips the test if Chromium is not installed.
func chromium(t *testing.T, dir, address string) string {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skipf("%s needs Chromium (Debian: apt-get install chromium)", t.Name())
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking",
		"--user-data-dir="+t.TempDir(), "--virtual-time-budget=10000", "--dump-dom",
		"file://"+filepath.Join(dir, "")+"/"+address)
	cmd.WaitDelay = 5 * time.Second
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	return string(out)
}

// ask is a script that enters queries into the search box, one after another. For each query, it
// records the addresses of the results and the text that the page shows.
const ask = `<script>
var box = document.getElementById("query"), all = {};
QUERIES.forEach(function (query) {
  box.value = query;
  box.dispatchEvent(new Event("input"));
  all[query] = { found: Array.from(document.querySelectorAll("#results a")).map(function (a) { return decodeURIComponent(a.getAttribute("href")); }),
    says: document.getElementById("found").textContent + document.getElementById("results").textContent };
});
var pre = document.createElement("pre");
pre.id = "answers";
pre.textContent = JSON.stringify(all);
document.body.appendChild(pre);
</script>`

// TestSearch checks that the search, on a page opened from disk, finds the sections that contain
// all words, ignoring case and accents. Matches in headings must precede matches in texts. The
// address of the page may contain the query.
func TestSearch(t *testing.T) {
	site := must.Get(Build(t.Context(), small(t, func(tour *nbformat.Notebook) {
		tour.AddMarkdown("more",
			"## Newton's zebras\n\nEach solves a weighted problem; see Cramér.\n\n## Boundaries\n\nZebras and $x$ again, in a text that is <b>long</b> & winding.\n\n## The zigzag of (4.8765)\n\nA curve.")
	})))(t)
	tests := map[string]struct {
		want []string // addresses of the first results
		says string
	}{
		"zebras": {[]string{"tour.html#Newton's-zebras", "tour.html#Boundaries"},
			"The tour › Newton's zebras"},
		"WEIGHTED zebras see":       {[]string{"tour.html#Newton's-zebras"}, "One section."},
		"zigz":                      {[]string{"tour.html#The-zigzag-of-(4.8765)"}, "A curve."},
		"4.8765":                    {[]string{"tour.html#The-zigzag-of-(4.8765)"}, ""},
		"cramer":                    {[]string{"tour.html#Newton's-zebras"}, ""},
		"long winding":              {[]string{"tour.html#Boundaries"}, "long & winding"},
		"the tour":                  {[]string{"tour.html#The-tour"}, ""},
		"zebras xylophone":          {nil, "Nothing has all of these words."},
		"<script>alert(1)</script>": {nil, "Nothing"},
		"":                          {nil, ""},
	}
	queries := must.Get(json.Marshal(slices.Sorted(maps.Keys(tests))))(t)
	site["try.html"] = []byte(strings.Replace(string(site["search.html"]), "</body>",
		strings.Replace(ask, "QUERIES", string(queries), 1)+"</body>", 1))
	dir := t.TempDir()
	must.Get(site.Write(t.Context(), dir))(t)
	dom := chromium(t, dir, "try.html?q=cramer")
	_, text, _ := strings.Cut(dom, `<pre id="answers">`)
	text, _, _ = strings.Cut(text, "</pre>")
	var answers map[string]struct {
		Found []string
		Says  string
	}
	must.Do(t, json.Unmarshal([]byte(html.UnescapeString(text)), &answers))
	for query, tt := range tests {
		got := answers[query]
		if n := len(tt.want); len(got.Found) < n || n == 0 && len(got.Found) > 0 ||
			!slices.Equal(got.Found[:n], tt.want) || !strings.Contains(got.Says, tt.says) {
			t.Errorf("%q finds %q and says %q; want first %q and %q", query, got.Found, got.Says, tt.want, tt.says)
		}
	}
	must.Contain(t, chromium(t, dir, "search.html?q=cramer"), `see Cramér.</p>`)
}
