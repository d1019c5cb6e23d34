package progress

import (
	"os"
	"path/filepath"
	"testing"
)

// A notebook looks from its own folder.
func TestFind(t *testing.T) {
	t.Setenv(Variable, "")
	const ours = `{"schema": "hyperplane-progress/1"`
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"nothing", nil, "work/ch4/" + Name},
		{"beside", map[string]string{"work/ch4/" + Name: ours}, "work/ch4/" + Name},
		{"above", map[string]string{"work/" + Name: ours}, "work/" + Name},
		{"above, cut short", map[string]string{"work/" + Name: ours[:33]}, "work/" + Name},
		{"laid above", map[string]string{"work/" + rootMark: "{}"}, "work/" + Name},
		{"laid far above", map[string]string{rootMark: "{}"}, Name},
		{"the nearest", map[string]string{rootMark: "{}", "work/" + Name: ours}, "work/" + Name},
		{"another program's above", map[string]string{"work/" + Name: `{"done": 3}`, rootMark: "{}"}, Name},
		{"another program's above, alone", map[string]string{"work/" + Name: "broken"}, "work/ch4/" + Name},
		{"broken beside", map[string]string{"work/ch4/" + Name: "broken"}, "work/ch4/" + Name},
		{"a folder above", map[string]string{"work/" + Name + "/x": ours}, "work/ch4/" + Name},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := must(filepath.EvalSymlinks(t.TempDir()))(t)
			at := filepath.Join(dir, "work", "ch4")
			put(t, filepath.Join(at, "notebook"), "")
			for name, text := range tt.files {
				put(t, filepath.Join(dir, filepath.FromSlash(name)), text)
			}
			t.Chdir(at)
			if got, want := Find(".").Path, filepath.Join(dir, filepath.FromSlash(tt.want)); got != want {
				t.Errorf("found %s, want %s", got, want)
			}
		})
	}
	t.Run("above, everybody's", func(t *testing.T) {
		dir := must(filepath.EvalSymlinks(t.TempDir()))(t)
		put(t, filepath.Join(dir, Name), ours)
		put(t, filepath.Join(dir, "work", "notebook"), "")
		for _, tt := range []struct {
			mode os.FileMode
			want string
		}{{0o777, Name}, {0o777 | os.ModeSticky, filepath.Join("work", Name)}} {
			if err := os.Chmod(dir, tt.mode); err != nil {
				t.Fatal(err)
			}
			if got, want := Find(filepath.Join(dir, "work")).Path, filepath.Join(dir, tt.want); got != want {
				t.Errorf("%v: found %s, want %s", tt.mode, got, want)
			}
		}
	})
	t.Setenv(Variable, "/elsewhere/mine.json")
	if got := Find(t.TempDir()).Path; got != "/elsewhere/mine.json" {
		t.Errorf("with the variable: %s", got)
	}
}
