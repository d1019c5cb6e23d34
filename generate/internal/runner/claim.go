package runner

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A claim is what a notebook has to prove. It follows from the metadata, from the cells if the
// metadata say nothing, and from the exercise that the run expects.
type claim struct {
	exercises []string // each must be passed
	checks    bool     // some exercise must be passed
	of        string   // the exercise of every report, or "" for any
	seed      *uint64  // the seed of every report, or nil for any
	solved    bool     // the notebook has the reference answer
	lesson    bool     // a cell may expect a verdict other than a pass
	fault     string   // how the metadata disagree with the options
}

var (
	// exerciseCell matches the id of a cell in a generated exercise, such as prml-4-25-stub.
	exerciseCell = regexp.MustCompile(`^(prml|alpaydin)-([0-9]+)-([0-9]+)-`)
	// exerciseImport matches the import of an exercise's package.
	exerciseImport = regexp.MustCompile(`/hyperplane/exercises/(prml|alpaydin)[0-9]+/ex[0-9]+`)
)

// claimOf returns the claim of a notebook. If the metadata name no exercise, the exercises of its
// cells count. In addition, outside lessons, importing an exercise or calling its check counts as a
// claim to have passed one.
func (o Options) claimOf(nb *nbformat.Notebook) claim {
	m := nbformat.Own(nb.Metadata)
	named, _ := m["exercise"].(string)
	lesson, _ := m["lesson"].(string)
	k := claim{of: cmp.Or(o.Exercise, named)}
	k.solved, _ = m["solved"].(bool)
	k.lesson = lesson != "" && k.of == ""
	if k.of != "" {
		k.exercises = []string{k.of}
	} else {
		k.fromCells(nb.Cells)
	}
	k.fault = k.seeds(m, named != "", o)
	if named != "" && named != k.of {
		k.fault = fmt.Sprintf("the notebook says that it is for exercise %s, not for %s", named, k.of)
	}
	return k
}

func (k *claim) fromCells(cells []*nbformat.Cell) {
	seen := map[string]bool{}
	for _, c := range cells {
		exercise, _ := nbformat.Own(c.Metadata)["exercise"].(string)
		if m := exerciseCell.FindStringSubmatch(c.ID); m != nil && exercise == "" {
			exercise = fmt.Sprintf("%s-%s.%s", m[1], m[2], m[3])
		}
		if exercise != "" && !seen[exercise] {
			seen[exercise] = true
			k.exercises = append(k.exercises, exercise)
		}
		if c.Type != nbformat.Markdown && !k.lesson {
			k.checks = k.checks || exerciseImport.MatchString(c.Source) || checkCall.MatchString(c.Source)
		}
	}
}

// seeds sets the seed of the reports: the seed in the options if given, otherwise the notebook's.
// The latter is 0 if the metadata name an exercise but no seed. It returns how the two disagree, or
// "".
func (k *claim) seeds(m map[string]any, named bool, o Options) (fault string) {
	k.seed = o.Seed
	found, said := m["seed"]
	if !said && !named {
		return ""
	}
	var seed uint64
	if said {
		var err error
		number, _ := found.(json.Number)
		if seed, err = strconv.ParseUint(number.String(), 10, 64); err != nil {
			return fmt.Sprintf("the notebook's seed is %v, want a whole number from 0", found)
		}
	}
	if k.seed == nil {
		k.seed = &seed
	}
	if *k.seed != seed {
		return fmt.Sprintf("the notebook says that it is %s, not %s", variant(seed), variant(*k.seed))
	}
	return ""
}

// mismatch describes how a report in a cell of the given exercise ("" for none) disagrees with the
// claim, or returns "".
func (k claim) mismatch(exercise string, r *verify.Report) string {
	for _, want := range []string{exercise, k.of} {
		if want != "" && want != unnamed && r.Exercise != want {
			return fmt.Sprintf("the report is for exercise %s, not for %s", r.Exercise, want)
		}
	}
	if k.seed != nil && r.Seed != *k.seed {
		return fmt.Sprintf("the report is for %s, the notebook for %s", variant(r.Seed), variant(*k.seed))
	}
	return ""
}

func variant(seed uint64) string {
	if seed == 0 {
		return "the common variant"
	}
	return fmt.Sprintf("variant %d", seed)
}

// unnamed stands for the exercise of a check cell that does not name one.
const unnamed = "an exercise without id"

// exerciseOf returns the exercise that a cell checks, "" if the cell is not a check, or unnamed if
// the check does not name its exercise.
func exerciseOf(cell *nbformat.Cell) string {
	m := nbformat.Own(cell.Metadata)
	if m["role"] != "check" {
		return ""
	}
	exercise, _ := m["exercise"].(string)
	return cmp.Or(exercise, unnamed)
}
