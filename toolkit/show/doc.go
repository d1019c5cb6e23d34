// Package show draws models: decision regions, posteriors, boundaries side by
// side, traces of a fit, functions of one variable.
//
// Every plot takes a model through the small interfaces of package classify (or
// a learner's own function through [PosteriorFunc], [ScoreFunc] and
// [PredictFunc]) and returns a [*Figure]: one or more panels and the numbers
// behind them.
//
//	fig, err := show.Regions(model, iris, show.RegionsOptions{})
//	err = fig.Save("regions.svg") // or .png, .pdf, .csv, .json
//	show.Display(fig)             // in a notebook
//
// [Panels] puts figures side by side, [Figure.At] changes the size, and
// Figure.Panel(0).Add(…) draws more with gonum/plot.
//
// # One style
//
// Colours are Okabe and Ito's, which people with any colour vision can tell
// apart; every class also has its own marker and every curve its own dashes, so
// that a grey print still reads. Labels may hold formulas between dollar signs
// (see [Math]). Text is drawn as outlines: no font need be installed.
//
// # The same bytes everywhere
//
// All numbers are rounded to nine significant digits before they are drawn, and
// coordinates on the page to 1/100 point. The files hold no date, name or random
// identifier: equal figures are equal files.
//
// # Errors
//
// What a caller can get wrong (no points, NaN, three features where a plane is
// drawn, more classes than markers) is an error that says what was found and
// what to do. Nothing here panics on data.
package show
