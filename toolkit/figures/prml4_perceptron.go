package figures

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x7Options are the options of PRML figure 4.7. The zero value draws the default figure.
type PRML4x7Options struct {
	N     int     `default:"12"`                    // number of points of each class
	Rate  float64 `default:"0.3" range:"0..1e6"`    // η
	Angle float64 `default:"110" range:"-1e6..1e6"` // direction of the initial w in degrees; ‖w‖ = 1 and the bias is 0
	Steps int     `range:"0..1e6"`                  // largest number of corrections, up to 10 000; 0 means 10 000
	// Seed is the seed of the random data. The default is the smallest seed for which the algorithm
	// makes exactly three corrections, each of which reduces the number of mistakes and turns w by
	// more than 20°. Three corrections fit in four panels. ExamplePRML4x7 checks the numbers of
	// mistakes.
	Seed uint64 `default:"10"`
}

// PRML4x7 draws a run of the perceptron algorithm in up to four panels: the first three corrections
// and the result. Each panel shows the weights w as a black arrow that starts on the boundary. Each
// panel except the last also shows the next point to correct, and as a second arrow the vector η t φ
// that the correction adds to w. If the run has more than three corrections, the last panel shows
// the result of all corrections.
//
// The figure's Data contains:
//   - The columns of show.Regions for each panel, whose names begin with "a.", "b." and so on.
//   - "w.0", "w.1" and "w.2": the weights at the start and after each correction.
//   - "mistakes": the number of points that each of these weight vectors misclassifies.
//   - "mistake.row", "mistake.x", "mistake.y" and "mistake.t" (±1): the corrected points.
//   - "rate": the learning rate.
//
// Errors: a negative N, a Rate or Steps outside 0 to 1e6, an Angle outside −1e6 to 1e6.
//
// Equations: PRML (4.52), (4.55), (4.56).
func PRML4x7(o PRML4x7Options) (_ *show.Figure, err error) {
	defer returnFailure("PRML 4.7", &err)
	o = withDefaults(o)
	c := newCorrections(o)
	var panels []*show.Figure
	for i := range c.weights {
		if i > 2 && i < len(c.weights)-1 {
			continue
		}
		panels = append(panels, c.panel(i))
	}
	fig := try(show.Panels(min(2, len(panels)), panels...))
	addColumns(fig, c.weights, "w.0", "w.1", "w.2")
	var corrected [][]float64
	for _, u := range c.updates {
		corrected = append(corrected,
			[]float64{float64(u.Row), c.data.X.At(u.Row, 0), c.data.X.At(u.Row, 1), sign(c.data.Labels[u.Row])})
	}
	addColumns(fig, corrected, "mistake.row", "mistake.x", "mistake.y", "mistake.t")
	fig.AddData("mistakes", c.wrong)
	addNumbers(fig, "rate", o.Rate)
	fig.Alt = fmt.Sprintf("The boundary of a perceptron, which turns with each of %d corrections; after the last one, the number of mistakes is %.0f.", len(c.updates), c.wrong[len(c.wrong)-1])
	return fig, nil
}

// corrections contains a run of the perceptron algorithm.
type corrections struct {
	data    *datasets.Dataset
	rate    float64
	weights [][]float64       // weights at the start and after each correction
	updates []classify.Update // updates[i] is the correction that changes weights[i] into weights[i+1]
	wrong   []float64         // wrong[i] is the number of points that weights[i] misclassifies
}

func newCorrections(o PRML4x7Options) *corrections {
	d := try(datasets.Separable(datasets.SeparableOptions{N: o.N, Margin: 0.25, Seed: o.Seed}))
	sin, cos := math.Sincos(o.Angle * math.Pi / 180)
	start := []float64{0, cos, sin}
	fit := try(classify.FitPerceptron(d.X, firstClassTargets(d), classify.PerceptronOptions{Rate: o.Rate,
		Start: start}))
	c := &corrections{data: d, rate: o.Rate, weights: [][]float64{start}, updates: fit.Updates}
	if o.Steps > 0 && len(c.updates) > o.Steps {
		c.updates = c.updates[:o.Steps]
	}
	for _, u := range c.updates {
		c.weights = append(c.weights, u.W)
	}
	for i, w := range c.weights {
		h, err := classify.NewHyperplane(w)
		require(err == nil, "after %d corrections: %w", i, err)
		c.wrong = append(c.wrong, mistakes(h, d))
	}
	return c
}

