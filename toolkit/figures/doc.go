// Package figures draws the figures of the chapters: PRML chapter 4, Alpaydin
// chapter 10 and Gambosi's slides, each making the same point as its source with
// data of our own.
//
// Every figure is a function with options whose zero value draws the printed
// form, in a file of its own:
//
//	fig, err := figures.PRML4x4(figures.PRML4x4Options{Outliers: 20})
//	show.Display(fig)
//
// An option that is zero takes the default of its tag, and one outside of the range
// there is an error that says so.
//
// Change an option and look what happens to the picture and to its numbers
// (fig.Data()). What a figure must show is tested on those numbers.
//
// [All] is the catalogue, and [Find] looks an id up.
package figures
