package show

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// A probe lets an interactive chart show the posterior under the pointer.
type probe struct {
	model   classify.Prober
	name    string // name of the model, if a panel shows several
	classes []string
}

type probes []probe

// chartProbe is a probe for the page. It contains the log ratios ln p_k/p_0 of each class to the
// first class, at the nodes of a grid, row by row from below.
type chartProbe struct {
	Grid    int         `json:"grid"` // index of the panel
	Name    string      `json:"name,omitempty"`
	Classes []string    `json:"classes"`
	X       [2]float64  `json:"x"`
	Y       [2]float64  `json:"y"`
	NX      int         `json:"nx"`
	NY      int         `json:"ny"`
	Ratios  [][]float64 `json:"ratios"`
}

// addProbe adds a probe for the posterior of m to the panel. It does nothing if m returns no
// posterior.
func (p *planePlot) addProbe(m any, name string, classes []string) {
	model, ok := classify.ProberOf(m)
	if !ok || isNil(m) || len(classes) < 2 {
		return
	}
	names := make([]string, len(classes))
	for k, c := range classes {
		names[k] = unicodeText(label(c))
	}
	p.panels[0].probes = append(p.panels[0].probes, probe{model, name, names})
}

// sample returns the probe on the coarsest grid that is fine enough: the page can interpolate every
// posterior to within 0.002. For linear models this grid is a single cell. It returns nil if the
// model does not return posteriors for these classes.
func (pr probe) sample(panel int, r [4]float64) *chartProbe {
	out := &chartProbe{Grid: panel, Name: pr.name, Classes: pr.classes, X: [2]float64{r[0], r[1]},
		Y: [2]float64{r[2], r[3]}}
	const fine = 41
	p := pr.posterior(box{out.X, out.Y}.inputs(contour.Grid{NX: fine, NY: fine}.Nodes()))
	if p == nil {
		return nil
	}
	want := logRatios(p)
	for _, n := range []int{2, 5, 9, 21, fine} { // the nodes of each grid are also nodes of the finest grid
		step := (fine - 1) / (n - 1)
		coarse := make([][]float64, len(want))
		for k := range want {
			for j := range n {
				for i := range n {
					coarse[k] = append(coarse[k], want[k][j*step*fine+i*step])
				}
			}
		}
		if n == fine || interpolates(coarse, n, want, fine) {
			out.NX, out.NY, out.Ratios = n, n, coarse
			break
		}
	}
	return out
}

// posterior returns the posteriors at the rows of x. It returns nil on an error, or if
// the result has the wrong size.
func (pr probe) posterior(x *mat.Dense) *mat.Dense {
	p, err := pr.model.Posterior(x)
	if err != nil || p == nil {
		return nil
	}
	n, _ := x.Dims()
	if r, k := p.Dims(); r != n || k != len(pr.classes) {
		return nil
	}
	return p
}

// logRatios returns ln p_k/p_0 for k ≥ 1, rounded and limited to ±40.
func logRatios(p *mat.Dense) [][]float64 {
	n, k := p.Dims()
	out := make([][]float64, k-1)
	for c := 1; c < k; c++ {
		for i := range n {
			v := math.Log(p.At(i, c)) - math.Log(p.At(i, 0))
			if math.IsNaN(v) {
				v = 0
			}
			out[c-1] = append(out[c-1], math.Round(min(40, max(-40, v))*1000)/1000+0)
		}
	}
	return out
}

// interpolates reports whether posteriors interpolated from the coarse grid agree with
// the posteriors on the fine grid.
func interpolates(coarse [][]float64, n int, fine [][]float64, m int) bool {
	step := float64(n-1) / float64(m-1)
	a, b := make([]float64, len(fine)), make([]float64, len(fine))
	for j := range m {
		for i := range m {
			x, y := float64(i)*step, float64(j)*step
			i0, j0 := min(int(x), n-2), min(int(y), n-2)
			u, v := x-float64(i0), y-float64(j0)
			for k, c := range coarse {
				q := c[j0*n+i0:]
				a[k] = (1-v)*((1-u)*q[0]+u*q[1]) + v*((1-u)*q[n]+u*q[n+1])
				b[k] = fine[k][j*m+i]
			}
			pa, pb := shares(a), shares(b)
			for k := range pa {
				if math.Abs(pa[k]-pb[k]) > 0.002 {
					return false
				}
			}
		}
	}
	return true
}

// shares returns the posteriors for log ratios relative to the first class.
func shares(ratios []float64) []float64 {
	p, sum := []float64{1}, 1.0
	for _, r := range ratios {
		p = append(p, math.Exp(r))
		sum += math.Exp(r)
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// notes returns the posteriors at points, one line per class. It evaluates the model
// itself instead of interpolating.
func (ps probes) notes(pts []xy) []string {
	out, x := make([]string, len(pts)), mat.NewDense(len(pts), 2, nil)
	for i, q := range pts {
		x.SetRow(i, []float64{q.X, q.Y})
	}
	for _, pr := range ps {
		p := pr.posterior(x)
		if p == nil {
			continue
		}
		for i := range pts {
			if pr.name != "" {
				out[i] += "\n" + pr.name + ":"
			}
			for k, c := range pr.classes {
				out[i] += "\np(" + c + "|x) = " + strconv.FormatFloat(p.At(i, k), 'g', 4, 64)
			}
		}
	}
	for i := range out {
		if out[i] == "" {
			return nil
		}
		out[i] = out[i][1:]
	}
	return out
}
