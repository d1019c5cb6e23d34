// Package lesson14 judges the task of lesson 14: the area under the ROC curve.
package lesson14

import (
	"cmp"
	"embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type areaFunc = func(t, a []float64) float64

// Check judges `auc`, which returns the area under the ROC curve of scores a for targets t.
func Check(auc areaFunc) *verify.Report {
	return exercise.Judge(areaQuestion.Parts(auc, []judge.Property[scoredRows]{
		judge.Form[scoredRows]("a number, the same on every call", ofKinds(distinct), nil, judge.Wrong{},
			"You returned a number, the same on every call."),
		{Name: "the share of the pairs in the right order", Problems: ofKinds(distinct, sorted), Holds: compareArea,
			Wrong: judge.Wrong{Key: "pairs", Hint: 1,
				Message: "{problem}: no two scores are equal, and your area is {off}. The area is the share of the pairs in which the row of C₁ has the larger score."},
			Right: "Your area is the share of the pairs in the right order: 1 if all scores of C₁ are larger, 0 if all are smaller."},
		{Name: "equal scores count half", Problems: ofKinds(distinct, sorted, tied), Holds: compareArea,
			Wrong: judge.Wrong{Key: "ties", Hint: 3,
				Message: "{problem}: some pairs have equal scores, and your area is {off}. Such a pair counts ½."},
			Right: "In your area, pairs with equal scores count ½, whatever the order of the rows. If all scores are equal, your area is ½, as if the model guessed."},
		{Name: "only the order of the scores matters", Problems: ofKinds(distinct, tied, scaled), Holds: compareArea,
			Wrong: judge.Wrong{Key: "scale", Hint: 1,
				Message: "{problem}: your area is {off}. The scores are tiny, large or close to each other. Only their order matters: compare them with each other."},
			Right: "Your area depends only on the order of the scores, even if they are tiny, huge or nearly equal."},
	}...)...)
}

func compareArea(s scoredRows, got []float64) verify.Finding {
	f := verify.CloseSlice(got, rightArea(s), verify.Tolerance{Rel: 1e-12, Abs: 1e-12})
	f.Where = "" // omit the index of the entry, because the answer is a single number
	return f
}

// rightArea computes the area from the ranks of the scores. Rows with equal scores have the same
// rank, the mean of their positions. The sum of the ranks of the rows of C₁ is N1(N1+1)/2 plus the
// number of pairs in which the row of C₁ has the larger score; a pair with equal scores counts ½.
func rightArea(s scoredRows) []float64 {
	order, rank := inOrder(s.a), make([]float64, len(s.a))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && s.a[order[j]] == s.a[order[i]] {
			j++
		}
		for _, n := range order[i:j] {
			rank[n] = float64(i+j+1) / 2
		}
		i = j
	}
	sum, n1, n2 := 0.0, 0.0, 0.0
	for n, t := range s.t {
		sum, n1, n2 = sum+t*rank[n], n1+t, n2+1-t
	}
	return []float64{(sum - n1*(n1+1)/2) / (n1 * n2)}
}

// inOrder returns the row numbers in ascending order of the scores. Rows with equal scores keep
// their order.
func inOrder(a []float64) []int {
	order := make([]int, len(a))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(a[i], a[j]) })
	return order
}

// A scoredRows contains the target and the score of each row, as the vectors t and a.
type scoredRows struct {
	name string
	t, a []float64
}

func (s scoredRows) String() string {
	n1 := 0.0
	for _, t := range s.t {
		n1 += t
	}
	return fmt.Sprintf("%s (%g of C₁, %g of C₂)", s.name, n1, float64(len(s.t))-n1)
}

type kind int

const (
	distinct kind = iota // all scores differ
	sorted               // all scores differ, and a threshold separates the classes
	tied                 // the scores are rounded, so that some are equal; in one problem all scores are equal
	scaled               // the scores are tiny, large or nearly equal
)

// ofKinds returns a function that draws problems of the given kinds.
var ofKinds = instance.OfKinds(5014, 8, draw)

