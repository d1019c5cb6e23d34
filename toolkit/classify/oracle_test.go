package classify_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/oracle"
)

// reference is one case of the reference files: its data and the values seen.
type reference struct {
	*oracle.Case
	t      *testing.T
	ledger *oracle.Ledger
	x      *mat.Dense // nil for cases without data
	text   []string   // the label column
	seen   map[string]bool
}

// is compares got with the reference value of that name.
func (r *reference) is(key string, got ...float64) {
	r.t.Helper()
	r.seen[key] = true
	r.ledger.Compare(r.t, r.Case, key, got...)
}

// has reports whether the case keeps a reference value of that name.
func (r *reference) has(key string) bool { return r.Values[key] != nil }

func (r *reference) target() []float64 { return must(r.Case.Target(r.text))(r.t) }
func (r *reference) labels() []int     { return must(r.Case.Labels(r.text))(r.t) }
func (r *reference) k() int            { return len(r.Classes) }

// column returns the probabilities of the first class.
func column(p mat.Matrix) []float64 { return mat.Col(nil, 0, p) }

// dotless writes a number as the keys of the files do, 0p1 for 0.1.
func dotless(v float64) string { return strings.ReplaceAll(fmt.Sprint(v), ".", "p") }

// families are the reference files and what compares them. Every value of a file is
// compared by one of its checks at least.
var families = []struct {
	name   string
	checks []func(*testing.T, *reference)
}{
	{"least_squares", checks(oracleLeastSquares)},
	{"logistic_ml", checks(oracleLogisticML, oracleOnBasis)},
	{"logistic_map", checks(oracleLogisticMAP, oracleBayesMAP)},
	{"logistic_soft_labels", checks(oracleSoftLabels)},
	{"separability", checks(oracleSeparability, oracleSeparable)},
	{"perceptron", checks(oraclePerceptron)},
	{"gradient_descent", checks(oracleGradientDescent)},
	{"softmax", checks(oracleSoftmax)},
	{"probit_ml", checks(oracleProbit)},
	{"logistic_label_flip", checks(oracleLabelFlip)},
	{"fisher_two_class", checks(oracleFisher)},
	{"fisher_multi", checks(oracleFisherMulti)},
	{"lda_ml", checks(oracleLDA)},
	{"qda_ml", checks(oracleQDA)},
	{"nb_bernoulli", checks(oracleBernoulli)},
	{"nb_categorical", checks(oracleCategorical)},
	{"bayes_logistic", checks(oracleBayesLogistic)},
	{"bayes_logistic_multi", checks(oracleBayesMulti)},
	{"laplace_1d", checks(oracleLaplace1D)},
	{"variational_logistic", checks(oracleVariational)},
	{"scalar_facts", checks(oracleScalarFacts)},
}

func checks(f ...func(*testing.T, *reference)) []func(*testing.T, *reference) { return f }

// TestOracle compares every reference value. The table shows with -v. A case that
// panics is red and the next one is compared; cases that were not reached are red
// at the end.
func TestOracle(t *testing.T) {
	ledger, reached := oracle.NewLedger(), map[string]int{}
	for _, f := range families {
		cases, err := oracle.Load(f.name)
		if err != nil {
			t.Error(err)
			continue
		}
		for i := range cases {
			t.Run(cases[i].ID, func(t *testing.T) {
				reached[f.name]++
				compareCase(t, ledger, &cases[i], f.checks)
			})
		}
	}
	ledger.Log(t)
	if pattern := flag.Lookup("test.run").Value.String() + flag.Lookup("test.skip").Value.String(); strings.Contains(pattern, "/") {
		return // some cases were asked for
	}
	for _, say := range notReached(reached, casesOfFiles(t)) {
		t.Error(say)
	}
}

func compareCase(t *testing.T, ledger *oracle.Ledger, c *oracle.Case, checks []func(*testing.T, *reference)) {
	defer func() {
		p := recover()
		errorIf(t, p != nil, "panic: %v\n%s", p, debug.Stack())
	}()
	r := &reference{Case: c, t: t, ledger: ledger, seen: map[string]bool{}}
	if c.Data != "" {
		var err error
		if r.x, r.text, err = c.Table(); err != nil {
			t.Fatal(err)
		}
	}
	for _, check := range checks {
		check(t, r)
	}
	for _, key := range slices.Sorted(maps.Keys(c.Values)) {
		errorIf(t, !r.seen[key], "the reference value %q is not compared", key)
	}
}

// casesOfFiles counts the cases in the reference files, by their own reader.
func casesOfFiles(t *testing.T) map[string]int {
	t.Helper()
	files := must(filepath.Glob("../internal/oracle/testdata/*.json"))(t)
	count := map[string]int{}
	for _, file := range files {
		var f struct{ Cases []json.RawMessage }
		if err := json.Unmarshal(must(os.ReadFile(file))(t), &f); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		count[strings.TrimSuffix(filepath.Base(file), ".json")] = len(f.Cases)
	}
	if len(count) < 21 {
		t.Fatalf("%d reference files", len(count))
	}
	return count
}

// notReached says of which families not all cases were compared.
func notReached(reached, files map[string]int) (say []string) {
	for _, family := range slices.Sorted(maps.Keys(files)) {
		if reached[family] != files[family] {
			say = append(say, fmt.Sprintf("%s: %d of %d cases were compared", family, reached[family], files[family]))
		}
	}
	return say
}

// TestNotReached: a family or a case that is left out is said.
func TestNotReached(t *testing.T) {
	files := casesOfFiles(t)
	if say := notReached(files, files); len(say) != 0 {
		t.Errorf("all reached: %q", say)
	}
	for name, n := range files {
		for _, left := range []int{0, n - 1} {
			reached := maps.Clone(files)
			reached[name] = left
			if say := notReached(reached, files); len(say) != 1 || !strings.Contains(say[0], name) {
				t.Errorf("%s with %d of %d: %q", name, left, n, say)
			}
		}
	}
}

func oracleLeastSquares(t *testing.T, r *reference) {
	k, labels := r.k(), r.labels()
	m := must(classify.FitLeastSquares(r.x, labels, k, classify.LeastSquaresOptions{}))(t)
	r.is("W", flat(m.W)...)
	r.is("E_D", m.SumSquare)
	r.is("y_points", flat(must(m.Scores(r.PhiPoints()))(t))...)
	confusion, wrong := make([]float64, k*k), 0.0
	for i, p := range must(m.Predict(r.x))(t) {
		confusion[labels[i]*k+p]++
		if p != labels[i] {
			wrong++
		}
	}
	r.is("n_train_errors", wrong)
	r.is("confusion_rows_true", confusion...)
}

func oracleSeparability(t *testing.T, r *reference) {
	target := r.target()
	m := must(classify.FitLogistic(r.x, target, classify.LogisticOptions{}))(t)
	r.is("ml_exists", truth(m.Converged && !m.Separable))
	// Here quasi-separable data do not occur: the two answers are opposite.
	r.is("separable", truth(m.Separable))
	errorIf(t, m.Separable && leastMargin(r.x, target, m.Direction) <= 0, "the direction %v does not separate", m.Direction)
}

func oracleSeparable(t *testing.T, r *reference) {
	target := r.target()
	s := decided(t, r.x, target)
	r.is("separable", truth(s.Separable))
	errorIf(t, s.Separable && leastMargin(r.x, target, s.W) <= 0, "the plane %v does not separate", s.W)
}
