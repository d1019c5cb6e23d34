package canvas

import (
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"
	"strings"
)

// On a dark page, these colours replace white and #222222, the colour of the ink.
var (
	darkPaper = color.NRGBA{0x1F, 0x22, 0x26, 255}
	darkInk   = color.NRGBA{0xDC, 0xDA, 0xD5, 255}
)

// maxGreys is the largest number of greys in a document whose colours adapt to the theme of the
// page. In a document with more greys, light and dark probably have a meaning, so its colours do not
// change.
const maxGreys = 40

// maxDark is the largest number of colours of a document whose colours all adapt to a dark page. A
// document with more colours probably contains shaded surfaces, so only its greys change.
const maxDark = 200

// dark returns the colour that replaces c on a dark page. White becomes darkPaper, and the ink
// becomes darkInk. The hue of a colour does not change, unless the colour is nearly grey. A strong
// colour keeps at least its lightness, or at least the lightness 0.75 if the colour is lighter than
// that. Lines and points therefore remain clearly visible.
//
// Interactive charts use the same rule; see toolkit/show/internal/echarts/runtime.js.
func dark(c color.NRGBA) color.NRGBA {
	p, from, to := oklab(c), oklab(darkPaper), oklab(darkInk)
	const inkLightness = 0.2519 // lightness of #222222
	chroma := math.Hypot(p[1], p[2])
	t := min(1, (1-p[0])/(1-inkLightness))
	u := t + 0.35*t*(1-t)
	grey := 1 - min(1, chroma/0.02)
	light := from[0] + u*(to[0]-from[0])
	light += min(1, max(0, (chroma-0.05)/0.05)) * (max(light, min(p[0], 0.75)) - light)
	return fromOklab([3]float64{light, p[1] + grey*(from[1]+u*(to[1]-from[1])), p[2] + grey*(from[2]+u*(to[2]-from[2]))})
}

// oklab returns the coordinates of a colour in the colour space Oklab (Björn Ottosson, 2020): the
// lightness and two colour coordinates.
func oklab(c color.NRGBA) [3]float64 {
	linear := func(b uint8) float64 {
		v := float64(b) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	r, g, b := linear(c.R), linear(c.G), linear(c.B)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return [3]float64{0.2104542553*l + 0.793617785*m - 0.0040720468*s,
		1.9779984951*l - 2.428592205*m + 0.4505937099*s, 0.0259040371*l + 0.7827717662*m - 0.808675766*s}
}

// fromOklab returns the colour with the given Oklab coordinates, limited to the colours that a
// screen can show.
func fromOklab(p [3]float64) color.NRGBA {
	cube := func(v float64) float64 { return v * v * v }
	l, m := cube(p[0]+0.3963377774*p[1]+0.2158037573*p[2]), cube(p[0]-0.1055613458*p[1]-0.0638541728*p[2])
	s := cube(p[0] - 0.0894841775*p[1] - 1.291485548*p[2])
	coded := func(v float64) uint8 {
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		return uint8(math.Round(255 * min(1, max(0, v))))
	}
	return color.NRGBA{coded(4.0767416621*l - 3.3077115913*m + 0.2309699292*s),
		coded(-1.2684380046*l + 2.6097574011*m - 0.3413193965*s),
		coded(-0.0041960863*l - 0.7034186147*m + 1.707614701*s), 255}
}

func isGrey(c color.NRGBA) bool {
	p := oklab(c)
	return math.Hypot(p[1], p[2]) < 0.02
}

// darkStyle returns a style element that adapts a document to the theme of the page. The element
// has a rule for each colour in a fill or stroke attribute. If there are more than maxDark colours,
// it has rules only for the greys. A last rule inverts the lightness of images. If there are more
// than maxGreys greys, or no colour needs a rule, darkStyle returns "". The rules apply to a document
// in a file or in an <img> element. They do not apply to an <svg> element within an HTML page, because
// such an element is not the :root.
func darkStyle(used map[string]map[color.NRGBA]bool) string {
	all, greys := map[color.NRGBA]bool{}, map[color.NRGBA]bool{}
	for _, colors := range used {
		maps.Copy(all, colors)
	}
	for c := range all {
		if isGrey(c) {
			greys[c] = true
		}
	}
	if len(greys) > maxGreys {
		return ""
	}
	var b strings.Builder
	for _, what := range slices.Sorted(maps.Keys(used)) {
		var rules []string
		for c := range used[what] {
			if len(all) <= maxDark || greys[c] {
				rules = append(rules, fmt.Sprintf(":root>[%s=\"%s\"]{%[1]s:%[3]s}", what, hex(c), hex(dark(c))))
			}
		}
		slices.Sort(rules)
		b.WriteString(strings.Join(rules, ""))
	}
	if b.Len() == 0 {
		return ""
	}
	b.WriteString(":root>image{filter:invert(.88) hue-rotate(180deg)}")
	return "<style>@media (prefers-color-scheme:dark){" + b.String() + "}</style>\n"
}
