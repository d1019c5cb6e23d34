// Package figures draws the figures of the chapters: PRML chapter 4, Alpaydin chapter 10 and
// Gambosi's slides. Each figure makes the same point as its source, but with our own data.
//
// Every figure is a function with options. A file contains the figures of one section of the
// source. The zero value of the options draws the printed form:
//
//	fig, err := figures.PRML4x4(figures.PRML4x4Options{Outliers: 20})
//	show.Display(fig)
//
// The tag of an option's field contains the default, which replaces zero. The tag also contains the
// range of the option. A figure returns an error if an option is outside its range, and the error
// states the range.
//
// Change an option and see how the picture and its numbers (fig.Data()) change. The tests check
// these numbers.
//
// [All] returns the catalogue, and [Find] looks up an id.
package figures
