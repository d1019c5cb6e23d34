package classify_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
)

// The functions from labelledRows to nearestOn are helpers for all checks of equations. They do not
// call the toolkit.

// labelledRows returns rows of two to four columns in k classes. The means and the sizes of the
// classes are random, but each class has more rows than columns.
func labelledRows(r *rand.Rand, k int) (*mat.Dense, []int) {
	d := 2 + r.IntN(3)
	n := (d+2)*k + r.IntN(30)
	means, x, labels := normalMatrix(r, k, d), normalMatrix(r, n, d), make([]int, n)
	for i := range labels {
		if labels[i] = i % k; i >= (d+2)*k {
			labels[i] = r.IntN(k)
		}
		floats.Add(x.RawRowView(i), means.RawRowView(labels[i]))
	}
	return x, labels
}

// oneRow returns a matrix with the single row x.
func oneRow(x []float64) *mat.Dense { return mat.NewDense(1, len(x), x) }

// oneColumn returns a matrix with the single column v.
func oneColumn(v []float64) *mat.Dense { return mat.NewDense(len(v), 1, v) }

// mul returns the product of matrices.
func mul(factors ...mat.Matrix) *mat.Dense {
	var p mat.Dense
	p.Product(factors...)
	return &p
}

// solve returns the least-squares solution X of AX = B.
func solve(a, b mat.Matrix) *mat.Dense {
	var x mat.Dense
	if err := x.Solve(a, b); err != nil {
		panic(err)
	}
	return &x
}

// inverse returns the inverse of a symmetric matrix.
func inverse(a mat.Matrix) *mat.SymDense {
	var inv mat.Dense
	if err := inv.Inverse(a); err != nil {
		panic(err)
	}
	n, _ := a.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, inv.At(i, j))
		}
	}
	return s
}

// form returns uᵀAv.
func form(u []float64, a mat.Matrix, v []float64) float64 {
	return mat.Inner(mat.NewVecDense(len(u), u), a, mat.NewVecDense(len(v), v))
}

// minus returns a − b.
func minus(a, b []float64) []float64 { return floats.SubTo(make([]float64, len(a)), a, b) }

// multiple returns f·v.
func multiple(f float64, v []float64) []float64 { return floats.ScaleTo(make([]float64, len(v)), f, v) }

// unit returns v, scaled to length 1.
func unit(v []float64) []float64 { return multiple(1/floats.Norm(v, 2), v) }

// fill returns a slice with n copies of v.
func fill(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }

// pseudoInverse returns the pseudo-inverse V·S⁻¹·Uᵀ of the matrix a. S contains only the non-zero
// singular values.
func pseudoInverse(a mat.Matrix) *mat.Dense {
	var svd mat.SVD
	svd.Factorize(a, mat.SVDThin)
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	values := svd.Values(nil)
	for j, s := range values {
		values[j] = 1 / s
		if s <= 1e-10*svd.Values(nil)[0] {
			values[j] = 0
		}
	}
	return mul(&v, mat.NewDiagDense(len(values), values), u.T())
}

// nearestOn returns the point p that minimises ‖p − x‖ subject to wᵀp = −w0. It solves the linear
// equations for p and the Lagrange multiplier.
func nearestOn(w, x []float64) []float64 {
	d := len(x)
	a, b := mat.NewDense(d+1, d+1, nil), append(slices.Clone(x), -w[0])
	for j := range x {
		a.Set(j, j, 1)
		a.Set(j, d, w[j+1])
		a.Set(d, j, w[j+1])
	}
	return flat(solve(a, oneColumn(b)))[:d]
}

