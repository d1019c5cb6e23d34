// Package ex11 judges PRML exercise 4.11: with discrete features that are
// independent within each class, the activations are linear.
package ex11

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges weights, which returns W ((D·L)×K) and w0 (K) of the naive Bayes
// classifier with state probabilities mu (K matrices, D×L) and class priors (K).
func Check(weights func(mu []*mat.Dense, prior []float64) (W *mat.Dense, w0 []float64)) *verify.Report {
	return exercise.Judge(ask.Parts(weights, []judge.Property[problem]{
		judge.Form("W and w0 come back in the right shapes, and mu and prior stay as they were", problems, nil, judge.Wrong{},
			"You returned finite weights for K from 1 to 5, D from 1 to 4, L from 1 to 6."),
		{Name: "a_k is ln{p(φ|C_k)p(C_k)} on every cell of the table", On: problems, Holds: activations,
			Wrong: judge.Wrong{Key: "activation", Hint: 2, Message: "For {problem} some activation is not the logarithm of the product of the probabilities: {off}."},
			Right: "On every cell the activation is the logarithm of prior times probabilities.",
			Note:  func([][]float64) string { return freedom(weights) }},
		{Name: "the posteriors are those of Bayes' theorem", On: problems, Holds: posteriors,
			Wrong: judge.Wrong{Key: "posterior", Hint: 1, Message: "For {problem} the softmax of your activations is not prior times probabilities over their sum: {off}."},
			Right: "The softmax of your activations is Bayes' theorem, on every cell."},
		{Name: "rare states and rare classes", On: rare, Holds: activations, Limits: true,
			Wrong: judge.Wrong{Key: "rare", Hint: 2, Message: "For {problem} some activation is not the logarithm of the product: {off}. Is a probability kept away from 0 by a limit, or by a number that is added to it? All of them are greater than 0 as they are, and the logarithm of a small one is what tells the classes apart."},
			Right: "A probability of 10⁻¹² counts with its own logarithm, in a state as in a prior."},
		{Name: "400 features, where the product of probabilities underflows", On: many, Holds: activations, Limits: true,
			Wrong: judge.Wrong{Key: "many-features", Hint: 2, Message: "With 400 features your activations are not the sums of the logarithms: {off}."},
			Right: "Sums of logarithms do not underflow."},
	}...)...)
}

func activations(p problem, got []float64) verify.Finding {
	worst, classes := verify.Finding{OK: true}, len(p.prior)
	for i, right := range p.logs {
		if f := verify.Close(got[i], right, verify.Tolerance{Abs: 1e-10, Rel: 1e-10}); !f.OK && (worst.OK || f.Miss > worst.Miss) {
			worst = f
			worst.Where = fmt.Sprintf("class %d", i%classes)
			if states := p.cells[i/classes]; len(states) < 9 {
				worst.Where += fmt.Sprintf(" for the states %v", states)
			}
		}
	}
	return worst
}

func posteriors(p problem, got []float64) verify.Finding {
	classes := len(p.prior)
	for at := 0; at < len(got); at += classes {
		want := make([]float64, classes) // prior times probabilities, over their sum
		for k := range want {
			want[k] = math.Exp(p.logs[at+k])
		}
		floats.Scale(1/floats.Sum(want), want)
		if f := verify.CloseSlice(kernel.Softmax(got[at:at+classes]), want, verify.Tolerance{Abs: 1e-9}); !f.OK {
			return f
		}
	}
	return verify.Finding{OK: true}
}

// freedom says where right weights are not the logarithms themselves.
func freedom(f weightsFunc) string {
	for _, p := range problems() {
		_, w0 := p.call(f, &judge.Call{})
		for k, v := range w0 {
			if math.Abs(v-math.Log(p.prior[k])) > 1e-9 {
				return "(Recognised: part of each feature's weights is moved into the bias, which is free, since the L entries of a feature sum to 1.)"
			}
		}
	}
	return ""
}

