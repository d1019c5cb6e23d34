package exercises

import (
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// OfSteps reports whether a report is one of JudgeSteps: of steps on the way,
// which are optional and on which passing the exercise does not depend.
func OfSteps(r *verify.Report) bool { return strings.HasSuffix(r.Title, " (steps)") }
