package classify

import (
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/mat"
)

// Names contains the names of the classes and columns of a data set. A fit does not set these
// names. To print and save a model with the names of a data set d, set them after the fit:
//
//	m.Classes, m.Features = d.ClassNames, d.FeatureNames
//
// The first class name must be the name of C₁, the class with label 0 and target 1. If a file contains
// the outcomes 0 and 1, the class names are "0" and "1" in this order. Call d.Class("1", "0") to
// make "1" the first name.
type Names struct {
	Classes  []string // class names by index, where index 0 is C₁; nil means the class numbers
	Features []string // names of the D columns of x; nil means x0, x1 …
}

func (n *Names) class(k int) string {
	if k < len(n.Classes) {
		return n.Classes[k]
	}
	return fmt.Sprint(k)
}

// weight returns the name of entry i of a weight vector. Entry 0 is the bias.
func (n *Names) weight(i int) string {
	if i == 0 {
		return "bias"
	}
	return n.feature(i - 1)
}

func (n *Names) feature(j int) string {
	if j < len(n.Features) {
		return n.Features[j]
	}
	return fmt.Sprintf("x%d", j)
}

// modelText is the printed text of a model. It contains lines of text, such as warnings, and then a
// table.
type modelText struct {
	head  []string
	table [][]string
}

func (p *modelText) say(format string, args ...any) {
	p.head = append(p.head, fmt.Sprintf(format, args...))
}

// addReason adds a line with the reason why a fit has not converged. It adds nothing if the fit has
// converged.
func (p *modelText) addReason(converged bool, reason string) {
	if !converged {
		p.say("NOT CONVERGED: %s", reason)
	}
}

// addRow adds a line to the table. Numbers of type float64 are printed with four significant digits.
func (p *modelText) addRow(cells ...any) {
	var line []string
	for _, c := range cells {
		if v, ok := c.(float64); ok {
			c = fmt.Sprintf("%.4g", v)
		}
		line = append(line, fmt.Sprint(c))
	}
	p.table = append(p.table, line)
}

func (p *modelText) String() string {
	var b strings.Builder
	for _, line := range p.head {
		fmt.Fprintln(&b, line)
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, line := range p.table {
		fmt.Fprintln(w, strings.Join(line, "\t")+"\t")
	}
	w.Flush() // Flush writes to memory and therefore cannot fail
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ") // empty cells at the end of a line leave spaces
	}
	return strings.Join(lines, "\n")
}

// addColumns adds the columns of w under the names of the classes, one row per weight.
func (p *modelText) addColumns(n *Names, w *mat.Dense) {
	rows, k := w.Dims()
	head := []any{""}
	for c := range k {
		head = append(head, n.class(c))
	}
	p.addRow(head...)
	for i := range rows {
		line := []any{n.weight(i)}
		for c := range k {
			line = append(line, w.At(i, c))
		}
		p.addRow(line...)
	}
}

// String returns the table of coefficients: weights, standard errors, z and p of Wald's test, and
// the class that positive weights favour. Without standard errors the table contains only the
// weights. For separable classes, the weights that the field Infinite marks are printed as −∞ or +∞, or
// as ±∞ if the data do not determine the sign. If the fit has not converged, the first line reports the
// reason.
func (m *Estimate) String() string {
	return m.tableText(true)
}

// String returns the table of coefficients. Only for the Bernoulli family does the text name the
// class that positive weights favour.
func (m *GLM) String() string { return m.tableText(m.Family == "Bernoulli") }

