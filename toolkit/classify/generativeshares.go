package classify

import (
	"errors"
	"fmt"
	"math"
)

// ClassShares is what every generative model knows about its classes and its fit.
type ClassShares struct {
	Priors []float64 // π_k = p(C_k), K entries
	Counts []int     // N_k, rows of each class in the fit
	N      int       // rows of the fit
	// LogLikelihood is ln p(X, t) of the fit's data, the joint density of inputs
	// and classes. (PRML (4.71) prints it as p(t|…).)
	LogLikelihood float64
	Parameters    int // numbers that the fit has estimated
}

// DegreesOfFreedom returns how many numbers the fit has estimated: those of the
// densities of the classes that have rows, and one prior less than these classes
// if the priors were estimated (PRML 4.3.2 counts M(M+5)/2+1 for LDA and K = 2).
func (c *ClassShares) DegreesOfFreedom() int { return c.Parameters }

// AIC returns Akaike's criterion −2 ln p(X,t) + 2·DegreesOfFreedom; smaller is
// better. PRML (1.73) is −½ of it.
func (c *ClassShares) AIC() float64 { return -2*c.LogLikelihood + 2*float64(c.Parameters) }

// BIC returns −2 ln p(X,t) + DegreesOfFreedom·ln N; smaller is better. PRML
// (4.139) is −½ of it.
func (c *ClassShares) BIC() float64 {
	return -2*c.LogLikelihood + float64(c.Parameters)*math.Log(float64(c.N))
}

// newShares sets the priors: N_k/N (PRML 4.73, 4.159), given, or uniform over the
// classes with rows. Parameters and LogLikelihood hold the part of the priors.
func newShares(counts []int, n int, given []float64, uniform bool) (ClassShares, error) {
	c := ClassShares{Counts: counts, N: n, Priors: make([]float64, len(counts))}
	filled := c.filled()
	switch {
	case given != nil && uniform:
		return c, errors.New("Priors and UniformPriors are both set: choose one")
	case given != nil:
		if err := sharesGiven(given, counts); err != nil {
			return c, err
		}
		copy(c.Priors, given)
	default:
		for k, m := range counts {
			switch {
			case uniform && m > 0:
				c.Priors[k] = 1 / float64(filled)
			case !uniform:
				c.Priors[k] = float64(m) / float64(n)
			}
		}
		if !uniform {
			c.Parameters = filled - 1
		}
	}
	for k, m := range counts {
		if m > 0 {
			c.LogLikelihood += float64(m) * math.Log(c.Priors[k])
		}
	}
	return c, nil
}

func sharesGiven(given []float64, counts []int) error {
	if len(given) != len(counts) {
		return fmt.Errorf("Priors has %d entries but there are %d classes: give one per class", len(given), len(counts))
	}
	var sum float64
	for k, p := range given {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("Priors[%d] is %v: it must be a probability in [0,1]", k, p)
		}
		if p > 0 && counts[k] == 0 {
			return fmt.Errorf("Priors[%d] is %v but class %d has no rows, so that nothing is known of its density: its prior must be 0", k, p, k)
		}
		sum += p
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		return fmt.Errorf("Priors sum to %v: they must sum to 1", sum)
	}
	return nil
}

// filled returns the number of classes with rows.
func (c *ClassShares) filled() int {
	f := 0
	for _, m := range c.Counts {
		if m > 0 {
			f++
		}
	}
	return f
}

func (c *ClassShares) shares() *ClassShares { return c }