// A problem is a naive Bayes model, and the cells of its table that are looked at.
type problem struct {
	name  string
	mu    []*mat.Dense // K matrices, D×L
	prior []float64
	cells [][]int   // the states of the D features
	logs  []float64 // the activations, cell by cell and class by class; of problems
}

func (p problem) String() string { return "“" + p.name + "”" }

func (p problem) dims() (k, d, l int) {
	d, l = p.mu[0].Dims()
	return len(p.mu), d, l
}

var problems = instance.Once(func() []problem {
	r := instance.Source(411, 1)
	return finish(
		draw(r, "three classes, three features of four states", 3, 3, 4),
		draw(r, "two classes, three features of three states", 2, 3, 3),
		draw(r, "two classes, four features of two states", 2, 4, 2),
		draw(r, "five classes, one feature of six states", 5, 1, 6),
		draw(r, "four classes, three features of five states", 4, 3, 5),
		draw(r, "a single class", 1, 2, 3),
		draw(r, "features of a single state", 3, 2, 1),
	)
})

// rare has probabilities far below those of problems. None is so small that its
// product with a prior is subnormal: that may be formed.
var rare = instance.Once(func() []problem {
	r := instance.Source(411, 4)
	states := draw(r, "rare states", 3, 2, 4)
	for i, small := range [][]float64{{1e-3, 1e-6, 1e-9}, {2e-3, 1e-12, 1e-290}} {
		row := with(r, small)
		for k, m := range states.mu { // no state is rare in all classes
			m.SetRow(i, slices.Concat(row[k:], row[:k]))
		}
	}
	classes := draw(r, "rare classes", 4, 2, 3)
	classes.prior = with(r, []float64{1e-3, 1e-6, 1e-12})
	three := draw(r, "a class that is not quite so rare", 3, 2, 2)
	three.prior = with(r, []float64{0.2, 0.01})
	return finish(states, classes, three)
})

// with returns these numbers and what is left to 1, in random order.
func with(r *rand.Rand, small []float64) []float64 {
	v := append(slices.Clone(small), 1-floats.Sum(small))
	r.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
	return v
}

var many = instance.Once(func() []problem {
	p := model(instance.Source(411, 2), "400 features", 3, 400, 5)
	r := instance.Source(411, 3)
	for range 20 {
		states := make([]int, 400)
		for i := range states {
			states[i] = r.IntN(5)
		}
		p.cells = append(p.cells, states)
	}
	return finish(p)
})

func model(r *rand.Rand, name string, k, d, l int) problem {
	p := problem{name: name, prior: simplex(r, k)}
	for range k {
		m := mat.NewDense(d, l, nil)
		for i := range d {
			m.SetRow(i, simplex(r, l))
		}
		p.mu = append(p.mu, m)
	}
	return p
}

// draw returns a model with all cells of its table.
func draw(r *rand.Rand, name string, k, d, l int) problem {
	p := model(r, name, k, d, l)
	p.cells = [][]int{nil}
	for range d {
		var longer [][]int
		for i := range l * len(p.cells) {
			longer = append(longer, append(slices.Clone(p.cells[i%len(p.cells)]), i/len(p.cells)))
		}
		p.cells = longer
	}
	return p
}

// simplex draws n positive numbers that sum to 1.
func simplex(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 0.05 + r.ExpFloat64()
	}
	floats.Scale(1/floats.Sum(v), v)
	return v
}

// finish finds the right activations, the logarithms of the products.
func finish(list ...problem) []problem {
	for n, p := range list {
		for _, states := range p.cells {
			for k, product := range p.prior {
				exponent := 0 // the product is product·2^exponent, and does not underflow
				for i, s := range states {
					fraction, e := math.Frexp(product * p.mu[k].At(i, s))
					product, exponent = fraction, exponent+e
				}
				list[n].logs = append(list[n].logs, math.Log(product)+float64(exponent)*math.Ln2)
			}
		}
	}
	return list
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex11", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
