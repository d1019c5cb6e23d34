package classify_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// chance starts the reason of an exception that may hold on some data.
const chance = "sometimes: "

// invariances are the promises that some models cannot make, and these models
// with the reason: the promise must then be seen broken.
var invariances = []struct {
	name       string
	check      func(*fitted) error
	exceptions map[string][]string
}{
	{"row order", rowOrder, map[string][]string{
		"learns row by row":                                  {"perceptron", "perceptron, pocket", "adaline", "adaline, shuffled", "logistic, sequential"},
		chance + "ends before the optimum":                   {"logistic, L-BFGS"},
		chance + "draws by the last digits of E":             {"sampling, Hamiltonian", "sampling, random walk"},
		chance + "knows α to ten digits, see TestReestimate": {"Bayes logistic, α re-estimated"},
	}},
	{"units", units, map[string][]string{
		"penalises weights, whose size is that of the units": {
			"least squares, ridge", "least squares, ridge, free bias", "logistic, prior", "logistic, free bias", "softmax, prior", "softmax, free bias",
			"probit, prior", "label flip, estimated", "squared sigmoid, 3 classes", "Bayes logistic", "Bayes logistic, quadrature", "Bayes logistic, α re-estimated",
			"Bayes softmax", "Bayes softmax, 2 classes", "variational, prior, quadrature", "sampling, random walk",
			"one versus rest", "one versus rest, K−1", "one versus one, votes", "one versus one, sums", "one versus one, all",
		},
		"takes steps of the size of x":       {"perceptron", "perceptron, pocket", "adaline", "adaline, shuffled"},
		chance + "ends before the optimum":   {"logistic, gradient descent", "logistic, sequential", "logistic, coordinate ascent", "logistic, L-BFGS"},
		"has scores in the units of x":       {"Fisher"},
		"shrinks to a ball":                  {"Fisher, midpoint, shrunk", "LDA, 3 classes, unbiased"},
		"has features at fixed places":       {"logistic on bells", "least squares on products and a sine, 3 classes"},
		"is of inputs with their own domain": mappedNames,
	}},
	{"relabelled", relabelled, map[string][]string{
		"gives ties to one class":            {"perceptron, pocket"},
		"has no machine for the last class":  {"one versus rest, K−1"},
		"draws class after class":            {"Bayes softmax", "Bayes softmax, flat"},
		chance + "starts or goes elsewhere":  {"logistic, gradient descent", "logistic, sequential", "logistic, coordinate ascent", "logistic, L-BFGS"},
		"starts its chains on the same side": {"sampling, Hamiltonian", "sampling, random walk"},
	}},
}

func rowOrder(f *fitted) error {
	n, d := f.x.Dims()
	y, l := mat.NewDense(n, d, nil), make([]int, n)
	for to, from := range rand.New(rand.NewPCG(3, 3)).Perm(n) {
		y.SetRow(to, f.x.RawRowView(from))
		l[to] = f.labels[from]
	}
	m, err := f.fit(y, l, f.k)
	if err != nil {
		return err
	}
	w, want := weightsOf(m), weightsOf(f.m)
	if len(w) < 3 || len(w) != len(want) {
		return fmt.Errorf("%d weights in another order of the rows, %d before", len(w), len(want))
	}
	for i := range w {
		if math.Abs(w[i]-want[i]) > 1e-12*(1+math.Abs(want[i])) {
			return fmt.Errorf("weight %d: %v in another order of the rows, %v before", i, w[i], want[i])
		}
	}
	return nil
}

// units: the answers do not depend on the units and the origin of the columns, near
// one or at the ends of the range of numbers.
func units(f *fitted) error {
	for _, c := range [][2][]float64{{{8, 0.3, 50}, {1, -2, 30}}, {{0x1p400, 0x1p-300, 0x1p20}, {0, 0, 0}}} {
		y := mat.DenseCopyOf(f.x)
		y.Apply(func(_, j int, v float64) float64 { return v*c[0][j] + c[1][j] }, y)
		m, err := f.fit(y, f.labels, f.k)
		if err != nil {
			return err
		}
		if err := sameAnswers(f, m, y, func(class int) int { return class }); err != nil {
			return err
		}
	}
	return nil
}

// relabelled: the answers go with the classes when these are renumbered.
func relabelled(f *fitted) error {
	next := func(class int) int { return (class + 1) % f.k }
	l := make([]int, len(f.labels))
	for i, class := range f.labels {
		l[i] = next(class)
	}
	m, err := f.fit(f.x, l, f.k)
	if err != nil {
		return err
	}
	return sameAnswers(f, m, f.x, next)
}

// sameAnswers compares the answers of m for y with those of f, whose class c is
// class to(c) of m: posteriors, and scores up to what all classes share.
func sameAnswers(f *fitted, m classify.Predictor, y mat.Matrix, to func(int) int) error {
	type ask = func(classify.Predictor, mat.Matrix) (*mat.Dense, error)
	answers := map[string]ask{"score": func(m classify.Predictor, x mat.Matrix) (*mat.Dense, error) {
		s, err := m.(classify.Scorer).Scores(x)
		if err != nil {
			return nil, err
		}
		n, _ := s.Dims()
		for i := range n {
			row := s.RawRowView(i)
			top := slices.Max(row)
			for k := range row {
				row[k] -= top
			}
		}
		return s, nil
	}}
	if _, ok := classify.ProberOf(m); ok {
		answers["probability"] = func(m classify.Predictor, x mat.Matrix) (*mat.Dense, error) { return m.(classify.Prober).Posterior(x) }
	}
	for name, ask := range answers {
		want, errWant := ask(f.m, f.x)
		got, errGot := ask(m, y)
		if err := errors.Join(errWant, errGot); err != nil {
			return err
		}
		n, _ := want.Dims()
		for i := range n {
			for k := range f.k {
				if a, b := want.At(i, k), got.At(i, to(k)); !(math.Abs(a-b) <= 1e-8*(1+math.Abs(a))) && a != b {
					return fmt.Errorf("row %d, class %d: %s %v, was %v", i, k, name, b, a)
				}
			}
		}
	}
	return nil
}

// TestExceptionsAreModels: an exception for a model that is not in the table
// excuses nothing.
func TestExceptionsAreModels(t *testing.T) {
	for _, i := range invariances {
		for reason, names := range i.exceptions {
			for _, name := range names {
				if !slices.ContainsFunc(models, func(e entry) bool { return e.name == name }) {
					t.Errorf("%s: no model %q, which %s", i.name, name, reason)
				}
			}
		}
	}
}
