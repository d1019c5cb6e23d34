package classify

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// EvaluateOptions are the options of EvaluateFolds and EvaluateHeldOut.
type EvaluateOptions struct {
	// Folds is the number of folds in EvaluateFolds; 0 means 10. In EvaluateHeldOut, Folds must be 0.
	Folds int
	// HeldOut is the share of the rows that EvaluateHeldOut does not use in the fit; 0 means ¼. In
	// EvaluateFolds, HeldOut must be 0.
	HeldOut float64
	// Seed is the seed of the random assignment of rows.
	Seed uint64
	// Stratified keeps the class shares in all folds or parts as equal as possible.
	Stratified bool
}

// FoldScore is the score of a model on one fold. The model is fitted to all other rows. LogLoss and
// Brier are NaN if the model provides no probabilities.
type FoldScore struct {
	N                        int // number of rows in the fold
	Accuracy, LogLoss, Brier float64
}

// Evaluation is the result of evaluating a kind of model on rows that were not used in the fit.
//
// The standard errors treat the rows as independent. They are somewhat too small, because the
// models for different folds are fitted to nearly the same rows. The field Folds shows how much the
// scores of the folds differ.
type Evaluation struct {
	Rows      []int      // the row numbers of the evaluated rows, fold after fold
	Predicted []int      // the predicted class of each row in Rows
	Posterior *mat.Dense // the class probabilities of each row in Rows; nil unless the models of all folds are Probers
	Confusion *Confusion
	Accuracy  Score
	LogLoss   Score // the result of ScoreLogLoss; NaN if Posterior is nil
	Brier     Score // the result of ScoreBrier; NaN if Posterior is nil
	// AUC is the area under the ROC curve (ScoreROC) of p(C₁|x) over all evaluated rows. AUC is NaN
	// if Posterior is nil, for more than two classes, and if all evaluated rows are of one class.
	AUC   Score
	Folds []FoldScore
}

// String returns the scores with their standard errors, a row per fold and the confusion matrix.
// Scores that are NaN are omitted.
func (e *Evaluation) String() string {
	p := &modelText{}
	if e == nil || e.Confusion == nil {
		return "0 rows"
	}
	head, probabilities := fmt.Sprintf("%d rows, accuracy %v", len(e.Rows), e.Accuracy), e.Posterior != nil
	if probabilities {
		head += fmt.Sprintf(", log loss %v, Brier %v", e.LogLoss, e.Brier)
	}
	if !math.IsNaN(e.AUC.Value) {
		head += fmt.Sprintf(", AUC %v", e.AUC)
	}
	p.say("%s", head)
	p.addRow(append([]any{"fold", "rows", "accuracy"}, cellsIf(probabilities, "log loss", "Brier")...)...)
	for i, f := range e.Folds {
		p.addRow(append([]any{i, f.N, f.Accuracy}, cellsIf(probabilities, f.LogLoss, f.Brier)...)...)
	}
	return p.String() + e.Confusion.String()
}

// cellsIf returns the cells if the condition holds, and nil if it does not.
func cellsIf(condition bool, cells ...any) []any {
	if condition {
		return cells
	}
	return nil
}

// EvaluateFolds evaluates a kind of model by cross-validation. Seed determines the random
// assignment of the rows of x (N×D, labels 0…k−1) to folds. Each fold is predicted by a model that
// is fitted to all other folds. The rows passed to `fit` are a view of x, not a copy.
//
// If `fit` fails, EvaluateFolds returns the error with the number of the fold. For example, `fit`
// can fail if one fold contains all rows of a class. Stratified prevents this case for classes with
// at least two rows. Other errors: shapes that do not agree, NaN or Inf, labels out of range or of
// a single class, fewer than 2 or more than N folds, a HeldOut other than 0, and a nil `fit`. A `fit`
// that returns a nil model or a model that cannot predict is also an error.
func EvaluateFolds(x mat.Matrix, labels []int, k int, fit func(x mat.Matrix, labels []int) (Predictor, error),
	o EvaluateOptions) (*Evaluation, error) {
	e, err := evaluateFolds(x, labels, k, fit, o)
	if err != nil {
		return nil, failure("EvaluateFolds", err)
	}
	return e, nil
}

