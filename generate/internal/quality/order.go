package quality

import (
	"context"
	"sync"
)

// inOrder calls do for every mutant of every subject, jobs at a time, and done for
// every subject as soon as it and those before it are complete. done is called from
// this goroutine. The first error of do ends it all.
func inOrder(ctx context.Context, jobs int, subjects []*subject, do func(ctx context.Context, i, k int) error, done func(i int)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type task struct{ i, k int }
	tasks := make(chan task)
	left := make([]sync.WaitGroup, len(subjects))
	for i, t := range subjects {
		left[i].Add(len(t.mutants))
	}
	go func() {
		defer close(tasks)
		for i, t := range subjects {
			for k := range t.mutants {
				tasks <- task{i, k}
			}
		}
	}()
	for range max(1, jobs) {
		go func() {
			for t := range tasks {
				if ctx.Err() == nil { // else only count down
					if err := do(ctx, t.i, t.k); err != nil {
						cancel(err)
					}
				}
				left[t.i].Done()
			}
		}()
	}
	for i := range subjects {
		left[i].Wait()
		if ctx.Err() == nil {
			done(i)
		}
	}
	return context.Cause(ctx)
}
