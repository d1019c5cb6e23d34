// Package datasets contains embedded real data sets and generators of synthetic data sets. The
// function All lists both. The package reads and writes CSV files. An Encoder turns a table of
// numbers and words into a Dataset. The methods of a Dataset select classes or columns, append a
// row, standardise the columns, split or shuffle the rows, and change labels at random.
//
// If a CSV file does not fit into memory, use OpenCSVFile. It reads the file row by row for
// classify.NewRows.
//
// A Dataset is a plain value with exported fields. Its methods do not change it, except for
// UnmarshalJSON. A method that derives a data set returns a new Dataset that shares no memory with the
// old one.
//
// For an invalid input a function returns an error that states what was found and what to do. Rows
// are counted from 0 in a Dataset and a Table; lines and columns are counted from 1 in a CSV file.
//
// Generators use the random number generator PCG with the given seed, and round the coordinates to
// nine digits. The same options therefore give the same bytes on every machine.
//
// The field Source of each real set states the origin of the data and the rights to use them.
// data/README.md states the same facts. data/README.md also lists data sets that the package does
// not contain, with the reasons.
package datasets
