package trial

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// text is an answer to the good fixture in which SUFFIX stands behind every
// top-level name.
type text struct {
	source  string
	imports []cell.Import
}

func (t text) Suffixed(suffix string) string { return strings.ReplaceAll(t.source, "SUFFIX", suffix) }
func (t text) Needs() []cell.Import          { return t.imports }

// sumOf is an answer of which only Sum matters.
func sumOf(body string, imports ...cell.Import) text {
	m := cell.Import{Path: "gonum.org/v1/gonum/mat"}
	ex := cell.Import{Path: cell.Module + "/generate/internal/exercise/testdata/good/ex07"}
	return text{"func HalveSUFFIX(x []float64, by ex07.Scale) []float64 { return []float64{2} }\n" +
		"func MeanSUFFIX(x *mat.Dense) float64 { return 2 }\n" +
		"func SumSUFFIX(x []float64) float64 { " + body + " }", append(imports, m, ex)}
}

func goodExercise(t *testing.T) (root string, e *exercise.Exercise) {
	t.Helper()
	root = moduleRoot(t)
	e, err := exercise.Load(os.DirFS(root), "generate/internal/exercise/testdata/good/ex07")
	if err != nil {
		t.Fatal(err)
	}
	return root, e
}

// TestBundle: texts of one package are judged each by itself, by Check and by
// CheckSteps, and one that does not end or takes all memory is stopped.
func TestBundle(t *testing.T) {
	root, e := goodExercise(t)
	tests := []struct {
		name string
		text text
		want string // Outcomes begins with it
	}{
		{"right", sumOf("return 3"), "Right Right Right"},
		{"wrong step", sumOf("return 4"), "Right Right Wrong"},
		{"imports of its own", sumOf("return math.Sqrt(9)", cell.Import{Path: "math"}), "Right Right Right"},
		{"crash", sumOf("panic(0)"), "Right Right Crashed"},
		{"no end", sumOf("for { }"), "died: signal: killed"},
		{"all memory", sumOf("var all [][]float64; for { v := make([]float64, 1<<24); for i := range v { v[i] = 1 }; all = append(all, v) }"), "died: exit status 2"},
	}
	b := Bundle{Exercise: e}
	for _, tt := range tests {
		b.Texts = append(b.Texts, tt.text)
	}
	p, err := Build(t.Context(), root, []Bundle{b})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			limits := Limits{CPU: time.Second, Memory: 1 << 30}
			if tt.name == "all memory" {
				limits.CPU = time.Minute
			}
			got, err := p.Judge(t.Context(), 0, i, limits)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(got.Outcomes(), tt.want) {
				t.Errorf("outcomes are %q, want %q", got.Outcomes(), tt.want)
			}
			if got.All(verify.Right) != strings.HasPrefix(tt.want, "Right Right Right") {
				t.Error("taken for an answer, or an answer refused")
			}
			if got.Died == "" && (got.Cost.Time <= 0 || got.Cost.CPU <= 0 || got.Cost.Peak < 1<<20) {
				t.Errorf("it cost %+v, which cannot be", got.Cost)
			}
		})
	}
	t.Run("interrupted", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if got, err := p.Judge(ctx, 0, 0, Limits{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v, %v; want an error: it was not judged", got, err)
		}
	})
	t.Run("answer cannot be written", func(t *testing.T) {
		if err := os.Mkdir(p.path+"-0-0.json", 0o700); err != nil {
			t.Fatal(err)
		}
		if got, err := p.Judge(t.Context(), 0, 0, Limits{}); err == nil {
			t.Errorf("%+v; want an error: it was not judged", got)
		}
	})
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Judge(t.Context(), 0, 0, Limits{}); err == nil {
		t.Errorf("the program is gone, and the judgement is %+v; want an error", got)
	}
}

func TestBundleThatDoesNotCompile(t *testing.T) {
	root, e := goodExercise(t)
	_, err := Build(t.Context(), root, []Bundle{{e, []Suffixer{sumOf("return y")}}})
	if err == nil || !strings.Contains(err.Error(), "prml-99.7: a text made of its reference answer does not compile") || !strings.Contains(err.Error(), "undefined: y") {
		t.Errorf("the error is %v", err)
	}
}
