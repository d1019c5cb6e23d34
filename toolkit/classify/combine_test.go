package classify_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// planesOf returns a fit that ignores the data. Each call of the fit returns the hyperplane with
// the next weights in w.
func planesOf(t *testing.T, w ...[]float64) classify.FitTwoClass {
	next := 0
	return func(mat.Matrix, []float64) (classify.Scorer, error) {
		h := must(classify.NewHyperplane(w[next]))(t)
		next++
		return h, nil
	}
}

var threeRows, threeLabels = mat.NewDense(3, 2, []float64{0, 0, 1, 0, 0, 1}), []int{0, 1, 2}

// TestOneVersusRestRegions uses three machines, or the first two of them with LastIsRest. The
// machine of class 0 claims the points with x1 > 1. The machine of class 1 claims the points with
// x2 > 1. The machine of class 2 claims the points with x1 + x2 < 0. The expected values are computed
// by hand.
func TestOneVersusRestRegions(t *testing.T) {
	w := [][]float64{{-1, 1, 0}, {-1, 0, 1}, {0, -1, -1}}
	x := mat.NewDense(6, 2, []float64{
		3, 0, // claimed by class 0
		0, 2, // claimed by class 1
		-1, -1, // claimed by class 2
		2, 3, // a point that classes 0 and 1 claim
		0.5, 0.25, // claimed by no class
		1, 0, // a point on the plane of class 0; no class claims this point
	})
	amb, rej := classify.Ambiguous, classify.Rejected
	for _, c := range []struct {
		name            string
		last            bool
		machines        int
		decide, predict []int
	}{
		{"K machines", false, 3, []int{0, 1, 2, amb, rej, rej}, []int{0, 1, 2, 1, 0, 0}},
		{"K−1 machines", true, 2, []int{0, 1, 2, amb, 2, 2}, []int{0, 1, 2, 1, 2, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := must(classify.FitOneVersusRest(threeRows, threeLabels, 3, planesOf(t, w...),
				classify.OneVersusRestOptions{LastIsRest: c.last}))(t)
			if len(m.Machines) != c.machines {
				t.Fatalf("LastIsRest %v: the model has %d machines, want %d", c.last, len(m.Machines), c.machines)
			}
			checkDecisions(t, m, x, c.decide, c.predict)
		})
	}
}

// checkDecisions checks the results of Decide and of Predict for the rows of x.
func checkDecisions(t *testing.T, m interface {
	classify.Predictor
	Decide(x mat.Matrix) ([]int, error)
}, x mat.Matrix, decide, predict []int) {
	t.Helper()
	if got := must(m.Decide(x))(t); !slices.Equal(got, decide) {
		t.Errorf("Decide returns %v, want %v", got, decide)
	}
	if got := must(m.Predict(x))(t); !slices.Equal(got, predict) {
		t.Errorf("Predict returns %v, want %v", got, predict)
	}
}

// TestOneVersusOneRegions uses three planes: x1 = 0 between classes 0 and 1, x2 = 0 between classes
// 0 and 2, and x1 = x2 between classes 1 and 2. At (3, −1) class 0 beats class 1, class 1 beats
// class 2, and class 2 beats class 0, so each class has one vote.
func TestOneVersusOneRegions(t *testing.T) {
	w := [][]float64{{0, 1, 0}, {0, 0, 1}, {0, 1, -1}}
	x := mat.NewDense(5, 2, []float64{
		2, 1, // 0 beats both
		-1, -2, // 1 beats both
		-2, -1, // 2 beats both
		3, -1, // each class wins one pair; the sums of the discriminants are 3−1, −3+4, 1−4
		0, 1, // the pair (0,1) is a tie; classes 0, 1 and 2 have 1½, ½ and 1 votes
	})
	amb, rej := classify.Ambiguous, classify.Rejected
	for _, c := range []struct {
		name            string
		rule            classify.PairRule
		decide, predict []int
	}{
		{"votes", classify.PairVotes, []int{0, 1, 2, amb, 0}, []int{0, 1, 2, 0, 0}},
		{"sums", classify.PairSums, []int{0, 1, 2, 0, 0}, []int{0, 1, 2, 0, 0}},
		{"all", classify.PairAll, []int{0, 1, 2, rej, rej}, []int{0, 1, 2, 0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := must(classify.FitOneVersusOne(threeRows, threeLabels, 3, planesOf(t, w...),
				classify.OneVersusOneOptions{Rule: c.rule}))(t)
			checkDecisions(t, m, x, c.decide, c.predict)
		})
	}
	m := must(classify.FitOneVersusOne(threeRows, threeLabels, 3, planesOf(t, w...), classify.OneVersusOneOptions{}))(t)
	votes, sums := must(m.Votes(x))(t), must(m.Sums(x))(t)
	allClose(t, "votes", votes.RawRowView(4), []float64{1.5, 0.5, 1}, 0)
	allClose(t, "sums", sums.RawRowView(3), []float64{2, 1, -3}, 0)
}

