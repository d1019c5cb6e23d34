package laplace

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// Options has the fields of classify.Options.
type Options struct {
	Gradient      func(dst, z []float64)
	Hessian       func(dst *mat.SymDense, z []float64)
	Step          float64
	Starts        [][]float64
	Random        int
	Spread        float64
	Seed          uint64
	MaxIterations int
}

// Mode is classify.Mode.
type Mode struct {
	At              []float64
	LogF            float64
	Precision       *mat.SymDense
	Covariance      *mat.SymDense
	LogDet          float64
	LogZ            float64
	Step, StepError float64
}

// Found is the result of a search.
type Found struct {
	Modes    []Mode // the highest first
	Starts   int
	Failures []string // reasons why searches from some starts found no mode
}

// stream is the random stream that draws the starts.
const stream = 45

// Find searches for the modes of f from x0 and the other starts, the highest
// mode first.
//
// Equations: PRML (4.126), (4.131)–(4.135).
func Find(logf func(z []float64) float64, x0 []float64, o Options) (*Found, error) {
	l, err := newSearch(logf, x0, &o)
	if err != nil {
		return nil, err
	}
	starts := [][]float64{x0}
	for i, s := range o.Starts {
		if err := check.Vector(fmt.Sprintf("Starts[%d]", i), s, l.m, "as x0"); err != nil {
			return nil, err
		}
		starts = append(starts, s)
	}
	rng := rand.New(rand.NewPCG(o.Seed, stream))
	for range o.Random {
		s := make([]float64, l.m)
		for i, v := range x0 {
			s[i] = v + o.Spread*(1+math.Abs(v))*rng.NormFloat64()
		}
		starts = append(starts, s)
	}
	fit := &Found{Starts: len(starts)}
	var first error
	for _, s := range starts {
		m, err := l.from(s)
		if err != nil {
			if errors.Is(err, errInfinite) {
				return nil, err
			}
			if first == nil {
				first = err
			}
			fit.Failures = append(fit.Failures, fmt.Sprintf("from %.4g: %v", s, err))
			continue
		}
		if !slices.ContainsFunc(fit.Modes, func(k Mode) bool { return sameMode(k, *m) }) {
			fit.Modes = append(fit.Modes, *m)
		}
	}
	if fit.Modes == nil {
		return nil, first
	}
	slices.SortStableFunc(fit.Modes, func(a, b Mode) int {
		return cmp.Or(cmp.Compare(b.LogF, a.LogF), slices.Compare(a.At, b.At))
	})
	return fit, nil
}

// Take accepts z0 as the mode of f, or returns the reason why z0 is not a mode.
func Take(logf func(z []float64) float64, z0 []float64, o Options) (*Mode, error) {
	l, err := newSearch(logf, z0, &o)
	if err != nil {
		return nil, err
	}
	return l.at(z0)
}

// sameMode reports whether two modes are equal up to a thousandth of a standard deviation.
func sameMode(a, b Mode) bool {
	d := floats.SubTo(make([]float64, len(a.At)), a.At, b.At)
	return mat.Inner(mat.NewVecDense(len(d), d), a.Precision, mat.NewVecDense(len(d), d)) < 1e-6
}
