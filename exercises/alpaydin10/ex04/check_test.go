package ex04_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex04"
	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	mergeFunc = func(w1, w2 []float64) []float64
	splitFunc = func(w []float64) (w1, w2 []float64)
)

func checkMerge(f mergeFunc) *verify.Report { return ex04.Check(f, Split) }
func checkSplit(f splitFunc) *verify.Report { return ex04.Check(Merge, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex04.Exercise(), gate.OfNew(checkMerge, Merge), gate.Of(checkSplit, Split))
}

func scaled(w []float64, c float64) []float64 { return floats.ScaleTo(make([]float64, len(w)), c, w) }

func multiples(a, b float64) splitFunc {
	return func(w []float64) ([]float64, []float64) { return scaled(w, a), scaled(w, b) }
}

// changedPair returns an answer that applies f to the right pair w1 = w and w2 = 0. shiftPair returns
// an answer that adds c to all entries of this pair. withBiases returns an answer that replaces the
// two biases of this pair with a and b times the bias of w.
func changedPair(f func(w, w1, w2 []float64)) splitFunc {
	return func(w []float64) ([]float64, []float64) {
		w1, w2 := Split(w)
		f(w, w1, w2)
		return w1, w2
	}
}

func shiftPair(c float64) splitFunc {
	return changedPair(func(_, w1, w2 []float64) {
		floats.AddConst(c, w1)
		floats.AddConst(c, w2)
	})
}

func withBiases(a, b float64) splitFunc {
	return changedPair(func(w, w1, w2 []float64) { w1[0], w2[0] = a*w[0], b*w[0] })
}

var last = changedPair(func(_, _, w2 []float64) { w2[len(w2)-1]++ }) // this answer adds 1 to the last entry of w2

func TestRight(t *testing.T) {
	gate.Rights(t, checkMerge, map[string]mergeFunc{
		"reference": Merge,
		"loop": func(w1, w2 []float64) []float64 {
			var w []float64
			for j := range w1 {
				w = append(w, -(w2[j] - w1[j]))
			}
			return w
		},
		"mat": func(w1, w2 []float64) []float64 {
			var w mat.VecDense
			w.SubVec(mat.NewVecDense(len(w1), w1), mat.NewVecDense(len(w2), w2))
			return w.RawVector().Data
		},
		"largest subtracted, as in a stable softmax": func(w1, w2 []float64) []float64 {
			w := make([]float64, len(w1))
			for j := range w {
				top := math.Max(w1[j], w2[j])
				w[j] = (w1[j] - top) - (w2[j] - top)
			}
			return w
		},
	})
	random := rand.New(rand.NewPCG(1, 2))
	gate.Rights(t, checkSplit, map[string]splitFunc{
		"reference":                    Split,
		"first class as the reference": multiples(0, -1),
		"symmetric pair":               multiples(0.5, -0.5),
		"uneven pair":                  multiples(3, 2),
		"w itself returned":            func(w []float64) ([]float64, []float64) { return w, make([]float64, len(w)) },
		"1000 added":                   shiftPair(1000),
		"−100000 added":                shiftPair(-1e5),
		"bias with an error that the exercise permits": changedPair(func(_, _, w2 []float64) { w2[0] += 5e-7 }),
		"a different pair on each call": func(w []float64) ([]float64,
			[]float64) {
			return shiftPair(1000 * random.NormFloat64())(w)
		},
	})
}

// TestNotes checks that the report has a different message for each way of choosing a pair.
func TestNotes(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range []splitFunc{Split, multiples(0, -1), multiples(0.5, -0.5), multiples(3, 2)} {
		seen[checkSplit(f).Parts[5].Message] = true
	}
	if len(seen) != 4 {
		t.Errorf("got %d different messages for four ways of choosing a pair, want 4: %v", len(seen), seen)
	}
}

