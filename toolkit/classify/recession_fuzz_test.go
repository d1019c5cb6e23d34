package classify

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

// FuzzVerdict: on points of the plane of any size, near or at the edge of being
// separable, logistic regression and the softmax of two classes say of the
// existence of the maximum what exact arithmetic says, Separable decides as it
// does and proves it; under a prior both models have an optimum, and
// where they say to have reached it they have, to 1e-8 standard errors and of the
// weights: judged in arithmetic of a thousand bits, each fit by itself.
func FuzzVerdict(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 1, 1, 2, 3, 0, 4, 5, 1}, byte(0))
	f.Add([]byte{0, 0, 0, 1, 1, 1, 2, 0, 1, 0, 1, 0, 1, 0, 1, 2, 1, 0, 0, 8, 1}, byte(0)) // one entry of 1e9
	f.Add([]byte{5, 0, 0, 3, 0, 0, 1, 0, 0, 12, 0, 1, 2, 0, 1, 6, 0, 1}, byte(0))         // a last bit apart
	f.Add([]byte{3, 0, 0, 4, 0, 0, 1, 0, 1, 2, 0, 1}, byte(16))
	f.Add([]byte{3, 0, 0, 1, 0, 1, 5, 0, 1, 6, 0, 1, 11, 0, 1}, byte(1))
	values := []float64{0, 1, 2, -1, -2, -3, 3, 0.5, 1e9, -1e9, 1e15, 1e37, math.Nextafter(1, 2), 1e-12, -1e-12, 1e5}
	f.Fuzz(func(t *testing.T, b []byte, weak byte) {
		n := len(b) / 3
		if n < 2 || n > 16 {
			return
		}
		x, target, labels := mat.NewDense(n, 2, nil), make([]float64, n), make([]int, n)
		for i := range n {
			x.SetRow(i, []float64{values[b[3*i]%16], values[b[3*i+1]%16]})
			target[i] = float64(b[3*i+2] % 2)
			labels[i] = 1 - int(target[i])
		}
		if check.OneClass(target) != nil {
			return
		}
		if weak > 0 {
			alpha := math.Pow(10, -float64(weak%19))
			l, err := FitLogistic(x, target, LogisticOptions{Prior: Isotropic{Alpha: alpha}})
			if err != nil {
				t.Fatal(err)
			}
			s, err := FitSoftmax(x, labels, 2, SoftmaxOptions{Prior: Isotropic{Alpha: 2 * alpha}})
			if err != nil {
				t.Fatal(err)
			}
			if l.Separable || s.Separable {
				t.Errorf("logistic %v %s, softmax %v %s", l.W, l.Reason, s.W, s.Reason)
			}
			if l.Converged {
				arrived(t, "logistic", x, target, alpha, l.W)
			}
			if s.Converged {
				arrived(t, "softmax", x, target, alpha, contrastOf(s.W))
			}
			return
		}
		none, strict := exactRecession(x, target)
		s, err := Separable(x, target)
		if err == nil {
			err = s.Verify(x, target)
		}
		narrow := strict && err != nil && strings.Contains(err.Error(), "53 bits") // as documented
		if !narrow && (err != nil || s.Separable != strict) {
			t.Errorf("strictly separable is %v: %+v, %v", strict, s, err)
		}
		l, err := FitLogistic(x, target, LogisticOptions{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := FitSoftmax(x, labels, 2, SoftmaxOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if l.Separable != none || m.Separable != none || none && (l.Converged || m.Converged) {
			t.Errorf("no maximum is %v: logistic %s, softmax %s", none, l.Reason, m.Reason)
		}
		// Of columns that are dependent to rounding, as Rank says, w is the shortest.
		if l.Converged && l.Rank == 3 {
			arrived(t, "logistic", x, target, 0, l.W)
		}
		if m.Converged && l.Rank == 3 {
			arrived(t, "softmax", x, target, 0, contrastOf(m.W))
		}
	})
}