// panel draws the perceptron after i corrections. An arrow that starts on the boundary shows w. If
// the run contains a further correction, panel also draws a square around the point to correct, and
// the vector that this correction adds to w.
func (c *corrections) panel(i int) *show.Figure {
	h := try(classify.NewHyperplane(c.weights[i]))
	fig := try(show.Regions(h, c.data, show.RegionsOptions{
		Title: stage(i, c.wrong[i]), XLabel: `$\phi_1$`, YLabel: `$\phi_2$`,
		X: [2]float64{-2.5, 2.5}, Y: [2]float64{-2.5, 2.5}, // axis ranges; all points lie in [−2, 2]²
		Grid: 24, // a coarse mesh is enough for a straight line
	}))
	check(fig.EqualAxes(0))
	foot := try(h.Foot())
	tip := []float64{foot[0] + h.W[0], foot[1] + h.W[1]}
	const strong = 2.2 // width in points
	check(fig.AddArrow(0, `$\mathbf{w}$`, foot[0], foot[1], tip[0], tip[1], show.Look{Width: strong}))
	if i == len(c.updates) {
		return fig
	}
	row := c.updates[i].Row
	x, y, step := c.data.X.At(row, 0), c.data.X.At(row, 1), c.rate*sign(c.data.Labels[row])
	const square, size = 3, 6 // the shape of the mark around the point, and its radius in typographic points
	check(
		fig.AddArrow(0, `$\eta t\phi$, added to $\mathbf{w}$`, tip[0], tip[1], tip[0]+step*x, tip[1]+step*y,
			show.Look{Color: show.LineColor(1), Width: strong}),
		fig.AddMarks(0, "square: the mistake to correct", []float64{x}, []float64{y},
			show.Look{Color: show.LineColor(1), Marker: square, Size: size}))
	return fig
}

// sign returns the target t of a class label: +1 for C₁ and −1 for C₂.
func sign(label int) float64 {
	if label == 0 {
		return 1
	}
	return -1
}

func stage(corrections int, wrong float64) string {
	s := "at the start"
	if corrections > 0 {
		s = fmt.Sprintf("after %s", plural(corrections, "correction"))
	}
	if wrong == 0 {
		return s + ": no mistake"
	}
	return s + ": " + plural(int(wrong), "mistake")
}

// PRML4x7Chart returns a chart of the run of [PRML4x7]. The chart has one panel, and a slider that
// steps through all corrections. Position n of the slider shows the perceptron after n corrections and
// marks the next point to correct. The titles state the weights and the number of points that are still
// misclassified. Errors: the errors of [PRML4x7], and more than 399 corrections.
func PRML4x7Chart(o PRML4x7Options) (_ *show.Chart, err error) {
	defer returnFailure("PRML 4.7", &err)
	o = withDefaults(o)
	c := newCorrections(o)
	const most = 399 // show.Sliders accepts 400 positions, including the start
	require(len(c.updates) <= most,
		"the perceptron makes %d corrections, but a chart shows at most %d: set Steps to limit them, or raise Rate",
		len(c.updates), most)
	return sliderChart(func(at []int) *show.Figure { return c.step(at[0]) },
		show.Slider{Name: "corrections", Labels: integerLabels(upTo(len(c.weights) - 1)), Play: true}), nil
}

// step returns the panel after n corrections, with the weights in its title.
func (c *corrections) step(n int) *show.Figure {
	fig := c.panel(n)
	w := c.weights[n]
	fig.Panel(0).Title.Text = fmt.Sprintf(`$w_0$ = %s, $\mathbf{w}$ = (%s, %s)`, threeDigits(w[0]), threeDigits(w[1]),
		threeDigits(w[2]))
	fig.Width, fig.Height = 7, 5.6 // at this width, the names in the legend are short enough for a single row
	fig.AddData("w", w)
	fig.AddData("mistakes", c.wrong[n:n+1])
	fig.Alt = fmt.Sprintf("The boundary of a perceptron %s; its weights are %.3g.", stage(n, c.wrong[n]), w)
	return fig
}

