package show

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestImages(t *testing.T) {
	// Two images of 3 × 2: the second has negative values.
	x := mat.NewDense(2, 6, []float64{0, 1, 2, 3, 4, 8, -4, 0, 4, 0, 0, 0})
	fig := must(Images(x, ImagesOptions{Width: 3, Names: []string{"A", "$w_1$"}}))(t)
	renders(t, fig)
	if lo, hi := column(t, fig, "scale.lo"), column(t, fig, "scale.hi"); lo[0] != -8 || hi[1] != 8 {
		t.Errorf("the common scale is %v to %v, want -8 to 8", lo, hi)
	}
	fig = must(Images(x, ImagesOptions{Width: 3, OwnGrey: true}))(t)
	if lo, hi := column(t, fig, "scale.lo"), column(t, fig, "scale.hi"); lo[0] != 0 || hi[0] != 8 || lo[1] != -4 || hi[1] != 4 {
		t.Errorf("the scales are %v to %v", lo, hi)
	}
	for _, c := range []struct {
		v, lo, hi float64
		want      uint8
	}{{0, 0, 8, 255}, {8, 0, 8, 0}, {0, -4, 4, 128}, {4, -4, 4, 255}, {-4, -4, 4, 0}, {0, 0, 0, 255}} {
		if got := greyOf(c.v, c.lo, c.hi); got != c.want {
			t.Errorf("%v on the scale %v to %v is %d, want %d", c.v, c.lo, c.hi, got, c.want)
		}
	}
	// Pixel 5 is in the second row at the right.
	img := grey(x, 0, 3, 0, 8)
	r := img.Bounds()
	if v, _, _, _ := img.At(r.Max.X-1, r.Max.Y-1).RGBA(); v != 0 {
		t.Errorf("the largest pixel is %d, want black", v)
	}
	if v, _, _, _ := img.At(0, 0).RGBA(); v != 0xffff {
		t.Errorf("the pixel of 0 is %d, want white", v)
	}
	renders(t, must(Images(mat.NewDense(3, 400, nil), ImagesOptions{}))(t)) // all white
	for _, c := range []struct {
		name  string
		x     mat.Matrix
		o     ImagesOptions
		words []string
	}{
		{"nil", nil, ImagesOptions{}, []string{"no images"}},
		{"empty", &mat.Dense{}, ImagesOptions{}, []string{"0 images"}},
		{"many", mat.NewDense(65, 1, nil), ImagesOptions{}, []string{"65 images"}},
		{"no square", x, ImagesOptions{}, []string{"6 pixels", "Width", "bias"}},
		{"no rows", x, ImagesOptions{Width: 4}, []string{"Width is 4"}},
		{"names", x, ImagesOptions{Width: 3, Names: []string{"A"}}, []string{"1 names"}},
		{"NaN", mat.NewDense(1, 1, []float64{math.NaN()}), ImagesOptions{}, []string{"pixel 0 of image 0", "NaN"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(Images(c.x, c.o))(t, append(c.words, "show: Images")...)
		})
	}
}

func TestROC(t *testing.T) {
	r := must(classify.ScoreROC([]float64{1, 1, 0, 1, 0, 0}, []float64{3, 2, 1, 0.5, -1, -2}))(t)
	fig := must(ROC(ROCOptions{Thresholds: []float64{0, 2, 99}}, ROCCurve{"m", r}, ROCCurve{"again", r}))(t)
	renders(t, fig)
	// a ≥ 0: all three of C₁ and one of C₂; a ≥ 2: two and none; a ≥ 99: none.
	fpr, tpr := column(t, fig, "m.mark.fpr"), column(t, fig, "m.mark.tpr")
	for i, want := range []plotter.XY{{X: round9(1.0 / 3), Y: 1}, {X: 0, Y: round9(2.0 / 3)}, {}} {
		if fpr[i] != want.X || tpr[i] != want.Y {
			t.Errorf("mark %d is (%v, %v), want %v", i, fpr[i], tpr[i], want)
		}
	}
	if auc := column(t, fig, "m.auc")[0]; auc != round9(8.0/9) { // one pair of nine is the wrong way round
		t.Errorf("the area is %v, want 8/9", auc)
	}
	refused(ROC(ROCOptions{}))(t, "show: ROC", "no curve")
	refused(ROC(ROCOptions{}, make([]ROCCurve, 7)...))(t, "7 curves")
	refused(ROC(ROCOptions{}, ROCCurve{"m", nil}))(t, `"m" is nil`, "ScoreROC")
	refused(ROC(ROCOptions{}, ROCCurve{"m", &classify.ROC{}}))(t, "0, 0 and 0")
	refused(ROC(ROCOptions{}, ROCCurve{"m", &classify.ROC{FalsePositive: []float64{math.NaN()}, TruePositive: []float64{0}, Threshold: []float64{0}}}))(t, "point 0", "NaN")
}

