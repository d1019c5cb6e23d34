package glm

import (
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// Loss is the negative log likelihood of single rows as a function of their
// activations a_n = wᵀφ_n. It works on a run of rows at a time.
type Loss interface {
	// Eval returns Σ_n E_n and writes dE_n/da_n to d1 and d²E_n/da_n² to d2.
	Eval(a, t, d1, d2 []float64) float64
}

// weighted is a loss that sums rows of any weights itself; nil weights are 1.
type weighted interface {
	weighted(a, t []float64, w block.Weights, d1, d2 []float64) float64
}

// Eval is l.Eval for weighted rows. The derivatives are without the weights, because the sums over
// rows take the weights from their block.
func Eval(l Loss, a, t, d1, d2 []float64, w block.Weights) float64 {
	if w == nil {
		return l.Eval(a, t, d1, d2)
	}
	if l, ok := l.(weighted); ok {
		return l.weighted(a, t, w, d1, d2)
	}
	var e float64
	for n := range a {
		e += w[n] * l.Eval(a[n:n+1], t[n:n+1], d1[n:n+1], d2[n:n+1])
	}
	return e
}

var (
	_ Loss = CrossEntropy{}
	_ Loss = ProbitLoss{}
)

// CrossEntropy is −t ln σ(a) − (1−t) ln(1−σ(a)), PRML (4.90), of the logistic
// model, for targets t in [0,1]. With y = σ(a) its derivatives are y−t (4.91)
// and y(1−y) (4.97).
//
// Equations: PRML (4.88), (4.90), (4.91), (4.97), (4.98).
type CrossEntropy struct{}

func (l CrossEntropy) Eval(a, t, d1, d2 []float64) float64 { return l.weighted(a, t, nil, d1, d2) }

func (CrossEntropy) weighted(a, t []float64, w block.Weights, d1, d2 []float64) float64 {
	return vec.For(len(a)).CrossEntropy(a, t[:len(a)], w, d1[:len(a)], d2[:len(a)])
}

// ProbitLoss is −t ln Φ(a) − (1−t) ln Φ(−a) of the probit model, for targets t in [0,1].
//
// Equations: PRML (4.114).
type ProbitLoss struct{}

func (l ProbitLoss) Eval(a, t, d1, d2 []float64) float64 { return l.weighted(a, t, nil, d1, d2) }

func (ProbitLoss) weighted(a, t []float64, w block.Weights, d1, d2 []float64) float64 {
	return vec.For(len(a)).Probit(a, t[:len(a)], w, d1[:len(a)], d2[:len(a)])
}
