package lesson11

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// A density is a function f on the line with one mode and concave ln f. Newton's method converges
// from start within 20 steps.
type density struct {
	name                string
	logf, first, second func(z float64) float64
	start               float64
}

type kind uint64

const (
	gaussian kind = iota
	skewed
	slow
	high
)

// on returns a function that draws densities of these kinds.
func on(kinds ...kind) func() []density {
	return func() (list []density) {
		for _, k := range kinds {
			if k == slow {
				list = append(list, steep(0, 1), steep(0, 1e-6), steep(-3, 2))
				continue
			}
			r := instance.Source(5011, uint64(k))
			for i := range 6 {
				list = append(list, draw(r, k, i))
			}
		}
		return list
	}
}

func draw(r *rand.Rand, k kind, i int) density {
	height := instance.Normals(r, 1)[0]
	if k == high {
		height = []float64{-5000, 900, -800, 3000, -1e4, 1e4}[i]
	}
	shift := []float64{100, 0, -100, 0, -50, 0}[i]
	switch {
	case k == gaussian || i%4 == 3:
		return bell(r, height).moved(shift)
	case i%4 == 0:
		return rate(r, height).moved(shift)
	case i%4 == 1:
		return weight(r, height).moved(shift)
	}
	return cutOff(r, height).moved(shift)
}

// steep returns a density that falls off doubly exponentially. Each Newton step moves only about
// one unit towards the mode, so Newton's method needs 18 steps.
func steep(mode, unit float64) density {
	return density{
		name:   fmt.Sprintf("exp(−cosh) in units of %g", unit),
		logf:   func(z float64) float64 { return -math.Cosh((z - mode) / unit) },
		first:  func(z float64) float64 { return -math.Sinh((z-mode)/unit) / unit },
		second: func(z float64) float64 { return -math.Cosh((z-mode)/unit) / (unit * unit) },
		start:  mode + 15*unit,
	}
}

// moved returns the density d shifted to the right by the given distance.
func (d density) moved(by float64) density {
	at := func(f func(float64) float64) func(float64) float64 {
		return func(z float64) float64 { return f(z - by) }
	}
	return density{d.name, at(d.logf), at(d.first), at(d.second), d.start + by}
}

// bell returns a multiple of a Gaussian density, narrow or wide.
func bell(r *rand.Rand, height float64) density {
	m, a := 3*r.NormFloat64(), math.Pow(10, 4*r.Float64()-2)
	return density{
		name:   "a Gaussian",
		logf:   func(z float64) float64 { return height - a*(z-m)*(z-m)/2 },
		first:  func(z float64) float64 { return -a * (z - m) },
		second: func(float64) float64 { return -a },
		start:  m + (1+r.Float64())/math.Sqrt(a),
	}
}

// rate returns the density of z = ln τ, where the rate τ has a gamma density.
func rate(r *rand.Rand, height float64) density {
	n, s := 1+20*r.Float64(), math.Exp(r.NormFloat64())
	return density{
		name:   "the logarithm of a gamma variable",
		logf:   func(z float64) float64 { return height + n*z - s*math.Exp(z) },
		first:  func(z float64) float64 { return n - s*math.Exp(z) },
		second: func(z float64) float64 { return -s * math.Exp(z) },
		start:  math.Log(n/s) + 0.5 + r.Float64(), // to the right of the mode, where Newton's steps do not overshoot
	}
}

// weight returns the posterior of one weight: a Gaussian prior times sigmoids.
func weight(r *rand.Rand, height float64) density {
	alpha, x, t := 0.2+r.Float64(), instance.Normals(r, 6), make([]float64, 6)
	for n := range t {
		t[n] = float64(n % 2)
	}
	sum := func(start float64, of func(n int) float64) float64 {
		for n := range x {
			start += of(n)
		}
		return start
	}
	return density{
		name: "a prior times sigmoids",
		logf: func(w float64) float64 {
			return sum(height-alpha*w*w/2, func(n int) float64 { return -kernel.CrossEntropy(w*x[n], t[n]) })
		},
		first: func(w float64) float64 {
			return sum(-alpha*w, func(n int) float64 { return (t[n] - kernel.Sigmoid(w*x[n])) * x[n] })
		},
		second: func(w float64) float64 {
			return sum(-alpha,
				func(n int) float64 { return -kernel.Sigmoid(w*x[n]) * kernel.Sigmoid(-w*x[n]) * x[n] * x[n] })
		},
		start: 0,
	}
}

// cutOff returns exp(−z²/2)σ(cz+1), the density of PRML figure 4.14 with a less steep sigmoid.
func cutOff(r *rand.Rand, height float64) density {
	c := 1 + r.Float64()
	return density{
		name:   "a Gaussian cut off by a sigmoid",
		logf:   func(z float64) float64 { return height - z*z/2 + kernel.LogSigmoid(c*z+1) },
		first:  func(z float64) float64 { return -z + c*kernel.Sigmoid(-c*z-1) },
		second: func(z float64) float64 { return -1 - c*c*kernel.Sigmoid(c*z+1)*kernel.Sigmoid(-c*z-1) },
		start:  0.5 + r.Float64(),
	}
}
