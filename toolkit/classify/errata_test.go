package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
)

// entropyOf contains data, and computes the error E(w) of logistic regression (PRML 4.90) and its
// gradient (4.91) as printed.
type entropyOf struct {
	phi *mat.Dense
	t   []float64
}

func newEntropyOf(r *rand.Rand, n, d int) entropyOf {
	x, t := overlappingRows(r, n, d)
	return entropyOf{x, t}
}

func (e entropyOf) value(w []float64) (sum float64) {
	for n, t := range e.t {
		y := logisticOf(floats.Dot(w, e.phi.RawRowView(n)))
		sum -= t*math.Log(y) + (1-t)*math.Log(1-y)
	}
	return sum
}

func (e entropyOf) gradient(w []float64) []float64 {
	g := make([]float64, len(w))
	for n, t := range e.t {
		row := e.phi.RawRowView(n)
		for j := range g {
			g[j] += (logisticOf(floats.Dot(w, row)) - t) * row[j]
		}
	}
	return g
}

func TestErrataLogistic(t *testing.T) {
	equation.Misprint(t, "P1", func(r *rand.Rand) equation.Reading {
		const k, m = 3, 2 // the entries of w are ordered by class
		phi, w := normalMatrix(r, 10, m), normals(r, k*m)
		label := make([]int, 10)
		for n := range label {
			label[n] = r.IntN(k)
		}
		posterior := func(w []float64, n int) []float64 {
			y, sum := make([]float64, k), 0.0
			for j := range y {
				y[j] = math.Exp(floats.Dot(w[j*m:(j+1)*m], phi.RawRowView(n)))
				sum += y[j]
			}
			for j := range y {
				y[j] /= sum
			}
			return y
		}
		printed, right := mat.NewDense(k*m, k*m, nil), mat.NewDense(k*m, k*m, nil)
		for n := range label {
			y, row := posterior(w, n), phi.RawRowView(n)
			for a := range k * m {
				for b := range k * m {
					h := -y[a/m] * y[b/m] * row[a%m] * row[b%m]
					if a/m == b/m {
						h += y[a/m] * row[a%m] * row[b%m]
					}
					right.Set(a, b, right.At(a, b)+h)
				}
			}
		}
		printed.Scale(-1, right)
		return equation.Reading{Printed: printed, Right: right, True: curvatures(func(w []float64) (e float64) {
			for n, c := range label {
				e -= math.Log(posterior(w, n)[c])
			}
			return e
		}, w)}
	})
	// The check compares E at the middle of the segment from u to v with the mean of E at its ends.
	// The value is +1 if E is smaller at the middle (convex), and −1 if E is larger (concave).
	equation.Misprint(t, "P5", func(r *rand.Rand) equation.Reading {
		e := newEntropyOf(r, 20, 2)
		u, v := normals(r, 2), normals(r, 2)
		middle := []float64{(u[0] + v[0]) / 2, (u[1] + v[1]) / 2}
		chord := (e.value(u)+e.value(v))/2 - e.value(middle)
		return equation.Reading{True: math.Copysign(1, chord), Printed: -1, Right: 1}
	})
	// For s = 1, the function with the gradient Σ_n (y_n − t_n)φ_n is E, not ln E.
	equation.Misprint(t, "P7", func(r *rand.Rand) equation.Reading {
		e, w := newEntropyOf(r, 20, 3), normals(r, 3)
		logarithm := func(w []float64) float64 { return math.Log(e.value(w)) }
		return equation.Reading{True: e.gradient(w), Printed: slopes(logarithm, w), Right: slopes(e.value, w)}
	})
	// The gradient of ln p(t|w) is −Σ_n (y_n − t_n)φ_n. The check covers the sigmoid of two classes
	// and the softmax of three classes.
	equation.Misprint(t, "P43", func(r *rand.Rand) equation.Reading {
		e, w := newEntropyOf(r, 20, 3), normals(r, 3)
		a := normals(r, 3)
		several := softmaxAsWritten(a)
		several[1]-- // now "several" is y − t for a pattern of class 2
		printed := append(e.gradient(w), several...)
		return equation.Reading{
			True: append(slopes(func(w []float64) float64 { return -e.value(w) }, w),
				slopes(func(a []float64) float64 { return math.Log(softmaxAsWritten(a)[1]) }, a)...),
			Printed: printed,
			Right:   differenceOf(make([]float64, 6), printed, 1),
		}
	})
	// The checked value is the change of ln(1 − Φ) from x to x+5. Up to a constant factor, the
	// correct approximation of 1 − Φ is exp(−x²/2)/x · (1 − 1/x²).
	equation.Misprint(t, "P16", func(r *rand.Rand) equation.Reading {
		x := 20 + 10*r.Float64()
		tail := func(x float64) float64 { return math.Log(math.Erfc(x/math.Sqrt2) / 2) }
		right := func(x float64) float64 { return -x*x/2 - math.Log(x) + math.Log(1-1/(x*x)) }
		return equation.Reading{True: tail(x+5) - tail(x), Printed: x*x - (x+5)*(x+5), Right: right(x+5) - right(x)}
	})
	// The checked values are p(t = 0|x) and p(t = 1|x), computed as sums over the true label, which
	// may have been flipped.
	equation.Misprint(t, "P17", func(r *rand.Rand) equation.Reading {
		y, flip := r.Float64(), r.Float64()/2
		var p [2]float64
		for label, share := range []float64{1 - y, y} {
			p[label] += share * (1 - flip)
			p[1-label] += share * flip
		}
		one := (1-flip)*y + flip*(1-y)
		return equation.Reading{True: p[:], Printed: []float64{one, one}, Right: []float64{1 - one, one}}
	})
}

