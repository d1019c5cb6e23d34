package multiclass

import (
	"fmt"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// First is what a property says first of an answer for which holds does not hold,
// whatever the mistake: far out, where an answer that cuts something off looks nearly
// right.
func First[P fmt.Stringer](holds func(p P, got []float64) verify.Finding, wrong judge.Wrong) func(p P, got []float64) *verify.Verdict {
	return func(p P, got []float64) *verify.Verdict {
		f := holds(p, got)
		if f.OK {
			return nil
		}
		return judge.Fail(wrong.Key, wrong.Hint, "%s", strings.NewReplacer("{problem}", p.String(), "{off}", f.Off()).Replace(wrong.Message))
	}
}
