package classify

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Score is the mean of a number over rows that a model was judged on, with the
// standard error of that mean, s/√N (s² the variance over rows, divisor N−1; NaN
// for a single row).
type Score struct {
	Value, StdError float64
}

// String returns the value with its standard error, as "0.960 ± 0.016".
func (s Score) String() string {
	if math.IsNaN(s.StdError) {
		return fmt.Sprintf("%.3f", s.Value)
	}
	return fmt.Sprintf("%.3f ± %.3f", s.Value, s.StdError)
}

// scoreOf returns the mean and its error. An infinite term makes both infinite.
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

// Confusion counts how often rows of each class were given each class.
type Confusion struct {
	Classes []string // names for String, by index; nil: the numbers
	Counts  [][]int  // K×K: Counts[i][j] rows of class i were predicted to be of class j
}

// ScoreConfusion counts true labels 0…k−1 against predicted ones. Errors: no
// labels, lengths that differ, labels out of range.
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
		return fmt.Errorf("k is %d: the number of classes is 2 to %d", k, 1<<14)
	}
	if len(labels) == 0 {
		return fmt.Errorf("there are no labels: a score needs at least one row")
	}
	if len(predicted) != len(labels) {
		return fmt.Errorf("predicted has %d entries but labels has %d: give one per row", len(predicted), len(labels))
	}
	for _, s := range []struct {
		name string
		v    []int
	}{{"labels", labels}, {"predicted", predicted}} {
		for i, l := range s.v {
			if l < 0 || l >= k {
				return fmt.Errorf("%s[%d] is %d: with k = %d classes the labels are 0…%d", s.name, i, l, k, k-1)
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

// Errors returns the number of rows off the diagonal: those misclassified.
func (c *Confusion) Errors() int {
	n := c.N()
	for i, row := range c.Counts {
		n -= row[i]
	}
	return n
}

// Accuracy returns the share of rows on the diagonal.
func (c *Confusion) Accuracy() float64 { return 1 - float64(c.Errors())/float64(c.N()) }

// Recall returns the share of the rows of each class that were found, NaN for a
// class without rows. For two classes these are the sensitivity and specificity.
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

// Precision returns the share of the rows given each class that belong to it,
// NaN for a class that was never given.
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

// String returns the table, true classes by rows, under the names of Classes or else
// their numbers.
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

// ScoreAccuracy returns the share of predicted labels that are right, with its
// standard error. Errors: no labels, lengths that differ, negative labels.
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
