package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
)

func TestEquationsNotesFisher(t *testing.T) {
	// The unit vector with the largest (wᵀd)² is the leading eigenvector of ddᵀ.
	equation.Check(t, "part1-mean-direction", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		d := len(p.m1)
		square := mat.NewSymDense(d, nil)
		for i := range d {
			for j := range d {
				square.SetSym(i, j, p.between.At(i, j))
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(square, true) {
			t.Fatal("no eigenvectors")
		}
		var vectors mat.Dense
		eigen.VectorsTo(&vectors)
		w, apart := mat.Col(nil, d-1, &vectors), floats.SubTo(make([]float64, d), p.m2, p.m1)
		floats.Scale(math.Copysign(floats.Norm(apart, 2), floats.Dot(w, apart)), w)
		return w, apart
	})
	equation.Check(t, "part1-between-form", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		w := normals(r, len(p.m1))
		mean, _ := p.projected(w)
		return math.Pow(mean[1]-mean[0], 2), form(p.between, w)
	})
	equation.Check(t, "part1-within-form", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		w := normals(r, len(p.m1))
		_, scatter := p.projected(w)
		return scatter[:], []float64{form(scatterAbout(p.x, p.labels, 0, p.m1), w), form(scatterAbout(p.x, p.labels, 1, p.m2), w)}
	})
	equation.Check(t, "part1-normal-equations", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		m := must(classify.FitLeastSquares(p.x, p.labels, 2, classify.LeastSquaresOptions{Coding: classify.CodingFisher}))(t)
		w, n, d := mat.Col(nil, 0, m.W)[1:], p.n1+p.n2, len(p.m1)
		mean, apart := make([]float64, d), floats.SubTo(make([]float64, d), p.m1, p.m2)
		floats.AddScaled(mean, p.n1/n, p.m1)
		floats.AddScaled(mean, p.n2/n, p.m2)
		floats.Scale(n, apart)
		sum := make([]float64, d)
		for i := range p.labels {
			floats.AddScaled(sum, floats.Dot(p.x.RawRowView(i), w), p.x.RawRowView(i))
		}
		floats.AddScaled(sum, -n*floats.Dot(mean, w), mean)
		return sum, apart
	})
	equation.Check(t, "part1-between-two", func(r *rand.Rand) (left, right any) {
		p := newPairOfClasses(r)
		var s mat.Dense
		s.Scale(p.n1*p.n2/(p.n1+p.n2), p.between)
		return must(classify.NewScatter(p.x, p.labels, 2))(t).Between, &s
	})
	equation.Check(t, "part1-eigenvectors", func(r *rand.Rand) (left, right any) {
		k := 3 + r.IntN(3)
		x, labels := labelledRows(r, k)
		m := must(classify.FitFisherMulti(x, labels, k, classify.FisherMultiOptions{}))(t)
		within, between := writtenScatters(x, labels, k)
		_, features := m.W.Dims()
		var ratio, product, scaled mat.Dense
		if err := ratio.Solve(within, between); err != nil {
			t.Fatal(err)
		}
		product.Mul(&ratio, m.W)
		scaled.Mul(m.W, mat.NewDiagDense(features, m.Eigenvalues[:features]))
		return &product, &scaled
	})
}

func TestEquationsNotesPerceptron(t *testing.T) {
	equation.Holds(t, "part1-right-side", func(r *rand.Rand) error {
		x, w := normalMatrix(r, 20, 2), normals(r, 3)
		w[0] = 0
		x.SetRow(1, []float64{-x.At(0, 0), -x.At(0, 1)}) // both classes have rows
		target := make([]float64, 20)
		for i := range target {
			target[i] = truth(affineValue(w, x.RawRowView(i)) > 0)
		}
		m := must(classify.FitPerceptron(x, target, classify.PerceptronOptions{MaxEpochs: 100000}))(t)
		for i, v := range target {
			if a := affineValue(m.W, x.RawRowView(i)); !(a*(2*v-1) > 0) {
				return fmt.Errorf("row %d of target %v has activation %v", i, v, a)
			}
		}
		return nil
	})
}

