package figures

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x8Options change figure 4.8. The zero value draws the printed form.
type PRML4x8Options struct {
	Letters string  // two characters to tell apart; "" is "LT"
	Units   int     // randomly wired units, the features φ; 0 is 512
	Wires   int     // cells that excite each unit, and as many that inhibit it, up to 100; 0 is 8
	Shift   int     // largest shift off the centre, in cells, up to 3; 0 is 3
	Noise   float64 // share of cells that are wrong, 0 to 0.5
	Seed    uint64  // of wiring and pictures
}

func (o PRML4x8Options) filled() PRML4x8Options {
	return filled(o, PRML4x8Options{Letters: "LT", Units: 512, Wires: 8, Shift: 3})
}

func prml4x8Entry() Entry {
	return entry(Entry{
		ID:      "fig-prml-4.8",
		Title:   "A perceptron with 20 × 20 photocells learns to read",
		Source:  "PRML figure 4.8",
		LookFor: "Units wired at random to the cells are features enough: the perceptron learns to tell two printed characters at places it has not seen. Sent back along the wires, its weights are light where ink speaks for the first and dark where it speaks for the second, smeared by the shifts. L and T are an easy pair; O and X are learnt far less well.",
	}, PRML4x8, nil)
}

// PRML4x8 simulates the Mark 1 perceptron, of which the book has photographs: a
// retina of 20 × 20 photocells, units that are each wired to cells at random, and
// weights on the units that the perceptron's rule finds. It draws a picture of each
// character, the wires of one unit, the weights after one presentation of all
// pictures and at the end, and how many test pictures, at other places, are read right.
//
// Numbers: a.image0 … e.image0, the pictures of 400 cells by rows;
// "f.training" and "f.test, at other places", .x and .y, the shares read right after
// that many pictures; accuracy.training and accuracy.test, those at the end, and
// corrections, how many there were. Errors: Letters that are not two different
// characters of the font, options out of range.
func PRML4x8(o PRML4x8Options) (_ *show.Figure, err error) {
	defer named("PRML 4.8", &err)
	o = o.filled()
	two, err := o.check()
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(o.Seed, 408))
	eye := newRetina(o.Units, o.Wires, rng)
	copies := 1
	if o.Noise > 0 { // then two pictures of one place differ
		copies = 2
	}
	train, test, trainT, testT, err := printed(two, o.Shift, copies, o.Noise, rng)
	if err != nil {
		return nil, err
	}
	phi, testPhi := eye.features(train), eye.features(test)
	const passes = 40 // the end if some pictures are never told apart
	fit, err := classify.FitPerceptron(phi, trainT, classify.PerceptronOptions{MaxEpochs: passes})
	if err != nil {
		return nil, err
	}
	s := readingCurve(fit, phi, testPhi, trainT, testT)
	letters := []rune(o.Letters)
	wires := make([]float64, o.Units)
	wires[0] = 1
	first := make([]float64, o.Units+1)
	for _, u := range fit.Updates {
		if u.Epoch == 0 {
			first = u.W
		}
	}
	var panels []*show.Figure
	for i, p := range []struct {
		title string
		cells []float64
	}{
		{fmt.Sprintf("the retina sees %c", letters[0]), sample(train, trainT, 1)},
		{fmt.Sprintf("… or %c", letters[1]), sample(train, trainT, 0)},
		{"the wires of one unit", eye.image(wires)},
		{"weights after one pass", eye.image(first[1:])},
		{fmt.Sprintf("after %d corrections", fit.Mistakes), eye.image(fit.W[1:])},
	} {
		fig, err := show.Images(mat.NewDense(1, len(p.cells), p.cells), show.ImagesOptions{OwnGrey: true})
		if err != nil {
			return nil, fmt.Errorf("panel %d: %w", i, err)
		}
		fig.Title = p.title
		panels = append(panels, fig)
	}
	curve, err := drawReading(s)
	if err != nil {
		return nil, err
	}
	fig, err := show.Panels(3, append(panels, curve)...)
	if err != nil {
		return nil, err
	}
	fig.Width, fig.Height = 8, 5.9
	last := len(s.at) - 1
	fig.AddData("accuracy.training", []float64{s.train[last]})
	fig.AddData("accuracy.test", []float64{s.test[last]})
	fig.AddData("corrections", []float64{float64(fit.Mistakes)})
	fig.Alt = fmt.Sprintf("A simulated retina that learns to tell %c from %c: two pictures, the wires of a unit, weights as pictures, and the learning curve, which ends at %.0f per cent of the test pictures read right.", letters[0], letters[1], 100*s.test[last])
	return fig, nil
}

// check returns the two characters, or what is wrong with the options.
func (o PRML4x8Options) check() (two [2]dots, err error) {
	letters := []rune(o.Letters)
	if len(letters) != 2 || letters[0] == letters[1] {
		return two, fmt.Errorf("Letters is %q; give two different ones of %s", o.Letters, characters())
	}
	for i, r := range letters {
		if two[i], err = glyph(r); err != nil {
			return two, err
		}
	}
	switch {
	case o.Units < 1 || o.Units > 4096:
		return two, fmt.Errorf("Units is %d; use 1 to 4096", o.Units)
	case o.Wires < 1 || o.Wires > 100:
		return two, fmt.Errorf("Wires is %d; use 1 to 100", o.Wires)
	case o.Shift < 1 || o.Shift > 3:
		return two, fmt.Errorf("Shift is %d; use 1 to 3, beyond that characters leave the retina", o.Shift)
	case !(o.Noise >= 0 && o.Noise <= 0.5):
		return two, fmt.Errorf("Noise is %v; a share of wrong cells lies between 0 and 0.5", o.Noise)
	}
	return two, nil
}

// sample returns a copy of the first picture with that target.
func sample(x *mat.Dense, t []float64, want float64) []float64 {
	for i, v := range t {
		if v == want {
			return mat.Row(nil, i, x)
		}
	}
	return nil
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

func drawReading(s reading) (*show.Figure, error) {
	p := show.NewPanel("pictures shown", "read right")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1.02*s.at[len(s.at)-1], min(0.4, slices.Min(s.test), slices.Min(s.train))-0.02, 1.02
	fig, err := show.NewFigure(1, p)
	if err != nil {
		return nil, err
	}
	fig.Title = "learning curve"
	x, test := steps(s.at, s.test)
	_, train := steps(s.at, s.train)
	return fig, firstError(
		fig.AddLine(0, "training", x, train, show.Look{Color: show.LineColor(0), Width: 1.2}),
		fig.AddLine(0, "test, at other places", x, test, show.Look{Color: show.LineColor(1)}),
	)
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
