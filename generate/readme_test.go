package main

import (
	"bytes"
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
)

// readme returns the README's text and the folder of the module.
func readme(t *testing.T) (root, text string) { return page(t, "README.md") }

// pages are what people read first.
var pages = []string{"README.md", "CONTRIBUTING.md"}

// page returns the text of a file in the folder of the module.
func page(t *testing.T, name string) (root, text string) {
	t.Helper()
	root, _, err := module()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return root, string(b)
}

// TestReadmePicture: the picture that the README opens with is the figure of the
// catalogue, byte for byte.
func TestReadmePicture(t *testing.T) {
	root, text := readme(t)
	const name = "notebooks/images/fig-prml-4.4.png"
	if !strings.Contains(text, "]("+name+")") {
		t.Fatalf("the README does not show %s", name)
	}
	e, err := figures.Find("fig-prml-4.4")
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Draw()
	if err != nil {
		t.Fatal(err)
	}
	want, err := f.PNG()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the figure draws: make notebooks", name)
	}
}

var localLink = regexp.MustCompile(`\]\(([^)#:]+)\)`)

// TestPagesLinks: what the pages point to in this repository exists.
func TestPagesLinks(t *testing.T) {
	found := 0
	for _, name := range pages {
		root, text := page(t, name)
		for _, m := range localLink.FindAllStringSubmatch(text, -1) {
			found++
			if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
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
		_, text := page(t, name)
		commands := regexp.MustCompile("go run ./generate ([^#\n`]*)").FindAllStringSubmatch(text, -1)
		if len(commands) < 4 {
			t.Fatalf("%s: found %d commands", name, len(commands))
		}
		for _, m := range commands {
			args := append(strings.Fields(m[1]), "--help")
			if code, _, stderr := generate(t, args...); code != 0 {
				t.Errorf("%s: generate %q: exit %d: %s", name, args, code, stderr)
			}
		}
	}
}

// TestContributing: the tests, and the files of generate and docker, that the page
// names exist.
func TestContributing(t *testing.T) {
	root, text := page(t, "CONTRIBUTING.md")
	declared := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
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
	})
	if err != nil {
		t.Fatal(err)
	}
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
