package classify

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// FitSigmoidSquaresTargets is FitSigmoidSquares for classes that are not exclusive, the
// end of Alpaydin 10.8: t is N×K with entries 0 and 1, any number of ones in a row. A row
// may belong to several classes (an article on sports and politics) or to none. Each
// of the K columns has an output of its own, also if there are two; a single one has
// the model of two classes. Values tells which outputs are above ½; Predict returns
// the class of the largest, and Scores orders as they do.
//
// Errors: those of FitSigmoidSquares, other entries of t, another number of rows.
//
// Equations: Alpaydin (10.36)–(10.45).
func FitSigmoidSquaresTargets(x, t mat.Matrix, o SigmoidSquaresOptions) (*SigmoidSquares, error) {
	m, err := fitSigmoidTargets(x, t, o)
	if err != nil {
		return nil, weightedFailure("FitSigmoidSquaresTargets", o.Weights, err)
	}
	return m, nil
}

func fitSigmoidTargets(x, targets mat.Matrix, o SigmoidSquaresOptions) (*SigmoidSquares, error) {
	x, targets, err := weighMatrix(x, targets, o.Weights)
	if err != nil {
		return nil, err
	}
	src, _, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	rows, err := check.Rows(targets)
	if err != nil {
		return nil, fmt.Errorf("the targets: %w", err)
	}
	n, k := rows.Dims()
	if want, _ := src.Dims(); n != want {
		return nil, fmt.Errorf("t has %d rows but x has %d: give one row of targets per row of x", n, want)
	}
	for i := range n {
		for j := range k {
			if v := targets.At(i, j); v != 0 && v != 1 {
				return nil, fmt.Errorf("t(%d,%d) is %v: a target is 1 if the row belongs to the class, else 0", i, j, v)
			}
		}
	}
	return fitSigmoidOutputs(x, src, k, func(i, j int) bool { return targets.At(i, j) == 1 }, o)
}

// fitSigmoidOutputs fits every output; belongs says whether a row has its target 1.
func fitSigmoidOutputs(x mat.Matrix, src *block.Source, outputs int, belongs func(row, output int) bool, o SigmoidSquaresOptions) (*SigmoidSquares, error) {
	n, d := src.Dims()
	if float64(d+1)*float64(outputs) > 1<<26 {
		return nil, fmt.Errorf("%d outputs with %d weights each are too many", outputs, d+1)
	}
	if o.Start != nil {
		if r, c := o.Start.Dims(); r != d+1 || c != outputs {
			return nil, fmt.Errorf("option Start is %d×%d, needed is %d×%d (the bias and one row per column of x, one column per output)", r, c, d+1, outputs)
		}
	}
	m := &SigmoidSquares{W: mat.NewDense(d+1, outputs, nil), N: wholeRows(src.Total())}
	rng := rand.New(rand.NewPCG(o.Seed, 1008))
	for j := range outputs {
		t, ones := make([]float64, n), 0
		for i := range t {
			if belongs(i, j) {
				t[i] = 1
				ones++
			}
		}
		e, err := fitSigmoidOutput(x, t, ones, o, j, rng)
		if err != nil {
			return nil, err
		}
		m.W.SetCol(j, e.W)
		m.SumSquare -= e.LogLikelihood
		m.Rank = e.Rank
		m.Outputs = append(m.Outputs, SigmoidSquaresOutput{
			E: e.E, Hessian: e.Hessian, Iterations: e.Iterations, Converged: e.Converged, Reason: e.Reason,
			Separable: e.Separable, Direction: e.Direction, Trace: e.Trace,
		})
	}
	return m, nil
}
