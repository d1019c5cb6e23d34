package ex20_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex20"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	hessianFunc = func(W, Phi *mat.Dense) *mat.Dense
	blockFunc   = func(y []float64) *mat.Dense
	spreadFunc  = func(y, s []float64) float64
)

func checkBlock(f blockFunc) *verify.Report   { return ex20.CheckSteps(f, Spread) }
func checkSpread(f spreadFunc) *verify.Report { return ex20.CheckSteps(Block, f) }

func TestFunctions(t *testing.T) {
	gate.Known(t, ex20.Exercise())
	gate.Function(t, ex20.Exercise(), ex20.Check, Hessian)
	gate.Function(t, ex20.Exercise(), checkBlock, Block)
	gate.Function(t, ex20.Exercise(), checkSpread, Spread)
}

func delta(j, k int) float64 {
	if j == k {
		return 1
	}
	return 0
}

// right is the factor of block (j,k).
func right(y []float64, j, k int) float64 { return y[k] * (delta(j, k) - y[j]) }

// by makes blocks with factors r(y, j, k), in the order by classes.
func by(r func(y []float64, j, k int) float64) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense { return sum(W, Phi, false, r) }
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex20.Check, map[string]hessianFunc{
		"reference":                    Hessian,
		"Kronecker products":           by(right),
		"Kronecker products, features": func(W, Phi *mat.Dense) *mat.Dense { return sum(W, Phi, true, right) },
		"part of a larger matrix": func(W, Phi *mat.Dense) *mat.Dense {
			M, K := W.Dims()
			large := mat.NewDense(M*K+1, M*K+1, nil)
			H := large.Slice(1, M*K+1, 1, M*K+1).(*mat.Dense)
			H.Copy(Hessian(W, Phi))
			return H
		},
		"blocks ΦᵀRΦ": func(W, Phi *mat.Dense) *mat.Dense {
			M, K := W.Dims()
			Y := outputs(W, Phi)
			H := mat.NewDense(M*K, M*K, nil)
			for j := range K {
				for k := range K {
					half := mat.DenseCopyOf(Phi)
					half.Apply(func(n, _ int, v float64) float64 { return v * right(Y.RawRowView(n), j, k) }, half)
					H.Slice(j*M, (j+1)*M, k*M, (k+1)*M).(*mat.Dense).Mul(Phi.T(), half)
				}
			}
			return H
		},
		"variance under y, as squares about the mean": func(W, Phi *mat.Dense) *mat.Dense {
			M, K := W.Dims()
			Y := outputs(W, Phi)
			H := mat.NewDense(M*K, M*K, nil)
			for n := range Phi.RawMatrix().Rows {
				y, phi := Y.RawRowView(n), Phi.RawRowView(n)
				for k := range K { // √y_k (e_k − y) ⊗ φ
					v := mat.NewVecDense(M*K, nil)
					for i := range M * K {
						v.SetVec(i, (delta(i/M, k)-y[i/M])*phi[i%M])
					}
					H.RankOne(H, y[k], v, v)
				}
			}
			return H
		},
	})
	gate.Rights(t, checkBlock, map[string]blockFunc{
		"y_k(I − y_j)": entry(right),
		"rows that sum to 0": func(y []float64) *mat.Dense {
			B := entry(func(y []float64, j, k int) float64 { return -y[j] * y[k] * (1 - delta(j, k)) })(y)
			for k := range y {
				B.Set(k, k, -floats.Sum(B.RawRowView(k)))
			}
			return B
		},
	})
	gate.Rights(t, checkSpread, map[string]spreadFunc{
		"library variance": func(y, s []float64) float64 { return stat.PopVariance(s, y) },
		"sᵀBs": func(y, s []float64) float64 {
			v := mat.NewVecDense(len(s), s)
			return mat.Inner(v, Block(y), v)
		},
		"mean of squared differences": func(y, s []float64) (square float64) {
			mean := floats.Dot(y, s)
			for k := range y {
				square += y[k] * (s[k] - mean) * (s[k] - mean)
			}
			return square
		},
		"pairs": func(y, s []float64) (sum float64) {
			for j := range y {
				for k := range j {
					sum += y[j] * y[k] * (s[j] - s[k]) * (s[j] - s[k])
				}
			}
			return sum
		},
	})
}

