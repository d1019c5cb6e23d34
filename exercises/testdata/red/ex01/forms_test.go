package ex01_test

import (
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/testdata/red/ex01"
)

type area = func(a, b float64) float64

func TestRight(t *testing.T) {
	for name, answer := range map[string]area{
		"reference": Area,
		"ba":        func(a, b float64) float64 { return b * a },
		"rounded":   func(a, b float64) float64 { return a*b + 1e-15 },
	} {
		t.Run(name, func(t *testing.T) { gate.Right(t, ex01.Check(answer)) })
	}
}

func TestWrong(t *testing.T) {
	for _, tc := range []struct {
		name, key string
		answer    area
	}{
		{"nothing", "zero", func(_, _ float64) float64 { return 0 }},
		{"quotient", "quotient", func(a, b float64) float64 { return a / b }},
		{"sum", "sum", func(a, b float64) float64 { return a + b }},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex01.Exercise(), ex01.Check(tc.answer), tc.key) })
	}
}

func TestSkipped(t *testing.T) { t.Skip("on Tuesdays only") }
