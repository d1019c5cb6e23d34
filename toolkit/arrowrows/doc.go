// Package arrowrows reads the rows of Parquet and Arrow files for the fits of package classify. It
// reads the file again in every pass, so a file need not fit into memory.
//
//	f, err := arrowrows.OpenParquet("events.parquet", arrowrows.Options{Label: "kind"})
//	rows, err := classify.NewRows(f.Each, classify.RowsOptions{Classes: f.K()})
//	m, err := classify.FitLogisticFrom(rows, classify.LogisticOptions{})
//
// It is a separate module because notebook cells that do not read such files should not link Arrow.
package arrowrows
