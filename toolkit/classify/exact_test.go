package classify_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// exactRecession decides whether a weight vector d = (d0, d1, d2) separates the rows with target 0
// from the rows with target 1. Row n has two inputs. Let z_n be (1, x_n) for target 1 and −(1,x_n)
// for target 0. The result `weak` reports whether at least one d has zᵀd ≥ 0 for all rows and zᵀd >
// 0 for at least one row. The result `strict` reports whether at least one d has zᵀd > 0 for all
// rows. The vectors d with zᵀd ≥ 0 for all rows form a cone. exactRecession computes the extreme
// directions of this cone in rational arithmetic. Each extreme direction is orthogonal to two
// independent vectors z. If the vectors z do not span all three dimensions, unit vectors replace
// the missing ones.
func exactRecession(x *mat.Dense, t []float64) (weak, strict bool) {
	n, _ := x.Dims()
	z := make([][3]*big.Rat, n)
	for i := range z {
		s := big.NewRat(int64(2*t[i]-1), 1)
		for j, v := range []float64{1, x.At(i, 0), x.At(i, 1)} {
			z[i][j] = new(big.Rat).Mul(s, new(big.Rat).SetFloat64(v))
		}
	}
	product := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
	edges := append([][3]*big.Rat{}, z...)
	for j := range 3 {
		e := [3]*big.Rat{new(big.Rat), new(big.Rat), new(big.Rat)}
		e[j].SetInt64(1)
		edges = append(edges, e)
	}
	above := make([]bool, n) // true for a row if at least one vector d of the cone has zᵀd > 0
	for a := range edges {
		for b := range a {
			u, v := edges[a], edges[b]
			var d [3]*big.Rat
			for j := range 3 {
				k, l := (j+1)%3, (j+2)%3
				d[j] = new(big.Rat).Sub(product(u[k], v[l]), product(u[l], v[k]))
			}
			signs := make([]int, n)
			least, most := 1, -1
			for i := range z {
				s := new(big.Rat)
				for j := range 3 {
					s.Add(s, product(z[i][j], d[j]))
				}
				signs[i] = s.Sign()
				least, most = min(least, signs[i]), max(most, signs[i])
			}
			for _, c := range []struct{ low, high, sign int }{{least, most, 1}, {-most, -least, -1}} {
				if c.low < 0 || c.high <= 0 {
					continue
				}
				weak = true
				for i, s := range signs {
					above[i] = above[i] || s != 0
				}
			}
		}
	}
	strict = weak
	for _, a := range above {
		strict = strict && a
	}
	return weak, strict
}

// planeSets calls f with sets of labelled points of the plane. There are four kinds of sets: points
// with small integer coordinates; such points, where one coordinate of one point is a power of ten
// from 1e9 to 1e15; points with log-normal coordinates; and points of a grid. A line
// separates the classes of the grid, but points on this line can belong to either class.
func planeSets(n int, f func(name string, x *mat.Dense, t []float64)) {
	rng := rand.New(rand.NewPCG(41, 5))
	for trial := range n {
		rows := 6 + rng.IntN(9)
		x, t := mat.NewDense(rows, 2, nil), make([]float64, rows)
		kind := trial % 3
		name := [...]string{"integers", "one large entry", "exp"}[kind]
		σ := []float64{6, 8, 10}[rng.IntN(3)]
		turn := rng.IntN(3)
		for i := range rows {
			for j := range 2 {
				v := float64(rng.IntN(7) - 3)
				if kind == 2 {
					v = math.Exp(σ * rng.NormFloat64())
				}
				x.Set(i, j, v)
			}
			t[i] = float64(rng.IntN(2))
			if turn > 0 && kind != 2 { // for integer points, let the first coordinate determine the label exactly or nearly
				t[i] = truth(x.At(i, 0)+float64(rng.IntN(turn)) > 0)
			} else if turn > 0 {
				t[i] = truth(x.At(i, 0) > x.At(i, 1))
				if rng.IntN(rows) == 0 {
					t[i] = 1 - t[i]
				}
			}
		}
		if kind == 1 {
			x.Set(rng.IntN(rows), rng.IntN(2), math.Pow(10, 9+float64(rng.IntN(7))))
		}
		if check.OneClass(slices.All(t)) == nil {
			f(name, x, t)
		}
	}
	for range n / 3 {
		rows := 4 + rng.IntN(12)
		x, t := mat.NewDense(rows, 2, nil), make([]float64, rows)
		for i := range rows {
			a, b := rng.IntN(5)-2, rng.IntN(5)-2
			x.SetRow(i, []float64{float64(a), float64(b)})
			t[i] = truth(a+b > 0)
			if a+b == 0 {
				t[i] = float64(rng.IntN(2))
			}
		}
		if check.OneClass(slices.All(t)) == nil {
			f("grid", x, t)
		}
	}
}

// stepBits is the number of bits in the big.Float arithmetic that checks a fit. Many bits are
// needed: if the entries of a column are about 1e37 and the precision of the prior is 1e-19, the
// curvatures of the objective in different directions differ by a factor of 1e93.
const stepBits = 1024

func bigFloat(v float64) *big.Float { return new(big.Float).SetPrec(stepBits).SetFloat64(v) }

// bigExp computes exp(v). It sums the Taylor series of exp(v·2⁻⁶⁴) and squares the sum 64 times.
func bigExp(v *big.Float) *big.Float {
	x := new(big.Float).SetMantExp(v, -64)
	sum, term := bigFloat(1), bigFloat(1)
	for k := 1; term.Sign() != 0 && term.MantExp(nil) > -stepBits-64; k++ {
		term.Quo(term.Mul(term, x), bigFloat(float64(k)))
		sum.Add(sum, term)
	}
	for range 64 {
		sum.Mul(sum, sum)
	}
	return sum
}