func TestEquationsTargetsAndModels(t *testing.T) {
	equation.Check(t, "prml-4.1", func(r *rand.Rand) (left, right any) {
		k := 2 + r.IntN(4)
		x, labels := labelledRows(r, k)
		m := must(classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{}))(t)
		return m.W, solve(withOnes(x), oneOfK(labels, k))
	})
	// The mean of Poisson targets has the same value at two points of a plane normal to w.
	equation.Check(t, "prml-4.3", func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 30, 2)
		logistic := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
		probit := must(classify.FitProbit(x, target, classify.ProbitOptions{}))(t)
		poisson := must(classify.FitGLM(x, target, classify.PoissonTarget{}, classify.GLMOptions{}))(t)
		at, step := x.RawRowView(r.IntN(30)), r.NormFloat64()
		two := mat.NewDense(2, 2, []float64{at[0], at[1], at[0] - step*poisson.W[2], at[1] + step*poisson.W[1]})
		return []any{must(logistic.Posterior(two))(t).At(0, 0), must(probit.Posterior(two))(t).At(0, 0),
				must(poisson.Mean(two))(t)},
			[]any{logisticOf(affineValue(logistic.W, at)), math.Erfc(-affineValue(probit.W, at)/math.Sqrt2) / 2,
				fill(2, math.Exp(affineValue(poisson.W, at)))}
	})
	equation.Check(t, "alpaydin-10.3", func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 30, 1)
		a, c := normals(r, 2), normals(r, 1)
		bell := must(classify.BasisGaussian(oneRow(c), 0.8))(t)
		m := must(classify.FitOnBasis(x, must(classify.BasisJoin(ridge("sin", a), bell))(t),
			func(phi mat.Matrix) (*classify.Logistic, error) {
				return classify.FitLogistic(phi, target, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}})
			}))(t)
		v := x.At(5, 0)
		phi := []float64{math.Sin(a[0] + a[1]*v), math.Exp(-(v - c[0]) * (v - c[0]) / (2 * 0.8 * 0.8))}
		return must(m.Scores(x))(t).At(5, 0), affineValue(m.Model.W, phi)
	})
	// Changing the unit of an input changes the weight of this input but no posterior probability.
	equation.CheckTo(t, "A15", 1e-6, func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 30, 2)
		unit, other := 5+20*r.Float64(), mat.DenseCopyOf(x)
		other.SetCol(0, multiple(unit, mat.Col(nil, 0, x)))
		one := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
		two := must(classify.FitLogistic(other, target, classify.LogisticOptions{}))(t)
		return []any{two.W, must(two.Posterior(other))(t)},
			[]any{[]float64{one.W[0], one.W[1] / unit, one.W[2]}, must(one.Posterior(x))(t)}
	})
}

