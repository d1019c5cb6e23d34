package figures

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x7Chart is [PRML4x7] in one panel, to step or to play through all corrections:
// position n is the perceptron after n of them, with the next one that it will make.
// The title has the mistakes that are left and the weights. Errors: those of
// [PRML4x7], and more than 399 corrections.
func PRML4x7Chart(o PRML4x7Options) (_ *show.Chart, err error) {
	defer named("PRML 4.7", &err)
	o = o.filled()
	c, err := newCorrections(o)
	if err != nil {
		return nil, err
	}
	const most = 399 // show.Sliders takes 400 positions, with the start
	if n := len(c.updates); n > most {
		return nil, fmt.Errorf("the perceptron makes %d corrections; a chart steps through %d: set Steps to fewer, or Rate larger", n, most)
	}
	return show.Sliders(func(at []int) (*show.Figure, error) { return c.step(at[0]) },
		show.Slider{Name: "corrections", Labels: counted(upTo(len(c.weights) - 1)), Play: true})
}

// step is the panel after n corrections, with the weights in its title.
func (c *corrections) step(n int) (*show.Figure, error) {
	fig, err := c.panel(n)
	if err != nil {
		return nil, err
	}
	w := c.weights[n]
	fig.Panel(0).Title.Text = fmt.Sprintf(`$w_0$ = %s, $\mathbf{w}$ = (%s, %s)`, short(w[0]), short(w[1]), short(w[2]))
	fig.Width, fig.Height = 7, 5.6 // the legend in one row
	fig.AddData("w", w)
	fig.AddData("mistakes", c.wrong[n:n+1])
	fig.Alt = fmt.Sprintf("The boundary of a perceptron %s; its weights are %.3g.", stage(n, c.wrong[n]), w)
	return fig, nil
}
