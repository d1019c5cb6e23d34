// Package lesson02 judges the task of lesson 2: the weights of the least-squares
// classifier.
package lesson02

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type weightsFunc = func(X *mat.Dense, labels []int, K int) *mat.Dense

// Check judges `weights`, which returns the least-squares weights (4.16) for 1-of-K targets.
func Check(weights weightsFunc) *verify.Report {
	return exercise.Judge(weightsQuestion.Parts(weights, []judge.Property[sample]{
		judge.Form[sample]("a new (D+1)×K matrix, the same on every call", ofKinds(two, several), nil, judge.Wrong{},
			"You returned a weight for each input and class, and a bias for each class."),
		{Name: "the least sum of squares", Problems: ofKinds(two, several), Holds: compareWeights,
			Wrong: judge.Wrong{Key: "weights", Hint: 2,
				Message: "{problem}: your weights are not the least-squares weights for 1-of-K targets: they are {off}."},
			Right: "No other weights have a smaller sum of squares, with two classes and with more."},
		{Name: "the outputs sum to 1", Problems: ofKinds(two, several, missing), Holds: checkSums,
			Wrong: judge.Wrong{Key: "sum", Hint: 2,
				Message: "{problem}: the biases of all classes should sum to 1, and the weights of each input should sum to 0. One of your sums is {off}."},
			Right: "The biases sum to 1, and the weights of each input sum to 0, because the targets are 1-of-K codes."},
		{Name: "a class without rows", Problems: ofKinds(two, several, missing), Holds: compareWeights,
			Wrong: judge.Wrong{Key: "missing", Hint: 1,
				Message: "{problem}: the column of a class without rows should fit targets of 0, and every other column the targets of its class. Your weights are {off}."},
			Right: "The output of a class without rows is 0 everywhere."},
		{Name: "inputs in other units, and inputs far from 0", Problems: ofKinds(two, several, units),
			Holds: compareWeights,
			Wrong: judge.Wrong{Key: "units", Hint: 3,
				Message: "{problem}: your weights differ from the least-squares weights: they are {off}."},
			Right: "Your weights are also right for columns of very different size, and for inputs far from 0."},
	}...)...)
}

// compareWeights compares each entry of W with the right entry. The tolerance is 1e-6 times the
// unit of the entry (weightUnits). An answer that solves the normal equations is accurate enough.
func compareWeights(s sample, got []float64) verify.Finding {
	want, unit := rightWeights(s), weightUnits(s)
	for i, v := range got {
		if f := verify.Close(v, want[i], verify.Tolerance{Abs: 1e-6 * unit[i]}); !f.OK {
			f.Where = entry(s, i)
			return f
		}
	}
	return verify.Finding{OK: true}
}

// checkSums checks that the biases sum to 1, and that the weights of each input sum to 0.
func checkSums(s sample, got []float64) verify.Finding {
	want := 1.0
	for i := 0; i < len(got); i += s.K {
		sum := 0.0
		for _, v := range got[i : i+s.K] {
			sum += v
		}
		if f := verify.Close(sum, want, verify.Tolerance{Abs: 1e-6 * weightUnits(s)[i]}); !f.OK {
			f.Where = fmt.Sprintf("row %d", i/s.K)
			return f
		}
		want = 0
	}
	return verify.Finding{OK: true}
}

func rightWeights(s sample) []float64 {
	return instance.LeastSquares(s.X, instance.OneOfK(s.labels, s.K)).RawMatrix().Data
}