func (m *Estimate) tableText(classes bool) string {
	p := &modelText{}
	p.addReason(m.Converged, m.Reason)
	p.say("N = %d   ln p(t|w) = %.6g   AIC = %.6g   BIC = %.6g", m.N, m.LogLikelihood, m.AIC(), m.BIC())
	if m.HasPrior {
		p.say("penalty of the prior %.6g", m.Penalty)
	}
	if classes {
		p.addFavoured(&m.Names)
	}
	if len(m.Infinite) == len(m.W) && len(m.W) > 0 {
		p.addInfinite(m)
		return p.String()
	}
	se, err := m.StandardErrors()
	z, prob, wald := m.Wald()
	if err != nil || wald != nil {
		p.vector(&m.Names, m.W)
		return p.String()
	}
	p.addRow("", "weight", "std. error", "z", "p")
	for i, w := range m.W {
		p.addRow(m.weight(i), w, se[i], z[i], prob[i])
	}
	return p.String()
}

// addFavoured adds a line with the name of the class that positive weights favour. This class is
// C₁, the class with index 0 and target 1.
func (p *modelText) addFavoured(n *Names) {
	if len(n.Classes) == 0 {
		p.say("positive weights favour C₁ (target 1, class 0)")
		return
	}
	p.say("positive weights favour %s", n.class(0))
}

// addInfinite adds the weights of separable data. Infinite weights are printed as +∞, −∞ or ±∞. A line
// above the table names the columns with weights +∞ or −∞, and another line names the columns with
// weights ±∞.
func (p *modelText) addInfinite(m *Estimate) {
	var separating, either []string
	p.addRow("", "weight")
	for i, w := range m.W {
		s := m.Infinite[i]
		switch {
		case i > 0 && s == EitherSign:
			either = append(either, m.weight(i))
		case i > 0 && s != 0:
			separating = append(separating, m.weight(i))
		}
		if s != 0 {
			w = infiniteWeight(s)
		}
		p.addRow(m.weight(i), tableCell(w))
	}
	if separating != nil {
		p.say("columns that separate the classes: %s", strings.Join(separating, ", "))
	}
	if either != nil {
		p.say("columns whose weights may have either sign: %s", strings.Join(either, ", "))
	}
}

// String returns the table of the weights, one column per class.
func (m *Softmax) String() string {
	p := &modelText{}
	p.addReason(m.Converged, m.Reason)
	if m.W == nil {
		return p.String()
	}
	p.say("N = %d   ln p(T|W) = %.6g   AIC = %.6g   BIC = %.6g   (only differences of columns matter)", m.N,
		m.LogLikelihood, m.AIC(), m.BIC())
	p.addColumns(&m.Names, m.W)
	return p.String()
}

// String returns the table of the weights, one column per output.
func (m *LeastSquares) String() string {
	p := &modelText{}
	p.say("N = %d   ½ Σ‖y − t‖² = %.6g   rank %d", m.N, m.SumSquare, m.Rank)
	if m.W != nil {
		p.addColumns(&m.Names, m.W)
	}
	return p.String()
}

// String returns a summary line and a table with one row per class: the prior and the number of rows.
func (c *ClassShares) String() string { return c.tableText(nil) }

// tableText returns a table with one line per class. If the K×D matrix `means` is not nil, the
// table has one more column for each feature.
func (c *ClassShares) tableText(means *mat.Dense) string {
	p := &modelText{}
	p.say("N = %d   ln p(X, t) = %.6g   %d parameters", c.N, c.LogLikelihood, c.Parameters)
	_, d := dims(means)
	head := []any{"class", "prior", "rows"}
	for j := range d {
		head = append(head, "mean of "+c.feature(j))
	}
	p.addRow(head...)
	for k, prior := range c.Priors {
		line := []any{c.class(k), prior, c.Counts[k]}
		for j := range d {
			line = append(line, means.At(k, j))
		}
		p.addRow(line...)
	}
	return p.String()
}

// String returns a summary line and a table with one row per class: the prior, the number of rows and
// the mean of each feature.
func (m *LDA) String() string { return m.tableText(m.Means) }

// String returns a summary line and a table with one row per class: the prior, the number of rows and
// the mean of each feature.
func (m *QDA) String() string { return m.tableText(m.Means) }

// String returns a summary line and a table with one row per class: the prior, the number of rows and
// the mean of each feature.
func (m *NaiveBayesGaussian) String() string { return m.tableText(m.Means) }

