package datasets

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestSplit(t *testing.T) {
	d := Iris()
	train, test, err := d.Split(0.7, 5)
	if err != nil {
		t.Fatal(err)
	}
	if train.N() != 105 || test.N() != 45 || train.K() != 3 {
		t.Fatalf("%d and %d rows", train.N(), test.N())
	}
	// Together they are the data, each in its order.
	count := map[[5]float64]int{}
	add := func(e *Dataset, by int) {
		for i, row := range rowsOf(e) {
			count[[5]float64{row[0], row[1], row[2], row[3], float64(e.Labels[i])}] += by
		}
	}
	add(d, 1)
	add(train, -1)
	add(test, -1)
	for k, n := range count {
		if n != 0 {
			t.Errorf("row %v occurs %+d times", k, -n)
		}
	}
	if !slices.IsSorted(train.Labels) || !slices.IsSorted(test.Labels) {
		t.Error("the rows' order is not kept")
	}
	again, _, _ := d.Split(0.7, 5)
	other, _, _ := d.Split(0.7, 6)
	if !mat.Equal(train.X, again.X) || mat.Equal(train.X, other.X) {
		t.Error("the same seed must give the same part, another seed another")
	}
	for _, f := range []float64{0, 1, -1, 2, 0.001, 0.999, math.NaN()} {
		_, _, err := d.Split(f, 1)
		mentions(t, err, "Split", "one part empty")
		_, _, err = d.SplitStratified(f, 1)
		mentions(t, err, "SplitStratified", "one part empty")
	}
}

func TestSplitStratified(t *testing.T) {
	d := must(Iris().Rows(slices.Concat(ascending(53), []int{100, 101, 102, 103, 104, 105, 106})...))(t) // 50, 3 and 7 rows
	for _, share := range []float64{0.02, 0.3, 0.5, 0.7, 0.98} {
		for seed := range uint64(20) {
			train, test, err := d.SplitStratified(share, seed)
			if err != nil {
				t.Fatal(err)
			}
			if whole := math.Round(share * 60); float64(train.N()) != whole || test.N() != 60-train.N() {
				t.Errorf("share %v: %d and %d rows", share, train.N(), test.N())
			}
			for k, n := range train.Counts() {
				if all := d.Counts()[k]; n+test.Counts()[k] != all || math.Abs(float64(n)-float64(train.N())/60*float64(all)) >= 1 {
					t.Errorf("share %v, seed %d: %d of %d rows of class %d, %d in the test part", share, seed, n, all, k, test.Counts()[k])
				}
			}
			again, _, _ := d.SplitStratified(share, seed)
			if !mat.Equal(again.X, train.X) {
				t.Errorf("share %v: the same seed gave another part", share)
			}
		}
	}
	a, _, _ := d.SplitStratified(0.5, 1)
	b, _, _ := d.SplitStratified(0.5, 2)
	if mat.Equal(a.X, b.X) {
		t.Error("two seeds gave the same part")
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
