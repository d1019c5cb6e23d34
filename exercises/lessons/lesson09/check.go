// Package lesson09 judges the task of lesson 9: one gradient step of softmax regression.
package lesson09

import (
	"embed"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges `step`, which returns the weights of softmax regression after one gradient step with
// the learning rate eta. The step starts at the weights W (M×K). It goes down the gradient (4.109) of
// the term that a pattern phi of class k contributes to the error.
func Check(step stepFunc) *verify.Report {
	return exercise.Judge(stepQuestion.Parts(step, []judge.Property[presentation]{
		judge.Form("a new M×K matrix with the same entries on every call", patternSizes, nil, judge.Wrong{},
			"You returned a new matrix of the shape of W."),
		{Name: "every class moves by −η(y − t)φ", Problems: generalPatterns, Holds: compareWeights,
			Wrong: judge.Wrong{Key: "step", Hint: 1,
				Message: "{problem}: your new weights differ from W − η∇E: they are {off} (entries are counted row by row)."},
			Right: "Your step adds η(1 − y_k)φ to the weights of the true class k, and subtracts ηy_jφ from the weights of every other class j."},
		{Name: "one class, two classes and many classes", Problems: patternSizes, Holds: compareWeights,
			Wrong: judge.Wrong{Key: "sizes", Hint: 1,
				Message: "{problem}: your new weights differ from W − η∇E: they are {off} (entries are counted row by row)."},
			Right: "With one class your step changes no weight. With two classes both columns move by the step of logistic regression, in opposite directions. Your step is also right for 40 classes."},
		{Name: "finite and right at activations up to ±1000", Problems: farPatterns, Holds: compareWeights,
			Wrong: judge.Wrong{Key: "far", Hint: 2,
				Message: "{problem}: your weights are finite, but {off}. Every output, even a very small one, must be right for such activations too."},
			Right: "Nothing overflows at activations of ±1000, whichever class has the largest activation."},
	}...)...)
}

// A presentation is one pattern that is presented to softmax regression.
type presentation struct {
	name string
	W    *mat.Dense
	phi  []float64
	k    int
	eta  float64
}

func (s presentation) String() string { return "“" + s.name + "”" }

// compareWeights compares `got` with the right weights, to the nine digits that the statement
// requires. The tolerance is proportional to the largest absolute value of an old or new weight,
// because a new weight near 0 is the difference of nearly equal numbers and has lost digits.
func compareWeights(s presentation, got []float64) verify.Finding {
	want := rightWeights(s)
	size := max(floats.Norm(want, math.Inf(1)), floats.Norm(entries(s.W), math.Inf(1)))
	return verify.CloseSlice(got, want, verify.Tolerance{Abs: 1e-9 * size})
}

// rightWeights returns the right weights. It computes output k as 1/Σ_j exp(a_j − a_k). It need
// not subtract the largest activation, because an exponential that overflows to ∞ makes the output 0,
// which is right.
func rightWeights(s presentation) []float64 {
	return entries(stepBy(outputs, residual)(s.W, s.phi, s.k, s.eta))
}

func entries(m *mat.Dense) (list []float64) {
	for i := range m.RawMatrix().Rows {
		list = append(list, m.RawRowView(i)...)
	}
	return list
}

// draw returns a random pattern of m features, and random weights for K classes. Feature 0 is the
// bias. The activations have absolute values of a few units.
func draw(part uint64, m, K, k int, eta float64) presentation {
	r := instance.Source(5009, part)
	s := presentation{name: fmt.Sprintf("M = %d, k = %d, K = %d, η = %g", m, k, K, eta),
		W: mat.NewDense(m, K, instance.Normals(r, m*K)), phi: instance.Normals(r, m), k: k, eta: eta}
	s.phi[0] = 1
	return s
}

// generalPatterns returns patterns of various classes. In every problem but the first there are at
// least as many features as classes. An answer that takes phi[j] for class j, in place of phi[i] for
// feature i, therefore does not panic in these problems, but returns wrong numbers.
func generalPatterns() []presentation {
	zero := draw(18, 3, 3, 1, 0.5)
	zero.name += ", all weights 0"
	zero.W.Zero()
	right := draw(19, 3, 4, 0, 0.5)
	right.k = floats.MaxIdx(instance.Activations(mat.DenseCopyOf(right.W.T()), right.phi))
	right.name = fmt.Sprintf("M = 3, k = %d, K = 4, η = 0.5, the activation of class k is the largest", right.k)
	return []presentation{right, draw(10, 4, 3, 0, 0.5), draw(11, 4, 3, 1, 0.2), draw(12, 3, 3, 2, 2),
		draw(13, 5, 4, 3, 0.1), draw(14, 5, 4, 1, 0.7), draw(15, 6, 5, 2, 0.3), zero}
}

// patternSizes returns the patterns of generalPatterns, followed by patterns with 1 to 40 classes
// and 1 to 3 features.
func patternSizes() []presentation {
	return append(generalPatterns(), draw(30, 3, 1, 0, 0.5), draw(31, 3, 2, 0, 0.5), draw(32, 3, 2, 1, 0.3),
		draw(33, 2, 9, 7, 0.4), draw(34, 1, 4, 0, 0.6), draw(35, 3, 40, 37, 0.5))
}

// farPatterns returns three patterns of generalPatterns, followed by patterns with the activations
// of instance.Scores, up to ±1000.
func farPatterns() []presentation {
	list := generalPatterns()[:3]
	r := instance.Source(5009, 50)
	for i, a := range instance.Scores() {
		s := presentation{name: fmt.Sprintf("activations %g", a), W: mat.NewDense(2, len(a), nil), phi: []float64{1, 0.5},
			k: i % len(a), eta: 0.5}
		for j, v := range a {
			s.W.Set(1, j, r.NormFloat64())
			s.W.Set(0, j, v-0.5*s.W.At(1, j))
		}
		s.name += fmt.Sprintf(", k = %d", s.k)
		list = append(list, s)
	}
	return list
}

var stepQuestion = &judge.Question[stepFunc, presentation]{
	Func: "Step", Name: "W", Hint: 1, Per: "entry of W", New: true,
	Invoke: func(f stepFunc, c *judge.Call, s presentation) []float64 {
		m, k := s.W.Dims()
		return c.Matrix("W", f(c.Dense("W", s.W), c.Slice("phi", s.phi), s.k, s.eta), m, k, "M×K")
	},
	Entry: func(s presentation, i int) string {
		_, k := s.W.Dims()
		return fmt.Sprintf("row %d, column %d", i/k, i%k)
	},
	Right:    rightWeights,
	Mistakes: mistakes,
}

type stepFunc = func(W *mat.Dense, phi []float64, k int, eta float64) *mat.Dense

func outputs(a []float64) []float64 {
	y := make([]float64, len(a))
	for k := range a {
		sum := 0.0
		for _, v := range a {
			sum += math.Exp(v - a[k])
		}
		y[k] = 1 / sum
	}
	return y
}

// eachActivation returns a function to use in place of the softmax. The function applies f to every
// activation separately.
func eachActivation(f func(float64) float64) func(a []float64) []float64 {
	return func(a []float64) []float64 {
		y := make([]float64, len(a))
		for k, v := range a {
			y[k] = f(v)
		}
		return y
	}
}

// residual returns t_j − y_j, where t_j is 1 for the true class k and 0 otherwise.
func residual(y []float64, j, k int, _ float64) float64 {
	if j == k {
		return 1 - y[j]
	}
	return -y[j]
}

// stepBy returns a step that computes the new weights w_j + η·r_j·φ for every class j. The function
// r computes the residuals r_j.
func stepBy(out func(a []float64) []float64, r func(y []float64, j, k int, eta float64) float64) stepFunc {
	return placedStep(out, r, func(W *mat.Dense, phi []float64, i, j int) float64 { return phi[i] }, 1)
}

// placedStep returns a step that multiplies W by the number `keep`. For all i and j, the step then
// adds η·r_j·at(i, j) to the entry in row i and column j. The function r computes the residuals
// r_j.
func placedStep(out func(a []float64) []float64, r func(y []float64, j, k int, eta float64) float64,
	at func(W *mat.Dense, phi []float64, i, j int) float64, keep float64) stepFunc {
	return func(W *mat.Dense, phi []float64, k int, eta float64) *mat.Dense {
		m, K := W.Dims()
		a := make([]float64, K)
		for j := range a {
			a[j] = floats.Dot(mat.Col(nil, j, W), phi)
		}
		y, next := out(a), mat.NewDense(m, K, nil)
		for i := range m {
			for j := range K {
				next.Set(i, j, keep*W.At(i, j)+eta*r(y, j, k, eta)*at(W, phi, i, j))
			}
		}
		return next
	}
}

func feature(_ *mat.Dense, phi []float64, i, _ int) float64 { return phi[i] }

var mistakes = []judge.Mistake[stepFunc]{
	{Key: "sign", Hint: 1,
		Message: "Your step goes up the gradient: the true class moves away from the pattern. With (y − t) subtract, with (t − y) add.",
		Answer: stepBy(outputs,
			func(y []float64, j, k int, eta float64) float64 { return -residual(y, j, k, eta) })},
	{Key: "no-rate", Hint: 1, Message: "η is missing, or has no effect: your step is the whole gradient.",
		Answer: stepBy(outputs,
			func(y []float64, j, k int, eta float64) float64 { return residual(y, j, k, eta) / eta })},
	{Key: "true-only", Hint: 1,
		Message: "Your step moves only the column of the true class. The column of every other class j must move away from the pattern, by ηy_jφ.",
		Answer: stepBy(outputs, func(y []float64, j, k int, eta float64) float64 {
			if j != k {
				return 0
			}
			return residual(y, j, k, eta)
		})},
	{Key: "no-target", Hint: 1,
		Message: "In your step all columns move away from the pattern, as if you had omitted the target 1 of the true class.",
		Answer:  stepBy(outputs, func(y []float64, j, _ int, _ float64) float64 { return -y[j] })},
	{Key: "arg-max", Hint: 2,
		Message: "Your outputs are 1 for the largest activation and 0 for the others, as in a multiclass perceptron. The outputs of the softmax are probabilities between 0 and 1.",
		Answer: stepBy(func(a []float64) []float64 {
			y := make([]float64, len(a))
			y[floats.MaxIdx(a)] = 1
			return y
		}, residual)},
	{Key: "only-mistakes", Hint: 1,
		Message: "{problem}: the true class has the largest activation, and your step moves no weight, as in the perceptron. Here every pattern changes the weights, by −η(y − t)φ.",
		Answer: func(W *mat.Dense, phi []float64, k int, eta float64) *mat.Dense {
			var a mat.VecDense
			if a.MulVec(W.T(), mat.NewVecDense(len(phi), phi)); floats.MaxIdx(a.RawVector().Data) == k {
				return mat.DenseCopyOf(W)
			}
			return stepBy(outputs, residual)(W, phi, k, eta)
		}},
	{Key: "sigmoids", Hint: 2,
		Message: "Each of your outputs is the sigmoid of its activation, as in K one-versus-rest models. In the softmax all outputs share one denominator and sum to 1.",
		Answer:  stepBy(eachActivation(func(a float64) float64 { return 1 / (1 + math.Exp(-a)) }), residual)},
	{Key: "linear", Hint: 2,
		Message: "The softmax is missing: your outputs are the activations themselves, as in least squares.",
		Answer:  stepBy(eachActivation(func(a float64) float64 { return a }), residual)},
	{Key: "not-normalised", Hint: 2,
		Message: "Your outputs are the exponentials. Divide them by their sum.",
		Answer:  stepBy(eachActivation(math.Exp), residual)},
	{Key: "one-too-many", Hint: 2,
		Message: "Your denominator contains an extra 1. The 1 is the exponential of a reference class without weights, as in Alpaydin's (10.28); here every class has a column of weights.",
		Answer:  stepBy(func(a []float64) []float64 { return outputs(append([]float64{0}, a...))[1:] }, residual)},
	{Key: "mirrored", Hint: 2,
		Message: "Your outputs are largest where the activation is smallest. Check the sign in the exponential.",
		Answer:  stepBy(func(a []float64) []float64 { return outputs(eachActivation(func(v float64) float64 { return -v })(a)) }, residual)},
	{Key: "slope", Hint: 1,
		Message: "Your step contains the factor y(1 − y). In the gradient of the cross-entropy the slope of the outputs cancels, as for two classes.",
		Answer: stepBy(outputs, func(y []float64, j, k int, eta float64) float64 {
			return residual(y, j, k, eta) * y[j] * (1 - y[j])
		})},
	{Key: "wrong-index", Hint: 3,
		Message: "Your update for class j uses only feature j, as in the misprint of Alpaydin's figure 10.8. The right update for every class uses all features.",
		Answer: placedStep(outputs, residual,
			func(_ *mat.Dense, phi []float64, _, j int) float64 { return phi[min(j, len(phi)-1)] }, 1)},
	{Key: "last-left-out", Hint: 1,
		Message: "The column of the last class stays unchanged, as if the last class were a reference class with weights fixed at 0. Here all K columns change.",
		Answer: stepBy(outputs, func(y []float64, j, k int, eta float64) float64 {
			if j == len(y)-1 {
				return 0
			}
			return residual(y, j, k, eta)
		})},
	{Key: "bias-left-out", Hint: 1,
		Message: "The first row of W stays unchanged. If it contains the biases, correct them like all other weights: their feature is 1.",
		Answer: placedStep(outputs, residual, func(_ *mat.Dense, phi []float64, i, _ int) float64 {
			if i == 0 {
				return 0
			}
			return phi[i]
		}, 1)},
	{Key: "change-only", Hint: 1, Message: "You return the change in the weights. Return the new weights.",
		Answer: placedStep(outputs, residual, feature, 0)},
}

func init() { judge.Known(exercise, stepQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/lessons/lesson09", files)

// Exercise returns a copy of the text of this task.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