func evaluateFolds(x mat.Matrix, labels []int, k int, fit func(x mat.Matrix, labels []int) (Predictor, error),
	o EvaluateOptions) (*Evaluation, error) {
	if fit == nil {
		return nil, errNoFit
	}
	src, err := evaluateInputs(x, labels, k)
	if err != nil {
		return nil, err
	}
	if o.HeldOut != 0 {
		return nil, fmt.Errorf("HeldOut is %v, but EvaluateFolds does not use HeldOut: set HeldOut to 0, or call EvaluateHeldOut", o.HeldOut)
	}
	folds := o.Folds
	if folds == 0 {
		folds = 10
	}
	if folds < 2 || folds > len(labels) {
		return nil, fmt.Errorf("%d folds for %d rows: want at least 2 folds, and at most one fold per row", folds, len(labels))
	}
	parts := make([][]int, folds)
	for i, n := range evaluateOrder(labels, k, o) {
		parts[i%folds] = append(parts[i%folds], n)
	}
	return evaluate(src, labels, k, fit, parts)
}

// EvaluateHeldOut draws the share HeldOut of the rows of x (N×D, labels 0…k−1) at random. It fits a
// model to the remaining rows and evaluates the model on the drawn rows. The rows passed to `fit`
// are a view of x, not a copy.
//
// An invalid HeldOut or a Folds other than 0 is an error. EvaluateHeldOut also returns the errors of
// EvaluateFolds, except the errors about these two options.
func EvaluateHeldOut(x mat.Matrix, labels []int, k int, fit func(x mat.Matrix, labels []int) (Predictor, error),
	o EvaluateOptions) (*Evaluation, error) {
	e, err := evaluateHeldOut(x, labels, k, fit, o)
	if err != nil {
		return nil, failure("EvaluateHeldOut", err)
	}
	return e, nil
}

func evaluateHeldOut(x mat.Matrix, labels []int, k int, fit func(x mat.Matrix, labels []int) (Predictor, error),
	o EvaluateOptions) (*Evaluation, error) {
	if fit == nil {
		return nil, errNoFit
	}
	src, err := evaluateInputs(x, labels, k)
	if err != nil {
		return nil, err
	}
	if o.Folds != 0 {
		return nil, fmt.Errorf("Folds is %d, but EvaluateHeldOut does not use Folds: set Folds to 0, or call EvaluateFolds", o.Folds)
	}
	f := o.HeldOut
	if f == 0 {
		f = 0.25
	}
	if !(f > 0 && f < 1) {
		return nil, fmt.Errorf("HeldOut is %v: want a share of the rows between 0 and 1 (0 means the default, ¼)", f)
	}
	out := int(math.Round(f * float64(len(labels))))
	if out < 1 || out >= len(labels) {
		return nil, fmt.Errorf("HeldOut %v of %d rows means %d held-out rows: want at least one row in each part", f, len(labels), out)
	}
	order := evaluateOrder(labels, k, o)
	// Hold out rows that are evenly spaced in the order. If the order is grouped by class, the class
	// shares among the held-out rows are then nearly equal to the class shares among all rows.
	held := make([]int, out)
	for i := range held {
		held[i] = order[(2*i+1)*len(order)/(2*out)]
	}
	return evaluate(src, labels, k, fit, [][]int{held})
}

var errNoFit = errors.New("fit is nil: want a function that fits the model")

func evaluateInputs(x mat.Matrix, labels []int, k int) (*block.Source, error) {
	src, _, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	n, _ := src.Dims()
	if _, err := check.Labels(labels, n, k); err != nil {
		return nil, err
	}
	return src, nil
}

// evaluateOrder returns the rows in a random order, grouped by class if o.Stratified is true.
func evaluateOrder(labels []int, k int, o EvaluateOptions) []int {
	order := rand.New(rand.NewPCG(o.Seed, 10)).Perm(len(labels))
	if o.Stratified {
		slices.SortStableFunc(order, func(a, b int) int { return labels[a] - labels[b] })
	}
	return order
}

