package runner

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// exerciseNotebook returns a notebook like the generated notebook of an exercise, with the outputs
// of a run. Its cells are the set-up cell, the stub, and the check. The output of the check is a
// report with the given seed, and with one part that has the given outcome.
func exerciseNotebook(t *testing.T, exercise string, seed string, outcome verify.Outcome) *nbformat.Notebook {
	t.Helper()
	nb := nbformat.New()
	m := map[string]any{"exercise": exercise, "solved": false, "version": "0.1.0"}
	if seed != "0" {
		m["seed"] = json.Number(seed)
	}
	nb.Metadata["hyperplane"] = m
	for _, c := range []struct{ role, source string }{
		{"setup", "%noautoget\nimport (\n\t\"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex25\"\n)\n\n%%\ntoolkit.MadeWith(\"0.1.0\")"},
		{"stub", "func LambdaSquared() float64 {\n\treturn math.Pi / 8\n}"},
		{"check", "%%\nex25.Check(LambdaSquared)"},
	} {
		cell := nb.AddCode(nbformat.ID(exercise, c.role), c.source)
		cell.Metadata["hyperplane"] = map[string]any{"exercise": exercise, "role": c.role}
	}
	nb.Cells[2].Outputs = []nbformat.Output{withValue(report(t, exercise, true, outcome), "seed", json.Number(seed))}
	return nb
}

