//go:build playtest

package play

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// A link with a seed leads to the variant: its statement and its stub, the judge's data,
// and the notebook that is taken home.
func TestSeed(t *testing.T) {
	site := served(t)
	const seed = 7
	// The first one varies in its data alone.
	for _, id := range []string{"prml-4.8", "prml-4.3", "prml-4.14", "alpaydin-10.1", "alpaydin-10.9"} {
		t.Run(id, func(t *testing.T) {
			e := find(t, id)
			variant := must.Get(catalog.Variants(os.DirFS(root), exercise.Variant{Seed: seed}, e.ID))(t)[0]
			want := natives(t, []*exercise.Exercise{variant}, 0)[e.ID][0]
			d := sit(t, fmt.Sprintf("%s?seed=%d", addressOf(site, e), seed), browsertest.View{})
			must.Contain(t, d.text("play-variant"), "Variant 7: ")
			if got := browsertest.Get[string](d.Page, `document.getElementById("play-answer").value`); strings.TrimSpace(got) != variant.Answer.Stub.Source {
				t.Errorf("the stub is\n%s\nwant\n%s", got, variant.Answer.Stub.Source)
			}
			// The statement has the numbers of this variant: those of its formulas that
			// the common one has not.
			task := browsertest.Get[string](d.Page, `document.querySelector("[data-part=task]").textContent`)
			for _, formula := range differing(e.Task, variant.Task) {
				if !strings.Contains(squeezed(task), squeezed(formula)) {
					t.Errorf("the task does not say %q:\n%s", formula, task)
				}
			}
			d.write(want.text.Source)
			d.check("Check")
			must.Contain(t, d.report(), "· variant 7", "passed")
			if !d.shows(want.reports[0].HTML()) {
				t.Errorf("the page says\n%s\nwant\n%s", d.report(), want.reports[0])
			}
			took := must.Get(nbformat.Parse("download", []byte(d.download("#play-notebook"))))(t)
			learner := must.Get(variant.Learner())(t)
			for i, c := range learner.Cells {
				source := c.Source
				if nbformat.Own(c.Metadata)["role"] == "stub" {
					source = want.text.Source
				}
				if c.Type == nbformat.Code && took.Cells[i].Source != source {
					t.Errorf("cell %s of the notebook is\n%s\nwant\n%s", c.ID, took.Cells[i].Source, source)
				}
			}
			if got := fmt.Sprint(nbformat.Own(took.Metadata)["seed"]); got != "7" {
				t.Errorf("the notebook is of variant %s", got)
			}
			d.Screenshot("play-seed-" + id)
			d.clean()
		})
	}
}

// differing are the words of the variant's text that the common one does not have,
// without those of formulas, which a page sets in its own way.
func differing(common, variant string) (words []string) {
	known := map[string]bool{}
	for _, w := range strings.Fields(common) {
		known[w] = true
	}
	for _, w := range strings.Fields(variant) {
		if !known[w] && !strings.ContainsAny(w, "$\\") {
			words = append(words, strings.Trim(w, "(),.;:"))
		}
	}
	return words
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

// What is no seed leads to a sentence, and the common variant.
func TestNoSeed(t *testing.T) {
	site := served(t)
	e := find(t, "prml-4.3")
	d := &desk{browsertest.Open(t, "about:blank", browsertest.View{}), t}
	for query, say := range map[string]string{"?seed=1.5": "a seed is a whole number", "?seed=99999999999999999": "a seed is a whole number", "?seed=0": "", "": ""} {
		d.Go(addressOf(site, e) + query)
		d.Until(state + ` !== ""`)
		if got := browsertest.Get[string](d.Page, `document.getElementById("play-variant").textContent`); !strings.Contains(got, say) || say == "" && got != "" {
			t.Errorf("%s: %q, want %q", query, got, say)
		}
		if got := browsertest.Get[string](d.Page, `document.getElementById("play-answer").value`); strings.TrimSpace(got) != e.Answer.Stub.Source {
			t.Errorf("%s: the stub is %q", query, got)
		}
	}
	d.clean()
}
