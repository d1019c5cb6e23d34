package classify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

// DegreesOfFreedom returns the number of weights that the likelihood determines,
// (K−1)(D+1); dependent columns count once.
func (m *Softmax) DegreesOfFreedom() int {
	_, k := m.W.Dims()
	return m.Rank * (k - 1)
}

// Deviance returns −2 ln p(T|W).
func (m *Softmax) Deviance() float64 { return -2 * m.LogLikelihood }

// AIC returns −2 ln p(T|W) + 2M with M the degrees of freedom; smaller is better.
func (m *Softmax) AIC() float64 { return m.Deviance() + 2*float64(m.DegreesOfFreedom()) }

// BIC returns −2 ln p(T|W) + M ln N; smaller is better.
func (m *Softmax) BIC() float64 {
	return m.Deviance() + float64(m.DegreesOfFreedom())*math.Log(sumOr(m.SumWeights, m.N))
}

// SoftmaxReference is a softmax model in the form of Alpaydin (10.25–10.29),
//
//	ln p(C_k|x)/p(C_R|x) = w_kᵀφ,  w_R = 0,
//
// with a reference class R (Alpaydin's is the last, K). In (10.28) and (10.29)
// the sum's index is printed i, which is taken; it must be another (erratum
// A5).
//
// Equations: Alpaydin (10.25)–(10.28).
type SoftmaxReference struct {
	Class          int           // R
	Classes        []int         // the K−1 other classes, in order
	W              *mat.Dense    // (D+1)×(K−1), a column for each of Classes
	Covariance     *mat.SymDense // of W, one column after the other; nil if the fit has none
	StandardErrors *mat.Dense    // (D+1)×(K−1), square roots of its diagonal; nil if there is none
}

// Reference returns the model with the given class's weights 0: w_k − w_R, which
// has the same posteriors. For R = 1 of two classes it is FitLogistic's model.
// Errors: a class that does not exist, a model without a fit.
//
// Equations: Alpaydin (10.25)–(10.28).
func (m *Softmax) Reference(class int) (*SoftmaxReference, error) {
	if m == nil || m.W == nil {
		return nil, failure("Reference", errors.New("the model has no weights: make it with FitSoftmax"))
	}
	r, k := m.W.Dims()
	if class < 0 || class >= k {
		return nil, failure("Reference", fmt.Errorf("class is %d: the classes are 0…%d", class, k-1))
	}
	f := &SoftmaxReference{Class: class, W: mat.NewDense(r, k-1, nil)}
	for j := range k {
		if j == class {
			continue
		}
		for i := range r {
			f.W.Set(i, len(f.Classes), m.W.At(i, j)-m.W.At(i, class))
		}
		f.Classes = append(f.Classes, j)
	}
	if m.Covariance == nil {
		return f, nil
	}
	p := r * (k - 1)
	f.Covariance, f.StandardErrors = mat.NewSymDense(p, nil), mat.NewDense(r, k-1, nil)
	for u := range p {
		for v := u; v < p; v++ {
			a, b, i, j := f.Classes[u/r]*r, f.Classes[v/r]*r, u%r, v%r
			c := class * r
			f.Covariance.SetSym(u, v, m.Covariance.At(a+i, b+j)-m.Covariance.At(a+i, c+j)-m.Covariance.At(c+i, b+j)+m.Covariance.At(c+i, c+j))
		}
		f.StandardErrors.Set(u%r, u/r, math.Sqrt(f.Covariance.At(u, u)))
	}
	return f, nil
}

// StandardErrors returns the standard error of each weight, (D+1)×K: the square
// roots of the diagonal of Covariance. Those of a textbook or a package with a
// reference class are Reference's. It is an error if the fit has no covariance.
func (m *Softmax) StandardErrors() (*mat.Dense, error) {
	if m.Covariance == nil {
		return nil, failure("StandardErrors", noCovariance(m.Separable, m.Converged, m.Reason))
	}
	se := make([]float64, m.Covariance.SymmetricDim())
	for i := range se {
		se[i] = math.Sqrt(m.Covariance.At(i, i))
	}
	_, k := m.W.Dims()
	return byClass(se, k), nil
}

// SoftmaxObjective returns the cross-entropy error (4.108) of softmax regression
// with a prior or nil: the function that FitSoftmax minimises, of the K(D+1)
// weights class after class. Its gradient is (4.109), its Hessian (4.110) with a
// plus sign. Its errors are those of FitSoftmax, but classes without rows are allowed.
//
// Equations: PRML (4.107)–(4.110); Alpaydin (10.31), (10.33).
func SoftmaxObjective(x mat.Matrix, labels []int, k int, prior Prior) (*Objective, error) {
	src, _, err := check.Inputs(x)
	if err != nil {
		return nil, failure("SoftmaxObjective", err)
	}
	t, err := glm.SoftmaxLabels(slices.Clone(labels), src, k)
	if err != nil {
		return nil, failure("SoftmaxObjective", err)
	}
	return softmaxObjective(src, t, prior)
}

// SoftmaxTargetsObjective is SoftmaxObjective for the targets of
// FitSoftmaxTargets. It reads t and does not copy it. Errors: targets that
// FitSoftmaxTargets refuses, and those of SoftmaxObjective.
//
// Equations: PRML (4.108)–(4.110).
func SoftmaxTargetsObjective(x, t mat.Matrix, prior Prior) (*Objective, error) {
	src, _, err := check.Inputs(x)
	if err != nil {
		return nil, failure("SoftmaxTargetsObjective", err)
	}
	targets, err := glm.SoftmaxTargets(t, src)
	if err != nil {
		return nil, failure("SoftmaxTargetsObjective", err)
	}
	return softmaxObjective(src, targets, prior)
}

func softmaxObjective(src *block.Source, t *glm.ClassTargets, prior Prior) (*Objective, error) {
	_, d := src.Dims()
	g, err := softmaxPrior(prior, d+1, t.K)
	if err != nil {
		return nil, failure("SoftmaxObjective", err)
	}
	return &Objective{glm: glm.NewSoftmax(block.NewDesign(src, nil, nil), t), prior: g}, nil
}

// Scores returns the N×K activations a_k = w_kᵀφ.
//
// Equations: PRML (4.105).
func (m *Softmax) Scores(x mat.Matrix) (*mat.Dense, error) {
	if m == nil || m.W == nil {
		return nil, failure("Softmax", errors.New("the model has no weights: make it with FitSoftmax"))
	}
	_, k := m.W.Dims()
	w := make([][]float64, k)
	for j := range w {
		w[j] = mat.Col(nil, j, m.W)
	}
	s, err := linearScores(x, w)
	if err != nil {
		return nil, failure("Softmax", err)
	}
	return s, nil
}

// Posterior returns the N×K probabilities p(C_k|x), each to full relative accuracy.
//
// Equations: PRML (4.104); Alpaydin (10.29).
func (m *Softmax) Posterior(x mat.Matrix) (*mat.Dense, error) {
	if m == nil || m.W == nil {
		return nil, failure("Softmax", errors.New("the model has no weights: make it with FitSoftmax"))
	}
	p, err := newPrediction(x, m.classes(), func(dst *mat.Dense) error { return linearTo(dst, x, weightColumns(m.W), softmaxLink) })
	if err != nil {
		return nil, failure("Softmax", err)
	}
	return p, nil
}

// Predict returns the class with the largest activation for each row of x.
func (m *Softmax) Predict(x mat.Matrix) ([]int, error) { return largestOf(m.Scores(x)) }
