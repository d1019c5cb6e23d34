package browsertest

import (
	"bytes"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// The wheel over a chart scrolls the page past it; with shift it zooms. Only the
// browser's own wheel shows it: an event that a script dispatches scrolls nothing.
func TestWheel(t *testing.T) {
	for name, c := range map[string]func(*testing.T) *show.Chart{
		"plane":    func(t *testing.T) *show.Chart { return must.Get(figures.PRML4x6Chart(figures.PRML4x6Options{}))(t) },
		"surfaces": func(t *testing.T) *show.Chart { return must.Get(figures.PRML4x10Chart(figures.PRML4x10Options{}))(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tall := []byte(`<style>body { padding-bottom: 3000px }</style></head>`)
			p := chart(t, bytes.Replace(whole(t, c(t), nil), []byte("</head>"), tall, 1))
			for _, fault := range p.Wheels(".hyperplane-chart") {
				t.Error(fault)
			}
			clean(t, p)
		})
	}
}
