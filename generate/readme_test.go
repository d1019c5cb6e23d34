package main

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
)

// pages are what people read first.
var pages = []string{"README.md", "CONTRIBUTING.md"}

// page returns the text of a file in the folder of the module.
func page(t *testing.T, name string) string {
	t.Helper()
	return must.Read(t, filepath.Join(moduleRoot(t), name))
}

// TestReadmePicture: the picture that the README opens with is the figure of the
// catalogue, byte for byte.
func TestReadmePicture(t *testing.T) {
	const name = "notebooks/images/fig-prml-4.4.png"
	must.Contain(t, page(t, "README.md"), "]("+name+")")
	f := must.Get(must.Get(figures.Find("fig-prml-4.4"))(t).Draw())(t)
	if want := must.Get(f.PNG())(t); page(t, name) != string(want) {
		t.Errorf("%s is not what the figure draws: make notebooks", name)
	}
}

var localLink = regexp.MustCompile(`\]\(([^)#:]+)\)`)

// TestPagesLinks: what the pages point to in this repository exists.
func TestPagesLinks(t *testing.T) {
	found := 0
	for _, name := range pages {
		for _, m := range localLink.FindAllStringSubmatch(page(t, name), -1) {
			found++
			if _, err := os.Stat(filepath.Join(moduleRoot(t), m[1])); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if found == 0 {
		t.Fatal("no local link found")
	}
}

// TestPagesCommands: every `go run ./generate …` of the pages is a command that
// exists, with flags that it knows.
func TestPagesCommands(t *testing.T) {
	for _, name := range pages {
		commands := regexp.MustCompile("go run ./generate ([^#\n`]*)").FindAllStringSubmatch(page(t, name), -1)
		if len(commands) < 4 {
			t.Fatalf("%s: found %d commands", name, len(commands))
		}
		for _, m := range commands {
			run(t, append(strings.Fields(m[1]), "--help")...)
		}
	}
}

// TestContributing: the tests, and the files of generate and docker, that the page
// names exist.
func TestContributing(t *testing.T) {
	root, text := moduleRoot(t), page(t, "CONTRIBUTING.md")
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
		t.Errorf("it names the tests %q", tests)
	}
	for _, name := range tests {
		if !declared[name] {
			t.Errorf("there is no %s", name)
		}
	}
	for _, m := range regexp.MustCompile("(?:`|[ ]\\./)((?:generate|docker)/[\\w/.]+)").FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
			t.Error(err)
		}
	}
}
