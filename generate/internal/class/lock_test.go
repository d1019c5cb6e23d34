package class

import (
	"fmt"
	"sync"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// One run at a time grades into a folder; of shards, one of each.
func TestLock(t *testing.T) {
	out := t.TempDir()
	release := must.Get(Lock(out, Shard{}))(t)
	must.Get(Lock(out, Shard{1, 2}))(t)
	must.Get(Lock(out, Shard{2, 2}))(t)
	_, err := Lock(out, Shard{})
	must.Fail(t, err, "another run grades into "+out)
	release()
	must.Get(Lock(out, Shard{}))(t)
}

// Of results that come at a time from several runs none is lost.
func TestKeep(t *testing.T) {
	out := t.TempDir()
	var runs sync.WaitGroup
	for i := range 8 {
		runs.Go(func() {
			r := &Result{Learner: "ada", Exercise: "prml-4.25", Status: grading.Judged, Time: fmt.Sprintf("2026-01-01T00:00:0%dZ", i), Basis: &Basis{Hash: fmt.Sprint("hash", i)}}
			if err := keep(out, r); err != nil {
				t.Error(err)
			}
		})
	}
	runs.Wait()
	if kept := must.Get(load(out, "ada", "prml-4.25"))(t); len(kept.List) != 8 {
		t.Errorf("%d results of 8 are kept", len(kept.List))
	}
}

// reports are of a check and of its steps, a letter for each part: R for Right.
func reports(compulsory, optional string) []*verify.Report {
	list := []*verify.Report{{}, {Optional: true}}
	for i, letters := range []string{compulsory, optional} {
		for _, l := range letters {
			outcome := verify.Wrong
			if l == 'R' {
				outcome = verify.Right
			}
			list[i].Parts = append(list[i].Parts, verify.Result{Outcome: outcome})
		}
	}
	return list
}

// An optional part counts nothing, or what the course says of a compulsory one.
func TestOptional(t *testing.T) {
	c := small()
	r := func() *Result {
		return &Result{Reports: reports("RW", "RR")}
	}
	for _, tt := range []struct{ optional, want float64 }{{0, 1}, {0.5, 4. / 3}, {1, 1.5}} {
		c.Exercises[0].Optional = tt.optional
		got := r()
		if got.score(c.assigned("prml-4.25")); got.Max != 2 || got.Points < tt.want-1e-6 || got.Points > tt.want+1e-6 {
			t.Errorf("with optional parts at %g: %g of %g points, want %g", tt.optional, got.Points, got.Max, tt.want)
		}
	}
}
