package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// Decision is a rule that chooses an answer from posterior probabilities (PRML 1.5). The answer is
// Rejected or the class j with the least expected loss Σ_k Loss(k,j) p(C_k|x).
type Decision struct {
	// Loss is a K×K matrix. Loss(k,j) is the loss of the answer j if the true class is k. A nil
	// Loss means 1 for every wrong answer and 0 for the right answer.
	Loss *mat.Dense
	// Reject is the loss of giving no answer. A row is Rejected if its least expected loss exceeds
	// Reject. If Reject is 0, no row is rejected. PRML 1.5.3 rejects a row if its largest posterior
	// is at most a threshold θ. For this rule with θ < 1, set Reject to 1−θ and leave Loss nil. A
	// row whose largest posterior is exactly θ is then not rejected.
	Reject float64
}

// Decide returns, for each row of posterior probabilities (N×K), the class with the least expected
// loss, or Rejected. If several classes have the least loss, it returns the lowest of their indices.
// Errors: a Loss that is not K×K or has negative or non-finite entries, a Reject that is negative or
// not finite, an empty matrix, rows that do not contain probabilities.
func (d Decision) Decide(posterior mat.Matrix) ([]int, error) {
	src, err := check.Rows(posterior)
	if err != nil {
		return nil, failure("Decide", fmt.Errorf("in the matrix of posteriors, here called x: %w", err))
	}
	n, k := src.Dims()
	if err := d.check(k); err != nil {
		return nil, failure("Decide", err)
	}
	class, p, loss := make([]int, n), make([]float64, k), make([]float64, k)
	for i := range class {
		var sum float64
		for j := range p {
			p[j] = posterior.At(i, j)
			if !(p[j] >= 0 && p[j] <= 1+1e-9) {
				return nil, failure("Decide",
					fmt.Errorf("the posterior of row %d, class %d is %v: it must be a probability", i, j, p[j]))
			}
			sum += p[j]
		}
		if math.Abs(sum-1) > 1e-6 {
			return nil, failure("Decide",
				fmt.Errorf("the posterior of row %d sums to %v: want probabilities that sum to 1 (from Posterior, not from Scores)", i, sum))
		}
		for j := range loss {
			loss[j] = d.expectedLoss(p, j)
			if loss[j] < loss[class[i]] {
				class[i] = j
			}
		}
		if d.Reject > 0 && loss[class[i]] > d.Reject {
			class[i] = Rejected
		}
	}
	return class, nil
}

// expectedLoss returns the expected loss of the answer j for posterior probabilities p.
func (d Decision) expectedLoss(p []float64, j int) float64 {
	var s float64
	for k, v := range p {
		switch {
		case d.Loss != nil:
			s += d.Loss.At(k, j) * v
		case k != j:
			s += v
		}
	}
	return s
}

func (d Decision) check(k int) error {
	if !(d.Reject >= 0) || math.IsInf(d.Reject, 1) {
		return fmt.Errorf("option Reject is %v: the loss of a rejection must be a finite number ≥ 0 (0 never rejects)",
			d.Reject)
	}
	if d.Loss == nil {
		return nil
	}
	if r, c := d.Loss.Dims(); r != k || c != k {
		return fmt.Errorf("option Loss is %d×%d but there are %d classes: want %d×%d, one row per true class", r, c,
			k, k, k)
	}
	for i := range k {
		for j := range k {
			if v := d.Loss.At(i, j); !(v >= 0) || math.IsInf(v, 1) {
				return fmt.Errorf("option Loss(%d,%d) is %v: a loss must be a finite number ≥ 0", i, j, v)
			}
		}
	}
	return nil
}

// Threshold returns the posterior p(C₁) at which two classes have equal expected losses. At and
// above the threshold, the answer is C₁. The threshold is ½ for equal losses. It ignores the option
// Reject. Threshold returns an error for an invalid Decision, for a Loss that is not 2×2, and for a
// wrong answer whose loss does not exceed the loss of the right answer.
func (d Decision) Threshold() (float64, error) {
	if err := d.check(2); err != nil {
		return 0, failure("Threshold", err)
	}
	if d.Loss == nil {
		return 0.5, nil
	}
	// The answer is C₁ if p·L(0,0) + (1−p)·L(1,0) ≤ p·L(0,1) + (1−p)·L(1,1).
	wrong1, wrong2 := d.Loss.At(1, 0)-d.Loss.At(1, 1), d.Loss.At(0, 1)-d.Loss.At(0, 0)
	if !(wrong1 > 0 && wrong2 > 0) {
		return 0, failure("Threshold",
			errors.New("the loss of a wrong answer does not exceed the loss of the right answer, so no threshold exists: want a larger loss for wrong answers"))
	}
	return wrong1 / (wrong1 + wrong2), nil
}
