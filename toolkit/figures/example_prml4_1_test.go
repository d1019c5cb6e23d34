package figures_test

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func ExamplePRML4x5() {
	for _, shift := range []float64{0, 4} {
		fig := toolkit.Must(figures.PRML4x5(figures.PRML4x5Options{Shift: shift}))
		ls, _ := fig.Data().Column("recall.least squares")
		lg, _ := fig.Data().Column("recall.logistic")
		fmt.Printf("shift %v: of the middle class least squares finds %.2f, logistic regression %.2f\n", shift, ls[1], lg[1])
	}
	// Output:
	// shift 0: of the middle class least squares finds 0.04, logistic regression 1.00
	// shift 4: of the middle class least squares finds 1.00, logistic regression 1.00
}

func ExamplePRML4x6() {
	fig := toolkit.Must(figures.PRML4x6(figures.PRML4x6Options{Elongation: 3}))
	for _, name := range []string{"line of the means", "Fisher"} {
		j, _ := fig.Data().Column(name + ".fisher")
		overlap, _ := fig.Data().Column(name + ".overlap")
		fmt.Printf("%s: J = %.3f, overlap %.2f\n", name, j[0], overlap[0])
	}
	// Output:
	// line of the means: J = 0.055, overlap 0.08
	// Fisher: J = 0.148, overlap 0.01
}

func ExamplePRML4x7() {
	fig := toolkit.Must(figures.PRML4x7(figures.PRML4x7Options{}))
	mistakes, _ := fig.Data().Column("mistakes")
	fmt.Println(mistakes)
	// Output: [6 3 1 0]
}

func ExamplePRML4x2() {
	for _, decide := range []bool{false, true} {
		fig := toolkit.Must(figures.PRML4x2(figures.PRML4x2Options{Largest: decide}))
		for _, panel := range []string{"a.", "b.", "c."} {
			area, _ := fig.Data().Column(panel + "share.area")
			fmt.Printf("%.3f ", area[3]+area[4]) // several classes, none
		}
		fmt.Println("of the plane without an answer")
	}
	// Output:
	// 0.042 0.265 0.019 of the plane without an answer
	// 0.000 0.000 0.000 of the plane without an answer
}

func ExamplePRML4x3() {
	fig := toolkit.Must(figures.PRML4x3(figures.PRML4x3Options{K: 4}))
	// One ring for each class: no region has a second piece or a hole.
	ring, _ := fig.Data().Column("region.ring")
	fmt.Println(ring[len(ring)-1] + 1)
	// Output: 4
}

func ExamplePRML4x1() {
	fig := toolkit.Must(figures.PRML4x1(figures.PRML4x1Options{W0: -3, Norm: 5, Angle: 90, X: [2]float64{1, -2}}))
	origin, _ := fig.Data().Column("distance.origin")
	x, _ := fig.Data().Column("distance.x")
	fmt.Println(origin[0], x[0])
	// Output: 0.6 -2.6
}

func ExamplePRML4x8() {
	fig := toolkit.Must(figures.PRML4x8(figures.PRML4x8Options{Letters: "EH"}))
	test, _ := fig.Data().Column("accuracy.test")
	fmt.Printf("%.2f of the characters at new places are read right\n", test[0])
	// Output: 0.92 of the characters at new places are read right
}
