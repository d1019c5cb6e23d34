package figures

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// property is what a figure must show, checked on its numbers. The figure drawn
// with a wrong parameter must fail it: a check that cannot fail checks nothing.
type property struct {
	name  string                       // the figure's id, a colon, and what must hold
	draw  func() (*show.Figure, error) // nil for the figure of the catalogue
	wrong func() (*show.Figure, error)
	holds func(show.Data) error
}

// properties are those of all test files, which add theirs.
var properties []property

func addProperties(p ...property) { properties = append(properties, p...) }

// with draws the figure of these options.
func with[O any](draw func(O) (*show.Figure, error), o O) func() (*show.Figure, error) {
	return func() (*show.Figure, error) { return draw(o) }
}

// refuses checks that each of the options is an error.
func refuses[O, R any](t *testing.T, draw func(O) (R, error), bad map[string]O) {
	t.Helper()
	for name, o := range bad {
		if _, err := draw(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func init() {
	addProperties([]property{
		{
			name:  "fig-prml-4.4: outliers turn least squares by more than 15°, logistic by less than 3°",
			wrong: with(PRML4x4, PRML4x4Options{Outliers: 1, N: 500}),
			holds: func(d show.Data) error {
				ls, lg := value(d, "turn.least squares"), value(d, "turn.logistic")
				if !(ls > 15) || !(lg < 3) {
					return fmt.Errorf("least squares turns by %v°, logistic by %v°", ls, lg)
				}
				// The angles are those of the lines that are drawn.
				for _, m := range []struct {
					name string
					turn float64
				}{{"least squares", ls}, {"logistic regression", lg}} {
					if got := angle(d, "a."+m.name, "b."+m.name); math.Abs(got-m.turn) > 1e-4 {
						return fmt.Errorf("the lines of %s turn by %v°, the number says %v°", m.name, got, m.turn)
					}
				}
				return nil
			},
		},
		{
			name:  "fig-prml-4.9: equal slopes at 0, gap at most 0.018",
			wrong: with(PRML4x9, PRML4x9Options{Lambda2: 8 / math.Pi}),
			holds: func(d show.Data) error {
				s, _ := d.Column("slopes.at 0")
				if math.Abs(s[0]-s[1]) > 1e-9 {
					return fmt.Errorf("slopes %v", s)
				}
				x, _ := d.Column("a.x")
				sigma, _ := d.Column("a.σ(a)")
				phi, _ := d.Column("a.Φ(λa)")
				gap, _ := d.Column("b.σ(a) − Φ(λa)")
				largest := value(d, "gap.largest")
				// Where the densities σ(1−σ) and λφ(λa) agree again (mpmath, 30 digits): 0.0176711886 at
				// a = 2.763601. The figure finds the place on a grid of 0.003.
				if math.Abs(largest-0.0176711886) > 1e-7 || math.Abs(value(d, "gap.at")-2.763601) > 3e-3 {
					return fmt.Errorf("gap %v at %v", largest, value(d, "gap.at"))
				}
				mid := len(x) / 2
				for _, y := range [][]float64{sigma, phi} {
					if slope := (y[mid+1] - y[mid-1]) / (x[mid+1] - x[mid-1]); math.Abs(slope-0.25) > 1e-4 {
						return fmt.Errorf("a drawn curve has slope %v at 0", slope)
					}
				}
				for i := range x {
					if d := sigma[i] - phi[i]; math.Abs(d-gap[i]) > 2e-9 || math.Abs(d) > largest+1e-7 {
						return fmt.Errorf("at %v the curves differ by %v; drawn %v, largest %v", x[i], d, gap[i], largest)
					}
				}
				return nil
			},
		},
		{
			name:  "fig-alpaydin-10.5: 1/2 and slope 1/4 at 0",
			wrong: with(Alpaydin10x5, Alpaydin10x5Options{W: 2, W0: 1}),
			holds: func(d show.Data) error {
				x, _ := d.Column("x")
				y := d[1].Values
				mid := len(x) / 2
				if x[mid] != 0 || math.Abs(y[mid]-0.5) > 1e-9 {
					return fmt.Errorf("the curve is %v at %v", y[mid], x[mid])
				}
				// The central difference over ±0.05 misses the slope by h²/6 |σ‴| < 1e-4.
				if slope := (y[mid+1] - y[mid-1]) / (x[mid+1] - x[mid-1]); math.Abs(slope-0.25) > 1e-4 {
					return fmt.Errorf("the curve has slope %v at 0", slope)
				}
				if v, s := value(d, "middle.value"), value(d, "middle.slope"); v != 0.5 || s != 0.25 {
					return fmt.Errorf("the numbers say value %v and slope %v", v, s)
				}
				return nil
			},
		},
		{
			name: "fig-gambosi-sigmoid: σ(−a) = 1 − σ(a)",
			// No parameter breaks an identity: the wrong figure shows another curve.
			wrong: func() (*show.Figure, error) {
				return show.Curves(show.CurvesOptions{From: -6, To: 6},
					show.Curve{Name: `$\sigma(a)$`, F: func(a float64) float64 { return 1 / (1 + math.Exp(-a-0.5)) }},
					show.Curve{Name: `$\sigma(-a) = 1 - \sigma(a)$`, F: func(a float64) float64 { return 1 / (1 + math.Exp(a-0.5)) }})
			},
			holds: func(d show.Data) error {
				up, _ := d.Column("σ(a)")
				down, _ := d.Column("σ(−a) = 1 − σ(a)")
				for i := range up {
					mirror := len(up) - 1 - i
					if math.Abs(up[i]+down[i]-1) > 2e-9 || math.Abs(up[i]+up[mirror]-1) > 2e-9 {
						return fmt.Errorf("point %d: σ(a) = %v, σ(−a) = %v or %v", i, up[i], down[i], up[mirror])
					}
				}
				if b, a := value(d, "marked.below"), value(d, "marked.above"); math.Abs(a-b) > 1e-9 {
					return fmt.Errorf("the marked heights are %v and %v", b, a)
				}
				return nil
			},
		},
	}...)
}

// value returns the single number of a column, NaN if there is none.
func value(d show.Data, name string) float64 {
	if v, ok := d.Column(name); ok && len(v) == 1 {
		return v[0]
	}
	return math.NaN()
}

// angle returns the angle in degrees between two drawn straight lines.
func angle(d show.Data, p, q string) float64 {
	direction := func(name string) float64 {
		x, _ := d.Column(name + ".x")
		y, _ := d.Column(name + ".y")
		if len(x) != 2 {
			return math.NaN()
		}
		return math.Atan2(y[1]-y[0], x[1]-x[0]) * 180 / math.Pi
	}
	turn := math.Mod(math.Abs(direction(p)-direction(q)), 180)
	return min(turn, 180-turn)
}

func TestProperties(t *testing.T) {
	for _, p := range properties {
		t.Run(p.name, func(t *testing.T) {
			if p.draw == nil {
				id, _, _ := strings.Cut(p.name, ":")
				e := must(Find(id))(t)
				p.draw = e.Draw
			}
			fig := must(p.draw())(t)
			if err := p.holds(fig.Data()); err != nil {
				t.Error(err)
			}
			fig = must(p.wrong())(t)
			if p.holds(fig.Data()) == nil {
				t.Error("the property holds for a wrong parameter too")
			}
		})
	}
}

func TestEveryFigureHasAProperty(t *testing.T) {
	for _, e := range All() {
		if !slices.ContainsFunc(properties, func(p property) bool { return strings.HasPrefix(p.name, e.ID+":") }) {
			t.Errorf("%s has no property test", e.ID)
		}
	}
}

func TestOptionErrors(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name string
		draw func() (*show.Figure, error)
	}{
		{"4.4 negative N", with(PRML4x4, PRML4x4Options{N: -1})},
		{"4.4 negative outliers", with(PRML4x4, PRML4x4Options{Outliers: -1})},
		{"4.9 negative scale", with(PRML4x9, PRML4x9Options{Lambda2: -1})},
		{"4.9 infinite scale", with(PRML4x9, PRML4x9Options{Lambda2: inf})},
		{"4.9 NaN range", with(PRML4x9, PRML4x9Options{Range: math.NaN()})},
		{"10.5 infinite weight", with(Alpaydin10x5, Alpaydin10x5Options{W: inf})},
		{"10.5 negative range", with(Alpaydin10x5, Alpaydin10x5Options{Range: -1})},
		{"sigmoid mark outside", with(GambosiSigmoid, GambosiSigmoidOptions{A: 7})},
		{"sigmoid NaN", with(GambosiSigmoid, GambosiSigmoidOptions{A: math.NaN()})},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := c.draw(); err == nil {
				t.Error("no error")
			}
		})
	}
}

