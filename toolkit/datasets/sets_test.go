package datasets

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestSameBytes compares embedded and generated data with recorded hashes, because figures and
// exercises depend on the exact bytes.
func TestSameBytes(t *testing.T) {
	clean, with, err := Outliers(OutliersOptions{})
	if err != nil {
		t.Fatal(err)
	}
	train, _, err := Iris().Split(0.5, 1)
	if err != nil {
		t.Fatal(err)
	}
	byName := func(name string) *Dataset {
		all := All()
		return must(all[slices.IndexFunc(all, func(e Entry) bool { return e.Name == name })].Load())(t)
	}
	wide := mat.NewSymDense(2, []float64{2, 0.6, 0.6, 0.5})
	for _, c := range []struct {
		name string
		d    *Dataset
		want string
	}{
		{"iris", Iris(), "f3d663a4283df4f97170f328afd0dc5cf7307307b5b6052f38591e1df6bdb62e"},
		{"two Gaussians", must(TwoGaussians(TwoGaussiansOptions{}))(t),
			"28f8bb97673e66ed73c8dd2657e9908e7177f8bca8823bfd92006aea6f94964c"},
		{"two Gaussians, three dimensions",
			must(TwoGaussians(TwoGaussiansOptions{N1: 7, N2: 9, Mean1: []float64{1, 2, 3}, Seed: 42}))(t),
			"9fc1cfedb7aa19a8966f2ce4f1de1a7b8c4178f846423873f21240a15e3e6673"},
		{"outliers, clean", clean, "9289d35ad853ab2ff6cdd039c51f1b5c9ba35b9a3fedac45b6b633770de7920e"},
		{"outliers", with, "5652bf50db36055d960ff2073e8d2545bd14eb68b7646d72db4caa515592ae8c"},
		{"split", train, "65870af3db5c41317529734bee84400341a7c688e29d174ba2eaea4a55934a97"},
		{"wine", byName("wine"), "1dcdd0ff3f6d5dd7c8f24bf342c7bce04a2fd27a08a4a685cb1da29af3f31a00"},
		{"crabs", byName("crabs"), "844b9e86c34f3fb839317b918ba6e77a25af802090694f0fd766f69bc09f3bc2"},
		{"cats", byName("cats"), "ba2f1e74e3a70b55c1475ef6ae1c3b8dbfd94f4ca9dcf815de5372fb116abfb9"},
		{"birth weights", byName("birth weights"), "51f2dba60e7e02fb49fbc08a14c8d04d83454eb9df69392b080790c75f363d8f"},
		{"ripley", byName("ripley"), "eecda19b663a2a795480e478e4159a325dce34b0863d0bc59a5cf80f43cbdd16"},
		{"shuttle", byName("shuttle"), "17adb559cca2d34738989fdeaa3d89624b962f74d6f6e2c0445b19c5f2bfb590"},
		{"Gaussians", byName("Gaussians"), "7bb974e6a7b290752d11a35c1641e30940e26fe02b2c93466df9b1e6793044c6"},
		{"three in a row", byName("three in a row"),
			"714fbeeb108a796ff5799ab88326c5661c939c44990e67098558627ef5ced6d5"},
		{"three Gaussians", byName("three Gaussians"),
			"0c471de1cdfa53378806c0a3ac75ace01216c630f68a1d981887237f33be5744"},
		{"sandwich", byName("sandwich"), "b3b4516e992711ee702daf1603278ef6bf8bcb17e1f575ed1a27f13dba69c05b"},
		{"XOR", byName("XOR"), "531c4a9169f77d1ab7aa10118e3a475da727b593f93df92d5a6267634a36f5e6"},
		{"rings", byName("rings"), "40fc1161915f49970d42381d2136a73a48710e91e453bef4eed5b80fc7490c42"},
		{"separable", byName("separable"), "cbca6ef126d2b965578d35d14f0fa555a8fdcd5338f28810ddb54c989e841e66"},
		{"quasi-separable", byName("quasi-separable"),
			"9708effee7b6a696cefcf2300aa68fba940979238bc7ee4ae1e9dca7e7b60f11"},
		{"thresholds", byName("thresholds"), "be3d57165198c28c99fcbd84c64e66d31685ab903e44096eba61eee4c036e98e"},
		{"Gaussians with options",
			must(Gaussians(GaussiansOptions{Means: [][]float64{{0, 0}, {3, 1}}, Covs: []*mat.SymDense{wide},
				N: []int{3, 5}, Seed: 11}))(t), "6b60835f2a3b8ab81f53e1eafdee2c2622b875cf1453ece0fc2ca618c3c35d4f"},
		{"shuffled iris", must(Iris().Shuffle(3))(t),
			"c10fd9e90dd89ffe979275a50975bec7d3361c842f8248b4eb40f566749244bc"},
		{"mislabelled iris", must(Iris().FlipLabels(0.2, 3))(t),
			"1d96840c21f7987954ea21ce68b7295a0a7882db589ee636c4440cd11518b593"},
	} {
		if got := hash(t, c.d); got != c.want {
			t.Errorf("%s: got the hash %s, want %s", c.name, got, c.want)
		}
	}
}

