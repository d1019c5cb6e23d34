package licences

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

const root = "../../.."

// TestBundled checks that the list `bundled` contains every third-party script in this repository,
// with its version. Scripts from npm have file names such as echarts-gl-2.1.0.min.js.gz.
func TestBundled(t *testing.T) {
	named, found := regexp.MustCompile(`^(.+)-([0-9.]+)\.min\.js`), 0
	plain := func(text string) string { return strings.NewReplacer(" ", "", "-", "").Replace(strings.ToLower(text)) }
	for _, top := range []string{"toolkit", "generate"} {
		must.Do(t, filepath.WalkDir(filepath.Join(root, top), func(p string, d fs.DirEntry, err error) error {
			if err != nil || !strings.Contains(d.Name(), ".min.js") {
				return err
			}
			m, listed := named.FindStringSubmatch(d.Name()), false
			if m == nil {
				t.Errorf("%s: want a file name with a version, such as name-1.2.3.min.js", p)
				return nil
			}
			for _, b := range bundled {
				listed = listed || strings.Contains(plain(b.title), plain(m[1])+m[2])
			}
			if found++; !listed {
				t.Errorf("%s: in the list `bundled`, no title contains %s %s", p, m[1], m[2])
			}
			return nil
		}))
	}
	if found < 5 {
		t.Errorf("found %d third-party scripts, want at least 5", found)
	}
}

// TestEditorPackages checks that the editor's licence names every npm package in the editor.
func TestEditorPackages(t *testing.T) {
	text := must.Read(t, filepath.Join(root, "generate/internal/play/web/LICENSE-codemirror.txt"))
	var lock struct{ Packages map[string]struct{ Dev bool } }
	must.Do(t, json.Unmarshal([]byte(must.Read(t,
		filepath.Join(root, "generate/internal/play/editor/package-lock.json"))), &lock))
	count := 0
	for p, is := range lock.Packages {
		name, ok := strings.CutPrefix(p, "node_modules/")
		if !ok || is.Dev {
			continue
		}
		if count++; !strings.Contains(text, "\n"+name+": Copyright") {
			t.Errorf("LICENSE-codemirror.txt does not name %s", name)
		}
	}
	if count < 10 {
		t.Errorf("found %d npm packages in the editor, want at least 10", count)
	}
}

// TestModules checks that Modules finds the licences in the folder of a package and in the folders
// above it, within the package's module. Modules must reject a module without a licence, unless the
// folder of this module is below the root folder, the first argument of Modules. The test also checks
// that Tree lists each licence once.
func TestModules(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"m/LICENSE": "terms of m", "m/NOTICE": "notice of m",
		"m/licenses/ftl.txt": "more terms", "m/license.go": "package m",
		"m/a/b/COPYING": "terms of b", "m/c/LICENSE": "terms of c", "bare/x.go": "package x",
		"own/here/x.go": "package x"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	}
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	m, bare := &Module{"example.org/m", "v1.0.0", in("m")}, &Module{"example.org/bare", "v1.0.0", in("bare")}
	works := must.Get(Modules(in("own"),
		[]Package{{"example.org/m/a/b", in("m/a/b"), m}, {"example.org/m", in("m"), m}, {"fmt", in("m"), nil},
			{"example.org/here", in("own/here"), &Module{"example.org/here", "", in("own/here")}}}))(t)
	tree := Tree(append(works, Work{Title: "again", Files: []string{"x.js"}, Terms: []string{"terms of m\n"}}))
	const want = "again\n    in x.js\n    licence [1]\nexample.org/m v1.0.0\n    licence [2] [1] [3]\n\n==== licence [1] ====\n\nterms of m\n\n==== licence [2] ====\n\nterms of b\n\n==== licence [3] ====\n\nmore terms\n"
	if got := string(tree[File]); !strings.HasSuffix(got, "\n\n"+want) {
		t.Errorf("got\n%s\nwant text that ends with\n%s", got, want)
	}
	if got := string(tree[Notice]); got != "example.org/m v1.0.0\n\nnotice of m\n\n" {
		t.Errorf("got the notices %q, want only the notice of m", got)
	}
	_, err := Modules(in("own"), []Package{{"example.org/bare", in("bare"), bare}})
	must.Fail(t, err, "example.org/bare v1.0.0 has no licence file")
}
