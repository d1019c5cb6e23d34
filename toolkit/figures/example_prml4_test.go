package figures_test

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
)

func ExamplePRML4x1() {
	fig := toolkit.Must(figures.PRML4x1(figures.PRML4x1Options{W0: -3, Norm: 5, Angle: 90, X: [2]float64{1, -2}}))
	origin, _ := fig.Data().Column("distance.origin")
	x, _ := fig.Data().Column("distance.x")
	fmt.Println(origin[0], x[0])
	// Output: 0.6 -2.6
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
	// 0.071 0.272 0.009 of the plane without an answer
	// 0.000 0.000 0.000 of the plane without an answer
}

func ExamplePRML4x3() {
	fig := toolkit.Must(figures.PRML4x3(figures.PRML4x3Options{K: 4}))
	// One ring for each class: no region has a second piece or a hole.
	ring, _ := fig.Data().Column("region.ring")
	fmt.Println(ring[len(ring)-1] + 1)
	// Output: 4
}

func ExamplePRML4x4() {
	fig := toolkit.Must(figures.PRML4x4(figures.PRML4x4Options{Outliers: 20}))
	ls, _ := fig.Data().Column("turn.least squares")
	lg, _ := fig.Data().Column("turn.logistic")
	fmt.Printf("least squares turns by %.0f°, logistic regression by %.0f°\n", ls[0], lg[0])
	// Output: least squares turns by 41°, logistic regression by 0°
}

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

func ExamplePRML4x8() {
	fig := toolkit.Must(figures.PRML4x8(figures.PRML4x8Options{Letters: "EH"}))
	test, _ := fig.Data().Column("accuracy.test")
	fmt.Printf("%.2f of the characters at new places are read right\n", test[0])
	// Output: 0.92 of the characters at new places are read right
}

func ExamplePRML4x9() {
	fig := toolkit.Must(figures.PRML4x9(figures.PRML4x9Options{}))
	gap, _ := fig.Data().Column("gap.largest")
	fmt.Printf("%.4f\n", gap[0])
	// Output: 0.0177
}

func ExamplePRML4x10() {
	for _, prior := range []float64{0.5, 0.9} {
		fig := toolkit.Must(figures.PRML4x10(figures.PRML4x10Options{Prior: prior}))
		w, _ := fig.Data().Column("model.w")
		fmt.Printf("p(C1) = %v: w = (%.2f, %.2f), w0 = %.2f\n", prior, w[1], w[2], w[0])
	}
	// Output:
	// p(C1) = 0.5: w = (3.66, 2.94), w0 = 0.16
	// p(C1) = 0.9: w = (3.66, 2.94), w0 = 2.35
}

func ExamplePRML4x11() {
	fig := toolkit.Must(figures.PRML4x11(figures.PRML4x11Options{Spread: 0.8}))
	c1, _ := fig.Data().Column("model.cov1")
	c2, _ := fig.Data().Column("model.cov2")
	fmt.Printf("%.2f\n%.2f\n", c1, c2)
	// Output:
	// [0.40 0.15 0.15 0.32]
	// [0.40 0.15 0.15 0.32]
}

func ExamplePRML4x12() {
	// A bell on the middle cloud will do, whatever the other one looks at.
	fig := toolkit.Must(figures.PRML4x12(figures.PRML4x12Options{Centres: [][]float64{{0, 0}, {-1.5, -1}}}))
	before, _ := fig.Data().Column("mistakes.x")
	after, _ := fig.Data().Column("mistakes.φ")
	fmt.Printf("%v mistakes without basis functions, %v with them\n", before[0], after[0])
	// Output: 40 mistakes without basis functions, 1 with them
}

func ExamplePRML4x13() {
	// Thresholds near 0 only: the activation function is almost a step.
	fig := toolkit.Must(figures.PRML4x13(figures.PRML4x13Options{Means: []float64{0}, Stds: []float64{0.1}, A: 0.1}))
	p, _ := fig.Data().Column("marked.p")
	f, _ := fig.Data().Column("marked.f")
	fmt.Printf("f(0.1) = %.3f, with slope %.2f\n", f[0], p[0])
	// Output: f(0.1) = 0.841, with slope 2.42
}

func ExamplePRML4x14() {
	fig := toolkit.Must(figures.PRML4x14(figures.PRML4x14Options{}))
	mode, _ := fig.Data().Column("laplace.mode")
	mean, _ := fig.Data().Column("exact.mean")
	fmt.Printf("the Gaussian is centred on the mode %.3f, p has its mean at %.3f\n", mode[0], mean[0])
	// Output: the Gaussian is centred on the mode 0.077, p has its mean at 0.673
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
