package twoclass

import "testing"

// TestDivisions: in k turns every point is left out once, by groups; by Again every
// turn leaves out one in so many, and there are eight.
func TestDivisions(t *testing.T) {
	const n = 24
	for i, d := range []Division{Every(5), Blocks(5), Shuffled(5, 1)} {
		out := d(n)
		for p := range n {
			count := 0
			for turn := range n {
				if out(turn, p) {
					count++
				}
			}
			if count != 1 {
				t.Errorf("division %d: point %d is left out %d times", i, p, count)
			}
		}
	}
	out := Again(4, 1)(n)
	for turn := range 9 {
		count := 0
		for p := range n {
			if out(turn, p) {
				count++
			}
		}
		if want := n / 4; turn < 8 && count != want || turn == 8 && count != 0 {
			t.Errorf("turn %d: %d points are left out", turn, count)
		}
	}
}
