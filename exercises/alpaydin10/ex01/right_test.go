package ex01_test

import (
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex01"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
)

// answers are the six functions.
type answers struct {
	sine      func() ex01.Region
	bump      func(a, c float64) ex01.Region
	radial    func(m []float64, c float64) ex01.Region
	log       func() ex01.Region
	step      func(c float64) ex01.Region
	halfPlane func(a, b, c float64) ex01.Region
}

var reference = answers{Sine, Bump, RadialBump, Log, Step, HalfPlane}

func TestRight(t *testing.T) {
	for _, tc := range []struct {
		name string
		a    answers
	}{
		{"reference", reference},
		{"two lattices, unions, scaled forms", answers{
			func() ex01.Region {
				return ex01.Everywhere().Except(ex01.X1.Lattice(2*math.Pi, 0)).Except(ex01.X1.Lattice(2*math.Pi, math.Pi))
			},
			func(a, _ float64) ex01.Region { return ex01.X1.AtMost(a).Or(ex01.X1.Above(a)) },
			func(m []float64, c float64) ex01.Region {
				d := ex01.Disc(m[0], m[1], c)
				return d.Or(ex01.Everywhere().Except(d))
			},
			func() ex01.Region { return ex01.X2.Between(0, 1).Or(ex01.X2.Above(1)) },
			func(c float64) ex01.Region { return ex01.Linear(2, 0).Above(2 * c) },
			func(a, b, c float64) ex01.Region { return ex01.Linear(-a, -b).Below(-c) },
		}},
		{"complements, shifted lattice", answers{
			func() ex01.Region { return ex01.Everywhere().Except(ex01.X1.Lattice(-math.Pi, 7*math.Pi)) },
			func(a, _ float64) ex01.Region { return ex01.Everywhere().Except(ex01.Nowhere()) },
			func(m []float64, _ float64) ex01.Region { return ex01.X1.AtLeast(m[0]).Or(ex01.X1.AtMost(m[0])) },
			func() ex01.Region { return ex01.Everywhere().Except(ex01.X2.AtMost(0)).Except(ex01.X2.Equals(1)) },
			func(c float64) ex01.Region { return ex01.Everywhere().Except(ex01.X1.AtMost(c)) },
			func(a, b, c float64) ex01.Region { return ex01.Everywhere().Except(ex01.Linear(a, b).AtMost(c)) },
		}},
		{"positive and negative parts, unit normal", answers{
			func() ex01.Region {
				odd := ex01.X1.Lattice(math.Pi, 0)
				return ex01.X1.Above(0).Or(ex01.X1.Below(0)).Except(odd)
			},
			Bump, RadialBump,
			func() ex01.Region { return ex01.X2.Above(0).And(ex01.X2.Below(1).Or(ex01.X2.Above(1))) },
			func(c float64) ex01.Region { return ex01.X1.AtLeast(c).Except(ex01.X1.Equals(c)) },
			func(a, b, c float64) ex01.Region {
				n := math.Hypot(a, b)
				return ex01.Linear(a/n, b/n).Above(c / n)
			},
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, check(tc.a)) })
	}
}