func TestErrataGenerative(t *testing.T) {
	// If h and g are the functions for s = 1, (1/s)h(t/s)g(η)e^{ηt/s} is, for every s, the Gaussian
	// density with mean sη and standard deviation s.
	equation.Misprint(t, "P27", func(r *rand.Rand) equation.Reading {
		target, eta, s := r.NormFloat64(), r.NormFloat64(), 1.5+r.Float64()
		h := math.Exp(-target*target/(2*s*s)) / math.Sqrt(2*math.Pi)
		return equation.Reading{
			True:    h / s * math.Exp(-eta*eta/2+eta*target/s),
			Printed: distuv.Normal{Mu: eta, Sigma: math.Sqrt(s)}.Prob(target),
			Right:   distuv.Normal{Mu: s * eta, Sigma: s}.Prob(target),
		}
	})
	// A family contains two classes of independent exponential densities, with λ < 0, h = 1 and
	// g(λ) = Π(−λ_j).
	type family struct {
		s      float64
		lambda [2][]float64
		x      []float64
	}
	draw := func(r *rand.Rand) (f family) {
		f.s = 1.2 + 2*r.Float64()
		for range 2 + r.IntN(3) {
			f.x = append(f.x, 2*r.Float64())
			for k := range f.lambda {
				f.lambda[k] = append(f.lambda[k], -0.2-2*r.Float64())
			}
		}
		return f
	}
	density := func(f family, k int) float64 {
		p := 1.0
		for j, v := range f.x {
			p *= distuv.Exponential{Rate: -f.lambda[k][j] / f.s}.Prob(v)
		}
		return p
	}
	g := func(f family, k int) float64 {
		p := 1.0
		for _, l := range f.lambda[k] {
			p *= -l
		}
		return p
	}
	odds := func(r *rand.Rand) equation.Reading {
		f, prior := draw(r), 0.1+0.8*r.Float64()
		rest := math.Log(g(f, 0)/g(f, 1)) + math.Log(prior/(1-prior))
		linear := floats.Dot(f.lambda[0], f.x) - floats.Dot(f.lambda[1], f.x)
		odds := density(f, 0) * prior / (density(f, 1) * (1 - prior))
		return equation.Reading{True: math.Log(odds), Printed: linear + rest, Right: linear/f.s + rest}
	}
	equation.Misprint(t, "P13", odds)
	equation.Misprint(t, "G7", odds)
	scaled := func(r *rand.Rand) equation.Reading {
		f := draw(r)
		bell := g(f, 0) * math.Exp(floats.Dot(f.lambda[0], f.x)/f.s)
		return equation.Reading{True: density(f, 0), Printed: bell / f.s,
			Right: bell / math.Pow(f.s, float64(len(f.x)))}
	}
	equation.Misprint(t, "P14", scaled)
	equation.Misprint(t, "Q11", scaled)
	equation.Misprint(t, "G8", func(r *rand.Rand) equation.Reading {
		f, prior := draw(r), 0.1+0.8*r.Float64()
		a := func(k int, last float64) float64 { return floats.Dot(f.lambda[k], f.x)/f.s + math.Log(g(f, k)) + last }
		one, two := density(f, 0)*prior, density(f, 1)*(1-prior)
		return equation.Reading{
			True:    one / (one + two),
			Printed: logisticOf(a(0, prior) - a(1, 1-prior)),
			Right:   logisticOf(a(0, math.Log(prior)) - a(1, math.Log(1-prior))),
		}
	})
	// If the product were a distribution of t, its sum over all t would be 1. But the product is a
	// joint density of t and X, so its sum over all t is the density of X.
	equation.Misprint(t, "P18", func(r *rand.Rand) equation.Reading {
		const n = 4
		pi, cov := 0.1+0.8*r.Float64(), randomCov(r, 2)
		x := normalMatrix(r, n, 2)
		one, _ := distmv.NewNormal(normals(r, 2), cov, nil)
		two, _ := distmv.NewNormal(normals(r, 2), cov, nil)
		sum, marginal := 0.0, 1.0
		for t := range 1 << n {
			p := 1.0
			for i := range n {
				if t>>i&1 == 1 {
					p *= pi * one.Prob(x.RawRowView(i))
				} else {
					p *= (1 - pi) * two.Prob(x.RawRowView(i))
				}
			}
			sum += p
		}
		for i := range n {
			marginal *= pi*one.Prob(x.RawRowView(i)) + (1-pi)*two.Prob(x.RawRowView(i))
		}
		return equation.Reading{True: sum, Printed: 1, Right: marginal}
	})
}