// weightUnits returns the typical size of each entry of W, to which tolerances are proportional.
// For the weights of an input, this size is 1 divided by the spread of the input. For a bias, the
// size is 1 plus the sum of |mean|/spread over the inputs, because the bias must cancel terms of
// this size.
func weightUnits(s sample) []float64 {
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

// ofKinds returns a function that draws training sets of the given kinds, with one or more inputs.
var ofKinds = instance.OfKinds(5002, 4, draw)

func draw(r *rand.Rand, k kind, i int) sample {
	d := 1 + (i+int(k))%4
	s := sample{name: kinds[k], K: 2}
	if k != two {
		s.K = 3 + i%3
	}
	n := 3*(d+1) + 5*s.K
	s.X = mat.NewDense(n, d, instance.Normals(r, n*d))
	for row := range n {
		class := row % (2*s.K - 1) % s.K // every class has rows, the last one about half as many as the others
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

var weightsQuestion = &judge.Question[weightsFunc, sample]{
	Func: "Weights", Name: "W", Hint: 2, New: true, Entry: entry,
	Invoke: func(f weightsFunc, c *judge.Call, s sample) []float64 {
		W := f(c.Dense("X", s.X), c.Ints("labels", s.labels), s.K)
		d := s.X.RawMatrix().Cols
		if W != nil {
			switch r, k := W.Dims(); {
			case r == d && k == s.K:
				c.Say(judge.Fail("no-ones", 1,
					"Your W has a row for each input, but no row for the biases: add a column of ones in front of X."))
			case r == s.K && k == d+1 && r != k:
				c.Say(judge.Fail("transposed", 2,
					"Your W is K×(D+1), one row per class. Return one column per class, with one row for the biases and one row for each input."))
			}
		}
		return c.Matrix("W", W, d+1, s.K, "(D+1)×K")
	},
	Right: rightWeights,
	Unit:  func(s sample, _ []float64) []float64 { return weightUnits(s) },
	Sign: judge.Wrong{Key: "sign", Hint: 2,
		Message: "Your weights are the least-squares weights with the opposite sign. Set the gradient to zero, and check on which side of the equation each term stands."},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your weights are the least-squares weights multiplied by a constant. This happens if the target of a row's own class is not 1, or if you multiply only one side of the equations by a constant, such as ½."},
	Mistakes: []judge.Mistake[weightsFunc]{
		{Key: "no-bias", Hint: 1,
			Message: "Your W is the fit without a column of ones: the biases are 0, and so is every output at x = 0.",
			Answer: func(X *mat.Dense, labels []int, K int) *mat.Dense {
				var W, all mat.Dense
				if err := W.Solve(X, instance.OneOfK(labels, K)); err != nil {
					panic(err)
				}
				all.Stack(mat.NewDense(1, K, nil), &W)
				return &all
			}},
		{Key: "bias-last", Hint: 1,
			Message: "Your weights are right, but the biases are in the last row of W. Put the column of ones in front of X, so that the biases are in row 0.",
			Answer: changedWeights(func(W *mat.Dense, _ []int) {
				d := W.RawMatrix().Rows - 1
				biases := slices.Clone(W.RawRowView(0))
				for i := range d {
					W.SetRow(i, W.RawRowView(i+1))
				}
				W.SetRow(d, biases)
			})},
		{Key: "bias-of-centred", Hint: 2,
			Message: "Your weights are right, but your biases are the shares of the classes. These are the biases for centred inputs. For inputs that are not centred, subtract from each bias the product of the weights and the mean of the inputs.",
			Answer: changedWeights(func(W *mat.Dense, labels []int) {
				shares := instance.Counts(labels, W.RawMatrix().Cols)
				floats.Scale(1/float64(len(labels)), shares)
				W.SetRow(0, shares)
			})},
		{Key: "bias-lost", Hint: 1, Message: "Your weights are right, and all biases are 0.",
			Answer: changedWeights(func(W *mat.Dense, _ []int) { clear(W.RawRowView(0)) })},
		{Key: "not-solved", Hint: 2,
			Message: "Your W is only the right-hand side of the normal equations, X̃ᵀT. You still have to solve X̃ᵀX̃ W = X̃ᵀT.",
			Answer: func(X *mat.Dense, labels []int, K int) *mat.Dense {
				var W mat.Dense
				W.Mul(instance.WithOnes(X).T(), instance.OneOfK(labels, K))
				return &W
			}},
		{Key: "penalised", Hint: 2,
			Message: "Your weights solve (X̃ᵀX̃ + I) W = X̃ᵀT: the number added to the diagonal makes the weights smaller than the least-squares weights.",
			Answer: func(X *mat.Dense, labels []int, K int) *mat.Dense {
				ones := instance.WithOnes(X)
				var A, B, W mat.Dense
				A.Mul(ones.T(), ones)
				for i := range A.RawMatrix().Rows {
					A.Set(i, i, A.At(i, i)+1)
				}
				B.Mul(ones.T(), instance.OneOfK(labels, K))
				if err := W.Solve(&A, &B); err != nil {
					panic(err)
				}
				return &W
			}},
		{Key: "plus-minus", Hint: 1,
			Message: "Your weights fit the targets +1 for the class and −1 for the others. A 1-of-K target is 0 for the other classes.",
			Answer:  codedTargets(func(t float64, _, _ int) float64 { return 2*t - 1 })},
		{Key: "turned-round", Hint: 1,
			Message: "Your weights fit the targets 0 for the class and 1 for all others; the targets should be 1 for the class and 0 for all others.",
			Answer:  codedTargets(func(t float64, _, _ int) float64 { return 1 - t })},
		{Key: "labels", Hint: 1,
			Message: "Each of your columns fits the label itself, 0 … K−1, as if the label were a quantity. Use a separate target for each class: 1 for the rows of the class, and 0 for the others.",
			Answer: func(X *mat.Dense, labels []int, K int) *mat.Dense {
				T := mat.NewDense(len(labels), K, nil)
				T.Apply(func(n, _ int, _ float64) float64 { return float64(labels[n]) }, T)
				return instance.LeastSquares(X, T)
			}},
		{Key: "next-class", Hint: 1,
			Message: "The column of each class fits the rows of the previous class, and column 0 fits the rows of the last class. Labels and columns both count from 0.",
			Answer: func(X *mat.Dense, labels []int, K int) *mat.Dense {
				next := make([]int, len(labels))
				for i, k := range labels {
					next[i] = (k + 1) % K
				}
				return instance.LeastSquares(X, instance.OneOfK(next, K))
			}},
		{Key: "last-left-out", Hint: 1,
			Message: "The column of the last class is 0; the other columns are right.",
			Answer: codedTargets(func(t float64, k, K int) float64 {
				if k == K-1 {
					return 0
				}
				return t
			})},
		{Key: "slopes-alone", Hint: 2,
			Message: "Your weights fit each input separately. Fit all inputs together: the matrix X̃ᵀX̃ has entries off its diagonal.",
			Answer: func(X *mat.Dense, labels []int, K int) *mat.Dense {
				T := instance.OneOfK(labels, K)
				n, d := X.Dims()
				W := mat.NewDense(d+1, K, nil)
				W.SetRow(0, instance.Mean(T))
				mean := instance.Mean(X)
				for j := range d {
					w := instance.LeastSquares(mat.NewDense(n, 1, mat.Col(nil, j, X)), T)
					W.SetRow(j+1, w.RawRowView(1))
					floats.AddScaled(W.RawRowView(0), -mean[j], w.RawRowView(1))
				}
				return W
			}},
	},
}

// changedWeights returns a wrong answer, which computes the least-squares weights and then alters
// them with the function `change`.
func changedWeights(change func(W *mat.Dense, labels []int)) weightsFunc {
	return func(X *mat.Dense, labels []int, K int) *mat.Dense {
		W := instance.LeastSquares(X, instance.OneOfK(labels, K))
		change(W, labels)
		return W
	}
}

// codedTargets returns an answer that replaces each entry t of the 1-of-K targets with target(t, k,
// K), where k is the class. The answer then fits the new targets.
func codedTargets(target func(t float64, k, K int) float64) weightsFunc {
	return func(X *mat.Dense, labels []int, K int) *mat.Dense {
		T := instance.OneOfK(labels, K)
		T.Apply(func(_, k int, t float64) float64 { return target(t, k, K) }, T)
		return instance.LeastSquares(X, T)
	}
}

func init() { judge.Known(exercise, weightsQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson02", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
