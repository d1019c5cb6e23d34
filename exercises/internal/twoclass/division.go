package twoclass

import (
	"math/rand/v2"
	"slices"
)

// A Division says which of n points are left out in a turn; there are n turns at most.
type Division = func(n int) func(turn, t int) bool

// Every k-th point is left out together.
func Every(k int) Division {
	return func(int) func(turn, t int) bool { return func(turn, t int) bool { return t%k == turn } }
}

// Blocks leaves out one of k blocks of neighbours.
func Blocks(k int) Division {
	return func(n int) func(turn, t int) bool { return func(turn, t int) bool { return t*k/n == turn } }
}

// Again leaves out one point in so many at random, eight times.
func Again(part int, seed uint64) Division {
	return func(n int) func(turn, t int) bool {
		var orders [8][]int
		for i := range orders {
			orders[i] = rand.New(rand.NewPCG(seed, uint64(i))).Perm(n)[:n/part]
		}
		return func(turn, t int) bool { return turn < 8 && slices.Contains(orders[turn], t) }
	}
}

// Shuffled leaves out one of k groups that are drawn at random.
func Shuffled(k int, seed uint64) Division {
	return func(n int) func(turn, t int) bool {
		group := make([]int, n)
		for i, t := range rand.New(rand.NewPCG(seed, 1)).Perm(n) {
			group[t] = i % k
		}
		return func(turn, t int) bool { return group[t] == turn }
	}
}
