package classify_test

import (
	"encoding/json"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestLoadOnBasisErrors(t *testing.T) {
	const head = `{"schema":"hyperplane-on-basis/1",`
	model := string(must(json.Marshal(&classify.Logistic{Estimate: classify.Estimate{W: []float64{1, 2}}}))(t))
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"no basis":     {head + `"model":` + model + `}`, []string{"basis is missing"}},
		"no model":     {head + `"basis":{"kind":"columns","inputs":1,"index":[0]}}`, []string{"model is missing"}},
		"unknown kind": {head + `"basis":{"kind":"wavelet"},"model":` + model + `}`, []string{"wavelet"}},
		"bad width":    {head + `"basis":{"kind":"gaussian","centres":[[1]],"widths":[0]},"model":` + model + `}`, []string{"Widths[0]"}},
		"bad column":   {head + `"basis":{"kind":"columns","inputs":1,"index":[1]},"model":` + model + `}`, []string{"column 1"}},
		"bad chain":    {head + `"basis":{"kind":"chain","parts":[null]},"model":` + model + `}`, []string{"part 0", "nil"}},
		"other model":  {head + `"basis":{"kind":"columns","inputs":1,"index":[0]},"model":{"schema":"x/1"}}`, []string{"x/1"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := new(classify.OnBasis[*classify.Logistic])
			mentions(t, json.Unmarshal([]byte(c.text), m), c.want...)
			if m.Basis != nil || m.Model != nil {
				t.Error("the model was changed")
			}
		})
	}
}

// TestOnBasisMemory: a fit in the space of 50 basis functions takes no N×50
// numbers (here 40 MB) on top of the inputs.
func TestOnBasisMemory(t *testing.T) {
	const n = 100_000
	x, labels := clouds(n, 2, 2, 1)
	y := targets(labels)
	basis := must(classify.BasisGaussian(must(classify.CentresData(x, 50, 1))(t), 1.5))(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m := must(classify.FitOnBasis(x, basis, func(phi mat.Matrix) (*classify.Logistic, error) {
		return classify.FitLogistic(phi, y, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}, MaxIterations: 3})
	}))(t)
	runtime.ReadMemStats(&after)
	if mb := float64(after.TotalAlloc-before.TotalAlloc) / (1 << 20); mb > 20 {
		t.Errorf("%.0f MB allocated in all", mb)
	}
	if len(m.Model.W) != 51 {
		t.Errorf("%d weights", len(m.Model.W))
	}
}

func BenchmarkFitOnBasis(b *testing.B) {
	x, labels := clouds(100_000, 2, 2, 1)
	y := targets(labels)
	basis := classify.Must(classify.BasisGaussian(classify.Must(classify.CentresData(x, 50, 1)), 1.5))
	b.ReportAllocs()
	for b.Loop() {
		classify.Must(classify.FitOnBasis(x, basis, func(phi mat.Matrix) (*classify.Logistic, error) {
			return classify.FitLogistic(phi, y, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}})
		}))
	}
}
