package ex07

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	backFunc    = func(w []float64) []float64
	rescaleFunc = func(train, test *mat.Dense) (train2, test2 *mat.Dense, back func(w []float64) []float64)
)

// A set is a training and a test set of inputs.
type set struct {
	name        string
	train, test *mat.Dense
	constant    bool // a column of train is constant
	far         bool // the columns of train are in units far from 1
}

// sets: test inputs come from somewhere else than the training inputs, so that it
// shows which of them a rule was learned from.
func sets(r *rand.Rand) []set {
	var out []set
	for _, c := range []struct {
		name          string
		n, m          int
		offset, scale []float64
	}{
		{"two inputs in units of 1 and 1000", 40, 15, []float64{0.5, 200}, []float64{1, 1000}},
		{"three inputs of very different size", 30, 12, []float64{0, 3, -1e-3}, []float64{1, 10, 1e-3}},
		{"one input far from 0", 25, 9, []float64{500}, []float64{2}},
		{"two inputs far from 0", 35, 20, []float64{-40, 90}, []float64{1, 3}},
		{"inputs in units of 1e−7 and 1e7", 30, 10, []float64{3e-7, -2e7}, []float64{1e-7, 1e7}},
		{"a constant column", 20, 8, []float64{1, 7}, []float64{3, 0}},
		{"a column of zeros", 20, 8, []float64{0, 4, 2}, []float64{0, 50, 1}},
		{"two inputs far from 0 in units of 1 and 1000", 30, 10, []float64{5000, 2}, []float64{1000, 1}},
		{"two inputs in units of 1 and 1e−14", 30, 10, []float64{1, 2e-14}, []float64{1, 1e-14}},
		{"a negative constant column", 20, 8, []float64{1, -3}, []float64{2, 0}},
		{"a constant column, 0.1", 24, 8, []float64{0.1, 4}, []float64{0, 50}}, // 0.1 is no binary fraction: the mean is rounded
	} {
		s := set{name: c.name, train: instance.Design(r, c.n, c.offset, c.scale)}
		far := make([]float64, len(c.offset))
		for j := range far {
			far[j] = c.offset[j] + 1.5*c.scale[j]
			s.constant = s.constant || c.scale[j] == 0
			s.far = s.far || c.scale[j] == 1e-7
		}
		s.test = instance.Design(r, c.m, far, c.scale)
		out = append(out, s)
	}
	return out
}

// plain leaves out the set whose constant column is not quite constant in floating
// point; the part on the rule speaks of it.
func plain(list []set) []set { return list[:len(list)-1] }

// askRescale calls the learner's Rescale with copies and returns copies of its
// matrices; with a verdict instead where they are not finite or not of one width.
func askRescale(rescale rescaleFunc, s set) (train, test *mat.Dense, back backFunc, bad *verify.Verdict) {
	var in learner.Inputs
	a, b, back := rescale(in.Dense("train", s.train), in.Dense("test", s.test))
	if bad := in.Changed(4); bad != nil {
		return nil, nil, nil, bad
	}
	n, _ := s.train.Dims()
	m, _ := s.test.Dims()
	switch {
	case a == nil || b == nil || a.IsEmpty() || b.IsEmpty():
		return nil, nil, nil, learner.Fail("empty", 4, "For “%s” a matrix is missing: both come back, train and test in the new units.", s.name)
	case back == nil:
		return nil, nil, nil, learner.Fail("no-back", 4, "For “%s” the function back is nil.", s.name)
	}
	an, ac := a.Dims()
	bn, bc := b.Dims()
	if an != n || bn != m || ac != bc {
		return nil, nil, nil, learner.Fail("wrong-shape", 4, "For “%s”, with N = %d and M = %d inputs, you returned a %d×%d and a %d×%d matrix: one row per input, and as many columns in both.", s.name, n, m, an, ac, bn, bc)
	}
	for _, x := range []*mat.Dense{a, b} {
		if i, v, found := learner.NotFinite(learner.Entries(x)); found {
			if s.constant {
				return nil, nil, nil, learner.Fail("constant-column", 3, "For “%s” an entry in column %d is %s. A constant column has no spread to divide by: 0/0. Leave its scale at 1.", s.name, i%ac, minus(v))
			}
			return nil, nil, nil, learner.Fail("not-finite", 3, "For “%s” the entry in row %d, column %d is %s.", s.name, i/ac, i%ac, minus(v))
		}
	}
	return mat.DenseCopyOf(a), mat.DenseCopyOf(b), back, nil
}

func judgeForm(rescale rescaleFunc) verify.Verdict {
	for _, s := range sets(source(5)) {
		a, b, _, bad := askRescale(rescale, s)
		if bad != nil {
			return *bad
		}
		c, d, _, bad := askRescale(rescale, s)
		if bad != nil {
			return *bad
		}
		if !mat.Equal(a, c) || !mat.Equal(b, d) {
			return verify.Fail("not-constant", 0, "Two calls with the same data gave different matrices.")
		}
	}
	return verify.Pass("Both matrices are finite, also where a column of train is constant.")
}