// draw draws rows in random order. Class C₂ has more rows if i is even, and C₁ has more rows if i
// is odd. On average, the scores of C₁ are 0.7 larger than the scores of C₂. If i%4 is 2 or 3, draw
// then applies a sigmoid to all scores. Finally, draw changes the scores as the kind k requires.
func draw(r *rand.Rand, k kind, i int) scoredRows {
	n1, n2 := 3+r.IntN(9), 13+r.IntN(9)
	if i%2 == 1 {
		n1, n2 = n2, n1
	}
	s := scoredRows{name: "activations", a: instance.Normals(r, n1+n2)}
	for n := range s.a {
		s.t = append(s.t, 0)
		if n < n1 {
			s.t[n] = 1
			s.a[n] += 0.7
		}
		if i%4 > 1 {
			s.a[n] = 1 / (1 + math.Exp(-s.a[n]))
		}
	}
	if i%4 > 1 {
		s.name = "probabilities"
	}
	r.Shuffle(len(s.t), func(i, j int) { s.t[i], s.t[j], s.a[i], s.a[j] = s.t[j], s.t[i], s.a[j], s.a[i] })
	switch {
	case k == sorted:
		s.name += " that separate the classes"
		side := float64(20 * (1 - 2*(i/2%2)))
		for n := range s.a {
			s.a[n] += side * (s.t[n] - 0.5)
		}
	case k == tied && i == 0:
		s.name = "the same score for all rows"
		for n := range s.a {
			s.a[n] = 0.3
		}
	case k == tied:
		s.name += " rounded to whole fifths"
		for n := range s.a {
			s.a[n] = math.Round(5*s.a[n]) / 5
		}
	case k == scaled:
		scale, offset := []float64{1e-200, 1e300, 1e-13, 1000}[i%4], []float64{0, 0, 1, 0}[i%4]
		s.name += fmt.Sprintf(" times %g", scale)
		if offset > 0 {
			s.name += fmt.Sprintf(" plus %g", offset)
		}
		for n := range s.a {
			s.a[n] = scale*s.a[n] + offset
		}
		if i == 7 {
			s.name += ", one of them larger by 10⁹"
			s.a[0] += 1e9
		}
	}
	return s
}

var areaQuestion = &judge.Question[areaFunc, scoredRows]{
	Func: "AUC", Name: "area", Hint: 2,
	Invoke: func(f areaFunc, c *judge.Call, s scoredRows) []float64 {
		return []float64{f(c.Slice("t", s.t), c.Slice("a", s.a))}
	},
	Right:    rightArea,
	Mistakes: mistakes,
}