// wantMoments checks that the mean and the covariance of each class differ from the wanted values
// by at most four standard errors.
func wantMoments(t *testing.T, d *Dataset, means [][]float64, covs []*mat.SymDense) {
	t.Helper()
	for k, cov := range covs {
		e := must(d.Class(d.ClassNames[k]))(t)
		n := float64(e.N())
		for i := range 2 {
			a := mat.Sum(e.X.ColView(i)) / n
			if math.Abs(a-means[k][i]) > 4*math.Sqrt(cov.At(i, i)/n) {
				t.Errorf("class %d: component %d of the mean is %v, want %v within four standard errors", k, i, a, means[k][i])
			}
			for j := range 2 {
				b := mat.Sum(e.X.ColView(j)) / n
				got := mat.Dot(e.X.ColView(i), e.X.ColView(j))/n - a*b
				if se := math.Sqrt((cov.At(i, i)*cov.At(j, j) + cov.At(i, j)*cov.At(i, j)) / n); math.Abs(got-cov.At(i, j)) > 4*se {
					t.Errorf("class %d: element (%d,%d) of the covariance is %v, want %v within four standard errors", k, i, j, got, cov.At(i, j))
				}
			}
		}
	}
}

func sym(v ...float64) *mat.SymDense { return mat.NewSymDense(int(math.Sqrt(float64(len(v)))), v) }

func TestGaussians(t *testing.T) {
	cov := sym(2, 0.6, 0.6, 0.5)
	d := must(TwoGaussians(TwoGaussiansOptions{N1: 20000, N2: 10000, Mean1: []float64{3, 0}, Mean2: []float64{0, -1},
		Cov1: cov, Seed: 3}))(t)
	if !slices.Equal(d.ClassNames, []string{"C1", "C2"}) || !slices.Equal(d.Counts(), []int{20000, 10000}) ||
		d.Labels[0] != 0 {
		t.Fatalf("got the classes %v (want [C1 C2]), the counts %v (want [20000 10000]) and the first label %d (want 0)", d.ClassNames, d.Counts(), d.Labels[0])
	}
	wantMoments(t, d, [][]float64{{3, 0}, {0, -1}}, []*mat.SymDense{cov, cov})
	if one := must(TwoGaussians(TwoGaussiansOptions{Cov1: sym(4)}))(t); one.D() != 1 {
		t.Errorf("with a 1×1 covariance got D = %d, want 1", one.D())
	}

	o := GaussiansOptions{
		Means: [][]float64{{0, 1}, {5, 5}, {-3, 2}}, N: []int{20000, 10000, 15000}, Seed: 4,
		Covs: []*mat.SymDense{sym(1, 0.5, 0.5, 2), sym(0.3, 0, 0, 0.1), sym(4, -1, -1, 1)},
	}
	d = must(Gaussians(o))(t)
	if got := strings.Join(d.ClassNames, " "); got != "C1 C2 C3" || !slices.Equal(d.Counts(), o.N) {
		t.Fatalf("got the classes %q (want \"C1 C2 C3\") with the counts %v (want %v, as in the option N)", got, d.Counts(), o.N)
	}
	wantMoments(t, d, o.Means, o.Covs)

	o = GaussiansOptions{Means: [][]float64{{1}, {2}, {3}}, N: []int{2, 0, 1}, Classes: []string{"b", "a", "b"}}
	d = must(Gaussians(o))(t)
	if !slices.Equal(d.ClassNames, []string{"b", "a"}) || !slices.Equal(d.Labels, []int{0, 0, 0}) {
		t.Errorf("got the classes %v (want [b a]) and the labels %v (want [0 0 0])", d.ClassNames, d.Labels)
	}
	if len(o.N) != 3 || o.N[1] != 0 || o.Covs != nil {
		t.Errorf("the caller's options were changed: %+v", o)
	}

	// C1 and C2 have the same covariance, and C3 has a different covariance.
	shared := sym(0.6, 0.25, 0.25, 0.5)
	wantMoments(t, must(ThreeGaussians(SceneOptions{N: 40000}))(t), [][]float64{{-1.5, -0.5}, {1.5, -0.5}, {0, 2}},
		[]*mat.SymDense{shared, shared, sym(1.2, -0.3, -0.3, 0.25)})
}

