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
