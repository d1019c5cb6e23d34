package glm

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/vec"
)

// Loss is the negative log likelihood E_n of a row n as a function of the row's activation a_n =
// wᵀφ_n. One call of Eval processes several rows.
type Loss interface {
	// Eval returns Σ_n E_n. It writes the derivatives dE_n/da_n to d1 and d²E_n/da_n² to d2.
	Eval(a, t, d1, d2 []float64) float64
}

// weightedLoss is a loss with an additional method for rows that have weights. If the weights are
// nil, each row counts once.
type weightedLoss interface {
	weighted(a, t []float64, w block.Weights, d1, d2 []float64) float64
}

// Eval is like l.Eval, but for weighted rows. The returned sum includes the weights. The
// derivatives do not include the weights, because the sums over a block apply them.
func Eval(l Loss, a, t, d1, d2 []float64, w block.Weights) float64 {
	if w == nil {
		return l.Eval(a, t, d1, d2)
	}
	if l, ok := l.(weightedLoss); ok {
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

// CrossEntropy is the loss −t ln σ(a) − (1−t) ln(1−σ(a)) of the logistic model, PRML (4.90), for
// targets t in [0,1]. With y = σ(a), its first derivative is y−t (4.91) and its second derivative
// is y(1−y) (4.97).
//
// Equations: PRML (4.88), (4.90), (4.91), (4.97), (4.98).
type CrossEntropy struct{}

func (l CrossEntropy) Eval(a, t, d1, d2 []float64) float64 { return l.weighted(a, t, nil, d1, d2) }

func (CrossEntropy) weighted(a, t []float64, w block.Weights, d1, d2 []float64) float64 {
	return vec.For(len(a)).CrossEntropy(a, t[:len(a)], w, d1[:len(a)], d2[:len(a)])
}

// ProbitLoss is the loss −t ln Φ(a) − (1−t) ln Φ(−a) of the probit model, for targets t in [0,1].
//
// Equations: PRML (4.114).
type ProbitLoss struct{}

func (l ProbitLoss) Eval(a, t, d1, d2 []float64) float64 { return l.weighted(a, t, nil, d1, d2) }

func (ProbitLoss) weighted(a, t []float64, w block.Weights, d1, d2 []float64) float64 {
	return vec.For(len(a)).Probit(a, t[:len(a)], w, d1[:len(a)], d2[:len(a)])
}

// NewCanonical returns the loss of the family with the given name, which is also the name that a
// saved model contains. A scale of 0 means 1.
func NewCanonical(name string, scale float64) (*CanonicalLoss, error) {
	if scale == 0 {
		scale = 1
	}
	if !(scale > 0) || math.IsInf(scale, 1) {
		return nil, fmt.Errorf("the Scale of the %s target is %v: want a finite number greater than 0, or 0 for the default 1",
			name, scale)
	}
	for _, f := range canonicalFamilies {
		if f.Name == name {
			return &CanonicalLoss{f, scale}, nil
		}
	}
	return nil, fmt.Errorf("unknown family %q: want Bernoulli, Poisson, Gaussian or gamma", name)
}

// canonicalFamily contains the functions of one distribution. The function `cost` returns e = b(η) −
// ηt, up to terms that depend only on t. If η is not allowed or if the mean overflows, e is +Inf.
// `cost` also returns the first two derivatives of e with respect to η: the residual y−t and the
// variance b″. `Mean` returns the mean y and the variance. `Constant` returns ln p + e/s. `Link`
// computes η from the mean.
type canonicalFamily struct {
	Name     string
	low      string // describes the allowed targets in error messages
	allowed  func(t float64) bool
	cost     func(η, t float64) (e, residual, variance float64)
	Mean     func(η float64) (y, variance float64)
	Constant func(t, s float64) float64
	Link     func(y float64) float64
}

var canonicalFamilies = []canonicalFamily{
	{
		"Bernoulli", "between 0 and 1", func(t float64) bool { return t >= 0 && t <= 1 },
		nil, // uses CrossEntropy
		func(η float64) (y, v float64) {
			y, c, _ := kernels.SigmoidParts(η)
			return y, y * c
		},
		func(_, _ float64) float64 { return 0 },
		kernels.Logit,
	}, {
		"Poisson", "counts, 0 or more", func(t float64) bool { return t >= 0 },
		func(η, t float64) (e, r, v float64) {
			y := kernels.Exp(η)
			return y - η*t, y - t, y
		},
		func(η float64) (y, v float64) {
			y = kernels.Exp(η)
			return y, y
		},
		func(t, _ float64) float64 {
			l, _ := math.Lgamma(t + 1)
			return -l
		},
		math.Log,
	}, {
		"Gaussian", "finite numbers", func(float64) bool { return true },
		func(η, t float64) (e, r, v float64) { return (η - t) * (η - t) / 2, η - t, 1 },
		func(η float64) (y, v float64) { return η, 1 },
		func(_, s float64) float64 { return -math.Log(2*math.Pi*s) / 2 },
		func(y float64) float64 { return y },
	}, {
		"gamma", "greater than 0", func(t float64) bool { return t > 0 },
		func(η, t float64) (e, r, v float64) {
			if !(η < 0) {
				return math.Inf(1), 0, 0
			}
			y := -1 / η
			return t/y + math.Log(y), y - t, y * y
		},
		func(η float64) (y, v float64) { return -1 / η, 1 / (η * η) },
		func(t, s float64) float64 {
			shape := 1 / s
			l, _ := math.Lgamma(shape)
			return shape*math.Log(shape) + (shape-1)*math.Log(t) - l
		},
		func(y float64) float64 { return -1 / y },
	},
}

// CanonicalLoss is the loss E_n = cost/s of a family with the scale s. Its first derivative is
// (y_n−t_n)/s, and its second derivative is b″/s. For the Bernoulli family, it is CrossEntropy for
// every s.
//
// Equations: PRML (4.118)–(4.121), (4.123), (4.124).
type CanonicalLoss struct {
	canonicalFamily
	S float64
}

var _ Loss = (*CanonicalLoss)(nil)

func (l *CanonicalLoss) Eval(a, t, d1, d2 []float64) float64 { return l.weighted(a, t, nil, d1, d2) }

func (l *CanonicalLoss) weighted(a, t []float64, w block.Weights, d1, d2 []float64) float64 {
	if l.cost == nil {
		return CrossEntropy{}.weighted(a, t, w, d1, d2)
	}
	var e float64
	t, d1, d2 = t[:len(a)], d1[:len(a)], d2[:len(a)]
	for n, η := range a {
		c, r, v := l.cost(η, t[n])
		if math.IsInf(c, 1) || math.IsNaN(c) { // every solver rejects weights for which the loss is +Inf
			c, r, v = math.Inf(1), 0, 0
		}
		e += w.At(n) * (c / l.S)
		d1[n], d2[n] = r/l.S, v/l.S
	}
	return e
}

// Check returns an error unless t contains n targets that the family allows.
func (l *CanonicalLoss) Check(t []float64, n int) error {
	if len(t) != n {
		return fmt.Errorf("t has %d targets but x has %d rows: give one target per row", len(t), n)
	}
	if err := check.Vector("t", t, n, "one per row"); err != nil {
		return err
	}
	for i, v := range t {
		if !l.allowed(v) {
			return fmt.Errorf("t[%d] is %v: the targets of the %s family are %s", i, v, l.Name, l.low)
		}
	}
	return nil
}

// Degenerate returns an error if the likelihood of these targets has no maximum at a finite bias.
func (l *CanonicalLoss) Degenerate(t []float64) error {
	switch l.Name {
	case "Bernoulli":
		return check.OneClass(slices.All(t))
	case "Poisson":
		for _, v := range t {
			if v > 0 {
				return nil
			}
		}
		return fmt.Errorf("all %d counts are 0: the likelihood has no maximum (the bias falls without end); add rows with a count above 0, or a prior on all weights", len(t))
	}
	return nil
}

// ConstantModel returns the loss of a model in which η = bias for all rows. For the Bernoulli
// family it ignores the argument `bias` and uses the best bias.
func (l *CanonicalLoss) ConstantModel(t []float64, w block.Weights, bias float64) float64 {
	if l.cost == nil {
		return -BernoulliNull(slices.All(t), w, w.Sum(len(t)))
	}
	var e float64
	for n, v := range t {
		if math.IsInf(bias, -1) {
			break // all counts are 0, so the best model gives each count the probability 1 and has the loss 0
		}
		c, _, _ := l.cost(bias, v)
		e += w.At(n) * (c / l.S)
	}
	return e
}

// BernoulliNull considers the models in which all rows have the same probability of t = 1. It
// returns the largest log likelihood of such a model. The argument n is the sum of the weights of
// the targets.
func BernoulliNull(t iter.Seq2[int, float64], w block.Weights, n float64) float64 {
	var share, rest, l float64
	for n, v := range t {
		share += w.At(n) * v
		rest += w.At(n) * (1 - v)
	}
	for _, s := range []float64{share, rest} {
		if s > 0 {
			l += s * kernels.LogSigmoid(kernels.Logit(s/n))
		}
	}
	return l
}
