package steps

import "github.com/hyperplane-notebooks/hyperplane/toolkit/verify"

// Extremes judges the same step on other problems, at which a formula may fail that
// is right elsewhere. key begins the keys of its verdicts. Where the step is not
// right on its own problems either, it says that and no more.
func (s Step[P]) Extremes(key string, hint int, problems func() []P, right string) verify.Verdict {
	far := s
	far.Key, far.Hint, far.Problems, far.Right = key, hint, problems, right
	far.Mistakes = nil // mistakes that look alike here were told apart before
	v := far.Judge()
	if v.Outcome != verify.Right && s.Judge().Outcome != verify.Right {
		return verify.Fail(far.key("in-the-middle"), 0, "%s is not right there. It is not at moderate numbers either: mend that first, the part before says more.", s.Name)
	}
	return v
}
