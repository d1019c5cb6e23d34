package figures

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x8Options change figure 4.8. The zero value draws the printed form.
type PRML4x8Options struct {
	Letters string  `default:"\"LT\""`              // two characters to tell apart
	Units   int     `default:"512" range:"1..4096"` // randomly wired units, the features φ
	Wires   int     `default:"8" range:"1..100"`    // cells that excite each unit, and as many that inhibit it
	Shift   int     `default:"3" range:"1..3"`      // largest shift off the centre, in cells: beyond 3 characters leave the retina
	Noise   float64 `range:"0..0.5"`                // share of cells that are wrong
	Seed    uint64  // of wiring and pictures
}

// PRML4x8 simulates the Mark 1 perceptron, of which the book has photographs: a
// retina of 20 × 20 photocells, units that are each wired to cells at random, and
// weights on the units that the perceptron's rule finds. It draws a picture of each
// character, the wires of one unit, the weights after a fifth of the corrections
// and at the end, and how many test pictures, at other places, are read right.
//
// Numbers: a.image0 … e.image0, the pictures of 400 cells by rows;
// "f.training" and "f.test, at other places", .x and .y, the shares read right after
// that many pictures; accuracy.training and accuracy.test, those at the end, and
// corrections, how many there were. Errors: Letters that are not two different
// characters of the font, options out of range.
//
// Equations: PRML (4.52), (4.55).
func PRML4x8(o PRML4x8Options) (_ *show.Figure, err error) {
	defer named("PRML 4.8", &err)
	o = filled(o)
	letters := []rune(o.Letters)
	need(len(letters) == 2 && letters[0] != letters[1], "Letters is %q; give two different ones of %s", o.Letters, characters())
	two := [2]dots{glyph(letters[0]), glyph(letters[1])}
	rng := rand.New(rand.NewPCG(o.Seed, 408))
	eye := newRetina(o.Units, o.Wires, rng)
	copies := 1
	if o.Noise > 0 { // then two pictures of one place differ
		copies = 2
	}
	train, test, trainT, testT := printed(two, o.Shift, copies, o.Noise, rng)
	phi, testPhi := eye.features(train), eye.features(test)
	const passes = 40 // the end if some pictures are never told apart
	fit := try(classify.FitPerceptron(phi, trainT, classify.PerceptronOptions{MaxEpochs: passes}))
	s := readingCurve(fit, phi, testPhi, trainT, testT)
	wires := make([]float64, o.Units)
	wires[0] = 1
	first := make([]float64, o.Units+1)
	early := (len(fit.Updates) + 4) / 5 // a fifth of the corrections
	if early > 0 {
		first = fit.Updates[early-1].W
	}
	begun, learnt := eye.image(first[1:]), eye.image(fit.W[1:])
	weights := show.ImagesOptions{Limit: max(floats.Norm(begun, math.Inf(1)), floats.Norm(learnt, math.Inf(1)), 1),
		Scale: fmt.Sprintf("ink in the cell speaks, dark for %c, light for %c", letters[1], letters[0])}
	ownGrey := show.ImagesOptions{OwnGrey: true}
	var panels []*show.Figure
	for _, p := range []struct {
		title string
		cells []float64
		look  show.ImagesOptions
	}{
		{fmt.Sprintf("the retina sees %c", letters[0]), mat.Row(nil, slices.Index(trainT, 1), train), ownGrey},
		{fmt.Sprintf("… or %c", letters[1]), mat.Row(nil, slices.Index(trainT, 0), train), ownGrey},
		{"the wires of one unit", eye.image(wires), ownGrey},
		{"weights after " + plural(early, "correction"), begun, weights},
		{fmt.Sprintf("after %d corrections", fit.Mistakes), learnt, weights},
	} {
		fig := try(show.Images(mat.NewDense(1, len(p.cells), p.cells), p.look))
		fig.Title = p.title
		panels = append(panels, fig)
	}
	fig := try(show.Panels(3, append(panels, drawReading(s))...))
	fig.Width, fig.Height = 8, 6.2
	last := len(s.at) - 1
	fig.AddData("accuracy.training", []float64{s.train[last]})
	fig.AddData("accuracy.test", []float64{s.test[last]})
	fig.AddData("corrections", []float64{float64(fit.Mistakes)})
	fig.Alt = fmt.Sprintf("A simulated retina that learns to tell %c from %c: two pictures, the wires of a unit, weights as pictures, and the learning curve, which ends at %.0f per cent of the test pictures read right.", letters[0], letters[1], 100*s.test[last])
	return fig, nil
}

// A reading is a learning curve: shares read right after so many pictures.
type reading struct{ at, train, test []float64 }

// readingCurve follows the corrections of a fit.
func readingCurve(fit *classify.Perceptron, phi, testPhi *mat.Dense, t, testT []float64) reading {
	n, units := phi.Dims()
	var s reading
	add := func(at int, w []float64) {
		s.at = append(s.at, float64(at))
		s.train = append(s.train, readRight(w, phi, t))
		s.test = append(s.test, readRight(w, testPhi, testT))
	}
	add(0, make([]float64, units+1))
	step := 1 + len(fit.Updates)/100 // a hundred points are a curve
	for i, u := range fit.Updates {
		if i%step == 0 || i == len(fit.Updates)-1 {
			add(u.Epoch*n+u.Row+1, u.W)
		}
	}
	add(fit.Epochs*n, fit.W)
	return s
}

// readRight returns the share of rows on their own side of wᵀφ = 0.
func readRight(w []float64, phi *mat.Dense, t []float64) float64 {
	right := 0.0
	for i, want := range t {
		a := w[0]
		for j, v := range phi.RawRowView(i) {
			a += w[j+1] * v
		}
		if (a >= 0) == (want == 1) {
			right++
		}
	}
	return right / float64(len(t))
}

func drawReading(s reading) *show.Figure {
	lowest := min(0.4, slices.Min(s.test), slices.Min(s.train))
	fig := blank("pictures shown", "share of pictures read right", [2]float64{0, 1.02 * s.at[len(s.at)-1]}, [2]float64{lowest - 0.02, 1.02})
	fig.Title = "learning curve"
	x, test := steps(s.at, s.test)
	_, train := steps(s.at, s.train)
	check(
		fig.AddLine(0, "training", x, train, show.Look{Color: show.LineColor(0), Width: 1.2}),
		fig.AddLine(0, "test, at other places", x, test, show.Look{Color: show.LineColor(1), Width: 1.2}))
	for i, line := range []string{"Each correction turns", "the whole machine: what", "it could read may be lost."} {
		check(fig.AddText(0, line, 0.99*s.at[len(s.at)-1], lowest, 0, 34-12*float64(i), show.Look{Align: -1, Color: show.LineColor(5)}))
	}
	return fig
}

// steps returns the points of a curve that keeps each value until the next place.
func steps(at, v []float64) (x, y []float64) {
	for i := range at {
		if i > 0 {
			x, y = append(x, at[i]), append(y, v[i-1])
		}
		x, y = append(x, at[i]), append(y, v[i])
	}
	return x, y
}
