package scatter

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Whitening is a matrix P with PᵀSP = I, for a scatter S = RᵀR of the scaled inputs s·x. If S is
// regular, P is R⁻¹, and PPᵀ is the inverse of S. If S is singular, the columns of P span only the
// directions in which S is positive, and PPᵀ is a pseudo-inverse of S.
type Whitening struct {
	P    *mat.Dense // D×rank
	Rank int
}

// Whiten returns the Whitening of S_W, the within-class scatter after shrinkage. It returns an error
// if S_W is 0, if S_W is singular and `pseudo` is false, or if `shrinkage` is invalid.
func (f *Fit) Whiten(shrinkage float64, pseudo bool) (*Whitening, error) {
	r, err := f.regularise(0, shrinkage)
	if err != nil {
		return nil, err
	}
	if f.sound[0] {
		return &Whitening{r.Inverse(), f.D}, nil
	}
	v := r.Spectrum()
	switch {
	case v.Rank == f.D:
		return &Whitening{r.Inverse(), f.D}, nil
	case v.Rank == 0:
		return nil, errors.New("S_W is zero: every class is a single point and has no within-class scatter; add rows to each class")
	case !pseudo:
		n, _ := f.Plan.Src.Dims()
		return nil, fmt.Errorf("S_W is singular (rank %d of %d): %s; remove columns, or set Shrinkage or PseudoInverse",
			v.Rank, f.D,
			describe(v, fmt.Sprintf("%d rows in %d classes span only %d directions", n, f.Filled, n-f.Filled),
				n-f.Filled))
	}
	p := mat.NewDense(f.D, v.Rank, nil)
	p.Apply(func(i, j int, _ float64) float64 { return v.V.At(i, j) / v.Length[i] / v.Values[j] }, p)
	return &Whitening{p, v.Rank}, nil
}

// Positive returns the factor R of the scatter with index g after shrinkage. If the scatter is
// singular, it returns an error that explains the cause. The argument `name` is for the error
// message, for example "class 2" or "all classes together (Σ)". The argument `spent` is the number
// of class means that were subtracted from the rows. Each subtracted mean reduces the dimension of
// the space that the rows span by one.
func (f *Fit) Positive(g int, name string, rows, spent int, shrinkage float64) (*linalg.Upper, error) {
	r, err := f.regularise(g, shrinkage)
	if err != nil {
		return nil, err
	}
	if f.sound[g] && r.Regular() {
		return r, nil
	}
	if v := r.Spectrum(); v.Rank < f.D {
		if v.Rank == 0 {
			return nil, fmt.Errorf("the covariance of %s is zero: every row equals the mean of its class; add rows", name)
		}
		return nil, fmt.Errorf("the covariance of %s is singular (rank %d of %d), so its Gaussian density does not exist: %s; remove columns, add rows, or set Shrinkage",
			name, v.Rank, f.D,
			describe(v, fmt.Sprintf("%d rows span only %d directions", rows, max(rows-spent, 0)), rows-spent))
	}
	return r, nil
}

// Shrinkage returns an error unless γ lies in [0,1].
func Shrinkage(gamma float64) error {
	if !(gamma >= 0 && gamma <= 1) {
		return fmt.Errorf("Shrinkage is %v: want a number in [0,1]; 0 does not shrink, 1 replaces the scatter with a multiple of the unit matrix", gamma)
	}
	return nil
}

// regularise returns the triangular factor of (1−γ)S + γ(tr S/D)·I. The factor is for scaled
// inputs, but the trace tr S and the unit matrix I are in the units of x.
func (f *Fit) regularise(g int, gamma float64) (*linalg.Upper, error) {
	if err := Shrinkage(gamma); err != nil {
		return nil, err
	}
	r := f.Root[g]
	if gamma == 0 {
		return r, nil
	}
	f.sound[g] = false
	var trace float64 // square root of the trace, because the trace itself can overflow
	for j := range f.D {
		for i := 0; i <= j; i++ {
			trace = math.Hypot(trace, r.At(i, j)/f.Scale[j])
		}
	}
	t := block.NewTriangle(f.D)
	row := make([]float64, f.D)
	for i := range f.D {
		for j := i; j < f.D; j++ {
			row[j] = r.At(i, j) * math.Sqrt(1-gamma)
		}
		t.AddRow(row)
		clear(row)
	}
	for j := range f.D {
		row[j] = f.Scale[j] * trace * math.Sqrt(gamma/float64(f.D))
		if math.IsInf(row[j], 0) {
			return nil, errors.New("the columns of x have units too different for Shrinkage: standardise them")
		}
		t.AddRow(row)
		row[j] = 0
	}
	return linalg.Leading(t, f.D), nil
}

// describe returns an explanation of why the scatter is singular: because of too few rows, or because
// of constant or dependent columns. The argument `few` is the beginning of the text about too few
// rows. The argument `room` is the largest dimension that the rows can span.
func describe(s *linalg.Spectrum, few string, room int) string {
	d := len(s.Length)
	if room < d {
		return fmt.Sprintf("%s for %d columns", few, d)
	}
	var constant, dependent []string
	for j := range d {
		switch {
		case s.Zero[j]:
			constant = append(constant, fmt.Sprint(j))
		case s.Dependent(j):
			dependent = append(dependent, fmt.Sprint(j))
		}
	}
	var out []string
	if constant != nil {
		out = append(out, "columns of x with zero within-class variance (counting from 0): "+strings.Join(constant, ", "))
	}
	if dependent != nil {
		out = append(out, "columns of x that are linearly dependent (counting from 0): "+strings.Join(dependent, ", "))
	}
	return strings.Join(out, "; ")
}
