package figures

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// A retina is the simulated machine of figure 4.8: 20 × 20 photocells, and units
// that each sum the cells they happen to be wired to.
type retina struct {
	plus, minus [][]int // for each unit the cells that excite and that inhibit it
}

// newRetina wires each unit to that many cells of each kind, all different.
func newRetina(units, wires int, rng *rand.Rand) retina {
	var r retina
	for range units {
		cells := rng.Perm(retinaSide * retinaSide)
		r.plus, r.minus = append(r.plus, cells[:wires]), append(r.minus, cells[wires:2*wires])
	}
	return r
}

// features returns φ of each picture, N×units: 1 where more of the exciting cells
// than of the inhibiting ones see ink, else 0.
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

// image sends the weights of the units, w without the bias, back along the wires:
// what ink in each cell adds to the evidence for the first character.
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

// print returns the picture of a character, 1 for ink, that many cells off the
// centre to the right and down.
func (f dots) print(dx, dy int) []float64 {
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

// printed returns copies pictures of both characters at every place up to shift
// cells off the centre, in a random order, with a share of the cells wrong. Half
// of the places are for training, the others for the test.
func printed(two [2]dots, shift, copies int, noise float64, rng *rand.Rand) (train, test *mat.Dense, trainT, testT []float64) {
	side := 2*shift + 1
	places := rng.Perm(side * side)
	half := (len(places) + 1) / 2
	draw := func(places []int) (*mat.Dense, []float64) {
		x, t := mat.NewDense(2*copies*len(places), retinaSide*retinaSide, nil), make([]float64, 2*copies*len(places))
		for i, at := range rng.Perm(len(t)) {
			class, place := at%2, places[at/2%len(places)]
			row := two[class].print(place%side-shift, place/side-shift)
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

// glyphs are printed characters of 5 × 7 dots, by rows from the top, drawn for
// these figures.
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
	retinaSide              = 20 // photocells along each side
	dot                     = 2  // photocells along each side of a dot: characters are 10 × 14 cells
)

// dots are a character, true where there is ink.
type dots [glyphHeight][glyphWidth]bool

// glyph returns the dots of a character.
func glyph(r rune) (g dots) {
	text, ok := glyphs[r]
	need(ok, "there is no character %q; there are %s", r, characters())
	for i, row := range strings.Fields(text) {
		for j := range g[i] {
			g[i][j] = row[j] == '#'
		}
	}
	return g
}

// characters returns all characters of the font in their order.
func characters() string { return string(slices.Sorted(maps.Keys(glyphs))) }