// A scatterData contains the points of several classes, the class means, and the scatter matrices
// of PRML (4.40)–(4.46), computed as printed.
type scatterData struct {
	x      []*mat.Dense // the points, one matrix per class
	means  [][]float64
	mean   []float64
	sw, sb *mat.SymDense
	n      int
}

func newGroups(r *rand.Rand, k, d int) *scatterData {
	g := &scatterData{mean: make([]float64, d), sw: mat.NewSymDense(d, nil), sb: mat.NewSymDense(d, nil)}
	for range k {
		rows := d + 2 + r.IntN(10)
		x, shift, m := normalMatrix(r, rows, d), normals(r, d), make([]float64, d)
		for i := range rows {
			floats.Add(x.RawRowView(i), shift)
			floats.Add(m, x.RawRowView(i))
		}
		floats.Add(g.mean, m)
		floats.Scale(1/float64(rows), m)
		g.x, g.means, g.n = append(g.x, x), append(g.means, m), g.n+rows
	}
	floats.Scale(1/float64(g.n), g.mean)
	for k, x := range g.x {
		rows, _ := x.Dims()
		for i := range rows {
			g.sw.SymRankOne(g.sw, 1, difference(x.RawRowView(i), g.means[k]))
		}
		g.sb.SymRankOne(g.sb, float64(rows), difference(g.means[k], g.mean))
	}
	return g
}

func difference(a, b []float64) *mat.VecDense {
	return mat.NewVecDense(len(a), floats.SubTo(make([]float64, len(a)), a, b))
}

// criterion returns the value Tr{(WᵀS_W W)⁻¹ WᵀS_B W}, or nil if the shapes do not agree.
func criterion(w, sw, sb mat.Matrix) any {
	var a, b, c mat.Dense
	if mat.Maybe(func() { a.Product(w.T(), sw, w); b.Product(w.T(), sb, w) }) != nil || c.Solve(&a, &b) != nil {
		return nil
	}
	return mat.Trace(&c)
}

// fisherDirection returns S_W⁻¹(m_i − m_j), scaled to length 1.
func (g *scatterData) fisherDirection(i, j int) []float64 {
	var v mat.VecDense
	_ = v.SolveVec(g.sw, difference(g.means[i], g.means[j]))
	w := v.RawVector().Data
	floats.Scale(1/floats.Norm(w, 2), w)
	return w
}

