package classify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
)

var _ Solver = Sequential{}

// Sequential presents one pattern at a time: the stochastic gradient descent of
// PRML 4.3.2, (3.22) with the n-th term of (4.91),
//
//	w ← w − η∇E_n(w) = w + η(t_n − y_n)φ_n
//
// and 1/N of the prior's part. An iteration is one presentation of all rows;
// there are at most 1000 unless the fit's options say otherwise.
//
// With a constant rate the iterates end up jumping about the optimum, at a
// distance that falls with η, and the fit is not Converged; with Decay they come
// to rest slowly; with Corrected they converge to the optimum at a constant rate.
type Sequential struct {
	// Rate is η; 0 takes 1/3L, L a bound of the largest eigenvalue of any ∇∇E_n.
	Rate float64
	// Decay divides the rate by 1 + Decay·(iterations made so far).
	Decay float64
	// Corrected keeps the last error of every pattern and corrects each step by
	// the mean of all: w ← w − η(∇E_n − ∇E_n before + mean of all before). This is
	// the SAGA method (Defazio, Bach and Lacoste-Julien 2014).
	Corrected bool
	// Shuffle presents the patterns in an order drawn anew for every iteration
	// with Seed; without it they come in the order of the rows.
	Shuffle bool
	// SmallStart adds to every starting weight a number drawn from
	// [−0.01, 0.01] with Seed, as Alpaydin's figure 10.6 begins.
	SmallStart bool
	Seed       uint64
	// Every is how often an iterate is recorded in the Trace: each Every-th, and
	// the last. 0 records all up to about a thousand, then fewer, evenly spaced.
	Every int
	// EveryUpdate records after every single pattern instead: for small data.
	EveryUpdate bool
	// Stop is early stopping.
	Stop Stopping
}

func (s Sequential) prepare(d, k int) (int, error) {
	if err := walkRate("Sequential.Rate", s.Rate); err != nil {
		return 0, err
	}
	if err := walkRate("Sequential.Decay", s.Decay); err != nil {
		return 0, err
	}
	if err := walkEvery("Sequential.Every", s.Every); err != nil {
		return 0, err
	}
	if s.EveryUpdate && s.Every > 1 {
		return 0, fmt.Errorf("Sequential.Every is %d and EveryUpdate is set: choose one", s.Every)
	}
	return 1000, s.Stop.check(d, k)
}

func (s Sequential) solve(p *problem) *path {
	w := p.coord.Outer(p.start)
	if s.SmallStart {
		w = walkSmallStart(w, s.Seed)
	}
	every := s.Every
	if s.EveryUpdate {
		every = 1
	}
	k := newWalk(p, "sequential descent", w, s.Stop, every)
	k.noisy = true
	q := newWalkRows(p)
	η := s.Rate
	if η == 0 {
		η = 1 / (3 * q.steepest(p))
	}
	order := make([]int, q.n)
	for i := range order {
		order[i] = i
	}
	rng := rand.New(rand.NewPCG(s.Seed, 322))
	var memory *sagaMemory
	if s.Corrected {
		memory = &sagaMemory{make([]float64, q.n*q.k), make([]float64, q.m*q.k), make([]float64, q.k)}
	}
	for !k.done {
		if s.Shuffle {
			rng.Shuffle(q.n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		now := η / (1 + s.Decay*float64(k.it))
		w := slices.Clone(k.w)
		for at, i := range order {
			d := q.errors(i, w)
			q.shrink(w, -now/float64(q.n))
			if s.Corrected {
				memory.step(q, i, w, now, d)
			} else {
				q.add(w, -now, d)
			}
			if s.EveryUpdate && at < q.n-1 && walkFinite(w) {
				k.glimpse(w)
			}
		}
		k.it++
		k.arrive(w)
	}
	if !k.out.converged && !s.Corrected && s.Decay == 0 && k.it >= k.maxIt && !math.IsInf(k.λ, 0) {
		k.out.reason += "; the iterates of a constant rate jump about the optimum: lower Rate, set Decay, or set Corrected"
	}
	return k.finish()
}

// sagaMemory is the last error of every pattern and their mean gradient.
type sagaMemory struct {
	errors, mean []float64
	change       []float64
}

func (g *sagaMemory) step(q *walkRows, i int, w []float64, η float64, d []float64) {
	old := g.errors[i*q.k : (i+1)*q.k]
	floats.SubTo(g.change, d, old)
	q.add(w, -η, g.change)
	floats.AddScaled(w, -η, g.mean)
	q.add(g.mean, 1/float64(q.n), g.change)
	copy(old, d)
}