// PRML4x8Options are the options of PRML figure 4.8. The zero value draws the default figure.
type PRML4x8Options struct {
	Letters string `default:"\"LT\""`              // the two characters to distinguish
	Units   int    `default:"512" range:"1..4096"` // number of randomly wired units; each computes one feature φ
	// number of cells that excite each unit; the same number of cells inhibit the unit
	Wires int `default:"8" range:"1..100"`
	// largest shift of a character from the centre, in cells; with shift 3 the character reaches
	// the edge
	Shift int     `default:"3" range:"1..3"`
	Noise float64 `range:"0..0.5"` // probability that the noise flips a cell
	Seed  uint64  // seed of the random wiring and of the random pictures
}

// PRML4x8 simulates the Mark 1 perceptron, which the book shows in photographs. The machine has a
// retina of 20 × 20 photocells, and units that are wired to random cells. Each unit has a weight,
// which the machine learns with the perceptron rule. PRML4x8 draws a picture of each character and
// the wires of one unit. It draws the weights twice: after a fifth of the corrections, and at the
// end. The last panel is the learning curve: the fractions of the training pictures and of the test
// pictures that the machine reads correctly. A test picture shows its character at a place where no
// training picture shows it.
//
// The figure's Data contains:
//   - "a.image0" to "e.image0": the pictures, each with 400 cells, row by row.
//   - "f.training.x" and "f.test, at other places.x": the numbers of pictures shown so far.
//   - "f.training.y" and "f.test, at other places.y": the fractions read correctly after these
//     pictures.
//   - "accuracy.training" and "accuracy.test": the fractions at the end.
//   - "corrections": the number of corrections.
//
// Errors: Letters that are not two different characters of the font, options out of range.
//
// Equations: PRML (4.52), (4.55).
func PRML4x8(o PRML4x8Options) (_ *show.Figure, err error) {
	defer returnFailure("PRML 4.8", &err)
	o = withDefaults(o)
	letters := []rune(o.Letters)
	require(len(letters) == 2 && letters[0] != letters[1], "Letters is %q: want two different characters, each one of %s",
		o.Letters,
		characters())
	two := [2]dots{glyph(letters[0]), glyph(letters[1])}
	rng := rand.New(rand.NewPCG(o.Seed, 408))
	eye := newRetina(o.Units, o.Wires, rng)
	copies := 1
	if o.Noise > 0 {
		copies = 2 // because of the noise, the two pictures of a character at one place differ
	}
	train, test, trainT, testT := trainingAndTest(two, o.Shift, copies, o.Noise, rng)
	phi, testPhi := eye.features(train), eye.features(test)
	const passes = 40 // this limit ends the run if the pictures are not separable
	fit := try(classify.FitPerceptron(phi, trainT, classify.PerceptronOptions{MaxEpochs: passes}))
	s := readingCurve(fit, phi, testPhi, trainT, testT)
	wires := make([]float64, o.Units)
	wires[0] = 1
	first := make([]float64, o.Units+1)
	early := (len(fit.Updates) + 4) / 5 // a fifth of the number of corrections, rounded up
	if early > 0 {
		first = fit.Updates[early-1].W
	}
	begun, learnt := eye.image(first[1:]), eye.image(fit.W[1:])
	weights := show.ImagesOptions{Limit: max(floats.Norm(begun, math.Inf(1)), floats.Norm(learnt, math.Inf(1)), 1),
		Scale: fmt.Sprintf("evidence of ink in the cell: dark for %c, light for %c", letters[1], letters[0])}
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
	addNumbers(fig, "accuracy.training", s.train[last])
	addNumbers(fig, "accuracy.test", s.test[last])
	addNumbers(fig, "corrections", float64(fit.Mistakes))
	fig.Alt = fmt.Sprintf("A simulated retina that learns to tell %c from %c: two pictures, the wires of a unit, weights as pictures, and the learning curve, which ends at %.0f per cent of the test pictures read correctly.", letters[0], letters[1], 100*s.test[last])
	return fig, nil
}

// learningCurve contains the fractions of the pictures that the machine reads correctly. After the
// first at[i] pictures, train[i] is this fraction for the training pictures, and test[i] for the
// test pictures.
type learningCurve struct{ at, train, test []float64 }