// TestGeneratorErrors checks that a generator returns an error for invalid options and for data of
// more than 1 GB. If the data would be too large, the generator must return the error before it draws
// any points.
func TestGeneratorErrors(t *testing.T) {
	const huge = math.MaxInt / 2
	nan, inf, one := math.NaN(), math.Inf(1), []float64{1}
	indefinite, plane := sym(1, 2, 2, 1), sym(1, 0, 0, 1)
	two := func(o TwoGaussiansOptions) error { return errorOf(TwoGaussians(o)) }
	some := func(o GaussiansOptions) error { return errorOf(Gaussians(o)) }
	rings := func(o RingsOptions) error { return errorOf(Rings(o)) }
	separable := func(o SeparableOptions) error { return errorOf(Separable(o)) }
	thresholds := func(o ThresholdsOptions) error { return errorOf(Thresholds(o)) }
	wantErrors(t, "datasets: ", map[string]error{
		"TwoGaussians|Mean2 has 1 entries|Mean1 has 2": two(TwoGaussiansOptions{Mean1: []float64{1, 2}, Mean2: one}),
		"TwoGaussians|Mean2[1]|NaN":                    two(TwoGaussiansOptions{Mean2: []float64{1, nan}}),
		"TwoGaussians|Cov1|2×2|1 entries":              two(TwoGaussiansOptions{Mean1: one, Cov1: plane}),
		"TwoGaussians|Cov2|not positive definite":      two(TwoGaussiansOptions{Cov2: indefinite}),
		"TwoGaussians|Cov1|(0,0)":                      two(TwoGaussiansOptions{Cov1: sym(inf, 0, 0, 1)}),
		"Means|one row per cloud":                      some(GaussiansOptions{Means: [][]float64{}}),
		"Means[0] is missing or empty":                 some(GaussiansOptions{Means: [][]float64{{}}}),
		"Means[1] has 1|Means[0] has 2":                some(GaussiansOptions{Means: [][]float64{{1, 2}, {1}}}),
		"Means[0][1]|NaN":                              some(GaussiansOptions{Means: [][]float64{{1, nan}}}),
		"N has 2|3 clouds":                             some(GaussiansOptions{N: []int{1, 2}}),
		"N[0] is -1":                                   some(GaussiansOptions{N: []int{-1}}),
		"N is 0":                                       some(GaussiansOptions{N: []int{0}}),
		"Covs has 2|3 clouds":                          some(GaussiansOptions{Covs: []*mat.SymDense{plane, plane}}),
		"Covs[0] is nil":                               some(GaussiansOptions{Covs: []*mat.SymDense{nil}}),
		"Covs[0]|2×2|1 entries": some(GaussiansOptions{Means: [][]float64{{1}},
			Covs: []*mat.SymDense{plane}}),
		"Covs[0]|not positive definite":    some(GaussiansOptions{Covs: []*mat.SymDense{indefinite}}),
		"Classes has 1|3 clouds":           some(GaussiansOptions{Classes: []string{"a"}}),
		"class 1|no name":                  some(GaussiansOptions{Classes: []string{"a", "", "b"}}),
		"XOR|Spread is -1":                 errorOf(XOR(SceneOptions{Spread: -1})),
		"three Gaussians|Spread is 1e+200": errorOf(ThreeGaussians(SceneOptions{Spread: 1e200})),
		"Rings|Radii is empty":             rings(RingsOptions{Radii: []float64{}}),
		"Rings|Radii[1] is -2":             rings(RingsOptions{Radii: []float64{1, -2}}),
		"Rings|Radii[0] is +Inf":           rings(RingsOptions{Radii: []float64{inf}}),
		"Rings|Noise is -1":                rings(RingsOptions{Noise: -1}),
		"Separable|Margin is 1.5":          separable(SeparableOptions{Margin: 1.5}),
		"Thresholds|Low = 2":               thresholds(ThresholdsOptions{Low: 2, High: 1}),
		"Thresholds|High = +Inf":           thresholds(ThresholdsOptions{High: inf}),
		"Thresholds|1, 0 and 1 entries":    thresholds(ThresholdsOptions{Means: one}),
		"Thresholds|0, 1 and 0":            thresholds(ThresholdsOptions{Stds: one}),
		"Thresholds|Means[0] is NaN":       thresholds(ThresholdsOptions{Means: []float64{nan}, Stds: one}),
		"Thresholds|Stds[0] is 0":          thresholds(ThresholdsOptions{Means: one, Stds: []float64{0}}),
		"Thresholds|Weights[0] is -1": thresholds(ThresholdsOptions{Means: one, Stds: one,
			Weights: []float64{-1}}),
	})
	wantErrors(t, "GB", map[string]error{"datasets: ": some(GaussiansOptions{N: []int{huge}}),
		"Gaussians": some(GaussiansOptions{N: []int{1, huge, 1}})})
	for name, draw := range map[string]any{"TwoGaussians": TwoGaussians, "": Outliers, "Rings": Rings,
		"Separable": Separable, "Thresholds": Thresholds, "three in a row": ThreeInARow, "XOR": XOR,
		"sandwich": Sandwich, "three Gaussians": ThreeGaussians} {
		f := reflect.ValueOf(draw)
		for _, field := range reflect.VisibleFields(f.Type().In(0)) {
			spoil := func(v any, words string) {
				o := reflect.New(f.Type().In(0)).Elem()
				o.FieldByIndex(field.Index).Set(reflect.ValueOf(v))
				out := f.Call([]reflect.Value{o})
				err, _ := out[len(out)-1].Interface().(error)
				wantErrors(t, "datasets: "+name, map[string]error{words: err})
			}
			switch field.Type.Kind() {
			case reflect.Int:
				spoil(-1, field.Name+" is -1")
				spoil(huge, "GB")
			case reflect.Float64:
				spoil(nan, field.Name+"|NaN")
			}
		}
	}
}

