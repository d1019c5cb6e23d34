package classify

import (
	"errors"
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// TargetFamily is the distribution of the target of a generalized linear model
// with canonical link: BernoulliTarget, PoissonTarget, GaussianTarget,
// GammaTarget. In dispersion form its density is
//
//	p(t|η,s) = exp{(ηt − b(η))/s + c(t,s)},  y = E[t] = b′(η),  var[t] = s·b″(η).
//
// PRML (4.118) has h(t/s) and g(η) free of s instead; with that the scale it
// gives for the Gaussian, s = β⁻¹, is not right (it would be β^−½, with y = sη).
type TargetFamily interface {
	canonical() (*canonicalLoss, error)
}

var (
	_ TargetFamily = BernoulliTarget{}
	_ TargetFamily = PoissonTarget{}
	_ TargetFamily = GaussianTarget{}
	_ TargetFamily = GammaTarget{}
)

// BernoulliTarget is a target in [0,1] with mean σ(η): logistic regression.
type BernoulliTarget struct{}

// PoissonTarget is a count with mean exp(η).
type PoissonTarget struct{}

// GaussianTarget is a real number with mean η and variance Scale: least squares.
type GaussianTarget struct {
	Scale float64 // s, the variance 1/β; 0 is 1
}

// GammaTarget is a positive number with mean −1/η, η < 0, and variance Scale
// times the mean squared: the shape is 1/Scale. Scale 1 is the exponential
// distribution.
type GammaTarget struct {
	Scale float64 // s; 0 is 1
}

func (BernoulliTarget) canonical() (*canonicalLoss, error) {
	return newCanonical("Bernoulli", 1)
}

func (PoissonTarget) canonical() (*canonicalLoss, error) { return newCanonical("Poisson", 1) }

func (f GaussianTarget) canonical() (*canonicalLoss, error) {
	return newCanonical("Gaussian", f.Scale)
}

func (f GammaTarget) canonical() (*canonicalLoss, error) { return newCanonical("gamma", f.Scale) }

func canonicalOf(f TargetFamily) (*canonicalLoss, error) {
	if check.Nil(f) {
		return nil, errors.New("the family is nil: give BernoulliTarget{}, PoissonTarget{}, GaussianTarget{} or GammaTarget{}")
	}
	return f.canonical()
}

// newCanonical returns the family of a name, which is how a saved model finds it.
func newCanonical(name string, scale float64) (*canonicalLoss, error) {
	if scale == 0 {
		scale = 1
	}
	if !(scale > 0) || math.IsInf(scale, 1) {
		return nil, fmt.Errorf("the Scale of the %s target is %v: it must be a number greater than 0 (0 itself is the default, 1)", name, scale)
	}
	for _, f := range canonicalFamilies {
		if f.name == name {
			return &canonicalLoss{f, scale}, nil
		}
	}
	return nil, fmt.Errorf("no family is called %q", name)
}

// canonicalFamily has the functions of one distribution. cost is b(η) − ηt up to
// terms in t alone, +Inf where η is not allowed or the mean overflows; constant is
// what ln p has besides −cost/s; link is the inverse of the mean.
type canonicalFamily struct {
	name     string
	low      string // what targets must be
	allowed  func(t float64) bool
	cost     func(η, t float64) (e, residual, variance float64)
	mean     func(η float64) (y, variance float64)
	constant func(t, s float64) float64
	link     func(y float64) float64
}

var canonicalFamilies = []canonicalFamily{
	{
		"Bernoulli", "between 0 and 1", func(t float64) bool { return t >= 0 && t <= 1 },
		nil, // crossEntropy does it
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

// canonicalLoss is a family with its scale, as a loss: E_n = cost/s, with
// derivatives (y_n−t_n)/s and b″/s.
type canonicalLoss struct {
	canonicalFamily
	s float64
}

var _ glm.Loss = (*canonicalLoss)(nil)

func (l *canonicalLoss) Eval(a, t, d1, d2 []float64) float64 {
	if l.cost == nil {
		return glm.CrossEntropy{}.Eval(a, t, d1, d2)
	}
	var e float64
	t, d1, d2 = t[:len(a)], d1[:len(a)], d2[:len(a)]
	for n, η := range a {
		c, r, v := l.cost(η, t[n])
		if math.IsInf(c, 1) || math.IsNaN(c) { // no solver stays here
			c, r, v = math.Inf(1), 0, 0
		}
		e += c / l.s
		d1[n], d2[n] = r/l.s, v/l.s
	}
	return e
}

// check tests the targets.
func (l *canonicalLoss) check(t []float64, n int) error {
	if len(t) != n {
		return fmt.Errorf("t has %d targets but x has %d rows: give one target per row", len(t), n)
	}
	if err := check.Vector("t", t, n, "one per row"); err != nil {
		return err
	}
	for i, v := range t {
		if !l.allowed(v) {
			return fmt.Errorf("t[%d] is %v: the targets of the %s family are %s", i, v, l.name, l.low)
		}
	}
	return nil
}
