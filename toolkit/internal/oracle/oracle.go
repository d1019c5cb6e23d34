// Package oracle loads the reference values in testdata and compares the results of fits with them.
// Only tests import this package.
package oracle

import (
	"embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

//go:embed testdata
var files embed.FS

// Case is one data set with its reference values.
type Case struct {
	ID       string                     `json:"id"`
	Data     string                     `json:"data"`
	Features []string                   `json:"features"`
	Label    string                     `json:"label"`
	Classes  []string                   `json:"classes"`
	Values   map[string]json.RawMessage `json:"values"`
	RTol     map[string]float64         `json:"suggested_rtol"`
	// names of the levels of the categorical features; an input is the index of a level
	Levels   [][]string      `json:"levels"`
	Named    json.RawMessage `json:"points"`
	Points   [][]float64     `json:"-"` // the inputs in Named, converted to numbers
	WEval    []float64       `json:"w_eval"`
	WEvals   [][]float64     `json:"W_eval"` // one row of numbers per class
	Epsilons []float64       `json:"epsilons"`
	Alphas   []float64       `json:"alphas"`
	Eta      float64         `json:"eta"`
	EtaSq    float64         `json:"eta_sq"`
	WStart   json.RawMessage `json:"w_start"` // a vector of numbers, or one row of numbers per class
	Basis    *struct {
		Centres [][]float64 `json:"centres"`
		S       []float64   `json:"s"`
	} `json:"basis"`
	Arguments     map[string][]float64 `json:"arguments"`
	SoftmaxInputs [][]float64          `json:"softmax_inputs"`
	M0            []float64            `json:"m0"`
	S0            [][]float64          `json:"S0"`
	XPoints       []float64            `json:"x_points"` // set only if the data have a single feature
	ZGrid         []float64            `json:"z_grid"`
	ConvGrid      [][]float64          `json:"conv_grid"` // μ, σ², λ
	Params        map[string]float64   `json:"params"`
}

// Load returns the cases of a family. It reads them from a file, whose name is the name of the
// family followed by ".json".
func Load(family string) ([]Case, error) {
	b, err := files.ReadFile("testdata/" + family + ".json")
	if err != nil {
		return nil, err
	}
	var f struct {
		Schema string `json:"schema"`
		Cases  []Case `json:"cases"`
	}
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, fmt.Errorf("oracle: %s: %w", family, err)
	}
	if f.Schema != "lincls-oracle/1" || len(f.Cases) == 0 {
		return nil, fmt.Errorf("oracle: %s has schema %q and %d cases, want lincls-oracle/1 and at least one case",
			family, f.Schema, len(f.Cases))
	}
	for i := range f.Cases {
		if err := f.Cases[i].readPoints(); err != nil {
			return nil, fmt.Errorf("oracle: %s: points: %w", f.Cases[i].ID, err)
		}
	}
	return f.Cases, nil
}

// Table returns the N×D inputs of the case and the texts in the label column. If the case has basis
// functions, Table applies them to the inputs.
func (c *Case) Table() (*mat.Dense, []string, error) {
	f, err := files.Open("testdata/" + c.Data)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, nil, fmt.Errorf("oracle: %s: %w", c.Data, err)
	}
	head, rows := rows[0], rows[1:]
	at := slices.Index(head, c.Label)
	if at < 0 {
		return nil, nil, fmt.Errorf("oracle: %s has no column %q", c.Data, c.Label)
	}
	x := mat.NewDense(len(rows), len(c.Features), nil)
	labels := make([]string, len(rows))
	for j, name := range c.Features {
		k := slices.Index(head, name)
		if k < 0 {
			return nil, nil, fmt.Errorf("oracle: %s has no column %q", c.Data, name)
		}
		for i, row := range rows {
			v, err := c.number(j, row[k])
			if err != nil {
				return nil, nil, fmt.Errorf("oracle: %s: %w", c.Data, err)
			}
			x.Set(i, j, v)
			labels[i] = row[at]
		}
	}
	return c.Phi(x), labels, nil
}

// Phi applies the Gaussian basis functions exp(−‖x−c‖²/2s²) of the case to x. If the case has no
// basis functions, it returns x.
func (c *Case) Phi(x *mat.Dense) *mat.Dense {
	if c.Basis == nil {
		return x
	}
	n, _ := x.Dims()
	phi := mat.NewDense(n, len(c.Basis.Centres), nil)
	for i := range n {
		for j, centre := range c.Basis.Centres {
			var r2 float64
			for k, m := range centre {
				r2 += (x.At(i, k) - m) * (x.At(i, k) - m)
			}
			phi.Set(i, j, math.Exp(-r2/(2*c.Basis.S[j]*c.Basis.S[j])))
		}
	}
	return phi
}

// PhiPoints returns the result of Phi for the evaluation points of the case.
func (c *Case) PhiPoints() *mat.Dense {
	x := mat.NewDense(len(c.Points), len(c.Points[0]), nil)
	for i, p := range c.Points {
		x.SetRow(i, p)
	}
	return c.Phi(x)
}

// Labels converts class names to their indices in the field Classes.
func (c *Case) Labels(text []string) ([]int, error) {
	out := make([]int, len(text))
	for i, s := range text {
		if out[i] = slices.Index(c.Classes, s); out[i] < 0 {
			return nil, fmt.Errorf("oracle: %s: unknown class %q", c.ID, s)
		}
	}
	return out, nil
}