// TestWrong: answers that the tables of mistakes do not hold, by key.
func TestWrong(t *testing.T) {
	after := func(f func(H *mat.Dense)) hessianFunc { // changes the right answer
		return func(W, Phi *mat.Dense) *mat.Dense {
			H := Hessian(W, Phi)
			f(H)
			return H
		}
	}
	scale := func(c float64) hessianFunc { return after(func(H *mat.Dense) { H.Scale(c, H) }) }
	apply := func(f func(i, j int, v float64) float64) hessianFunc {
		return after(func(H *mat.Dense) { H.Apply(f, H) })
	}
	plus := func(c float64) hessianFunc {
		return apply(func(i, j int, v float64) float64 { return v + c*delta(i, j) })
	}
	features := func(r func(y []float64, j, k int) float64) hessianFunc {
		return func(W, Phi *mat.Dense) *mat.Dense { return sum(W, Phi, true, r) }
	}
	sized := func(size func(n, m, k int) int) hessianFunc { // a square matrix of zeros
		return func(W, Phi *mat.Dense) *mat.Dense {
			n, m := Phi.Dims()
			s := size(n, m, W.RawMatrix().Cols)
			return mat.NewDense(s, s, nil)
		}
	}
	small := func(c float64) hessianFunc { // outputs below e^−c set to 0
		return by(func(y []float64, j, k int) float64 {
			z := append([]float64(nil), y...)
			for i := range z {
				if z[i] < math.Exp(-c) {
					z[i] = 0
				}
			}
			return right(z, j, k)
		})
	}
	plain := func(top func(a []float64) float64) hessianFunc { // exponentials after top was taken off
		return func(W, Phi *mat.Dense) *mat.Dense {
			var Y mat.Dense
			Y.Mul(Phi, W)
			for n := range Y.RawMatrix().Rows {
				y := Y.RawRowView(n)
				shift := top(y)
				for k := range y {
					y[k] = math.Exp(y[k] - shift)
				}
				floats.Scale(1/floats.Sum(y), y)
			}
			return sumOf(&Y, Phi, false, right)
		}
	}
	gate.Wrongs(t, ex20.Exercise(), ex20.Check, map[string][]hessianFunc{
		"printed-sign":          {features(func(y []float64, j, k int) float64 { return -right(y, j, k) })},
		"cross-blocks-left-out": {features(func(y []float64, j, k int) float64 { return delta(j, k) * y[k] * (1 - y[k]) })},
		"identity-left-out":     {features(func(y []float64, j, k int) float64 { return -y[k] * y[j] })},
		"softmax-over-points": {
			func(W, Phi *mat.Dense) *mat.Dense { return sumOf(byPoints(W, Phi), Phi, false, right) },
			func(W, Phi *mat.Dense) *mat.Dense { return sumOf(byPoints(W, Phi), Phi, true, right) },
		},
		"mixed-order": {mixed(true), mixed(false)},
		"factor":      {scale(0.5), scale(2)},
		"prior":       {plus(0.5), plus(1e-6)},
		"nearly":      {scale(1.0001)},
		"derivative":  {after(func(H *mat.Dense) { H.Set(0, 0, 1.1*H.At(0, 0)) }), apply(func(i, j int, _ float64) float64 { return 1e200 * float64(1+i+j) })},
		"not-symmetric": {apply(func(i, j int, v float64) float64 {
			if i < j {
				return 1.1 * v
			}
			return v
		})},
		"curved-along-shift": {after(func(H *mat.Dense) { H.Set(0, 0, 1.1*H.At(0, 0)) }), by(func(y []float64, j, k int) float64 { return right(y, j, k) + 0.1 })},
		"not-semidefinite":   {by(func(y []float64, j, k int) float64 { return -y[k]*y[j] + delta(j, k)*y[k]*y[k]/2 })},
		"too-flat": {by(func(_ []float64, j, k int) float64 { // vvᵀ with v summing to 0
			v := func(i int) float64 { return delta(i, 0) - delta(i, 1) }
			return v(j) * v(k)
		})},
		"order-changes": {func(W, Phi *mat.Dense) *mat.Dense { M, K := W.Dims(); return sum(W, Phi, M == K, right) }, // one order here, the other there
			func(W, Phi *mat.Dense) *mat.Dense { M, K := W.Dims(); return sum(W, Phi, M != K, right) }},
		"two-classes": {func(W, Phi *mat.Dense) *mat.Dense {
			H := Hessian(W, Phi)
			if W.RawMatrix().Cols == 2 {
				H.Set(0, 1, H.At(0, 1)+0.1)
			}
			return H
		}},
		"one-class": {by(func(y []float64, j, k int) float64 {
			if len(y) == 1 {
				return 1
			}
			return right(y, j, k)
		})},
		"one-block":     {sized(func(_, m, _ int) int { return m }), sized(func(_, _, k int) int { return k })},
		"class-held":    {sized(func(_, m, k int) int { return m * (k - 1) })},
		"by-points":     {sized(func(n, _, _ int) int { return n })},
		"wrong-shape":   {sized(func(_, m, k int) int { return m*k + 1 })},
		"empty":         {func(_, _ *mat.Dense) *mat.Dense { return &mat.Dense{} }},
		"overflow":      {plain(func([]float64) float64 { return 0 }), plain(func(a []float64) float64 { return a[0] }), plain(floats.Min)},
		"tails":         {small(10), small(17), by(func(y []float64, j, k int) float64 { return right(clipped(y, 1e-6), j, k) })},
		"in-the-middle": {scale(2)},
	})
	if r := ex20.Check(small(7)); r.Passed() { // random problems may notice it, too
		t.Errorf("outputs below e⁻⁷ may be set to 0:\n%s", r)
	}
	gate.Wrongs(t, ex20.Exercise(), checkBlock, map[string][]blockFunc{
		"block-factor": {entry(func(y []float64, j, k int) float64 { return right(y, j, k) / 2 })},
		"block-value": {entry(func(y []float64, j, k int) float64 { return delta(j, k)*2*y[k]*y[k] - y[j]*y[k] }),
			func(y []float64) *mat.Dense { return Block(clipped(y, 0.01)) }},
		"block-nearly": {entry(func(y []float64, j, k int) float64 { return right(y, j, k) + 1e-7 })},
		"wrong-shape":  {func(y []float64) *mat.Dense { return mat.NewDense(1, len(y), nil) }},
	})
	times := func(c float64) spreadFunc { return func(y, s []float64) float64 { return c * Spread(y, s) } }
	gate.Wrongs(t, ex20.Exercise(), checkSpread, map[string][]spreadFunc{
		"spread-sign": {times(-1)}, "spread-negative": {times(-1)}, "spread-factor": {times(0.5)}, "spread-nearly": {times(1 + 1e-7)},
		"spread-not-flat": {func(y, s []float64) float64 { return floats.Dot(y, floats.MulTo(make([]float64, len(s)), s, s)) }},
		"spread-value":    {floats.Dot},
	})
}