// TestClaims checks the verdicts on notebooks. A verdict depends on the notebook's metadata, cells
// and reports, and on the options of the run. Each test case starts with a notebook that passes,
// and may change this notebook or the options.
func TestClaims(t *testing.T) {
	const id = "prml-4.25"
	seed := func(nb *nbformat.Notebook, n any) { nbformat.OwnMetadata(nb.Metadata)["seed"] = n }
	unmarked := func(nb *nbformat.Notebook) { delete(nb.Metadata, "hyperplane") }
	withoutCheck := func(nb *nbformat.Notebook) { nb.Cells = nb.Cells[:2] }
	anonymous := func(nb *nbformat.Notebook) { // removes the generator's ids and metadata from the cells
		for i, c := range nb.Cells {
			c.ID = []string{"a", "b", "c"}[i]
			delete(c.Metadata, "hyperplane")
		}
	}
	all := func(changes ...func(*nbformat.Notebook)) func(*nbformat.Notebook) {
		return func(nb *nbformat.Notebook) {
			for _, change := range changes {
				change(nb)
			}
		}
	}
	lesson := func(nb *nbformat.Notebook) {
		nb.Metadata["hyperplane"] = map[string]any{"lesson": "tour", "version": "0.1.0"}
	}
	silent := func(nb *nbformat.Notebook) { nb.Cells[2].Outputs = nil }
	expected := func(nb *nbformat.Notebook) {
		nb.Cells[2].Metadata["hyperplane"] = map[string]any{"expect": "NotPassed"}
		nb.Cells[2].Outputs = []nbformat.Output{report(t, id, true, verify.Wrong)}
	}
	tests := []struct {
		name    string
		seed    string // seed in the metadata and in the report; "" stands for 0, which the metadata omit
		change  func(*nbformat.Notebook)
		options Options
		want    Verdict
		detail  string
	}{
		{name: "as generated", want: Passed},
		{name: "a variant", seed: "7", want: Passed},

		// In the next notebooks, the seeds in the report and in the metadata differ, or the seed in the
		// metadata is invalid or very large.
		{name: "notebook for a variant, report for the common variant", seed: "0",
			change: func(nb *nbformat.Notebook) { seed(nb, json.Number("7")) },
			want:   Mismatch, detail: "for the common variant, the notebook for variant 7"},
		{name: "notebook and report for different variants", seed: "7",
			change: func(nb *nbformat.Notebook) { seed(nb, json.Number("5")) }, want: Mismatch,
			detail: "for variant 7, the notebook for variant 5"},
		{name: "report with a seed, notebook without seed", seed: "7",
			change: func(nb *nbformat.Notebook) { delete(nbformat.OwnMetadata(nb.Metadata), "seed") }, want: Mismatch,
			detail: "the notebook for the common variant"},
		{name: "a seed in words", change: func(nb *nbformat.Notebook) { seed(nb, "seven") }, want: Mismatch,
			detail: "seed is seven"},
		{name: "half a seed", change: func(nb *nbformat.Notebook) { seed(nb, json.Number("0.5")) }, want: Mismatch,
			detail: "seed is 0.5"},
		{name: "the largest seed that a page accepts", seed: "9007199254740991", want: Passed},

		// In the next notebooks, the report is about a different exercise than the metadata.
		{name: "metadata of another exercise",
			change: func(nb *nbformat.Notebook) { nbformat.OwnMetadata(nb.Metadata)["exercise"] = "prml-4.2" }, want: Mismatch,
			detail: "for exercise prml-4.25, not for prml-4.2"},
		{name: "report of another exercise", change: func(nb *nbformat.Notebook) {
			nb.Cells[2].Outputs = []nbformat.Output{report(t, "prml-4.2", true, verify.Right)}
		}, want: Mismatch},
		{name: "report of a different exercise in an unmarked cell", change: func(nb *nbformat.Notebook) {
			delete(nb.Cells[2].Metadata, "hyperplane")
			nb.Cells[2].Outputs = []nbformat.Output{report(t, "prml-4.2", true, verify.Right)}
		}, want: Mismatch},

		// In most of the following notebooks, a required check is missing or reports nothing. In the
		// others, the check reports a pass.
		{name: "metadata and check removed", change: all(unmarked, withoutCheck), want: NoVerdict,
			detail: "no cell reported a pass of exercise prml-4.25"},
		{name: "only ids of cells name the exercise", change: all(unmarked, withoutCheck, func(nb *nbformat.Notebook) {
			for _, c := range nb.Cells {
				delete(c.Metadata, "hyperplane")
			}
		}), want: NoVerdict, detail: "no cell reported a pass of exercise prml-4.25"},
		{name: "only the import remains", change: all(unmarked, withoutCheck, anonymous), want: NoVerdict,
			detail: "no cell reported a pass, although"},
		{name: "the check made raw", change: all(unmarked, func(nb *nbformat.Notebook) {
			nb.Cells[2].Type, nb.Cells[2].Outputs = nbformat.Raw, nil
		}), want: NoVerdict, detail: "no cell reported"},
		{name: "only an unmarked check remains, made raw", change: all(unmarked, anonymous, func(nb *nbformat.Notebook) {
			nb.Cells = nb.Cells[2:]
			nb.Cells[0].Type, nb.Cells[0].Outputs = nbformat.Raw, nil
		}), want: NoVerdict, detail: "no cell reported a pass, although"},
		{name: "check called under a different name", change: all(unmarked, anonymous, silent, func(nb *nbformat.Notebook) {
			nb.Cells[2].Source = "%%\nc := ex25.Check\nc(LambdaSquared)"
		}), want: NoVerdict, detail: "no cell reported a pass, although"},
		{name: "a list of exercises",
			change: all(withoutCheck,
				func(nb *nbformat.Notebook) { nbformat.OwnMetadata(nb.Metadata)["exercise"] = []any{id} }), want: NoVerdict},
		{name: "exercise called a lesson, check removed", change: all(lesson, withoutCheck), want: NoVerdict,
			detail: "no cell reported"},
		{name: "no metadata, and passed", seed: "7", change: unmarked, want: Passed},
		{name: "nothing from the generator remains, but the check passed", change: all(unmarked, anonymous), want: Passed},
		{name: "stub of a different exercise in the notebook", change: func(nb *nbformat.Notebook) {
			c := nb.AddCode("prml-4-26-stub", "func F() {}")
			c.Metadata["hyperplane"] = map[string]any{"exercise": "prml-4.26", "role": "stub"}
		}, want: Passed},

		// Lessons and notebooks without an exercise need no check. But if a lesson contains a check, the
		// check must produce a report.
		{name: "a lesson without checks",
			change: all(lesson, anonymous, func(nb *nbformat.Notebook) { nb.Cells = nb.Cells[1:2] }), want: OK},
		{name: "lesson that imports an exercise, but calls no check", change: all(lesson, anonymous, withoutCheck), want: OK},
		{name: "lesson with a check", change: all(lesson, anonymous), want: Passed},
		{name: "lesson whose check printed nothing", change: all(lesson, anonymous, silent), want: NoVerdict},
		{name: "lesson that expects a wrong answer", change: all(lesson, anonymous, expected), want: OK},
		{name: "notebook without metadata, imports or checks",
			change: all(unmarked, anonymous, func(nb *nbformat.Notebook) { nb.Cells = nb.Cells[1:2] }), want: OK},

		// In the next notebooks, a cell declares that it expects a failure. Only a cell of a lesson
		// may declare this.
		{name: "failure expected, and no metadata", change: all(unmarked, anonymous, expected), want: NotPassed},
		{name: "failure expected in an exercise", change: expected, want: NotPassed},
		{name: "failure expected in an exercise that calls itself a lesson",
			change: all(expected, func(nb *nbformat.Notebook) { nbformat.OwnMetadata(nb.Metadata)["lesson"] = "tour" }),
			want:   NotPassed},

		// In the following cases, the options of the run require an exercise, and in some cases also a seed.
		{name: "exercise required", options: Options{Exercise: id}, want: Passed},
		{name: "exercise required, notebook of a variant", seed: "7", options: Options{Exercise: id}, want: Passed},
		{name: "exercise required with the notebook's seed", seed: "7",
			options: Options{Exercise: id, Seed: new(uint64(7))}, want: Passed},
		{name: "exercise required with a different seed", seed: "7", options: Options{Exercise: id,
			Seed: new(uint64(5))},
			want: Mismatch, detail: "variant 7, not variant 5"},
		{name: "exercise required with a seed, metadata removed", seed: "7", change: unmarked,
			options: Options{Exercise: id, Seed: new(uint64(0))}, want: Mismatch,
			detail: "for variant 7, the notebook for the common variant"},
		{name: "a different exercise required", options: Options{Exercise: "prml-4.2"}, want: Mismatch,
			detail: "for exercise prml-4.25, not for prml-4.2"},
		{name: "exercise required, no check in the notebook",
			change:  all(unmarked, anonymous, func(nb *nbformat.Notebook) { nb.Cells = nb.Cells[1:2] }),
			options: Options{Exercise: id}, want: NoVerdict, detail: "no cell reported a pass of exercise prml-4.25"},
		{name: "exercise required, failure expected in a lesson", change: all(lesson, anonymous, expected),
			options: Options{Exercise: id}, want: NotPassed},
		{name: "exercise required, metadata removed", change: all(unmarked, anonymous), options: Options{Exercise: id},
			want: Passed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.seed == "" {
				tt.seed = "0"
			}
			nb := exerciseNotebook(t, id, tt.seed, verify.Right)
			if tt.change != nil {
				tt.change(nb)
			}
			k := tt.options.withDefaults().claimOf(nb)
			n := Notebook{}
			for _, c := range nb.Cells {
				if c.Type == nbformat.Code {
					n.Cells = append(n.Cells, judge(c, "", k))
				}
			}
			n.conclude(k)
			if n.Verdict != tt.want || !strings.Contains(n.Detail, tt.detail) {
				t.Errorf("got the verdict %s (%s), want %s with a detail that contains %q", n.Verdict, n.Detail, tt.want, tt.detail)
			}
		})
	}
}
