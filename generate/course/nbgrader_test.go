package course

import (
	"path/filepath"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

func TestCourseFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "course")
	args := []string{"exercises", "prml-4.25", "alpaydin-10.7", "--nbgrader", "--assignment", "week-1", "--out", dir}
	runWant(t, 0, args, "assignment week-1: 3 files written")
	runWant(t, 0, args, "0 files written, 3 unchanged")
	for _, file := range []string{"nbgrader_config.py", "source/week-1/prml-4-25.ipynb",
		"source/week-1/alpaydin-10-7.ipynb"} {
		must.Read(t, filepath.Join(dir, file))
	}
	// The command must not overwrite a configuration that the instructor has edited.
	config := filepath.Join(dir, "nbgrader_config.py")
	must.Write(t, config, "c = get_config()\n")
	runWant(t, exitBad, args, "nbgrader_config.py exists and differs")
	if got := must.Read(t, config); got != "c = get_config()\n" {
		t.Errorf("the edited configuration was changed to\n%s", got)
	}
}
