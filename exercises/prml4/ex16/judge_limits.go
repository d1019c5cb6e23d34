package ex16

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// judgeLimits looks at outputs of exactly 0 and 1, where a formula that is right
// on paper gives 0·ln 0.
func judgeLimits(f likelihoodFunc) verify.Verdict {
	inf := math.Inf(-1)
	for _, c := range []struct {
		name  string
		q     problem
		want  float64
		where string
	}{
		{"p = 0 where π = 0", problem{[]float64{0, 0.5}, []float64{0, 1}}, math.Log(0.5), "a label that never occurs"},
		{"p = 1 where π = 1", problem{[]float64{1, 0.5}, []float64{1, 0}}, math.Log(0.5), "a label that never occurs"},
		{"p = π = (0, 1, 0)", problem{[]float64{0, 1, 0}, []float64{0, 1, 0}}, 0, "labels that never occur"},
		{"p = 0 where π = 0.3", problem{[]float64{0, 0.5}, []float64{0.3, 0.5}}, inf, ""},
		{"p = 1 where π = 0.3", problem{[]float64{1, 0.5}, []float64{0.3, 0.5}}, inf, ""},
		{"p = 0 where π = 1", problem{[]float64{0}, []float64{1}}, inf, ""},
		{"p = 1 where π = 0", problem{[]float64{1}, []float64{0}}, inf, ""},
	} {
		l, bad := ask(f, c.q)
		if bad != nil {
			return *bad
		}
		switch {
		case c.want == inf && l == inf:
		case c.want == inf && math.IsNaN(l):
			return verify.Fail("zero-times-log", 3, "With %s you returned NaN. In Go 0·ln 0 is 0·(−Inf), which is NaN; leave a term out where its factor is 0.", c.name)
		case c.want == inf:
			return verify.Fail("impossible-label", 3, "With %s a label occurs that the model calls impossible. The likelihood is 0 and its logarithm −Inf; you returned %g. Are the outputs clipped?", c.name, l)
		case math.IsNaN(l):
			return verify.Fail("zero-times-log", 3, "With %s you returned NaN. In Go 0·ln 0 is 0·(−Inf), which is NaN; leave a term out where its factor is 0.", c.name)
		case math.IsInf(l, 0):
			return verify.Fail("label-that-never-occurs", 3, "With %s you returned %g. The model gives probability 0 to %s: nothing is lost.", c.name, l, c.where)
		default:
			if g := verify.Close(l, c.want, tol); !g.OK {
				control := draw(source(6), 5)
				if m := mustAsk(f, control); !verify.Close(m, average(control), tol).OK {
					return verify.Fail("wrong-in-the-middle", 0, "With %s your number is not right; nor is it for probabilities inside (0,1). Mend that first, the third part says more.", c.name)
				}
				return verify.Fail("limits", 3, "With %s your number is %s.", c.name, g.Off())
			}
		}
	}
	return verify.Pass("Nothing is lost where probability 0 is given to a label that never occurs, and everything (−Inf) where it does.")
}
