package ex09

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// priorsFunc is the learner's function.
type priorsFunc = func(labels []int, K int) []float64

// A problem is a list of labels.
type problem struct {
	name   string
	labels []int
	counts []int // N_k, K of them
}

func (p problem) k() int { return len(p.counts) }
func (p problem) n() int { return len(p.labels) }

// shares is N_k/N.
func (p problem) shares() []float64 {
	pi := make([]float64, p.k())
	for k, c := range p.counts {
		pi[k] = float64(c) / float64(p.n())
	}
	return pi
}

// logLikelihood is what ln p(labels, inputs) knows of the priors: Σ_n ln π of the
// label of n, point by point.
func (p problem) logLikelihood(pi []float64) float64 {
	sum := 0.0
	for _, k := range p.labels {
		sum += math.Log(pi[k])
	}
	return sum
}

func draw(r *rand.Rand, name string, counts ...int) problem {
	p := problem{name: name, counts: counts}
	for k, c := range counts {
		for range c {
			p.labels = append(p.labels, k)
		}
	}
	r.Shuffle(len(p.labels), func(i, j int) { p.labels[i], p.labels[j] = p.labels[j], p.labels[i] })
	return p
}

// full are problems in which every class has data.
func full(n uint64) []problem {
	r := instance.Source(409, n)
	return []problem{
		draw(r, "three classes", 11, 5, 2),
		draw(r, "two classes", 3, 14),
		draw(r, "five classes of very unequal size", 120, 3, 40, 1, 9),
		draw(r, "classes of one size", 4, 4, 4, 4),
		draw(r, "one point in each of two classes", 1, 1),
		draw(r, "a single class", 6),
	}
}

// sparse are problems in which at least one class has no data.
func sparse(n uint64) []problem {
	r := instance.Source(409, n)
	return []problem{
		draw(r, "the last class without data", 4, 3, 0),
		draw(r, "the first class without data", 0, 2, 7),
		draw(r, "a class in the middle without data", 5, 0, 2, 3),
		draw(r, "a single point, three classes", 0, 1, 0),
	}
}

// ask calls the learner's function with a copy and returns a copy of its answer,
// with a verdict instead where that is not K finite numbers or labels was changed.
func ask(priors priorsFunc, p problem) ([]float64, *verify.Verdict) {
	labels := slices.Clone(p.labels)
	pi := slices.Clone(priors(labels, p.k()))
	switch {
	case !slices.Equal(labels, p.labels):
		return nil, learner.Fail("mutates-inputs", 3, "Your function changed labels. A slice is shared with the caller: if you want it sorted, sort a copy (slices.Clone).")
	case len(pi) == p.n() && p.n() != p.k() && p.n() > 0:
		return nil, learner.Fail("one-per-point", 2, "For “%s” you returned one number per data point. Asked for is one per class, here %d.", p.name, p.k())
	case len(pi) == p.k()+1:
		return nil, learner.Fail("counted-from-1", 3, "For “%s” you returned K+1 numbers. The classes are counted from 0 to K−1.", p.name)
	}
	return pi, form.Vector("π", pi, p.k(), "class", p.name, 3)
}