func TestCalibration(t *testing.T) {
	c := must(classify.ScoreCalibration([]float64{0, 0, 1, 1, 1}, []float64{0.1, 0.15, 0.15, 0.95, 1}, 10))(t)
	fig := must(Calibration(CalibrationOptions{}, CalibrationCurve{"m", c}))(t)
	renders(t, fig)
	n, p, o := column(t, fig, "m.n"), column(t, fig, "m.predicted"), column(t, fig, "m.observed")
	if len(n) != 2 || n[0] != 3 || n[1] != 2 {
		t.Fatalf("the bins with rows have %v, want 3 and 2", n)
	}
	if p[0] != round9(0.4/3) || o[0] != round9(1.0/3) || p[1] != 0.975 || o[1] != 1 {
		t.Errorf("predicted %v, observed %v", p, o)
	}
	one := must(classify.ScoreCalibration([]float64{1}, []float64{0.5}, 4))(t)
	renders(t, must(Calibration(CalibrationOptions{Title: "one row"}, CalibrationCurve{"m", one}))(t))
	refused(Calibration(CalibrationOptions{}))(t, "show: Calibration", "no curve")
	refused(Calibration(CalibrationOptions{}, make([]CalibrationCurve, 7)...))(t, "7 curves")
	refused(Calibration(CalibrationOptions{}, CalibrationCurve{"m", nil}))(t, `"m" is nil`)
	refused(Calibration(CalibrationOptions{}, CalibrationCurve{"m", &classify.Calibration{}}))(t, "no bin")
	refused(Calibration(CalibrationOptions{}, CalibrationCurve{"m", &classify.Calibration{Bins: []classify.CalibrationBin{{N: 1, Predicted: 2}}}}))(t, "[0,1]")
}

func TestConfusion(t *testing.T) {
	c := &classify.Confusion{Counts: [][]int{{3, 1, 0}, {0, 0, 0}, {2, 2, 4}}}
	for _, shares := range []bool{false, true} {
		fig := must(Confusion(c, ConfusionOptions{Shares: shares, Names: []string{"a_b", "$", "C3"}}))(t)
		renders(t, fig)
		truth, predicted, count, share := column(t, fig, "true"), column(t, fig, "predicted"), column(t, fig, "count"), column(t, fig, "share")
		if truth[7] != 2 || predicted[7] != 1 || count[7] != 2 || share[7] != 0.25 || !math.IsNaN(share[4]) {
			t.Errorf("cell 7: %v %v %v %v; cell 4: %v", truth[7], predicted[7], count[7], share[7], share[4])
		}
	}
	renders(t, must(Confusion(&classify.Confusion{Counts: [][]int{{1 << 40}}}, ConfusionOptions{}))(t))
	for _, c := range []struct {
		name  string
		c     *classify.Confusion
		o     ConfusionOptions
		words []string
	}{
		{"nil", nil, ConfusionOptions{}, []string{"empty"}},
		{"empty", &classify.Confusion{}, ConfusionOptions{}, []string{"empty"}},
		{"ragged", &classify.Confusion{Counts: [][]int{{1, 2}, {3}}}, ConfusionOptions{}, []string{"row 1 has 1"}},
		{"negative", &classify.Confusion{Counts: [][]int{{1, -2}, {3, 1}}}, ConfusionOptions{}, []string{"is -2"}},
		{"many", &classify.Confusion{Counts: make([][]int, 21)}, ConfusionOptions{}, []string{"21 classes"}},
		{"names", c, ConfusionOptions{Names: []string{"a"}}, []string{"1 names for 3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(Confusion(c.c, c.o))(t, append(c.words, "show: Confusion")...)
		})
	}
}

func TestCoefficients(t *testing.T) {
	names := []string{"bias", "x1"}
	inf := math.Inf(1)
	fig := must(Coefficients(names, CoefficientsOptions{},
		CoefficientSet{"a", []float64{1, -2}, []float64{0, -inf}, []float64{2, inf}}, CoefficientSet{Name: "b", Value: []float64{1e-3, 0}}))(t)
	renders(t, fig)
	if lo := column(t, fig, "a.lo"); lo[0] != 0 || !math.IsInf(lo[1], -1) {
		t.Errorf("a.lo is %v", lo)
	}
	p := fig.Panel(0)
	if !(p.X.Min < -2 && p.X.Max > 2) {
		t.Errorf("the range is %v to %v", p.X.Min, p.X.Max)
	}
	for _, scale := range []float64{0, 1e9, 1e-9} {
		renders(t, must(Coefficients(names, CoefficientsOptions{}, CoefficientSet{Name: "a", Value: []float64{scale, -scale}}))(t))
	}
	for _, c := range []struct {
		name  string
		names []string
		o     CoefficientsOptions
		s     []CoefficientSet
		words []string
	}{
		{"no names", nil, CoefficientsOptions{}, []CoefficientSet{{}}, []string{"no weights"}},
		{"no sets", names, CoefficientsOptions{}, nil, []string{"no weights"}},
		{"many", make([]string, 41), CoefficientsOptions{}, make([]CoefficientSet, 1), []string{"41 weights"}},
		{"many sets", names, CoefficientsOptions{}, make([]CoefficientSet, 7), []string{"7 sets"}},
		{"values", names, CoefficientsOptions{}, []CoefficientSet{{Name: "a", Value: []float64{1}}}, []string{"1 values", "2 names"}},
		{"ends", names, CoefficientsOptions{}, []CoefficientSet{{Name: "a", Value: []float64{1, 2}, Hi: []float64{1}}}, []string{"1 upper ends"}},
		{"NaN", names, CoefficientsOptions{}, []CoefficientSet{{Name: "a", Value: []float64{1, math.NaN()}}}, []string{`x1 of "a" is NaN`}},
		{"outside", names, CoefficientsOptions{}, []CoefficientSet{{Name: "a", Value: []float64{1, 2}, Lo: []float64{1, 3}}}, []string{"outside of its interval"}},
		{"range", names, CoefficientsOptions{X: [2]float64{1, 1}}, []CoefficientSet{{Name: "a", Value: []float64{1, 2}}}, []string{"range X"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(Coefficients(c.names, c.o, c.s...))(t, append(c.words, "show: Coefficients")...)
		})
	}
}
