package ex07_test

import (
	"math"
	"testing"
)

// Near ½ the logarithm of the quotient loses what the text says, about eight digits
// at a distance of 4·10⁻⁹, and ln{1+(2y−1)/(1−y)} does not. There logit(½+d) is
// 4d·(1 + 4d²/3 + …), and d is exact.
func TestLogitNearHalf(t *testing.T) {
	worst, kept := 0.0, 0.0
	for i := range 1000 {
		y := 0.5 + 3.5e-9*(1+float64(i)/1000)
		want := 4 * (y - 0.5)
		worst = math.Max(worst, math.Abs(Logit(y)/want-1))
		kept = math.Max(kept, math.Abs(math.Log1p((2*y-1)/(1-y))/want-1))
	}
	if worst < 2e-9 || worst > 2e-8 {
		t.Errorf("ln{y/(1−y)} is wrong by %.1e of itself, want about 10⁻⁸", worst)
	}
	if kept > 1e-15 {
		t.Errorf("ln{1+(2y−1)/(1−y)} is wrong by %.1e of itself, want rounding only", kept)
	}
}
