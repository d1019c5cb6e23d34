package classify_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
)

// What the two sets of notes have and the book has not, by a number of its own.

func TestEquationsNotesBayes(t *testing.T) {
	equation.CheckTo(t, "brief-other-class", 1e-8, func(r *rand.Rand) (left, right any) { // two Newton runs
		x, target := overlapping(r, 40, 2)
		other := make([]float64, len(target))
		for i, v := range target {
			other[i] = 1 - v
		}
		o := classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.1 + r.Float64()}}
		p := must(must(classify.FitBayesLogistic(x, target, o))(t).Posterior(x))(t)
		q := must(must(classify.FitBayesLogistic(x, other, o))(t).Posterior(x))(t)
		rest := make([]float64, len(target))
		for i := range rest {
			rest[i] = 1 - p.At(i, 0)
		}
		return []any{p.ColView(1), q.ColView(0)}, []any{rest, rest}
	})
	// Narrow Gaussians for δ: no more of their mass than 1, all at 0.
	equation.CheckTo(t, "brief-delta", 1e-8, func(r *rand.Rand) (left, right any) { // width 1e-5
		at := r.NormFloat64()
		return []float64{classify.ConvolveSigmoid(at, 1e-10), classify.ConvolveProbit(1, at, 1e-10)},
			[]float64{logisticOf(at), math.Erfc(-at/math.Sqrt2) / 2}
	})
}

func TestEquationsNotesPlanes(t *testing.T) {
	equation.Check(t, "part1-orthogonal", func(r *rand.Rand) (left, right any) {
		h := must(classify.NewHyperplane(normals(r, 3+r.IntN(4))))(t)
		a, b := must(h.Project(normals(r, len(h.W))))(t), must(h.Project(normals(r, len(h.W))))(t)
		size := floats.Distance(a, b, 2)
		return []float64{size + floats.Dot(h.W, a) - floats.Dot(h.W, b)}, size
	})
	equation.Check(t, "part1-foot-product", func(r *rand.Rand) (left, right any) {
		w := normals(r, 3+r.IntN(4))
		h, x := must(classify.NewHyperplane(w))(t), normals(r, len(w)-1)
		long := floats.Norm(w[1:], 2)
		return must(h.Distance(x))(t) * floats.Dot(w[1:], w[1:]) / long, floats.Dot(w[1:], x) - floats.Dot(w[1:], nearestOn(w, x))
	})
	equation.Check(t, "part1-largest", func(r *rand.Rand) (left, right any) {
		w, x := normalMatrix(r, 4, 3+r.IntN(3)), normalMatrix(r, 30, 3)
		var best []int
		for i := range 30 {
			_, k := w.Dims()
			y := make([]float64, k)
			for j := range y {
				y[j] = affineValue(mat.Col(nil, j, w), x.RawRowView(i))
			}
			best = append(best, slices.Index(y, slices.Max(y)))
		}
		return must(must(classify.NewLinearMachine(w))(t).Predict(x))(t), best
	})
}

func TestEquationsNotesFrobenius(t *testing.T) {
	equation.Check(t, "part1-frobenius", func(r *rand.Rand) (left, right any) {
		x, targets := normalMatrix(r, 20, 3), normalMatrix(r, 20, 2+r.IntN(3))
		m := must(classify.FitLeastSquaresTargets(x, targets, classify.LeastSquaresOptions{}))(t)
		var off mat.Dense
		off.Mul(withOnes(x), m.W)
		off.Sub(&off, targets)
		var square mat.Dense
		square.Mul(off.T(), &off)
		sum, norm := 0.0, mat.Norm(&off, 2)
		for _, v := range off.RawMatrix().Data {
			sum += v * v / 2
		}
		return []float64{m.SumSquare, m.SumSquare, m.SumSquare}, []float64{sum, mat.Trace(&square) / 2, norm * norm / 2}
	})
}

// A factored has the QR factors of the inputs of exercise 4.2, the first entry of R
// positive, and an input x̃ that is not among them.
type factored struct {
	x, q, r, inverse *mat.Dense
	at               []float64
	root             float64 // √N
}

