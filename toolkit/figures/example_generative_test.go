package figures_test

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

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

func ExampleGambosiGDA() {
	fig := toolkit.Must(figures.GambosiGDA(figures.GambosiGDAOptions{N1: 30, N2: 30}))
	a, _ := fig.Data().Column("d.C1.a")
	p, _ := fig.Data().Column("d.C1.p")
	fmt.Printf("σ(%.2f) = %.3f\n", a[0], p[0])
	// Output:
	// σ(0.32) = 0.580
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

func ExampleGambosiQDA() {
	fig := toolkit.Must(figures.GambosiQDA(figures.GambosiQDAOptions{}))
	mistakes, _ := fig.Data().Column("d.mistakes.row")
	fmt.Println(len(mistakes), "of 180 points are misclassified")
	// Output: 6 of 180 points are misclassified
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

func ExampleGambosiNewton() {
	for _, rate := range []float64{1, 0.5} {
		fig := toolkit.Must(figures.GambosiNewton(figures.GambosiNewtonOptions{Rate: rate}))
		e, _ := fig.Data().Column("error.Newton")
		fmt.Printf("rate %v: %.2g\n", rate, e[:5])
	}
	// Output:
	// rate 1: [1.9 0.85 0.3 0.047 0.0012]
	// rate 0.5: [1.9 1.4 1 0.71 0.47]
}
