// Command beam fits linear discriminant analysis and logistic regression with Apache Beam. Each of
// Beam's workers computes statistics of some of the rows, and Beam merges these statistics. The
// command computes the fit from the merged statistics, which are only a few numbers. LDA takes one
// pass over the rows; logistic regression takes one pass for each step of Newton's method.
//
//	go run . [-file rows.csv] [-label kind]
//
// Without a file the command fits the models to two species of iris. The pipelines run on Beam's
// local runner, but the same transforms also work on other runners.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

func main() {
	file := flag.String("file", "", "a CSV file with two classes (default: two species of iris)")
	label := flag.String("label", "", "name of the column with the class (default: the last column)")
	flag.Parse()
	beam.Init()
	if err := run(context.Background(), *file, *label); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, file, label string) error {
	d, err := datasets.Iris().Class("versicolor", "virginica")
	if file != "" {
		d, err = datasets.ReadCSVFile(file, datasets.CSVOptions{Label: label})
	}
	if err != nil {
		return err
	}
	rows := rowsOf(d)
	moments, err := Moments(ctx, rows, d.D(), d.K())
	if err != nil {
		return err
	}
	lda, err := classify.FitLDAFrom(moments, classify.LDAOptions{})
	if err != nil {
		return err
	}
	fmt.Printf("LDA, one pass: %v rows of classes %v, ln p(X,t) = %.6f\n", moments.Counts, d.ClassNames,
		lda.LogLikelihood)
	w, passes, err := Logistic(ctx, rows, d.D(), nil)
	if err != nil {
		return err
	}
	fmt.Printf("logistic regression, %d passes: w = %.4f\n", passes, w)
	return nil
}

// rowsOf returns the rows of a data set as elements of a Beam collection.
func rowsOf(d *datasets.Dataset) []Row {
	rows := make([]Row, d.N())
	for i, k := range d.Labels {
		rows[i] = Row{X: d.X.RawRowView(i), Label: k}
	}
	return rows
}
