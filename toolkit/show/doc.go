// Package show draws models, and how they were fitted and how well they do:
//
//   - on the plane of two features [Regions], [Boundaries], [Posterior],
//     [Discriminants], [Decisions] of machines that may say no, [Densities],
//     [Marginal], and [Surfaces] seen from the side;
//   - on a line [Projections], [Curves];
//   - of weights [Coefficients], [Images], [Contours] of their posteriors;
//   - of fits [Trace], [Traces], and [Loss] with the path of a solver;
//   - of predictions [ROC], [Calibration], [Confusion].
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
// [Figure.AddLine], [Figure.AddArrow] and their like draw more, as does
// Figure.Panel(0).Add(…) with gonum/plot.
//
// # With the mouse
//
// [Interactive] turns any figure into a chart that answers to the mouse, [Sliders]
// many figures into one with sliders, both drawn by Apache ECharts without a network:
//
//	show.LoadCharts() // once in a notebook
//	show.DisplayChart(show.Interactive(fig))
//
// Point at a place to read the posterior there, or at a point for its own; click a
// name in the legend to take it away; drag to move, turn the wheel with shift held
// to zoom; drag a surface to turn it. Where scripts do not run, the figure itself is
// seen.
//
// # One style
//
// Colours are Okabe and Ito's, which people with any colour vision can tell
// apart; every class also has its own marker and every curve its own dashes, so
// that a grey print still reads. Labels may hold formulas between dollar signs
// (see [NewPanel]). Text is drawn as outlines: no font need be installed.
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
