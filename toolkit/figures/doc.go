// Package figures draws the figures of the chapters: PRML chapter 4, Alpaydin chapter 10 and
// Gambosi's slides. Each figure makes the same point as its source with our own data.
//
// Every figure is a function with options whose zero value draws the printed form. A file holds the
// figures of one section of the source:
//
//	fig, err := figures.PRML4x4(figures.PRML4x4Options{Outliers: 20})
//	show.Display(fig)
//
// The default of an option is in its tag and replaces zero. An option outside the range in its tag
// causes an error that states the range.
//
// Change an option and see how the picture and its numbers (fig.Data()) change. The tests check on
// those numbers what a figure must show.
//
// [All] returns the catalogue, and [Find] looks up an id.
package figures
