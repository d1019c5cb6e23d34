package instance_test

import (
	"math/rand/v2"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
)

// The common variant has the numbers that it always had; others have others, the
// same each time.
func TestSource(t *testing.T) {
	gate.Variant(t, 0)
	if got, want := instance.Source(402, 3).Uint64(), rand.New(rand.NewPCG(402, 3)).Uint64(); got != want {
		t.Errorf("variant 0 draws %d, want %d", got, want)
	}
	seen := map[uint64]string{}
	for _, n := range []uint64{0, 1, 2, 1 << 40, 1<<53 - 1, 1<<64 - 1} {
		gate.Variant(t, n)
		first := instance.Source(402, 3).Uint64()
		if instance.Source(402, 3).Uint64() != first {
			t.Errorf("variant %d draws other numbers the second time", n)
		}
		for _, v := range []uint64{first, instance.Source(402, 4).Uint64(), instance.Source(403, 3).Uint64()} {
			if at, known := seen[v]; known {
				t.Errorf("variant %d draws a number of %s", n, at)
			}
			seen[v] = "another exercise, part or variant"
		}
	}
}

// Only variants are drawn anew.
func TestAgain(t *testing.T) {
	for _, tc := range []struct {
		seed   uint64
		wanted bool
		want   bool
	}{{0, true, false}, {0, false, false}, {3, true, false}, {3, false, true}} {
		gate.Variant(t, tc.seed)
		if got := instance.Again(func() bool { return tc.wanted }); got != tc.want {
			t.Errorf("variant %d, wanted %v: again %v", tc.seed, tc.wanted, got)
		}
	}
}

func TestOnce(t *testing.T) {
	calls := 0
	f := instance.Once(func() uint64 { calls++; return instance.Source(1, 1).Uint64() })
	for _, n := range []uint64{0, 5, 5, 0} {
		gate.Variant(t, n)
		if got, want := f(), instance.Source(1, 1).Uint64(); got != want {
			t.Errorf("variant %d: %d, want %d", n, got, want)
		}
	}
	if calls != 2 {
		t.Errorf("%d calls for two variants", calls)
	}
}