// TestCombinedEmptyClass checks that a class without rows is never chosen. The only exception is the
// last class of a one-versus-rest model with LastIsRest.
func TestCombinedEmptyClass(t *testing.T) {
	x, labels := clouds(60, 2, 2, 6)
	for i, l := range labels {
		labels[i] = 2 * l // only classes 0 and 2 of the classes 0…3 have rows
	}
	for _, last := range []bool{false, true} {
		m := must(classify.FitOneVersusRest(x, labels, 4, logisticMachine,
			classify.OneVersusRestOptions{LastIsRest: last}))(t)
		for _, c := range slices.Concat(must(m.Predict(x))(t), must(m.Decide(x))(t)) {
			errorIf(t, c == 1 || c == 3 && !last, "LastIsRest %v: Predict or Decide returns class %d, want no class without rows, except class 3 with LastIsRest",
				last, c)
		}
		savedAndLoaded(t, m)
	}
	for _, rule := range []classify.PairRule{classify.PairVotes, classify.PairSums, classify.PairAll} {
		m := must(classify.FitOneVersusOne(x, labels, 4, logisticMachine, classify.OneVersusOneOptions{Rule: rule}))(t)
		class, decided := must(m.Predict(x))(t), must(m.Decide(x))(t)
		errorIf(t, slices.Contains(class, 1) || slices.Contains(class, 3) || !slices.Equal(class, decided),
			"rule %v: got classes %v and decisions %v, want equal lists without the empty classes 1 and 3", rule, class, decided)
		closeTo(t, must(m.Scores(x))(t).At(0, 1), math.Inf(-1), 0, "score of the empty class")
		savedAndLoaded(t, m)
	}
}

// otherScorer is a type of machine that is not defined in package classify.
type otherScorer struct{ classify.Scorer }

func TestCombinedErrors(t *testing.T) {
	x, labels := clouds(30, 2, 3, 7)
	fails := func(mat.Matrix, []float64) (classify.Scorer, error) { return nil, errors.New("no luck") }
	nothing := func(mat.Matrix, []float64) (classify.Scorer, error) { return nil, nil }
	three := func(mat.Matrix, []float64) (classify.Scorer, error) {
		return classify.FitLeastSquares(x, labels, 3, classify.LeastSquaresOptions{})
	}
	rest := func(fit classify.FitTwoClass) error {
		return errorOf(classify.FitOneVersusRest(x, labels, 3, fit, classify.OneVersusRestOptions{}))
	}
	one := func(fit classify.FitTwoClass) error {
		return errorOf(classify.FitOneVersusOne(x, labels, 3, fit, classify.OneVersusOneOptions{}))
	}
	foreign := must(classify.FitOneVersusRest(x, labels, 3, func(x mat.Matrix, t []float64) (classify.Scorer, error) {
		m, err := logisticMachine(x, t)
		return otherScorer{m}, err
	}, classify.OneVersusRestOptions{}))(t)
	allFail(t, []failingCall{
		{"no fit", rest(nil), []string{"fit is nil"}},
		{"fit fails", rest(fails), []string{"class 0 against all other classes", "no luck"}},
		{"no model", rest(nothing), []string{"no model"}},
		{"three columns", rest(three), []string{"3 columns", "two-class"}},
		{"pair fails", one(fails), []string{"classes 0 and 1", "no luck"}},
		{"pair, three columns", one(three), []string{"3 columns"}},
		{"machine of a type from another package", classify.Save(new(bytes.Buffer), foreign), []string{"otherScorer", "cannot be saved"}},
		{"one machine for three classes",
			loadError(`{"schema":"hyperplane-one-versus-rest/1","k":3,"machines":[null]}`), []string{"machines has 1 entries", "3 classes"}},
		{"machine with an unknown schema",
			loadError(`{"schema":"hyperplane-one-versus-rest/1","k":1,"machines":[{"schema":"x/1"}]}`), []string{"x/1"}},
		{"pair with its classes in the wrong order", loadError(`{"schema":"hyperplane-one-versus-one/1","k":3,"duels":[{"first":2,"second":1}]}`), []string{"classes 2 and 1"}},
		{"pair without a machine",
			loadError(`{"schema":"hyperplane-one-versus-one/1","k":3,"duels":[{"first":0,"second":1}]}`), []string{"no machine"}},
	})
}

// For a one-versus-rest model, Decide marks the rows without a unique class.
func ExampleFitOneVersusRest() {
	iris := toolkit.Must(datasets.Iris().Columns("petal_length", "petal_width"))
	fit := func(x mat.Matrix, t []float64) (classify.Scorer, error) {
		return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}})
	}
	m := toolkit.Must(classify.FitOneVersusRest(iris.X, iris.Labels, iris.K(), fit, classify.OneVersusRestOptions{}))
	ambiguous, rejected := 0, 0
	for _, k := range toolkit.Must(m.Decide(iris.X)) {
		switch k {
		case classify.Ambiguous:
			ambiguous++
		case classify.Rejected:
			rejected++
		}
	}
	fmt.Printf("%d ambiguous, %d rejected of %d\n", ambiguous, rejected, iris.N())
	// Output: 13 ambiguous, 37 rejected of 150
}

func ExampleFitOneVersusOne() {
	iris := toolkit.Must(datasets.Iris().Columns("petal_length", "petal_width"))
	fit := func(x mat.Matrix, t []float64) (classify.Scorer, error) {
		return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}})
	}
	m := toolkit.Must(classify.FitOneVersusOne(iris.X, iris.Labels, iris.K(), fit, classify.OneVersusOneOptions{}))
	wrong := 0
	for i, k := range toolkit.Must(m.Predict(iris.X)) {
		if k != iris.Labels[i] {
			wrong++
		}
	}
	fmt.Printf("%d machines, %d of %d rows wrong\n", len(m.Pairs), wrong, iris.N())
	// Output: 3 machines, 5 of 150 rows wrong
}
