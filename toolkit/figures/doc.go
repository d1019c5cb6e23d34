// Package figures draws the figures of PRML chapter 4, of Alpaydin chapter 10 and of Gambosi's
// slides. Each figure makes the same point as the original, but with our own data.
//
// Every figure is drawn by a function with options. The zero value of the options draws the default
// figure:
//
//	fig, err := figures.PRML4x4(figures.PRML4x4Options{Outliers: 20})
//	show.Display(fig)
//
// An option is a field of a struct. The field's tag may state a default, which replaces the value
// zero, and an allowed range. If an option is outside its range, the function returns an error that
// states the range.
//
// Change an option and see how the picture and its numbers (fig.Data()) change. The tests check
// these numbers.
//
// [All] returns the catalogue of figures, and [Find] returns the figure with a given id.
package figures
