// Package datasets holds labelled data: embedded real sets and seeded generators
// (All lists them), CSV in and out, tables of numbers and words that an Encoder
// turns into numbers, and the small operations a lesson needs (some classes, some
// columns, one more row, standardised, split, shuffled, mislabelled). It draws
// nothing.
//
// OpenCSVFile reads a file that does not fit into memory, for classify.NewRows.
//
// A Dataset is a plain value with exported fields. Its methods never change it
// nor share memory with it: each returns a new Dataset.
//
// Whatever a learner can type wrongly comes back as an error that says what was
// found and what to do; rows count from 0 in a Dataset and a Table, lines and
// columns from 1 in a CSV file. Only Must panics, for notebook cells.
//
// Generators use a PCG with the given seed, and their coordinates are rounded to
// nine digits: the same options give the same bytes on every machine.
//
// The origin and the rights of the real sets are in their Source and in
// data/README.md, also of those left out.
package datasets
