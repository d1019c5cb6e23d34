package block

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestSelectSmallest compares selectSmallest with the sorted list for every index. In some lists
// many numbers are equal, and in the others all numbers differ.
func TestSelectSmallest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, values := range []int{1, 2, 5, 1 << 30} {
		for n := 1; n < 40; n++ {
			v := make([]float64, n)
			for i := range v {
				v[i] = float64(rng.IntN(values)) - 2
			}
			sorted := slices.Sorted(slices.Values(v))
			for k, want := range sorted {
				if got := selectSmallest(slices.Clone(v), k); got != want {
					t.Fatalf("index %d after sorting %v: selectSmallest returns %v, want %v", k, v, got, want)
				}
			}
		}
	}
}

// TestCentre checks that the centre is the mean, or the median if an outlier pulls the mean away
// from all other entries.
func TestCentre(t *testing.T) {
	for _, c := range []struct {
		name   string
		column []float64
		median bool
	}{
		{"alike", []float64{1, 2, 3, 4, 10}, false},
		{"constant", []float64{7, 7, 7}, false},
		{"far off", []float64{1, 2, 3, 4, 1e9}, true},
		{"not far enough", []float64{1, 2, 3, 4, 1e5}, false},
		// The median is not a better centre here: all entries except the outlier are equal, and
		// their differences from the mean lose no digits.
		{"equal entries and one outlier", []float64{5, 5, 5, 5, 1e9}, false},
		{"two groups", []float64{1, 2, 3, 1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3}, true},
	} {
		cols := Inspect(NewSource(mat.NewDense(len(c.column), 1, c.column)))
		want := cols.Mean[0]
		if c.median {
			want = slices.Sorted(slices.Values(c.column))[len(c.column)/2]
		}
		if math.Abs(cols.Centre[0]-want) > 0 {
			t.Errorf("%s: the centre is %v, want %v (the mean is %v)", c.name, cols.Centre[0], want, cols.Mean[0])
		}
	}
}

// TestScattered checks that isScattered is true only for lists of numbers for which manyCloser
// returns false even with the largest possible distance. For at least a third of the samples
// isScattered must be true.
func TestScattered(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 16))
	scatteredOnes := 0
	for trial := range 3000 {
		v := make([]float64, 5+rng.IntN(125))
		for i := range v {
			v[i] = rng.NormFloat64()
			switch trial % 3 {
			case 1: // a cluster
				if rng.IntN(100) < trial%90 {
					v[i] = 0.3 + rng.NormFloat64()*1e-5
				}
			case 2: // few different values
				v[i] = float64(int(v[i] * float64(trial%40)))
			}
		}
		low, high := slices.Min(v), slices.Max(v)
		if !isScattered(v, low, high) {
			continue
		}
		scatteredOnes++
		if manyCloser(v, selectSmallest(slices.Clone(v), len(v)/2), (high-low)/farOff) {
			t.Fatalf("isScattered is true for the numbers %v, want false because manyCloser is true", v)
		}
	}
	if scatteredOnes < 1000 {
		t.Errorf("isScattered is true for only %d of 3000 samples, want at least 1000", scatteredOnes)
	}
}

// TestWeightedView checks that a view omits the rows with weight 0 and keeps the weights of the
// other rows. The same must hold for a view of this view.
func TestWeightedView(t *testing.T) {
	x := mat.NewDense(4, 2, []float64{1, 2, 3, 4, 5, 6, 7, 8})
	given := []float64{0.5, 0, 2, 1}
	v, index := NewWeightedView(NewSource(x), given)
	given[0] = 9
	if want := []int{0, 2, 3}; !slices.Equal(index, want) || v.At(1, 1) != 6 || v.At(2, 0) != 7 {
		t.Errorf("the view has the rows %v, want 0, 2 and 3; its elements (1,1) and (2,0) are %v and %v, want 6 and 7",
			index, v.At(1, 1), v.At(2, 0))
	}
	s := NewSource(NewView(NewSource(v), 1, func() func(phi, x []float64) {
		return func(phi, x []float64) { phi[0] = x[0] + x[1] }
	}))
	if want := (Weights{0.5, 2, 1}); !slices.Equal(s.Weights(), want) || s.Total() != 3.5 {
		t.Errorf("the weights are %v with sum %v, want 0.5, 2 and 1 with sum 3.5", s.Weights(), s.Total())
	}
	if c := Inspect(s); c.Mean[0] != (0.5*3+2*11+15)/3.5 {
		t.Errorf("the weighted mean is %v, want (0.5·3 + 2·11 + 1·15)/3.5", c.Mean)
	}
	if n := s.PerClass([]int{1, 0, 1}, 3); !slices.Equal(n, []float64{2, 1.5, 0}) {
		t.Errorf("the sums of the weights per class are %v, want 2, 1.5 and 0", n)
	}
	g := NewGram(2)
	Reduce(NewDesign(s, nil, nil), 0, Nothing, func(int) func(struct{}, *Block) {
		return func(_ struct{}, b *Block) { g.Add(b) }
	}, func(_, _ struct{}) {})
	for _, e := range []struct{ got, want float64 }{{g.At(0, 0), 3.5}, {g.At(0, 1), 0.5*3 + 2*11 + 15},
		{g.At(1, 1), 0.5*9 + 2*121 + 225}} {
		if math.Abs(e.got-e.want) > 1e-12*e.want {
			t.Errorf("an element of the weighted Gram matrix is %v, want %v", e.got, e.want)
		}
	}
	if whole, index := NewWeightedView(NewSource(x), []float64{1, 2, 1, 1}); index != nil || !NewSource(whole).InMemory() {
		t.Error("the view of a matrix with positive weights has an index or is not in memory, want no index and a view in memory")
	}
}
