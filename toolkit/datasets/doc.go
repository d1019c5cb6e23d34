// Package datasets contains labelled data: embedded real sets and seeded generators (All lists
// both), CSV input and output, and tables of numbers and words that an Encoder turns into numbers.
// The methods of a Dataset select classes or columns, append a row, standardise, split, shuffle or
// mislabel. It does not draw figures.
//
// If a CSV file does not fit into memory, use OpenCSVFile. It reads the file row by row for
// classify.NewRows.
//
// A Dataset is a plain value with exported fields. Its methods do not change it. A method that
// derives a data set returns a new Dataset that shares no memory with the old one.
//
// For an invalid input a function returns an error that states what was found and what to do. Rows
// count from 0 in a Dataset and a Table; lines and columns count from 1 in a CSV file.
//
// Generators use the random number generator PCG with the given seed, and round the coordinates to
// nine digits. The same options therefore give the same bytes on every machine.
//
// The field Source of each real set and data/README.md state the origin and the rights.
// data/README.md also lists data sets that the package does not contain, with the reasons.
package datasets
