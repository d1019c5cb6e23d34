package classify_test

import (
	"encoding/json"
	"math"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// FuzzLoadOnBasis: whatever the bytes, an error or a model that can be saved
// again and used.
func FuzzLoadOnBasis(f *testing.F) {
	x := mat.NewDense(4, 2, []float64{1, 2, 2, 1, 3, 5, 4, 3})
	for _, b := range []classify.Basis{
		classify.Must(classify.BasisPolynomial(2, 2)),
		classify.Must(classify.BasisGaussian(x, 2)),
		classify.Must(classify.BasisStandard(x)),
		classify.Must(classify.BasisCompose(classify.Must(classify.BasisColumns(2, 1)), classify.Must(classify.BasisLog([]float64{1, 2})))),
		classify.Must(classify.BasisJoin(classify.Must(classify.BasisIndicator([]float64{1, 2, 3})))),
	} {
		m := classify.Must(classify.FitOnBasis(x, b, func(phi mat.Matrix) (*classify.Logistic, error) {
			return classify.FitLogistic(phi, []float64{1, 0, 1, 0}, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}})
		}))
		f.Add(classify.Must(json.Marshal(m)))
	}
	f.Add([]byte(`{"schema":"hyperplane-on-basis/1","basis":{"kind":"chain"},"model":{}}`))
	f.Add([]byte(`{"schema":"hyperplane-on-basis/1","basis":{"kind":"polynomial","powers":[[9223372036854775807]]},"model":{}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m := new(classify.OnBasis[*classify.Logistic])
		if err := json.Unmarshal(b, m); err != nil {
			return
		}
		again := new(classify.OnBasis[*classify.Logistic])
		if err := json.Unmarshal(must(json.Marshal(m))(t), again); err != nil {
			t.Fatalf("not loaded again: %v", err)
		}
		if d, _ := m.Basis.Dims(); d < 1000 {
			if p, err := m.Posterior(mat.NewDense(1, d, nil)); err == nil {
				for _, v := range flat(p) {
					if math.IsNaN(v) && !math.IsNaN(m.Model.W[0]) {
						for _, w := range m.Model.W {
							if math.IsNaN(w) || math.IsInf(w, 0) {
								return // saved so
							}
						}
						t.Errorf("posterior %v", p)
					}
				}
			}
		}
	})
}

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
