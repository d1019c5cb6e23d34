package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
)

// readme returns the README's text and the folder of the module.
func readme(t *testing.T) (root, text string) {
	t.Helper()
	root, _, err := module()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(root, "README.md"))
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

// TestReadmeLinks: what the README points to in this repository exists.
func TestReadmeLinks(t *testing.T) {
	root, text := readme(t)
	links := localLink.FindAllStringSubmatch(text, -1)
	if len(links) == 0 {
		t.Fatal("no local link found")
	}
	for _, m := range links {
		if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
			t.Error(err)
		}
	}
}

// TestReadmeCommands: every `go run ./generate …` of the README is a command that
// exists, with flags that it knows.
func TestReadmeCommands(t *testing.T) {
	_, text := readme(t)
	commands := regexp.MustCompile("go run ./generate ([^#\n`]*)").FindAllStringSubmatch(text, -1)
	if len(commands) < 4 {
		t.Fatalf("found %d commands", len(commands))
	}
	for _, m := range commands {
		args := append(strings.Fields(m[1]), "--help")
		if code, _, stderr := generate(t, args...); code != 0 {
			t.Errorf("generate %q: exit %d: %s", args, code, stderr)
		}
	}
}
