package figures_test

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func ExamplePRML4x1Chart() {
	c := toolkit.Must(figures.PRML4x1Chart(figures.PRML4x1Options{W0: -3, Angle: 60}))
	origin, _ := c.Figure().Data().Column("distance.origin")
	fmt.Println(c.Figure().Title)
	fmt.Println(origin[0])
	// Output:
	// $\mathbf{w}$ = (1, 1.73), $w_0$ = −3:  $y(\mathbf{x})$ = −0.255
	// 1.5
}

func ExamplePRML4x4Chart() {
	c := toolkit.Must(figures.PRML4x4Chart(figures.PRML4x4Options{Outliers: 3}))
	fmt.Println(c.Figure().Title)
	// Output: least squares turns by 18.7°, logistic regression by 0.0°
}

func ExamplePRML4x6Chart() {
	c := toolkit.Must(figures.PRML4x6Chart(figures.PRML4x6Options{}))
	fmt.Println(c.Figure().Title)
	// Output: $J$ = 0.021 (largest: 0.135)
}

func ExamplePRML4x7Chart() {
	c := toolkit.Must(figures.PRML4x7Chart(figures.PRML4x7Options{Angle: 200}))
	fmt.Println(c.Figure().Title)
	// Output: at the start: 20 mistakes
}

func ExamplePRML4x10Chart() {
	chart := toolkit.Must(figures.PRML4x10Chart(figures.PRML4x10Options{Prior: 0.8}))
	show.LoadCharts() // once in a notebook
	show.DisplayChart(chart)
	prior, _ := chart.Figure().Data().Column("model.prior")
	fmt.Println(prior)
	// Output: [0.8]
}

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

func ExampleGambosiNewtonChart() {
	chart := toolkit.Must(figures.GambosiNewtonChart(figures.GambosiNewtonOptions{Start: 0.5}))
	w, _ := chart.Figure().Data().Column("newton.w")
	optimum, _ := chart.Figure().Data().Column("newton.optimum")
	fmt.Printf("from %g to %.4f\n", w[0], optimum[0])
	// Output: from 0.5 to 1.4995
}
