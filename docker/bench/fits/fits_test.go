package main

import (
	"bytes"
	"errors"
	"math"
	"os"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// writtenData writes data to the folder, reads the data back and returns them. The argument `name`
// is the name of the data's size, such as n1000_d10_k2.
func writtenData(t *testing.T, folder, name string) (s size, x *mat.Dense, labels []int) {
	t.Helper()
	s, err := parse(name)
	if err == nil {
		err = s.write(folder)
	}
	if err == nil {
		x, labels, err = s.read(folder)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s, x, labels
}

// TestFits checks that every fit accepts data of two classes, that every fit for several classes
// also accepts data of three classes, and that the fitted models can predict.
func TestFits(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"n150_d4_k2", "n150_d4_k3"} {
		s, x, labels := writtenData(t, folder, name)
		if n, d := x.Dims(); n != s.n || d != s.d || len(labels) != s.n || mat.Max(x) > 100 || mat.Min(x) < -100 {
			t.Fatalf("%s: got %d rows with %d columns, %d labels, and values from %v to %v; want the rows and columns of the name, a label for each row, and values from −100 to 100", name, n, d, len(labels), mat.Min(x), mat.Max(x))
		}
		for fit, f := range fits {
			if s.k != 2 && slices.Contains([]string{"logistic", "logistic-ridge", "probit", "laplace", "perceptron"}, fit) {
				continue
			}
			predict, err := f(inputs{x, labels, oneAgainstRest(labels), s.k})
			if err != nil {
				t.Errorf("%s %s: %v", fit, name, err)
				continue
			}
			if a := medianTime(predict); a.Error != "" || a.Seconds <= 0 {
				t.Errorf("%s %s: got the prediction time %+v, want a positive time and no error", fit, name, a)
			}
		}
	}
}

// TestTolerance checks that the logistic, probit and Laplace fits with stepTolerance are as accurate
// as the Python and R libraries in the benchmark. The absolute value of every entry of the gradient,
// divided by the number of rows, must be at most 1e-8.
func TestTolerance(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"n150_d4_k2", "n1000_d10_k2", "n60000_d5_k2"} {
		s, x, labels := writtenData(t, folder, name)
		end := func(fit string, w []float64, o *classify.Objective, err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("%s %s: %v", fit, name, err)
			}
			g, err := o.Gradient(w)
			if err != nil {
				t.Fatal(err)
			}
			if most := floats.Norm(g, math.Inf(1)) / float64(s.n); !(most <= 1e-8) {
				t.Errorf("%s %s: the largest absolute entry of the gradient, divided by the number of rows, is %v, want at most 1e-8",
					fit, name, most)
			}
		}
		target, prior := oneAgainstRest(labels), classify.Isotropic{Alpha: 1}
		logistic, err1 := classify.FitLogistic(x, target, classify.LogisticOptions{Tolerance: stepTolerance(x)})
		o, err2 := classify.LogisticObjective(x, target, nil)
		end("logistic", logistic.W, o, errors.Join(err1, err2))
		probit, err1 := classify.FitProbit(x, target, classify.ProbitOptions{Tolerance: stepTolerance(x)})
		o, err2 = classify.ProbitObjective(x, target, nil)
		end("probit", probit.W, o, errors.Join(err1, err2))
		bayes, err1 := classify.FitBayesLogistic(x, target,
			classify.BayesLogisticOptions{Prior: prior, Tolerance: stepTolerance(x)})
		o, err2 = classify.LogisticObjective(x, target, prior)
		end("laplace", bayes.W, o, errors.Join(err1, err2))
	}
}

// TestLimits checks that parallelSum adds every number, even if some processors add more numbers
// than others. It also checks that the measured limits are plausible. The program must read at
// least 10 MB/s. With vector instructions, it must perform at least 10⁸ multiplications and additions
// per second.
func TestLimits(t *testing.T) {
	x := mat.NewDense(331, 7, nil)
	x.Apply(func(i, j int, _ float64) float64 { return float64(i + 1000*j) }, x)
	if got, want := parallelSum(x), mat.Sum(x); got != want {
		t.Errorf("got the sum %v, want %v", got, want)
	}
	l := measureLimits(x)
	if l.Path == "" || !(l.Read > 0 && l.Read < 8*331*7/1e7) || l.Flops != 0 && l.Flops < 1e8 {
		t.Errorf("got the limits %+v, want a Path, a positive Read below 0.0018536 s (10 MB/s), and Flops that are 0 or at least 1e8", l)
	}
}

// TestPeakMemory checks that peakMemory counts only the memory that the measured function
// allocates. The test measures a function that allocates 200 MB, and then a function that allocates
// 40 MB. If peakMemory still counted the memory of the first function, the second result would be
// too large.
func TestPeakMemory(t *testing.T) {
	hold := func(mb int) func() error {
		return func() error {
			b := make([]byte, mb<<20)
			for i := 0; i < len(b); i += 1 << 10 {
				b[i] = 1
			}
			runtime.KeepAlive(b)
			return nil
		}
	}
	for _, mb := range []int{200, 40} {
		if w := peakMemory(hold(mb)); w.Error != "" || w.Extra < float64(mb)-4 || w.Extra > float64(mb)+15 {
			t.Errorf("for a function that allocates %d MB, peakMemory returns %+v, want Extra from 4 MB below to 15 MB above this size", mb, w)
		}
	}
	if w := peakMemory(func() error { return errors.New("no") }); w.Error != "no" {
		t.Errorf("for a function that returns the error \"no\", peakMemory returns %+v, want this error", w)
	}
}

func TestDataAreTheSameEveryTime(t *testing.T) {
	s := size{50, 3, 2}
	var first []byte
	for range 2 {
		folder := t.TempDir()
		if err := s.write(folder); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(s.file(folder, "x"))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = text
		} else if !bytes.Equal(first, text) {
			t.Error("two calls of write with the same size write different rows, want the same rows")
		}
	}
}

func TestParse(t *testing.T) {
	for _, name := range []string{"", "n10_d2", "n0_d2_k2", "n10_d2_k2x", "n10_dx_k2"} {
		if s, err := parse(name); err == nil {
			t.Errorf("parse accepts the invalid name %q as %+v, want an error", name, s)
		}
	}
}
