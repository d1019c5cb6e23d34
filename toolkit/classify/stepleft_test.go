package classify

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// digits of the arithmetic in which a fit is judged: the curvatures of columns of
// size 1e37 and of a prior of 1e-19 are 1e93 apart.
const stepBits = 1024

func bigFloat(v float64) *big.Float { return new(big.Float).SetPrec(stepBits).SetFloat64(v) }

// bigExp returns exp(v): the Taylor series of v·2⁻⁶⁴, squared 64 times.
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

// stepLeft returns the length of the Newton step from w of logistic regression with
// the prior Isotropic{alpha}, or without one for 0, in standard errors and beside
// 1+‖w‖; rounded is how much of the first the rounding of the weights to 53 bits may
// make. ok is false if the Hessian is singular.
func stepLeft(x *mat.Dense, t []float64, alpha float64, w []float64) (errors, share, rounded float64, ok bool) {
	n, m := len(t), len(w)
	h := make([][]*big.Float, m) // with −∇E as its last column
	for i := range h {
		h[i] = make([]*big.Float, m+1)
		for j := range h[i] {
			h[i][j] = bigFloat(0)
		}
		h[i][i].SetFloat64(alpha)
		h[i][m].Mul(bigFloat(-alpha), bigFloat(w[i]))
	}
	one, p := bigFloat(1), bigFloat(0)
	for r := range n {
		phi := append([]float64{1}, mat.Row(nil, r, x)...)
		a, size := bigFloat(0), 0.0
		for j, v := range phi {
			size += math.Abs(v * w[j])
			a.Add(a, p.Mul(bigFloat(v), bigFloat(w[j])))
		}
		sign := 1 - 2*t[r] // e = σ(sign·a) = exp(−s)/(1+exp(−s)), s = −sign·a
		s := new(big.Float).Mul(a, bigFloat(-sign))
		e := bigFloat(0)
		switch v, _ := s.Float64(); {
		case v < -1e5:
			e.SetFloat64(1)
		case v <= 1e5: // beyond, no digit of any sum
			e = bigExp(s.Neg(s))
			e.Quo(e, new(big.Float).Add(one, e))
		}
		curve := new(big.Float).Sub(one, e)
		curve.Mul(curve, e)
		c, _ := curve.Float64()
		rounded = math.Hypot(rounded, math.Sqrt(c)*size)
		for i := range m {
			h[i][m].Sub(h[i][m], p.Mul(e, bigFloat(sign*phi[i])))
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
		return 0, 0, 0, false
	}
	λ, f := bigFloat(0), make([]float64, m)
	for i := range d {
		λ.Add(λ, p.Mul(d[i], g[i]))
		f[i], _ = d[i].Float64()
	}
	if λ.Sign() > 0 {
		errors, _ = λ.Sqrt(λ).Float64()
	}
	return errors, linalg.Norm(f) / (1 + linalg.Norm(w)), rounded * 0x1p-53, true
}

// bigSolve solves a positive definite system, given with its right side as the last
// column.
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

// arrived tells a test of a fit that says to be Converged and is not: the digits that
// Converged promises, and those that w loses when it is rounded to float64.
func arrived(t *testing.T, name string, x *mat.Dense, target []float64, alpha float64, w []float64) {
	t.Helper()
	e, share, rounded, ok := stepLeft(x, target, alpha, w)
	if ok && (e > 1e-8+rounded || share > 1e-8) {
		t.Errorf("%s: Converged at %v, where a Newton step of %.2g standard errors and of %.2g of the weights is left, α = %g\n%v\n%v", name, w, e, share, alpha, mat.Formatted(x), target)
	}
}

// TestConvergedIsOptimumExactly judges fits in arithmetic of a thousand bits.
func TestConvergedIsOptimumExactly(t *testing.T) {
	for _, c := range []struct {
		name   string
		alpha  float64
		x, t   []float64
		arrive bool // all digits can be had
	}{
		// A prior of 1e-18 alone holds w1−w2: rounding of the sums over rows is larger.
		{"a direction of the prior", 1e-18, []float64{0, 0, 1, 1, 2, 1e9, -3, -3}, []float64{0, 1, 0, 1}, true},
		// Half of the far input times w1 is no number of 1e-8 digits beside w0.
		{"a column of 1e9", 0.01, []float64{-1, 0, 1e9, 0}, []float64{0, 1}, true},
		// The sums leave a direction to the prior in which R has few digits.
		{"a direction of the prior, with rows apart by 1e9", 1e-18, []float64{0, -1, 1e9, -1e9}, []float64{0, 1}, false},
		{"a column of 1e9, and another", 0.01, []float64{-1, 0, 1e9, 1}, []float64{0, 1}, true},
	} {
		n := len(c.t)
		x := mat.NewDense(n, len(c.x)/n, c.x)
		labels := make([]int, n)
		for i, v := range c.t {
			labels[i] = int(1 - v)
		}
		for _, s := range []Solver{Newton{}, LBFGS{}} {
			l, err := FitLogistic(x, c.t, LogisticOptions{Prior: Isotropic{Alpha: c.alpha}, Solver: s})
			if err != nil {
				t.Fatal(err)
			}
			m, err := FitSoftmax(x, labels, 2, SoftmaxOptions{Prior: Isotropic{Alpha: 2 * c.alpha}, Solver: s})
			if err != nil {
				t.Fatal(err)
			}
			if c.arrive && s == (Newton{}) && !(l.Converged && m.Converged) {
				t.Errorf("%s: %s; %s", c.name, l.Reason, m.Reason)
			}
			if l.Converged {
				arrived(t, c.name+", logistic", x, c.t, c.alpha, l.W)
			}
			if m.Converged {
				arrived(t, c.name+", softmax", x, c.t, c.alpha, contrastOf(m.W))
			}
		}
	}
}

// contrastOf returns the weights of the first class less those of the second.
func contrastOf(w *mat.Dense) []float64 {
	d := mat.Col(nil, 0, w)
	for j, v := range mat.Col(nil, 1, w) {
		d[j] -= v
	}
	return d
}

// TestRoundingIsSaid: where digits cannot be had the fit says what to look at, and
// does not offer a prior to who has one.
func TestRoundingIsSaid(t *testing.T) {
	m, err := FitLogistic(mat.NewDense(3, 2, []float64{-1, -3, -3, 3, 1e37, -3}), []float64{0, 1, 1}, LogisticOptions{Prior: Isotropic{Alpha: 1e-7}})
	if err != nil {
		t.Fatal(err)
	}
	if m.Converged || !strings.Contains(m.Reason, "column 0 of x (from 0) reaches 1e+37 in row 2") || strings.Contains(m.Reason, "use a Prior") {
		t.Errorf("%v %s", m.Converged, m.Reason)
	}
	rng := rand.New(rand.NewPCG(2, 3))
	x, target := mat.NewDense(40, 2, nil), make([]float64, 40)
	for i := range target {
		v := rng.NormFloat64()
		x.SetRow(i, []float64{v, v + 2e-12*rng.NormFloat64()})
		target[i] = float64(rng.IntN(2))
	}
	m, err = FitLogistic(x, target, LogisticOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Converged || m.Rank != 3 || !strings.Contains(m.Reason, "rounding is in the way") || !strings.Contains(m.Reason, "leave out columns that nearly depend") {
		t.Errorf("rank %d, %v %s", m.Rank, m.Converged, m.Reason)
	}
}

// TestTinyInputsHaveWeights: w1 = −Σ(½−t)x/α to first order, the least numbers
// of float64 near.
func TestTinyInputsHaveWeights(t *testing.T) {
	for _, size := range []float64{1e-20, 1e-100, 1e-140, 1e-149, 1e-150} {
		x := mat.NewDense(4, 1, []float64{-2 * size, size, 3 * size, 5 * size})
		m, err := FitLogistic(x, []float64{0, 1, 0, 1}, LogisticOptions{Prior: Isotropic{Alpha: 1}})
		if err != nil || !m.Converged || !(math.Abs(m.W[1]-2.5*size) <= 1e-12*2.5*size) {
			t.Errorf("%g: %v, %v", size, m, err)
		}
	}
}
