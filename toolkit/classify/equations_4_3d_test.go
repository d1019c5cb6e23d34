package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

func TestEquations43Links(t *testing.T) {
	// The probit model: Bernoulli targets, ψ the logit, f = Φ, s = 1. And gamma targets with
	// the scale s, ψ(y) = −1/y, f = exp.
	equation.CheckTo(t, "prml-4.122", byFive, func(r *rand.Rand) (left, right any) {
		p := newProblem43(r)
		e := toolkit.Must(classify.ProbitObjective(p.x, p.t, nil))
		sum := make([]float64, len(p.w))
		for n, a := range p.a {
			y := area(bellOf, -12, a)
			for j := range sum {
				sum[j] -= (p.t[n] - y) / (y * (1 - y)) * bellOf(a) * p.phi.At(n, j) // ψ′(y) is 1/y(1−y)
			}
		}
		s, times := 1.5+r.Float64(), make([]float64, len(p.a))
		for n := range times {
			times[n] = 0.1 + r.ExpFloat64()
		}
		likelihood := func(w []float64) (l float64) {
			for n, a := range timesVector(p.phi, w) {
				l += distuv.Gamma{Alpha: 1 / s, Beta: math.Exp(-a) / s}.LogProb(times[n])
			}
			return l
		}
		scaled := make([]float64, len(p.w))
		for n, a := range p.a {
			y := math.Exp(a)
			for j := range scaled {
				scaled[j] += (times[n] - y) / s / (y * y) * y * p.phi.At(n, j)
			}
		}
		return []any{toolkit.Must(e.Gradient(p.w)), slopes(likelihood, p.w)}, []any{sum, scaled}
	})
	equation.CheckTo(t, "prml-4.123", byFive, func(r *rand.Rand) (left, right any) { // f′(a)ψ′(y) = 1, by differences
		a := -0.5 - r.Float64()
		var found, want []float64
		for _, f := range families43(r, a) {
			loss := toolkit.Must(glm.NewCanonical(f.name, f.scale))
			mean := func(a float64) float64 {
				y, _ := loss.Mean(a)
				return y
			}
			found = append(found, loss.Link(f.mean(a)), slope(mean, a)*slope(loss.Link, f.mean(a)))
			want = append(want, a, 1)
		}
		// Logit is the canonical link of Φ's targets too, but not its inverse.
		y := kernels.NormCDF(a)
		return append(found, slope(kernels.NormCDF, a)*slope(kernels.Logit, y)), append(want, bellOf(a)/(y*(1-y)))
	})
	equation.CheckTo(t, "prml-4.124", byFive, func(r *rand.Rand) (left, right any) { // of E, not of ln E: erratum P7
		var gradients, sums, differences []float64
		for _, d := range targets43(r) {
			e := toolkit.Must(classify.GLMObjective(d.x, d.t, d.family, nil))
			gradients = append(gradients, toolkit.Must(e.Gradient(d.w))...)
			sum := make([]float64, len(d.w))
			for n, a := range timesVector(d.phi, d.w) {
				for j := range sum {
					sum[j] += (d.mean(a) - d.t[n]) * d.phi.At(n, j) / d.scale
				}
			}
			sums = append(sums, sum...)
			differences = append(differences, slopes(func(w []float64) float64 { return -d.logs(w) }, d.w)...)
		}
		return []any{gradients, gradients}, []any{sums, differences}
	})
}