// TestOrders: the report names the order that it recognised, has rows and columns
// the right way round, and says of one mistake one thing.
func TestOrders(t *testing.T) {
	for features, want := range map[bool]string{false: "by classes", true: "by features"} {
		r := ex20.Check(func(W, Phi *mat.Dense) *mat.Dense { return sum(W, Phi, features, right) })
		if !strings.Contains(r.Parts[1].Message, want) {
			t.Errorf("the report does not say %q: %s", want, r.Parts[1].Message)
		}
		r = ex20.Check(mixed(features))
		if got := strings.Contains(r.Parts[1].Message, "columns in the order by features"); got != features {
			t.Errorf("columns by features %t: %s", features, r.Parts[1].Message)
		}
		for _, p := range r.Parts[3:] {
			if p.Outcome == verify.Wrong && !strings.Contains(p.Message, "end that first") {
				t.Errorf("part %q says more of mixed orders: %s", p.Name, p.Message)
			}
		}
	}
}

// TestMistakesApart: a part that looks at one property does not take one mistake for
// another.
func TestMistakesApart(t *testing.T) {
	for _, p := range ex20.Check(by(func(y []float64, j, k int) float64 { return -y[k] * y[j] })).Parts {
		if p.Key == "printed-sign" {
			t.Errorf("a forgotten identity is called the printed sign in part %q", p.Name)
		}
	}
}

// TestText: the explore cell reads the learner's matrix as what it is, and nothing
// tells beforehand what Spread is.
func TestText(t *testing.T) {
	e := ex20.Exercise()
	if strings.Contains(e.Explore, "RawMatrix") {
		t.Error("the explore cell reads raw data")
	}
	stub, _, _ := strings.Cut(e.Answer[strings.Index(e.Answer, "// Spread"):], "func Spread")
	for _, text := range []string{e.Needs, stub} {
		if strings.Contains(text, "variance") || strings.Contains(text, "negative") {
			t.Errorf("it tells what Spread is: %s", text)
		}
	}
}

