package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// TestEquationsAlpaydinDiscriminants: 10.1 to 10.4.
func TestEquationsAlpaydinDiscriminants(t *testing.T) {
	equation.Check(t, "alpaydin-10.1", func(r *rand.Rand) (left, right any) {
		d := 1 + r.IntN(4)
		w, x := normals(r, d+1), normals(r, d)
		return must(must(classify.NewHyperplane(w))(t).Value(x))(t), affineValue(w, x)
	})
	equation.Check(t, "alpaydin-10.2", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 2, 2)
		m := must(classify.FitQDA(x, labels, 2, classify.QDAOptions{}))(t)
		a, b, c, err := m.Quadratic(1)
		if err != nil {
			t.Fatal(err)
		}
		at := normals(r, 2)
		class := gaussiansOf(x, labels, 2, false)[1]
		return quadraticAt(a, b, c, at), math.Log(shareOfRows(labels, 2)[1]) + class.LogProb(at)
	})
	equation.Check(t, "alpaydin-10.3", func(r *rand.Rand) (left, right any) {
		x, target := overlapping(r, 30, 1)
		a, c := normals(r, 2), normals(r, 1)
		basis := must(classify.BasisJoin(must(classify.BasisSin(a))(t), must(classify.BasisGaussian(mat.NewDense(1, 1, c), 0.8))(t)))(t)
		m := must(classify.FitOnBasis(x, basis, func(phi mat.Matrix) (*classify.Logistic, error) {
			return classify.FitLogistic(phi, target, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}})
		}))(t)
		v, w := x.At(5, 0), m.Model.W
		return must(m.Scores(x))(t).At(5, 0), w[0] + w[1]*math.Sin(a[0]+a[1]*v) + w[2]*math.Exp(-(v-c[0])*(v-c[0])/(2*0.8*0.8))
	})
	equation.Check(t, "alpaydin-10.4", func(r *rand.Rand) (left, right any) {
		d := 1 + r.IntN(4)
		w, x := normals(r, d+1), normals(r, d)
		return must(must(classify.NewHyperplane(w))(t).Distance(x))(t), shortestWay(w, x)
	})
	equation.Check(t, "alpaydin-10.5", func(r *rand.Rand) (left, right any) {
		w := normals(r, 2+r.IntN(4))
		return must(must(classify.NewHyperplane(w))(t).OriginDistance())(t), shortestWay(w, make([]float64, len(w)-1))
	})
	equation.Check(t, "alpaydin-10.6", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 3, 2)
		m := must(classify.FitOneVersusRest(x, labels, 3, logisticMachine, classify.OneVersusRestOptions{}))(t)
		var g []float64
		for i := range 3 {
			alone := must(classify.FitLogistic(x, mat.Col(nil, i, oneOfK(labels, 3)), classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
			g = append(g, affineValue(alone.W, x.RawRowView(7)))
		}
		return must(m.Scores(x))(t).RawRowView(7), g
	})
	equation.Holds(t, "alpaydin-10.7", func(r *rand.Rand) error {
		k := 3 + r.IntN(3)
		x, labels := ringOfClasses(r, k)
		for i, s := range must(classify.SeparableFromRest(x, labels, k))(t) {
			for n, l := range labels {
				if g := affineValue(s.W, x.RawRowView(n)); (g > 0) != (l == i) {
					return fmt.Errorf("g_%d is %v at a row of class %d", i, g, l)
				}
			}
		}
		return nil
	})
	equation.Check(t, "alpaydin-10.8", func(r *rand.Rand) (left, right any) {
		w, x := normalMatrix(r, 3, 4), normalMatrix(r, 9, 2)
		var chosen []int
		for n := range 9 {
			best := 0
			for i := range 4 {
				if affineValue(mat.Col(nil, i, w), x.RawRowView(n)) > affineValue(mat.Col(nil, best, w), x.RawRowView(n)) {
					best = i
				}
			}
			chosen = append(chosen, best)
		}
		return must(must(classify.NewLinearMachine(w))(t).Predict(x))(t), chosen
	})
	equation.Holds(t, "alpaydin-10.9", func(r *rand.Rand) error {
		k := 3 + r.IntN(3)
		x, labels := ringOfClasses(r, k)
		m := must(classify.FitOneVersusOne(x, labels, k, separatingMachine, classify.OneVersusOneOptions{}))(t)
		if len(m.Pairs) != k*(k-1)/2 {
			return fmt.Errorf("%d discriminants for %d classes", len(m.Pairs), k)
		}
		for _, p := range m.Pairs {
			g := must(p.Machine.Scores(x))(t)
			for n, l := range labels {
				if v := g.At(n, 0) - g.At(n, 1); l == p.First && v <= 0 || l == p.Second && v > 0 {
					return fmt.Errorf("g_%d%d is %v at a row of class %d", p.First, p.Second, v, l)
				}
			}
		}
		return nil
	})
	equation.Check(t, "alpaydin-10.10", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 3, 2)
		m := must(classify.FitOneVersusOne(x, labels, 3, logisticMachine, classify.OneVersusOneOptions{}))(t)
		at := x.Slice(4, 5, 0, 2)
		sums := make([]float64, 3)
		for i := range 3 {
			for j := range 3 {
				if j != i {
					sums[i] += must(pairAlone(x, labels, i, j).Activations(at))(t)[0]
				}
			}
		}
		return must(m.Sums(at))(t), sums
	})
}

