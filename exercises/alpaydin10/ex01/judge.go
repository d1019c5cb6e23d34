package ex01

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A question is one basis function with its numbers, and the learner's answer.
type question struct {
	name     string // of the function with its numbers
	ask      func() (Region, *verify.Verdict)
	right    Region
	mistakes []mistake
	other    func(Region) *mistake // recognises a mistake of many forms; may be nil
}

// A mistake is a wrong region that a known misunderstanding leads to.
type mistake struct {
	key     string
	hint    int
	region  Region
	message string
}

// maxEdges bounds what a learner's region may be built of.
const maxEdges = 400

// judge compares regions as sets: at points on every edge that occurs in either of
// them, beside it, where edges cross, and at random up to far out. Two regions of
// these edges that agree there agree.
func judge(list []question, pass string) verify.Verdict {
	for _, q := range list {
		got, bad := q.ask()
		if bad != nil {
			return *bad
		}
		switch {
		case got.has == nil:
			return verify.Fail("empty", 1, "You returned no region for %s. Begin with ex01.Everywhere(), ex01.Nowhere() or a condition such as ex01.X1.Above(0).", q.name)
		case got.fault != "":
			return verify.Fail("invalid-region", 0, "Your region for %s is no region: %s.", q.name, got.fault)
		case len(got.edges) > maxEdges:
			return verify.Fail("too-many-edges", 1, "Your region for %s is built of %d conditions. Infinitely many lines at equal distances are one Lattice.", q.name, len(got.edges))
		}
		points := places(got, q)
		x, same := differ(got, q.right, points)
		if same {
			continue
		}
		for _, m := range q.mistakes {
			if _, same := differ(got, m.region, points); same {
				return verify.Fail(m.key, m.hint, "%s", m.message)
			}
		}
		if q.other != nil {
			if m := q.other(got); m != nil {
				return verify.Fail(m.key, m.hint, "%s", m.message)
			}
		}
		if got.has(x[0], x[1]) {
			return verify.Fail("too-much", 2, "Your region for %s contains x = (%.4g, %.4g), where the function is zero or not defined.", q.name, x[0], x[1])
		}
		return verify.Fail("too-little", 2, "Your region for %s leaves out x = (%.4g, %.4g), where the function is not zero.", q.name, x[0], x[1])
	}
	return verify.Pass("%s", pass)
}

// differ returns the first of the points that lies in one region only.
func differ(a, b Region, points [][2]float64) (x [2]float64, same bool) {
	for _, x := range points {
		if a.has(x[0], x[1]) != b.has(x[0], x[1]) {
			return x, false
		}
	}
	return x, true
}

// places are the points at which the regions of a question are compared.
func places(got Region, q question) [][2]float64 {
	r := instance.Source(1001, 1)
	var out [][2]float64
	edges := append(append([]edge(nil), got.edges...), q.right.edges...)
	for _, e := range edges {
		out = append(out, e.points(r)...)
	}
	for i, e := range edges[:min(len(edges), 40)] {
		for _, f := range edges[:i] {
			if x, ok := e.cross(f); ok {
				out = append(out, x)
			}
		}
	}
	for _, m := range q.mistakes {
		for _, e := range m.region.edges {
			out = append(out, e.points(r)...)
		}
	}
	for i := range 400 {
		scale := math.Pow(10, float64(i%8)-1) // up to 1e6
		out = append(out, [2]float64{scale * r.NormFloat64(), scale * r.NormFloat64()})
	}
	return out
}
