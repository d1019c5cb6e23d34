package runner

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A claim says which exercises a notebook must pass, and in which variant. claimOf determines the
// claim from the notebook's metadata and from the options of the run. If neither the metadata nor
// the options name an exercise, claimOf reads the exercises from the cells.
type claim struct {
	exercises    []string // the notebook must pass all of these exercises
	checks       bool     // true if the notebook must pass at least one exercise, no matter which
	onlyExercise string   // exercise that every report must be about; "" for any exercise
	seed         *uint64  // seed that every report must have; nil for any seed
	solved       bool     // true if the notebook contains the reference answer
	lesson       bool     // true for a lesson without a required exercise; its cells may expect verdicts other than a pass
	fault        string   // invalid seed, or contradiction between metadata and options; "" without a fault
}

var (
	// exerciseImport matches the end of the import path of an exercise's package, such as
	// /prml4/ex25", with the closing quotation mark.
	exerciseImport = regexp.MustCompile(`/[\w.-]+/ex[0-9]{2}"`)
)

// claimOf returns the claim of a notebook. If neither the options nor the metadata name an
// exercise, the notebook must pass all exercises that its cells name by their metadata or ids. If a
// code cell or a raw cell imports an exercise or calls a check, the notebook must also pass at least
// one exercise, unless the notebook is a lesson.
func (o Options) claimOf(nb *nbformat.Notebook) claim {
	m := nbformat.OwnMetadata(nb.Metadata)
	named, _ := m["exercise"].(string)
	lesson, _ := m["lesson"].(string)
	k := claim{onlyExercise: cmp.Or(o.Exercise, named)}
	k.solved, _ = m["solved"].(bool)
	k.lesson = lesson != "" && k.onlyExercise == ""
	if k.onlyExercise != "" {
		k.exercises = []string{k.onlyExercise}
	} else {
		k.fromCells(o.Books, nb.Cells)
	}
	k.fault = k.setSeed(m, named != "", o)
	if named != "" && named != k.onlyExercise {
		k.fault = fmt.Sprintf("the notebook is for exercise %s, not for %s", named, k.onlyExercise)
	}
	return k
}

func (k *claim) fromCells(books exercises.Books, cells []*nbformat.Cell) {
	seen := map[string]bool{}
	for _, c := range cells {
		exercise, _ := nbformat.OwnMetadata(c.Metadata)["exercise"].(string)
		exercise = cmp.Or(exercise, books.ExerciseOfCell(c.ID))
		if exercise != "" && !seen[exercise] {
			seen[exercise] = true
			k.exercises = append(k.exercises, exercise)
		}
		if c.Type != nbformat.Markdown && !k.lesson {
			k.checks = k.checks || exerciseImport.MatchString(c.Source) || checkCall.MatchString(c.Source)
		}
	}
}

// setSeed sets the seed that every report must have. If the options contain a seed, every report
// must have this seed. Otherwise every report must have the seed in the notebook's metadata `m`, or
// the seed 0 if the metadata name an exercise but no seed. If neither the options nor the metadata
// determine a seed, a report may have any seed. If the notebook's seed is invalid, or differs from
// the seed in the options, setSeed returns a description of the fault. Otherwise it returns "".
func (k *claim) setSeed(m map[string]any, named bool, o Options) (fault string) {
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
			return fmt.Sprintf("the notebook's seed is %v, want a whole number, 0 or larger and below 2⁶⁴", found)
		}
	}
	if k.seed == nil {
		k.seed = &seed
	}
	if *k.seed != seed {
		return fmt.Sprintf("the notebook is for %s, not %s", variant(seed), variant(*k.seed))
	}
	return ""
}

// mismatch describes how a report contradicts the claim. If the report agrees with the claim,
// mismatch returns "". The argument `exercise` is what exerciseOf returns for the report's cell.
func (k claim) mismatch(exercise string, r *verify.Report) string {
	for _, want := range []string{exercise, k.onlyExercise} {
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

// unnamed is the name of an unknown exercise: the exercise of a check cell whose metadata name no
// exercise.
const unnamed = "an exercise without id"

// exerciseOf returns the exercise that a cell checks, according to the cell's metadata. It returns "" if
// the metadata do not mark the cell as a check, and `unnamed` if they mark it but name no exercise.
func exerciseOf(cell *nbformat.Cell) string {
	m := nbformat.OwnMetadata(cell.Metadata)
	if m["role"] != "check" {
		return ""
	}
	exercise, _ := m["exercise"].(string)
	return cmp.Or(exercise, unnamed)
}
