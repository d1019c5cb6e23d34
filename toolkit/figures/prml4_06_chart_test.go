package figures

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// criterion returns J(w) = wᵀS_B w / wᵀS_W w, PRML (4.26), and its maximum, from
// matrices that are summed here, (4.27) and (4.28).
func criterion(l *elongated) (j func(degrees float64) float64, most float64) {
	var m [2][2]float64
	n := [2]float64{}
	for i, k := range l.Labels {
		n[k]++
		m[k][0] += l.X.At(i, 0)
		m[k][1] += l.X.At(i, 1)
	}
	for k := range m {
		m[k][0], m[k][1] = m[k][0]/n[k], m[k][1]/n[k]
	}
	within := mat.NewDense(2, 2, nil)
	for i, k := range l.Labels {
		d := mat.NewVecDense(2, []float64{l.X.At(i, 0) - m[k][0], l.X.At(i, 1) - m[k][1]})
		within.RankOne(within, 1, d, d)
	}
	gap := mat.NewVecDense(2, []float64{m[1][0] - m[0][0], m[1][1] - m[0][1]})
	between := mat.NewDense(2, 2, nil)
	between.RankOne(between, 1, gap, gap)
	j = func(degrees float64) float64 {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		w := mat.NewVecDense(2, []float64{cos, sin})
		return mat.Inner(w, between, w) / mat.Inner(w, within, w)
	}
	var best mat.VecDense
	if err := best.SolveVec(within, gap); err != nil { // (4.30)
		return j, math.NaN()
	}
	return j, mat.Dot(gap, &best)
}

// rotated says whether J of every position is (4.26) there, is the largest at
// Fisher's, and the means lie farthest apart on their line.
func rotated(l *elongated, all []heading) error {
	j, most := criterion(l)
	largest, farthest := heading{}, heading{}
	highest, widest := 0.0, 0.0
	for _, h := range all {
		fig, err := l.projected(h, 30)
		if err != nil {
			return err
		}
		d := fig.Data()
		got := value(d, "direction.fisher")
		if want := j(h.degrees); !(math.Abs(got-want) < 1e-7) || value(d, "degrees") != tidy9(h.degrees) {
			return fmt.Errorf("%s: J is %v, want %v", h.label(), got, want)
		}
		y, _ := d.Column("direction.y")
		class, _ := d.Column("direction.class")
		if own := fisherOf(y, class); !(math.Abs(own-got) < 1e-7) {
			return fmt.Errorf("%s: J of the projected points is %v, the number says %v", h.label(), own, got)
		}
		if got > highest {
			highest, largest = got, h
		}
		if g := gapOf(y, class); g > widest {
			widest, farthest = g, h
		}
	}
	if largest.name != fisherHeading || math.Abs(highest-most) > 1e-7 {
		return fmt.Errorf("J is largest at %s, %v; the maximum is %v", largest.label(), highest, most)
	}
	if farthest.name != meansHeading {
		return fmt.Errorf("the means are farthest apart at %s", farthest.label())
	}
	return nil
}

// tidy9 rounds as the numbers of figures are rounded.
func tidy9(v float64) float64 {
	var out float64
	fmt.Sscanf(fmt.Sprintf("%.8e", v), "%g", &out)
	return out
}

func TestPRML4x6ChartEveryDirection(t *testing.T) {
	o := PRML4x6Options{}.filled()
	l := must(newElongated(o))(t)
	all := l.headings()
	if err := rotated(l, all); err != nil {
		t.Error(err)
	}
	if all[0].degrees != 0 || all[len(all)-1].degrees != 180 || len(all) != 39 {
		t.Errorf("%d positions from %v to %v", len(all), all[0], all[len(all)-1])
	}
	// The property can fail: with each of the two names at another angle.
	for _, name := range []string{fisherHeading, meansHeading} {
		wrong := slices.Clone(all)
		i := slices.IndexFunc(wrong, func(h heading) bool { return h.name == name })
		wrong[i].degrees -= 20
		if rotated(l, wrong) == nil {
			t.Errorf("the property holds with %s turned by 20°", name)
		}
	}
	// The page says J where it is.
	c := must(PRML4x6Chart(PRML4x6Options{}))(t)
	frames, _ := pageOf(t, c)
	j, most := criterion(l)
	for i, h := range all {
		if title := fmt.Sprintf("J = %.3f (largest: %.3f)", j(h.degrees), most); !frames[i].says(title) || !frames[i].says(h.label()) {
			t.Errorf("%s: the page says %q, want %q", h.label(), frames[i].titles, title)
		}
	}
}

func TestPRML4x6ChartErrors(t *testing.T) {
	for name, o := range map[string]PRML4x6Options{"negative N": {N: -1}, "NaN elongation": {Elongation: math.NaN()}, "too many bins": {Bins: 1e6}} {
		if _, err := PRML4x6Chart(o); err == nil || !strings.HasPrefix(err.Error(), "figures: PRML 4.6: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