// String returns the posterior of the weights: the mean and the standard deviation of each weight.
// If at least one weight has a flat prior, the text says that ln p(D) is not an evidence.
func (m *BayesLogistic) String() string {
	p := &modelText{}
	p.addReason(m.Converged, m.Reason)
	p.say("N = %d   ln p(D) ≃ %.6g   %.3g weights determined by the data", m.N, m.Evidence.LogEvidence(), m.Determined)
	if f := m.Evidence.Flat; f > 0 {
		p.say("ln p(D) is not an evidence: %d of %d weights have a flat prior of density 1; compare ln p(D) only between models with the same flat weights",
			f, m.Evidence.M)
	}
	p.addFavoured(&m.Names)
	p.addPosterior(&m.Names, m.W, m.Covariance)
	return p.String()
}

// String returns the posterior of the weights: the mean and the standard deviation of each weight.
func (m *VariationalLogistic) String() string {
	p := &modelText{}
	p.addReason(m.Converged, m.Reason)
	p.say("N = %d   ln p(D) ≥ %.6g", m.N, m.Bound)
	p.addFavoured(&m.Names)
	p.addPosterior(&m.Names, m.Mean, m.Covariance)
	return p.String()
}

// addPosterior adds the mean and the standard deviation of each weight.
func (p *modelText) addPosterior(n *Names, mean []float64, cov *mat.SymDense) {
	p.addRow("", "mean", "std. deviation")
	for i, w := range mean {
		if cov == nil {
			p.addRow(n.weight(i), w, "")
			continue
		}
		p.addRow(n.weight(i), w, math.Sqrt(cov.At(i, i)))
	}
}

// String returns the posterior of the weights: the mean and the standard deviation of each weight,
// with R̂ and the effective sample size.
func (m *LogisticSample) String() string {
	p := &modelText{}
	p.addReason(m.Converged, m.Reason)
	p.say("N = %d   %d chains", m.N, len(m.Chains))
	p.addFavoured(&m.Names)
	if m.Covariance == nil || len(m.RHat) != len(m.Mean) || len(m.ESS) != len(m.Mean) {
		return p.String()
	}
	p.addRow("", "mean", "std. deviation", "R̂", "ESS")
	for i, w := range m.Mean {
		p.addRow(m.weight(i), w, math.Sqrt(m.Covariance.At(i, i)), m.RHat[i], m.ESS[i])
	}
	return p.String()
}

// String returns the numbers of epochs, corrections and misclassified rows, then the weights.
func (m *Perceptron) String() string {
	p := &modelText{}
	p.addReason(m.Converged, m.Reason)
	p.say("N = %d   %d epochs, %d corrections, %d rows misclassified", m.N, m.Epochs, m.Mistakes, m.Misclassified)
	p.addFavoured(&m.Names)
	p.vector(&m.Names, m.W)
	return p.String()
}

// String returns the number of epochs, the number of misclassified rows, E and the least possible
// E, then the weights.
func (m *Adaline) String() string {
	p := &modelText{}
	p.addReason(m.Converged, m.Reason)
	p.say("N = %d   %d epochs, %d rows misclassified, E = %.6g, least %.6g", m.N, m.Epochs, m.Misclassified, m.E,
		m.LeastE)
	p.addFavoured(&m.Names)
	p.vector(&m.Names, m.W)
	return p.String()
}

// String returns the criterion J(w) and the threshold, then the weights.
func (m *Fisher) String() string {
	p := &modelText{}
	p.say("J(w) = %.6g   threshold %.6g on wᵀx", m.J, m.Threshold)
	p.addFavoured(&m.Names)
	p.vector(&m.Names, m.W)
	return p.String()
}

func (p *modelText) vector(n *Names, w []float64) {
	p.addRow("", "weight")
	for i, v := range w {
		p.addRow(n.weight(i), v)
	}
}