func TestEquationsHyperplane(t *testing.T) {
	draw := func(r *rand.Rand) (h *classify.Hyperplane, w, x []float64) {
		w = normals(r, 3+r.IntN(4))
		return must(classify.NewHyperplane(w))(t), w, normals(r, len(w)-1)
	}
	value := func(r *rand.Rand) (left, right any) {
		h, w, x := draw(r)
		return []float64{must(h.Value(x))(t), floats.Dot(h.Weights(), append([]float64{1}, x...))},
			fill(2, affineValue(w, x))
	}
	equation.Check(t, "prml-4.4", value)
	equation.Check(t, "prml-4.8", value)
	equation.Check(t, "alpaydin-10.1", value)
	distance := func(r *rand.Rand) (left, right any) {
		h, w, x := draw(r)
		foot, size, d := nearestOn(w, x), floats.Norm(w[1:], 2), must(h.Distance(x))(t)
		signed := math.Copysign(floats.Distance(x, foot, 2), affineValue(w, x))
		between := minus(must(h.Project(x))(t), must(h.Project(normals(r, len(x))))(t)) // a vector parallel to the plane
		return []any{d, must(h.Distances(oneRow(x)))(t), must(h.Flip().Distance(x))(t), d * size, must(h.Project(x))(t),
				floats.AddScaledTo(make([]float64, len(x)), foot, d/size, w[1:]), size + floats.Dot(w[1:], between)},
			[]any{signed, signed, -signed, floats.Dot(w[1:], minus(x, foot)), foot, x, size}
	}
	equation.Check(t, "prml-4.6", distance)
	equation.Check(t, "prml-4.7", distance)
	equation.Check(t, "alpaydin-10.4", distance)
	equation.Check(t, "part1-foot-product", distance)
	equation.Check(t, "part1-orthogonal", distance)
	origin := func(r *rand.Rand) (left, right any) {
		h, w, x := draw(r)
		d := math.Copysign(floats.Norm(nearestOn(w, make([]float64, len(x))), 2), w[0])
		x[0] -= affineValue(w, x) / w[1] // now x lies on the plane
		return []any{must(h.OriginDistance())(t), must(h.Unit())(t).W0, must(h.FootCoordinate())(t),
			floats.Dot(unit(w[1:]), x), must(h.Foot())(t)}, []any{d, d, -d, -d, multiple(-d, unit(w[1:]))}
	}
	equation.Check(t, "prml-4.5", origin)
	equation.Check(t, "alpaydin-10.5", origin)
	equation.Check(t, "A2", origin)
	// If g_ji = −g_ij, neither function is positive on the plane g_ij = 0. A rule that requires a
	// positive value therefore chooses no class there.
	equation.Holds(t, "A12", func(r *rand.Rand) error {
		w := float64(1 + r.IntN(9))
		h := must(classify.NewHyperplane([]float64{-2 * w, w, 0}))(t)
		x := []float64{2, r.NormFloat64()}
		if g, back := must(h.Value(x))(t), must(h.Flip().Value(x))(t); g > 0 || back > 0 {
			return fmt.Errorf("on the plane g_ij is %v and g_ji is %v, want no value above 0", g, back)
		}
		return nil
	})
}

func TestEquationsLinearMachine(t *testing.T) {
	// draw returns a random machine and three inputs. The last input lies between the others.
	draw := func(r *rand.Rand) (m *classify.LinearMachine, w, x *mat.Dense, share float64) {
		d := 1 + r.IntN(4)
		w, x, share = normalMatrix(r, d+1, 2+r.IntN(4)), normalMatrix(r, 3, d), r.Float64()
		between := multiple(share, x.RawRowView(0))
		floats.AddScaled(between, 1-share, x.RawRowView(1))
		x.SetRow(2, between)
		return must(classify.NewLinearMachine(w))(t), w, x, share
	}
	scores := func(r *rand.Rand) (left, right any) {
		m, w, x, _ := draw(r)
		y, best := mul(withOnes(x), w), make([]int, 3)
		for i := range best {
			best[i] = floats.MaxIdx(y.RawRowView(i))
		}
		return []any{must(m.Scores(x))(t), must(m.Predict(x))(t)}, []any{y, best}
	}
	equation.Check(t, "prml-4.9", scores)
	equation.Check(t, "alpaydin-10.8", scores)
	equation.Check(t, "part1-largest", scores)
	equation.Check(t, "prml-4.10", func(r *rand.Rand) (left, right any) {
		m, w, x, _ := draw(r)
		gap := minus(mat.Col(nil, 1, w), mat.Col(nil, 0, w))
		scores := must(m.Scores(oneRow(nearestOn(gap, x.RawRowView(0)))))(t)
		return []float64{must(must(m.Boundary(1, 0))(t).Value(x.RawRowView(0)))(t), scores.At(0, 1)},
			[]float64{affineValue(gap, x.RawRowView(0)), scores.At(0, 0)}
	})
	equation.Holds(t, "prml-4.11", func(r *rand.Rand) error {
		m, _, x, _ := draw(r)
		if class := must(m.Predict(x))(t); class[0] == class[1] && class[2] != class[0] {
			return fmt.Errorf("a point between two points of class %d has class %d, want the same class", class[0], class[2])
		}
		return nil
	})
	equation.Check(t, "prml-4.12", func(r *rand.Rand) (left, right any) {
		m, _, x, share := draw(r)
		y := must(m.Scores(x))(t)
		return y.RawRowView(2), mul(mat.NewDense(1, 2, []float64{share, 1 - share}), y.Slice(0, 2, 0, y.RawMatrix().Cols))
	})
}

