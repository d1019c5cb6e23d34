package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
)

// bernoulliLog is t ln p + (1−t) ln(1−p).
func bernoulliLog(t, p float64) float64 { return t*math.Log(p) + (1-t)*math.Log(1-p) }

func TestEquationsGambosiChain(t *testing.T) {
	equation.CheckTo(t, "gambosi-chain-rule", 1e-7, func(r *rand.Rand) (left, right any) { // finite difference
		x, targets := overlapping(r, 10+r.IntN(10), 1+r.IntN(3))
		_, d := x.Dims()
		w, chain := normals(r, d+1), make([]float64, d+1)
		for i, target := range targets {
			a := affineValue(w, x.RawRowView(i))
			outer := slope(logisticOf, a) * (target - logisticOf(a)) / (logisticOf(a) * logisticOf(-a))
			floats.AddScaled(chain, outer, append([]float64{1}, x.RawRowView(i)...))
		}
		return slopes(func(w []float64) (l float64) {
			for i, target := range targets {
				l += bernoulliLog(target, logisticOf(affineValue(w, x.RawRowView(i))))
			}
			return l
		}, w), chain
	})
	equation.CheckTo(t, "gambosi-log-likelihood-slope", 1e-7, func(r *rand.Rand) (left, right any) { // finite difference
		target, p := float64(r.IntN(2)), 0.1+0.8*r.Float64()
		g := slope(func(p float64) float64 { return bernoulliLog(target, p) }, p)
		return []float64{g, g}, []float64{target/p - (1-target)/(1-p), (target - p) / (p * (1 - p))}
	})
	equation.CheckTo(t, "gambosi-activation-slope", 1e-8, func(r *rand.Rand) (left, right any) { // finite difference
		phi := normals(r, 1+r.IntN(5))
		return slopes(func(w []float64) float64 { return floats.Dot(w, phi) }, normals(r, len(phi))), phi
	})
	equation.CheckTo(t, "gambosi-softmax-gradient-chain", 1e-7, func(r *rand.Rand) (left, right any) { // finite difference
		n, d, k := 5+r.IntN(10), 1+r.IntN(3), 2+r.IntN(3)
		x, w, labels := normalMatrix(r, n, d), normalMatrix(r, k, d), make([]int, n)
		for i := range labels {
			labels[i] = r.IntN(k)
		}
		output := func(i, c int, shift func(class int) float64) float64 { // y_ic
			var sum, own float64
			for class := range k {
				e := math.Exp(floats.Dot(w.RawRowView(class), x.RawRowView(i)) + shift(class))
				sum += e
				if class == c {
					own = e
				}
			}
			return own / sum
		}
		still := func(int) float64 { return 0 }
		j, chain := r.IntN(k), make([]float64, d)
		for i, c := range labels {
			inner := slope(func(h float64) float64 {
				return output(i, c, func(class int) float64 {
					if class == j {
						return h
					}
					return 0
				})
			}, 0)
			floats.AddScaled(chain, inner/output(i, c, still), x.RawRowView(i))
		}
		return slopes(func(v []float64) (l float64) {
			before := append([]float64{}, w.RawRowView(j)...)
			w.SetRow(j, v)
			for i, c := range labels {
				l += math.Log(output(i, c, still))
			}
			w.SetRow(j, before)
			return l
		}, w.RawRowView(j)), chain
	})
}

