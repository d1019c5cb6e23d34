package figures

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func init() {
	addProperties(property{
		name: "fig-prml-4.2: hatched is exactly where a scheme gives no single answer",
		// The largest g decides everywhere: nothing is hatched.
		wrong: with(PRML4x2, PRML4x2Options{Largest: true}),
		holds: func(d show.Data) error {
			kinds := map[string]bool{}
			for _, panel := range []string{"a.", "b.", "c."} {
				for i := range 41 {
					for j := range 41 {
						// Points of the plane shown, off the lines.
						x, y := inFrame(d, panel, (float64(i)+0.4711)/41.5, (float64(j)+0.2341)/41.5)
						want := answerOf(d, panel, x, y)
						if !inRegion(d, panel, want, x, y) {
							return fmt.Errorf("%s: the answer at (%v, %v) is %v; another is drawn", panel, x, y, want)
						}
						if want < 0 {
							kinds[fmt.Sprint(panel, want)] = true
						}
					}
				}
			}
			// K−1 machines: several claims only. K: several or none. Pairs: a tie.
			if len(kinds) != 4 || !kinds["a.-1"] || !kinds["b.-1"] || !kinds["b.-2"] || !kinds["c.-1"] {
				return fmt.Errorf("regions without an answer: %v", kinds)
			}
			return nil
		},
	})
}

// inFrame returns the point at the shares u and v of the plane that the regions fill.
func inFrame(d show.Data, panel string, u, v float64) (x, y float64) {
	at := func(name string, share float64) float64 {
		values, _ := d.Column(panel + name)
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, w := range values {
			lo, hi = min(lo, w), max(hi, w)
		}
		return lo + share*(hi-lo)
	}
	return at("region.x", u), at("region.y", v)
}

// answerOf counts the claims or votes of the lines of a panel for three classes:
// the class, −1 for several and −2 for none.
func answerOf(d show.Data, panel string, x, y float64) float64 {
	first, _ := d.Column(panel + "lines.i")
	second, _ := d.Column(panel + "lines.j")
	w0, _ := d.Column(panel + "lines.w0")
	w1, _ := d.Column(panel + "lines.w1")
	w2, _ := d.Column(panel + "lines.w2")
	var votes [3]int
	rest := true
	for i := range w0 {
		rest = rest && second[i] < 0
		if w0[i]+w1[i]*x+w2[i]*y > 0 {
			votes[int(first[i])]++
		} else if second[i] >= 0 {
			votes[int(second[i])]++
		}
	}
	best, most, ties := -2.0, 0, 0
	for k, n := range votes {
		switch {
		case n > most:
			best, most, ties = float64(k), n, 1
		case n == most && n > 0:
			ties++
		}
	}
	switch {
	case ties > 1:
		return -1
	case ties == 0 && rest && len(w0) == 2: // K − 1 machines: the last class is the rest
		return 2
	}
	return best
}

func TestPRML4x2Errors(t *testing.T) {
	refuses(t, PRML4x2, map[string]PRML4x2Options{
		"negative N":      {N: -1},
		"negative spread": {Spread: -1},
		"NaN spread":      {Spread: math.NaN()},
	})
}
