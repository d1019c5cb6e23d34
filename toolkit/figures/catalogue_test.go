package figures

import (
	"strings"
	"testing"
)

func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range All() {
		if !strings.HasPrefix(e.ID, "fig-") || seen[e.ID] {
			t.Errorf("id %q is malformed or taken", e.ID)
		}
		seen[e.ID] = true
		for name, s := range map[string]string{"Title": e.Title, "Source": e.Source, "LookFor": e.LookFor, "Call": e.Call} {
			if s == "" {
				t.Errorf("%s has no %s", e.ID, name)
			}
		}
		if !strings.HasPrefix(e.Call, "figures.") {
			t.Errorf("%s: Call is %q", e.ID, e.Call)
		}
		fig, err := e.Draw()
		if err != nil {
			t.Errorf("%s: %v", e.ID, err)
			continue
		}
		if fig.Alt == "" || len(fig.Data()) == 0 {
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
