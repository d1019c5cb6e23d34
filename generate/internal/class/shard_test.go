package class

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// gradeShard grades one shard. If `stop` is true, gradeShard interrupts the run during the first
// submission.
func gradeShard(t *testing.T, in, out string, s Shard, stop bool) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	g := newGrader(small(), out, func(job *grading.Job) (*grading.Outcome, error) {
		if stop {
			cancel(fmt.Errorf("stopped"))
		}
		return judgedParts(job, verify.Result{Name: "a", Outcome: verify.Right})
	})
	g.Shard = s
	_, _, err := g.Grade(ctx, in)
	if stop {
		must.Fail(t, err, "stopped")
		return
	}
	must.Do(t, err)
}

// TestMergeIncomplete checks that Merge returns an error until all shards are complete. Without
// this error, a submission that no shard has judged would count as missing.
func TestMergeIncomplete(t *testing.T) {
	in, c := t.TempDir(), small()
	for _, l := range c.Learners {
		writeNotebook(t, filepath.Join(in, l.ID, "prml-4.25.ipynb"), filledNotebook(t, l, "return 8"), time.Unix(1e9, 0))
	}
	shared, other := t.TempDir(), t.TempDir()
	gradeShard(t, in, shared, Shard{1, 3}, false)
	gradeShard(t, in, other, Shard{3, 3}, false)
	out := t.TempDir()
	must.Fail(t, Merge(out, c, []string{shared, other}), "shard 2 of 3 is missing")
	gradeShard(t, in, shared, Shard{2, 3}, true)
	must.Fail(t, Merge(out, c, []string{shared, other}), "shard 2 of 3 is incomplete")
	if tree := must.Tree(t, out); len(tree) != 0 {
		t.Errorf("the merge failed, but it left the files %v behind", tree)
	}
	gradeShard(t, in, shared, Shard{2, 3}, false)
	must.Do(t, Merge(out, c, []string{shared, other}))
	for _, r := range must.Get(ReadBook(out, "1", c, true, nil, loadOne))(t).Results {
		if r.Status != grading.Judged {
			t.Errorf("the result of %s has the status %s, want Judged", r.Learner, r.Status)
		}
	}
	// Grade with a different number of shards. This run must replace the records of the earlier run.
	gradeShard(t, in, shared, Shard{1, 2}, false)
	must.Fail(t, Merge(out, c, []string{shared}), "shard 2 of 2 is missing")
	// The target of Merge may be one of the folders from which Merge copies. Merge must also copy
	// from the folder of a run without shards.
	gradeShard(t, in, shared, Shard{2, 2}, false)
	must.Do(t, Merge(shared, c, []string{shared}))
	gradeShard(t, in, shared, Shard{}, false)
	must.Do(t, Merge(out, c, []string{shared}))
}