// readingCurve returns the learning curve of a fit.
func readingCurve(fit *classify.Perceptron, phi, testPhi *mat.Dense, t, testT []float64) learningCurve {
	n, units := phi.Dims()
	var s learningCurve
	add := func(at int, w []float64) {
		s.at = append(s.at, float64(at))
		s.train = append(s.train, readRight(w, phi, t))
		s.test = append(s.test, readRight(w, testPhi, testT))
	}
	add(0, make([]float64, units+1))
	step := 1 + len(fit.Updates)/100 // a curve of about a hundred points is smooth enough
	for i, u := range fit.Updates {
		if i%step == 0 || i == len(fit.Updates)-1 {
			add(u.Epoch*n+u.Row+1, u.W)
		}
	}
	add(fit.Epochs*n, fit.W)
	return s
}

// readRight returns the fraction of the rows φ of phi that the weights w classify correctly. The
// predicted target is t = 1 if wᵀφ ≥ 0, and t = 0 otherwise.
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

func drawReading(s learningCurve) *show.Figure {
	lowest := min(0.4, slices.Min(s.test), slices.Min(s.train))
	fig := blankFigure("pictures shown", "share of pictures read right", [2]float64{0, 1.02 * s.at[len(s.at)-1]},
		[2]float64{lowest - 0.02, 1.02})
	fig.Title = "learning curve"
	x, test := steps(s.at, s.test)
	_, train := steps(s.at, s.train)
	check(
		fig.AddLine(0, "training", x, train, show.Look{Color: show.LineColor(0), Width: 1.2}),
		fig.AddLine(0, "test, at other places", x, test, show.Look{Color: show.LineColor(1), Width: 1.2}))
	for i, line := range []string{"Each correction changes", "many weights, so a picture", "read right may turn wrong."} {
		check(fig.AddText(0, line, 0.99*s.at[len(s.at)-1], lowest, 0, 34-12*float64(i),
			show.Look{Align: -1, Color: show.LineColor(5)}))
	}
	return fig
}

// steps returns the corners of a step curve, which has the height v[i] from at[i] to at[i+1].
func steps(at, v []float64) (x, y []float64) {
	for i := range at {
		if i > 0 {
			x, y = append(x, at[i]), append(y, v[i-1])
		}
		x, y = append(x, at[i]), append(y, v[i])
	}
	return x, y
}

// retina is the simulated machine of figure 4.8: 20 × 20 photocells, and units. Each unit adds up
// the cells that excite it and subtracts the cells that inhibit it.
type retina struct {
	plus, minus [][]int // plus[j] lists the cells that excite unit j, minus[j] lists the cells that inhibit unit j
}

// newRetina connects each unit to 2·`wires` different random cells. Half of the cells excite the
// unit, and the other half inhibit it.
func newRetina(units, wires int, rng *rand.Rand) retina {
	var r retina
	for range units {
		cells := rng.Perm(retinaSide * retinaSide)
		r.plus, r.minus = append(r.plus, cells[:wires]), append(r.minus, cells[wires:2*wires])
	}
	return r
}

// features returns the N×units matrix of the features φ of each picture. The feature of a unit is 1
// if ink covers more of its exciting cells than of its inhibiting cells, and 0 otherwise.
func (r retina) features(pictures *mat.Dense) *mat.Dense {
	n, _ := pictures.Dims()
	phi := mat.NewDense(n, len(r.plus), nil)
	for i := range n {
		cells := pictures.RawRowView(i)
		for j := range r.plus {
			sum := 0.0
			for _, c := range r.plus[j] {
				sum += cells[c]
			}
			for _, c := range r.minus[j] {
				sum -= cells[c]
			}
			if sum > 0 {
				phi.Set(i, j, 1)
			}
		}
	}
	return phi
}

// image traces the weights back to the cells. For each cell it returns the sum of the weights of the
// units that the cell excites, minus the sum of the weights of the units that it inhibits. If this
// number is positive, ink in the cell is evidence for the first character. The argument w contains
// the weights without the bias.
func (r retina) image(w []float64) []float64 {
	out := make([]float64, retinaSide*retinaSide)
	for j, v := range w {
		for _, c := range r.plus[j] {
			out[c] += v
		}
		for _, c := range r.minus[j] {
			out[c] -= v
		}
	}
	return out
}