func TestEquationsNotesLikelihood(t *testing.T) {
	// oneOfK is t_nk; densities are ln p(x_n|C_k) of Gaussians, by gonum.
	draw := func(r *rand.Rand) (x, oneOfK, densities *mat.Dense, m *classify.LDA) {
		k := 2 + r.IntN(3)
		x, labels, m := sharedFit(t, r, k, classify.LDAOptions{})
		oneOfK = mat.NewDense(len(labels), k, nil)
		ones := make([]float64, k)
		for i, l := range labels {
			oneOfK.Set(i, l, 1)
		}
		floats.AddConst(1, ones)
		return x, oneOfK, jointLogs(t, x, m.Means, ones, m.Sigma), m
	}
	equation.CheckTo(t, "part1-likelihood", 1e-7, func(r *rand.Rand) (left, right any) { // exponential of large sums
		_, oneOfK, densities, m := draw(r)
		n, k := oneOfK.Dims()
		product := 1.0
		for i := range n {
			for j := range k {
				product *= math.Pow(math.Exp(densities.At(i, j))*m.Priors[j], oneOfK.At(i, j))
			}
		}
		return math.Exp(m.LogLikelihood), product
	})
	equation.Check(t, "part1-log-likelihood", func(r *rand.Rand) (left, right any) {
		_, oneOfK, densities, m := draw(r)
		n, k := oneOfK.Dims()
		sum := 0.0
		for i := range n {
			for j := range k {
				sum += oneOfK.At(i, j) * (densities.At(i, j) + math.Log(m.Priors[j]))
			}
		}
		return m.LogLikelihood, sum
	})
	equation.Check(t, "part1-gaussian-log-likelihood", func(r *rand.Rand) (left, right any) {
		x, oneOfK, _, m := draw(r)
		n, k := oneOfK.Dims()
		d := float64(m.Sigma.SymmetricDim())
		var inverse mat.Dense
		if err := inverse.Inverse(m.Sigma); err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i := range n {
			for j := range k {
				off := floats.SubTo(make([]float64, int(d)), x.RawRowView(i), mat.Row(nil, j, m.Means))
				sum += oneOfK.At(i, j) * (-d/2*math.Log(2*math.Pi) - math.Log(mat.Det(m.Sigma))/2 - form(&inverse, off)/2 + math.Log(m.Priors[j]))
			}
		}
		return m.LogLikelihood, sum
	})
	// shares returns the targets' sum for each class, the priors of a fit, and ln p(T,X|π).
	shares := func(r *rand.Rand) (counts, priors []float64, n float64, l func([]float64) float64) {
		_, oneOfK, densities, m := draw(r)
		rows, k := oneOfK.Dims()
		for j := range k {
			counts = append(counts, mat.Sum(oneOfK.ColView(j)))
		}
		return counts, m.Priors, float64(rows), func(p []float64) (sum float64) {
			for i := range rows {
				for j := range k {
					sum += oneOfK.At(i, j) * (densities.At(i, j) + math.Log(p[j]))
				}
			}
			return sum
		}
	}
	equation.CheckTo(t, "part1-lagrangian", 1e-7, func(r *rand.Rand) (left, right any) { // numerical derivative
		_, priors, n, l := shares(r)
		gradient := slopes(func(p []float64) float64 { return l(p) - n*(floats.Sum(p)-1) }, priors)
		floats.AddConst(n, gradient) // zero, beside a number of its size
		return gradient, fill(len(priors), n)
	})
	equation.CheckTo(t, "part1-prior-derivative", 1e-7, func(r *rand.Rand) (left, right any) { // numerical derivative
		counts, priors, _, l := shares(r)
		at, lambda, want := make([]float64, len(priors)), r.NormFloat64(), make([]float64, len(priors))
		for j := range at { // anywhere
			at[j] = 0.2 + r.Float64()
			want[j] = counts[j]/at[j] + lambda
		}
		return slopes(func(p []float64) float64 { return l(p) + lambda*(floats.Sum(p)-1) }, at), want
	})
	equation.Check(t, "part1-multiplier", func(r *rand.Rand) (left, right any) {
		counts, priors, n, _ := shares(r)
		lambda := floats.DivTo(make([]float64, len(counts)), counts, priors)
		return lambda, fill(len(priors), n)
	})
}

// fill returns n times v.
func fill(n int, v float64) []float64 {
	all := make([]float64, n)
	floats.AddConst(v, all)
	return all
}
