package datasets

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestSplit: the parts together are the rows, in their order; stratified, each has
// its share of every class.
func TestSplit(t *testing.T) {
	labels := slices.Concat(slices.Repeat([]int{0}, 50), slices.Repeat([]int{1}, 3), slices.Repeat([]int{2}, 7))
	d := numberedRows(labels, "a", "b", "c")
	for name, split := range map[string]func(float64, uint64) (*Dataset, *Dataset, error){"Split": d.Split, "SplitStratified": d.SplitStratified} {
		for _, share := range []float64{0.02, 0.3, 0.5, 0.7, 0.98} {
			var last []float64
			for seed := range uint64(20) {
				train, test, err := split(share, seed)
				if err != nil {
					t.Fatal(err)
				}
				a, b := mat.Col(nil, 0, train.X), mat.Col(nil, 0, test.X)
				both := slices.Sorted(slices.Values(slices.Concat(a, b)))
				if len(a) != int(math.Round(share*60)) || !slices.IsSorted(a) || !slices.IsSorted(b) || !slices.Equal(both, mat.Col(nil, 0, d.X)) {
					t.Errorf("%s of %v: %v and %v", name, share, a, b)
				}
				for i, v := range a {
					if train.Labels[i] != labels[int(v)] {
						t.Errorf("%s: row %v has label %d", name, v, train.Labels[i])
					}
				}
				for k, n := range train.Counts() {
					if want := float64(train.N()) / 60 * float64(d.Counts()[k]); name == "SplitStratified" && math.Abs(float64(n)-want) >= 1 {
						t.Errorf("share %v, seed %d: %d rows of class %d, want %v", share, seed, n, k, want)
					}
				}
				if again, _, _ := split(share, seed); !mat.Equal(again.X, train.X) || share == 0.5 && slices.Equal(a, last) {
					t.Errorf("%s: the same seed must give the same part, another seed another", name)
				}
				last = a
			}
		}
		for _, share := range []float64{0, 1, -1, 2, 0.001, 0.999, math.NaN()} {
			mentions(t, of3(split(share, 1)), name+":", "one part empty")
		}
	}
}

func TestShuffle(t *testing.T) {
	d := numberedRows([]int{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, "even", "odd")
	e := must(d.Shuffle(1))(t)
	seen := mat.Col(nil, 0, e.X)
	for i, v := range seen {
		if e.Labels[i] != int(v)%2 {
			t.Errorf("row %v came with label %d", v, e.Labels[i])
		}
	}
	if slices.IsSorted(seen) {
		t.Error("the order is the old one")
	}
	slices.Sort(seen)
	if !slices.Equal(seen, mat.Col(nil, 0, d.X)) {
		t.Errorf("the rows are %v", seen)
	}
	if again := must(d.Shuffle(1))(t); !mat.Equal(again.X, e.X) {
		t.Error("the same seed gave another order")
	}
	if other := must(d.Shuffle(2))(t); mat.Equal(other.X, e.X) {
		t.Error("another seed gave the same order")
	}
}

func TestFlipLabels(t *testing.T) {
	n := 40000
	d := numberedRows(make([]int, n), "a", "b", "c")
	for i := range n {
		d.Labels[i] = i % 3
	}
	var last *Dataset
	for _, epsilon := range []float64{0.1, 0.3, 1} {
		e := must(d.FlipLabels(epsilon, 1))(t)
		var to [3][3]float64
		for i, l := range e.Labels {
			to[d.Labels[i]][l]++
			if last != nil && last.Labels[i] != d.Labels[i] && last.Labels[i] != l {
				t.Fatalf("row %d: a larger epsilon flips it otherwise", i)
			}
		}
		for from, row := range to {
			for l, count := range row {
				total := row[0] + row[1] + row[2]
				want := epsilon / 2
				if l == from {
					want = 1 - epsilon
				}
				if math.Abs(count/total-want) > 4*math.Sqrt(want*(1-want)/total) {
					t.Errorf("epsilon %v: a share of %v goes from %d to %d, want %v", epsilon, count/total, from, l, want)
				}
			}
		}
		last = e
	}
}