// classShare returns the fraction of the rows of class k that a least-squares fit assigns to class
// k. The targets are 1-of-K codes, PRML (4.16).
func classShare(t *testing.T, d *Dataset, k int) float64 {
	t.Helper()
	ones, target := mat.NewDense(d.N(), 1, nil), mat.NewDense(d.N(), d.K(), nil)
	for i, l := range d.Labels {
		ones.Set(i, 0, 1)
		target.Set(i, l, 1)
	}
	x := new(mat.Dense)
	x.Augment(ones, d.X)
	var w, y mat.Dense
	if err := w.Solve(x, target); err != nil {
		t.Fatal(err)
	}
	y.Mul(x, &w)
	right := 0
	for i, l := range d.Labels {
		row := y.RawRowView(i)
		if l == k && slices.Index(row, slices.Max(row)) == k {
			right++
		}
	}
	return float64(right) / float64(d.Counts()[k])
}

// TestScenes checks, with several seeds, that least squares assigns only a limited fraction of one
// class correctly. The doc comment of each scene states that no line separates this class from the
// others.
func TestScenes(t *testing.T) {
	for _, c := range []struct {
		draw  func(SceneOptions) (*Dataset, error)
		class int
		most  float64
	}{{ThreeInARow, 1, 0.5}, {XOR, 0, 0.75}, {Sandwich, 1, 0.5}} {
		for seed := range uint64(5) {
			d := must(c.draw(SceneOptions{Seed: seed}))(t)
			if r := classShare(t, d, c.class); r > c.most {
				t.Errorf("%s, seed %d: least squares assigns the share %v of class %s correctly, want at most %v",
					d.Name, seed, r, d.ClassNames[c.class], c.most)
			}
		}
	}
	// Compare the first cloud for two values of Spread. Both clouds use the same random numbers.
	near := must(XOR(SceneOptions{N: 2000}))(t).takeRows(ascending(2000))
	far := must(XOR(SceneOptions{N: 2000, Spread: 3}))(t).takeRows(ascending(2000))
	_, s, _ := near.Standardize()
	_, l, _ := far.Standardize()
	if r := l.Std[0] / s.Std[0]; math.Abs(r-3) > 1e-6 {
		t.Errorf("Spread = 3 multiplies the standard deviation by %v, want 3", r)
	}
	must(Sandwich(SceneOptions{Spread: 1e-100}))(t)
}