// TestEquationsAlpaydinParametric: 10.5.
func TestEquationsAlpaydinParametric(t *testing.T) {
	equation.Check(t, "alpaydin-10.11", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 3, 2)
		at := normalMatrix(r, 1, 2)
		a := must(must(classify.FitLDA(x, labels, 3, classify.LDAOptions{}))(t).Scores(at))(t)
		g, share := gaussiansOf(x, labels, 3, true), shareOfRows(labels, 3)
		var ratios []float64 // what all classes have in common drops out
		for k := range 3 {
			density := g[k].LogProb(at.RawRowView(0)) - g[0].LogProb(at.RawRowView(0))
			ratios = append(ratios, density+math.Log(share[k]/share[0]))
			a.Set(0, 2-k, a.At(0, 2-k)-a.At(0, 0))
		}
		return a, ratios
	})
	equation.Check(t, "alpaydin-10.12", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 3, 2)
		labels = labels[:len(labels)-r.IntN(5)]
		rows := x.Slice(0, len(labels), 0, 2).(*mat.Dense)
		means, covariances := momentsOf(rows, labels, 3, true)
		w := mat.NewDense(3, 3, nil)
		for i, m := range means {
			v, half := inverseTimes(covariances[i], m)
			w.SetCol(i, []float64{-half/2 + math.Log(shareOfRows(labels, 3)[i]), v[0], v[1]})
		}
		return must(classify.FitLDA(rows, labels, 3, classify.LDAOptions{}))(t).W, w
	})
	equation.Check(t, "alpaydin-10.13", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 2, 2)
		p, at := 0.1+0.8*r.Float64(), normals(r, 2)
		w := must(must(classify.FitLDA(x, labels, 2, classify.LDAOptions{Priors: []float64{p, 1 - p}}))(t).TwoClass())(t)
		g := gaussiansOf(x, labels, 2, true)
		return affineValue(w, at), g[0].LogProb(at) - g[1].LogProb(at) + math.Log(p/(1-p))
	})
	equation.Check(t, "alpaydin-10.14", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 2, 2)
		p := 0.1 + 0.8*r.Float64()
		means, covariances := momentsOf(x, labels, 2, true)
		m, n := means[0], means[1]
		w, _ := inverseTimes(covariances[0], []float64{m[0] - n[0], m[1] - n[1]})
		w0 := -((m[0]+n[0])*w[0]+(m[1]+n[1])*w[1])/2 + math.Log(p/(1-p))
		return must(must(classify.FitLDA(x, labels, 2, classify.LDAOptions{Priors: []float64{p, 1 - p}}))(t).TwoClass())(t), []float64{w0, w[0], w[1]}
	})
	equation.Check(t, "alpaydin-10.15", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 2, 2)
		at := normals(r, 2)
		w := must(must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t).TwoClass())(t)
		g, share := gaussiansOf(x, labels, 2, true), shareOfRows(labels, 2)
		one, two := share[0]*g[0].Prob(at), share[1]*g[1].Prob(at)
		return kernels.Sigmoid(affineValue(w, at)), one / (one + two)
	})
}

