package show

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
)

// ImagesOptions change what [Images] draws. For square images, all fields are optional.
type ImagesOptions struct {
	Title   string
	Names   []string // titles of the images; nil means no titles
	Width   int      // number of pixels per row; the default is the square root of the number of columns
	OwnGrey bool     // whether each image has its own grey scale
	// Limit, if positive, is the largest number of the grey scale. The default is the largest
	// absolute value in x. Limit has no effect if OwnGrey is true. Several calls of Images with the
	// same Limit have the same scale if all of them have negative values in x, or none of them has.
	Limit float64
	Scale string // label of the bar that shows the grey scale
}

// Images draws each row of x as a grey picture, at most 64 pictures. The rows can be, for example,
// the inputs of a retina, or the weights that a machine has for the cells of a retina. The numbers
// in a row are the pixels from the top left, row by row.
//
// If no value is negative, 0 is white and the largest number of the grey scale is black. Otherwise
// the scale is symmetric: 0 is a middle grey, positive values are lighter, and negative values are
// darker. With the option OwnGrey, this rule applies to each image separately.
//
// The figure's Data contains the values of the images ("image0", "image1" and so on), and the ends
// of the grey scale of each image ("scale.lo" and "scale.hi"). Errors: no rows, no columns, more
// than 64 rows, more than 2²⁰ columns, NaN or infinite values, and different numbers of names and
// rows. Rows that do not fill a rectangle of the given width (without the option Width: a square) are
// also an error. So is a Limit that is negative, not finite, or positive but less than the largest
// absolute value in x.
func Images(x mat.Matrix, o ImagesOptions) (_ *Figure, err error) {
	defer prefixError("Images", &err)
	if isNil(x) {
		return nil, errors.New("there are no images; give a matrix with one image in each row")
	}
	n, d := x.Dims()
	if n == 0 || d == 0 || n > 64 {
		return nil, fmt.Errorf("there are %d images of %d pixels; want 1 to 64 images with at least one pixel", n, d)
	}
	if o.Width == 0 {
		o.Width = int(math.Round(math.Sqrt(float64(d))))
		if o.Width*o.Width != d {
			return nil, fmt.Errorf("%d pixels do not form a square; give the option Width, or leave out the column of the bias", d)
		}
	}
	if o.Width < 1 || d%o.Width != 0 || d > 1<<20 {
		return nil, fmt.Errorf("option Width is %d for images of %d pixels; want a divisor of the number of pixels, and at most 2^20 pixels",
			o.Width, d)
	}
	if o.Names != nil && len(o.Names) != n {
		return nil, fmt.Errorf("there are %d names for %d images; give one name for each image", len(o.Names), n)
	}
	lo, hi := make([]float64, n), make([]float64, n)
	var allLo, allHi float64
	for i := range n {
		for j := range d {
			v := x.At(i, j)
			if !allFinite(v) {
				return nil, fmt.Errorf("pixel %d of image %d is %v; it must be finite", j, i, v)
			}
			lo[i], hi[i] = min(lo[i], v), max(hi[i], v)
		}
		allLo, allHi = min(allLo, lo[i]), max(allHi, hi[i])
	}
	if !(o.Limit >= 0) || math.IsInf(o.Limit, 1) || o.Limit > 0 && o.Limit < max(allHi, -allLo) {
		return nil, fmt.Errorf("option Limit is %v; want 0 or a finite number that is at least the largest absolute value of the images, %v",
			o.Limit, max(allHi, -allLo))
	}
	if o.Limit > 0 {
		allHi = o.Limit
	}
	var plots []panel
	for i := range n {
		if !o.OwnGrey {
			lo[i], hi[i] = allLo, allHi
		}
		if lo[i] < 0 {
			hi[i] = max(hi[i], -lo[i])
			lo[i] = -hi[i]
		}
		p := newPanel("", "")
		p.HideAxes()
		if o.Names != nil {
			p.Title.Text = o.Names[i]
		}
		high := float64(d / o.Width)
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, float64(o.Width), 0, high
		p.add(imageLayer{box{[2]float64{0, float64(o.Width)}, [2]float64{0, high}}, greyImage(x, i, o.Width, lo[i],
			hi[i])})
		plots = append(plots, p)
	}
	cols := min(n, 5)
	if n == 6 || n == 9 { // 6 or 9 images fill rows of 3 images completely
		cols = 3
	}
	fig, err := newFigure(cols, plots...)
	if err != nil {
		return nil, err
	}
	fig.Title = o.Title
	fig.Alt = fmt.Sprintf("%d grey images of %d × %d pixels.", n, o.Width, d/o.Width)
	rows := (n + fig.cols - 1) / fig.cols
	cell := min(1.7, 8.2/float64(fig.cols))
	fig.Width = max(2.6, float64(fig.cols)*cell+0.2)
	fig.Height = float64(rows)*(cell*min(2, float64(d/o.Width)/float64(o.Width))+0.15) + 0.3
	for i := range n {
		fig.panels[i].equal = true
		fig.AddData(fmt.Sprintf("image%d", i), mat.Row(nil, i, x))
	}
	fig.AddData("scale.lo", lo)
	fig.AddData("scale.hi", hi)
	if !o.OwnGrey && hi[0] > lo[0] {
		fig.bar = greyBar(o.Scale, round9(lo[0]), round9(hi[0]))
		fig.Height += 0.45
		fig.Width = max(fig.Width, 3.4)
	}
	return fig, nil
}

// greyOf returns the grey level that represents v on the scale lo…hi.
func greyOf(v, lo, hi float64) uint8 {
	switch {
	case hi <= lo:
		return 255
	case lo < 0:
		return uint8(math.Round(255 * (v - lo) / (hi - lo)))
	}
	return uint8(math.Round(255 * (1 - v/hi)))
}

// greyImage returns row i as a picture. If the width is at most 200, each number becomes a block of
// pixels. If it were a single pixel, viewers would smooth the borders between the numbers, which
// should be sharp.
func greyImage(x mat.Matrix, i, width int, lo, hi float64) image.Image {
	_, d := x.Dims()
	times := max(1, min(16, 400/width))
	img := image.NewNRGBA(image.Rect(0, 0, width*times, d/width*times))
	for j := range d {
		g := greyOf(round9(x.At(i, j)), lo, hi)
		for r := range times {
			for c := range times {
				img.SetNRGBA(j%width*times+c, j/width*times+r, color.NRGBA{g, g, g, 255})
			}
		}
	}
	return img
}

// greyBar returns the bar that shows a grey scale.
func greyBar(label string, lo, hi float64) *colorBar {
	marks := []float64{lo, hi}
	if lo < 0 {
		marks = []float64{lo, 0, hi}
	}
	return gradientBar(label, lo, hi, marks, func(i int) color.NRGBA {
		g := greyOf(lo+(hi-lo)*float64(i)/(gradientSteps-1), lo, hi)
		return color.NRGBA{g, g, g, 255}
	})
}