func TestEquationsGambosiAscent(t *testing.T) {
	// A random start, and Σ_n (t_n − y_n)φ_k(x_n) there.
	ascent := func(r *rand.Rand) (x *mat.Dense, targets, w []float64, rate float64, gradient func(w []float64, k int) float64) {
		x, targets = overlapping(r, 10+r.IntN(20), 1+r.IntN(3))
		_, d := x.Dims()
		return x, targets, normals(r, d+1), 0.01 * (1 + r.Float64()), func(w []float64, k int) (sum float64) {
			for n, target := range targets {
				phi := append([]float64{1}, x.RawRowView(n)...)
				sum += (target - logisticOf(floats.Dot(w, phi))) * phi[k]
			}
			return sum
		}
	}
	equation.Check(t, "gambosi-gradient-ascent", func(r *rand.Rand) (left, right any) {
		x, targets, w, rate, gradient := ascent(r)
		m := must(classify.FitLogistic(x, targets, classify.LogisticOptions{Start: w, MaxIterations: 1, Solver: classify.GradientDescent{Rate: rate}}))(t)
		next := make([]float64, len(w))
		for k := range w {
			next[k] = w[k] + rate*gradient(w, k)
		}
		return m.Trace[1].W, next
	})
	equation.Check(t, "gambosi-coordinate-ascent", func(r *rand.Rand) (left, right any) {
		x, targets, w, rate, gradient := ascent(r)
		m := must(classify.FitLogistic(x, targets, classify.LogisticOptions{Start: w, MaxIterations: 1, Solver: classify.CoordinateAscent{Rate: rate, EveryUpdate: true}}))(t)
		var path, rule []any
		at := append([]float64{}, w...)
		for k := range w {
			at[k] += rate * gradient(at, k)
			path, rule = append(path, m.Trace[k+1].W), append(rule, append([]float64{}, at...))
		}
		return path, rule
	})
	weighted := func(r *rand.Rand) (phi *mat.Dense, targets, psi []float64, m *classify.WeightedLeastSquares) {
		x := normalMatrix(r, 10+r.IntN(20), 1+r.IntN(4))
		n, _ := x.Dims()
		targets, psi = normals(r, n), make([]float64, n)
		for i := range psi {
			psi[i] = 0.1 + 3*r.Float64()
		}
		m = must(classify.FitWeightedLeastSquares(x, targets, psi, classify.WeightedLeastSquaresOptions{}))(t)
		return withOnes(x), targets, psi, m
	}
	equation.Check(t, "gambosi-weighted-squares", func(r *rand.Rand) (left, right any) {
		phi, targets, psi, m := weighted(r)
		sum := 0.0
		for i, p := range psi {
			rest := floats.Dot(m.W, phi.RawRowView(i)) - targets[i]
			sum += p * rest * rest
		}
		return m.SumSquare, sum
	})
	equation.Check(t, "gambosi-weighted-normal-equations", func(r *rand.Rand) (left, right any) {
		phi, targets, psi, m := weighted(r)
		var a mat.Dense
		var b, w mat.VecDense
		a.Product(phi.T(), mat.NewDiagDense(len(psi), psi), phi)
		rows := append([]float64{}, targets...)
		floats.Mul(rows, psi)
		b.MulVec(phi.T(), mat.NewVecDense(len(rows), rows))
		if err := w.SolveVec(&a, &b); err != nil {
			t.Fatal(err)
		}
		return m.W, &w
	})
}

// TestEquationsGambosiNormaliser: over all targets that rows can have, Z sums to 1.
func TestEquationsGambosiNormaliser(t *testing.T) {
	equation.Holds(t, "gambosi-normaliser", func(r *rand.Rand) error {
		phi, m0, total := normals(r, 1+r.IntN(4)), r.NormFloat64(), 0.0
		for bits := range 1 << len(phi) {
			total += quad.Fixed(func(w float64) float64 {
				g := math.Exp(-(w-m0)*(w-m0)/2) / math.Sqrt(2*math.Pi)
				for n, f := range phi {
					p := logisticOf(w * f)
					if bits>>n&1 == 0 {
						p = 1 - p
					}
					g *= p
				}
				return g
			}, m0-10, m0+10, 200, nil, 0)
		}
		if math.Abs(total-1) > 1e-10 {
			return fmt.Errorf("Z sums to %v over all targets of %d rows", total, len(phi))
		}
		return nil
	})
}
