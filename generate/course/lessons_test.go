package course

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/lesson"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// streamedText reads a committed notebook and returns the text that its code cells have printed to
// stdout.
func streamedText(t *testing.T, name string) string {
	t.Helper()
	nb := must.Get(nbformat.ReadFile(filepath.Join(moduleRoot(t), "notebooks", name)))(t)
	var all strings.Builder
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			if name, text := o.Stream(); name == "stdout" {
				all.WriteString(text)
			}
		}
	}
	return all.String()
}

// numbers searches `text` for all matches of `pattern`. For each match, it returns the texts of the
// groups as numbers. If `pattern` has no match, numbers fails the test.
func numbers(t *testing.T, text, pattern string) [][]float64 {
	t.Helper()
	var rows [][]float64
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		var row []float64
		for _, s := range m[1:] {
			row = append(row, must.Get(strconv.ParseFloat(s, 64))(t))
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		t.Fatalf("the notebook prints no text that matches %q", pattern)
	}
	return rows
}

// renderedCourse reads the lessons of the course and makes the notebook of each lesson. As a side
// effect, this fills in the fields Covers and Quotes of each lesson.
func renderedCourse(t *testing.T) *lesson.Course {
	t.Helper()
	_, module, err := openModule()
	must.Do(t, err)
	c := must.Get(catalog.Course(module, must.Get(catalog.Exercises(module))(t)))(t)
	for _, l := range c.Lessons {
		must.Get(l.Notebook(c, catalog.Packages()))(t)
	}
	return c
}

// TestEverySectionHasALesson checks that at least one cell of a lesson covers each section of the
// books. If a cell names an unknown section, Sections must return an error.
func TestEverySectionHasALesson(t *testing.T) {
	_, module, err := openModule()
	must.Do(t, err)
	rows := must.Get(catalog.Sections(module, renderedCourse(t)))(t)
	for _, r := range rows {
		if len(r.Cells) == 0 {
			t.Errorf("no cell of a lesson covers the section %s: %s", r.Section, r.About)
		}
	}
	_, err = catalog.Sections(module,
		&lesson.Course{Lessons: []*lesson.Lesson{{ID: "x",
			Covers: []lesson.Cover{{Section: "PRML 4.9.9", Cell: "x-1"}}}}})
	must.Fail(t, err, "x-1 covers PRML 4.9.9")
}

// TestLessonsHaveOutputs checks that the committed notebook of every lesson contains outputs. At
// least one lesson must quote a number from an output in its text. The command `generate notebooks
// --check` compares the quoted numbers with the outputs.
func TestLessonsHaveOutputs(t *testing.T) {
	quotes := 0
	for _, l := range renderedCourse(t).Lessons {
		quotes += len(l.Quotes)
		data := must.Read(t, filepath.Join(moduleRoot(t), "notebooks", filepath.FromSlash(l.Path())))
		if !hasOutputs([]byte(data)) {
			t.Errorf("%s has no outputs: run `make notebooks`", l.Path())
		}
	}
	if quotes == 0 {
		t.Error("no lesson quotes a number from an output, want at least one")
	}
}

