package course

import (
	"cmp"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex07"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// pages lists the pages that new users and contributors read first. They are in the module's
// folder.
var pages = []string{"README.md", "CONTRIBUTING.md"}

// readPage returns the text of a file. The name is relative to the module's folder.
func readPage(t *testing.T, name string) string {
	t.Helper()
	return must.Read(t, filepath.Join(moduleRoot(t), name))
}

// TestReadmePicture draws the figure that the README shows at its top. The picture file in the
// repository must equal the drawn figure, byte for byte.
func TestReadmePicture(t *testing.T) {
	const name = "notebooks/images/fig-prml-4.4.png"
	must.Contain(t, readPage(t, "README.md"), "]("+name+")")
	f := must.Get(must.Get(figures.Find("fig-prml-4.4"))(t).Draw())(t)
	if want := must.Get(f.Encode("png"))(t); readPage(t, name) != string(want) {
		t.Errorf("%s differs from the figure: run `make notebooks`", name)
	}
}

// TestReadmeFirstExercise checks the section "Your first exercise" of the README. The notebook that
// the section names must exist and must contain the check that the section quotes. The tour must
// contain the same exercise. The section also shows a wrong answer and quotes the check's message
// about it. For this answer, the check must return a message that contains the quoted text.
func TestReadmeFirstExercise(t *testing.T) {
	text := readPage(t, "README.md")
	_, text, _ = strings.Cut(text, "## Your first exercise")
	text, _, _ = strings.Cut(text, "\n## ")
	name := regexp.MustCompile("open `(\\S+\\.ipynb)`").FindStringSubmatch(text)
	check := regexp.MustCompile("`(ex(\\d+)\\.Check\\([\\w, ]+\\))`").FindStringSubmatch(text)
	quoted := regexp.MustCompile(`says why: \*(.+?)\*`).FindStringSubmatch(text)
	body := regexp.MustCompile(`(?s)func Sigmoid\(a float64\) float64 \{\s+return (.+?)\n`).FindStringSubmatch(text)
	if name == nil || check == nil || quoted == nil || body == nil {
		t.Fatalf("found the notebook %q, the check %q, the answer %q and the verdict %q; want a section that contains all four",
			name, check, body, quoted)
	}
	for _, notebook := range []string{name[1], "tour.ipynb"} {
		nb := must.Get(nbformat.ReadFile(filepath.Join(moduleRoot(t), "notebooks", notebook)))(t)
		var all strings.Builder
		for _, c := range nb.Cells {
			all.WriteString(c.Source + "\n")
		}
		must.Contain(t, all.String(), check[1], "ex"+check[2]+".Hint(0)", "func Sigmoid(a float64) float64")
	}
	if body[1] != "1 / (1 + math.Exp(a))" {
		t.Fatalf("the README shows the answer %s, but this test judges a different answer", body[1])
	}
	wrong := func(a float64) float64 { return 1 / (1 + math.Exp(a)) }
	unwritten := func(float64) float64 { panic(verify.TODO) }
	var said []string
	for _, part := range ex07.Check(wrong, unwritten).Parts {
		said = append(said, part.Message)
	}
	must.Contain(t, strings.Join(said, "\n"), quoted[1])
}

var localLink = regexp.MustCompile(`\]\(([^)#:]+)\)`)

// TestPagesLinks finds the links to files of this repository in README.md and CONTRIBUTING.md. Each
// file must exist.
func TestPagesLinks(t *testing.T) {
	found := 0
	for _, name := range pages {
		for _, m := range localLink.FindAllStringSubmatch(readPage(t, name), -1) {
			found++
			if _, err := os.Stat(filepath.Join(moduleRoot(t), m[1])); err != nil {
				t.Errorf("%s contains a broken link: %v", name, err)
			}
		}
	}
	if found == 0 {
		t.Fatal("no local link found")
	}
}

// TestPagesCommands finds the commands in README.md and CONTRIBUTING.md that begin with `go run
// ./generate` or, for the installed program, with `generate`. Every command must exist and accept
// its flags.
func TestPagesCommands(t *testing.T) {
	for _, name := range pages {
		commands := regexp.MustCompile("(?m)(?:go run \\./|^)generate ([^#\n`]*)").FindAllStringSubmatch(readPage(t, name),
			-1)
		if len(commands) < 4 {
			t.Fatalf("%s: found %d commands, want at least 4", name, len(commands))
		}
		for _, m := range commands {
			run(t, append(strings.Fields(m[1]), "--help")...)
		}
	}
}

// TestContributing finds the tests and the files that CONTRIBUTING.md names. All of these tests
// must exist. If a file that CONTRIBUTING.md names is in the folder generate or docker, it must
// also exist.
func TestContributing(t *testing.T) {
	root, text := moduleRoot(t), readPage(t, "CONTRIBUTING.md")
	declared := map[string]bool{}
	must.Do(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root {
			return cmp.Or(err, fs.SkipDir)
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(source, -1) {
			declared[string(m[1])] = true
		}
		return err
	}))
	tests := regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(text, -1)
	if len(tests) < 5 {
		t.Errorf("CONTRIBUTING.md names the tests %q, want at least 5 tests", tests)
	}
	for _, name := range tests {
		if !declared[name] {
			t.Errorf("CONTRIBUTING.md names the test %s, which does not exist", name)
		}
	}
	for _, m := range regexp.MustCompile("(?:`|[ ]\\./)((?:generate|docker)/[\\w/.]+)").FindAllStringSubmatch(text,
		-1) {
		if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
			t.Error("CONTRIBUTING.md names a file that does not exist:", err)
		}
	}
}
