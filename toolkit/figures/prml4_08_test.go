package figures

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func init() {
	addProperties(property{
		name: "fig-prml-4.8: more than 80 % of the characters at new places are read right, and the weights show them",
		// Four units see too little.
		wrong: with(PRML4x8, PRML4x8Options{Units: 4}),
		holds: func(d show.Data) error {
			test, train := value(d, "accuracy.test"), value(d, "accuracy.training")
			if !(test > 0.8) || train != 1 {
				return fmt.Errorf("read right: %v of the test, %v of the training pictures", test, train)
			}
			drawn, _ := d.Column("f.test, at other places.y")
			if len(drawn) == 0 || drawn[len(drawn)-1] != test || !(drawn[0] <= 0.5) {
				return fmt.Errorf("the learning curve is %v", drawn)
			}
			// The weights are lighter under the first character than under the second.
			w, _ := d.Column("e.image0")
			if len(w) != 400 {
				return fmt.Errorf("%d cells, want 20 × 20", len(w))
			}
			var under [2]float64
			for k, r := range []rune{'L', 'T'} {
				g, err := glyph(r)
				if err != nil {
					return err
				}
				ink := 0.0
				for i, v := range g.print(0, 0) {
					under[k] += v * w[i]
					ink += v
				}
				under[k] /= ink
			}
			if !(under[0] > 0 && under[1] < 0) {
				return fmt.Errorf("mean weights under the characters: %v", under)
			}
			// What the first panel shows is an L somewhere.
			seen, _ := d.Column("a.image0")
			g, _ := glyph('L')
			for dx := -3; dx <= 3; dx++ {
				for dy := -3; dy <= 3; dy++ {
					same := true
					for i, v := range g.print(dx, dy) {
						same = same && v == seen[i]
					}
					if same {
						return nil
					}
				}
			}
			return fmt.Errorf("the first panel shows no L")
		},
	})
}

func TestGlyphs(t *testing.T) {
	seen := map[dots]rune{}
	for _, r := range characters() {
		g, err := glyph(r)
		if err != nil {
			t.Errorf("%c: %v", r, err)
			continue
		}
		if other, taken := seen[g]; taken {
			t.Errorf("%c and %c are the same picture", r, other)
		}
		seen[g] = r
	}
	if len(seen) != len(glyphs) {
		t.Errorf("%d characters of %d are named", len(seen), len(glyphs))
	}
}

func TestPRML4x8Options(t *testing.T) {
	for name, o := range map[string]PRML4x8Options{
		"noise":       {Noise: 0.05},
		"one unit":    {Units: 1},
		"many wires":  {Wires: 100},
		"small shift": {Shift: 1, Letters: "OX"},
	} {
		if _, err := PRML4x8(o); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	refuses(t, PRML4x8, map[string]PRML4x8Options{
		"one letter":     {Letters: "A"},
		"equal letters":  {Letters: "AA"},
		"unknown letter": {Letters: "Aé"},
		"negative units": {Units: -1},
		"too many wires": {Wires: 101},
		"large shift":    {Shift: 4},
		"negative shift": {Shift: -1},
		"NaN noise":      {Noise: math.NaN()},
		"pure noise":     {Noise: 0.6},
	})
}

// The level of the property is no luck of one wiring.
func TestPRML4x8Seeds(t *testing.T) {
	const seeds = 8
	mean := 0.0
	for seed := range uint64(seeds) {
		fig := must(PRML4x8(PRML4x8Options{Seed: seed}))(t)
		test := value(fig.Data(), "accuracy.test")
		if !(test > 0.8) {
			t.Errorf("seed %d: %v of the test pictures are read right", seed, test)
		}
		mean += test / seeds
	}
	if !(mean > 0.9) {
		t.Errorf("on average %v of the test pictures are read right", mean)
	}
}