func TestErrataFisher(t *testing.T) {
	// The check computes how many of the K matrices (m_k−m)(m_k−m)ᵀ are linearly independent, and
	// how many of the K vectors m_k−m are linearly independent. The matrices are independent, but
	// the vectors are dependent.
	equation.Misprint(t, "P41", func(r *rand.Rand) equation.Reading {
		k := 3 + r.IntN(2)
		g := newGroups(r, k, k-1)
		vectors, squares := mat.NewDense(k, k-1, nil), mat.NewDense(k, (k-1)*(k-1), nil)
		for i, m := range g.means {
			var square mat.Dense
			d := difference(m, g.mean)
			square.Outer(1, d, d)
			vectors.SetRow(i, d.RawVector().Data)
			squares.SetRow(i, square.RawMatrix().Data)
		}
		rank := func(m mat.Matrix) int {
			var s mat.SVD
			s.Factorize(m, mat.SVDNone)
			return s.Rank(1e-10)
		}
		return equation.Reading{True: []int{rank(squares), rank(vectors)}, Printed: []int{k - 1, k - 1},
			Right: []int{k, k - 1}}
	})
	// For D ≤ K, the fit must return min(D, K−1) features, and their criterion must equal the
	// criterion of all dimensions.
	equation.Holds(t, "P42", func(r *rand.Rand) error {
		k := 3 + r.IntN(3)
		d := 1 + r.IntN(k)
		g := newGroups(r, k, d)
		var x mat.Dense
		var labels []int
		for i, rows := range g.x {
			n, _ := rows.Dims()
			labels = append(labels, slices.Repeat([]int{i}, n)...)
			all := mat.DenseCopyOf(&x)
			if x.Reset(); i == 0 {
				x.CloneFrom(rows)
			} else {
				x.Stack(all, rows)
			}
		}
		m, err := classify.FitFisherMulti(&x, labels, k, classify.FisherMultiOptions{})
		if err != nil {
			return err
		}
		var c mat.Dense
		_ = c.Solve(g.sw, g.sb)
		if _, features := m.W.Dims(); features != min(d, k-1) || math.Abs(m.J-mat.Trace(&c)) > 1e-9*m.J {
			return fmt.Errorf("D = %d, K = %d: the fit has %d features and J = %v, want min(D, K−1) features and J = %v", d, k, features, m.J, mat.Trace(&c))
		}
		return nil
	})
	// The true value is the criterion computed from the scatter matrices of the projected points.
	equation.Misprint(t, "P8", func(r *rand.Rand) equation.Reading {
		g, w := newGroups(r, 3, 4), normalMatrix(r, 4, 2)
		sw, sb := mat.NewSymDense(2, nil), mat.NewSymDense(2, nil)
		image := func(v []float64) []float64 {
			var y mat.VecDense
			y.MulVec(w.T(), mat.NewVecDense(4, v))
			return y.RawVector().Data
		}
		for k, x := range g.x {
			rows, _ := x.Dims()
			for i := range rows {
				sw.SymRankOne(sw, 1, difference(image(x.RawRowView(i)), image(g.means[k])))
			}
			sb.SymRankOne(sb, float64(rows), difference(image(g.means[k]), image(g.mean)))
		}
		var c mat.Dense
		_ = c.Solve(sw, sb)
		return equation.Reading{True: mat.Trace(&c), Printed: criterion(w.T(), g.sw, g.sb),
			Right: criterion(w, g.sw, g.sb)}
	})
	// The true value is the criterion of all D dimensions. A projection on the vectors S_W⁻¹(m_k−m)
	// has the same criterion, but a projection on the vectors m_k−m has a smaller criterion.
	equation.Misprint(t, "P9", func(r *rand.Rand) equation.Reading {
		g := newGroups(r, 3, 4)
		between, whitened := mat.NewDense(4, 2, nil), new(mat.Dense)
		for j := range 2 { // the span of these columns contains the eigenvectors of S_B with positive eigenvalues
			between.SetCol(j, difference(g.means[j], g.mean).RawVector().Data)
		}
		_ = whitened.Solve(g.sw, between)
		var c mat.Dense
		_ = c.Solve(g.sw, g.sb)
		return equation.Reading{True: mat.Trace(&c), Printed: criterion(between, g.sw, g.sb),
			Right: criterion(whitened, g.sw, g.sb)}
	})
	// The true direction is the w of the least-squares fit to the targets N/N₁ and −N/N₂. For C₁,
	// wᵀ(x−m) is positive.
	equation.Misprint(t, "P11", func(r *rand.Rand) equation.Reading {
		g := newGroups(r, 2, 3)
		var rows [][]float64
		var targets []float64
		for k, x := range g.x {
			n, _ := x.Dims()
			for i := range n {
				rows = append(rows, append([]float64{1}, x.RawRowView(i)...))
				targets = append(targets, float64(1-2*k)*float64(g.n)/float64(n))
			}
		}
		design := mat.NewDense(g.n, 4, nil)
		for i, row := range rows {
			design.SetRow(i, row)
		}
		var w mat.VecDense
		_ = w.SolveVec(design, mat.NewVecDense(g.n, targets))
		direction := append([]float64{}, w.RawVector().Data[1:]...)
		floats.Scale(1/floats.Norm(direction, 2), direction)
		return equation.Reading{True: direction, Printed: g.fisherDirection(1, 0), Right: g.fisherDirection(0, 1)}
	})
	// compareRules applies the printed rule and the correct rule to the two class means, and
	// returns the assigned classes. The threshold y₀ is the midpoint of the projected means.
	compareRules := func(r *rand.Rand) equation.Reading {
		g := newGroups(r, 2, 3)
		w := g.fisherDirection(1, 0)
		y0 := (floats.Dot(w, g.means[0]) + floats.Dot(w, g.means[1])) / 2
		var printed, right []int
		for _, m := range g.means {
			printed = append(printed, 2-int(truth(floats.Dot(w, m) >= y0)))
			right = append(right, 2-int(truth(floats.Dot(w, m) < y0)))
		}
		return equation.Reading{True: []int{1, 2}, Printed: printed, Right: right}
	}
	equation.Misprint(t, "P12", compareRules)
	equation.Misprint(t, "Q14", compareRules)
	equation.Holds(t, "P10", func(r *rand.Rand) error {
		g := newGroups(r, 2, 3)
		n1, _ := g.x[0].Dims()
		two := mat.NewSymDense(3, nil)
		two.SymRankOne(two, float64(n1*(g.n-n1))/float64(g.n), difference(g.means[1], g.means[0]))
		if !mat.EqualApprox(g.sb, two, 1e-9) {
			return fmt.Errorf("S_B of (4.46) is %v, but N₁N₂/N times (4.27) is %v, want equal matrices", g.sb, two)
		}
		return nil
	})
}

