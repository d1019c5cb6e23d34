package catalog

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// The texts of every exercise with constants can be made for many seeds: no
// placeholder is left, the names are the same, and the constants are others than
// those of the common variant.
func TestConstantsOfManyVariants(t *testing.T) {
	module := os.DirFS(root)
	var varied []string
	for _, entry := range Entries {
		vary := entry.Exercise.Vary
		if vary == nil {
			continue
		}
		varied = append(varied, entry.Exercise.ID)
		for _, n := range append(seeds(100), 1834699243556, 1<<53-1) {
			e, err := exercise.LoadVariant(module, entry.Dir, exercise.Variant{Seed: n, Vary: vary})
			if err != nil {
				t.Fatal(err)
			}
			for _, make := range []func() (*nbformat.Notebook, error){e.Learner, e.Solved} {
				nb, err := make()
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range nb.Cells {
					if strings.Contains(c.Source, "[[") || strings.Contains(c.Source, "hyperplane:vary") {
						t.Errorf("%s, variant %d: a placeholder is left in %s", e.ID, n, c.ID)
					}
				}
			}
			if !slices.Equal(slices.Sorted(maps.Keys(vary(n))), slices.Sorted(maps.Keys(vary(0)))) {
				t.Errorf("%s, variant %d: other names than in the common variant", e.ID, n)
			}
			if maps.Equal(vary(n), vary(0)) || !maps.Equal(vary(n), vary(n)) {
				t.Errorf("%s, variant %d: the constants of the common variant, or others each time", e.ID, n)
			}
		}
	}
	if want := []string{"prml-4.3", "prml-4.14", "alpaydin-10.1", "alpaydin-10.9"}; !slices.Equal(varied, want) {
		t.Errorf("constants vary in %q, want %q", varied, want)
	}
}

func seeds(n uint64) []uint64 {
	var out []uint64
	for i := range n {
		out = append(out, i+1)
	}
	return out
}