func TestParametersChangeTheFigure(t *testing.T) {
	fig := must(Alpaydin10x5(Alpaydin10x5Options{W: -4, W0: 2}))(t)
	d := fig.Data()
	if x, s := value(d, "middle.x"), value(d, "middle.slope"); x != 0.5 || s != -1 {
		t.Errorf("σ(−4x + 2) has its middle at %v with slope %v, want 0.5 and −1", x, s)
	}
	if _, err := fig.SVG(); err != nil {
		t.Error(err)
	}
}

// The figures that the catalogue marks as interactive have a chart, with the code
// for it, and no others.
func TestInteractiveFigures(t *testing.T) {
	want := []string{
		"fig-prml-4.1", "fig-prml-4.4", "fig-prml-4.6", "fig-prml-4.7", "fig-prml-4.10", "fig-prml-4.12",
		"fig-alpaydin-10.6", "fig-alpaydin-10.7", "fig-alpaydin-10.8", "fig-alpaydin-10.10", "fig-gambosi-gda", "fig-gambosi-newton",
	}
	var got []string
	for _, e := range All() {
		if e.Chart != nil {
			got = append(got, e.ID)
		}
		if (e.Chart != nil) != (e.ChartCall != "") {
			t.Errorf("%s: a chart without its code, or code without a chart", e.ID)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("interactive are %q, want %q", got, want)
	}
}

// must returns what a call returned, or ends the test with its error.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
