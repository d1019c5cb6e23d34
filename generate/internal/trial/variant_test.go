package trial

import (
	"fmt"
	"os"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// The gate for personal variants: of every exercise in some, and of those with
// constants in more, the stub is not attempted, the answer is right, the reports
// carry the seed, and the answer of another variant is not right.
func TestEveryVariant(t *testing.T) {
	root := moduleRoot(t)
	module := os.DirFS(root)
	type judged struct {
		name        string
		seed        uint64
		want        func(Judgement) bool
		description string
	}
	var list []judged
	var submissions []Submission
	add := func(e *exercise.Exercise, code exercise.Code, what, wanted string, want func(Judgement) bool) {
		submissions = append(submissions, Submission{e, code})
		list = append(list, judged{fmt.Sprintf("%s/%d/%s", e.ID, e.Seed, what), e.Seed, want, wanted})
	}
	all := func(o verify.Outcome) func(Judgement) bool { return func(j Judgement) bool { return j.All(o) } }
	seeds := []uint64{1, 2, 3, 4, 5, 6, 7, 8, 1834699243556, 1<<53 - 1}
	everywhere := map[uint64]bool{1: true, 1834699243556: true} // the variants in which every exercise is judged
	var before []*exercise.Exercise
	varied := 0
	for _, n := range seeds {
		now, err := catalog.Variants(module, exercise.Variant{Seed: n})
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range now {
			if e.Vary == nil && !everywhere[n] {
				continue
			}
			add(e, e.Answer.Stub, "stub", "NotAttempted everywhere", all(verify.NotAttempted))
			add(e, e.Answer.Solution, "answer", "Right everywhere", all(verify.Right))
			if e.Vary == nil {
				continue
			}
			varied++
			// A bound on the number of corrections may be larger than need be, and data
			// with a wider margin need fewer: in 4.14 another answer is right too.
			if before != nil && e.ID != "prml-4.14" && before[i].Answer.Solution.Source != e.Answer.Solution.Source {
				add(e, before[i].Answer.Solution, fmt.Sprintf("answer of %d", before[i].Seed), "Wrong somewhere", func(j Judgement) bool {
					return len(j.Reports) > 0 && !j.All(verify.Right) && j.Reports[0].Count(verify.Wrong) > 0
				})
			}
		}
		before = now
	}
	if varied < 4*len(seeds) {
		t.Errorf("constants vary in %d exercises, want 4 at least", varied/len(seeds))
	}
	got, err := Judge(t.Context(), root, submissions)
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range list {
		t.Run(j.name, func(t *testing.T) {
			if !j.want(got[i]) {
				t.Errorf("%s; want %s", got[i].Outcomes(), j.description)
			}
			for _, r := range got[i].Reports {
				if r.Seed != j.seed {
					t.Errorf("the report is of variant %d", r.Seed)
				}
			}
		})
	}
}

// Set-up, stub and explore cells of variants compile, with their constants.
func TestVariantNotebooksCompile(t *testing.T) {
	root := moduleRoot(t)
	var names []string
	var notebooks []*nbformat.Notebook
	for _, n := range []uint64{1, 2, 1<<53 - 1} {
		list, err := catalog.Variants(os.DirFS(root), exercise.Variant{Seed: n, For: "Ada"})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			if e.Vary == nil && n > 1 {
				continue
			}
			nb, err := e.Learner()
			if err != nil {
				t.Fatal(err)
			}
			names, notebooks = append(names, fmt.Sprintf("%s, variant %d", e.ID, n)), append(notebooks, nb)
		}
	}
	compile(t, root, names, notebooks)
}
