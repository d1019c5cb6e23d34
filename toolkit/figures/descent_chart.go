package figures

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// chart steps and plays the run through these iterations.
func (s *descent) chart(iterations []int) (*show.Chart, error) {
	return show.Sliders(
		func(at []int) (*show.Figure, error) { return s.frame(iterations[at[0]]) },
		show.Slider{Name: "iteration", Labels: counted(iterations), Play: true})
}

// frame draws the machine after n iterations beside the error of all, with a mark at
// that of n.
//
// Numbers: those of the panels, with a.part as in figure; step.iteration, .E,
// .misclassified and .w, all weights.
func (s *descent) frame(n int) (*show.Figure, error) {
	const unit = 1 // point: halos of one size are one layer of the page
	machine, err := s.panel(n, unit)
	if err != nil {
		return nil, err
	}
	n = min(n, len(s.trace)-1)
	step := s.trace[n]
	machine.Title += "; area of a disc: |$r$ − $y$|"
	errors, err := s.errors(step)
	if err != nil {
		return nil, err
	}
	fig, err := show.Panels(2, machine, errors)
	if err != nil {
		return nil, err
	}
	fig.Title = fmt.Sprintf("E = %.2f,  %s", step.E, mistaken(step.Misclassified, s.data.N()))
	if s.weights {
		fig.Title += ",  w = (" + decimals(2, step.W...) + ")"
	}
	fig.AddData("step.iteration", []float64{float64(step.Iteration)})
	fig.AddData("step.E", []float64{step.E})
	fig.AddData("step.misclassified", []float64{float64(step.Misclassified)})
	fig.AddData("step.w", step.W)
	fig.Alt = fmt.Sprintf("%d classes and the machine of gradient descent at iteration %d, with the part of every point in the next update, beside the falling error.", s.data.K(), n)
	return fig, nil
}

// errors draws the error of all iterations, and marks that of one.
func (s *descent) errors(at classify.Step) (*show.Figure, error) {
	fig, err := s.fall()
	if err != nil {
		return nil, err
	}
	highest := 0.0
	for _, step := range s.trace {
		highest = max(highest, step.E)
	}
	// The axis has the logarithms of the iterations, and of E too where it falls by a
	// factor of a thousand: then it ends at log₁₀E + 0.4, which is always below E.
	height := at.E
	if fig.Panel(0).Y.Max < highest {
		height = math.Log10(at.E)
	}
	return fig, fig.AddMarks(0, "this iteration", []float64{math.Log10(1 + float64(at.Iteration))}, []float64{height}, show.Look{Size: 3.4})
}

// decimals writes numbers with n decimals, for a title.
func decimals(n int, values ...float64) string {
	var out []string
	for _, v := range values {
		text := strconv.FormatFloat(v, 'f', n, 64)
		if strings.Trim(text, "-0.") == "" {
			text = strings.TrimPrefix(text, "-")
		}
		out = append(out, minus(text))
	}
	return strings.Join(out, ", ")
}