// ringOfClasses returns 6 rows of each of k classes. The class means are far apart on a circle.
func ringOfClasses(r *rand.Rand) (x *mat.Dense, labels []int, k int) {
	k = 3 + r.IntN(3)
	x, labels = normalMatrix(r, 6*k, 2), make([]int, 6*k)
	for i := range labels {
		labels[i] = i % k
		sin, cos := math.Sincos(2 * math.Pi * float64(i%k) / float64(k))
		floats.Add(x.RawRowView(i), []float64{30 * cos, 30 * sin})
	}
	return x, labels, k
}

func separatingMachine(x mat.Matrix, t []float64) (classify.Scorer, error) {
	s, err := classify.Separable(x, t)
	if err != nil || !s.Separable {
		return nil, errors.Join(err, errors.New("not separable"))
	}
	return s.Plane()
}

func TestEquationsCombined(t *testing.T) {
	equation.Check(t, "alpaydin-10.6", func(r *rand.Rand) (left, right any) {
		x, labels := labelledRows(r, 3)
		m := must(classify.FitOneVersusRest(x, labels, 3, logisticMachine, classify.OneVersusRestOptions{}))(t)
		var g []float64
		for i := range 3 {
			alone := must(logisticMachine(x, mat.Col(nil, i, oneOfK(labels, 3))))(t).(*classify.Logistic)
			g = append(g, affineValue(alone.W, x.RawRowView(7)))
		}
		return must(m.Scores(x))(t).RawRowView(7), g
	})
	equation.Holds(t, "alpaydin-10.7", func(r *rand.Rand) error {
		x, labels, k := ringOfClasses(r)
		for i, s := range must(classify.SeparableFromRest(x, labels, k))(t) {
			for n, l := range labels {
				if g := affineValue(s.W, x.RawRowView(n)); (g > 0) != (l == i) {
					return fmt.Errorf("g_%d is %v at a row of class %d, want g_k above 0 exactly at the rows of class k", i, g, l)
				}
			}
		}
		return nil
	})
	equation.Holds(t, "alpaydin-10.9", func(r *rand.Rand) error {
		x, labels, k := ringOfClasses(r)
		m := must(classify.FitOneVersusOne(x, labels, k, separatingMachine, classify.OneVersusOneOptions{}))(t)
		if len(m.Pairs) != k*(k-1)/2 {
			return fmt.Errorf("got %d discriminants for %d classes, want %d, one per pair of classes", len(m.Pairs), k, k*(k-1)/2)
		}
		for _, p := range m.Pairs {
			for n, v := range firstColumn(must(p.Machine.Scores(x))(t)) {
				if l := labels[n]; l == p.First && v <= 0 || l == p.Second && v > 0 {
					return fmt.Errorf("g_%d%d is %v at a row of class %d, want a value above 0 at the rows of the first class, and at most 0 at the rows of the second class", p.First, p.Second, v, l)
				}
			}
		}
		return nil
	})
	// The check also shows that the pairs have the correct order and that each machine is fitted
	// only to the rows of its two classes.
	equation.Check(t, "alpaydin-10.10", func(r *rand.Rand) (left, right any) {
		x, labels := labelledRows(r, 4)
		m := must(classify.FitOneVersusOne(x, labels, 4, logisticMachine, classify.OneVersusOneOptions{}))(t)
		sums := make([]float64, 4)
		for i := range 4 {
			for j := range i {
				var rows, target []float64
				for n, l := range labels {
					if l == i || l == j {
						rows, target = append(rows, x.RawRowView(n)...), append(target, truth(l == j))
					}
				}
				pair := must(logisticMachine(mat.NewDense(len(target), x.RawMatrix().Cols, rows), target))(t)
				g := affineValue(pair.(*classify.Logistic).W, x.RawRowView(4))
				sums[i], sums[j] = sums[i]-g, sums[j]+g
			}
		}
		return must(m.Sums(x))(t).RawRowView(4), sums
	})
	equation.Check(t, "P38", func(r *rand.Rand) (left, right any) {
		x, labels, k := ringOfClasses(r)
		machines := func(last bool) int {
			return len(must(classify.FitOneVersusRest(x, labels, k, logisticMachine,
				classify.OneVersusRestOptions{LastIsRest: last}))(t).Machines)
		}
		return []int{machines(false), machines(true)}, []int{k, k - 1}
	})
}

