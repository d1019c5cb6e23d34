package classify

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

// Objective is what a fit minimises, as a function of the weights w (bias
// first): E(w) = −ln p(t|w) + ½(w−m0)ᵀS0⁻¹(w−m0). It is safe for use by several
// goroutines. It reads the inputs x it was made with and does not copy them.
type Objective struct {
	glm   *glm.Likelihood
	prior *gaussian
}

// LogisticObjective returns the cross-entropy error (4.90) of logistic
// regression for inputs x (N×D) and targets t in [0,1], with a prior or nil:
// the function that FitLogistic minimises. Its errors are those of FitLogistic,
// but targets of a single class are allowed.
func LogisticObjective(x mat.Matrix, t []float64, prior Prior) (*Objective, error) {
	src, _, err := check.Inputs(x)
	if err != nil {
		return nil, failure("LogisticObjective", err)
	}
	n, d := src.Dims()
	if err := check.Targets(t, n); err != nil {
		return nil, failure("LogisticObjective", err)
	}
	g, err := resolvePrior(prior, d+1)
	if err != nil {
		return nil, failure("LogisticObjective", err)
	}
	return &Objective{glm: glm.New(block.NewDesign(src, nil, nil), t, glm.CrossEntropy{}), prior: g}, nil
}

// Dim returns the number of weights, D+1.
func (o *Objective) Dim() int { return o.glm.M }

// Value returns E(w). A w of another length than Dim, NaN or Inf is an error.
func (o *Objective) Value(w []float64) (float64, error) {
	if err := o.check(w); err != nil {
		return 0, err
	}
	return o.glm.Evaluate(w, glm.OnlyValue).E + o.prior.value(w), nil
}

// Gradient returns ∇E(w), (4.91) and the prior's part. Errors: those of Value.
func (o *Objective) Gradient(w []float64) ([]float64, error) {
	if err := o.check(w); err != nil {
		return nil, err
	}
	g := o.glm.Evaluate(w, glm.WithGradient).Grad
	o.prior.addGradient(g, w)
	return g, nil
}

// Hessian returns ∇∇E(w) = ΦᵀRΦ + S0⁻¹, (4.97) and the prior's part. Where E is not
// convex it returns instead what no direction makes negative: for LabelFlipObjective
// the expected Hessian, for SigmoidObjective that of Gauss–Newton. A w of another
// length than Dim, NaN or Inf is an error.
func (o *Objective) Hessian(w []float64) (*mat.SymDense, error) {
	if err := o.check(w); err != nil {
		return nil, err
	}
	return o.hessian(o.glm.Evaluate(w, glm.WithGram)), nil
}

func (o *Objective) hessian(ev *glm.Evaluation) *mat.SymDense {
	h := ev.Gram.Sym(o.glm.M)
	o.prior.addPrecision(h)
	return h
}

func (o *Objective) check(w []float64) error {
	if o == nil || o.glm == nil {
		return failure("Objective", errors.New("the objective is empty: make it with LogisticObjective or one of the others"))
	}
	what := "the bias and one per column of x"
	if o.glm.Many != nil {
		what += ", class after class"
	}
	if err := check.Vector("w", w, o.glm.M, what); err != nil {
		return failure("Objective", err)
	}
	return nil
}
