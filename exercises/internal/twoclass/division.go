package twoclass

import (
	"math/rand/v2"
	"slices"
)

// A Division divides n points into groups. The function that it returns reports whether point t is
// left out in a turn. There are at most n turns.
type Division = func(n int) func(turn, t int) bool

// Every leaves out every k-th point in each of k turns.
func Every(k int) Division {
	return func(int) func(turn, t int) bool { return func(turn, t int) bool { return t%k == turn } }
}

// Blocks leaves out one of k contiguous blocks in each turn.
func Blocks(k int) Division {
	return func(n int) func(turn, t int) bool { return func(turn, t int) bool { return t*k/n == turn } }
}

// Again leaves out n/part random points in each of eight turns.
func Again(part int, seed uint64) Division {
	return func(n int) func(turn, t int) bool {
		var orders [8][]int
		for i := range orders {
			orders[i] = rand.New(rand.NewPCG(seed, uint64(i))).Perm(n)[:n/part]
		}
		return func(turn, t int) bool { return turn < 8 && slices.Contains(orders[turn], t) }
	}
}

// Shuffled leaves out one of k random groups in each turn.
func Shuffled(k int, seed uint64) Division {
	return func(n int) func(turn, t int) bool {
		group := make([]int, n)
		for i, t := range rand.New(rand.NewPCG(seed, 1)).Perm(n) {
			group[t] = i % k
		}
		return func(turn, t int) bool { return group[t] == turn }
	}
}