// unanswered returns the ids of the Markdown cells that end with a question and are the last cell of
// their section. Such a section contains no answer to the question.
func unanswered(nb *nbformat.Notebook) (ids []string) {
	section := func(c *nbformat.Cell) string { return strings.TrimRight(c.ID, "0123456789") }
	for i, c := range nb.Cells {
		last := i+1 == len(nb.Cells) || section(nb.Cells[i+1]) != section(c)
		text := strings.TrimRight(c.Source, " \n*_)")
		if c.Type == nbformat.Markdown && last && strings.HasSuffix(text, "?") {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// TestLessonsAnswerAndRecap checks that no section of a numbered lesson ends with a question. The
// lesson must have a section "What to remember" with a list of three to five items. The section
// "Where to go next" must follow directly.
func TestLessonsAnswerAndRecap(t *testing.T) {
	c := renderedCourse(t)
	for _, l := range c.Lessons {
		if l.Number() == "" {
			continue
		}
		nb := must.Get(l.Notebook(c, catalog.Packages()))(t)
		for _, id := range unanswered(nb) {
			t.Errorf("%s ends its section with a question: add a folded answer below the question", id)
		}
		recap, next := nb.Cell(l.ID+"-what-to-remember-1"), nb.Cell(l.ID+"-where-to-go-next-1")
		if recap == nil || next == nil {
			t.Errorf("%s: the section “What to remember” or the section “Where to go next” is missing", l.ID)
			continue
		}
		if n := strings.Count(recap.Source, "\n- "); n < 3 || n > 5 {
			t.Errorf("%s: the section “What to remember” has %d list items, want 3 to 5", l.ID, n)
		}
		if i := slices.Index(nb.Cells, recap); nb.Cells[i+1] != next {
			t.Errorf("%s: the section “Where to go next” does not come directly after the section “What to remember”", l.ID)
		}
	}
	nb := nbformat.New()
	nb.AddMarkdown("x-a-1", "Why?")
	nb.AddCode("x-a-2", "%%")
	nb.AddMarkdown("x-a-3", "Which one? (Guess.)")
	nb.AddMarkdown("x-b-1", "And **why?**")
	if got := unanswered(nb); !slices.Equal(got, []string{"x-b-1"}) {
		t.Errorf("unanswered returns %q, want only x-b-1", got)
	}
}

// uncarded checks the reference card `nb` and returns a message for each fault. The argument `api`
// lists the functions of the toolkit. For each function of package classify whose name begins with
// Fit, exactly one row of a table on the card must describe the function, and a cell must call the
// function. Functions whose names end in From, such as FitLDAFrom, are exempt.
func uncarded(api string, nb *nbformat.Notebook) (wrong []string) {
	var text, code strings.Builder
	for _, c := range nb.Cells {
		if c.Type == nbformat.Code {
			code.WriteString(c.Source + "\n")
		} else {
			text.WriteString(c.Source + "\n")
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^classify: func (Fit\w+)`).FindAllStringSubmatch(api, -1) {
		if strings.HasSuffix(m[1], "From") {
			continue
		}
		if n := strings.Count(text.String(), "\n| `"+m[1]+"` |"); n != 1 {
			wrong = append(wrong, fmt.Sprintf("%s is in %d rows of the tables on the card, want 1 row", m[1], n))
		}
		if !strings.Contains(code.String(), "classify."+m[1]+"(") {
			wrong = append(wrong, m[1]+" is not called in any cell")
		}
	}
	return wrong
}

// TestModelsNameEveryFit checks that the reference card models.ipynb describes and calls every
// function of package classify whose name begins with Fit and does not end in From.
func TestModelsNameEveryFit(t *testing.T) {
	nb := must.Get(nbformat.ReadFile(filepath.Join(moduleRoot(t), "notebooks", "models.ipynb")))(t)
	api := must.Read(t, filepath.Join(moduleRoot(t), "toolkit", "api.txt"))
	for _, w := range uncarded(api, nb) {
		t.Error(w)
	}
	if got := uncarded("classify: func FitNothing(x mat.Matrix)", nb); len(got) != 2 {
		t.Errorf("for a function that the card lacks, uncarded returns %v, want 2 messages", got)
	}
}

// oversizedCode returns a message for each piece of code in nb that does not fit on a page: a line
// over 100 columns, or a cell over 25 lines. It ignores set-up cells.
func oversizedCode(nb *nbformat.Notebook) (list []string) {
	for _, c := range nb.Cells {
		lines := strings.Split(strings.ReplaceAll(c.Source, "\t", "    "), "\n")
		if c.Type != nbformat.Code || strings.HasSuffix(c.ID, "-setup") {
			continue
		}
		if len(lines) > 25 {
			list = append(list, fmt.Sprintf("%s: %d lines", c.ID, len(lines)))
		}
		for _, line := range lines {
			if n := utf8.RuneCountInString(line); n > 100 {
				list = append(list, fmt.Sprintf("%s: %d columns: %s", c.ID, n, line))
			}
		}
	}
	return list
}

// TestCardFitsThePage checks that the code in each cell of the reference card models.ipynb, except
// the set-up cell, fits on a printed page.
func TestCardFitsThePage(t *testing.T) {
	card := must.Get(nbformat.ReadFile(filepath.Join(moduleRoot(t), "notebooks", "models.ipynb")))(t)
	for _, w := range oversizedCode(card) {
		t.Error(w)
	}
	nb := nbformat.New()
	nb.AddCode("x-1", strings.Repeat("x\n", 25)+strings.Repeat("y", 101))
	if got := oversizedCode(nb); len(got) != 2 {
		t.Errorf("for a cell that is too long and too wide, oversizedCode returns %v, want 2 messages", got)
	}
}

// TestLaplaceLopsided checks three statements in lesson 11 about the Laplace approximation of an
// asymmetric density. The approximate variance differs by less than 10 % from the exact variance.
// The mode is 0.93 standard deviations below the mean. The approximate ln Z is 0.07 above the exact
// value.
func TestLaplaceLopsided(t *testing.T) {
	out := streamedText(t, "lessons/11-laplace.ipynb")
	v := numbers(t, out, `mode (\S+), variance (\S+) by the curvature; exact mean (\S+), variance (\S+)`)[0]
	if mode, by, mean, exact := v[0], v[1], v[2], v[3]; math.Abs(by/exact-1) > 0.1 || math.Abs((mean-mode)/math.Sqrt(exact)-0.93) > 0.05 {
		t.Errorf("got the mode %g, approximate variance %g, exact mean %g and exact variance %g; want variances within 10 %%, and the mode 0.93 standard deviations below the mean", mode, by, mean,
			exact)
	}
	if z := numbers(t, out, `ln Z = (\S+), exact (\S+)`)[0]; math.Abs(z[0]-z[1]-0.07) > 0.005 {
		t.Errorf("got the approximate ln Z = %g and the exact ln Z = %g, but the text says that the approximate value is larger by 0.07", z[0], z[1])
	}
}

// TestBayesAveraging checks statements in lesson 12 about the loss on held-out data. Lesson 12
// compares three predictions: the plug-in prediction, Laplace's approximation, and the average of the
// predictions over a sample of weights. On each of the ten small data sets of clouds, the loss of the
// average must be smaller than the loss of the plug-in prediction by more than 0.04, and the plug-in
// prediction must be overconfident by more than 0.04. On nine of these data sets, Laplace's approximation must have a
// smaller loss than the plug-in prediction. On average over the ten data sets, Laplace's approximation
// must have the smallest loss, and the loss of the average must be below 80 % of the loss of the
// plug-in prediction. For each of the seven selections of irises, the loss of the average must be
// larger than the loss of the plug-in prediction and smaller than the loss of Laplace's approximation.
// For the irises, the plug-in prediction must be underconfident.
func TestBayesAveraging(t *testing.T) {
	const scores = `plug-in (\S+)   Laplace (\S+)   sampling (\S+)   plug-in right (\S+), believed (\S+)`
	out := streamedText(t, "lessons/12-bayes.ipynb")
	irises := numbers(t, out, `irises \d: +`+scores)
	for i, v := range irises {
		if plugin, laplace, sampled, right, believed := v[0], v[1], v[2], v[3], v[4]; !(plugin < sampled && sampled < laplace && believed < right) {
			t.Errorf("irises %d: got the numbers %v (plug-in, Laplace, sampling, right, believed), want plug-in < sampling < Laplace and believed < right", i, v)
		}
	}
	clouds := numbers(t, out, `clouds \d: +`+scores)
	better := 0
	for i, v := range clouds {
		if v[1] < v[0] {
			better++
		}
		if plugin, sampled, right, believed := v[0], v[2], v[3], v[4]; !(sampled < plugin-0.04 && believed > right+0.04) {
			t.Errorf("clouds %d: got the numbers %v (plug-in, Laplace, sampling, right, believed), want sampling < plug-in − 0.04 and believed > right + 0.04", i, v)
		}
	}
	if mean := numbers(t, out, `mean: +`+scores)[0]; len(irises) != 7 || len(clouds) != 10 || better != 9 || !(mean[2] < 0.8*mean[0]) || !(mean[1] < mean[2]) {
		t.Errorf("got %d selections of irises, %d data sets of clouds, %d of these data sets with Laplace better than plug-in, and the mean losses %v; want 7, 10, 9, and Laplace < sampling < 0.8·plug-in", len(irises), len(clouds), better, mean)
	}
}

// TestBayesFarOut checks the number 0.951 in an answer in lesson 12. The moderated probability
// tends to this number far from the data. The moderated probability is the sigmoid of
// μ_a/√(1+πσ_a²/8). Far from the data, the argument of the sigmoid tends to w1/(s1·√(π/8)), where
// w1 is a weight and s1 is its standard deviation.
func TestBayesFarOut(t *testing.T) {
	out := streamedText(t, "lessons/12-bayes.ipynb")
	w := numbers(t, out, `Laplace +\S+ ± \S+ +(\S+) ± (\S+)`)[0]
	if p := 1 / (1 + math.Exp(-w[0]/w[1]/math.Sqrt(math.Pi/8))); math.Abs(p-0.951) > 0.0005 {
		t.Errorf("the moderated probability tends to %.4f, the text says 0.951", p)
	}
}