// TestEquationsAlpaydinLogistic: 10.6 and 10.7.1.
func TestEquationsAlpaydinLogistic(t *testing.T) {
	descend := func(x *mat.Dense, target, start []float64, rate float64, steps int) classify.Trace {
		o := classify.LogisticOptions{Start: start, MaxIterations: steps, Solver: classify.GradientDescent{Rate: rate, Every: 1}}
		return must(classify.FitLogistic(x, target, o))(t).Trace
	}
	// A numerical derivative is right to 1e-10 of its error's size.
	equation.CheckTo(t, "alpaydin-10.16", 1e-7, func(r *rand.Rand) (left, right any) {
		x, target := overlapping(r, 20, 2)
		w, rate := normals(r, 3), 0.01+0.02*r.Float64()
		first := descend(x, target, w, rate, 1)[1].W
		g := slopes(func(w []float64) float64 { return crossEntropyOf(x, target, w) }, w)
		return differenceOf(first, w, 1), differenceOf(make([]float64, 3), g, rate)
	})
	equation.Check(t, "alpaydin-10.17", func(r *rand.Rand) (left, right any) {
		x, target := overlapping(r, 20, 2)
		w, rate := normals(r, 3), 0.01+0.02*r.Float64()
		last := descend(x, target, w, rate, 5)[5].W
		for range 5 {
			for i, change := range residualSums(x, target, w) {
				w[i] += rate * change
			}
		}
		return last, w
	})
	equation.Check(t, "alpaydin-10.18", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 2, 2)
		at := normals(r, 2)
		m := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{Priors: []float64{0.2, 0.8}}))(t)
		even := must(classify.ShiftPriors(m, nil, []float64{0.5, 0.5}))(t) // w0 of the densities alone
		g := gaussiansOf(x, labels, 2, true)
		return affineValue(must(even.TwoClass())(t), at), g[0].LogProb(at) - g[1].LogProb(at)
	})
	equation.Check(t, "alpaydin-10.19", func(r *rand.Rand) (left, right any) {
		x, labels := noisyClasses(r, 2, 2)
		p, at := 0.1+0.8*r.Float64(), normals(r, 2)
		m := must(classify.ShiftPriors(must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t), nil, []float64{p, 1 - p}))(t)
		g := gaussiansOf(x, labels, 2, true)
		y := p * g[0].Prob(at) / (p*g[0].Prob(at) + (1-p)*g[1].Prob(at))
		return affineValue(must(m.TwoClass())(t), at), math.Log(y / (1 - y))
	})
	equation.Check(t, "alpaydin-10.20", func(r *rand.Rand) (left, right any) {
		x, target := overlapping(r, 20, 2)
		p := 0.1 + 0.8*r.Float64()
		m := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
		s := must(classify.ShiftPriors(m, []float64{0.5, 0.5}, []float64{p, 1 - p}))(t)
		origin := must(m.Posterior(mat.NewDense(1, 2, nil)))(t) // Bayes' theorem there, from equal priors
		return s.W, []float64{math.Log(origin.At(0, 0)*p) - math.Log(origin.At(0, 1)*(1-p)), m.W[1], m.W[2]}
	})
	equation.Check(t, "alpaydin-10.21", func(r *rand.Rand) (left, right any) {
		x, target := overlapping(r, 20, 2)
		m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
		y := logisticOf(affineValue(m.W, x.RawRowView(9)))
		return must(m.Posterior(x))(t).RawRowView(9), []float64{y, 1 - y}
	})
	equation.Check(t, "alpaydin-10.22", func(r *rand.Rand) (left, right any) {
		x, target := overlapping(r, 20, 1)
		m := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
		l := 1.0
		for n, rt := range target {
			y := logisticOf(affineValue(m.W, x.RawRowView(n)))
			l *= math.Pow(y, rt) * math.Pow(1-y, 1-rt)
		}
		return math.Exp(m.LogLikelihood), l
	})
	equation.Check(t, "alpaydin-10.23", func(r *rand.Rand) (left, right any) {
		x, target := overlapping(r, 20, 2)
		w := normals(r, 3)
		return must(must(classify.LogisticObjective(x, target, nil))(t).Value(w))(t), crossEntropyOf(x, target, w)
	})
	equation.Check(t, "alpaydin-10.24", func(r *rand.Rand) (left, right any) {
		x, target := overlapping(r, 20, 2)
		w := normals(r, 3)
		g := must(must(classify.LogisticObjective(x, target, nil))(t).Gradient(w))(t)
		return g, differenceOf(make([]float64, 3), residualSums(x, target, w), 1)
	})
}