// TestNotationConversions converts values from the notation of one source to the notation of another
// source, and then back. The result must equal the original value. The test also checks the targets
// ±1, and the ratio of the covariances with the divisors N and N−K.
func TestNotationConversions(t *testing.T) {
	y := []float64{0, 0.25, 0.5, 0.75, 1}
	allClose(t, "targets 0/1 and ±1", must(classify.ZeroOneTargets(must(classify.PlusMinusTargets(y))(t)))(t), y, 0)
	allClose(t, "targets ±1", must(classify.PlusMinusTargets(y))(t), []float64{-1, -0.5, 0, 0.5, 1}, 0)
	errorHas(t, errorOf(classify.ZeroOneTargets([]float64{0, 2})), "t[1] is 2")
	r := rand.New(rand.NewPCG(13, 0))
	h := must(classify.NewHyperplane(normals(r, 4)))(t)
	allClose(t, "flipped twice", h.Flip().Flip().Weights(), h.Weights(), 0)
	x, labels := labelledRows(r, 2)
	ml := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))(t)
	unbiased := must(classify.FitLDA(x, labels, 2, classify.LDAOptions{Unbiased: true}))(t)
	n := float64(len(labels)) // the divisors of the covariances are N and N−K
	allClose(t, "divisors", multiple((n-2)/n, flat(unbiased.Sigma)), flat(ml.Sigma), 1e-12)
}

// stepOf returns the value f(a) of the step function (4.53).
func stepOf(a float64) float64 { return 2*truth(a >= 0) - 1 }

// stepValues returns the values f(a) for classes: +1 for class 0 and −1 for class 1.
func stepValues(labels []int) (y []float64) {
	for _, k := range labels {
		y = append(y, 1-2*float64(k))
	}
	return y
}

// perceptronFit fits a perceptron with random start weights to random rows. For each update it
// returns the weights before and after the update, and the feature vector and the side of the row.
func perceptronFit(t *testing.T, r *rand.Rand) (rate float64, x *mat.Dense, target []float64, list []correction) {
	rate = 0.1 + r.Float64()
	x, target = overlappingRows(r, 15, 2)
	w := normals(r, 3)
	m := must(classify.FitPerceptron(x, target,
		classify.PerceptronOptions{Rate: rate, Start: w, MaxEpochs: 2, Shuffle: true, Seed: r.Uint64()}))(t)
	for _, u := range m.Updates {
		list = append(list, correction{w, u.W, append([]float64{1}, x.RawRowView(u.Row)...), 2*target[u.Row] - 1})
		w = u.W
	}
	return rate, x, target, list
}

type correction struct {
	before, after, phi []float64
	side               float64
}

// loss returns −wᵀφt, where t = ±1 is the side of the row.
func (c correction) loss(w []float64) float64 { return -floats.Dot(w, c.phi) * c.side }

// termOf returns E_n, the term of the corrected row in the criterion (4.54), at the weights w.
func (c correction) termOf(w []float64) float64 { return math.Max(0, c.loss(w)) }

