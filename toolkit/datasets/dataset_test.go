package datasets

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(d *Dataset)
		want  []string
	}{
		{"no X", func(d *Dataset) { d.X = nil }, []string{"X is nil"}},
		{"no rows", func(d *Dataset) { d.X = &mat.Dense{} }, []string{"0×0"}},
		{"labels", func(d *Dataset) { d.Labels = d.Labels[:2] }, []string{"4 rows", "2 labels"}},
		{"features", func(d *Dataset) { d.FeatureNames = d.FeatureNames[:1] }, []string{"2 columns", "1 feature"}},
		{"label", func(d *Dataset) { d.Labels[3] = 3 }, []string{"row 3", "0…2"}},
		{"feature twice", func(d *Dataset) { d.FeatureNames[1] = "a" }, []string{`"a"`, "twice"}},
		{"class unnamed", func(d *Dataset) { d.ClassNames[1] = "" }, []string{"class 1", "no name"}},
		{"Inf", func(d *Dataset) { d.X.Set(2, 1, math.Inf(1)) }, []string{"row 2", `"b"`, "+Inf"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sample()
			c.spoil(d)
			mentions(t, d.Check(), c.want...)
			_, err := d.Target("red")
			mentions(t, err, c.want...)
			_, _, err = d.Standardize()
			mentions(t, err, c.want...)
			_, _, err = d.Split(0.5, 1)
			mentions(t, err, c.want...)
			mentions(t, WriteCSV(&strings.Builder{}, d), c.want...)
		})
	}
	var none *Dataset
	mentions(t, none.Check(), "nil")
}

func TestStandardize(t *testing.T) {
	d := sample()
	e, s, err := d.Standardize()
	if err != nil {
		t.Fatal(err)
	}
	// mean and variance by hand: (1…4) 2.5, 1.25; (10,20,30,60) 30, 350
	for j, want := range [][2]float64{{2.5, math.Sqrt(1.25)}, {30, math.Sqrt(350)}} {
		if s.Mean[j] != want[0] || math.Abs(s.Std[j]-want[1]) > 1e-15*want[1] {
			t.Errorf("column %d: mean %v, deviation %v", j, s.Mean[j], s.Std[j])
		}
		if got := e.X.At(0, j); math.Abs(got-(d.X.At(0, j)-want[0])/want[1]) > 1e-15 {
			t.Errorf("first row, column %d: %v", j, got)
		}
	}
	back := must(s.Invert(e.X))(t)
	if !mat.EqualApprox(back, d.X, 1e-14) {
		t.Errorf("Invert gives %v", mat.Formatted(back))
	}
	if d.X.At(0, 0) != 1 {
		t.Error("the receiver was changed")
	}
	_, err = s.Apply(mat.NewDense(1, 3, nil))
	mentions(t, err, "1×3", "2 columns")
	_, err = s.Apply(nil)
	mentions(t, err, "nil")
	_, err = s.Invert((*mat.Dense)(nil))
	mentions(t, err, "nil")
	flat := must(d.Rows(0, 0))(t)
	_, _, err = flat.Standardize()
	mentions(t, err, `"a"`, "constant", "Columns")
}

// TestStandardizeScales: offsets and units over the whole range of numbers.
func TestStandardizeScales(t *testing.T) {
	base := []float64{-1, 0.5, 2, 0.25}
	for _, c := range []struct{ scale, offset, tol float64 }{
		{1, 0, 1e-15}, {1e-300, 0, 1e-14}, {1e300, 0, 1e-14}, {1, 1e8, 1e-7}, {1e-150, 1, 0},
	} {
		d := sample()
		for i, v := range base {
			d.X.Set(i, 0, v*c.scale+c.offset)
		}
		e, s, err := d.Standardize()
		if c.tol == 0 { // the spread is lost in the offset: the column is constant
			mentions(t, err, "constant")
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		// the deviation of base, by hand: mean 0.4375, squares sum to 5.3125 − 4·0.4375²
		want := math.Sqrt((5.3125-4*0.4375*0.4375)/4) * c.scale
		if math.Abs(s.Std[0]/want-1) > c.tol {
			t.Errorf("scale %v, offset %v: deviation %v, want %v", c.scale, c.offset, s.Std[0], want)
		}
		if sum := mat.Sum(e.X.ColView(0)); math.Abs(sum) > 1e-7 {
			t.Errorf("scale %v, offset %v: the standardised column sums to %v", c.scale, c.offset, sum)
		}
	}
}
