package ex06

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func problems(n uint64) []instance.Clouds { return instance.TwoClasses(instance.Source(406, n)) }

// counts returns N1, N2 and N.
func counts(c instance.Clouds) (n1, n2, n float64) {
	a, b, _ := c.Dims()
	return float64(a), float64(b), float64(a + b)
}

// targets are t1 for the points of class 1 and t2 for those of class 2, N×1.
func targets(c instance.Clouds, t1, t2 float64) *mat.Dense {
	n1, n2, _ := c.Dims()
	t := mat.NewDense(n1+n2, 1, nil)
	for i := range n1 + n2 {
		t.Set(i, 0, t1)
		if i >= n1 {
			t.Set(i, 0, t2)
		}
	}
	return t
}

// coded are the targets of section 4.1.5, N/N1 and −N/N2.
func coded(c instance.Clouds) *mat.Dense {
	n1, n2, n := counts(c)
	return targets(c, n/n1, -n/n2)
}

// direct solves the least-squares problem with these targets by itself, with
// nothing of (4.37) in it, and returns (w0, w).
func direct(c instance.Clouds, t *mat.Dense) []float64 {
	return mat.Col(nil, 0, instance.LeastSquares(c.All(), t))
}

// total is S_T, the scatter of all points about their common mean.
func total(c instance.Clouds) *mat.Dense {
	all := c.All()
	return mat.DenseCopyOf(instance.Scatter(all, instance.Mean(all)))
}

// rightHand is N(m1 − m2).
func rightHand(c instance.Clouds) []float64 {
	_, _, n := counts(c)
	m1, m2 := c.Means()
	v := instance.Minus(m1, m2)
	floats.Scale(n, v)
	return v
}

// times is M·v.
func times(m *mat.Dense, v []float64) []float64 {
	var out mat.VecDense
	out.MulVec(m, mat.NewVecDense(len(v), v))
	return out.RawVector().Data
}

// askMatrix calls the learner's NormalMatrix with copies and returns a copy of its
// answer, with a verdict instead where that is not D×D or an argument was changed.
func askMatrix(normalMatrix matrixFunc, c instance.Clouds) (*mat.Dense, *verify.Verdict) {
	var in learner.Inputs
	m := normalMatrix(in.Dense("X1", c.X1), in.Dense("X2", c.X2))
	if bad := in.Changed(3); bad != nil {
		return nil, bad
	}
	_, _, d := c.Dims()
	if m != nil {
		if r, k := m.Dims(); r == d+1 && k == d+1 {
			return nil, learner.Fail("bias-inside", 2, "Your M has D+1 rows: the normal equations of w and w0 together. In (4.37) the bias has been eliminated by (4.34), and a D×D matrix is left.")
		}
	}
	if bad := form.Matrix("M", m, d, d, "D×D", c.Name, 3); bad != nil {
		return nil, bad
	}
	return mat.DenseCopyOf(m), nil
}

// askFit is askMatrix for Fit.
func askFit(fit fitFunc, c instance.Clouds) (w []float64, w0 float64, bad *verify.Verdict) {
	var in learner.Inputs
	w, w0 = fit(in.Dense("X1", c.X1), in.Dense("X2", c.X2))
	w = append([]float64(nil), w...)
	if bad := in.Changed(3); bad != nil {
		return nil, 0, bad
	}
	_, _, d := c.Dims()
	if bad := form.Vector("w", w, d, "column of X1 and X2", c.Name, 3); bad != nil {
		return nil, 0, bad
	}
	if _, v, found := learner.NotFinite([]float64{w0}); found {
		return nil, 0, learner.Fail("not-finite", 3, "For “%s” your w0 is %g.", c.Name, v)
	}
	return w, w0, nil
}
