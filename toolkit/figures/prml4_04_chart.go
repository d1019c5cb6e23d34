package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x4Chart is [PRML4x4] with a slider for the number of outliers, from none to
// twenty (or to that of the options, if it is more), which starts at that of the
// options. Both models are fitted again at every position. Errors: those of
// [PRML4x4].
func PRML4x4Chart(o PRML4x4Options) (_ *show.Chart, err error) {
	defer named("PRML 4.4", &err)
	o = o.filled()
	if o.Outliers < 0 || o.N < 0 {
		_, err := prml4x4(o) // says what is wrong
		return nil, err
	}
	counts, start := outlierCounts(o.Outliers)
	p, err := newPull(o, counts[len(counts)-1])
	if err != nil {
		return nil, err
	}
	return show.Sliders(func(at []int) (*show.Figure, error) { return p.live(counts[at[0]]) },
		show.Slider{Name: "outliers", Labels: counted(counts), Start: start})
}

// outlierCounts are the positions of the slider, with n among them.
func outlierCounts(n int) (counts []int, start int) {
	const steps = 20
	most := max(steps, n)
	for i := range steps + 1 {
		counts = append(counts, int(math.Round(float64(i)*float64(most)/steps)))
		if counts[i] == n {
			start = i
		}
	}
	return counts, start
}

// live is the figure with the turns in its title.
func (p *pull) live(outliers int) (*show.Figure, error) {
	fig, err := p.figure(outliers)
	if err != nil {
		return nil, err
	}
	fig.Panel(1).Title.Text = "with " + plural(outliers, "outlier")
	fig.Title = fmt.Sprintf("least squares turns by %.1f°, logistic regression by %.1f°",
		single(fig, "turn.least squares"), single(fig, "turn.logistic"))
	fig.Height += 0.3
	return fig, nil
}
