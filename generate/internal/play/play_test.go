package play

import (
	"bytes"
	"encoding/json"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

const root = "../../.."

// exercisesOf are the exercises that have a page of their own.
func exercisesOf(t *testing.T) (own []*exercise.Exercise) {
	t.Helper()
	for _, e := range must.Get(catalog.Exercises(os.DirFS(root)))(t) {
		if !e.OfLesson() {
			own = append(own, e)
		}
	}
	return own
}

// The whole is as small as promised, and every file that is named is there.
func TestBuild(t *testing.T) {
	if os.Getenv("HYPERPLANE_PLAY") == "" {
		t.Skip("builds the compiler, minutes at first; set HYPERPLANE_PLAY=1 as docker/test.sh play does")
	}
	var warned []string
	files, m, err := Build(t.Context(), Options{Root: root, Exercises: exercisesOf(t), Warn: func(text string) { warned = append(warned, text) }})
	must.Do(t, err)
	for _, w := range warned {
		t.Error(w)
	}
	const mega = 1e6
	largest := 0
	for id, pack := range m.Packs {
		largest = max(largest, pack.Size)
		if first := m.First(id); first > 14*mega {
			t.Errorf("%s: the first visit loads %.1f MB", id, float64(first)/mega)
		}
		if files[path.Join(Folder, pack.File)] == nil {
			t.Errorf("%s: there is no %s", id, pack.File)
		}
	}
	t.Logf("compile %.2f MB, link %.2f, packages %.2f, the largest exercise %.3f", float64(m.Compile.Size)/mega, float64(m.Link.Size)/mega, float64(m.Base.Size)/mega, float64(largest)/mega)
	if len(m.Packs) != 35 || largest > 0.2*mega || !m.Trimmed {
		t.Errorf("%d exercises, want 35; the largest has %d bytes; trimmed: %t", len(m.Packs), largest, m.Trimmed)
	}
	var said Manifest
	must.Do(t, json.Unmarshal(files[path.Join(Folder, "play.json")], &said))
	if said.Imports["rand"] != "math/rand/v2" || said.Imports["mat"] != "gonum.org/v1/gonum/mat" || !strings.HasPrefix(said.Go, "go1.") {
		t.Errorf("the page is told %+v", said)
	}
	if licences := files[path.Join(Folder, "LICENSES.txt")]; !bytes.Contains(licences, []byte("The Gonum Authors")) || !bytes.Contains(licences, []byte("The Go Authors")) {
		t.Error("the licences of Go and gonum are not there")
	}
	again, _, err := Build(t.Context(), Options{Root: root, Exercises: exercisesOf(t)})
	must.Do(t, err)
	for _, p := range files.Paths() {
		if !bytes.Equal(files[p], again[p]) {
			t.Errorf("%s: a second build makes another file", p)
		}
	}
}
