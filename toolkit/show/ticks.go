package show

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// niceTicks labels four to nine multiples of 1, 2 or 5 times a power of ten,
// with a true minus sign.
type niceTicks struct{}

// Ticks implements plot.Ticker.
func (niceTicks) Ticks(lo, hi float64) []plot.Tick {
	step := niceStep(hi - lo)
	if !(step > 0) || math.IsInf(step, 0) {
		return nil
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	return multiples(lo, hi, step, decimals)
}

// multiples labels the multiples of step from lo to hi.
func multiples(lo, hi, step float64, decimals int) []plot.Tick {
	var out []plot.Tick
	first := math.Ceil(lo/step - 1e-9)
	for n := range 20 { // a limit: if rounding absorbs step, v never reaches hi
		v := (first + float64(n)) * step
		if v > hi+1e-9*step {
			break
		}
		out = append(out, plot.Tick{Value: v, Label: tickLabel(v, decimals, max(math.Abs(lo), math.Abs(hi)))})
	}
	return out
}

// niceStep returns the step, 1, 2 or 5 times a power of ten, that divides a span into
// three to eight parts.
func niceStep(span float64) float64 {
	if !(span > 0) {
		return 0
	}
	raw := span / 5
	p := math.Pow(10, math.Floor(math.Log10(raw)))
	switch f := raw / p; {
	case f < 1.5:
		return p
	case f < 3:
		return 2 * p
	case f < 7:
		return 5 * p
	}
	return 10 * p
}

// tickLabel writes v in plain digits, or as a·10ⁿ if plain digits would fill the margin.
func tickLabel(v float64, decimals int, large float64) string {
	if v == 0 {
		return "0"
	}
	if large >= 1e5 || decimals > 4 {
		s := strconv.FormatFloat(v, 'g', 6, 64)
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			f = v
		}
		mant, exp, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
		n, err := strconv.Atoi(exp)
		if err != nil {
			return s
		}
		return "$" + power(mant, n) + "$"
	}
	return minus(strconv.FormatFloat(v, 'f', decimals, 64))
}

// power writes mant × 10ⁿ as a formula.
func power(mant string, n int) string {
	e := "10^{" + minus(strconv.Itoa(n)) + "}"
	switch mant {
	case "1":
		return e
	case "-1":
		return "−" + e
	}
	return minus(mant) + "·" + e
}

func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

// exponentTicks label an axis of log10 values with powers of ten, with a mark at every
// power.
type exponentTicks struct{}

// Ticks implements plot.Ticker.
func (exponentTicks) Ticks(lo, hi float64) []plot.Tick {
	first, last := int(math.Ceil(lo)), int(math.Floor(hi))
	every := max(1, int(math.Ceil(float64(last-first)/6)))
	var out []plot.Tick
	for n := first; n <= last; n++ {
		t := plot.Tick{Value: float64(n)}
		if (last-n)%every == 0 {
			t.Label = "$" + power("1", n) + "$"
		}
		out = append(out, t)
	}
	return out
}

// countTicks labels whole numbers only.
type countTicks struct{}

// Ticks implements plot.Ticker.
func (countTicks) Ticks(lo, hi float64) []plot.Tick {
	return multiples(lo, hi, max(1, niceStep(hi-lo)), 0)
}

// shiftedLogTicks label an axis of log₁₀(1 + n) with whole numbers n.
type shiftedLogTicks struct{ last float64 }

// Ticks implements plot.Ticker.
func (s shiftedLogTicks) Ticks(_, _ float64) []plot.Tick {
	out := []plot.Tick{{Value: 0, Label: "0"}}
	for n := 1.0; n <= s.last; n *= 10 {
		out = append(out, plot.Tick{Value: math.Log10(1 + n), Label: tickLabel(n, 0, n)})
		for m := 2.0; m < 10 && m*n <= s.last; m++ {
			out = append(out, plot.Tick{Value: math.Log10(1 + m*n)})
		}
	}
	return out
}

// classTicks are names at fixed positions.
type classTicks []plot.Tick

// Ticks implements plot.Ticker.
func (t classTicks) Ticks(_, _ float64) []plot.Tick { return t }
