// Package arrowrows reads the rows of Parquet and Arrow files for the fits of package classify. It
// reads the file again in every pass, so a file need not fit into memory.
//
//	f, err := arrowrows.OpenParquet("events.parquet", arrowrows.Options{Label: "kind"})
//	rows, err := classify.NewRows(f.Each, classify.RowsOptions{Classes: f.K()})
//	m, err := classify.FitLogisticFrom(rows, classify.LogisticOptions{})
//
// The package is a separate module, so that notebook cells that do not read such files need not
// link the Arrow libraries.
package arrowrows
