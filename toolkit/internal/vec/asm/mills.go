package main

import (
	"math"
	"math/big"
)

// With Mills' ratio M(x) = Φ(−x)/N(x|0,1), x ≥ 0, Laplace's continued fraction is
//
//	1/M(x) = x + e(x),  e(x) = 1/(x + 2/(x + 3/(x + …))),
//
// and e has all that a probit loss needs: the hazard x + e is a sum of positive terms, and its
// curvature is (x+e)·e, without cancellation. As Shepherd and Laframboise (1981) do it for erfcx,
// u = (x−k)/(x+k) maps [0,∞] to [−1,1]. The function (x+k)·e(x) falls from 2.8 to 1 and is a
// polynomial in u up to a relative error of 2⁻⁵⁵.
const (
	turn        = 3.5 // k, the value for which the terms fall fastest
	millsDegree = 28
	prec        = 400 // bits
)

func num(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }

// excess returns e(x).
func excess(x *big.Float) *big.Float {
	far, _ := x.Float64()
	if far >= 4 { // the levels leave an error below 2⁻¹⁵⁰
		f := new(big.Float).Copy(x)
		for k := 400; k >= 2; k-- {
			f.Add(x, f.Quo(num(float64(k)), f))
		}
		return f.Quo(num(1), f)
	}
	// M(x) = √(π/2)·exp(x²/2) − Σ x^(2k+1)/(1·3·5…(2k+1))
	π, _, _ := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803", 10, prec, big.ToNearestEven)
	square := new(big.Float).Mul(x, x)
	bell, odd := num(0), num(0)
	even, term := num(1), new(big.Float).Copy(x)
	for k := 1; k < 200; k++ {
		bell.Add(bell, even)
		odd.Add(odd, term)
		even.Mul(even, square).Quo(even, num(float64(2*k)))
		term.Mul(term, square).Quo(term, num(float64(2*k+1)))
	}
	m := new(big.Float).Sqrt(π.Quo(π, num(2)))
	m.Mul(m, bell).Sub(m, odd)
	return m.Quo(num(1), m).Sub(m, x)
}

// millsPolynomial returns the coefficients of (x+k)·e(x) by powers of u, from Newton's divided
// differences at the zeros of a Chebyshev polynomial.
func millsPolynomial() []float64 {
	const n = millsDegree + 1
	var u, g [n]*big.Float
	for i := range u {
		u[i] = num(math.Cos(math.Pi * (float64(i) + 0.5) / n))
		below := new(big.Float).Sub(num(1), u[i])
		v := new(big.Float).Quo(num(2*turn), below) // x + k
		g[i] = new(big.Float).Mul(v, excess(new(big.Float).Sub(v, num(turn))))
	}
	for step := 1; step < n; step++ {
		for i := n - 1; i >= step; i-- {
			g[i].Sub(g[i], g[i-1]).Quo(g[i], new(big.Float).Sub(u[i], u[i-step]))
		}
	}
	p := make([]*big.Float, n)
	for i := range p {
		p[i] = num(0)
	}
	for i := n - 1; i >= 0; i-- { // p ← p·(u − u_i) + g_i
		for j := n - 1; j > 0; j-- {
			p[j].Sub(p[j-1], new(big.Float).Mul(p[j], u[i]))
		}
		p[0].Sub(g[i], new(big.Float).Mul(p[0], u[i]))
	}
	c := make([]float64, n)
	for i, v := range p {
		c[i], _ = v.Float64()
	}
	return c
}
