package figures_test

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func ExamplePRML4x12Chart() {
	chart := toolkit.Must(figures.PRML4x12Chart(figures.PRML4x12Options{}))
	fmt.Println(chart.Figure().Title)
	// Output: 2 of 120 points wrong; without basis functions 40
}

func ExampleAlpaydin10x6Chart() {
	chart := toolkit.Must(figures.Alpaydin10x6Chart(figures.Alpaydin10x6Options{Iterations: []int{5, 50, 300}}))
	fmt.Println(chart.Figure().Title)
	// Output: E = 13.96,  5 of 40 points wrong,  w = (0.05, 0.50, 0.66)
}

func ExampleAlpaydin10x7Chart() {
	chart := toolkit.Must(figures.Alpaydin10x7Chart(figures.Alpaydin10x7Options{Iterations: []int{10, 100, 1000}}))
	norm, _ := chart.Figure().Data().Column("step.norm")
	fmt.Printf("the slider starts at 10 iterations, with ‖w‖ = %.2f\n", norm[0])
	// Output: the slider starts at 10 iterations, with ‖w‖ = 1.44
}

func ExampleAlpaydin10x8Chart() {
	chart := toolkit.Must(figures.Alpaydin10x8Chart(figures.Alpaydin10x8Options{Iterations: []int{10, 20, 30}}))
	fmt.Println(chart.Figure().Title)
	// Output: E = 12.12,  3 of 45 points wrong
}

func ExampleGambosiNewtonChart() {
	chart := toolkit.Must(figures.GambosiNewtonChart(figures.GambosiNewtonOptions{Start: 0.5}))
	w, _ := chart.Figure().Data().Column("newton.w")
	optimum, _ := chart.Figure().Data().Column("newton.optimum")
	fmt.Printf("from %g to %.4f\n", w[0], optimum[0])
	// Output: from 0.5 to 1.4995
}
