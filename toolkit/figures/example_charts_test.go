package figures_test

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func ExamplePRML4x10Chart() {
	chart := toolkit.Must(figures.PRML4x10Chart(figures.PRML4x10Options{Prior: 0.8}))
	show.LoadCharts() // once in a notebook
	show.DisplayChart(chart)
	prior, _ := chart.Figure().Data().Column("model.prior")
	fmt.Println(prior)
	// Output: [0.8]
}

func ExampleAlpaydin10x10Chart() {
	chart := toolkit.Must(figures.Alpaydin10x10Chart(figures.Alpaydin10x10Options{}))
	fmt.Println(chart.Figure().Len(), "boxes to turn")
	// Output: 2 boxes to turn
}

func ExampleGambosiGDAChart() {
	chart := toolkit.Must(figures.GambosiGDAChart(figures.GambosiGDAOptions{N1: 30, N2: 30}))
	prior, _ := chart.Figure().Data().Column("model.prior")
	fmt.Println(prior)
	// Output: [0.5]
}
