package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
)

func TestEquationsNotesLevels(t *testing.T) {
	// draw counts μ_kij by the rows, and lists all inputs of two features.
	draw := func(r *rand.Rand) (m *classify.NaiveBayesCategorical, mu [][][]float64, priors []float64, all *mat.Dense) {
		levels, k, n := []int{2 + r.IntN(3), 2 + r.IntN(3)}, 2+r.IntN(2), 40
		x, labels := mat.NewDense(n, 2, nil), make([]int, n)
		priors = make([]float64, k)
		for i := range n {
			labels[i] = i % k
			priors[i%k]++
			for f, many := range levels { // each value in each class, then any
				x.Set(i, f, float64(r.IntN(many)))
				if i < k*many {
					x.Set(i, f, float64(i/k))
				}
			}
		}
		mu = make([][][]float64, k)
		for c := range k {
			for f, many := range levels {
				mu[c] = append(mu[c], make([]float64, many))
				for i := range n {
					if labels[i] == c {
						mu[c][f][int(x.At(i, f))] += 1 / priors[c]
					}
				}
			}
		}
		floats.Scale(1/float64(n), priors)
		all = mat.NewDense(levels[0]*levels[1], 2, nil)
		for i := range levels[0] * levels[1] {
			all.SetRow(i, []float64{float64(i % levels[0]), float64(i / levels[0])})
		}
		return must(classify.FitNaiveBayesCategorical(x, levels, labels, k, classify.NaiveBayesCategoricalOptions{}))(t), mu, priors, all
	}
	// product is Π_i Π_j μ_kij^{φ_ij} with the 1-of-L code of an input.
	product := func(mu [][]float64, x []float64) float64 {
		p := 1.0
		for f := range mu {
			for j, v := range mu[f] {
				p *= math.Pow(v, truth(int(x[f]) == j))
			}
		}
		return p
	}
	equation.Check(t, "part1-categorical", func(r *rand.Rand) (left, right any) {
		m, mu, _, all := draw(r)
		var p, want mat.Dense
		p.Apply(func(_, _ int, v float64) float64 { return math.Exp(v) }, must(m.LogDensities(all))(t))
		want.Apply(func(i, k int, _ float64) float64 { return product(mu[k], all.RawRowView(i)) }, &p)
		return &p, &want
	})
	equation.Check(t, "part1-levels-sum", func(r *rand.Rand) (left, right any) {
		m, mu, priors, all := draw(r)
		var sums []float64 // of μ over the values of a feature, times the prior
		var want []float64
		for k := range mu {
			for f := range mu[k] {
				sums = append(sums, priors[k]*floats.Sum(mat.Row(nil, k, m.Mu[f])))
				want = append(want, priors[k])
			}
		}
		total := 0.0 // over all inputs: the code of each has one value of each feature
		logs := must(m.LogMarginal(all))(t)
		for _, v := range logs {
			total += math.Exp(v)
		}
		return append(sums, total), append(want, 1)
	})
	equation.Check(t, "part1-categorical-activations", func(r *rand.Rand) (left, right any) {
		m, mu, priors, all := draw(r)
		var scores, want mat.Dense
		scores.CloneFrom(must(m.LogDensities(all))(t))
		scores.Apply(func(_, k int, v float64) float64 { return v + math.Log(m.Priors[k]) }, &scores)
		want.Apply(func(i, k int, _ float64) float64 {
			a := math.Log(priors[k])
			for f, v := range all.RawRowView(i) {
				a += math.Log(mu[k][f][int(v)])
			}
			return a
		}, &scores)
		return &scores, &want
	})
}
