package classify_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// Priors of other types than the two of the package, which say of themselves what
// those do.
type (
	shared struct{ classify.Isotropic }
	whole  struct{ classify.Gaussian }
)

// TestPriorKinds asks the priors themselves, and not their types: whether the evidence
// procedure has a precision to choose, for how many weights they are, and whether they
// stand for the data.
func TestPriorKinds(t *testing.T) {
	x, labels := clouds(60, 3, 3, 5)
	y := targets(labels)
	iso := classify.Isotropic{Alpha: 3}
	for _, prior := range []classify.Prior{&iso, shared{iso}, &shared{iso}} {
		o := classify.BayesLogisticOptions{Prior: iso, Reestimate: true}
		want := must(classify.FitBayesLogistic(x, y, o))(t)
		o.Prior = prior
		m := must(classify.FitBayesLogistic(x, y, o))(t)
		nearly(t, "W, α", append(m.W, m.Alpha), append(want.W, want.Alpha), 0)
		s := must(classify.FitBayesSoftmax(x, labels, 3, classify.BayesSoftmaxOptions{Prior: prior, Reestimate: true}))(t)
		many := must(classify.FitBayesSoftmax(x, labels, 3, classify.BayesSoftmaxOptions{Prior: iso, Reestimate: true}))(t)
		nearly(t, "W, α of a softmax", append(flat(s.W), s.Alpha), append(flat(many.W), many.Alpha), 0)
		_, err := classify.FitBayesLogistic(&mat.Dense{}, nil, classify.BayesLogisticOptions{Prior: prior})
		mentions(t, err, "0×0", "a Gaussian that says how many weights there are")
	}
	g := whole{classify.Gaussian{Cov: mat.NewSymDense(4, []float64{2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})}}
	_, err := classify.FitBayesLogistic(x, y, classify.BayesLogisticOptions{Prior: g, Reestimate: true})
	mentions(t, err, "Reestimate needs an Isotropic prior", "Prior is a classify_test.whole")
	_, err = classify.FitBayesSoftmax(x, labels, 3, classify.BayesSoftmaxOptions{Prior: &classify.Gaussian{}, Reestimate: true})
	mentions(t, err, "Reestimate needs an Isotropic prior", "Prior is a *classify.Gaussian")
	_, err = classify.FitBayesSoftmax(x, labels, 3, classify.BayesSoftmaxOptions{Prior: shared{classify.Isotropic{Alpha: 1, FreeBias: true}}, Reestimate: true})
	mentions(t, err, "without FreeBias")
	if m := must(classify.FitBayesLogistic(&mat.Dense{}, nil, classify.BayesLogisticOptions{Prior: g}))(t); len(m.W) != 4 || m.Alpha != 0 {
		t.Errorf("without data %v, α %v", m.W, m.Alpha)
	}
	if m := must(classify.FitBayesSoftmax(&mat.Dense{}, nil, 2, classify.BayesSoftmaxOptions{Prior: &g}))(t); len(flat(m.W)) != 4 {
		t.Errorf("without data %v", m.W)
	}
	for _, empty := range []classify.Prior{classify.Gaussian{}, whole{}} {
		mentions(t, of(classify.FitBayesLogistic(&mat.Dense{}, nil, classify.BayesLogisticOptions{Prior: empty})), "Gaussian.Cov is nil")
		mentions(t, of(classify.FitBayesSoftmax(&mat.Dense{}, nil, 2, classify.BayesSoftmaxOptions{Prior: empty})), "Gaussian.Cov is nil")
	}
}

// TestPriorIsStored has a prior whose penalty is 0: that the fit had one does not
// hang on the size of anything.
func TestPriorIsStored(t *testing.T) {
	x, _ := clouds(20, 2, 2, 6)
	half := make([]float64, 20)
	for i := range half {
		half[i] = 0.5
	}
	m := must(classify.FitLogistic(x, half, classify.LogisticOptions{Prior: isotropic}))(t)
	var again classify.Logistic
	if err := again.UnmarshalJSON(must(m.MarshalJSON())(t)); err != nil {
		t.Fatal(err)
	}
	for _, m := range []*classify.Logistic{m, &again} {
		if !m.HasPrior || m.Penalty != 0 {
			t.Errorf("has a prior: %v, penalty %v", m.HasPrior, m.Penalty)
		}
		_, _, _, err := m.LikelihoodRatio()
		mentions(t, err, "the fit has a prior")
		_, err = classify.EvidenceOf(m, nil)
		mentions(t, err, "was fitted with a prior, but none is given")
	}
}