// stepLeft returns the length of the Newton step from w in two units: first in units of the
// standard errors, then as a fraction of 1+‖w‖. stepLeft returns ok = false if the
// Hessian is singular. The prior is Isotropic{alpha}; alpha 0 means no prior. The function `loss`
// computes the first and the second derivative of the loss with respect to a row's activation.
func stepLeft(x *mat.Dense, alpha float64, w []*big.Float,
	loss func(row int, a *big.Float) (slope, curve *big.Float)) (errors, share float64, ok bool) {
	n, _ := x.Dims()
	m := len(w)
	h := make([][]*big.Float, m) // the Hessian, with −∇E as the last column
	for i := range h {
		h[i] = make([]*big.Float, m+1)
		for j := range h[i] {
			h[i][j] = bigFloat(0)
		}
		h[i][i].SetFloat64(alpha)
		h[i][m].Mul(bigFloat(-alpha), w[i])
	}
	p := bigFloat(0)
	for r := range n {
		phi := append([]float64{1}, mat.Row(nil, r, x)...)
		a := bigFloat(0)
		for j, v := range phi {
			a.Add(a, p.Mul(bigFloat(v), w[j]))
		}
		slope, curve := loss(r, a)
		for i := range m {
			h[i][m].Sub(h[i][m], p.Mul(slope, bigFloat(phi[i])))
			for j := range m {
				q := new(big.Float).Mul(bigFloat(phi[i]), bigFloat(phi[j]))
				h[i][j].Add(h[i][j], q.Mul(q, curve))
			}
		}
	}
	g := make([]*big.Float, m)
	for i := range g {
		g[i] = new(big.Float).Set(h[i][m])
	}
	d, ok := bigSolve(h)
	if !ok {
		return 0, 0, false
	}
	λ, f, size := bigFloat(0), make([]float64, m), make([]float64, m)
	for i := range d {
		λ.Add(λ, p.Mul(d[i], g[i]))
		f[i], _ = d[i].Float64()
		size[i], _ = w[i].Float64()
	}
	if λ.Sign() > 0 {
		errors, _ = λ.Sqrt(λ).Float64()
	}
	return errors, linalg.Norm(f) / (1 + linalg.Norm(size)), true
}

// bigLogistic returns a function that computes the derivatives of the cross-entropy of one row with
// target 0 or 1.
func bigLogistic(t []float64) func(row int, a *big.Float) (slope, curve *big.Float) {
	one := bigFloat(1)
	return func(r int, a *big.Float) (*big.Float, *big.Float) {
		sign := 1 - 2*t[r] // slope = sign·e with e = σ(sign·a) = exp(−s)/(1+exp(−s)), s = −sign·a
		s := new(big.Float).Mul(a, bigFloat(-sign))
		e := bigFloat(0)
		switch v, _ := s.Float64(); {
		case v < -1e5:
			e.SetFloat64(1)
		case v <= 1e5: // for v > 1e5, e is too small to change any sum
			e = bigExp(s.Neg(s))
			e.Quo(e, new(big.Float).Add(one, e))
		}
		curve := new(big.Float).Sub(one, e)
		return new(big.Float).Mul(e, bigFloat(sign)), curve.Mul(curve, e)
	}
}

func bigWeights(w []float64) []*big.Float {
	b := make([]*big.Float, len(w))
	for i, v := range w {
		b[i] = bigFloat(v)
	}
	return b
}

// bigSolve solves a positive definite system whose right-hand side is the last column of h. It changes
// h. The second result is false if the matrix is singular or not positive definite.
func bigSolve(h [][]*big.Float) ([]*big.Float, bool) {
	m, p := len(h), bigFloat(0)
	diagonal := make([]*big.Float, m)
	for i := range h {
		diagonal[i] = new(big.Float).Set(h[i][i])
	}
	for k := range h {
		if h[k][k].Sign() <= 0 || h[k][k].MantExp(nil) < diagonal[k].MantExp(nil)-stepBits/2 {
			return nil, false
		}
		for i := k + 1; i < m; i++ {
			f := new(big.Float).Quo(h[i][k], h[k][k])
			for j := k; j <= m; j++ {
				h[i][j].Sub(h[i][j], p.Mul(f, h[k][j]))
			}
		}
	}
	d := make([]*big.Float, m)
	for i := m - 1; i >= 0; i-- {
		d[i] = new(big.Float).Set(h[i][m])
		for j := i + 1; j < m; j++ {
			d[i].Sub(d[i], p.Mul(h[i][j], d[j]))
		}
		d[i].Quo(d[i], h[i][i])
	}
	return d, true
}

// checkOptimum fails the test if the weights w are not at the optimum. w must be the result of a
// fit that reports Converged. If the Hessian at w is singular, checkOptimum checks nothing.
func checkOptimum(t *testing.T, name string, x *mat.Dense, target []float64, alpha float64, w []float64) {
	t.Helper()
	e, share, ok := stepLeft(x, alpha, bigWeights(w), bigLogistic(target))
	errorIf(t, ok && (e > 1e-8 || share > 1e-8),
		"%s: Converged is true at %v, but the Newton step is %.2g standard errors and %.2g·(1+‖w‖) long (α = %g), want at most 1e-8 for both factors\n%v\n%v",
		name, w, e, share, alpha, mat.Formatted(x), target)
}

// contrastOf returns the weights of class 0 minus the weights of class 1.
func contrastOf(w *mat.Dense) []float64 {
	d := mat.Col(nil, 0, w)
	for j, v := range mat.Col(nil, 1, w) {
		d[j] -= v
	}
	return d
}
