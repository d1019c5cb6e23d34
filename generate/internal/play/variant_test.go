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

// TestSeed checks that a link with a seed opens the variant for that seed. The statement, the stub,
// the check's data and the notebook to download must all belong to the variant.
func TestSeed(t *testing.T) {
	t.Parallel()
	site := serveSite(t)
	const seed = 7
	for id, says := range map[string]string{ // maps an exercise to a text that only the variant's statement contains
		"prml-4.8":      "", // only the data of this exercise vary, not the statement
		"prml-4.3":      "atargetofsixentries:thefirstthreesumto1",
		"prml-4.14":     "R/31",
		"alpaydin-10.1": "sin{3(x1−1)}",
		"alpaydin-10.9": "2<x<8",
	} {
		t.Run(id, func(t *testing.T) {
			e := find(t, id)
			variant := must.Get(catalog.Variants(os.DirFS(root), exercise.Variant{Seed: seed}, e.ID))(t)[0]
			want := judgeNatively(t, []*exercise.Exercise{variant}, 0)[e.ID][0]
			common := openPage(t, addressOf(site, e), browsertest.View{})
			d := openDesk(t, fmt.Sprintf("%s?seed=%d", addressOf(site, e), seed), browsertest.View{})
			must.Contain(t, d.text("play-variant"), "Variant 7: ", "Back to the common numbers")
			if got := d.get(`document.getElementById("play-answer").value`); strings.TrimSpace(got) != variant.Answer.Stub.Source {
				t.Errorf("the stub is\n%s\nwant\n%s", got, variant.Answer.Stub.Source)
			}
			if says != "" && (!strings.Contains(d.taskText(), says) || strings.Contains(common.taskText(), says)) {
				t.Errorf("want %q in the statement of the variant and not in the common statement; the variant's statement is\n%s", says, d.taskText())
			}
			d.judge(want.text.Source, "· variant 7", "passed")
			if !d.showsReport(want.reports[0].HTML()) {
				t.Errorf("the page shows\n%s\nwant\n%s", d.report(), want.reports[0])
			}
			took := must.Get(nbformat.Parse("download", []byte(d.download("#play-notebook"))))(t)
			learner := must.Get(variant.Learner())(t)
			for i, c := range learner.Cells {
				source := c.Source
				if nbformat.OwnMetadata(c.Metadata)["role"] == "stub" {
					source = want.text.Source
				}
				if c.Type == nbformat.Code && took.Cells[i].Source != source {
					t.Errorf("cell %s of the notebook is\n%s\nwant\n%s", c.ID, took.Cells[i].Source, source)
				}
			}
			if got := fmt.Sprint(nbformat.OwnMetadata(took.Metadata)["seed"]); got != "7" {
				t.Errorf("the notebook has the seed %s, want 7", got)
			}
			d.Screenshot("play-seed-" + id)
			d.wantNoErrors()
		})
	}
}

// TestOtherNumbers follows the link to another variant, and the link back.
func TestOtherNumbers(t *testing.T) {
	t.Parallel()
	d := openPage(t, addressOf(serveSite(t), find(t, "prml-4.8")), browsertest.View{})
	d.press(".more summary") // unfold the rarely used controls
	d.press("#play-other")
	d.Until(`/^\?seed=[1-9][0-9]{0,5}$/.test(location.search) && document.getElementById("play-variant").innerText.startsWith("Variant " + location.search.slice(6) + ": ")`)
	d.press("#play-variant a")
	d.Until(`location.search === "" && document.getElementById("play-variant").hidden`)
	d.wantNoErrors()
}

// taskText returns the text of the exercise's statement without white space and without the invisible
// operators of formulas.
func (d *desk) taskText() string {
	d.t.Helper()
	return d.get(`document.querySelector("[data-part=task]").textContent.replace(/\s|[\u2061-\u2064]/g, "")`)
}

// TestInvalidSeed opens a page with an invalid seed, with the seed 0 and without a seed. The page
// must always show the stub of the common variant, and a message only if the seed is invalid.
func TestInvalidSeed(t *testing.T) {
	t.Parallel()
	site := serveSite(t)
	e := find(t, "prml-4.3")
	d := openPage(t, "about:blank", browsertest.View{})
	for query, say := range map[string]string{"?seed=1.5": "a seed is a whole number",
		"?seed=99999999999999999": "a seed is a whole number", "?seed=0": "", "": ""} {
		d.Go(addressOf(site, e) + query)
		d.Until(state + ` !== ""`)
		if got := d.get(`document.getElementById("play-variant").textContent`); !strings.Contains(got, say) || say == "" && got != "" {
			t.Errorf("%s: the page says %q, want a text that contains %q (\"\" means no text)", query, got, say)
		}
		if got := d.get(`document.getElementById("play-answer").value`); strings.TrimSpace(got) != e.Answer.Stub.Source {
			t.Errorf("%s: the stub is %q, want the stub of the common variant", query, got)
		}
	}
	d.wantNoErrors()
}
