// Package arrowrows reads the rows of Parquet and Arrow files, pass after pass, for the
// fits of package classify: a file need not fit into memory.
//
//	f, err := arrowrows.OpenParquet("events.parquet", arrowrows.Options{Label: "kind"})
//	rows, err := classify.NewRows(f.Each, classify.RowsOptions{Classes: f.K()})
//	m, err := rows.FitLogistic(classify.LogisticOptions{})
//
// It is a separate module, so that notebook cells that do not read such files do not link
// Arrow.
package arrowrows