func TestEquationsPerceptron(t *testing.T) {
	equation.Check(t, "prml-4.52", func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 20, 2)
		centres, y := normalMatrix(r, 3, 2), make([]float64, 20)
		m := must(classify.FitOnBasis(x, must(classify.BasisGaussian(centres, 1.5))(t),
			func(phi mat.Matrix) (*classify.Perceptron, error) {
				return classify.FitPerceptron(phi, target, classify.PerceptronOptions{Start: normals(r, 4), MaxEpochs: 3})
			}))(t)
		for n := range y {
			phi := make([]float64, 3)
			for j := range phi {
				far := floats.Distance(x.RawRowView(n), centres.RawRowView(j), 2)
				phi[j] = math.Exp(-far * far / 4.5)
			}
			y[n] = stepOf(affineValue(m.Model.W, phi))
		}
		return stepValues(must(m.Predict(x))(t)), y
	})
	// integer entries, so that some activations a are exactly 0
	equation.Check(t, "prml-4.53", func(r *rand.Rand) (left, right any) {
		w := []float64{float64(r.IntN(7) - 3), float64(r.IntN(7) - 3), 1}
		x, y := mat.NewDense(50, 2, nil), make([]float64, 50)
		x.Apply(func(_, _ int, _ float64) float64 { return float64(r.IntN(7) - 3) }, x)
		for n := range y {
			y[n] = stepOf(affineValue(w, x.RawRowView(n)))
		}
		return stepValues(must((&classify.Perceptron{W: w}).Predict(x))(t)), y
	})
	equation.Check(t, "prml-4.54", func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 5+r.IntN(20), 1+r.IntN(4))
		w, e := normals(r, x.RawMatrix().Cols+1), 0.0
		for i, v := range target {
			if a, side := affineValue(w, x.RawRowView(i)), 2*v-1; stepOf(a) != side { // the row is misclassified
				e -= a * side
			}
		}
		return must(classify.PerceptronCriterion(x, target, w))(t), e
	})
	// The step follows the negative gradient of E_n, the term of one pattern. The book prints the
	// gradient of (4.54), which sums over all misclassified patterns. E_n has a kink at wᵀφ = 0. Because
	// the finite difference must not cross this kink, the check uses only rows with E_n > 0.02.
	step := func(r *rand.Rand) (moved, termSteps, all []float64) {
		for len(moved) == 0 {
			rate, x, target, list := perceptronFit(t, r)
			criterion := func(w []float64) float64 { return must(classify.PerceptronCriterion(x, target, w))(t) }
			for _, c := range list {
				if c.loss(c.before) > 0.02 {
					moved = append(moved, minus(c.after, c.before)...)
					termSteps = append(termSteps, multiple(-rate, slopes(c.termOf, c.before))...)
					all = append(all, multiple(-rate, slopes(criterion, c.before))...)
				}
			}
		}
		return moved, termSteps, all
	}
	equation.CheckTo(t, "prml-4.55", 1e-8, func(r *rand.Rand) (left, right any) {
		moved, termSteps, _ := step(r)
		return moved, termSteps
	})
	equation.Misprint(t, "P39", func(r *rand.Rand) equation.Reading {
		moved, termSteps, all := step(r)
		return equation.Reading{True: moved, Printed: all, Right: termSteps}
	})
	equation.Check(t, "prml-4.56", func(r *rand.Rand) (left, right any) {
		var after, bound []float64
		rate, _, _, list := perceptronFit(t, r)
		for _, c := range list {
			after = append(after, c.loss(c.after))
			bound = append(bound, c.loss(c.before)-rate*floats.Dot(c.phi, c.phi))
		}
		return after, bound
	})
}

