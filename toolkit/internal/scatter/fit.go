package scatter

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Fit contains class means and scatter matrices.
type Fit struct {
	Plan   *Plan
	D, K   int
	Rows   []int     // number of rows of each class
	Counts []float64 // N_k: sum of the weights of the rows of class k
	N      float64   // Σ_k N_k
	Filled int       // number of classes that have rows
	Scale  []float64
	Mean   []float64  // m
	Means  *mat.Dense // m_k, K×D
	// scaled differences s·(m_k − m) of the class means m_k from the mean m: K vectors of length D
	Delta [][]float64
	Root  []*linalg.Upper // factors R, where RᵀR is the scatter of s·x: one R for S_W, or one R for each class
	sound []bool          // whether each R in `Root` was found to be well conditioned
	about *mat.Dense      // the class means m_k minus the origin of the inputs
}

// ErrRange is the error that is returned if a class mean of x overflows, or if the scatter of x
// overflows or underflows.
var ErrRange = errors.New("the squares of x leave the range of float64: choose other units for x")

// Of computes the class means and the scatter of labelled rows. If `own` is true, it computes a
// separate scatter for each class.
func Of(in *check.Data, own bool) (f *Fit, err error) {
	err = InScale(func() error {
		f = NewFit(in, own)
		shift, centre := f.Plan.Shifts()
		var sum [][]float64
		if sum, f.Root, f.sound, err = f.Plan.roots(shift); err != nil {
			return err
		}
		return f.Place(in.Cols, centre, shift, sum)
	})
	return f, err
}

// NewFit returns a fit with its counts and its scale, but without means or scatters.
func NewFit(in *check.Data, own bool) *Fit {
	_, d := in.Src.Dims()
	scale := scaleOf(in)
	p := &Plan{Data: in, k: in.K, d: d, rows: in.Rows, counts: in.Counts(), scale: scale, own: own}
	return &Fit{
		Plan: p, D: d, K: in.K, Rows: in.Rows, Counts: p.counts, N: in.Src.Total(), Scale: scale,
		Mean: make([]float64, d), Means: mat.NewDense(in.K, d, nil), Delta: make([][]float64, in.K),
	}
}

// Place computes the class means from the sums Σ s·(x − c_k). It computes Delta from the
// differences between the class means and cols.Mean, the mean of all rows. If the data are far from
// the origin, these differences keep digits that the class means themselves lose.
func (f *Fit) Place(cols *block.Columns, centre, shift, sum [][]float64) error {
	inner := make([]float64, f.D)
	for c, n := range f.Counts {
		f.Delta[c] = make([]float64, f.D)
		if n == 0 {
			continue
		}
		f.Filled++
		for j, v := range sum[c] {
			e := v / n
			f.Means.Set(c, j, centre[c][j]+e/f.Scale[j])
			f.Delta[c][j] = (shift[c][j] - cols.Mean[j]*f.Scale[j]) + e
			inner[j] += f.Delta[c][j] * (n / f.N)
		}
	}
	for j, v := range inner {
		f.Mean[j] = cols.Mean[j] + v/f.Scale[j]
	}
	for c, n := range f.Counts {
		if n == 0 {
			f.Means.SetRow(c, f.Mean)
			continue
		}
		for j, v := range inner {
			f.Delta[c][j] -= v
		}
	}
	f.about = f.Means
	if origin := f.Plan.Origin; origin != nil {
		f.about = mat.DenseCopyOf(f.Means)
		AddTo(f.Mean, origin)
		for c := range f.K {
			AddTo(f.Means.RawRowView(c), origin)
		}
	}
	if !AllFinite(f.Mean) || !AllFinite(f.Means.RawMatrix().Data) {
		return ErrRange
	}
	return nil
}

// Sym converts RᵀR from scaled inputs to the units of x, and returns it multiplied by `factor`.
func (f *Fit) Sym(r *linalg.Upper, factor float64) (*mat.SymDense, error) {
	s := mat.NewSymDense(f.D, nil)
	for i := range f.D {
		for j := i; j < f.D; j++ {
			var v float64
			for l := 0; l <= i; l++ {
				v += r.At(l, i) * r.At(l, j)
			}
			u := v * factor / f.Scale[i] / f.Scale[j]
			if math.IsInf(u, 0) || math.IsNaN(u) || (i == j && v > 0 && u == 0) {
				return nil, ErrRange
			}
			s.SetSym(i, j, u)
		}
	}
	return s, nil
}

// ProjectedScatter returns s_k² = Σ W_n(wᵀ(x_n − m_k))² for each of two classes, where W_n is the
// weight of row n. It computes the sums from scaled inputs minus their class means, so that offsets
// and units cost no digits.
//
// Equations: PRML (4.24).
func (f *Fit) ProjectedScatter(w []float64) [2]float64 {
	inner := make([]float64, f.D)
	for j, s := range f.Scale {
		inner[j] = w[j] / s
	}
	shift := make([][]float64, f.K)
	for k := range shift {
		for j, v := range f.about.RawRowView(k) {
			shift[k] = append(shift[k], v*f.Scale[j])
		}
	}
	s := block.Reduce(block.NewDesign(f.Plan.Src, nil, nil), 0,
		func() *[2]float64 { return &[2]float64{} },
		func(int) func(*[2]float64, *block.Block) {
			return func(s *[2]float64, b *block.Block) {
				for r, k := range f.Plan.At(b.Lo, b.Lo+b.N) {
					z := b.Row(r)[1:]
					shiftBy(z, f.Scale, shift[k])
					y := linalg.Dot(inner, z)
					s[k] += b.W.At(r) * y * y
				}
			}
		}, func(dst, src *[2]float64) { dst[0] += src[0]; dst[1] += src[1] })
	return *s
}

// CovarianceRoot returns the triangular factor of the covariance RᵀR/ν, converted from scaled
// inputs to the units of x.
func (f *Fit) CovarianceRoot(r *linalg.Upper, nu float64) *linalg.Upper {
	return linalg.UpperOf(f.D, func(i, j int) float64 { return r.At(i, j) / math.Sqrt(nu) / f.Scale[j] })
}

// GaussianLikelihood returns Σ_n ln N(x_n|μ, Σ) = −½{n·D·ln 2π + n·ln|Σ| + tr(Σ⁻¹S)} for n rows
// with the scatter S. The argument r is the triangular factor of the scatter of the scaled inputs,
// and `root` is the factor of Σ. If `shrunk` is false, Σ = S/ν and the trace is ν·D. Otherwise the
// trace is ‖R·root⁻¹‖², where R is r in the units of x.
func (f *Fit) GaussianLikelihood(root, r *linalg.Upper, nu, n float64, shrunk bool) float64 {
	trace := nu * float64(f.D)
	if shrunk {
		trace = 0
		row := make([]float64, f.D)
		for i := range f.D {
			clear(row)
			for j := i; j < f.D; j++ {
				row[j] = r.At(i, j) / f.Scale[j]
			}
			u := root.SolveT(row)
			trace += linalg.Dot(u, u)
		}
	}
	return -(n*(float64(f.D)*kernels.Log2Pi+root.LogDet()) + trace) / 2
}
