package classify_test

import (
	"fmt"

	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestOneVerdict compares all models with exact arithmetic on the same points of the plane. Every
// model must report correctly whether a maximum exists. Separable must decide correctly whether the
// classes are strictly separable and return a valid proof. The directions of the fits must separate
// the classes. A fit that reports Converged must be at the optimum, which the test checks in
// arithmetic of 1024 bits.
func TestOneVerdict(t *testing.T) {
	trial, count := 0, map[string]int{}
	planeSets(900, func(name string, x *mat.Dense, target []float64) {
		weak, strict := exactRecession(x, target)
		fail := func(format string, args ...any) {
			t.Errorf(name+": "+format+"\n%v\n%v", append(args, mat.Formatted(x), target)...)
		}
		if s, err := classify.Separable(x, target); err != nil || s.Separable != strict || s.Verify(x, target) != nil {
			fail("%+v, %v, but strictly separable is %v", s, err, strict)
		}
		for i, f := range optima {
			if i > 0 && trial%4 != 0 {
				break
			}
			m, err := f.fit(x, target, classify.LogisticOptions{})
			if err != nil {
				fail("%s: %v", f.name, err)
				continue
			}
			whole := name == "integers" || name == "grid"
			convex := !strings.HasPrefix(f.name, "label")
			if weak && (m.Converged || !m.Separable) || !weak && convex && (m.Separable || whole && !m.Converged) {
				fail("no maximum is %v, %s: %v %s", weak, f.name, m.Separable, m.Reason)
			}
			if weak && f.name == "logistic" && strings.Contains(m.Reason, "quasi") == strict {
				fail("complete separation is %v: %s", strict, m.Reason)
			}
			if weak && whole && convex {
				if least := leastMargin(x, target, m.Direction); least < -1e-10 || strict && least <= 0 {
					fail("%s: direction %v, margin %v", f.name, m.Direction, least)
				}
			}
			if m.Converged && f.same {
				arrived(t, name+", "+f.name, x, target, 0, m.W)
			}
		}
		if trial%4 == 0 && name != "grid" {
			f, err := classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Epsilon: 0.1, Estimate: true})
			if err != nil || weak && !f.Separable || strict && f.Epsilon != 0 {
				fail("label flip: %+v, %v", f, err)
			}
		}
		trial++
		count[fmt.Sprint(weak, strict)]++
	})
	errorIf(t, min(count["true true"], count["true false"], count["false false"]) < 60, "one-sided: %v", count)
}