// evaluate fits one model for each part. It fits the model to the rows outside the part and
// evaluates the model on the rows of the part.
func evaluate(src *block.Source, labels []int, k int, fit func(x mat.Matrix, labels []int) (Predictor, error),
	parts [][]int) (*Evaluation, error) {
	e := &Evaluation{AUC: Score{math.NaN(), math.NaN()}, LogLoss: Score{math.NaN(), math.NaN()},
		Brier: Score{math.NaN(), math.NaN()}}
	var truth []int
	var hits, logs, briers, posterior []float64
	for f, out := range parts {
		failed := func(err error) (*Evaluation, error) {
			if len(parts) == 1 {
				return nil, err // a single part is not a fold
			}
			return nil, fmt.Errorf("fold %d: %w", f, err)
		}
		slices.Sort(out)
		m, err := fit(evaluateRest(src, labels, out))
		if err != nil {
			return failed(err)
		}
		if check.Nil(m) {
			return failed(errors.New("fit returned no model: want a model or an error"))
		}
		view, t := block.NewRowsView(src, out), evaluateLabels(labels, out)
		p, err := m.Predict(view)
		if err == nil {
			err = scoreLabels(t, p, k)
		}
		if err != nil {
			return failed(err)
		}
		hit := scoreHits(t, p)
		fold := FoldScore{N: len(out), Accuracy: scoreOf(hit).Value, LogLoss: math.NaN(), Brier: math.NaN()}
		if prober, ok := ProberOf(m); ok {
			post, err := evaluatePosterior(prober, view, t, k)
			if err != nil {
				return failed(err)
			}
			l, b := logLosses(t, post), brierLosses(t, post)
			fold.LogLoss, fold.Brier = scoreOf(l).Value, scoreOf(b).Value
			logs, briers = append(logs, l...), append(briers, b...)
			for i := range t {
				posterior = append(posterior, post.RawRowView(i)...)
			}
		}
		e.Folds = append(e.Folds, fold)
		e.Rows, e.Predicted = append(e.Rows, out...), append(e.Predicted, p...)
		truth, hits = append(truth, t...), append(hits, hit...)
	}
	e.Confusion, e.Accuracy = confusionOf(truth, e.Predicted, k), scoreOf(hits)
	if len(logs) == len(truth) {
		e.LogLoss, e.Brier = scoreOf(logs), scoreOf(briers)
		e.Posterior = mat.NewDense(len(truth), k, posterior)
		if k == 2 {
			e.AUC = evaluateAUC(truth, e.Posterior)
		}
	}
	return e, nil
}

// evaluateAUC returns the AUC, or NaN if all rows are of one class.
func evaluateAUC(labels []int, p *mat.Dense) Score {
	t := make([]float64, len(labels))
	for i, l := range labels {
		t[i] = float64(1 - l)
	}
	roc, err := ScoreROC(t, mat.Col(nil, 0, p))
	if err != nil {
		return Score{math.NaN(), math.NaN()}
	}
	return roc.AUC
}

func evaluatePosterior(m Prober, x mat.Matrix, t []int, k int) (*mat.Dense, error) {
	post, err := m.Posterior(x)
	if err != nil {
		return nil, err
	}
	if post, err = scorePosterior(t, post); err != nil {
		return nil, err
	}
	if _, c := post.Dims(); c != k {
		return nil, fmt.Errorf("the posterior has %d columns, want one column for each of the %d classes", c, k)
	}
	return post, nil
}

// evaluateRest returns the rows of src that are not in the sorted list of row numbers, and their
// labels.
func evaluateRest(src *block.Source, labels []int, without []int) (mat.Matrix, []int) {
	keep := make([]int, 0, len(labels)-len(without))
	for n := range labels {
		if len(without) > 0 && without[0] == n {
			without = without[1:]
			continue
		}
		keep = append(keep, n)
	}
	return block.NewRowsView(src, keep), evaluateLabels(labels, keep)
}

func evaluateLabels(labels, rows []int) []int {
	out := make([]int, len(rows))
	for i, n := range rows {
		out[i] = labels[n]
	}
	return out
}