// probe is a test set of the mean of train and one point per column beside it, in
// steps of the column's spread: what becomes of it is the rule itself.
func probe(train *mat.Dense) (points *mat.Dense, mean, spread []float64) {
	_, d := train.Dims()
	mean, spread = instance.Mean(train), make([]float64, d)
	points = mat.NewDense(d+1, d, nil)
	for j := range d {
		if spread[j] = stat.PopStdDev(mat.Col(nil, j, train), nil); spread[j] <= 1e-9*math.Abs(mean[j]) {
			spread[j] = 1
		}
	}
	for i := range d + 1 {
		points.SetRow(i, mean)
		if i > 0 {
			points.Set(i, i-1, mean[i-1]+spread[i-1])
		}
	}
	return points, mean, spread
}

// judgeRule establishes that there is one affine rule, the same for train and test,
// whatever the test set is.
func judgeRule(rescale rescaleFunc) verify.Verdict {
	whitening := false
	for _, s := range sets(source(6)) {
		train, test, _, bad := askRescale(rescale, s)
		if bad != nil {
			return *bad
		}
		points, mean, spread := probe(s.train)
		other, rule, _, bad := askRescale(rescale, set{name: s.name, train: s.train, test: points, constant: s.constant})
		if bad != nil {
			return *bad
		}
		_, width := train.Dims()
		size := 1 + mat.Max(train) - mat.Min(train)
		if _, w := other.Dims(); w != width || !verify.CloseMat(other, train, verify.Tolerance{Abs: 1e-9 * size}).OK {
			return verify.Fail("leak", 3, "For “%s” the training inputs come out differently when the test set is another one. The rule must be learned from train alone: of the test set nothing is known when the weights are learned.", s.name)
		}
		for j, sd := range spread {
			for c := range width {
				if slope := math.Abs(rule.At(j+1, c)-rule.At(0, c)) / sd; s.constant && slope > 1e6 {
					return verify.Fail("constant-by-rounding", 3, "For “%s” your rule blows a difference in column %d up by about %s. The spread of a constant column may be a little more than 0, because its mean is rounded: ask whether it is small against the mean, not whether it is 0.", s.name, j, verify.Magnitude(slope))
				}
			}
		}
		apply := func(x *mat.Dense) *mat.Dense {
			n, d := x.Dims()
			out := mat.NewDense(n, width, nil)
			for t := range n {
				row := out.RawRowView(t)
				copy(row, rule.RawRowView(0))
				for j := range d {
					for c := range row {
						row[c] += (rule.At(j+1, c) - rule.At(0, c)) * (x.At(t, j) - mean[j]) / spread[j]
					}
				}
			}
			return out
		}
		if !verify.CloseMat(train, apply(s.train), verify.Tolerance{Abs: 1e-7 * size}).OK || !verify.CloseMat(test, apply(s.test), verify.Tolerance{Abs: 1e-7 * size}).OK {
			return notOneRule(s, train, test)
		}
		whitening = whitening || mixes(rule)
	}
	if whitening {
		return verify.Pass("One rule, learned from train, serves both sets. Your new inputs are mixtures of the old ones: a whitening, which evens out correlations too.")
	}
	return verify.Pass("One rule for each column, learned from train, serves both sets.")
}

// mixes tells whether some new column depends on more than one old one.
func mixes(rule *mat.Dense) bool {
	n, width := rule.Dims()
	for c := range width {
		used := 0
		for i := 1; i < n; i++ {
			if math.Abs(rule.At(i, c)-rule.At(0, c)) > 1e-6 {
				used++
			}
		}
		if used > 1 {
			return true
		}
	}
	return false
}

// notOneRule names what was done in place of one rule for all inputs.
func notOneRule(s set, train, test *mat.Dense) verify.Verdict {
	centred := func(x *mat.Dense) bool { // all columns have mean 0
		for _, m := range instance.Mean(x) {
			if math.Abs(m) > 1e-6 {
				return false
			}
		}
		return true
	}
	likeRows := func(x *mat.Dense) bool { // all rows have one length, or one mean and spread
		n, d := x.Dims()
		length, even := true, d > 1
		for t := range n {
			row := x.RawRowView(t)
			length = length && math.Abs(floats.Norm(row, 2)-1) < 1e-9
			even = even && math.Abs(stat.Mean(row, nil)) < 1e-9
		}
		return length || even
	}
	switch {
	case likeRows(train):
		return verify.Fail("rows-scaled", 3, "For “%s” every row was rescaled by itself. Units belong to the inputs, the columns: a column must be treated alike in all rows.", s.name)
	case centred(train) && centred(test):
		return verify.Fail("test-by-itself", 3, "For “%s” the test set was rescaled by its own mean and spread. Then one and the same x gets other numbers in test than in train, and the weights do not fit: use what was learned from train.", s.name)
	}
	return verify.Fail("not-one-rule", 3, "For “%s” train and test are not rescaled by one and the same affine rule. The same x must get the same new numbers in either set.", s.name)
}
