package leastsquares

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// near is the agreement, in units, that tells a mistake with a parameter.
const near = 1e-6

// family names the mistakes with a parameter.
func family(p Problem, got []float64) *verify.Verdict {
	if bad := solverSlip(p, got); bad != nil {
		return bad
	}
	targets, meets := p.T.RawMatrix().Data, true
	atTraining, elsewhere, shifted, sums, wantSums := true, true, true, true, true
	_, k := p.T.Dims()
	for i, v := range got {
		miss := v - p.want[i]
		here := math.Abs(miss) <= near*p.unit[i]
		if i < len(targets) {
			meets = meets && math.Abs(v-targets[i]) <= near*p.unit[i]
			atTraining = atTraining && here
		} else {
			elsewhere = elsewhere && here
		}
		shifted = shifted && math.Abs(miss-(got[i%k]-p.want[i%k])) <= near*p.unit[i]
	}
	for i := range p.At {
		unit := p.unit[i*k]
		sums = sums && math.Abs(floats.Sum(p.row(got, i))-1) <= near*unit
		wantSums = wantSums && math.Abs(floats.Sum(p.row(p.want, i))-1) <= near*unit
	}
	switch {
	case meets && !atTraining:
		return judge.Fail("interpolates", 1, "For %v you return the targets themselves at the training inputs. Overlapping classes cannot be met exactly by a linear function; least squares leaves residuals.", p)
	case sums && !wantSums:
		return judge.Fail("sum-forced", 2, "The targets of %v do not sum to 1, yet your outputs do. The constraint must come from the targets; a function that forces it is not least squares.", p)
	case atTraining && !elsewhere:
		return judge.Fail("elsewhere", 2, "For %v you predict as least squares does at the training inputs, and otherwise elsewhere.", p)
	case shifted && !(atTraining && elsewhere):
		return judge.Fail("bias-off", 2, "For %v the slopes are right, the biases are not: the residuals of each output must sum to zero.", p)
	}
	return nil
}

// solverSlip names a penalty, and a pseudo-inverse that leaves out too much.
func solverSlip(p Problem, got []float64) *verify.Verdict {
	switch kind := penalty(p, p.training(got)); {
	case kind == onAll:
		return judge.Fail("ridge-bias", 2, "For %v this minimises the squares plus a penalty on all weights, the bias included: what the penalty takes from the bias is missing in aᵀy + b. The exercise has no penalty (a small number added to the diagonal is one, however small it looks: what counts is its size beside that of the inputs).", p)
	case kind == onSlopes:
		return judge.Fail("ridge", 2, "For %v this minimises the squares plus a penalty on the slopes. The bias is free, so a constraint survives, but it is not the least-squares prediction.", p)
	case cutOff(p, got):
		return judge.Fail("cut-off", 4, "For %v this is a pseudo-inverse that leaves out a singular value which is not 0 and not rounding: an input that matters is ignored. What counts as 0 depends on the largest singular value and on the digits of float64, not on a fixed number, nor on a thousandth or so.", p)
	}
	return nil
}

type penaltyKind int

const (
	noPenalty penaltyKind = iota
	onAll
	onSlopes
)

// penalty looks for ridge regression: there the products of the columns of [1 X] with
// the residuals are not zero but λ times the weights, with λ > 0 the same for all that
// are penalised.
func penalty(p Problem, y *mat.Dense) penaltyKind {
	ones := instance.WithOnes(p.X)
	w := Solve(ones, y, FullRank)
	var fit, residual, products mat.Dense
	fit.Mul(ones, w)
	fit.Sub(&fit, y)
	if !(mat.Norm(&fit, 2) <= near*mat.Norm(y, 2)) {
		return noPenalty // it is not a linear function
	}
	residual.Sub(p.T, y)
	products.Mul(ones.T(), &residual)
	_, k := w.Dims()
	lambda, ok := multiple(products.RawMatrix().Data[k:], w.RawMatrix().Data[k:]) // of the slopes
	if !ok || !(lambda > 0) {
		return noPenalty
	}
	onBias, expected := products.RawRowView(0), append([]float64(nil), w.RawRowView(0)...)
	floats.Scale(lambda, expected)
	size := floats.Norm(expected, 2)
	switch {
	case floats.Distance(onBias, expected, 2) <= 1e-2*size:
		return onAll
	case floats.Norm(onBias, 2) <= 1e-2*size:
		return onSlopes
	}
	return noPenalty
}

// multiple finds c with a = c·b, to 1e-4 of a.
func multiple(a, b []float64) (c float64, ok bool) {
	c = floats.Dot(a, b) / floats.Dot(b, b) // NaN for 0/0
	return c, floats.Distance(a, floats.ScaleTo(make([]float64, len(b)), c, b), 2) <= 1e-4*floats.Norm(a, 2)
}

// cutOff tells whether the predictions are those of fewer singular values than [1 X]
// has, or the centred inputs have.
func cutOff(p Problem, got []float64) bool {
	ones, mean := instance.WithOnes(p.X), instance.Mean(p.X)
	centred, targets := instance.Centred(p.X, mean), instance.Mean(p.T)
	agrees := func(predict func(x []float64) []float64) bool {
		differs := false
		for i, x := range p.At {
			for j, v := range predict(x) {
				at := i*len(targets) + j
				if !(math.Abs(v-got[at]) <= 10*near*p.unit[at]) {
					return false
				}
				differs = differs || math.Abs(v-p.want[at]) > 100*near*p.unit[at]
			}
		}
		return differs
	}
	_, d := p.X.Dims()
	for rank := 1; rank <= min(d, p.X.RawMatrix().Rows); rank++ {
		plain, slopes := Solve(ones, p.T, rank), Solve(centred, p.T, rank)
		if agrees(func(x []float64) []float64 { return Times(append([]float64{1}, x...), plain) }) {
			return true
		}
		if rank < d && agrees(func(x []float64) []float64 {
			y := Times(instance.Minus(x, mean), slopes)
			floats.Add(y, targets)
			return y
		}) {
			return true
		}
	}
	return false
}
