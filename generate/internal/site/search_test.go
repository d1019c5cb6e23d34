package site

import (
	"cmp"
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

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// openDOM opens a page of the site in `dir` from disk and returns the DOM after the page's scripts
// have run. It skips the test if Chromium is not installed.
func openDOM(t *testing.T, dir, address string) string {
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

// queryScript is a script that enters queries into the search box, one after another. For each query,
// it records the addresses of the results and the text that the page shows.
const queryScript = `<script>
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

// An answer is what the search page shows for a query: the addresses of the results, and the text
// that the page shows above them and in them.
type answer struct {
	Found []string
	Says  string
}

// searchAnswers opens the search page of a site from disk, with the query q in its address, and
// enters the given queries. It returns what the page shows for each query.
func searchAnswers(t *testing.T, site files.Tree, q string, queries []string) map[string]answer {
	t.Helper()
	text := must.Get(json.Marshal(queries))(t)
	site = maps.Clone(site)
	site["try.html"] = []byte(strings.Replace(string(site["search.html"]), "</body>",
		strings.Replace(queryScript, "QUERIES", string(text), 1)+"</body>", 1))
	dir := t.TempDir()
	must.Get(site.Write(t.Context(), dir))(t)
	dom := openDOM(t, dir, "try.html?q="+q)
	_, shown, _ := strings.Cut(dom, `<pre id="answers">`)
	shown, _, _ = strings.Cut(shown, "</pre>")
	var all map[string]answer
	must.Do(t, json.Unmarshal([]byte(html.UnescapeString(shown)), &all))
	return all
}

// TestSearch checks that the search, on a page opened from disk, finds the sections that contain
// the words of a query. The search must ignore case and accents, and forgive spelling mistakes.
// Sections with more of the words must come first, and matches in headings must precede matches in
// texts. The search must also work if the query is in the address of the page.
func TestSearch(t *testing.T) {
	site := must.Get(Build(t.Context(), smallSite(t, func(tour *nbformat.Notebook) {
		tour.AddMarkdown("more",
			"## Newton's zebras\n\nEach solves a weighted problem; see Cramér.\n\n## Boundaries\n\nZebras and $x$ again, in a text that is <b>long</b> & winding.\n\n## The zigzag of (4.8765)\n\nA curve.")
	})))(t)
	tests := map[string]struct {
		want []string // addresses of the first results, in order
		says string
	}{
		"zebras": {[]string{"tour.html#Newton's-zebras", "tour.html#Boundaries"},
			"The tour › Newton's zebras"},
		"WEIGHTED zebras see":       {[]string{"tour.html#Newton's-zebras"}, ""},
		"how is a zebra winding?":   {[]string{"tour.html#Boundaries", "tour.html#Newton's-zebras"}, "2 results:"},
		"zigz":                      {[]string{"tour.html#The-zigzag-of-(4.8765)"}, "A curve."},
		"4.8765":                    {[]string{"tour.html#The-zigzag-of-(4.8765)"}, ""},
		"cramer":                    {[]string{"tour.html#Newton's-zebras"}, "One result."},
		"long winding":              {[]string{"tour.html#Boundaries"}, "long & winding"},
		"the tour":                  {[]string{"tour.html#The-tour"}, ""},
		"zebras xylophone":          {[]string{"tour.html#Newton's-zebras"}, ""},
		"zigzga":                    {[]string{"tour.html#The-zigzag-of-(4.8765)"}, "“zigzga” is read as “zigzag”."},
		"<script>alert(1)</script>": {nil, "Nothing found."},
		"":                          {nil, ""},
	}
	got := searchAnswers(t, site, "cramer", slices.Sorted(maps.Keys(tests)))
	for query, tt := range tests {
		got := got[query]
		if n := len(tt.want); len(got.Found) < n || n == 0 && len(got.Found) > 0 ||
			!slices.Equal(got.Found[:n], tt.want) || !strings.Contains(got.Says, tt.says) {
			t.Errorf("the query %q finds %q and shows %q; want results that begin with %q (no results if this list is empty), and the text %q", query, got.Found, got.Says, tt.want, tt.says)
		}
	}
	dir := t.TempDir()
	must.Get(site.Write(t.Context(), dir))(t)
	must.Contain(t, openDOM(t, dir, "search.html?q=cramer"), `see Cramér.</p>`)
}

// questions lists queries of readers. The string `want` of a query is the beginning of the address of
// a page that answers the query. This page must be among the first three results. If "=" precedes the
// address, the page must be the first result. Bars separate the addresses if several pages are
// acceptable.
var questions = []struct{ query, want string }{
	// queries that one reader typed in one session
	{"eq 4.97", "=equations.html#(4.97)"},
	{"4.97", "=equations.html#(4.97)"},
	{"why is least squares bad", "lessons/02"},
	{"logistc", "lessons/07"},
	{"laplace aproximation", "lessons/11"},
	{"overfitting", "lessons/07"},
	{"regularization", "lessons/12"},
	{"regularisation", "lessons/12"},
	{"ridge", "lessons/12"},
	{"decision boundary", "lessons/01"},
	{"learning rate", "exercises/alpaydin10/07"},
	{"progress", "search.html#Your-progress"},
	{"how to install", "search.html#Run"},
	{"dark mode", "search.html#Light"},
	{"svm", "lessons/04|exercises/prml4/01|lessons/07"},
	{"weights explode separable", "exercises/prml4/14"},
	{"PRML 4.7", "=exercises/prml4/07"},
	{"exercise 4.7", "=exercises/prml4/07"},
	{"softmax", "=lessons/09"},
	{"FitLogistic", "=models.html#Logistic"},
	{"IRLS", "=lessons/08"},
	{"outlier", "figures.html#fig-prml-4.4"},
	{"outliers", "figures.html#fig-prml-4.4"},
	{"BIC", "lessons/11"},
	{"AUC", "lessons/14"},
	{"perceptron convergence", "lessons/04"},
	{"confusion matrix", "lessons/14"},
	{"bayes theorem", "lessons/05"},
	// numbers
	{"4.7", "=exercises/prml4/07"},
	{"4.7 ", "equations.html#(4.7)"},
	{"4.7  ", "figures.html#fig-prml-4.7"},
	{"4,97", "=equations.html#(4.97)"},
	{"(4.143)", "=equations.html#(4.143)"},
	{"equation 4.7", "=equations.html#(4.7)"},
	{"fig 4.5", "=figures.html#fig-prml-4.5"},
	{"Fig. 4.9", "=figures.html#fig-prml-4.9"},
	{"figure 10.3", "=figures.html#fig-alpaydin-10.3"},
	{"fig4.12", "=figures.html#fig-prml-4.12"},
	{"ex 4.14", "=exercises/prml4/14"},
	{"Exercise 10.6", "=exercises/alpaydin10/06"},
	{"Alpaydin 10.3", "=exercises/alpaydin10/03"},
	{"bishop 4.25", "=exercises/prml4/25"},
	{"PRML equation 4.57", "=equations.html#(4.57)"},
	{"eq. (10.16)", "=equations.html#(10.16)"},
	{"section 4.3.2", "=lessons/07"},
	{"4.3.4", "=lessons/09"},
	{"section 4.3", "=lessons/07"},
	{"section 4.5.2", "=lessons/12"},
	{"§4.4", "=lessons/11"},
	{"Alpaydin section 10.4", "=lessons/01"},
	{"chapter 4", "lessons/01"},
	{"lesson 9", "=lessons/09"},
	{"P21", "=equations.html#P21"},
	// queries with misspellings, other forms of words, synonyms and names
	{"sofmax", "=lessons/09"},
	{"soft max", "=lessons/09"},
	{"SOFTMAX REGRESSION", "=lessons/09"},
	{"perseptron", "=lessons/04"},
	{"Fischer discriminant", "lessons/03"},
	{"gausian", "lessons/05"},
	{"hesian", "lessons/08"},
	{"seperable", "exercises/prml4/14"},
	{"boundry", "lessons/01"},
	{"likelyhood ratio", "lessons/11|exercises/prml4/|lessons/05|lessons/09"},
	{"regresion logistic", "=lessons/07"},
	{"crossentropy", "lessons/07|lessons/08"},
	{"cross entropy loss", "lessons/07"},
	{"one vs rest ambiguous region", "figures.html#fig-prml-4.2|lessons/01"},
	{"QuadraticDiscriminantAnalysis", "lessons/05"},
	{"over fitting", "lessons/07"},
	{"naivebayes", "lessons/06"},
	{"newtons method", "lessons/08"},
	{"newton raphson", "lessons/08"},
	{"convexity", "exercises/prml4/15"},
	{"derivative of the sigmoid", "exercises/prml4/12|exercises/prml4/13"},
	{"hessian positive definite", "exercises/prml4/15"},
	{"separating hyperplanes", "=exercises/prml4/01"},
	{"linear separability", "exercises/prml4/14"},
	{"when does the perceptron stop", "lessons/04"},
	{"iteratively reweighted least squares", "=lessons/08"},
	{"pseudo-inverse", "lessons/02"},
	{"sum of squares", "lessons/02"},
	{"linear regression for classification", "lessons/02"},
	{"masking", "figures.html#fig-prml-4.5"},
	{"whitening", "lessons/03"},
	{"within-class covariance", "lessons/03|exercises/prml4/05"},
	{"LDA", "lessons/05"},
	{"QDA", "lessons/05"},
	{"linear discriminant analysis", "lessons/05"},
	{"spam filter", "lessons/06"},
	{"laplace smoothing", "lessons/06"},
	{"exponential family", "lessons/06"},
	{"one hot encoding", "lessons/02|lessons/09|equations.html|exercises/prml4"},
	{"one-vs-rest", "figures.html#fig-alpaydin-10.3|models.html#Lines|lessons/01"},
	{"reject option", "lessons/01"},
	{"distance to the hyperplane", "=exercises/alpaydin10/02"},
	{"gradient descent", "lessons/07"},
	{"SGD", "lessons/07"},
	{"early stopping", "lessons/07"},
	{"log loss", "lessons/14|lessons/07"},
	{"basis functions", "lessons/07"},
	{"kernel trick", "exercises/alpaydin10/01"},
	{"nonlinear boundary", "figures.html#fig-prml-4.12"},
	{"odds ratio", "lessons/07"},
	{"interpret coefficients", "lessons/07"},
	{"probit", "lessons/10"},
	{"erf", "exercises/prml4/21"},
	{"label noise", "exercises/prml4/16"},
	{"canonical link", "lessons/10"},
	{"evidence", "lessons/11"},
	{"Occam's razor", "lessons/11"},
	{"model selection", "lessons/11"},
	{"MAP estimate", "lessons/12"},
	{"bayesian logistic regression", "=lessons/12"},
	{"predictive distribution", "lessons/12"},
	{"mcmc", "lessons/12"},
	{"variational bound", "lessons/12"},
	{"generative vs discriminative", "=lessons/13"},
	{"prior shift", "lessons/13"},
	{"calibration", "=lessons/14"},
	{"cross-validation", "lessons/14"},
	{"precision and recall", "=lessons/14"},
	{"class imbalance", "=lessons/14"},
	{"missing values", "=lessons/14"},
	{"ROC curve", "lessons/14"},
	{"confidence intervals", "models.html#What-a-fit|lessons/07-logistic.html#Where-Wald"},
	{"FitSoftmax", "=models.html#Many"},
	{"classify.FitLDA", "=models.html#Gaussian"},
	{"cheat sheet", "=models.html"},
	{"errata", "=equations.html#Misprints"},
	{"notation", "equations.html#Notation"},
	{"quick start", "=tour.html"},
	{"syllabus", "index.html|search.html#Where"},
	{"keyboard shortcuts", "=search.html#Keys"},
	{"offline", "=search.html#Offline"},
	// queries by readers who know other books
	{"stochastic", "lessons/07"},
	{"multicollinearity", "lessons/08|equations.html|exercises/prml4/15"},
	{"overflow", "exercises/prml4/07|lessons/08"},
	{"akaike", "lessons/11"},
	{"bayes rule", "lessons/05"},
	{"what is a hyperplane", "lessons/01|exercises/alpaydin10/02"},
	{"bias trick", "lessons/01"},
	{"quadratic convergence", "lessons/08"},
	{"hardest exercise", "exercises.html"},
	{"exercises", "=exercises.html"},
	{"figures", "=figures.html"},
	{"license", "=search.html#Licences"},
	{"PosteriorTo", "equations.html|models.html"},
	{"mislabeled data", "exercises/prml4/16"},
	{"is logistic regression convex?", "=exercises/prml4/15"},
	{"why not squared error for classification", "lessons/02"},
	{"text classification", "lessons/06"},
	{"bootstrap", "lessons/14"},
}

// TestQuestions enters the queries from the list `questions` into the search of the site that is built
// from the committed notebooks, and checks the results. The search must also find a page for each
// phrase in the table of synonyms. The words that the table adds to a phrase must occur on the site.
func TestQuestions(t *testing.T) {
	_, site := committedSite()
	var queries, said []string
	for _, q := range questions {
		queries = append(queries, q.query)
	}
	for _, line := range synonyms() {
		typed, rest, _ := strings.Cut(line, ":")
		queries = append(queries, strings.Split(typed, ",")...)
		said = append(said, strings.Split(cmp.Or(rest, typed), ",")...)
	}
	got := searchAnswers(t, site, "", slices.Concat(queries, said))
	for _, q := range questions {
		found := got[q.query].Found
		want, first := strings.CutPrefix(q.want, "=")
		n := min(3, len(found))
		if first {
			n = min(1, n)
		}
		if !slices.ContainsFunc(found[:n], func(address string) bool {
			return slices.ContainsFunc(strings.Split(want, "|"), func(w string) bool { return strings.HasPrefix(address, w) })
		}) {
			t.Errorf("the first results for %q are %q, want %s (format: see the comment on questions)", q.query, found[:min(3, len(found))], q.want)
		}
	}
	for _, phrase := range queries {
		if len(got[phrase].Found) == 0 {
			t.Errorf("the query %q finds nothing, want at least one result", phrase)
		}
	}
	for _, phrase := range said {
		if a := got[phrase]; len(a.Found) == 0 || strings.Contains(a.Says, "is read as") {
			t.Errorf("synonyms.txt: the site lacks at least one word of %q; the search shows %.80s", phrase, a.Says)
		}
	}
}
