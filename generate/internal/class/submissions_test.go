package class

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// TestManifest checks that the time in the manifest counts even if nbgrader has written a time stamp.
// A submission that the manifest does not list must get the modification time of its file. Find must
// store the source of each time, and report lines about unknown learners or exercises. It must
// return an error if the manifest is invalid or is a link.
func TestManifest(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"ada/prml-4.25.ipynb", "submitted/bob/hw/prml-4-25.ipynb", "bob2/prml-4.25.ipynb"} {
		must.Write(t, filepath.Join(dir, f), "{}")
	}
	must.Write(t, filepath.Join(dir, "submitted/bob/hw/timestamp.txt"), "2026-01-03 00:00:00 UTC")
	manifest := filepath.Join(dir, "hand-ins.csv")
	must.Write(t, manifest,
		"time;id;exercise\n2026-01-01T10:00:00Z;ada;prml-4.25\n2026-01-02T10:00:00Z;bob;prml-4.25\n2026-01-02T10:00:00Z;eve;prml-4.25\n2026-01-02T10:00:00Z;ada;prml-4.1\n")
	list, ungraded, err := Find(dir, small())
	must.Do(t, err)
	if len(list) != 3 {
		t.Fatalf("found %d submissions, and the entries %q that are not submissions; want 3 submissions",
			len(list), ungraded)
	}
	for i, want := range []struct{ at, from string }{{"2026-01-01T10:00:00Z", "hand-ins.csv"},
		{"2026-01-02T10:00:00Z", "hand-ins.csv"}, {"", "the file"}} {
		if h := list[i]; h.TimeFrom != want.from || want.at != "" && h.Time.UTC().Format(time.RFC3339) != want.at {
			t.Errorf("%s has the time %s from %s, want the time %q (\"\" means any time) from %s", h.Learner,
				h.Time.UTC().Format(time.RFC3339), h.TimeFrom, want.at, want.from)
		}
	}
	must.Contain(t, strings.Join(ungraded, "\n"), `"hand-ins.csv": line 4: nobody in the class has the id eve`,
		`"hand-ins.csv": line 5: prml-4.1 is not an exercise`)
	for _, tt := range []struct{ name, text, want string }{
		{"no column for the time", "id,exercise\nada,prml-4.25\n", "hand-ins.csv:1: there is no column time"},
		{"an invalid time", "id,exercise,time\nada,prml-4.25,yesterday\n",
			`hand-ins.csv:2: invalid time "yesterday"`},
		{"empty", "", "hand-ins.csv:1: the list of submissions is empty"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			must.Write(t, manifest, tt.text)
			_, _, err := Find(dir, small())
			must.Fail(t, err, tt.want)
		})
	}
	must.Do(t, os.Remove(manifest))
	must.Do(t, os.Symlink("/dev/zero", manifest))
	_, _, err = Find(dir, small())
	must.Fail(t, err, "hand-ins.csv")
}

// TestOnlyFilesAreRead checks that readFile rejects links, folders and pipes. readSeen must reject
// a file that was replaced after Lstat.
func TestOnlyFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	must.Write(t, file, "{}")
	must.Do(t, os.Symlink(file, filepath.Join(dir, "link")))
	if data, err := readSubmission(file); err != nil || string(data) != "{}" {
		t.Errorf("got the contents %q and the error %v, want \"{}\" and no error", data, err)
	}
	must.Do(t, exec.Command("mkfifo", filepath.Join(dir, "pipe")).Run())
	for name, want := range map[string]string{"link": "a link, not a file", ".": "a folder, not a file",
		"pipe": "a pipe, not a file"} {
		_, err := readSubmission(filepath.Join(dir, name))
		must.Fail(t, err, want)
	}
	// Replace the file with a link after the call to Lstat.
	seen := must.Get(os.Lstat(filepath.Join(dir, "file")))(t)
	other := filepath.Join(dir, "other")
	must.Write(t, other, "secret")
	must.Do(t, os.Remove(file))
	must.Do(t, os.Symlink(other, file))
	_, err := readSeen(file, seen, 100)
	must.Fail(t, err, "was replaced")
}