func TestErrataPerceptron(t *testing.T) {
	// A different learning rate η only scales the weights of a run if the start weights are also
	// scaled by η. Start weights of 0 always satisfy this condition.
	equation.Holds(t, "P28", func(r *rand.Rand) error {
		x, target, plane := normalMatrix(r, 20, 2), make([]float64, 20), normals(r, 3)
		for i := range target {
			target[i] = truth(plane[0]+floats.Dot(plane[1:], x.RawRowView(i)) > 0)
		}
		target[0] = truth(target[1] == 0) // both classes must occur
		rate, start := 0.1+0.5*r.Float64(), normals(r, 3)
		run := func(rate, scale float64) *classify.Perceptron {
			s := append([]float64{}, start...)
			floats.Scale(scale, s)
			return must(classify.FitPerceptron(x, target,
				classify.PerceptronOptions{Rate: rate, Start: s, MaxEpochs: 50}))(t)
		}
		for _, scale := range []float64{0, 1} {
			one, other := run(1, scale), run(rate, rate*scale)
			w := append([]float64{}, one.W...)
			floats.Scale(rate, w)
			if one.Mistakes != other.Mistakes || !floats.EqualApprox(w, other.W, 1e-9) {
				return fmt.Errorf("η = %v: %d corrections, weights %v; η = 1: %d corrections, weights %v; want weights proportional to η", rate, other.Mistakes, other.W,
					one.Mistakes, one.W)
			}
		}
		return nil
	})
	// If the weights are multiplied by a positive factor, no predicted class changes. If the factor
	// is negative, every predicted class changes.
	equation.Holds(t, "P44", func(r *rand.Rand) error {
		x, w, factor := normalMatrix(r, 10, 2), normals(r, 3), 0.1+r.Float64()
		classes := func(factor float64) []int {
			scaled := append([]float64{}, w...)
			floats.Scale(factor, scaled)
			return must((&classify.Perceptron{W: scaled}).Predict(x))(t)
		}
		one, same, turned := classes(1), classes(factor), classes(-factor)
		for i := range one {
			if same[i] != one[i] || turned[i] == one[i] {
				return fmt.Errorf("the class of row %d is %d; if the weights are multiplied by %v, the class is %d; with the negative factor it is %d; want a change only with the negative factor", i, one[i], factor,
					same[i], turned[i])
			}
		}
		return nil
	})
	// The two points are (c+1, s) and (c−1, −s). The plane farthest from both has the weights (−c, 1, s).
	// The weights of the widest margin are a combination of both φ: (−c, 1, (1+c²)s). From any start,
	// gradient descent must turn towards them. A fit with a nearly flat prior must have this direction,
	// or the direction of the farthest plane if the prior leaves the bias free.
	equation.Holds(t, "P50", func(r *rand.Rand) error {
		c, s := 1+r.Float64(), 0.5+r.Float64()
		x, target := mat.NewDense(2, 2, []float64{c + 1, s, c - 1, -s}), []float64{1, 0}
		widest, farthest := []float64{-c, 1, (1 + c*c) * s}, []float64{-c, 1, s} // at least 0.29 apart
		unit := func(w []float64) []float64 { return floats.ScaleTo(make([]float64, 3), 1/floats.Norm(w, 2), w) }
		for _, fit := range []struct {
			o    classify.LogisticOptions
			want []float64
		}{
			{classify.LogisticOptions{Start: normals(r, 3), Solver: classify.GradientDescent{}, MaxIterations: 2000}, widest},
			{classify.LogisticOptions{Start: normals(r, 3), Solver: classify.GradientDescent{}, MaxIterations: 2000}, widest},
			{classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1e-9}}, widest},
			{classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1e-9, FreeBias: true}}, farthest},
		} {
			w := must(classify.FitLogistic(x, target, fit.o))(t).W
			if off := floats.Distance(unit(w), unit(fit.want), 2); off > 0.1 {
				return fmt.Errorf("the fit with %+v has the weights %v: the distance to the direction of %v is %v, want at most 0.1", fit.o, w, fit.want, off)
			}
		}
		return nil
	})
	// With zero weights all patterns are on the boundary wᵀφt = 0. The rule (4.53) assigns them to
	// C₁, so the first misclassified pattern is the first pattern of C₂. If a correct pattern needs
	// wᵀφt > 0, the first pattern of all is already misclassified.
	boundary := func(r *rand.Rand) error {
		n, ones := 10, 1+r.IntN(5)
		x, target := normalMatrix(r, n, 2), make([]float64, n)
		for i := range ones {
			target[i] = 1
		}
		for rule, first := range map[classify.MistakeRule]int{classify.MistakeStep: ones, classify.MistakeStrict: 0} {
			m := must(classify.FitPerceptron(x, target, classify.PerceptronOptions{Rule: rule, MaxEpochs: 5}))(t)
			if m.Updates[0].Row != first {
				return fmt.Errorf("with mistake rule %v the first correction is for row %d, want row %d", rule, m.Updates[0].Row, first)
			}
		}
		return nil
	}
	equation.Holds(t, "P29", boundary)
	equation.Holds(t, "Q8", boundary)
	// The points are the corners of a perturbed rectangle, and opposite corners are in the same
	// class. No plane separates the classes, but the weights of the perceptron stay bounded.
	equation.Holds(t, "Q9", func(r *rand.Rand) error {
		x := mat.NewDense(4, 2, []float64{0, 0, 1, 1, 0, 1, 1, 0})
		x.Apply(func(_, j int, v float64) float64 { return v*(1+float64(j)) + r.Float64()/10 }, x)
		long := must(classify.FitPerceptron(x, []float64{1, 1, 0, 0}, classify.PerceptronOptions{MaxEpochs: 20000}))(t)
		if long.Converged || floats.Norm(long.W, 2) > 100 {
			return fmt.Errorf("after %d corrections the weights are %v, want bounded weights without convergence", long.Mistakes, long.W)
		}
		return nil
	})
}

