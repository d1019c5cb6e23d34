package figures

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// perceptron is the algorithm of PRML 4.1.7 once more, without the toolkit: the
// weights at the start and after each correction (4.55), and the rows corrected.
func perceptron(c *corrections, rate float64) (weights [][3]float64, rows []int) {
	w := [3]float64(c.weights[0])
	weights = append(weights, w)
	for clean := 0; clean < c.data.N() && len(rows) < 1000; {
		for n, label := range c.data.Labels {
			x, y, t := c.data.X.At(n, 0), c.data.X.At(n, 1), float64(1-2*label)
			if f := w[0] + w[1]*x + w[2]*y; (f >= 0) == (t > 0) { // (4.53)
				if clean++; clean == c.data.N() {
					break
				}
				continue
			}
			clean = 0
			w = [3]float64{w[0] + rate*t, w[1] + rate*t*x, w[2] + rate*t*y}
			weights, rows = append(weights, w), append(rows, n)
		}
	}
	return weights, rows
}

// stepped says whether step n is the algorithm after n corrections, with the next
// one marked, and the last has no mistake.
func stepped(c *corrections, rate float64) error {
	weights, rows := perceptron(c, rate)
	if len(weights) != len(c.weights) {
		return fmt.Errorf("%d weights, want %d", len(c.weights), len(weights))
	}
	for n, want := range weights {
		fig, err := c.step(n)
		if err != nil {
			return err
		}
		d := fig.Data()
		w, _ := d.Column("w")
		for j := range want {
			if !(math.Abs(w[j]-want[j]) < 1e-7) {
				return fmt.Errorf("after %d corrections the weights are %v, want %v", n, w, want)
			}
		}
		wrong := 0.0
		for i, label := range c.data.Labels {
			if (want[0]+want[1]*c.data.X.At(i, 0)+want[2]*c.data.X.At(i, 1) >= 0) != (label == 0) {
				wrong++
			}
		}
		if got := value(d, "mistakes"); got != wrong {
			return fmt.Errorf("after %d corrections there are %v mistakes, want %v", n, got, wrong)
		}
		x, marked := d.Column("square: the mistake to correct.x")
		y, _ := d.Column("square: the mistake to correct.y")
		switch {
		case n == len(rows):
			if marked || wrong != 0 {
				return fmt.Errorf("the last step has %v mistakes, one marked: %v", wrong, marked)
			}
		case !marked || math.Abs(x[0]-c.data.X.At(rows[n], 0)) > 1e-7 || math.Abs(y[0]-c.data.X.At(rows[n], 1)) > 1e-7:
			return fmt.Errorf("after %d corrections (%v, %v) is marked, the next mistake is row %d", n, x, y, rows[n])
		}
	}
	return nil
}

func TestPRML4x7ChartEveryStep(t *testing.T) {
	for _, o := range []PRML4x7Options{{}, {N: 60, Rate: 0.02, Angle: 300}} {
		c := must(newCorrections(o.filled()))(t)
		if err := stepped(c, c.rate); err != nil {
			t.Error(err)
		}
		if stepped(c, 1.1*c.rate) == nil {
			t.Error("the property holds for another rate")
		}
		chart := must(PRML4x7Chart(o))(t)
		frames, _ := pageOf(t, chart)
		if len(frames) != len(c.weights) {
			t.Fatalf("%d frames for %d weights", len(frames), len(c.weights))
		}
		for n := range frames {
			if title := stage(n, c.wrong[n]); !frames[n].says(title) {
				t.Errorf("step %d: the page says %q, want %q", n, frames[n].titles, title)
			}
		}
	}
}

// tellsAStory is the criterion by which the seed of figure 4.7 was chosen.
func tellsAStory(c *corrections) bool {
	if len(c.updates) != 3 {
		return false
	}
	for i, w := range c.weights[1:] {
		before := c.weights[i]
		turned := math.Remainder(math.Atan2(w[2], w[1])-math.Atan2(before[2], before[1]), 2*math.Pi)
		if c.wrong[i+1] >= c.wrong[i] || math.Abs(turned)*180/math.Pi <= 20 {
			return false
		}
	}
	return true
}

func TestPRML4x7Seed(t *testing.T) {
	for seed := uint64(1); seed <= seed4x7; seed++ {
		c := must(newCorrections(PRML4x7Options{Seed: seed}.filled()))(t)
		if got, want := tellsAStory(c), seed == seed4x7; got != want {
			t.Errorf("seed %d: %v, want %v", seed, got, want)
		}
	}
}

func TestPRML4x7ChartErrors(t *testing.T) {
	for name, c := range map[string]struct {
		o    PRML4x7Options
		says string
	}{
		"negative steps":       {PRML4x7Options{Steps: -1}, "-1"},
		"too many corrections": {PRML4x7Options{N: 60, Rate: 0.001, Angle: 225}, "Steps"},
	} {
		if _, err := PRML4x7Chart(c.o); err == nil || !strings.HasPrefix(err.Error(), "figures: PRML 4.7: ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := PRML4x7Chart(PRML4x7Options{N: 60, Rate: 0.001, Angle: 225, Steps: 5}); err != nil {
		t.Errorf("with Steps: %v", err)
	}
}
