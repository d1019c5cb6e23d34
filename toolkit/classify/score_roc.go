package classify

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/integrate"
	"gonum.org/v1/gonum/stat"
)

// ROC is the receiver operating characteristic: what shares of the two classes
// are called C₁ by a ≥ threshold, for every threshold.
type ROC struct {
	// TruePositive and FalsePositive are the shares of the rows of C₁ and of C₂
	// with a ≥ Threshold; from (0, 0) at a threshold of +Inf to (1, 1).
	TruePositive, FalsePositive, Threshold []float64
	// AUC is the area under the curve: the probability that a row of C₁ has a
	// larger activation than one of C₂, equal ones counted half. Its standard
	// error is that of Hanley and McNeil (1982).
	AUC Score
}

// ScoreROC returns the curve for activations or probabilities a and hard targets
// t, 1 for C₁ and 0 for C₂. Infinite a are allowed. Targets of a single class
// are an error: one of the shares does not exist.
func ScoreROC(t, a []float64) (*ROC, error) {
	if err := scoreTargets(t, a, "a"); err != nil {
		return nil, failure("ScoreROC", err)
	}
	ones := 0
	for i, v := range t {
		switch v {
		case 1:
			ones++
		case 0:
		default:
			return nil, failure("ScoreROC", fmt.Errorf("t[%d] is %v: the curve needs hard targets, 0 or 1", i, v))
		}
	}
	if ones == 0 || ones == len(t) {
		return nil, failure("ScoreROC", fmt.Errorf("all %d targets are %v: the curve needs rows of both classes", len(t), t[0]))
	}
	// The curve depends on the order of a only, so its ranks stand for them.
	order := make([]int, len(a))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return a[order[i]] < a[order[j]] })
	rank, class := make([]float64, len(a)), make([]bool, len(a))
	values := []float64{a[order[0]]}
	for i, at := range order {
		if a[at] != values[len(values)-1] {
			values = append(values, a[at])
		}
		rank[i], class[i] = float64(len(values)-1), t[at] == 1
	}
	r := &ROC{}
	r.TruePositive, r.FalsePositive, r.Threshold = stat.ROC(nil, rank, class, nil)
	for i, v := range r.Threshold {
		if !math.IsInf(v, 0) {
			r.Threshold[i] = values[int(v)]
		}
	}
	if r.FalsePositive[0] > r.FalsePositive[len(r.FalsePositive)-1] {
		slices.Reverse(r.TruePositive)
		slices.Reverse(r.FalsePositive)
		slices.Reverse(r.Threshold)
	}
	auc := integrate.Trapezoidal(r.FalsePositive, r.TruePositive)
	n1, n0 := float64(ones), float64(len(t)-ones)
	q1, q2 := auc/(2-auc), 2*auc*auc/(1+auc)
	v := (auc*(1-auc) + (n1-1)*(q1-auc*auc) + (n0-1)*(q2-auc*auc)) / (n1 * n0)
	r.AUC = Score{auc, math.Sqrt(math.Max(v, 0))}
	return r, nil
}
