package ex22_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex22"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// sum is c[0] ln p(D|θ) + c[1] ln p(θ) + c[2] M ln(2π) + c[3] ln|A|.
func sum(c ...float64) evidenceFunc {
	return func(l, p logDensity, mode []float64, A *mat.SymDense) float64 {
		logDet, _ := mat.LogDet(A)
		return c[0]*l(mode) + c[1]*p(mode) + c[2]*float64(len(mode))*math.Log(2*math.Pi) + c[3]*logDet
	}
}

// width is the reference with another logarithm of the width than ½ ln|A|.
func width(g func(m float64, A *mat.SymDense) float64) evidenceFunc {
	return func(l, p logDensity, mode []float64, A *mat.SymDense) float64 {
		return l(mode) + p(mode) + g(float64(len(mode)), A)
	}
}

func twoPi(m float64) float64 { return m / 2 * math.Log(2*math.Pi) }

func after(g func(v float64, m int) float64) evidenceFunc {
	return func(l, p logDensity, mode []float64, A *mat.SymDense) float64 {
		return g(LogEvidence(l, p, mode, A), len(mode))
	}
}

func TestWrong(t *testing.T) {
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    evidenceFunc
	}{
		{"no M/2 ln 2π", "two-pi-missing", sum(1, 1, 0, -0.5)},
		{"−M/2 ln 2π", "two-pi-sign", sum(1, 1, -0.5, -0.5)},
		{"½ ln 2π", "two-pi-once", width(func(_ float64, A *mat.SymDense) float64 {
			logDet, _ := mat.LogDet(A)
			return twoPi(1) - logDet/2
		})},
		{"M ln 2π", "two-pi-half", sum(1, 1, 1, -0.5)},
		{"M/2 ln π", "pi-for-two-pi", width(func(m float64, A *mat.SymDense) float64 {
			logDet, _ := mat.LogDet(A)
			return m/2*math.Log(math.Pi) - logDet/2
		})},
		{"whole-number M/2", "value", width(func(m float64, A *mat.SymDense) float64 {
			logDet, _ := mat.LogDet(A)
			return float64(int(m)/2)*math.Log(2*math.Pi) - logDet/2
		})},
		{"+½ ln|A|", "determinant-sign", sum(1, 1, 0.5, 0.5)},
		{"both signs", "normaliser-inverted", sum(1, 1, -0.5, 0.5)},
		{"ln|A| without ½", "determinant-half", sum(1, 1, 0.5, -1)},
		{"no ln|A|", "determinant-missing", sum(1, 1, 0.5, 0)},
		{"height only", "occam-missing", sum(1, 1, 0, 0)},
		{"log likelihood", "best-fit-only", sum(1, 0, 0, 0)},
		{"prior forgotten", "prior-forgotten", sum(1, 0, 0.5, -0.5)},
		{"prior twice", "prior-twice", sum(1, 2, 0.5, -0.5)},
		{"prior subtracted", "prior-sign", sum(1, -1, 0.5, -0.5)},
		{"likelihood forgotten", "likelihood-forgotten", sum(0, 1, 0.5, -0.5)},
		{"likelihood twice", "likelihood-twice", sum(2, 1, 0.5, -0.5)},
		{"negative", "sign", sum(-1, -1, -0.5, 0.5)},
		{"base 10", "factor", after(func(v float64, _ int) float64 { return v / math.Ln10 })},
		{"half of all", "factor", after(func(v float64, _ int) float64 { return v / 2 })},
		{"evidence", "evidence-itself", after(func(v float64, _ int) float64 { return math.Exp(v) })},
		{"at the origin", "not-at-the-mode", func(l, p logDensity, mode []float64, A *mat.SymDense) float64 {
			return LogEvidence(l, p, make([]float64, len(mode)), A)
		}},
		{"|A| without logarithm", "log-missing", width(func(m float64, A *mat.SymDense) float64 { return twoPi(m) - mat.Det(A)/2 })},
		{"√|A| without logarithm", "log-missing", width(func(m float64, A *mat.SymDense) float64 { return twoPi(m) - math.Sqrt(mat.Det(A)) })},
		{"diagonal of A", "diagonal-only", width(func(m float64, A *mat.SymDense) float64 {
			s := twoPi(m)
			for i := range int(m) {
				s -= math.Log(A.At(i, i)) / 2
			}
			return s
		})},
		{"trace", "trace-for-determinant", width(func(m float64, A *mat.SymDense) float64 { return twoPi(m) - mat.Trace(A)/2 })},
		{"ln trace", "trace-for-determinant", width(func(m float64, A *mat.SymDense) float64 { return twoPi(m) - math.Log(mat.Trace(A))/2 })},
		{"quarter", "cholesky-half", sum(1, 1, 0.5, -0.25)},
		{"ln of the determinant", "determinant-overflow", width(func(m float64, A *mat.SymDense) float64 { return twoPi(m) - math.Log(mat.Det(A))/2 })},
		{"determinant limited", "determinant", width(func(m float64, A *mat.SymDense) float64 {
			return twoPi(m) - math.Log(math.Max(1e-200, math.Min(1e200, mat.Det(A))))/2
		})},
		{"small ridge", "determinant", func(l, p logDensity, mode []float64, A *mat.SymDense) float64 {
			b := mat.NewSymDense(len(mode), nil)
			b.CopySym(A)
			for i := range mode {
				b.SetSym(i, i, b.At(i, i)+1e-10)
			}
			return LogEvidence(l, p, mode, b)
		}},
		{"depends on the units", "units", width(func(m float64, A *mat.SymDense) float64 { return twoPi(m) - math.Sqrt(mat.Trace(A)) })},
		{"one dimension only", "coin", func(l, p logDensity, mode []float64, A *mat.SymDense) float64 {
			v := LogEvidence(l, p, mode, A)
			if len(mode) == 1 && A.At(0, 0) == 0.5 { // the coin that was never tossed
				return v + 0.3
			}
			return v
		}},
		{"two dimensions, prior without its mean", "logistic", func(l, p logDensity, mode []float64, A *mat.SymDense) float64 {
			v := LogEvidence(l, p, mode, A)
			if p(make([]float64, len(mode))) > p(mode) && len(mode) == 2 {
				v += 0.2
			}
			return v
		}},
		{"not quite Laplace", "logistic", func(l, p logDensity, mode []float64, A *mat.SymDense) float64 {
			v := LogEvidence(l, p, mode, A)
			if p(make([]float64, len(mode))) > p(mode) && len(mode) == 2 {
				v += 1e-4
			}
			return v
		}},
		{"nearly", "value", after(func(v float64, m int) float64 { return v + 1e-5*float64(m) })},
		{"not a number", "not-finite", after(func(float64, int) float64 { return math.NaN() })},
		{"infinite", "not-finite", after(func(float64, int) float64 { return math.Inf(1) })},
		{"huge", "value", after(func(float64, int) float64 { return -math.MaxFloat64 })},
		{"θ of a wrong length", "not-finite", func(l, p logDensity, _ []float64, _ *mat.SymDense) float64 { return l(nil) + p([]float64{1, 2, 3, 4}) }},
		{"changes", "not-constant", after(func(v float64, _ int) float64 { calls++; return v + calls })},
		{"inverts A in place", "mutates-inputs", func(l, p logDensity, mode []float64, A *mat.SymDense) float64 {
			v := LogEvidence(l, p, mode, A)
			A.ScaleSym(2, A)
			return v
		}},
		{"moves the mode", "mutates-inputs", func(l, p logDensity, mode []float64, A *mat.SymDense) float64 {
			v := LogEvidence(l, p, mode, A)
			mode[0]++
			return v
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex22.Exercise(), ex22.Check(tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	gate.Outcome(t, ex22.Check(func(_, _ logDensity, _ []float64, _ *mat.SymDense) float64 { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex22.Check(func(_, _ logDensity, _ []float64, _ *mat.SymDense) float64 { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex22.Check(nil), verify.Crashed)
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex22.Check(LogEvidence).String(), ex22.Check(LogEvidence).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	fmt.Println(ex22.Check(sum(1, 2, 0.5, -0.5)).Parts[1].Message)
	// Output: The prior is counted twice. logLik is ln p(D|θ) alone, without the prior.
}
