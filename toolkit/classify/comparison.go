package classify

import (
	"fmt"
	"math"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// Criteria is an interface whose methods return criteria for comparisons of models. Smaller AIC and
// BIC are better. Evidence and the models Logistic, Probit, LabelFlip, GLM, Softmax, QuadraticLogistic,
// BayesLogistic and BayesSoftmax implement Criteria.
type Criteria interface {
	Deviance() float64 // −2 ln p(D|θ)
	AIC() float64      // Deviance + 2M
	BIC() float64      // Deviance + M ln N
}

// Candidate is a fitted model in a comparison.
type Candidate struct {
	Name  string
	Model Criteria
	// Prior is the prior of the fit. Prior is ignored for BayesLogistic and BayesSoftmax models,
	// because these models contain their prior. For other models, a nil Prior restricts the
	// comparison to AIC, BIC and the likelihood.
	Prior Prior
}

// Compared contains the criteria of one model in a comparison.
type Compared struct {
	Name          string
	M             int     // number of parameters
	LogLikelihood float64 // at the fit
	AIC, BIC      float64 // smaller is better
	// LogEvidence and LogOccam are Laplace approximations (4.137). Probability is the posterior
	// probability of the model, computed under equal prior probabilities of all models with an
	// evidence. The three fields are NaN for a model without a proper prior, and for a model whose
	// Candidate.Prior is missing (see Candidate).
	LogEvidence, LogOccam, Probability float64
}

// Comparison is a table of the criteria of models fitted to the same data. ByEvidence, ByBIC, ByAIC
// and ByLikelihood are positions of the best models in Rows, or −1 if no model has the criterion.
// If several models are best, the position is the first of them.
type Comparison struct {
	Rows                     []Compared
	ByEvidence, ByBIC, ByAIC int
	ByLikelihood             int // position of the model with the highest likelihood, without any penalty
}

// CompareModels compares models fitted to the same data with different bases, priors or links. The
// criteria are the evidence, BIC, AIC and the likelihood alone.
//
// AIC and BIC are defined for maximum-likelihood fits. For other fits, AIC and BIC use the
// likelihood at the mode, as (4.139) does. For N ≥ 8, BIC prefers smaller models than AIC. In AIC
// and BIC every parameter counts as a whole parameter, even if a prior constrains it.
//
// Errors: no candidates, a nil or unfitted model, models fitted to different numbers of rows, an
// evidence that cannot be computed (see EvidenceOf).
//
// Equations: PRML (4.137), (4.139).
func CompareModels(candidates ...Candidate) (*Comparison, error) {
	if len(candidates) == 0 {
		return nil, failure("CompareModels", fmt.Errorf("no candidates: give at least one fitted model"))
	}
	c := &Comparison{ByEvidence: -1, ByBIC: -1, ByAIC: -1, ByLikelihood: -1}
	var rows float64
	for i, m := range candidates {
		line, n, err := m.compareRow()
		if err != nil {
			return nil, failure("CompareModels", fmt.Errorf("candidate %d (%s): %w", i, m.Name, err))
		}
		if i == 0 {
			rows = n
		} else if math.Abs(n-rows) > 1e-6*rows {
			return nil, failure("CompareModels",
				fmt.Errorf("candidate %d (%s) was fitted to %.0f rows but candidate 0 to %.0f: only models of the same data can be compared", i, m.Name, n, rows))
		}
		c.Rows = append(c.Rows, line)
	}
	c.setProbabilities()
	for i, r := range c.Rows {
		better := func(at *int, value func(Compared) float64) {
			if v := value(r); !math.IsNaN(v) && (*at < 0 || v > value(c.Rows[*at])) {
				*at = i
			}
		}
		better(&c.ByEvidence, func(r Compared) float64 { return r.LogEvidence })
		better(&c.ByBIC, func(r Compared) float64 { return -r.BIC })
		better(&c.ByAIC, func(r Compared) float64 { return -r.AIC })
		better(&c.ByLikelihood, func(r Compared) float64 { return r.LogLikelihood })
	}
	return c, nil
}

// compareRow evaluates one candidate. It returns the candidate's row of the table and the number of
// data rows of its fit.
func (m Candidate) compareRow() (line Compared, n float64, err error) {
	if !fittedCriteria(m.Model) {
		return line, 0, fmt.Errorf("the model is a %T without a fit: want a fitted model", m.Model)
	}
	deviance := m.Model.Deviance()
	params := (m.Model.AIC() - deviance) / 2
	n = kernels.Exp((m.Model.BIC() - deviance) / params)
	line = Compared{
		Name: m.Name, M: int(math.Round(params)), LogLikelihood: -deviance / 2, AIC: m.Model.AIC(), BIC: m.Model.BIC(),
		LogEvidence: math.NaN(), LogOccam: math.NaN(), Probability: math.NaN(),
	}
	var e Evidence
	switch b := m.Model.(type) {
	case *BayesLogistic:
		e = b.Evidence
	case *BayesSoftmax:
		e = b.Evidence
	default:
		if m.Prior == nil {
			return line, n, nil
		}
		if e, err = evidenceOf(m.Model, m.Prior); err != nil {
			return line, n, err
		}
	}
	if e.Flat == 0 {
		line.LogEvidence, line.LogOccam = e.LogEvidence(), e.LogOccam()
	}
	return line, n, nil
}

// setProbabilities sets the probability of each model with an evidence, p(model|D) ∝ p(D|model).
func (c *Comparison) setProbabilities() {
	var evidence []float64
	for _, r := range c.Rows {
		if !math.IsNaN(r.LogEvidence) {
			evidence = append(evidence, r.LogEvidence)
		}
	}
	if evidence == nil {
		return
	}
	kernels.Softmax(evidence, evidence)
	for i := range c.Rows {
		if !math.IsNaN(c.Rows[i].LogEvidence) {
			c.Rows[i].Probability, evidence = evidence[0], evidence[1:]
		}
	}
}

// String returns the table, with the best value of each criterion marked by a star.
func (c *Comparison) String() string {
	width := len("model")
	for _, r := range c.Rows {
		width = max(width, len([]rune(r.Name)))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s %4s %12s %12s %12s %12s %12s %11s\n", width, "model", "M", "ln p(D|θ)", "AIC", "BIC",
		"ln Occam", "ln p(D)", "p(model|D)")
	for i, r := range c.Rows {
		fmt.Fprintf(&b, "%-*s %4d %s %s %s %s %s %s\n", width, r.Name, r.M,
			compareCell(r.LogLikelihood, i == c.ByLikelihood), compareCell(r.AIC, i == c.ByAIC),
			compareCell(r.BIC, i == c.ByBIC),
			compareCell(r.LogOccam, false), compareCell(r.LogEvidence, i == c.ByEvidence),
			compareProbability(r.Probability))
	}
	return b.String()
}

func compareCell(v float64, winner bool) string {
	mark := " "
	if winner {
		mark = "*"
	}
	if math.IsNaN(v) {
		return fmt.Sprintf("%11s%s", "–", mark)
	}
	return fmt.Sprintf("%11.3f%s", v, mark)
}

func compareProbability(p float64) string {
	if math.IsNaN(p) {
		return fmt.Sprintf("%11s", "–")
	}
	return fmt.Sprintf("%11.4f", p)
}
