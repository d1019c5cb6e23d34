// Package form judges what a learner's function returned before it is judged what
// it is worth: whether it is there, has the right shape, and holds finite
// numbers. Nothing here panics, whatever came back.
package form

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Vector is the verdict on a vector that does not have n finite entries, nil for
// one that has. what names it ("w"), per says what an entry belongs to ("column
// of X1"), problem the data set, hint the hint that speaks of shapes. Keys: empty,
// wrong-length, not-finite.
func Vector(what string, v []float64, n int, per, problem string, hint int) *verify.Verdict {
	switch {
	case len(v) == 0 && n > 0:
		return learner.Fail("empty", hint, "Nothing came back for %s. It has one entry per %s.", what, per)
	case len(v) != n:
		return learner.Fail("wrong-length", hint, "For “%s” your %s has %s. It has one entry per %s, here %d.", problem, what, count(len(v), "entry", "entries"), per, n)
	default:
		if i, x, found := learner.NotFinite(v); found {
			return learner.Fail("not-finite", hint, "For “%s” entry %d of your %s is %g. Look for a division by zero, or an inverse that does not exist.", problem, i, what, x)
		}
		return nil
	}
}

// Matrix is the verdict on a matrix that is not r×c with finite entries, nil for
// one that is. shape says in letters what r×c is ("D×D"). Keys: empty,
// wrong-shape, not-finite.
func Matrix(what string, m *mat.Dense, r, c int, shape, problem string, hint int) *verify.Verdict {
	if m == nil || m.IsEmpty() {
		return learner.Fail("empty", hint, "No matrix came back for %s. It is a new %s matrix: mat.NewDense, or the receiver of a product.", what, shape)
	}
	if gr, gc := m.Dims(); gr != r || gc != c {
		return learner.Fail("wrong-shape", hint, "For “%s” your %s is a %d×%d matrix. It is %s, here %d×%d.", problem, what, gr, gc, shape, r, c)
	}
	if i, v, found := learner.NotFinite(learner.Entries(m)); found {
		return learner.Fail("not-finite", hint, "For “%s” the entry of %s in row %d, column %d is %g. Look for a division by zero, or an inverse that does not exist.", problem, what, i/c, i%c, v)
	}
	return nil
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
