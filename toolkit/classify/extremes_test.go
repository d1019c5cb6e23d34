package classify_test

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// extremes tries extreme and invalid values of the options of a fit. It changes one option at a time,
// calls f after each change, and finally restores the old value. It replaces each slice with slices, and
// each matrix with matrices, of every size in `sizes`. One extreme or invalid number fills the slice, the
// matrix or the diagonal of a symmetric matrix.
type extremes struct {
	sizes [][2]int
	f     func(c change)
}

// change is a new value of a field. path is the path to the field. If invalid is true, a fit must
// reject the value, unless anyNumber matches the path. For a single number, the invalid values are NaN,
// infinities, negative numbers and unknown constants. For a slice or a matrix of numbers, only NaN is
// invalid.
type change struct {
	path, value string
	invalid     bool
}

// field returns the name of the changed field.
func (c change) field() string { return c.path[strings.LastIndex(c.path, ".")+1:] }

func (e extremes) tryValues(name string, v reflect.Value) {
	saved := reflect.New(v.Type()).Elem()
	saved.Set(v)
	defer v.Set(saved)
	try := func(x any, invalid bool) {
		v.Set(reflect.ValueOf(x).Convert(v.Type()))
		e.f(change{name, fmt.Sprint(x), invalid})
	}
	numbers := []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0, math.MaxFloat64, math.SmallestNonzeroFloat64}
	switch v.Kind() {
	case reflect.Float64:
		for _, x := range numbers {
			try(x, !(x >= 0) || math.IsInf(x, 1))
		}
	case reflect.Int:
		for _, x := range []int{-1, 0, 1, math.MinInt, math.MaxInt, math.MaxInt32} {
			try(x, x < 0 || x > 1 && v.Type() != reflect.TypeFor[int]())
		}
	case reflect.Uint64:
		try(uint64(math.MaxUint64), false)
	case reflect.Bool:
		try(!saved.Bool(), false)
	case reflect.Struct:
		for i := range v.NumField() {
			e.tryValues(name+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice:
		numeric := v.Type().Elem().Kind() == reflect.Float64
		for _, size := range e.sizes {
			for _, x := range numbers {
				s := reflect.MakeSlice(v.Type(), size[0], size[0])
				for i := range size[0] {
					if at := s.Index(i); at.Kind() == reflect.Float64 {
						at.SetFloat(x)
					} else if at.Kind() == reflect.Int {
						at.SetInt(int64(max(math.MinInt32, min(math.MaxInt32, x))))
					}
				}
				v.Set(s)
				e.f(change{name, fmt.Sprintf("%d times %v", size[0], x), math.IsNaN(x) && numeric})
			}
		}
	case reflect.Interface, reflect.Pointer:
		e.setImplementations(name, v, numbers)
	}
}

// setImplementations sets v to every solver, prior and matrix that v accepts, one after the other,
// and tries the numbers in each of them. v is an interface or a pointer.
func (e extremes) setImplementations(name string, v reflect.Value, numbers []float64) {
	values := []any{classify.Isotropic{Alpha: 1}, classify.Gaussian{}, classify.Jeffreys{}}
	for _, s := range allSolvers {
		values = append(values, s)
	}
	for _, x := range values {
		if v.Kind() != reflect.Interface || !reflect.TypeOf(x).Implements(v.Type()) {
			continue
		}
		inner := reflect.New(reflect.TypeOf(x)).Elem()
		inner.Set(reflect.ValueOf(x))
		e2 := extremes{e.sizes, func(c change) {
			v.Set(inner)
			e.f(c)
		}}
		e2.tryValues(fmt.Sprintf("%s %T", name, x), inner)
	}
	for _, size := range e.sizes {
		for _, x := range numbers {
			dense := mat.NewDense(size[0], size[1], nil)
			dense.Apply(func(int, int, float64) float64 { return x }, dense)
			sym := mat.NewSymDense(size[0], nil)
			for i := range size[0] {
				sym.SetSym(i, i, x)
			}
			for _, m := range []any{dense, sym} {
				if reflect.TypeOf(m).AssignableTo(v.Type()) {
					v.Set(reflect.ValueOf(m))
					e.f(change{name, fmt.Sprintf("%T, %d×%d times %v", m, size[0], size[1], x), math.IsNaN(x)})
				}
			}
		}
	}
}

// anyNumber matches the paths of options for which a negative or infinite number is valid, and the
// paths of options that the fit ignores.
var anyNumber = regexp.MustCompile(`KeepUpdates|Random|Lower|Upper|Options.Sample.(Prior|Weights)`)

// TestExtremeOptions takes at least one fit for each type of options, and sets every option of this type
// to extreme values. The fit must return an error or a model, without a panic on any goroutine and with
// bounded memory. The error for an invalid value must name the option.
func TestExtremeOptions(t *testing.T) {
	predictor := func(x mat.Matrix, labels []int) (classify.Predictor, error) {
		return classify.FitLDA(x, labels, 2, classify.LDAOptions{})
	}
	bowl := func(z []float64) float64 { return -z[0] * z[0] }
	fits := slices.Concat(distinct(models), others, []suiteEntry{
		{"Gaussian target", 2, twoClass(func(x mat.Matrix, t []float64, f classify.GaussianTarget) (any, error) {
			return classify.FitGLM(x, t, f, classify.GLMOptions{})
		}, classify.GaussianTarget{})},
		{"gamma target", 2, labelled(func(x mat.Matrix, labels []int, _ int, f classify.GammaTarget) (any, error) {
			return classify.FitGLM(x, slices.Repeat([]float64{1.5}, len(labels)), f, classify.GLMOptions{})
		}, classify.GammaTarget{})},
		{"intervals", 2, twoClass(func(x mat.Matrix, t []float64, o classify.ProfileOptions) (any, error) {
			m, err := classify.FitLogistic(x, t, classify.LogisticOptions{Prior: o.Prior, Weights: o.Weights})
			if err != nil {
				return nil, err
			}
			return m.ProfileIntervals(x, t, o)
		}, classify.ProfileOptions{})},
		{"Laplace", 2, unlabelled(func(o classify.LaplaceOptions) (any, error) {
			return classify.Laplace(bowl, []float64{1}, o)
		})},
		{"Laplace at a point", 2, unlabelled(func(o classify.LaplaceOptions) (any, error) {
			return classify.LaplaceAt(bowl, []float64{0}, o)
		})},
		{"Laplace of one variable", 2, unlabelled(func(o classify.Laplace1DOptions) (any, error) {
			return classify.Laplace1D(func(z float64) float64 { return -z * z }, o)
		})},
		{"folds", 2, labelled(func(x mat.Matrix, labels []int, k int, o classify.EvaluateOptions) (any, error) {
			return classify.EvaluateFolds(x, labels, k, predictor, o)
		}, classify.EvaluateOptions{})},
		{"held out", 2, labelled(func(x mat.Matrix, labels []int, k int, o classify.EvaluateOptions) (any, error) {
			return classify.EvaluateHeldOut(x, labels, k, predictor, o)
		}, classify.EvaluateOptions{})},
	})
	// RowsOptions are options of a reader of rows, not of a fit.
	have := map[string]bool{"RowsOptions": true}
	for _, f := range fits {
		have[reflect.TypeOf(f.options).Name()] = true
	}
	for _, m := range regexp.MustCompile(`(?m)^classify: type (\w+Options) struct`).FindAllSubmatch(must(os.ReadFile("../api.txt"))(t), -1) {
		errorIf(t, !have[string(m[1])], "no fit in the table has options of type %s, want at least one", m[1])
	}
	for _, f := range fits {
		t.Run(f.name, func(t *testing.T) {
			x, labels := clouds(24, 2, f.k, 17)
			if f.name == "perceptron" { // the fit converges only on separable classes, so move them apart
				x.Apply(func(i, j int, v float64) float64 { return v + 100*float64(labels[i]*(1-j)) }, x)
			}
			tried := 0
			sizes := [][2]int{{1, 1}, {2, 3}, {3, 2}, {3, 3}, {24, 2}, {6, 6}}
			options := reflect.New(reflect.TypeOf(f.options)).Elem()
			options.Set(reflect.ValueOf(f.options))
			if f.has("MaxIterations") {
				options.FieldByName("MaxIterations").SetInt(20)
			}
			e := extremes{sizes, func(c change) {
				name := c.path + " = " + c.value
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				defer func() {
					r := recover()
					errorIf(t, r != nil, "%s: panic: %v", name, r)
				}()
				m, err := f.call(x, labels, f.k, options.Interface())
				runtime.ReadMemStats(&after)
				errorIf(t, err == nil && m == nil, "%s: got no model and no error", name)
				errorIf(t, after.TotalAlloc-before.TotalAlloc > 1<<28, "%s: the fit allocated %d MB, want at most 256 MB; error %v", name,
					(after.TotalAlloc-before.TotalAlloc)>>20, err)
				if c.invalid && !anyNumber.MatchString(c.path) {
					said := strings.ToLower(fmt.Sprint(err))
					errorIf(t, !strings.HasPrefix(said, "classify: ") || !strings.Contains(said, strings.ToLower(c.field())),
						"%s: got error %v, want an error that begins with \"classify: \" and names the option", name, err)
				}
				tried++
			}}
			e.tryValues(options.Type().Name(), options)
			errorIf(t, tried == 0, "no option was tried, want at least one")
		})
	}
}

// unlabelled returns a fitter that ignores the rows and calls `fit` with the options only.
func unlabelled[M, O any](fit func(O) (M, error)) fitter {
	var o O
	return labelled(func(_ mat.Matrix, _ []int, _ int, o O) (M, error) { return fit(o) }, o)
}

// distinct returns, for each type of options, only the first entry with options of this type.
func distinct(entries []suiteEntry) (out []suiteEntry) {
	for _, e := range entries {
		if e.options != nil && !slices.ContainsFunc(out,
			func(o suiteEntry) bool { return reflect.TypeOf(o.options) == reflect.TypeOf(e.options) }) {
			out = append(out, e)
		}
	}
	return out
}