func TestErrataPerceptron(t *testing.T) {
	fit := func(x mat.Matrix, target []float64, o classify.PerceptronOptions) *classify.Perceptron {
		return must(classify.FitPerceptron(x, target, o))(t)
	}
	// A plane through the origin separates the classes.
	separable := func(r *rand.Rand) (x *mat.Dense, target []float64) {
		x, target = normalMatrix(r, 20, 2), make([]float64, 20)
		x.SetRow(1, multiple(-1, x.RawRowView(0))) // both classes must have rows
		w := normals(r, 2)
		for i := range target {
			target[i] = truth(floats.Dot(w, x.RawRowView(i)) > 0)
		}
		return x, target
	}
	equation.Holds(t, "part1-right-side", func(r *rand.Rand) error {
		x, target := separable(r)
		m := fit(x, target, classify.PerceptronOptions{MaxEpochs: 100000})
		for i, v := range target {
			if a := affineValue(m.W, x.RawRowView(i)); !(a*(2*v-1) > 0) {
				return fmt.Errorf("the activation of row %d with target %v is %v, want a value above 0 for target 1 and below 0 for target 0", i, v, a)
			}
		}
		return nil
	})
	// If the start weights are 0 or are also scaled by η, the rate η scales the weights and has no
	// other effect.
	equation.Check(t, "P28", func(r *rand.Rand) (left, right any) {
		x, target := separable(r)
		rate, start := 0.1+0.5*r.Float64(), normals(r, 3)
		run := func(rate, scale float64) []float64 {
			m := fit(x, target, classify.PerceptronOptions{Rate: rate, Start: multiple(scale, start), MaxEpochs: 50})
			return append(multiple(1/rate, m.W), float64(m.Mistakes))
		}
		return []any{run(1, 0), run(1, 1)}, []any{run(rate, 0), run(rate, rate)}
	})
	// If the weights are multiplied by a positive factor, no predicted class changes. If the factor
	// is negative, every predicted class changes.
	equation.Check(t, "P44", func(r *rand.Rand) (left, right any) {
		x, w, factor := normalMatrix(r, 10, 2), normals(r, 3), 0.1+r.Float64()
		classes := func(factor float64) []float64 {
			return stepValues(must((&classify.Perceptron{W: multiple(factor, w)}).Predict(x))(t))
		}
		return []any{classes(factor), classes(-factor)}, []any{classes(1), multiple(-1, classes(1))}
	})
	// The two points are (c+1, s) and (c−1, −s). The separating plane farthest from both points has the
	// weights (−c, 1, s). The weights with the widest margin in the space of φ are a linear combination
	// of the two vectors φ: they are proportional to (−c, 1, (1+c²)s). From any start, gradient descent
	// must approach the direction of the widest margin. A fit with a nearly flat prior must have the
	// direction of the widest margin if the prior covers the bias. If the prior leaves the bias free, the
	// fit must have the direction of the farthest plane.
	equation.Holds(t, "P50", func(r *rand.Rand) error {
		c, s := 1+r.Float64(), 0.5+r.Float64()
		x, target := mat.NewDense(2, 2, []float64{c + 1, s, c - 1, -s}), []float64{1, 0}
		widest, farthest := []float64{-c, 1, (1 + c*c) * s}, []float64{-c, 1, s} // scaled to length 1, these vectors are at least 0.27 apart
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
				return fmt.Errorf(
					"the fit with %+v has the weights %v: the distance of their direction from the direction of %v is %v, want at most 0.1",
					fit.o, w, fit.want, off)
			}
		}
		return nil
	})
	// With zero weights all patterns are on the boundary. The rule (4.53) assigns these patterns to
	// C₁, so the first misclassified pattern is the first pattern of C₂. Under the stricter rule, a
	// correct pattern must have wᵀφt > 0, so the very first pattern is misclassified.
	boundary := func(r *rand.Rand) (left, right any) {
		x, target, ones := normalMatrix(r, 10, 2), make([]float64, 10), 1+r.IntN(5)
		copy(target, fill(ones, 1))
		first := func(rule classify.MistakeRule) int {
			return fit(x, target, classify.PerceptronOptions{Rule: rule, MaxEpochs: 5}).Updates[0].Row
		}
		return []int{first(classify.MistakeStep), first(classify.MistakeStrict)}, []int{ones, 0}
	}
	equation.Check(t, "P29", boundary)
	equation.Check(t, "Q8", boundary)
	// The rows are nearly the corners of a rectangle. Opposite corners are in the same class, so no
	// plane separates the classes. The weights must stay bounded.
	equation.Holds(t, "Q9", func(r *rand.Rand) error {
		x := mat.NewDense(4, 2, []float64{0, 0, 1, 1, 0, 1, 1, 0})
		x.Apply(func(_, j int, v float64) float64 { return v*(1+float64(j)) + r.Float64()/10 }, x)
		m := fit(x, []float64{1, 1, 0, 0}, classify.PerceptronOptions{MaxEpochs: 20000})
		if m.Converged || floats.Norm(m.W, 2) > 100 {
			return fmt.Errorf("after %d corrections Converged is %v and the weights are %v, want no convergence and weights of length at most 100", m.Mistakes, m.Converged, m.W)
		}
		return nil
	})
	// The two rows of C₁ are classified correctly. A step of gradient ascent makes w longer. However,
	// the step makes the weight of the second input smaller, because this weight has the opposite sign
	// in the plane with the widest margin.
	equation.Holds(t, "A10", func(r *rand.Rand) error {
		w := []float64{1 + r.Float64(), 0.1 + 0.1*r.Float64()}
		next := slices.Clone(w)
		for _, x := range [][]float64{{2 + r.Float64(), -1 - r.Float64()}, {1.5 + r.Float64(), -0.5 - r.Float64()}} {
			a := floats.Dot(w, x)
			if floats.AddScaled(next, 1e-3*(1-logisticOf(a)), x); a <= 0 {
				return fmt.Errorf("a row has the margin %v, want a positive margin", a)
			}
		}
		if floats.Norm(next, 2) <= floats.Norm(w, 2) || math.Abs(next[1]) >= w[1] {
			return fmt.Errorf("the step changes w from %v to %v, want a longer w with a smaller second weight", w, next)
		}
		return nil
	})
}

