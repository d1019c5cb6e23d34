package classify

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Approximation is an approximation of the posterior of the weights. Its name is shown in the table
// that CompareApproximations returns.
type Approximation struct {
	Name  string
	Model Predictive
}

// ApproximationsOptions are the options of FitApproximations. The zero value means a flat prior.
type ApproximationsOptions struct {
	Prior   Prior     // the prior over the weights, the same in all four fits
	Weights []float64 // the number of times that each row counts, in all four fits; nil counts each row once
	// predictive method of the Laplace and variational fits; MAP always uses PredictivePlugIn
	Method PredictiveMethod
	Sample SampleLogisticOptions // options of the sampling fit; its fields Prior and Weights are ignored
}

// FitApproximations fits four approximations of the posterior to the same data: MAP (which uses
// only the mode), the Laplace approximation, the variational approximation, and sampling. Sampling
// is exact up to its Monte Carlo error. Approximations are needed because the integral (4.145) has
// no closed form.
//
// Errors: as for FitBayesLogistic, FitVariationalLogistic and SampleLogistic.
//
// Equations: PRML (4.145).
func FitApproximations(x mat.Matrix, t []float64, o ApproximationsOptions) ([]Approximation, error) {
	laplace, err := FitBayesLogistic(x, t, BayesLogisticOptions{Prior: o.Prior, Weights: o.Weights, Method: o.Method})
	if err != nil {
		return nil, err
	}
	plug := *laplace
	plug.Method = PredictivePlugIn
	variational, err := FitVariationalLogistic(x, t,
		VariationalLogisticOptions{Prior: o.Prior, Weights: o.Weights, Method: o.Method})
	if err != nil {
		return nil, err
	}
	o.Sample.Prior, o.Sample.Weights = o.Prior, o.Weights
	sample, err := SampleLogistic(x, t, o.Sample)
	if err != nil {
		return nil, err
	}
	return []Approximation{{"MAP plug-in", &plug}, {"Laplace", laplace}, {"variational", variational},
		{"sampling", sample}}, nil
}

// ApproximationsTable compares the results of several approximations. Each matrix except Points has
// one row for each approximation.
type ApproximationsTable struct {
	Names []string
	// Mean and StdDev contain the mean and the standard deviation of each weight. They have one row
	// for each approximation and one column for each weight. A row of StdDev is NaN if its model is a
	// BayesLogistic with the method PredictivePlugIn, which uses only one weight vector.
	Mean, StdDev *mat.Dense
	// MCError contains the Monte Carlo errors of the entries of Mean. The errors are 0 for an
	// approximation without draws.
	MCError *mat.Dense
	// Posterior contains the predictive p(C₁|φ, t), with one row for each approximation and one
	// column for each point. PosteriorError contains the Monte Carlo standard errors of the entries
	// of Posterior. The errors are 0 for an approximation without draws.
	Posterior, PosteriorError *mat.Dense
	Points                    *mat.Dense // points×D
	Warnings                  []string   // warnings of fits that have not converged or have divergent trajectories
}

// CompareApproximations returns a table that compares approximations for two classes. The table
// contains the weights, and the predictive distribution at the given points, which are the rows of
// the matrix `points`.
//
// Errors: no approximations, a model that is nil or not fitted, a model of more than two classes,
// models of different sizes, points with the wrong number of columns, NaN or Inf in points.
func CompareApproximations(points mat.Matrix, approximations ...Approximation) (*ApproximationsTable, error) {
	c, err := compareApproximations(points, approximations)
	if err != nil {
		return nil, failure("CompareApproximations", err)
	}
	return c, nil
}