func newFactored(t *testing.T, r *rand.Rand) (f factored) {
	d := 1 + r.IntN(4)
	n := d + 2 + r.IntN(20)
	f.x = withOnes(normalMatrix(r, n, d))
	f.at, f.root = append([]float64{1}, normals(r, d)...), math.Sqrt(float64(n))
	var qr mat.QR
	qr.Factorize(f.x)
	var q, upper mat.Dense
	qr.QTo(&q)
	qr.RTo(&upper)
	f.q, f.r = mat.DenseCopyOf(q.Slice(0, n, 0, d+1)), mat.DenseCopyOf(upper.Slice(0, d+1, 0, d+1))
	if f.r.At(0, 0) < 0 { // both signs are factors
		f.q.Scale(-1, f.q)
		f.r.Scale(-1, f.r)
	}
	f.inverse = new(mat.Dense)
	if err := f.inverse.Inverse(f.r); err != nil {
		t.Fatal(err)
	}
	return f
}

// hat is 1ᵀX̃(X̃ᵀX̃)⁻¹x̃, by the normal equations.
func (f factored) hat(t *testing.T) float64 {
	var gram mat.Dense
	var solution, row mat.VecDense
	gram.Mul(f.x.T(), f.x)
	if err := solution.SolveVec(&gram, mat.NewVecDense(len(f.at), f.at)); err != nil {
		t.Fatal(err)
	}
	row.MulVec(f.x, &solution)
	return mat.Sum(&row)
}

// column is √N·x̃ᵀ(R⁻¹)_{:,1}.
func (f factored) column() float64 { return f.root * floats.Dot(f.at, mat.Col(nil, 0, f.inverse)) }

// product is 1ᵀQR⁻ᵀx̃.
func (f factored) product() float64 {
	var v, row mat.VecDense
	v.MulVec(f.inverse.T(), mat.NewVecDense(len(f.at), f.at))
	row.MulVec(f.q, &v)
	return mat.Sum(&row)
}

func TestEquationsNotesConstraint(t *testing.T) {
	// Inputs without a column of ones: there the bracket is not zero.
	equation.Check(t, "part1-constraint-left", func(r *rand.Rand) (left, right any) {
		f := newFactored(t, r)
		n, _ := f.x.Dims()
		for i := range n {
			f.x.Set(i, 0, r.NormFloat64())
		}
		a, b, targets := normals(r, 3), r.NormFloat64(), normalMatrix(r, n, 3)
		for i := range n {
			row := targets.RawRowView(i)
			row[2] = -(b + floats.Dot(a[:2], row[:2])) / a[2]
		}
		var w mat.Dense
		w.Mul(pseudoInverseOf(f.x), targets)
		y := make([]float64, 3)
		for k := range y {
			y[k] = floats.Dot(mat.Col(nil, k, &w), f.at)
		}
		return floats.Dot(a, y) + b, b * (1 - f.hat(t))
	})
	equation.Check(t, "part1-qr", func(r *rand.Rand) (left, right any) {
		f := newFactored(t, r)
		var product, unit mat.Dense
		product.Mul(f.q, f.r)
		unit.Mul(f.q.T(), f.q)
		_, d := f.x.Dims()
		return []any{f.x, &unit}, []any{&product, mat.NewDiagDense(d, slices.Repeat([]float64{1}, d))}
	})
	equation.Check(t, "part1-qr-first-columns", func(r *rand.Rand) (left, right any) {
		f := newFactored(t, r)
		n, d := f.x.Dims()
		first := make([]float64, d)
		first[0] = f.root
		return []any{f.q.ColView(0), f.r.ColView(0)}, []any{slices.Repeat([]float64{1 / f.root}, n), first}
	})
	equation.Check(t, "part1-qr-hat", func(r *rand.Rand) (left, right any) {
		f := newFactored(t, r)
		for i := range f.at { // 1 for every input with the constant: so without it
			f.at[i] = r.NormFloat64()
		}
		return f.hat(t), f.product()
	})
	equation.Check(t, "part1-qr-column", func(r *rand.Rand) (left, right any) {
		f := newFactored(t, r)
		f.at[0] = r.NormFloat64()
		return f.product(), f.column()
	})
	equation.Check(t, "part1-inverse-column", func(r *rand.Rand) (left, right any) {
		f := newFactored(t, r)
		column := mat.Col(nil, 0, f.inverse)
		n, d := f.x.Dims()
		first := make([]float64, d)
		first[0] = 1 / f.root
		return []any{column, floats.Dot(column, column)}, []any{first, 1 / float64(n)}
	})
	equation.Check(t, "part1-qr-one", func(r *rand.Rand) (left, right any) {
		f := newFactored(t, r)
		by := r.NormFloat64() // of a multiple of x̃, the multiple
		floats.Scale(by, f.at)
		return f.column(), by
	})
}
