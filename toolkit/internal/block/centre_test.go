package block

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestSmallest compares every place of lists with many and with no ties with the sorted list.
func TestSmallest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, values := range []int{1, 2, 5, 1 << 30} {
		for n := 1; n < 40; n++ {
			v := make([]float64, n)
			for i := range v {
				v[i] = float64(rng.IntN(values)) - 2
			}
			sorted := slices.Sorted(slices.Values(v))
			for k, want := range sorted {
				if got := smallest(slices.Clone(v), k); got != want {
					t.Fatalf("number %d of %v is %v, want %v", k, v, got, want)
				}
			}
		}
	}
}

// TestCentre: the centre is the mean, or about the median if an entry far off pulls the mean away
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
		{"one far off among equals", []float64{5, 5, 5, 5, 1e9}, false}, // no distance to lose digits of
		{"two groups", []float64{1, 2, 3, 1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3}, true},
	} {
		cols := Inspect(NewSource(mat.NewDense(len(c.column), 1, c.column)))
		want := cols.Mean[0]
		if c.median {
			want = slices.Sorted(slices.Values(c.column))[len(c.column)/2]
		}
		if math.Abs(cols.Centre[0]-want) > 0 {
			t.Errorf("%s: centred at %v, want %v (mean %v)", c.name, cols.Centre[0], want, cols.Mean[0])
		}
	}
}

// TestScattered: scattered numbers are not closer to their median than the mean can be, and
// typical samples are scattered.
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
			case 2: // few values
				v[i] = float64(int(v[i] * float64(trial%40)))
			}
		}
		low, high := slices.Min(v), slices.Max(v)
		if !scattered(v, low, high) {
			continue
		}
		scatteredOnes++
		if closer(v, smallest(slices.Clone(v), len(v)/2), (high-low)/farOff) {
			t.Fatalf("%v", v)
		}
	}
	if scatteredOnes < 1000 {
		t.Errorf("%d of 3000 are scattered", scatteredOnes)
	}
}
