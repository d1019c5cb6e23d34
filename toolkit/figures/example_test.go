package figures_test

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func ExamplePRML4x4() {
	fig := toolkit.Must(figures.PRML4x4(figures.PRML4x4Options{Outliers: 20}))
	ls, _ := fig.Data().Column("turn.least squares")
	lg, _ := fig.Data().Column("turn.logistic")
	fmt.Printf("least squares turns by %.0f°, logistic regression by %.0f°\n", ls[0], lg[0])
	// Output: least squares turns by 41°, logistic regression by 0°
}

func ExamplePRML4x9() {
	fig := toolkit.Must(figures.PRML4x9(figures.PRML4x9Options{}))
	gap, _ := fig.Data().Column("gap.largest")
	fmt.Printf("%.4f\n", gap[0])
	// Output: 0.0177
}

func ExampleAlpaydin10x5() {
	fig := toolkit.Must(figures.Alpaydin10x5(figures.Alpaydin10x5Options{W: 3}))
	slope, _ := fig.Data().Column("middle.slope")
	fmt.Println(slope[0])
	// Output: 0.75
}

func ExampleGambosiSigmoid() {
	fig := toolkit.Must(figures.GambosiSigmoid(figures.GambosiSigmoidOptions{A: 2}))
	below, _ := fig.Data().Column("marked.below")
	above, _ := fig.Data().Column("marked.above")
	fmt.Println(below[0], above[0])
	// Output: 0.119202922 0.119202922
}

func ExampleAll() {
	for _, e := range figures.All() {
		if e.Source == "PRML figure 4.9" || e.Source == "Alpaydin figure 10.5" {
			fmt.Println(e.ID, "-", e.Title)
		}
	}
	// Output:
	// fig-prml-4.9 - The logistic sigmoid and the scaled probit function
	// fig-alpaydin-10.5 - The logistic function
}

func ExampleFind() {
	_, err := figures.Find("prml-4.44")
	fmt.Println(err)
	// Output: figures: no figure "prml-4.44"; did you mean fig-prml-4.4?
}
