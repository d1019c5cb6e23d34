package show

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// PosteriorFunc makes a model from a function f. For one input x, f(x) returns the posterior
// probabilities p(C_k|x). For two classes f may return only p(C₁|x). Both [Regions] and [Posterior]
// accept such a model.
//
// The methods of the model return an error if f is nil or returns nothing, if the number of classes
// varies, if the result is not a probability distribution, or if there are no inputs. A probability
// distribution contains no NaN and no negative numbers, and its sum differs from 1 by at most 1e-6.
type PosteriorFunc func(x []float64) []float64

// ScoreFunc makes a model from a function that returns the activations a_k(x) of one input. The
// model predicts the class with the largest activation. If the function returns a single activation
// a, this means the activations (a, 0), so the model predicts class C₁ where a ≥ 0.
//
// The methods of the model return an error if the function is nil or returns nothing or NaN, if the
// number of activations varies, or if there are no inputs.
type ScoreFunc func(x []float64) []float64

// PredictFunc makes a model from a function that returns the class of one input. Classes are counted
// from 0.
type PredictFunc func(x []float64) int

var (
	_ classify.Predictor = PosteriorFunc(nil)
	_ classify.Prober    = PosteriorFunc(nil)
	_ classify.Predictor = ScoreFunc(nil)
	_ classify.Scorer    = ScoreFunc(nil)
	_ classify.Predictor = PredictFunc(nil)
)

// Posterior returns the N×K posteriors of the rows of x.
func (f PosteriorFunc) Posterior(x mat.Matrix) (*mat.Dense, error) {
	p, err := eachRow(x, "PosteriorFunc", f, func(p float64) float64 { return 1 - p })
	if err != nil {
		return nil, err
	}
	n, k := p.Dims()
	for i := range n {
		sum := 0.0
		for j := range k {
			v := p.At(i, j)
			if !(v >= 0) {
				return nil, fmt.Errorf("show: PosteriorFunc: the posterior of class %d is %v at x = %.6g; want at least 0", j, v, mat.Row(nil, i, x))
			}
			sum += v
		}
		if math.Abs(sum-1) > 1e-6 {
			return nil, fmt.Errorf("show: PosteriorFunc: the posteriors at x = %.6g sum to %.9g; want 1, so divide them by their sum", mat.Row(nil, i, x), sum)
		}
	}
	return p, nil
}

// Predict returns, for each row of x, the class with the largest posterior. If classes tie, it
// returns the first of these classes.
func (f PosteriorFunc) Predict(x mat.Matrix) ([]int, error) {
	return table(f.Posterior).largestClass(x)
}

// Scores returns the N×K activations of the rows of x.
func (f ScoreFunc) Scores(x mat.Matrix) (*mat.Dense, error) {
	return eachRow(x, "ScoreFunc", f, func(float64) float64 { return 0 })
}

// Predict returns, for each row of x, the class with the largest activation. If classes tie, it
// returns the first of these classes.
func (f ScoreFunc) Predict(x mat.Matrix) ([]int, error) {
	return table(f.Scores).largestClass(x)
}

// Predict returns the classes of the rows of x. It returns an error only if f is nil.
func (f PredictFunc) Predict(x mat.Matrix) ([]int, error) {
	if f == nil {
		return nil, fmt.Errorf("show: PredictFunc: the function is nil")
	}
	n, d := x.Dims()
	out := make([]int, n)
	row := make([]float64, d)
	for i := range out {
		out[i] = f(mat.Row(row, i, x))
	}
	return out, nil
}

// eachRow applies f to every row of x. If f returns a single value v, eachRow appends other(v) as
// the second value.
func eachRow(x mat.Matrix, kind string, f func([]float64) []float64, other func(float64) float64) (*mat.Dense, error) {
	if f == nil {
		return nil, fmt.Errorf("show: %s: the function is nil", kind)
	}
	n, d := x.Dims()
	if n == 0 {
		return nil, fmt.Errorf("show: %s: x has no rows; want at least one", kind)
	}
	var out *mat.Dense
	for i := range n {
		row := mat.Row(make([]float64, d), i, x) // pass a new slice to each call, because f may keep or change it
		v := f(row)
		if len(v) == 1 {
			v = []float64{v[0], other(v[0])}
		}
		if len(v) == 0 {
			return nil, fmt.Errorf("show: %s: the function returned nothing at x = %.6g; it must return one number for each class", kind, mat.Row(nil, i, x))
		}
		if out == nil {
			out = mat.NewDense(n, len(v), nil)
		}
		if _, k := out.Dims(); len(v) != k {
			return nil, fmt.Errorf("show: %s: the function returned %d numbers at x = %.6g and %d before; it must return one for each class", kind, len(v), mat.Row(nil, i, x), k)
		}
		for j, a := range v {
			if math.IsNaN(a) {
				return nil, fmt.Errorf("show: %s: value %d is NaN at x = %.6g", kind, j, mat.Row(nil, i, x))
			}
			out.Set(i, j, a)
		}
	}
	return out, nil
}
