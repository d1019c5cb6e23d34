package play

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// TestTrim checks that the edits of trimCompile and trimLink fit the sources of the installed Go.
func TestTrim(t *testing.T) {
	b := &builder{Options: Options{Root: "."}}
	must.Do(t, b.setToolchain(t.Context()))
	for _, tr := range []trim{trimCompile, trimLink} {
		for file, text := range must.Get(tr.overlay(b.root))(t) {
			before := must.Read(t, file)
			if len(text) >= len(before) || strings.Contains(text, "amd64.Init") || !strings.Contains(text, "wasm") {
				t.Errorf("trimming %s keeps %d of %d bytes, want fewer bytes, and a text that contains wasm but not amd64.Init", file, len(text), len(before))
			}
		}
	}
}

// TestUntrimmed checks that the method builder.tool returns the compiler without edits, and gives a
// warning, if Go's sources differ from the expected sources.
func TestUntrimmed(t *testing.T) {
	for _, tt := range []struct{ name, main, config, want string }{
		{"no file", "", "", "no such file"},
		{"no imports", "package main", "", "main.go does not import the code for other machines"},
		{"no cases", "import (\n\t\"cmd/compile/internal/amd64\"\n)", "switch arch {\n\tcase \"wasm\":\n}",
			"config.go does not contain"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.main != "" {
				must.Write(t, filepath.Join(dir, "src/cmd/compile/main.go"), tt.main)
				must.Write(t, filepath.Join(dir, "src/cmd/compile/internal/ssa/config.go"), tt.config)
			}
			var warned []string
			b := &builder{Options: Options{Warn: func(text string) { warned = append(warned, text) }},
				keeper: &keeper{t.TempDir(), ".gz"}, root: dir, version: "go9.9"}
			whole := must.Get(b.key("compile", nil))(t)
			built := must.Get(b.getOrMake(t.Context(), whole,
				func() ([]byte, error) { return []byte("the whole compiler"), nil }))(t)
			data, trimmed, err := b.tool(t.Context(), trimCompile)
			must.Do(t, err)
			if trimmed || string(data) != string(built) {
				t.Errorf("got trimmed = %t and a tool of %d bytes, want false and the %d bytes of the whole compiler", trimmed, len(data), len(built))
			}
			must.Contain(t, strings.Join(warned, "\n"), "the tool compile of go9.9 is larger than necessary", tt.want)
		})
	}
}

// TestKeeper checks that a keeper compresses data and stores the same data only once. After its context
// was cancelled, a keeper that uses xz must store nothing. Without xz, a keeper must use gzip and give a
// warning.
func TestKeeper(t *testing.T) {
	var warned []string
	k := newKeeper(t.TempDir(), func(text string) { warned = append(warned, text) })
	first := must.Get(k.compressRaw(t.Context(), []byte(strings.Repeat("abc", 1000))))(t)
	if len(first) == 0 || len(first) > 300 {
		t.Errorf("3000 repetitive bytes are compressed to %d bytes, want 1 to 300", len(first))
	}
	again := must.Get(k.compressRaw(t.Context(), []byte(strings.Repeat("abc", 1000))))(t)
	if string(again) != string(first) || len(must.Get(os.ReadDir(k.dir))(t)) != 1 {
		t.Error("compressing the same data again gives a different result or makes a second file")
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := k.compressRaw(stopped, []byte("abc")); k.ending == ".xz" && !errors.Is(err, context.Canceled) || k.ending == ".xz" && len(must.Get(os.ReadDir(k.dir))(t)) != 1 {
		t.Errorf("after its context was cancelled, the keeper returns the error %v and has %d files, want context.Canceled and 1 file", err, len(must.Get(os.ReadDir(k.dir))(t)))
	}
	t.Setenv("PATH", t.TempDir())
	k = newKeeper(k.dir, func(text string) { warned = append(warned, text) })
	if must.Get(k.compressRaw(t.Context(), []byte("abc")))(t); k.ending != ".gz" || len(warned) != 1 || !strings.Contains(warned[0], "xz-utils") {
		t.Errorf("without xz, the keeper uses the ending %s and warns %q; want .gz and one warning about xz-utils", k.ending, warned)
	}
}

// TestLinkable checks that withoutExportData removes only the export data from an archive, and that it
// rejects an invalid archive.
func TestLinkable(t *testing.T) {
	member := func(name, body string) string {
		return fmt.Sprintf("%-16s%-12d%-6d%-6d%-8o%-10d`\n%s%s", name, 0, 0, 0, 0o644, len(body), body,
			strings.Repeat("\x00", len(body)%2))
	}
	object := member("_go_.o", "code")
	for _, export := range []string{"even", "odd"} {
		if got := must.Get(withoutExportData([]byte("!<arch>\n" + member("__.PKGDEF", export) + object)))(t); string(got) != "!<arch>\n"+object {
			t.Errorf("with export data of %s size, got the archive %q, want it without the export data", export, got)
		}
	}
	for archive, want := range map[string]string{"": "as the first member", "!<arch>\n" + object: "as the first member",
		"!<arch>\n" + member("__.PKGDEF", "even")[:62]: "all of __.PKGDEF"} {
		_, err := withoutExportData([]byte(archive))
		must.Fail(t, err, want)
	}
}

// TestExported checks the names that the editors offer as completions, with the names' kinds,
// signatures and comments.
func TestExported(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	must.Write(t, file, `package a

// F adds. It is fast.
func F(x,
	y float64) (float64, error) { return x + y, nil }

func (T) Method() {}
func hidden() {}

// T is a pair.
type T struct{ A, b int }

type (
	// I is anything.
	I interface{}
	P []float64
)

// The limits.
const (
	A, b int = 1, 2 // A is the first
	C        = 3
)

// V varies.
var V map[string]int
`)
	want := []exportedName{
		{"F", "function", "(x, y float64) (float64, error)", "F adds."},
		{"T", "type", "struct", "T is a pair."},
		{"I", "type", "interface", "I is anything."},
		{"P", "type", "[]float64", ""},
		{"A", "constant", "int", "A is the first"},
		{"C", "constant", "", ""},
		{"V", "variable", "map[string]int", "V varies."},
	}
	if got := must.Get(exportedNames(file))(t); !slices.Equal(got, want) {
		t.Errorf("got the names\n%q, want\n%q", got, want)
	}
}
