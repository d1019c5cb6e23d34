package ex07

import (
	"math"
	"math/big"
)

// precision is that of exact, in bits: five times a float64's.
const precision = 256

// exact is σ(a) rounded once, from its definition in 256-bit arithmetic, without
// math.Exp. |a| is at most a few thousand.
func exact(a float64) float64 {
	one := big.NewFloat(1).SetPrec(precision)
	e := bigExp(-math.Abs(a))
	y := new(big.Float).SetPrec(precision).Add(one, e)
	if a < 0 {
		y.Quo(e, y) // e^a/(1+e^a)
	} else {
		y.Quo(one, y)
	}
	v, _ := y.Float64()
	return v
}

// bigExp is e^x: the Taylor series at x/2^16, squared 16 times.
func bigExp(x float64) *big.Float {
	number := func(v float64) *big.Float { return big.NewFloat(v).SetPrec(precision) }
	small := number(x)
	small.SetMantExp(small, -16)
	sum, term := number(1), number(1)
	for n := 1; n <= 40; n++ {
		term.Mul(term, small)
		term.Quo(term, number(float64(n)))
		sum.Add(sum, term)
	}
	for range 16 {
		sum.Mul(sum, sum)
	}
	return sum
}

// ulps is the distance of got from want in units of want's last place.
func ulps(got, want float64) float64 {
	return math.Abs(got-want) / (math.Nextafter(want, math.Inf(1)) - want)
}
