package verify

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// Tolerance decides whether two numbers count as equal: they do if |got−want| ≤ Abs + Rel·|want|.
type Tolerance struct {
	Abs, Rel float64
}

// String describes the tolerance, such as "1e-06 plus 1e-09 of the value".
func (t Tolerance) String() string {
	switch {
	case t.Abs == 0:
		return fmt.Sprintf("%.0e of the value", t.Rel)
	case t.Rel == 0:
		return fmt.Sprintf("%.0e", t.Abs)
	}
	return fmt.Sprintf("%.0e plus %.0e of the value", t.Abs, t.Rel)
}

// A Finding is the result of a property check.
type Finding struct {
	OK    bool
	Miss  float64 // the largest violation, ≥ 0; NaN if a value is not finite or the violation has no size
	Where string  // place of the largest violation, such as "row 2, column 1", counted from 0; "" for a scalar
	Note  string  // text about a violation that has no size, such as a matrix with the wrong number of rows
}

// Off returns a text that states the size of the violation, as a power of ten without a sign, and
// its place. If the finding has a Note, Off returns the Note. The text does not reveal the expected
// value.
func (f Finding) Off() string {
	if f.Note != "" {
		return f.Note
	}
	where := ""
	if f.Where != "" {
		where = " in " + f.Where
	}
	if math.IsNaN(f.Miss) || math.IsInf(f.Miss, 0) {
		return "not a finite number" + where
	}
	if f.Miss == 0 {
		return "off by 0" + where
	}
	return fmt.Sprintf("off by about %s%s", Magnitude(f.Miss), where)
}

// Magnitude rounds the absolute value of its argument to a power of ten and returns it as text. It
// writes powers from 0.001 to 1000 in decimals, such as 0.01 or 10, and all other powers in a form
// such as 10⁻⁷. It writes 0, NaN and infinities as they are. The text shows the size of a violation
// but does not reveal its value.
func Magnitude(size float64) string {
	n := math.Round(math.Log10(math.Abs(size)))
	switch {
	case math.IsNaN(n) || math.IsInf(n, 0):
		return fmt.Sprint(size)
	case n >= -3 && n <= 3:
		return strconv.FormatFloat(math.Pow(10, n), 'f', max(0, -int(n)), 64)
	}
	return "10" + strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
		"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").Replace(strconv.Itoa(int(n)))
}

// worseFinding returns the worse of two findings. A finding that is not OK is worse than one that
// is OK. If both are OK or both are not OK, the finding with the larger Miss is worse. For this
// comparison, the Miss of a finding with a Note and a Miss of NaN are larger than every number. If
// neither finding is worse, worseFinding returns the first one.
func worseFinding(a, b Finding) Finding {
	switch {
	case a.OK && !b.OK:
		return b
	case !a.OK && b.OK:
		return a
	case a.Note != "" || math.IsNaN(a.Miss):
		return a
	case b.Note != "" || math.IsNaN(b.Miss) || b.Miss > a.Miss:
		return b
	}
	return a
}

// failedWithNote returns a Finding that is not OK. It has a Note instead of a size.
func failedWithNote(format string, args ...any) Finding {
	return Finding{Note: fmt.Sprintf(format, args...), Miss: math.NaN()}
}

// checkLength checks that the count `got` equals the count `want`. The note about a difference
// names the counted things with the noun `one` (singular) or `many` (plural).
func checkLength(got, want int, one, many string) Finding {
	switch {
	case got == want:
		return Finding{OK: true}
	case got == 1:
		return failedWithNote("1 %s instead of %d", one, want)
	}
	return failedWithNote("%d %s instead of %d", got, many, want)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Close compares two numbers. Equal infinities are close. NaN is never close.
func Close(got, want float64, tol Tolerance) Finding {
	if got == want {
		return Finding{OK: true}
	}
	if !finite(got) || !finite(want) {
		return Finding{Miss: math.NaN()}
	}
	miss := math.Abs(got - want)
	return Finding{OK: miss <= tol.Abs+tol.Rel*math.Abs(want), Miss: miss}
}

// CloseSlice compares two vectors entry by entry. The relative tolerance is relative to the largest
// absolute entry of `want`, so that a difference is also allowed where `want` is 0.
func CloseSlice(got, want []float64, tol Tolerance) Finding {
	if f := checkLength(len(got), len(want), "entry", "entries"); !f.OK {
		return f
	}
	scale := 0.0
	for _, v := range want {
		scale = math.Max(scale, math.Abs(v))
	}
	tol = Tolerance{Abs: tol.Abs + tol.Rel*scale}
	f := Finding{OK: true}
	for i := range want {
		fi := Close(got[i], want[i], tol)
		fi.Where = fmt.Sprintf("entry %d", i)
		f = worseFinding(f, fi)
	}
	return f
}

// CloseMat compares two matrices entry by entry. The relative tolerance is relative to the largest
// absolute entry of `want`. If the matrix `got` is nil, CloseMat does not panic but returns a
// Finding that is not OK.
func CloseMat(got, want mat.Matrix, tol Tolerance) Finding {
	r, c := want.Dims()
	if f := checkShape(got, r, c); !f.OK {
		return f
	}
	tol = Tolerance{Abs: tol.Abs + tol.Rel*maxAbs(want)}
	f := Finding{OK: true}
	for i := range r {
		for j := range c {
			fi := Close(got.At(i, j), want.At(i, j), tol)
			fi.Where = fmt.Sprintf("row %d, column %d", i, j)
			f = worseFinding(f, fi)
		}
	}
	return f
}

// checkShape checks that m is not nil and is an r×c matrix.
func checkShape(m mat.Matrix, r, c int) Finding {
	if check.Nil(m) {
		return failedWithNote("nil instead of a %d×%d matrix", r, c)
	}
	if gr, gc := m.Dims(); gr != r || gc != c {
		return failedWithNote("a %d×%d matrix instead of %d×%d", gr, gc, r, c)
	}
	return Finding{OK: true}
}

func maxAbs(m mat.Matrix) float64 {
	r, c := m.Dims()
	scale := 0.0
	for i := range r {
		for j := range c {
			scale = math.Max(scale, math.Abs(m.At(i, j)))
		}
	}
	return scale
}
