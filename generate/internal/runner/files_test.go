package runner

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"all/b.ipynb", "all/a/z.ipynb", "all/a/notes.md",
		"all/a/.ipynb_checkpoints/z-checkpoint.ipynb", "empty/readme.md", "real/a.ipynb", "odd.ipynb/a.ipynb"} {
		must.Write(t, in(name), "")
	}
	for _, name := range []string{"real", "odd.ipynb"} {
		must.Do(t, os.Symlink(name, in("to-"+name)))
	}
	for _, tt := range []struct {
		path, fails string
		want        []string
	}{
		{"all", "", []string{in("all/a/z.ipynb"), in("all/b.ipynb")}},
		{"empty", "empty", nil},
		{"none", "none", nil},
		// findNotebooks must search a folder to which a link leads. But it must not follow a link
		// whose own name ends in .ipynb.
		{"real", "", []string{in("real/a.ipynb")}},
		{"to-real", "", []string{in("to-real/a.ipynb")}},
		{"odd.ipynb", "", []string{in("odd.ipynb/a.ipynb")}},
		{"to-odd.ipynb", "", []string{in("to-odd.ipynb")}},
	} {
		got, err := findNotebooks([]string{in(tt.path)})
		if must.Fail(t, err, tt.fails); !slices.Equal(got, tt.want) {
			t.Errorf("for %s, found the notebooks %q, want %q", tt.path, got, tt.want)
		}
	}
}

// TestTargetPathsSpareInputs checks that targetPaths rejects every output folder in which a result
// would overwrite a notebook that is to be run.
func TestTargetPathsSpareInputs(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	must.Do(t, os.Mkdir(in("out"), 0o700))
	for _, name := range []string{"work/a.ipynb", "work/deep/b.ipynb", "work/page", "work/page.html"} {
		must.Write(t, in(name), "")
	}
	for name, to := range map[string]string{"link": "work", "out/a.ipynb": in("work/a.ipynb"),
		"from.ipynb": in("work/a.ipynb"), "work/from.ipynb": in("work/deep/b.ipynb")} {
		must.Do(t, os.Symlink(to, in(name)))
	}
	tests := []struct {
		name, out string
		files     []string
		over      string // notebook that the error must name; "" if there must be no error
	}{
		{"notebook's own folder", "work", []string{in("work/a.ipynb")}, "work/a.ipynb"},
		{"notebook's own folder through a link", "link", []string{in("work/a.ipynb")}, "work/a.ipynb"},
		{"notebook named through a link", "work", []string{in("link/a.ipynb")}, "link/a.ipynb"},
		{"folder whose notebooks are run", "work", []string{in("work/a.ipynb"), in("work/deep/b.ipynb")}, "work/"},
		{"output folder with a link to the notebook", "out", []string{in("work/a.ipynb")}, "work/a.ipynb"},
		{"own folder of a notebook that is a link", "work", []string{in("work/from.ipynb")}, "work/from.ipynb"},
		{"notebook whose page would overwrite a notebook", "work", []string{in("work/page"), in("work/page.html")}, "work/page.html"},
		{"another folder", "elsewhere", []string{in("work/a.ipynb"), in("work/deep/b.ipynb")}, ""},
		{"folder below the notebook's folder", "work/made", []string{in("work/a.ipynb")}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := targetPaths(tt.files, in(tt.out))
			if must.Fail(t, err, tt.over); tt.over != "" {
				must.Fail(t, err, "name another output folder")
			}
		})
	}
}

func TestTargetPaths(t *testing.T) {
	out := t.TempDir()
	tests := []struct {
		name  string
		files []string
		want  []string // paths below out
		fails string
	}{
		{"one", []string{"notebooks/tour.ipynb"}, []string{"tour"}, ""},
		{"same folder", []string{"n/a.ipynb", "n/b.ipynb"}, []string{"a", "b"}, ""},
		{"folders kept", []string{"n/tour.ipynb", "n/ex/solutions/25.ipynb"}, []string{"tour", "ex/solutions/25"}, ""},
		{"same name in two folders", []string{"ex/25.ipynb", "ex/solutions/25.ipynb"}, []string{"25", "solutions/25"},
			""},
		{"folder name that begins with a second folder's name", []string{"ex/25.ipynb", "exercises/25.ipynb"},
			[]string{"ex/25", "exercises/25"}, ""},
		{"only the root shared", []string{"/a/x.ipynb", "/b/x.ipynb"}, []string{"a/x", "b/x"}, ""},
		{"same notebook twice", []string{"a.ipynb", "./a.ipynb"}, nil, "leave out one of the two"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := targetPaths(tt.files, out)
			must.Fail(t, err, tt.fails)
			for i := range tt.want {
				tt.want[i] = filepath.Join(out, tt.want[i])
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("targetPaths returns %q, want %q", got, tt.want)
			}
		})
	}
}