func TestRings(t *testing.T) {
	d := must(Rings(RingsOptions{N: 500, Radii: []float64{1, 5, 10}, Noise: 0.1, Seed: 2}))(t)
	if !slices.Equal(d.Counts(), []int{500, 500, 500}) {
		t.Fatalf("got the counts %v, want [500 500 500]", d.Counts())
	}
	for i, l := range d.Labels {
		// The tolerance 0.5 is five standard deviations of the noise.
		if r := math.Hypot(d.X.At(i, 0), d.X.At(i, 1)); math.Abs(r-[]float64{1, 5, 10}[l]) > 0.5 {
			t.Errorf("row %d of class %d has the radius %v, which differs from the radius of the class by more than 0.5", i, l, r)
		}
	}
}

func TestSeparable(t *testing.T) {
	for _, o := range []SeparableOptions{{}, {D: 1}, {D: 7, N: 20}, {Margin: 1, N: 9}, {Touching: 4, Margin: 0.5},
		{D: 1, Touching: 2}, {D: 3, Touching: 1, Seed: 8}} {
		d := must(Separable(o))(t)
		n := o.N
		if n == 0 {
			n = 50
		}
		if !slices.Equal(d.Counts(), []int{n + o.Touching, n + o.Touching}) {
			t.Fatalf("%+v: got the numbers of rows %v, want N + Touching = %d for each class", o, d.Counts(), n+o.Touching)
		}
		margin := o.Margin
		if margin == 0 {
			margin = 0.1
		}
		for i, l := range d.Labels {
			y := d.X.At(i, 0) - 0.5
			length := 1.0
			if d.D() > 1 {
				y += d.X.At(i, 1)
				length = math.Sqrt2
			}
			if l == 1 {
				y = -y
			}
			switch {
			case i >= 2*n && y != 0:
				t.Errorf("%+v: the touching row %d is at the distance %v from the plane, want 0", o, i, math.Abs(y)/length)
			case i < 2*n && y/length < margin:
				t.Errorf("%+v: row %d is at the distance %v from the plane (negative: on the wrong side), want at least the margin %v", o, i, y/length, margin)
			}
		}
		if o.Touching > 0 && !slices.Equal(d.X.RawRowView(2*n), d.X.RawRowView(2*n+1)) {
			t.Errorf("%+v: the first two touching points differ, want equal points", o)
		}
	}
}