func TestErrataHulls(t *testing.T) {
	// The convex hull of points on a line is an interval. The classes are separable if and only if
	// the intervals are disjoint.
	equation.Holds(t, "P30", func(r *rand.Rand) error {
		n, shift := 2+r.IntN(4), 4*r.NormFloat64()
		one, two := normals(r, n), normals(r, n)
		floats.AddConst(shift, two)
		x, target := append(append([]float64{}, one...), two...), make([]float64, 2*n)
		for i := range n {
			target[i] = 1
		}
		disjoint := floats.Max(one) < floats.Min(two) || floats.Max(two) < floats.Min(one)
		if s := must(classify.Separable(mat.NewDense(2*n, 1, x), target))(t); s.Separable != disjoint {
			return fmt.Errorf("got disjoint hulls %v but Separable %v, want equal values", disjoint, s.Separable)
		}
		return nil
	})
}

func TestErrataRight(t *testing.T) {
	// The degrees of freedom of a model count the priors, the means and the covariances.
	equation.Check(t, "OK2", func(r *rand.Rand) (left, right any) {
		d := 1 + r.IntN(5)
		x, labels := normalMatrix(r, 40, d), make([]int, 40)
		for i := range labels {
			labels[i] = i % 2
		}
		own := must(classify.FitQDA(x, labels, 2, classify.QDAOptions{}))(t)
		shared := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t)
		return []int{own.DegreesOfFreedom(), shared.DegreesOfFreedom()}, []int{d*(d+3) + 1, d*(d+5)/2 + 1}
	})
}

