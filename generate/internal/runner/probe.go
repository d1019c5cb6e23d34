package runner

import (
	"context"
	"fmt"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// probeSource imports what most cells import, and answers to nobody's exercise.
const probeSource = `%noautoget
import "github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
%%
verify.Run("probe", "a cell runs", verify.Part{Name: "cell", Judge: func() verify.Verdict { return verify.Pass("it ran") }})
`

// probeTimeout is enough to compile all that the probe imports.
const probeTimeout = 3 * time.Minute

// Probe runs one cell that cannot be wrong through the kernel. An error says what is
// the matter with the set-up: cache, compiler, temporary folder, kernel.
func Probe(ctx context.Context, k Kernel) error {
	o := Options{Kernel: k, Timeout: probeTimeout}.withDefaults()
	done, _, err := play(ctx, k, o.job([]string{probeSource}), func(event) {})
	if err != nil {
		return err
	}
	cell := nbformat.New().AddCode("probe", probeSource)
	cell.Metadata["hyperplane"] = map[string]any{"exercise": "probe", "role": "check"}
	cell.Outputs = done[0].outputs
	if c := done[0].judge(cell, claim{}, o); c.Verdict != Passed {
		return fmt.Errorf("%s: %s", c.Verdict, c.Detail)
	}
	return nil
}