func compareApproximations(points mat.Matrix, approximations []Approximation) (*ApproximationsTable, error) {
	if len(approximations) == 0 {
		return nil, errors.New("there are no approximations: give at least one approximation (see FitApproximations)")
	}
	var c *ApproximationsTable
	for i, w := range approximations {
		if w.Model == nil {
			return nil, fmt.Errorf("approximation %d (%s) has no model", i, w.Name)
		}
		mean, cov := w.Model.WeightMoments()
		if len(mean) == 0 {
			return nil, fmt.Errorf("approximation %d (%s) is a %T without a fit: give a fitted model", i, w.Name, w.Model)
		}
		p, se, err := w.Model.PosteriorError(points)
		if err != nil {
			return nil, fmt.Errorf("approximation %d (%s): %w", i, w.Name, err)
		}
		n, k := p.Dims()
		if k != 2 {
			return nil, fmt.Errorf("approximation %d (%s) has %d classes: the table supports two classes only", i, w.Name, k)
		}
		if c == nil {
			dense := func(cols int) *mat.Dense { return mat.NewDense(len(approximations), cols, nil) }
			c = &ApproximationsTable{
				Mean: dense(len(mean)), StdDev: dense(len(mean)), MCError: dense(len(mean)),
				Posterior: dense(n), PosteriorError: dense(n), Points: mat.DenseCopyOf(points),
			}
		}
		if _, m := c.Mean.Dims(); m != len(mean) {
			return nil, fmt.Errorf("approximation %d (%s) has %d weights but approximation 0 has %d: only fits of the same inputs can be compared", i, w.Name, len(mean), m)
		}
		c.Names = append(c.Names, w.Name)
		c.Mean.SetRow(i, mean)
		c.Posterior.SetRow(i, mat.Col(nil, 0, p))
		c.PosteriorError.SetRow(i, mat.Col(nil, 0, se))
		for j := range mean {
			c.StdDev.Set(i, j, math.Sqrt(cov.At(j, j)))
			if b, ok := w.Model.(*BayesLogistic); ok && b.Method == PredictivePlugIn {
				c.StdDev.Set(i, j, math.NaN())
			}
		}
		c.recordErrors(i, w)
	}
	return c, nil
}

// recordErrors records the Monte Carlo errors and the warnings of approximation i.
func (c *ApproximationsTable) recordErrors(i int, w Approximation) {
	converged, reason := true, ""
	switch m := w.Model.(type) {
	case *LogisticSample:
		c.MCError.SetRow(i, m.MCError)
		converged, reason = m.Converged && m.Divergent == 0, m.Reason
	case *VariationalLogistic:
		converged, reason = m.Converged, m.Reason
	case *BayesLogistic:
		converged, reason = m.Converged, m.Reason
	}
	if !converged {
		c.Warnings = append(c.Warnings, w.Name+": "+reason)
	}
}

// String returns the table as text: each weight as mean ± standard deviation, then the predictive
// p(C₁) at each point, and finally the warnings. For an approximation with draws, the Monte Carlo
// error follows p(C₁) after ±.
func (c *ApproximationsTable) String() string {
	rows, m := c.Mean.Dims()
	head := []string{"method"}
	for j := range m {
		head = append(head, fmt.Sprintf("w%d", j))
	}
	n, _ := c.Points.Dims()
	for i := range n {
		head = append(head, "p(C₁|"+formatPoint(c.Points.RawRowView(i))+")")
	}
	table := [][]string{head}
	for i := range rows {
		line := []string{c.Names[i]}
		for j := range m {
			line = append(line, estimateCell(c.Mean.At(i, j), c.StdDev.At(i, j), 3))
		}
		for j := range n {
			se := c.PosteriorError.At(i, j)
			if se == 0 {
				se = math.NaN()
			}
			line = append(line, estimateCell(c.Posterior.At(i, j), se, 4))
		}
		table = append(table, line)
	}
	width := make([]int, len(head))
	for _, line := range table {
		for j, s := range line {
			width[j] = max(width[j], len([]rune(s)))
		}
	}
	var b strings.Builder
	for _, line := range table {
		for j, s := range line {
			if j == 0 {
				fmt.Fprintf(&b, "%-*s", width[j], s)
			} else {
				fmt.Fprintf(&b, "  %*s", width[j], s)
			}
		}
		b.WriteByte('\n')
	}
	for _, w := range c.Warnings {
		b.WriteString("warning: " + w + "\n")
	}
	return b.String()
}

func formatPoint(x []float64) string {
	s := make([]string, len(x))
	for i, v := range x {
		s[i] = fmt.Sprintf("%.4g", v)
	}
	return strings.Join(s, ", ")
}

// estimateCell returns the text v ± e, or only v if e is NaN.
func estimateCell(v, e float64, digits int) string {
	if math.IsNaN(e) {
		return fmt.Sprintf("%.*f", digits, v)
	}
	return fmt.Sprintf("%.*f ± %.*f", digits, v, digits, e)
}