// TestErrataOfOneSidedRules checks statements of the books that are true only under one convention
// or only for some data.
func TestErrataOfOneSidedRules(t *testing.T) {
	equation.Holds(t, "P38", func(r *rand.Rand) error {
		k := 3 + r.IntN(3)
		x, labels := normalMatrix(r, 12*k, 2), make([]int, 12*k)
		for i := range labels {
			labels[i] = i % k
		}
		fit := func(x mat.Matrix, t []float64) (classify.Scorer, error) {
			return classify.FitFisher(x, t, classify.FisherOptions{})
		}
		for last, want := range map[bool]int{false: k, true: k - 1} {
			m, err := classify.FitOneVersusRest(x, labels, k, fit, classify.OneVersusRestOptions{LastIsRest: last})
			if err != nil || len(m.Machines) != want {
				return fmt.Errorf("LastIsRest = %v: got %d machines for %d classes and error %v, want one machine per class (one fewer with LastIsRest)", last, len(m.Machines), k, err)
			}
		}
		return nil
	})
	// If no row is misclassified, a gradient step still lengthens w. However, the weight of the
	// second input shrinks, because this weight has the opposite sign in the plane with the widest
	// margin.
	equation.Holds(t, "A10", func(r *rand.Rand) error {
		rows := [][]float64{{2 + r.Float64(), -1 - r.Float64()}, {1.5 + r.Float64(), -0.5 - r.Float64()}}
		w := []float64{1 + r.Float64(), 0.1 + 0.1*r.Float64()}
		step := make([]float64, 2)
		for _, x := range rows { // each row −x of C₂ adds the same term as x, hence the factor 2
			a := w[0]*x[0] + w[1]*x[1]
			if a <= 0 {
				return fmt.Errorf("a row has the margin %v, want a positive margin for every row", a)
			}
			for j := range step {
				step[j] += 1e-3 * 2 * (1 - logisticOf(a)) * x[j]
			}
		}
		if math.Hypot(w[0]+step[0], w[1]+step[1]) <= math.Hypot(w[0], w[1]) || math.Abs(w[1]+step[1]) >= w[1] {
			return fmt.Errorf("from %v by %v", w, step)
		}
		return nil
	})
	// If g_ji = −g_ij, both functions are 0 on the plane between two classes. Suppose that a rule
	// requires a positive g_ij for C_i and a positive g_ji for C_j. Then the rule chooses no class
	// on the plane.
	equation.Holds(t, "A12", func(r *rand.Rand) error {
		w := float64(1 + r.IntN(9))
		h, err := classify.NewHyperplane([]float64{-2 * w, w, 0})
		if err != nil {
			return err
		}
		g, err := h.Value([]float64{2, r.NormFloat64()})
		back, err2 := h.Flip().Value([]float64{2, 0})
		if err != nil || err2 != nil || g > 0 || back > 0 {
			return fmt.Errorf("g_ij = %v and g_ji = %v on the plane, want 0", g, back)
		}
		return nil
	})
	// As a peak at 0 becomes narrower, it tends to infinity at 0 and to 0 elsewhere. Any multiple
	// of the peak has the same property. Only the integral shows which multiple of δ is the limit.
	equation.CheckTo(t, "N6", 1e-6, func(r *rand.Rand) (left, right any) { // by quadrature
		c, s, area := 0.5+2*r.Float64(), 1e-3, 0.0
		peak := distuv.Normal{Sigma: s}
		for i := -4000; i <= 4000; i++ {
			area += c * peak.Prob(float64(i)*s/400) * s / 400
		}
		return area, c
	})
}

// oneWeight contains the data of a logistic regression with a single weight, whose prior is N(w|0,
// s0).
type oneWeight struct {
	phi, t []float64
	s0     float64
}

func newOneWeight(r *rand.Rand) oneWeight {
	x, t := overlappingRows(r, 15, 1)
	return oneWeight{mat.Col(nil, 0, x), t, 0.5 + r.Float64()}
}

func (o oneWeight) logPosterior(w float64) float64 {
	l := -w * w / (2 * o.s0)
	for n, t := range o.t {
		y := logisticOf(w * o.phi[n])
		l += t*math.Log(y) + (1-t)*math.Log(1-y)
	}
	return l
}

func (o oneWeight) information(w float64) (sum float64) {
	for _, phi := range o.phi {
		y := logisticOf(w * phi)
		sum += y * (1 - y) * phi * phi
	}
	return sum
}

// variance returns the variance of the Gaussian whose log density has the same second derivative as
// the log posterior at w. It computes the second derivative by finite differences and the variance
// by quadrature.
func (o oneWeight) variance(w float64) float64 {
	c := slope(func(w float64) float64 { return slope(o.logPosterior, w) }, w)
	bell := func(d float64) float64 { return math.Exp(c * d * d / 2) }
	square := func(d float64) float64 { return d * d * bell(d) }
	return overLine(square, 0, 1, 50) / overLine(bell, 0, 1, 50)
}

