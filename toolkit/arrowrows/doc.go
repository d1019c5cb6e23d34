// Package arrowrows reads Parquet and Arrow files row by row, so that package classify can fit
// models to them. Every pass over the rows reads the file again, so a file need not fit into
// memory.
//
//	f, err := arrowrows.OpenParquet("events.parquet", arrowrows.Options{Label: "kind"})
//	rows, err := classify.NewRows(f.Each, classify.RowsOptions{Classes: f.K()})
//	m, err := classify.FitLogisticFrom(rows, classify.LogisticOptions{})
//
// The package is a separate module. Therefore the module of the toolkit does not require the Arrow
// libraries.
package arrowrows
