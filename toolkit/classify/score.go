package classify

import (
	"errors"
	"fmt"
	"math"
	"sort"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/integrate"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Score contains the mean of a quantity over the rows on which a model was evaluated. It also
// contains the standard error s/√N of the mean. Here s² is the variance of the quantity over the
// rows, with divisor N−1. For a single row the standard error is NaN. If the mean is infinite, the
// standard error is +Inf. The area under a ROC curve is also a Score, although it is not a mean (see
// the field AUC of ROC).
type Score struct {
	Value, StdError float64
}

// String returns the value with its standard error, such as "0.960 ± 0.016", or only the value if the
// standard error is NaN.
func (s Score) String() string {
	if math.IsNaN(s.StdError) {
		return fmt.Sprintf("%.3f", s.Value)
	}
	return fmt.Sprintf("%.3f ± %.3f", s.Value, s.StdError)
}

// scoreOf returns the mean of v and its standard error. If entries of v are infinite, scoreOf returns
// the first of them and the standard error +Inf.
func scoreOf(v []float64) Score {
	var mean, second float64
	for i, a := range v {
		if math.IsInf(a, 0) {
			return Score{a, math.Inf(1)}
		}
		d := a - mean
		mean += d / float64(i+1)
		second += d * (a - mean)
	}
	n := float64(len(v))
	return Score{mean, math.Sqrt(second / (n - 1) / n)}
}

// Confusion counts the rows for each pair of a true class and a predicted class.
type Confusion struct {
	Classes []string // class names for String, by class index; nil means that String prints numbers
	Counts  [][]int  // K×K table: Counts[i][j] rows of class i were predicted as class j
}

// ScoreConfusion counts the rows for each pair of a true label and a predicted label, both 0…k−1.
// Errors: no labels, lengths that differ, labels out of range, a k below 2 or above 2¹⁴.
func ScoreConfusion(labels, predicted []int, k int) (*Confusion, error) {
	if err := scoreLabels(labels, predicted, k); err != nil {
		return nil, failure("ScoreConfusion", err)
	}
	return confusionOf(labels, predicted, k), nil
}

func confusionOf(labels, predicted []int, k int) *Confusion {
	c := &Confusion{Counts: make([][]int, k)}
	for i := range c.Counts {
		c.Counts[i] = make([]int, k)
	}
	for n, l := range labels {
		c.Counts[l][predicted[n]]++
	}
	return c
}

func scoreLabels(labels, predicted []int, k int) error {
	if k < 2 || k > 1<<14 {
		return fmt.Errorf("k is %d: want 2 to %d classes", k, 1<<14)
	}
	if len(labels) == 0 {
		return fmt.Errorf("labels is empty: a score needs at least one row")
	}
	if len(predicted) != len(labels) {
		return fmt.Errorf("predicted has %d entries but labels has %d: give one entry per row in both slices", len(predicted), len(labels))
	}
	for _, s := range []struct {
		name string
		v    []int
	}{{"labels", labels}, {"predicted", predicted}} {
		for i, l := range s.v {
			if l < 0 || l >= k {
				return fmt.Errorf("%s[%d] is %d: with k = %d classes a label must be 0…%d", s.name, i, l, k, k-1)
			}
		}
	}
	return nil
}

// N returns the number of rows.
func (c *Confusion) N() int {
	n := 0
	for _, row := range c.Counts {
		for _, v := range row {
			n += v
		}
	}
	return n
}

// Errors returns the number of misclassified rows, which is the sum of the counts off the diagonal.
func (c *Confusion) Errors() int {
	n := c.N()
	for i, row := range c.Counts {
		n -= row[i]
	}
	return n
}

// Accuracy returns the share of correctly predicted rows: the sum of the counts on the diagonal,
// divided by N.
func (c *Confusion) Accuracy() float64 { return 1 - float64(c.Errors())/float64(c.N()) }

// Recall returns, for each class, the share of the class's rows that were predicted correctly. The
// share is NaN for a class without rows. For two classes, the two shares are sensitivity and
// specificity.
func (c *Confusion) Recall() []float64 {
	out := make([]float64, len(c.Counts))
	for i, row := range c.Counts {
		total := 0
		for _, v := range row {
			total += v
		}
		out[i] = float64(row[i]) / float64(total)
	}
	return out
}

// Precision returns, for each class, the share of correct predictions among the rows that were
// predicted as this class. The share is NaN for a class that was never predicted.
func (c *Confusion) Precision() []float64 {
	out := make([]float64, len(c.Counts))
	for j := range c.Counts {
		total := 0
		for i := range c.Counts {
			total += c.Counts[i][j]
		}
		out[j] = float64(c.Counts[j][j]) / float64(total)
	}
	return out
}

// String returns a table with one row per true class and one column per predicted class. The
// headings are the names in Classes, or the class numbers if Classes is nil.
func (c *Confusion) String() string {
	names := Names{Classes: c.Classes}
	first, columns := len("predicted"), make([]int, len(c.Counts))
	for j := range c.Counts {
		first = max(first, utf8.RuneCountInString("true "+names.class(j)))
		columns[j] = max(6, utf8.RuneCountInString(names.class(j))+2)
		for _, row := range c.Counts {
			columns[j] = max(columns[j], len(fmt.Sprint(row[j]))+1)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%*s", first, "predicted")
	for j := range c.Counts {
		fmt.Fprintf(&b, "%*s", columns[j], names.class(j))
	}
	for i, row := range c.Counts {
		fmt.Fprintf(&b, "\n%*s", first, "true "+names.class(i))
		for j, v := range row {
			fmt.Fprintf(&b, "%*d", columns[j], v)
		}
	}
	return b.String()
}

// ScoreAccuracy returns the share of correctly predicted labels, with its standard error. Errors:
// no labels, lengths that differ, labels outside 0…2¹⁴−1.
func ScoreAccuracy(labels, predicted []int) (Score, error) {
	if err := scoreLabels(labels, predicted, 1<<14); err != nil {
		return Score{}, failure("ScoreAccuracy", err)
	}
	return scoreOf(scoreHits(labels, predicted)), nil
}

func scoreHits(labels, predicted []int) []float64 {
	hit := make([]float64, len(labels))
	for i, l := range labels {
		if predicted[i] == l {
			hit[i] = 1
		}
	}
	return hit
}

// ScoreLogLoss returns the mean of −ln p(C_t|x) over rows with true classes t. This is the
// cross-entropy error (4.90), (4.108), divided by N. posterior contains the N×K probabilities that
// a Prober returns. The mean is +Inf if a true class has probability 0. Errors: shapes that do not
// agree, labels out of range, rows that are not probabilities.
func ScoreLogLoss(labels []int, posterior mat.Matrix) (Score, error) {
	p, err := scorePosterior(labels, posterior)
	if err != nil {
		return Score{}, failure("ScoreLogLoss", err)
	}
	return scoreOf(logLosses(labels, p)), nil
}

func logLosses(labels []int, p *mat.Dense) []float64 {
	out := make([]float64, len(labels))
	for i, l := range labels {
		out[i] = -math.Log(p.At(i, l))
	}
	return out
}

// ScoreBrier returns the mean of Σ_k (p(C_k|x) − t_k)² over rows, a number from 0 to 2, for
// posterior probabilities N×K. For two classes, some packages report the mean of (p(C₁|x) − t)²,
// which is half of this score. Errors: as for ScoreLogLoss.
func ScoreBrier(labels []int, posterior mat.Matrix) (Score, error) {
	p, err := scorePosterior(labels, posterior)
	if err != nil {
		return Score{}, failure("ScoreBrier", err)
	}
	return scoreOf(brierLosses(labels, p)), nil
}

func brierLosses(labels []int, p *mat.Dense) []float64 {
	out := make([]float64, len(labels))
	for i, l := range labels {
		for k, v := range p.RawRowView(i) {
			if k == l {
				v = 1 - v
			}
			out[i] += v * v
		}
	}
	return out
}

// scorePosterior checks the labels and the probabilities, and returns the probabilities.
func scorePosterior(labels []int, posterior mat.Matrix) (*mat.Dense, error) {
	d, dense := posterior.(*mat.Dense)
	if posterior == nil || dense && d == nil {
		return nil, errors.New("posterior is nil: want the N×K matrix that the method Posterior returns")
	}
	n, k := posterior.Dims()
	if n == 0 || k < 2 {
		return nil, fmt.Errorf("posterior is %d×%d: want at least one row, and one column for each of at least two classes", n, k)
	}
	if len(labels) != n {
		return nil, fmt.Errorf("labels has %d entries but posterior has %d rows: give one label per row", len(labels), n)
	}
	if !dense {
		d = mat.DenseCopyOf(posterior)
	}
	for i, l := range labels {
		if l < 0 || l >= k {
			return nil, fmt.Errorf("labels[%d] is %d: posterior has %d columns, so a label must be 0…%d", i, l, k, k-1)
		}
		var sum float64
		for j, v := range d.RawRowView(i) {
			if !(v >= 0 && v <= 1) {
				return nil, fmt.Errorf("posterior(%d,%d) is %v: a probability must be in [0,1]", i, j, v)
			}
			sum += v
		}
		if math.Abs(sum-1) > 1e-9 {
			return nil, fmt.Errorf("row %d of posterior sums to %v: the probabilities of the classes must sum to 1", i, sum)
		}
	}
	return d, nil
}

// CalibrationBin describes the rows with a predicted probability in [Lo, Hi). The last bin also
// contains the rows with probability 1.
type CalibrationBin struct {
	Lo, Hi float64
	N      int
	// Predicted is the mean of the probabilities. Observed is the mean of t, with its standard
	// error. Both are NaN for an empty bin.
	Predicted float64
	Observed  Score
}

// Calibration measures how well probabilities agree with frequencies.
type Calibration struct {
	Bins []CalibrationBin
	// Error is the expected calibration error Σ_b N_b/N·|Observed − Predicted|.
	Error float64
}

// ScoreCalibration divides the range of p, the predicted probabilities of C₁, into bins of equal
// width. In each bin it compares the mean of p with the mean of the targets t in [0,1]. If bins is
// 0, there are 10 bins. A probability of 1 is in the last bin. Errors: no targets, lengths that
// differ, t or p outside [0,1], a number of bins that is negative or above 2²⁰.
func ScoreCalibration(t, p []float64, bins int) (*Calibration, error) {
	if err := scoreTargets(t, p, "p"); err != nil {
		return nil, failure("ScoreCalibration", err)
	}
	for i, v := range p {
		if v < 0 || v > 1 {
			return nil, failure("ScoreCalibration", fmt.Errorf("p[%d] is %v: a probability must be in [0,1]", i, v))
		}
	}
	if bins == 0 {
		bins = 10
	}
	if bins < 1 || bins > 1<<20 {
		return nil, failure("ScoreCalibration",
			fmt.Errorf("bins is %d: want 1 to %d bins (0 means the default, 10)", bins, 1<<20))
	}
	in := make([][]float64, bins)
	sum := make([]float64, bins)
	for i, v := range p {
		b := min(int(v*float64(bins)), bins-1)
		in[b] = append(in[b], t[i])
		sum[b] += v
	}
	c := &Calibration{}
	for b, v := range in {
		n := len(v)
		bin := CalibrationBin{Lo: float64(b) / float64(bins), Hi: float64(b+1) / float64(bins), N: n,
			Predicted: math.NaN(), Observed: Score{math.NaN(), math.NaN()}}
		if n > 0 {
			bin.Predicted, bin.Observed = sum[b]/float64(n), scoreOf(v)
			c.Error += float64(n) / float64(len(p)) * math.Abs(bin.Observed.Value-bin.Predicted)
		}
		c.Bins = append(c.Bins, bin)
	}
	return c, nil
}

// scoreTargets checks two-class targets and one number per target.
func scoreTargets(t, v []float64, name string) error {
	if len(t) == 0 {
		return errors.New("t is empty: a score needs at least one row")
	}
	if len(v) != len(t) {
		return fmt.Errorf("%s has %d entries but t has %d: give one entry per target", name, len(v), len(t))
	}
	for i, a := range t {
		if !(a >= 0 && a <= 1) {
			return fmt.Errorf("t[%d] is %v: a target must be in [0,1], 1 for class C1 and 0 for C2", i, a)
		}
		if math.IsNaN(v[i]) {
			return fmt.Errorf("%s[%d] is NaN: want a number", name, i)
		}
	}
	return nil
}

// ROC is the receiver operating characteristic. Rows with an activation a ≥ threshold are assigned
// to C₁. For every threshold, ROC contains the shares of the rows of C₁ and of C₂ that are assigned
// to C₁.
type ROC struct {
	// TruePositive and FalsePositive are the shares of the rows of C₁ and of C₂ with a ≥ Threshold.
	// The curve starts at (0, 0), with the threshold +Inf, even if an activation is +Inf. It ends at
	// (1, 1).
	TruePositive, FalsePositive, Threshold []float64
	// AUC is the area under the curve: the probability that a row of C₁ has a larger activation
	// than a row of C₂, where a tie counts ½. Its standard error follows Hanley and McNeil (1982).
	AUC Score
}

// ScoreROC returns the curve for activations or probabilities a and hard targets t. A target is 1
// for C₁ and 0 for C₂. Infinite activations are allowed. Errors: no targets, lengths that differ,
// targets other than 0 and 1, NaN in a. Targets of a single class are also an error, because one of
// the two shares is then undefined.
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
			return nil, failure("ScoreROC", fmt.Errorf("t[%d] is %v: the ROC curve needs hard targets, 0 or 1", i, v))
		}
	}
	if ones == 0 || ones == len(t) {
		return nil, failure("ScoreROC",
			fmt.Errorf("all %d targets are %v: the ROC curve needs rows of both classes", len(t), t[0]))
	}
	// The curve depends only on the order of the activations, so the code uses the ranks of the
	// activations.
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
	r.TruePositive[0], r.FalsePositive[0] = 0, 0 // gonum's first rates can be a rounding error above 0
	auc := integrate.Trapezoidal(r.FalsePositive, r.TruePositive)
	n1, n0 := float64(ones), float64(len(t)-ones)
	q1, q2 := auc/(2-auc), 2*auc*auc/(1+auc)
	v := (auc*(1-auc) + (n1-1)*(q1-auc*auc) + (n0-1)*(q2-auc*auc)) / (n1 * n0)
	r.AUC = Score{auc, math.Sqrt(math.Max(v, 0))}
	return r, nil
}