func TestErrataBayes(t *testing.T) {
	equation.Misprint(t, "P3", func(r *rand.Rand) equation.Reading {
		o, w := newOneWeight(r), r.NormFloat64()
		sum := 1/o.s0 + o.information(w)
		return equation.Reading{True: o.variance(w), Printed: sum, Right: 1 / sum}
	})
	equation.Misprint(t, "P4", func(r *rand.Rand) equation.Reading {
		o, w := newOneWeight(r), r.NormFloat64()
		return equation.Reading{True: o.variance(w), Printed: 1 / o.information(w),
			Right: 1 / (1/o.s0 + o.information(w))}
	})
	equation.Misprint(t, "N1", func(r *rand.Rand) equation.Reading { // this check tests errors P3 and P4 together
		o, w := newOneWeight(r), r.NormFloat64()
		return equation.Reading{True: o.variance(w), Printed: o.information(w), Right: 1 / (1/o.s0 + o.information(w))}
	})
	// For a linear model with Gaussian noise, the Laplace evidence equals the density of t. The
	// matrix h is the H of the exercise: the second derivatives of ln p(D|θ), without a minus sign.
	equation.Misprint(t, "P19", func(r *rand.Rand) equation.Reading {
		n, m, s := 6, 1+r.IntN(3), 0.5+r.Float64()
		phi, target, v0 := normalMatrix(r, n, m), normals(r, n), randomCov(r, m)
		var cov, h, a mat.Dense
		cov.Product(phi, v0, phi.T())
		for i := range n {
			cov.Set(i, i, cov.At(i, i)+s)
		}
		p, _ := distmv.NewNormal(make([]float64, n), mat.NewSymDense(n, cov.RawMatrix().Data), nil)
		h.Mul(phi.T(), phi)
		h.Scale(-1/s, &h)
		a.Sub(inverse(t, v0), &h)
		var moment, theta, fit mat.VecDense
		moment.MulVec(phi.T(), mat.NewVecDense(n, target))
		moment.ScaleVec(1/s, &moment)
		_ = theta.SolveVec(&a, &moment)
		fit.MulVec(phi, &theta)
		rest := -mat.Inner(&theta, inverse(t, v0), &theta)/2 - math.Log(mat.Det(v0))/2
		for i, v := range target {
			rest += distuv.Normal{Mu: fit.AtVec(i), Sigma: math.Sqrt(s)}.LogProb(v)
		}
		return equation.Reading{True: p.LogProb(target), Printed: rest - math.Log(mat.Det(&h))/2,
			Right: rest - math.Log(mat.Det(&a))/2}
	})
}

func TestErrataProbit(t *testing.T) {
	// The book's formula for Φ with the book's erf must give the same value as the usual formula
	// for Φ with math.Erf.
	equation.Check(t, "P15", func(r *rand.Rand) (left, right any) {
		a := 2 * r.NormFloat64()
		const n = 2000
		erf := 0.0 // by Simpson's rule
		for i := range n {
			lo, h := a*float64(i)/n, a/n
			for k, weight := range []float64{1, 4, 1} {
				v := lo + float64(k)*h/2
				erf += weight * math.Exp(-v*v/2) * h / 6 * 2 / math.Sqrt(math.Pi)
			}
		}
		return (1 + erf/math.Sqrt2) / 2, (1 + math.Erf(a/math.Sqrt2)) / 2
	})
	equation.Holds(t, "P25", func(r *rand.Rand) error {
		gap := func(lambda, a float64) float64 { return math.Abs(logisticOf(a) - distuv.UnitNormal.CDF(lambda*a)) }
		a, worst := 8*r.Float64(), 0.0
		for at := 0.0; at < 8; at += 0.01 {
			worst = math.Max(worst, gap(math.Sqrt(math.Pi/8), at))
		}
		if !(gap(0.58763, a) < 0.0095 && worst > 0.0176) {
			return fmt.Errorf("at %v the error for λ = 0.58763 is %v, want below 0.0095; the largest error for equal slopes is %v", a, gap(0.58763, a), worst)
		}
		return nil
	})
	equation.Misprint(t, "P31", func(r *rand.Rand) equation.Reading {
		lambda, mu, sd := -0.2-2*r.Float64(), 2*r.NormFloat64(), 0.2+2*r.Float64()
		cdf, normal := distuv.UnitNormal.CDF, distuv.Normal{Mu: mu, Sigma: sd}
		return equation.Reading{
			True:    overLine(func(a float64) float64 { return cdf(lambda*a) * normal.Prob(a) }, mu, sd, 30),
			Printed: cdf(mu / math.Sqrt(1/(lambda*lambda)+sd*sd)),
			Right:   cdf(lambda * mu / math.Sqrt(1+lambda*lambda*sd*sd)),
		}
	})
	// With up to 7 points, the BIC penalty per parameter is smaller than the AIC penalty.
	equation.Holds(t, "P35", func(r *rand.Rand) error {
		n, m := 1+r.IntN(14), 1+r.IntN(5)
		e := classify.Evidence{LogLikelihood: r.NormFloat64(), M: m, N: n, SumWeights: float64(n)}
		if heavier := e.BIC() > e.AIC(); heavier != (n >= 8) {
			return fmt.Errorf("with %d points BIC is %v and AIC is %v, want the larger BIC only for at least 8 points", n, e.BIC(), e.AIC())
		}
		return nil
	})
}
