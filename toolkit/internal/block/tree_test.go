package block

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestTree: chunks are merged in the same order, and as soon as possible, in whichever order they
// arrive.
func TestTree(t *testing.T) {
	for chunks, want := range map[int]string{
		1: "a", 2: "(ab)", 3: "((ab)c)", 5: "(((ab)(cd))e)", 7: "(((ab)(cd))((ef)g))",
	} {
		for seed := range uint64(20) {
			open, most := 0, 0
			tr := tree[*string]{acc: make([]*string, chunks), whole: make([]int, chunks), merge: func(dst, src *string) {
				*dst = fmt.Sprintf("(%s%s)", *dst, *src)
				open--
			}}
			order := rand.New(rand.NewPCG(seed, 16)).Perm(chunks)
			if seed == 0 {
				for c := range order {
					order[c] = c
				}
			}
			for _, c := range order {
				s := string(rune('a' + c))
				open++
				most = max(most, open)
				tr.add(c, &s)
			}
			if got := *tr.acc[0]; got != want {
				t.Errorf("%d chunks in the order %v: %s, want %s", chunks, order, got, want)
			}
			if seed == 0 && most > 3 { // as many as the number of chunks has binary digits
				t.Errorf("%d of %d accumulators at a time", most, chunks)
			}
		}
	}
}