func TestEquationsConvexHulls(t *testing.T) {
	equation.Check(t, "prml-4.156", func(r *rand.Rand) (left, right any) {
		x, target := overlappingRows(r, 30, 1+r.IntN(3))
		s := must(classify.Separable(x, target))(t)
		first, second := make([]float64, len(s.Common)), make([]float64, len(s.Common))
		for i, n := range s.RowsC1 {
			floats.AddScaled(first, s.Alpha[i], x.RawRowView(n))
		}
		for i, n := range s.RowsC2 {
			floats.AddScaled(second, s.Beta[i], x.RawRowView(n))
		}
		return []any{s.Common, s.Common, floats.Sum(s.Alpha), floats.Sum(s.Beta), truth(floats.Min(s.Alpha) >= 0),
			truth(floats.Min(s.Beta) >= 0)}, []any{first, second, 1, 1, 1, 1}
	})
	// The convex hull of points on a line is an interval. The classes are separable if and only if
	// the intervals are disjoint. For separable classes, the plane must separate the intervals.
	equation.Holds(t, "P30", func(r *rand.Rand) error {
		n := 2 + r.IntN(4)
		one, two := normals(r, n), normals(r, n)
		floats.AddConst(4*r.NormFloat64(), two)
		s := must(classify.Separable(pointsOn(slices.Concat(one, two)...), append(fill(n, 1), fill(n, 0)...)))(t)
		disjoint := floats.Max(one) < floats.Min(two) || floats.Max(two) < floats.Min(one)
		if s.Separable != disjoint {
			return fmt.Errorf("disjoint hulls: %v, Separable: %v; want the same value",
				disjoint, s.Separable)
		}
		for i := range n {
			if disjoint && (affineValue(s.W, one[i:i+1]) <= 0 || affineValue(s.W, two[i:i+1]) >= 0) {
				return fmt.Errorf("the weights %v do not separate the points %v from the points %v", s.W, one, two)
			}
		}
		return nil
	})
}
