package main

import (
	"bytes"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Every fit takes the data that all sides read, and predicts.
func TestFits(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"n150_d4_k2", "n150_d4_k3"} {
		s, err := parse(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.write(folder); err != nil {
			t.Fatal(err)
		}
		x, labels, err := s.read(folder)
		if err != nil {
			t.Fatal(err)
		}
		if n, d := x.Dims(); n != s.n || d != s.d || len(labels) != s.n || mat.Max(x) > 100 || mat.Min(x) < -100 {
			t.Fatalf("%s: %d rows of %d, %d labels, from %v to %v", name, n, d, len(labels), mat.Min(x), mat.Max(x))
		}
		for fit, f := range fits {
			if two := map[string]bool{"logistic": true, "probit": true, "laplace": true, "perceptron": true}; two[fit] != (s.k == 2) && fit != "lda" {
				continue
			}
			predict, err := f(x, labels, s.k)
			if err != nil {
				t.Errorf("%s %s: %v", fit, name, err)
				continue
			}
			if a := timed(predict); a.Error != "" || a.Seconds <= 0 {
				t.Errorf("%s %s predicts %+v", fit, name, a)
			}
		}
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
			t.Error("the data differ")
		}
	}
}

func TestParse(t *testing.T) {
	for _, name := range []string{"", "n10_d2", "n0_d2_k2", "n10_d2_k2x", "n10_dx_k2"} {
		if s, err := parse(name); err == nil {
			t.Errorf("%q is read as %+v", name, s)
		}
	}
}
