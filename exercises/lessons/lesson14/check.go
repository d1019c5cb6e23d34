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

// Check judges auc, which returns the area under the ROC curve of scores a for targets t.
func Check(auc areaFunc) *verify.Report {
	return exercise.Judge(askArea.Parts(auc, []judge.Property[scored]{
		judge.Form[scored]("a number, the same on every call", on(distinct), nil, judge.Wrong{},
			"You returned a number, the same on every call."),
		{Name: "the share of the pairs in the right order", On: on(distinct, sorted), Holds: exactly,
			Wrong: judge.Wrong{Key: "pairs", Hint: 1,
				Message: "{problem}: no two scores are equal, and your area is not the share of the pairs in which the row of C₁ has the larger score: {off}."},
			Right: "Your area is the share of the pairs in the right order: 1 if all scores of C₁ are larger, 0 if all are smaller."},
		{Name: "equal scores count half", On: on(distinct, sorted, tied), Holds: exactly,
			Wrong: judge.Wrong{Key: "ties", Hint: 3,
				Message: "{problem}: some pairs have equal scores, and your area is {off}. Such a pair counts ½."},
			Right: "Ties count ½, whatever the order of the rows. If all scores are equal, the area is ½, as for guessing."},
		{Name: "only the order of the scores matters", On: on(distinct, tied, scaled), Holds: exactly,
			Wrong: judge.Wrong{Key: "scale", Hint: 1,
				Message: "{problem}: your area is {off}. The scores are tiny, huge or close to each other. Only their order matters: compare them with each other."},
			Right: "Your area depends only on the order of the scores, even if they are tiny, huge or nearly equal."},
	}...)...)
}

func exactly(s scored, got []float64) verify.Finding {
	f := verify.CloseSlice(got, right(s), verify.Tolerance{Rel: 1e-12, Abs: 1e-12})
	f.Where = "" // a single number has no index
	return f
}

// right computes the area from the ranks of the scores; equal scores share their mean rank. The sum
// of the ranks of C₁ is N1(N1+1)/2 plus the number of pairs in which the row of C₁ has the larger
// score.
func right(s scored) []float64 {
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

// inOrder returns the row numbers sorted by score. Rows with equal scores keep their order.
func inOrder(a []float64) []int {
	order := make([]int, len(a))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(a[i], a[j]) })
	return order
}

// A scored contains the targets t and the scores a of some rows.
type scored struct {
	name string
	t, a []float64
}

func (s scored) String() string {
	n1 := 0.0
	for _, t := range s.t {
		n1 += t
	}
	return fmt.Sprintf("%s (%g of C₁, %g of C₂)", s.name, n1, float64(len(s.t))-n1)
}

type kind int

const (
	distinct kind = iota // all scores differ
	sorted               // scores differ, and the scores separate the classes
	tied
	scaled
)

// on draws problems of the given kinds.
var on = instance.OfKinds(5014, 8, draw)

// draw draws rows in random order. The larger class is C₂ if i is even and C₁ if i is odd. The
// scores of C₁ are 0.7 higher on average, before any sigmoid.
func draw(r *rand.Rand, k kind, i int) scored {
	n1, n2 := 3+r.IntN(9), 13+r.IntN(9)
	if i%2 == 1 {
		n1, n2 = n2, n1
	}
	s := scored{name: "activations", a: instance.Normals(r, n1+n2)}
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

var askArea = &judge.Question[areaFunc, scored]{
	Func: "AUC", Name: "area", Hint: 2,
	Ask: func(f areaFunc, c *judge.Call, s scored) []float64 {
		return []float64{f(c.Slice("t", s.t), c.Slice("a", s.a))}
	},
	Right:    right,
	Mistakes: mistakes,
}

func init() { judge.Known(exercise, askArea, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson14", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