func ExampleCheck() {
	printed := by(func(y []float64, j, k int) float64 { return -right(y, j, k) })
	fmt.Println(ex20.Check(printed).Parts[1].Key)
	// Output: printed-sign
}

func ExampleCheckSteps() {
	squares := func(y, s []float64) (sum float64) {
		for k := range y {
			sum += y[k] * s[k] * s[k]
		}
		return sum
	}
	fmt.Println(ex20.CheckSteps(Block, squares).Parts[1].Message)
	// Output: This is the mean of the squares alone: the part −y_j y_k of B is left out. With it the square of the mean comes off.
}

// entry makes a K×K matrix.
func entry(f func(y []float64, j, k int) float64) blockFunc {
	return func(y []float64) *mat.Dense {
		B := mat.NewDense(len(y), len(y), nil)
		B.Apply(func(j, k int, _ float64) float64 { return f(y, j, k) }, B)
		return B
	}
}

// clipped keeps outputs from eps to 1 − eps.
func clipped(y []float64, eps float64) []float64 {
	z := append([]float64(nil), y...)
	for k, v := range z {
		z[k] = math.Min(1-eps, math.Max(eps, v))
	}
	return z
}

// byPoints are outputs that sum to 1 over the points, for each class.
func byPoints(W, Phi *mat.Dense) *mat.Dense {
	var Y mat.Dense
	Y.Mul(Phi, W)
	for k := range Y.RawMatrix().Cols {
		column := mat.Col(nil, k, &Y)
		lse := floats.LogSumExp(column)
		for n, a := range column {
			Y.Set(n, k, math.Exp(a-lse))
		}
	}
	return &Y
}

// mixed has its columns, or else its rows, in the order by features.
func mixed(columns bool) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense {
		M, K := W.Dims()
		class := func(i int, byFeatures bool) int {
			if byFeatures {
				return i%K*M + i/K
			}
			return i
		}
		H := Hessian(W, Phi)
		out := mat.NewDense(M*K, M*K, nil)
		out.Apply(func(i, j int, _ float64) float64 { return H.At(class(i, !columns), class(j, columns)) }, out)
		return out
	}
}

func outputs(W, Phi *mat.Dense) *mat.Dense {
	var Y mat.Dense
	Y.Mul(Phi, W)
	for n := range Y.RawMatrix().Rows {
		row := Y.RawRowView(n)
		lse := floats.LogSumExp(row)
		for k, a := range row {
			row[k] = math.Exp(a - lse)
		}
	}
	return &Y
}

// sum is Σ_n R(y_n) ⊗ φφᵀ, or with the factors the other way round.
func sum(W, Phi *mat.Dense, byFeatures bool, r func(y []float64, j, k int) float64) *mat.Dense {
	return sumOf(outputs(W, Phi), Phi, byFeatures, r)
}

// sumOf is sum for other outputs Y.
func sumOf(Y, Phi *mat.Dense, byFeatures bool, r func(y []float64, j, k int) float64) *mat.Dense {
	_, K := Y.Dims()
	_, M := Phi.Dims()
	H := mat.NewDense(M*K, M*K, nil)
	for n := range Phi.RawMatrix().Rows {
		R, P := mat.NewDense(K, K, nil), mat.NewDense(M, M, nil)
		R.Apply(func(j, k int, _ float64) float64 { return r(Y.RawRowView(n), j, k) }, R)
		P.Outer(1, Phi.RowView(n), Phi.RowView(n))
		var term mat.Dense
		if byFeatures {
			term.Kronecker(P, R)
		} else {
			term.Kronecker(R, P)
		}
		H.Add(H, &term)
	}
	return H
}

/*
Equivalent mutants

# Mutants that are right all the same.
Hessian: top := floats.Max(y) → top := floats.Max(y)/2
    Any common shift of the activations cancels. With activations within ±800 the largest exponent is half the largest activation, at most 400 in size, whose exponential is a float64.

Hessian: y[k] = math.Exp(a - top) → y[k] = -math.Exp(a - top)
Hessian: y[k] = math.Exp(a - top) → y[k] = 2*math.Exp(a - top)
Hessian: y[k] = math.Exp(a - top) → y[k] = math.Exp(a - top)/2
    The outputs are divided by their sum afterwards: a common factor cancels.

Spread: mean += y[k] * s[k] → mean -= y[k] * s[k]
    Only the square of the mean is used.
*/
