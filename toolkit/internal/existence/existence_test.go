package existence_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/existence"
)

// TestAgainstEnumeration compares LP and Farkas with a search on a grid. Every row consists of two
// integers between −3 and 3. Each extreme direction of the cone {v: vᵀa_n ≥ 0} is orthogonal to one
// of the rows a_n. The grid contains all extreme directions, all sums of two of them, and all vectors
// that can be rows. The search therefore decides whether the rows are separable and whether a
// direction as in Farkas' lemma exists.
// The test also checks that the results of LP and of Farkas are proofs.
func TestAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	whole := func() []float64 { return []float64{float64(rng.IntN(7) - 3), float64(rng.IntN(7) - 3)} }
	dot := func(a, v []float64) float64 { return a[0]*v[0] + a[1]*v[1] }
	cases, unfinished := map[[2]bool]int{}, 0
	for range 3000 {
		rows, b := make([][]float64, 1+rng.IntN(5)), whole()
		lp := existence.NewLP(2)
		for i := range rows {
			rows[i] = whole()
			lp.Add(rows[i])
		}
		separated, outside := false, false
		for i := range 13 * 13 {
			v, least := []float64{float64(i%13 - 6), float64(i/13 - 6)}, math.Inf(1)
			for _, a := range rows {
				least = min(least, dot(a, v))
			}
			separated = separated || least > 0
			outside = outside || least >= 0 && dot(b, v) < 0
		}
		cases[[2]bool{separated, outside}]++
		// combination returns Σ λ_n a_n.
		combination := func(shares map[int]float64) []float64 {
			sum := make([]float64, 2)
			for i, λ := range shares {
				sum[0] += λ * rows[i][0]
				sum[1] += λ * rows[i][1]
			}
			return sum
		}
		farkas := func(left *existence.Budget) *existence.Farkas {
			return existence.NewFarkas(rows, []*big.Int{big.NewInt(int64(b[0])), big.NewInt(int64(b[1]))}, left)
		}
		left := &existence.Budget{Products: 1} // Two problems share this budget, which is enough for one pivot.
		for range 2 {
			if y, inside := farkas(left).Solve(); left.Pivots > 1 || y == nil && !inside && left.Pivots == 0 {
				t.Fatalf("rows %v: got %d pivots, y = %v, combination found: %v, want at most one pivot, and a proof if there is no pivot",
					rows, left.Pivots, y, inside)
			}
		}
		unfinished += left.Pivots
		solved, sum := lp.Solve(), combination(lp.Shares())
		if !solved || lp.S > 1e-9 != separated || math.Abs(math.Abs(sum[0])+math.Abs(sum[1])-lp.S) > 1e-9 {
			t.Fatalf("rows %v: LP is solved: %v, with minimum %v and the combination c = %v; want a solution with minimum |c₁| + |c₂|, which is above 0 exactly if the rows are separable (separable: %v)",
				rows, solved, lp.S, sum, separated)
		}
		y, inside := farkas(existence.NewBudget()).Solve()
		if inside == outside {
			t.Fatalf("rows %v and b = %v: combination found: %v, direction found: %v, want exactly one",
				rows, b, inside, outside)
		}
		for _, a := range rows {
			if separated && dot(a, lp.V) < lp.S-1e-9 || outside && existence.ExactDot(y, a).Sign() < 0 {
				t.Fatalf("rows %v: the product of row %v with LP's direction %v is below LP's minimum %v, or its product with Farkas' direction %v is negative",
					rows, a, lp.V, lp.S, y)
			}
		}
		if outside && existence.ExactDot(y, b).Sign() >= 0 {
			t.Fatalf("rows %v: for y = %v and b = %v the product yᵀb is not negative, want yᵀb < 0", rows, y, b)
		}
	}
	if len(cases) != 4 || unfinished < 1000 {
		t.Errorf("the random problems have the cases %v and %d pivots, want all four cases and at least 1000 pivots",
			cases, unfinished)
	}
}