// TestWrong checks that the report on each wrong answer has a Wrong part with the answer's key. Most
// of these answers are not in the tables of mistakes.
func TestWrong(t *testing.T) {
	after := func(f func(w []float64)) mergeFunc {
		return func(w1, w2 []float64) []float64 {
			w := Merge(w1, w2)
			f(w)
			return w
		}
	}
	gate.Wrongs(t, ex04.Exercise(), checkMerge, map[string][]mergeFunc{
		"factor":        {after(func(w []float64) { floats.Scale(3, w) })},
		"posterior":     {after(func(w []float64) { w[0] += 0.25 })},
		"not-invariant": {func(w1, w2 []float64) []float64 { return floats.AddTo(make([]float64, len(w1)), w1, w2) }},
		"swap":          {func(w1, _ []float64) []float64 { return w1 }},
		"concatenated":  {func(w1, w2 []float64) []float64 { return append(append([]float64(nil), w1...), w2...) }},
		"wrong-length": {func(w1, w2 []float64) []float64 {
			return append([]float64{0, 0, 0},
				Merge(w1, w2)[1:]...)
		}},
		"not-new": {
			func(w1, w2 []float64) []float64 { // this answer returns its argument w1 itself if w2 is 0
				if floats.Norm(w2, 1) == 0 {
					return w1
				}
				return Merge(w1, w2)
			},
		},
	})
	gate.Wrongs(t, ex04.Exercise(), checkSplit, map[string][]splitFunc{
		"equal-pair":  {shiftPair(1e300)},
		"pair-factor": {multiples(2, -2)},
		"pair-bias":   {withBiases(1, 1), withBiases(0, 1), withBiases(1, -1), withBiases(0.5, 0)},
		"split-posterior": {
			changedPair(func(_, w1, _ []float64) { floats.AddConst(math.MaxFloat64, w1) }),
			last,
			// This answer rounds w1 to about seven digits, which are too few for weights in the
			// thousands.
			changedPair(func(w, w1, _ []float64) {
				for j, v := range w {
					w1[j] = float64(float32(v))
				}
			}),
			// The error of this answer is small, but larger than the exercise permits.
			changedPair(func(_, _, w2 []float64) { w2[0] += 1e-5 }),
			shiftPair(1e13), // at this size a float64 keeps only about three decimals of w
		},
		"wrong-length": {func(w []float64) ([]float64, []float64) { return w[:(len(w)+1)/2], w[len(w)/2:] }},
		"not-finite":   {logSigmoid},
	})
}

// logSigmoid returns ln σ(v) and ln σ(−v) for every entry v. It overflows if |v| is large.
func logSigmoid(w []float64) (w1, w2 []float64) {
	for _, v := range w {
		w1, w2 = append(w1, -math.Log1p(math.Exp(-v))), append(w2, -math.Log1p(math.Exp(v)))
	}
	return w1, w2
}

// TestDigits checks that the message about a pair of very large numbers mentions the lost digits, and
// that the message about a different wrong pair does not.
func TestDigits(t *testing.T) {
	for want, f := range map[bool]splitFunc{true: shiftPair(1e13), false: last} {
		if m := checkSplit(f).Parts[5].Message; strings.Contains(m, "digits") != want {
			t.Errorf("mention of lost digits in the message: want %v; the message is: %s", want, m)
		}
	}
}

// TestOneOfTwo checks that Check judges the parts of one function if the other function is not
// attempted.
func TestOneOfTwo(t *testing.T) {
	half := checkSplit(func([]float64) (w1, w2 []float64) { panic(verify.TODO) })
	if half.Passed() || half.Count(verify.NotAttempted) != 2 || half.Count(verify.Right) != 4 {
		t.Errorf("want two parts NotAttempted and four parts Right, got\n%s", half)
	}
}

func ExampleCheck() {
	first := func(w1, _ []float64) []float64 { return w1 }
	fmt.Println(ex04.Check(first, Split).Parts[1].Message)
	// Output: You return w1, as if the first class were judged alone. The softmax compares both scores; the second score matters as much.
}
