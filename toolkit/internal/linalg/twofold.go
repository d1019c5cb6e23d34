package linalg

import "math"

// Twofold is an unevaluated sum of two float64 numbers. It represents a number with about 31
// digits.
type Twofold struct{ Hi, Lo float64 }

// Add returns a + v.
func (a Twofold) Add(v float64) Twofold {
	s := a.Hi + v
	t := s - a.Hi
	return Twofold{s, a.Lo + ((a.Hi - (s - t)) + (v - t))}.normal()
}

// AddProduct returns a + u·v.
func (a Twofold) AddProduct(u, v float64) Twofold {
	p := u * v
	e := math.FMA(u, v, -p)
	a = a.Add(p)
	a.Lo += e
	return a.normal()
}

func (a Twofold) normal() Twofold {
	s := a.Hi + a.Lo
	return Twofold{s, a.Lo - (s - a.Hi)}
}

// Less reports whether a < b.
func (a Twofold) Less(b Twofold) bool { return a.Hi < b.Hi || a.Hi == b.Hi && a.Lo < b.Lo }

// AddTimes returns a + u·v for a Twofold number v.
func (a Twofold) AddTimes(u float64, v Twofold) Twofold {
	return a.AddProduct(u, v.Hi).AddProduct(u, v.Lo)
}
