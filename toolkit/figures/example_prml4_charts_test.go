package figures_test

import (
	"fmt"

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
