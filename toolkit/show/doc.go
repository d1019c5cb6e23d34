// Package show draws models, their fits and how well they predict:
//
//   - on the plane of two features: [Regions], [Boundaries], [Posterior],
//     [Discriminants], [Decisions] of machines that may reject, [Densities],
//     [Marginal], and [Surfaces] seen from the side;
//   - on a line: [Projections], [Curves];
//   - for weights: [Coefficients], [Profile], [Images], and [Contours] of their posteriors;
//   - for fits: [Trace], [Traces], and [Loss] with the path of a solver;
//   - for predictions: [ROC], [Calibration], [Confusion].
//
// Most plots that draw a model accept it through a small interface, such as classify.Predictor.
// [PosteriorFunc], [ScoreFunc] and [PredictFunc] turn a learner's own function into a model. A plot
// returns a [*Figure], which contains one or more panels and the numbers that they show.
//
//	fig, err := show.Regions(model, iris, show.RegionsOptions{})
//	err = fig.Save("regions.svg") // or .png, .pdf, .csv, .json
//	show.Display(fig) // in a notebook
//
// [Panels] puts figures side by side and [Figure.At] changes the size. [Figure.AddLine],
// [Figure.AddArrow] and similar methods draw on a figure. Figure.Panel(0).Add(…) adds a plotter of
// gonum/plot.
//
// # Interactive charts
//
// [Interactive] turns any figure into an interactive chart, and [Sliders] turns many figures into
// one chart with sliders. Apache ECharts draws these charts, without a network:
//
//	show.LoadCharts() // once in a notebook
//	show.DisplayChart(show.Interactive(fig))
//
// Hover over a place to read the posterior there, or over a data point to read the posterior of
// that point. Click a name in the legend to hide the class or line. Drag a panel to move it. To
// zoom, hold shift and turn the wheel. Drag a surface to rotate it. If scripts do not run, the page
// shows the figure as a picture.
//
// # One style
//
// People with any colour vision can distinguish the colours, which Okabe and Ito chose. Every class
// also has its own marker, and every curve has its own dashes. A grey print therefore remains
// readable. Labels may contain formulas between dollar signs (see [NewPanel]). Text is drawn as
// outlines, so no fonts are needed.
//
// # The same bytes everywhere
//
// The package rounds all numbers to nine significant digits before it draws them, and coordinates
// on the page to 1/100 point. The files contain no date, name or random identifier, so equal
// figures give equal files.
//
// # Errors
//
// A plot returns an error for a caller's mistake, such as no points, NaN, three features for a plot
// of a plane, or more classes than markers. The error says what the plot found and what to do. The
// package never panics on data.
package show
