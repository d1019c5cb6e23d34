package exercise

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
)

// Of a variant the title says whose it is, the set-up cell chooses it in the code
// of every cell, and the metadata tell programs.
func TestVariantNotebook(t *testing.T) {
	module := os.DirFS(root)
	for _, v := range []Variant{{Seed: 12345}, {Seed: 12345, For: "A_da *B* <i>"}} {
		e, err := LoadVariant(module, good, v)
		if err != nil {
			t.Fatal(err)
		}
		nb, err := e.Learner()
		if err != nil {
			t.Fatal(err)
		}
		title, setup := nb.Cells[0].Source, nb.Cells[1].Source
		whose := "**Variant**, number 12345:"
		if v.For != "" {
			whose = `**Variant for A\_da \*B\* \<i\>**, number 12345:`
		}
		if !strings.Contains(title, whose) {
			t.Errorf("the title is\n%s\nwant %q", title, whose)
		}
		if !strings.Contains(setup, "\n\nvar _ = exercises.Variant(12345)\n\n%%\n") || !strings.Contains(setup, `/exercises"`+"\n") {
			t.Errorf("the set-up cell is\n%s", setup)
		}
		if own := nb.Metadata["hyperplane"].(map[string]any); own["seed"] != json.Number("12345") {
			t.Errorf("the metadata are %v", own)
		}
	}
	e, err := Load(module, good)
	if err != nil {
		t.Fatal(err)
	}
	nb, err := e.Learner()
	if err != nil {
		t.Fatal(err)
	}
	if own := nb.Metadata["hyperplane"].(map[string]any); own["seed"] != nil || strings.Contains(outline(nb), "ariant") {
		t.Errorf("the common variant speaks of variants: %v\n%s", own, outline(nb))
	}
}

// Constants go into task, explore cells, stub and solution; faults have file and
// line, as those of the text have.
func TestVariantConstants(t *testing.T) {
	m := edited(t, "exercise.md", "$y_n = x_n/2$", "$y_n = x_n/[[c]]$")
	m[good+"/answer_test.go"].Data = []byte(strings.Replace(string(m[good+"/answer_test.go"].Data), "const Two = 2\n", "const Two = 2 //hyperplane:vary const Two = [[c]]\n", 1))
	vary := func(n uint64) map[string]string { return map[string]string{"c": fmt.Sprint(2 + n)} }
	for _, n := range []uint64{0, 5} {
		e, err := LoadVariant(m, good, Variant{Seed: n, Vary: vary})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{fmt.Sprintf("$y_n = x_n/%d$", 2+n), fmt.Sprintf("\nconst Two = %d\n", 2+n)} {
			for _, part := range []string{e.Task + "\n" + e.Answer.Stub.Source, e.Task + "\n" + e.Answer.Solution.Source} {
				if !strings.Contains(part, want) {
					t.Errorf("variant %d: %q is not in\n%s", n, want, part)
				}
			}
		}
		if got := e.Varies(); !slices.Equal(got, []string{"constants"}) {
			t.Errorf("varies: %q", got)
		}
	}
	for _, tt := range []struct {
		vary exercises.Constants
		want string
	}{
		{nil, good + "/answer_test.go:16: [[c]] stands for no constant"},
		{func(n uint64) map[string]string { return map[string]string{"c": fmt.Sprint(3 + n)} }, good + "/answer_test.go:16: the line is"},
		{func(n uint64) map[string]string { return map[string]string{"c": fmt.Sprint(2 + n), "d": ""} }, good + "/exercise.md:1: the constant d occurs neither"},
		{func(uint64) map[string]string { return map[string]string{"c": "2"} }, ""},
	} {
		if _, err := LoadVariant(m, good, Variant{Seed: 3, Vary: tt.vary}); (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("error %v, want %q", err, tt.want)
		}
	}
}

// What is said to vary is what the package's check draws.
func TestVaries(t *testing.T) {
	m := edited(t, "", "", "")
	for _, tt := range []struct{ file, source, want string }{
		{"check.go", "", ""},
		{"judge.go", "package ex07\n\nvar r = instance.Source(407, 1)\n", "data"},
		{"more_test.go", "package ex07\n\nvar r = instance.Source(407, 1)\n", ""},
	} {
		with := edited(t, "", "", "")
		if tt.source != "" {
			file := *m[good+"/check.go"]
			file.Data = []byte(tt.source)
			with[good+"/"+tt.file] = &file
		}
		e, err := LoadVariant(with, good, Variant{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(e.Varies(), " "); got != tt.want {
			t.Errorf("with %s: %q, want %q", tt.file, got, tt.want)
		}
	}
}