// mistakes lists wrong areas that learners are likely to compute.
var mistakes = []judge.Mistake[areaFunc]{
	{Key: "other-class", Hint: 1,
		Message: "Your area is the share of the pairs in the wrong order, so a good model gets a small area. Count a pair if the row of C₁ (t = 1) has the larger score.",
		Answer:  overPairs(n1n2, func(a, b float64) float64 { return counted(b, a) })},
	{Key: "ties-win", Hint: 3,
		Message: "{problem}: a pair with equal scores counts 1 in your area, so the area would be 1 if all scores were equal. Such a pair must count ½.",
		Answer:  overPairs(n1n2, func(a, b float64) float64 { return one(a >= b) })},
	{Key: "ties-lose", Hint: 3,
		Message: "{problem}: a pair with equal scores counts 0 in your area. Such a pair must count ½, since the score does not distinguish its two rows.",
		Answer:  overPairs(n1n2, func(a, b float64) float64 { return one(a > b) })},
	{Key: "tolerance", Hint: 1,
		Message: "{problem}: your area treats nearly equal scores as equal. Compare scores exactly.",
		Answer: overPairs(n1n2, func(a, b float64) float64 {
			if math.Abs(a-b) < 1e-9 {
				return 0.5
			}
			return one(a > b)
		})},
	{Key: "sigmoid", Hint: 1,
		Message: "{problem}: your area is the area for the sigmoids of the scores. Here the sigmoids of different scores are equal after rounding. Compare the scores themselves.",
		Answer:  overPairs(n1n2, func(a, b float64) float64 { return counted(1/(1+math.Exp(-a)), 1/(1+math.Exp(-b))) })},
	{Key: "not-divided", Hint: 2,
		Message: "You return the number of pairs in the right order. Divide it by the number of all pairs, N₁N₂.",
		Answer:  overPairs(func(_, _ float64) float64 { return 1 }, counted)},
	{Key: "square-of-n", Hint: 2,
		Message: "Your area is the number of pairs in the right order divided by N², the number of pairs of any row with any row. Divide by N₁N₂, the number of pairs of a row of C₁ and a row of C₂.",
		Answer:  overPairs(func(n1, n2 float64) float64 { return (n1 + n2) * (n1 + n2) }, counted)},
	{Key: "all-two", Hint: 2,
		Message: "Your area is the number of pairs in the right order divided by N(N−1)/2, the number of pairs of any two rows. Divide by N₁N₂, the number of pairs of a row of C₁ and a row of C₂.",
		Answer:  overPairs(func(n1, n2 float64) float64 { return (n1 + n2) * (n1 + n2 - 1) / 2 }, counted)},
	{Key: "rows", Hint: 2,
		Message: "Your area is the number of pairs in the right order divided by N, the number of rows. Divide by N₁N₂, the number of pairs of a row of C₁ and a row of C₂.",
		Answer:  overPairs(func(n1, n2 float64) float64 { return n1 + n2 }, counted)},
	{Key: "integers", Hint: 2,
		Message: "Your area is rounded towards 0, like a quotient of integers in Go. Convert numerator and denominator to float64 before you divide.",
		Answer:  func(t, a []float64) float64 { return math.Trunc(overPairs(n1n2, counted)(t, a)) }},
	{Key: "against-all", Hint: 1,
		Message: "Your area compares each row of C₁ with all rows, including the rows of C₁. Compare each row of C₁ only with the rows of C₂.",
		Answer: func(t, a []float64) float64 {
			sum, pairs := 0.0, 0.0
			for i := range a {
				for j := range a {
					sum, pairs = sum+t[i]*counted(a[i], a[j]), pairs+t[i]
				}
			}
			return sum / pairs
		}},
	{Key: "side-by-side", Hint: 1,
		Message: "Your area compares the i-th row of C₁ only with the i-th row of C₂. Compare every row of C₁ with every row of C₂.",
		Answer: func(t, a []float64) float64 {
			c1, c2 := classScores(t, a)
			sum, n := 0.0, min(len(c1), len(c2))
			for i := range n {
				sum += counted(c1[i], c2[i])
			}
			return sum / float64(n)
		}},
	{Key: "gini", Hint: 2,
		Message: "You return the Gini coefficient 2·AUC − 1, in which a pair in the wrong order counts −1. Such a pair must count 0.",
		Answer:  func(t, a []float64) float64 { return 2*overPairs(n1n2, counted)(t, a) - 1 }},
	{Key: "row-by-row", Hint: 3,
		Message: "{problem}: your area depends on the order of the rows with equal scores, as if you processed them one after the other. A pair with equal scores must count ½.",
		Answer: func(t, a []float64) (area float64) {
			below, n1, n2 := 0.0, 0.0, 0.0
			for _, n := range inOrder(a) {
				below, area = below+1-t[n], area+t[n]*below
				n1, n2 = n1+t[n], n2+1-t[n]
			}
			return area / (n1 * n2)
		}},
	{Key: "accuracy", Hint: 1,
		Message: "You return the accuracy, the share of the rows that the threshold ½ puts into their own class. The area needs no threshold: it compares scores with each other.",
		Answer:  atThreshold(0.5)},
	{Key: "accuracy-at-0", Hint: 1,
		Message: "You return the accuracy, the share of the rows that the threshold 0 puts into their own class. The area needs no threshold: it compares scores with each other.",
		Answer:  atThreshold(0)},
	{Key: "means", Hint: 1,
		Message: "You return the difference between the mean scores of the classes. The area depends only on the order of the scores: a pair counts 1, ½ or 0.",
		Answer:  overPairs(n1n2, func(a, b float64) float64 { return a - b })},
}

// overPairs returns an answer that calls the function `count` for all pairs of a row of C₁ and a
// row of C₂, and adds the results. The answer divides the sum by the result of the function
// `divisor`. The arguments of `divisor` are the numbers of rows in the two classes.
func overPairs(divisor func(n1, n2 float64) float64, count func(a, b float64) float64) areaFunc {
	return func(t, a []float64) (sum float64) {
		c1, c2 := classScores(t, a)
		for _, u := range c1 {
			for _, v := range c2 {
				sum += count(u, v)
			}
		}
		return sum / divisor(float64(len(c1)), float64(len(c2)))
	}
}

func n1n2(n1, n2 float64) float64 { return n1 * n2 }

func counted(a, b float64) float64 { return (one(a > b) + one(a >= b)) / 2 }

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// classScores returns the scores of the rows of C₁, and the scores of the rows of C₂.
func classScores(t, a []float64) (c1, c2 []float64) {
	for n, v := range a {
		if t[n] == 1 {
			c1 = append(c1, v)
		} else {
			c2 = append(c2, v)
		}
	}
	return c1, c2
}

func atThreshold(threshold float64) areaFunc {
	return func(t, a []float64) (share float64) {
		for n, v := range a {
			share += one((v >= threshold) == (t[n] == 1)) / float64(len(a))
		}
		return share
	}
}

func init() { judge.Known(exercise, areaQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson14", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
