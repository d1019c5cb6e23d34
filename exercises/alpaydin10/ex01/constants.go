package ex01

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
)

// constants are those of the two basis functions without arguments of their own:
// a is sin(p(x1−s)), d is log(x2−q). The others are given their numbers by the
// check.
type constants struct{ p, s, q float64 }

// common are the constants of the book: sin(x1) and log(x2).
var common = constants{p: 1}

// constantsOf are the constants of a variant. p and s are whole numbers other than
// 0, p at least 3, so that a period or an offset left out shows and does not look
// like every second zero; q is not 0 either.
func constantsOf(n uint64) constants {
	if n == 0 {
		return common
	}
	r := seed.Source(n, 1001, 0)
	c := constants{p: float64(3 + r.IntN(3)), s: float64(1 + r.IntN(5)), q: float64(1 + r.IntN(4))}
	if r.IntN(2) == 1 {
		c.q = -c.q
	}
	return c
}

// own are the constants of the variant that the program has chosen.
func own() constants { return constantsOf(seed.Get()) }

// at is the x1 at which the argument of the sine is u.
func (c constants) at(u float64) float64 { return c.s + u/c.p }

// lattice are the lines on which the argument of the sine is offset + k·period.
func (c constants) lattice(period, offset float64) Region {
	return X1.Lattice(period/c.p, c.at(offset))
}

// sine is the basis function a in plain letters.
func (c constants) sine() string {
	if c == common {
		return "sin(x1)"
	}
	return fmt.Sprintf("sin(%g(x1−%g))", c.p, c.s)
}

// log is the basis function d in plain letters.
func (c constants) log() string {
	switch {
	case c.q < 0:
		return fmt.Sprintf("log(x2+%g)", -c.q)
	case c.q > 0:
		return fmt.Sprintf("log(x2−%g)", c.q)
	}
	return "log(x2)"
}

// zeros are the zeros of the sine in plain letters.
func (c constants) zeros() string {
	if c == common {
		return "kπ"
	}
	return fmt.Sprintf("%g + kπ/%g", c.s, c.p)
}

// vary is what becomes of the constants in the texts.
func vary(n uint64) map[string]string {
	c := constantsOf(n)
	v := map[string]string{
		"sineGo": c.sine(), "logGo": c.log(),
		"logFrom": fmt.Sprintf("%g", c.q), "logZero": fmt.Sprintf("%g", c.q+1),
		"offset": fmt.Sprintf("%g", c.s),
	}
	if c == common {
		v["sine"], v["log"], v["zeros"], v["period"] = `\sin(x_1)`, `\log(x_2)`, `k\pi`, "math.Pi"
		v["offsetHint"], v["sineStep"], v["logStep"] = "", "", ""
		v["halfPlane"] = "the open upper half-plane without a line"
		return v
	}
	sign := "-"
	if c.q < 0 {
		sign = "+"
	}
	v["sine"] = fmt.Sprintf(`\sin\{%g(x_1-%g)\}`, c.p, c.s)
	v["log"] = fmt.Sprintf(`\log(x_2%s%g)`, sign, math.Abs(c.q))
	v["zeros"] = fmt.Sprintf(`%g+k\pi/%g`, c.s, c.p)
	v["period"] = fmt.Sprintf("math.Pi/%g", c.p)
	v["offsetHint"] = " The offset is where its argument is 0."
	v["sineStep"] = fmt.Sprintf(`$%g(x_1-%g)=k\pi$, that is for `, c.p, c.s)
	v["logStep"] = fmt.Sprintf(", at $x_2=%g$", c.q+1)
	v["halfPlane"] = fmt.Sprintf("the open half-plane above $x_2=%g$ without a line", c.q)
	return v
}