// TestThresholds divides the range of the input into bins. In each bin, the fraction of the class
// "on" must agree with the cumulative distribution function of the mixture, PRML (4.113).
func TestThresholds(t *testing.T) {
	d := must(Thresholds(ThresholdsOptions{N: 200000, Seed: 1}))(t)
	cdf := func(a, mean, std float64) float64 { return math.Erfc((mean-a)/(std*math.Sqrt2)) / 2 }
	const bins = 40
	var ones, all, want [bins]float64
	for i, l := range d.Labels {
		a := d.X.At(i, 0)
		b := int((a + 4) / 8 * bins)
		all[b]++
		ones[b] += float64(1 - l)
		want[b] += 0.6*cdf(a, -1, 0.8) + 0.4*cdf(a, 1.5, 0.5)
	}
	for b := range bins {
		p := want[b] / all[b]
		if se := math.Sqrt(p * (1 - p) / all[b]); math.Abs(ones[b]/all[b]-p) > 4*se+1e-3 {
			t.Errorf("bin %d: the share of class \"on\" is %v, want %v within four standard errors plus 0.001", b, ones[b]/all[b], p)
		}
	}
	if d.FeatureNames[0] != "a" || d.ClassNames[0] != "on" {
		t.Errorf("got the features %v and the classes %v, want the first feature \"a\" and the first class \"on\"",
			d.FeatureNames, d.ClassNames)
	}
	// Check the default weights, which are equal if Means and Stds are set, and the weights 3 and 1.
	for w, want := range map[float64]float64{1: 2000, 3: 3000} {
		o := ThresholdsOptions{N: 4000, Means: []float64{-3, 3}, Stds: []float64{0.01, 0.01}, Low: -1, High: 1}
		if w > 1 {
			o.Weights = []float64{w, 1}
		}
		if n := must(Thresholds(o))(t).Counts()[0]; math.Abs(float64(n)-want) > 4*math.Sqrt(1000) {
			t.Errorf("with the weights %v, %d of 4000 inputs have the class \"on\", want %v ± %.0f", o.Weights, n, want, 4*math.Sqrt(1000))
		}
	}
}

// TestRealSets checks words in the field Source of every embedded set. Except for Ripley and Shuttle,
// it also compares the means of the first columns with published means, most of which have few digits.
// The published means come from scikit-learn's description for wine, from colMeans() in R for iris, and
// from summary() in R for the data sets of MASS. TestSameBytes checks the rows and all names.
func TestRealSets(t *testing.T) {
	for _, c := range []struct {
		d      *Dataset
		source string // words in the field Source, separated by |
		means  []float64
		tol    float64
	}{
		{Iris(), "Fisher|CC BY 4.0", []float64{5.843333, 3.057333, 3.758, 1.199333}, 1e-6},
		{Wine(), "Forina|CC BY 4.0|doi 10.24432/C5PC7J", []float64{13.0, 2.34, 2.36, 19.5, 99.7, 2.29, 2.03}, 0.05},
		{Crabs(), "Campbell|MASS", []float64{15.58, 12.74, 32.11, 36.41, 14.03}, 0.005},
		{Cats(), "Fisher|MASS", []float64{2.724, 10.63}, 0.005},
		{BirthWeights(), "Hosmer|MASS", []float64{23.24, 129.8, 26. / 189, 67. / 189}, 0.05},
		{Ripley(), "Ripley|synth.tr", nil, 0},
		{Shuttle(), "Michie|MASS", nil, 0},
	} {
		wantMention(t, errors.New(c.d.Source), strings.Split(c.source, "|")...)
		for j, want := range c.means {
			if got := mat.Sum(c.d.X.ColView(j)) / float64(c.d.N()); math.Abs(got-want) > c.tol {
				t.Errorf("%s: the mean of %s is %v, want %v ± %v", c.d.Name, c.d.FeatureNames[j], got, want, c.tol)
			}
		}
	}
}

func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range All() {
		if seen[e.Name] || e.About == "" {
			t.Errorf("the name %s occurs twice, or its description %q is empty", e.Name, e.About)
		}
		seen[e.Name] = true
		d := must(e.Load())(t)
		if err := d.Check(); err != nil || d.Source == "" || strings.HasPrefix(d.Source, "synthetic") != e.Synthetic {
			t.Errorf("%s: Check returns %v, Synthetic is %v and the source is %q; want no error, and a non-empty source that begins with \"synthetic\" if and only if Synthetic is true", e.Name, err, e.Synthetic, d.Source)
		}
		before := hash(t, d)
		d.X.Zero()
		d.ClassNames[0] = "changed"
		if again := must(e.Load())(t); hash(t, again) != before {
			t.Errorf("%s: the results of two calls of Load share memory", e.Name)
		}
	}
	wantMention(t, errorOf(Entry{Name: "mine"}.Load()), `"mine"`, "All")
}
