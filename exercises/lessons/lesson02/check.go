// Package lesson02 judges the task of lesson 2: the weights of the least-squares
// classifier.
package lesson02

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type weightsFunc = func(X *mat.Dense, labels []int, K int) *mat.Dense

// Check judges weights, which returns the least-squares weights (4.16) for 1-of-K targets.
func Check(weights weightsFunc) *verify.Report {
	return exercise.Judge(askWeights.Parts(weights, []judge.Property[sample]{
		judge.Form[sample]("a new (D+1)×K matrix, the same on every call", on(two, several), nil, judge.Wrong{},
			"You returned a weight for each input and class, and a bias for each class."),
		{Name: "the least sum of squares", On: on(two, several), Holds: exactly,
			Wrong: judge.Wrong{Key: "weights", Hint: 2,
				Message: "{problem}: your weights are not the least-squares weights for 1-of-K targets: they are {off}."},
			Right: "No other weights have a smaller sum of squares, with two classes and with more."},
		{Name: "the outputs sum to 1", On: on(two, several, missing), Holds: sums,
			Wrong: judge.Wrong{Key: "sum", Hint: 2,
				Message: "{problem}: the biases of all classes should sum to 1, and the weights of each input to 0. Your sum is {off}."},
			Right: "The biases sum to 1 and the weights of each input to 0; this follows from the 1-of-K targets."},
		{Name: "a class without rows", On: on(two, several, missing), Holds: exactly,
			Wrong: judge.Wrong{Key: "missing", Hint: 1,
				Message: "{problem}: the column of a class without rows should fit targets of 0, and the other columns their classes. Your weights are {off}."},
			Right: "The output of a class without rows is 0 everywhere."},
		{Name: "inputs of other units, and far from 0", On: on(two, several, units), Holds: exactly,
			Wrong: judge.Wrong{Key: "units", Hint: 3,
				Message: "{problem}: your weights differ from the least-squares weights: they are {off}."},
			Right: "Your weights are right also for columns of very different size, and far from 0."},
	}...)...)
}

// exactly compares each row of W with the right one, in the unit of its input. The tolerance
// suffices for a solution of the normal equations.
func exactly(s sample, got []float64) verify.Finding {
	want, unit := right(s), sizes(s)
	for i, v := range got {
		if f := verify.Close(v, want[i], verify.Tolerance{Abs: 1e-6 * unit[i]}); !f.OK {
			f.Where = entry(s, i)
			return f
		}
	}
	return verify.Finding{OK: true}
}

// sums checks that the biases sum to 1 and the weights of each input to 0.
func sums(s sample, got []float64) verify.Finding {
	want := 1.0
	for i := 0; i < len(got); i += s.K {
		sum := 0.0
		for _, v := range got[i : i+s.K] {
			sum += v
		}
		if f := verify.Close(sum, want, verify.Tolerance{Abs: 1e-6 * sizes(s)[i]}); !f.OK {
			f.Where = fmt.Sprintf("row %d", i/s.K)
			return f
		}
		want = 0
	}
	return verify.Finding{OK: true}
}

func right(s sample) []float64 {
	return instance.LeastSquares(s.X, instance.OneOfK(s.labels, s.K)).RawMatrix().Data
}

// sizes returns the unit of each entry of W. The unit of an input's weights is 1 over the spread of
// the input. The unit of the biases is the size of the terms that they balance.
func sizes(s sample) []float64 {
	d := s.X.RawMatrix().Cols
	unit := make([]float64, (d+1)*s.K)
	bias := 1.0
	for j := range d {
		mean, spread := stat.MeanStdDev(mat.Col(nil, j, s.X), nil)
		for k := range s.K {
			unit[(j+1)*s.K+k] = 1 / spread
		}
		bias += math.Abs(mean) / spread
	}
	for k := range s.K {
		unit[k] = bias
	}
	return unit
}

func entry(s sample, i int) string { return fmt.Sprintf("row %d, column %d", i/s.K, i%s.K) }

// A sample is a training set for the task.
type sample struct {
	name   string
	X      *mat.Dense
	labels []int
	K      int
}

func (s sample) String() string {
	n, d := s.X.Dims()
	return fmt.Sprintf("%s (N = %d, D = %d, K = %d)", s.name, n, d, s.K)
}

type kind int

var kinds = []string{"two classes", "several classes", "a class without rows", "inputs of very different units"}

const (
	two kind = iota
	several
	missing
	units
)

// on draws samples of the given kinds, with one or more inputs.
var on = instance.OfKinds(5002, 4, draw)

func draw(r *rand.Rand, k kind, i int) sample {
	d := 1 + (i+int(k))%4
	s := sample{name: kinds[k], K: 2}
	if k != two {
		s.K = 3 + i%3
	}
	n := 3*(d+1) + 5*s.K
	s.X = mat.NewDense(n, d, instance.Normals(r, n*d))
	for row := range n {
		class := row * row % (2*s.K - 1) % s.K // classes differ in size, and every class has rows
		if k == missing && class == i%s.K {
			class = (class + 1) % s.K
		}
		s.labels = append(s.labels, class)
		for j := range d {
			x := s.X.At(row, j) + 1 + math.Sin(float64(class*(j+2)))
			if k == units {
				x = math.Pow(10, float64(2*j-2)) * (x + float64(20*(j%2)))
			}
			s.X.Set(row, j, x)
		}
	}
	return s
}

func init() { judge.Known(exercise, askWeights, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson02", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
