package ex06

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// divisions of n points into those to learn from and those left out: groups of
// every k-th point and of neighbours, random groups, and random quarters and fifths.
func divisions(n int) map[string][][]int {
	out := map[string][][]int{}
	for _, k := range []int{2, 3, 4, 5, 6, 7, 8, 10, 12, min(n, 24)} {
		for t := range n {
			put := func(name string, group, point int) {
				name = fmt.Sprintf("%d groups, %s", k, name)
				if out[name] == nil {
					out[name] = make([][]int, k)
				}
				out[name][group] = append(out[name][group], point)
			}
			put("every k-th", t%k, t)
			put("blocks", t*k/n, t)
			for seed := range uint64(6) {
				if k == 2 {
					break // halves of 24 points by mere chance tell too little
				}
				put(fmt.Sprint("random, seed ", seed), t%k, rand.New(rand.NewPCG(seed, 1)).Perm(n)[t])
			}
		}
	}
	for _, part := range []int{4, 5} {
		for seed := range uint64(6) {
			name := fmt.Sprintf("one in %d, eight times at random, seed %d", part, seed)
			for again := range uint64(8) {
				out[name] = append(out[name], rand.New(rand.NewPCG(seed, again)).Perm(n)[:n/part])
			}
		}
	}
	return out
}

// TestDecided: whoever divides the points in one of these ways misses one sample at
// most, which judgeDecided lets pass.
func TestDecided(t *testing.T) {
	missed := map[string]int{}
	for i, c := range decisions {
		s := c.sample()
		loss := func(groups [][]int, lambda float64) (sum float64) {
			points := 0
			for _, group := range groups {
				out := make([]bool, len(s.r))
				for _, t := range group {
					out[t] = true
				}
				var x, r, leftX, leftR []float64
				for t := range s.r {
					if out[t] {
						leftX, leftR = append(leftX, c.x[t]), append(leftR, c.r[t])
					} else {
						x, r = append(x, c.x[t]), append(r, c.r[t])
					}
				}
				m := sample{X: mat.NewDense(len(r), 1, x), r: r}.fit(lambda, nil)
				sum += float64(len(group)) * m.loss(sample{X: mat.NewDense(len(leftR), 1, leftX), r: leftR})
				points += len(group)
			}
			return sum / float64(points)
		}
		for name, groups := range divisions(len(s.r)) {
			if gain := loss(groups, c.worse) - loss(groups, c.better); !(gain > 0.002) {
				missed[name]++
				t.Logf("sample %d, %s: the mean log loss with λ = %g is larger by %.4f than with %g", i, name, c.worse, gain, c.better)
			}
		}
	}
	for name, n := range missed {
		if n > 1 {
			t.Errorf("divided into %s, %d of the samples are not decided", name, n)
		}
	}
}
