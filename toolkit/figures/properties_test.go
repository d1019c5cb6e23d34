package figures

import (
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
	holds func(show.Data)
}

// with draws the figure of these options.
func with[O any](draw func(O) (*show.Figure, error), o O) func() (*show.Figure, error) {
	return func() (*show.Figure, error) { return draw(o) }
}

var properties = slices.Concat(linearProperties, discriminantProperties, curveProperties, generativeProperties,
	lineProperties, descentProperties, newtonProperties)

func TestProperties(t *testing.T) {
	for _, p := range properties {
		t.Run(p.name, func(t *testing.T) {
			if p.draw == nil {
				id, _, _ := strings.Cut(p.name, ":")
				p.draw = must(Find(id))(t).Draw
			}
			right, wrong := must(p.draw())(t).Data(), must(p.wrong())(t).Data()
			if err := failing(func() { p.holds(right) }); err != nil {
				t.Error(err)
			}
			if failing(func() { p.holds(wrong) }) == nil {
				t.Error("the property holds for a wrong parameter too")
			}
		})
	}
}

func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range All() {
		if !strings.HasPrefix(e.ID, "fig-") || seen[e.ID] {
			t.Errorf("id %q is malformed or taken", e.ID)
		}
		seen[e.ID] = true
		if e.Title == "" || e.Source == "" || e.LookFor == "" || !strings.HasPrefix(e.Call, "figures.") {
			t.Errorf("%s: %+v", e.ID, e)
		}
		if !slices.ContainsFunc(properties, func(p property) bool { return strings.HasPrefix(p.name, e.ID+":") }) {
			t.Errorf("%s has no property test", e.ID)
		}
		if fig := must(e.Draw())(t); fig.Alt == "" || len(fig.Data()) == 0 {
			t.Errorf("%s: no description or no numbers", e.ID)
		}
	}
}

func TestFind(t *testing.T) {
	for _, id := range []string{"fig-prml-4.4", "prml-4.4", " PRML-4.4 "} {
		if e, err := Find(id); err != nil || e.ID != "fig-prml-4.4" {
			t.Errorf("%q: %v, %v", id, e.ID, err)
		}
	}
	for id, near := range map[string]string{"fig-prml-4.99": "fig-prml-4.9", "gambosi-sigmod": "fig-gambosi-sigmoid", "alpaydin-10.55": "fig-alpaydin-10.5"} {
		if _, err := Find(id); err == nil || !strings.Contains(err.Error(), "did you mean "+near+"?") {
			t.Errorf("%q: %v; want the suggestion %s", id, err, near)
		}
	}
}

// A panic that is no failure of a figure is not made an error.
func TestOtherPanicsGoOn(t *testing.T) {
	defer func() {
		if r := recover(); r != "a fault" {
			t.Errorf("recovered %v", r)
		}
	}()
	var err error
	defer named("PRML 4.1", &err)
	panic("a fault")
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