// picture returns the picture of a character, with 1 for ink. The character is shifted by dx cells
// to the right and dy cells down from the centre.
func (f dots) picture(dx, dy int) []float64 {
	out := make([]float64, retinaSide*retinaSide)
	left, top := (retinaSide-dot*glyphWidth)/2+dx, (retinaSide-dot*glyphHeight)/2+dy
	for i := range dot * glyphHeight {
		for j := range dot * glyphWidth {
			if f[i/dot][j/dot] {
				out[(top+i)*retinaSide+left+j] = 1
			}
		}
	}
	return out
}

// trainingAndTest returns pictures of both characters at all places, in random order. A place is a
// shift of the character from the centre by at most `shift` cells, horizontally and vertically.
// The argument `copies` is the number of pictures of each character at each place. The argument
// `noise` is the probability that a cell is flipped. The pictures at half of the places (rounded up)
// are for training, and the other pictures are for the test. The targets are 1 for the first
// character and 0 for the second character.
func trainingAndTest(two [2]dots, shift, copies int, noise float64, rng *rand.Rand) (train, test *mat.Dense, trainT,
	testT []float64) {
	side := 2*shift + 1
	places := rng.Perm(side * side)
	half := (len(places) + 1) / 2
	draw := func(places []int) (*mat.Dense, []float64) {
		x, t := mat.NewDense(2*copies*len(places), retinaSide*retinaSide, nil), make([]float64, 2*copies*len(places))
		for i, at := range rng.Perm(len(t)) {
			class, place := at%2, places[at/2%len(places)]
			row := two[class].picture(place%side-shift, place/side-shift)
			for c := range row {
				if rng.Float64() < noise {
					row[c] = 1 - row[c]
				}
			}
			x.SetRow(i, row)
			t[i] = float64(1 - class)
		}
		return x, t
	}
	train, trainT = draw(places[:half])
	test, testT = draw(places[half:])
	return train, test, trainT, testT
}

// glyphs contains characters of 5 × 7 dots, which were designed for these figures. Each character
// is a list of rows, from top to bottom.
var glyphs = map[rune]string{
	'A': ".###. #...# #...# ##### #...# #...# #...#",
	'B': "####. #...# #...# ####. #...# #...# ####.",
	'C': ".###. #...# #.... #.... #.... #...# .###.",
	'D': "####. #...# #...# #...# #...# #...# ####.",
	'E': "##### #.... #.... ####. #.... #.... #####",
	'F': "##### #.... #.... ####. #.... #.... #....",
	'H': "#...# #...# #...# ##### #...# #...# #...#",
	'I': ".###. ..#.. ..#.. ..#.. ..#.. ..#.. .###.",
	'K': "#...# #..#. #.#.. ##... #.#.. #..#. #...#",
	'L': "#.... #.... #.... #.... #.... #.... #####",
	'N': "#...# ##..# ##..# #.#.# #..## #..## #...#",
	'O': ".###. #...# #...# #...# #...# #...# .###.",
	'P': "####. #...# #...# ####. #.... #.... #....",
	'S': ".#### #.... #.... .###. ....# ....# ####.",
	'T': "##### ..#.. ..#.. ..#.. ..#.. ..#.. ..#..",
	'U': "#...# #...# #...# #...# #...# #...# .###.",
	'V': "#...# #...# #...# #...# #...# .#.#. ..#..",
	'X': "#...# #...# .#.#. ..#.. .#.#. #...# #...#",
	'Y': "#...# #...# .#.#. ..#.. ..#.. ..#.. ..#..",
	'Z': "##### ....# ...#. ..#.. .#... #.... #####",
}

const (
	glyphWidth, glyphHeight = 5, 7
	retinaSide              = 20 // number of photocells along each side of the retina
	dot                     = 2  // number of photocells along each side of a dot; a character covers 10 × 14 cells
)

// dots is the dot pattern of a character; true means ink.
type dots [glyphHeight][glyphWidth]bool

// glyph returns the dots of a character.
func glyph(r rune) (g dots) {
	text, ok := glyphs[r]
	require(ok, "character %q is not in the font: want one of %s", r, characters())
	for i, row := range strings.Fields(text) {
		for j := range g[i] {
			g[i][j] = row[j] == '#'
		}
	}
	return g
}

// characters returns all characters of the font in sorted order.
func characters() string { return string(slices.Sorted(maps.Keys(glyphs))) }
