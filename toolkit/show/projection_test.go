package show

import (
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

func TestProjectionsAgreeWithFisher(t *testing.T) {
	d := must(petals(t).Class("versicolor", "virginica"))(t)
	target := must(d.Target("versicolor"))(t)
	m := must(classify.FitFisher(d.X, target, classify.FisherOptions{}))(t)
	s := m.Scatter.ClassMeans
	means := []float64{s.At(0, 0) - s.At(1, 0), s.At(0, 1) - s.At(1, 1)}
	fig, err := Projections(d, ProjectionsOptions{Bins: 20},
		Direction{Name: "means", W: means}, Direction{Name: "Fisher", W: m.Direction, Thresholds: []float64{m.Threshold}})
	if err != nil {
		t.Fatal(err)
	}
	renders(t, fig)
	if fig.Len() != 4 || !fig.shapes[fig.Panel(0)].equal {
		t.Errorf("%d panels, want two planes of equal axes over two histograms", fig.Len())
	}
	j := column(t, fig, "Fisher.fisher")[0]
	if math.Abs(j-m.J) > 1e-7*m.J {
		t.Errorf("Fisher's J is %v, want %v", j, m.J)
	}
	if other := column(t, fig, "means.fisher")[0]; other >= j {
		t.Errorf("J on the line of means is %v, not below Fisher's %v", other, j)
	}
	edge, y, class := column(t, fig, "means.edge"), column(t, fig, "means.y"), column(t, fig, "means.class")
	for k, name := range []string{"means.count0", "means.count1"} {
		counts := column(t, fig, name)
		for b, n := range counts {
			in := 0.0
			for i, v := range y {
				if class[i] == float64(k) && v >= edge[b] && (v < edge[b+1] || b == len(counts)-1) {
					in++
				}
			}
			if in != n {
				t.Errorf("bin %d of class %d has %v rows, counted %v", b, k, n, in)
			}
		}
	}
	norm := math.Hypot(means[0], means[1])
	if want := (means[0]*d.X.At(3, 0) + means[1]*d.X.At(3, 1)) / norm; math.Abs(y[3]-want) > 1e-8 {
		t.Errorf("row 3 is projected to %v, want %v", y[3], want)
	}
}

func TestProjectionsOverlap(t *testing.T) {
	// Two rows of points along the diagonal, one beside the other: across it they
	// are apart, and upright half of each class has its twin in the other.
	var labels []int
	var x []float64
	for i := 0.0; i < 10; i++ {
		labels = append(labels, 0, 1)
		x = append(x, i, i, i+5, i+4)
	}
	fig := must(Projections(plane(2, labels, x...), ProjectionsOptions{Bins: 15},
		Direction{Name: "right", W: []float64{1, 0}}, Direction{Name: "across", W: []float64{3, -3}}))(t)
	if v := column(t, fig, "right.overlap")[0]; v != 0.5 {
		t.Errorf("the histograms overlap by %v, want 0.5", v)
	}
	if v := column(t, fig, "across.overlap")[0]; v != 0 {
		t.Errorf("the histograms overlap by %v across the rows, want 0", v)
	}
	if j := column(t, fig, "across.fisher")[0]; !math.IsNaN(j) {
		t.Errorf("Fisher's criterion of two points is %v, want NaN", j)
	}
}

func TestProjectionsOfOtherShapes(t *testing.T) {
	for _, c := range []struct {
		name   string
		d      *datasets.Dataset
		w      []float64
		panels int
	}{
		{"four features", datasets.Iris(), []float64{0, 1e200, -1e200, 0}, 1},
		{"one class", plane(1, []int{0, 0}, 0, 0, 1, 1), []float64{1, 0}, 2},
		{"all equal", plane(2, []int{0, 1}, 5, 5, 5, 5), []float64{1, 1}, 2},
		{"large", plane(2, []int{0, 1}, -1e9, 0, 1e9, 3e9), []float64{1, 1}, 2},
		{"small", plane(2, []int{0, 1}, -1e-9, 0, 1e-9, 3e-9), []float64{1e-200, 0}, 2},
		{"unequal units", plane(2, []int{0, 1}, -1e-9, 0, 1e-9, 3e9), []float64{0, 1}, 2},
		{"an empty class", plane(3, []int{0, 2}, 0, 0, 1, 1), []float64{0, -1}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			fig := must(Projections(c.d, ProjectionsOptions{}, Direction{Name: "w", W: c.w, Thresholds: []float64{0}}))(t)
			renders(t, fig)
			if fig.Len() != c.panels {
				t.Errorf("%d panels, want %d", fig.Len(), c.panels)
			}
		})
	}
}

func TestProjectionsErrors(t *testing.T) {
	ok := Direction{Name: "w", W: []float64{1, 1}}
	for _, c := range []struct {
		name  string
		d     *datasets.Dataset
		bins  int
		w     []Direction
		words []string
	}{
		{"none", square(), 0, nil, []string{"no direction"}},
		{"five", square(), 0, make([]Direction, 5), []string{"5 directions"}},
		{"nil", nil, 0, []Direction{ok}, []string{"data set is nil"}},
		{"empty", plane(2, nil), 0, []Direction{ok}, []string{"no rows"}},
		{"classes", plane(8, []int{0}, 1, 1), 0, []Direction{ok}, []string{"8 classes"}},
		{"NaN", plane(2, []int{0, 1}, 1, math.NaN(), 1, 1), 0, []Direction{ok}, []string{"row 0", "x2 = NaN"}},
		{"label", plane(1, []int{1}, 1, 1), 0, []Direction{ok}, []string{"label 1"}},
		{"length", square(), 0, []Direction{{Name: "w", W: []float64{1}}}, []string{"1 entries", "2 features"}},
		{"zero", square(), 0, []Direction{{Name: "w", W: []float64{0, 0}}}, []string{"zero"}},
		{"direction", square(), 0, []Direction{{Name: "w", W: []float64{0, math.Inf(1)}}}, []string{"finite"}},
		{"threshold", square(), 0, []Direction{{Name: "w", W: ok.W, Thresholds: []float64{math.NaN()}}}, []string{"threshold"}},
		{"bins", square(), -1, []Direction{ok}, []string{"Bins is -1"}},
		{"overflow", plane(2, []int{0, 1}, math.MaxFloat64, math.MaxFloat64, 1, 1), 0, []Direction{ok}, []string{"overflows"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(Projections(c.d, ProjectionsOptions{Bins: c.bins}, c.w...))(t, append(c.words, "show: Projections")...)
		})
	}
}
