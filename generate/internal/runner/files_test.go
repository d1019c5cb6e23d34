package runner

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.ipynb", "a/z.ipynb", "a/notes.md", "a/.ipynb_checkpoints/z-checkpoint.ipynb", "empty/readme.md"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := find([]string{dir})
	if want := []string{filepath.Join(dir, "a/z.ipynb"), filepath.Join(dir, "b.ipynb")}; err != nil || !slices.Equal(got, want) {
		t.Errorf("found %q (%v), want %q", got, err, want)
	}
	for _, bad := range []string{"empty", "none"} {
		if _, err := find([]string{filepath.Join(dir, bad)}); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: error %v, want one that names it", bad, err)
		}
	}
}

// A link to a folder is walked like the folder, unless it has the name of a notebook.
func TestFindFolders(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"real", "odd.ipynb"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "a.ipynb"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(name, filepath.Join(dir, "to-"+name)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{"real": "real/a.ipynb", "to-real": "to-real/a.ipynb", "odd.ipynb": "odd.ipynb/a.ipynb", "to-odd.ipynb": "to-odd.ipynb"} {
		got, err := find([]string{filepath.Join(dir, path)})
		if err != nil || !slices.Equal(got, []string{filepath.Join(dir, want)}) {
			t.Errorf("%s: found %q (%v), want %s", path, got, err, want)
		}
	}
}

// The notebooks that are run are not written over, by whatever name.
func TestPlaceSparesInputs(t *testing.T) {
	dir := t.TempDir()
	in := func(elem ...string) string { return filepath.Join(append([]string{dir}, elem...)...) }
	for _, folder := range []string{"work/deep", "out"} {
		if err := os.MkdirAll(in(folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"work/a.ipynb", "work/deep/b.ipynb", "work/page", "work/page.html"} {
		if err := os.WriteFile(in(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link": "work", "out/a.ipynb": in("work/a.ipynb"), "from.ipynb": in("work/a.ipynb"), "work/from.ipynb": in("work/deep/b.ipynb")} {
		if err := os.Symlink(to, in(name)); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name, out string
		files     []string
		over      string // "" where all is well
	}{
		{"its own folder", "work", []string{in("work/a.ipynb")}, "work/a.ipynb"},
		{"its own folder, through a link", "link", []string{in("work/a.ipynb")}, "work/a.ipynb"},
		{"named through a link", "work", []string{in("link/a.ipynb")}, "link/a.ipynb"},
		{"the folder that is run", "work", []string{in("work/a.ipynb"), in("work/deep/b.ipynb")}, "work/"},
		{"a link in the output folder", "out", []string{in("work/a.ipynb")}, "work/a.ipynb"},
		{"the notebook is a link to there", "work", []string{in("work/from.ipynb")}, "work/from.ipynb"},
		{"the page", "work", []string{in("work/page"), in("work/page.html")}, "work/page.html"},
		{"another folder", "elsewhere", []string{in("work/a.ipynb"), in("work/deep/b.ipynb")}, ""},
		{"below it", "work/made", []string{in("work/a.ipynb")}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := place(tt.files, in(tt.out))
			if tt.over == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.over) || !strings.Contains(err.Error(), "name another output folder") {
				t.Errorf("error %v, want one that names %s", err, tt.over)
			}
		})
	}
}

func TestPlace(t *testing.T) {
	out := t.TempDir()
	tests := []struct {
		name  string
		files []string
		want  []string // below out
		fails string
	}{
		{"one", []string{"notebooks/tour.ipynb"}, []string{"tour"}, ""},
		{"same folder", []string{"n/a.ipynb", "n/b.ipynb"}, []string{"a", "b"}, ""},
		{"folders kept", []string{"n/tour.ipynb", "n/ex/solutions/25.ipynb"}, []string{"tour", "ex/solutions/25"}, ""},
		{"same name in two folders", []string{"ex/25.ipynb", "ex/solutions/25.ipynb"}, []string{"25", "solutions/25"}, ""},
		{"folder whose name begins alike", []string{"ex/25.ipynb", "exercises/25.ipynb"}, []string{"ex/25", "exercises/25"}, ""},
		{"nothing shared but the root", []string{"/a/x.ipynb", "/b/x.ipynb"}, []string{"a/x", "b/x"}, ""},
		{"twice", []string{"a.ipynb", "./a.ipynb"}, nil, "name each once"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := place(tt.files, out)
			if tt.fails != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fails) {
					t.Errorf("error %v, want one with %q", err, tt.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for i := range tt.want {
				tt.want[i] = filepath.Join(out, tt.want[i])
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("placed at %q, want %q", got, tt.want)
			}
		})
	}
}