// Target returns two-class targets: 1 for the class Classes[0], and 0 for every other class. If
// Classes is nil, `text` contains the targets.
func (c *Case) Target(text []string) ([]float64, error) {
	t := make([]float64, len(text))
	for i, s := range text {
		if c.Classes == nil {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				return nil, fmt.Errorf("oracle: %s: %w", c.ID, err)
			}
			t[i] = v
		} else if s == c.Classes[0] {
			t[i] = 1
		}
	}
	return t, nil
}

// Start returns the starting weights: the weights of the first class, then of the next class, and
// so on.
func (c *Case) Start() ([]float64, error) {
	return flatten(c.WStart)
}

// Value returns a reference value as a flat list of numbers, row by row.
func (c *Case) Value(key string) ([]float64, error) {
	raw, ok := c.Values[key]
	if !ok {
		return nil, fmt.Errorf("oracle: %s has no value %q", c.ID, key)
	}
	return flatten(raw)
}

// flatten returns the numbers in a JSON value as a list. It accepts numbers, booleans (as 1 and 0),
// strings such as "-Infinity", and lists that contain these values.
func flatten(text json.RawMessage) ([]float64, error) {
	var list []json.RawMessage
	if json.Unmarshal(text, &list) == nil {
		var out []float64
		for _, e := range list {
			v, err := flatten(e)
			if err != nil {
				return nil, err
			}
			out = append(out, v...)
		}
		return out, nil
	}
	switch s := strings.Trim(string(text), `"`); s {
	case "true":
		return []float64{1}, nil
	case "false":
		return []float64{0}, nil
	default:
		v, err := strconv.ParseFloat(s, 64)
		return []float64{v}, err
	}
}

// RelErr returns the largest relative error of a list of numbers. Each error |got−want| is divided
// by |want|, or by a millionth of the largest finite |want| if this is larger. RelErr returns +Inf
// if the lists have different lengths or an error is NaN.
func RelErr(got, want []float64) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	var big, worst float64
	for _, w := range want {
		if !math.IsInf(w, 0) {
			big = math.Max(big, math.Abs(w))
		}
	}
	for i, w := range want {
		if got[i] == w {
			continue
		}
		e := math.Abs(got[i]-w) / math.Max(math.Abs(w), 1e-6*big)
		if math.IsNaN(e) {
			return math.Inf(1)
		}
		worst = math.Max(worst, e)
	}
	return worst
}

// number parses a value of feature j, which is a number or the name of a level.
func (c *Case) number(j int, s string) (float64, error) {
	if c.Levels == nil {
		return strconv.ParseFloat(s, 64)
	}
	l := slices.Index(c.Levels[j], s)
	if l < 0 {
		return 0, fmt.Errorf("feature %d has no level %q", j, s)
	}
	return float64(l), nil
}

// readPoints fills Points from numbers or, if the case has Levels, from the names of levels.
func (c *Case) readPoints() error {
	if c.Named == nil {
		return nil
	}
	if c.Levels == nil {
		return json.Unmarshal(c.Named, &c.Points)
	}
	var named [][]string
	if err := json.Unmarshal(c.Named, &named); err != nil {
		return err
	}
	for _, names := range named {
		point := make([]float64, len(names))
		for j, s := range names {
			v, err := c.number(j, s)
			if err != nil {
				return err
			}
			point[j] = v
		}
		c.Points = append(c.Points, point)
	}
	return nil
}

// Ledger collects comparisons and prints them as a table. The columns of the table are the family,
// the number of cases, the number of comparisons, the largest error, the largest quotient of an
// error and its tolerance, and the value at which this quotient occurred.
type Ledger struct {
	rows  map[string]*entry
	cases map[string]bool
}

type entry struct {
	cases, values int
	worst, share  float64
	at            string
}

// NewLedger returns an empty ledger.
func NewLedger() *Ledger { return &Ledger{map[string]*entry{}, map[string]bool{}} }

// Compare fails t if the computed numbers differ from the reference value with the given key by
// more than the case's tolerance. It also records the comparison in the ledger.
func (l *Ledger) Compare(t *testing.T, c *Case, key string, got ...float64) {
	t.Helper()
	want, err := c.Value(key)
	if err != nil {
		t.Fatal(err)
	}
	tol, ok := c.RTol[key]
	if !ok {
		t.Fatalf("%s: no tolerance for %q", c.ID, key)
	}
	family, _, _ := strings.Cut(c.ID, "/")
	e := l.rows[family]
	if e == nil {
		e = &entry{}
		l.rows[family] = e
	}
	if !l.cases[c.ID] {
		l.cases[c.ID] = true
		e.cases++
	}
	e.values++
	err1 := RelErr(got, want)
	e.worst = max(e.worst, err1)
	if s := err1 / tol; s > e.share {
		e.share, e.at = s, c.ID+" "+key
	}
	if err1 > tol {
		t.Errorf("%s: %s: the relative error is %.2g, want at most %.2g\n got %v\nwant %v",
			c.ID, key, err1, tol, got, want)
	}
}

// Log prints the table of comparisons. To see it, run go test with -v.
func (l *Ledger) Log(t *testing.T) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-22s %6s %7s %12s %10s  %s\n", "family", "cases", "values", "worst error", "of allowed", "at")
	for _, n := range slices.Sorted(maps.Keys(l.rows)) {
		e := l.rows[n]
		fmt.Fprintf(&b, "%-22s %6d %7d %12.2g %9.1f%%  %s\n", n, e.cases, e.values, e.worst, 100*e.share, e.at)
	}
	t.Log(b.String())
}
