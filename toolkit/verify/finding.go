package verify

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Tolerance says when two numbers count as equal: |got−want| ≤ Abs + Rel·|want|.
type Tolerance struct {
	Abs, Rel float64
}

// String states the tolerance.
func (t Tolerance) String() string {
	switch {
	case t.Abs == 0:
		return fmt.Sprintf("%.0e of the value", t.Rel)
	case t.Rel == 0:
		return fmt.Sprintf("%.0e", t.Abs)
	}
	return fmt.Sprintf("%.0e plus %.0e of the value", t.Abs, t.Rel)
}

// Finding is what a property check found.
type Finding struct {
	OK    bool
	Miss  float64 // the largest violation, ≥ 0; NaN where a value is no finite number
	Where string  // where it is largest, such as "row 2, column 1"; "" for a scalar
	Note  string  // what is wrong if no distance describes it, such as "a 3×2 matrix where 2×3 belongs"
}

// Off describes the miss without giving the expected value away: its unsigned order of magnitude
// and its place.
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
		return "no miss" + where
	}
	return fmt.Sprintf("off by about %s%s", Magnitude(f.Miss), where)
}

// Magnitude writes the order of magnitude of a size as a power of ten: 0.01, 10, and 10⁻⁷ beyond a
// thousand either way. It shows how large a miss is without giving the value away.
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

// worst keeps the first finding that is not OK with the largest miss; a NaN miss
// and a Note outrank every number.
func worst(a, b Finding) Finding {
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

// wrong returns a failed Finding with a note instead of a distance.
func wrong(format string, args ...any) Finding {
	return Finding{Note: fmt.Sprintf(format, args...), Miss: math.NaN()}
}

// length checks that got equals want.
func length(got, want int, one, many string) Finding {
	switch {
	case got == want:
		return Finding{OK: true}
	case got == 1:
		return wrong("1 %s where %d belong", one, want)
	}
	return wrong("%d %s where %d belong", got, many, want)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
