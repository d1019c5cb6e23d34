package figures

import (
	"errors"
	"fmt"
	"strings"
)

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
func glyph(r rune) (g dots, err error) {
	text, ok := glyphs[r]
	if !ok {
		return g, fmt.Errorf("there is no character %q; there are %s", r, characters())
	}
	rows := strings.Fields(text)
	if len(rows) != glyphHeight {
		return g, errors.New("a character has not 7 rows")
	}
	for i, row := range rows {
		for j := range g[i] {
			g[i][j] = row[j] == '#'
		}
	}
	return g, nil
}

// characters returns all characters of the font in their order.
func characters() string {
	var b strings.Builder
	for r := 'A'; r <= 'Z'; r++ {
		if _, ok := glyphs[r]; ok {
			b.WriteRune(r)
		}
	}
	return b.String()
}
