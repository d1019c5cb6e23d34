package figures_test

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func ExampleAlpaydin10x1() {
	fig := toolkit.Must(figures.Alpaydin10x1(figures.Alpaydin10x1Options{W: [3]float64{-0.5, 1, 1}}))
	wrong, _ := fig.Data().Column("wrong")
	fmt.Println(wrong[0], "points are on the wrong side of x1 + x2 = 0.5")
	// Output: 0 points are on the wrong side of x1 + x2 = 0.5
}

func ExampleAlpaydin10x2() {
	fig := toolkit.Must(figures.Alpaydin10x2(figures.Alpaydin10x2Options{W: [3]float64{5, 3, 4}, X: [2]float64{1, 3}}))
	origin, _ := fig.Data().Column("origin.distance")
	point, _ := fig.Data().Column("point.distance")
	fmt.Println(origin[0], point[0])
	// Output: 1 4
}

func ExampleAlpaydin10x3() {
	fig := toolkit.Must(figures.Alpaydin10x3(figures.Alpaydin10x3Options{}))
	class, _ := fig.Data().Column("share.class")
	area, _ := fig.Data().Column("share.area")
	for i, k := range class {
		if k < 0 {
			fmt.Printf("answer %v on %.0f%% of the plane\n", k, 100*area[i])
		}
	}
	// Output:
	// answer -1 on 31% of the plane
	// answer -2 on 2% of the plane
}

func ExampleAlpaydin10x4() {
	for _, lift := range []float64{0, 8} {
		fig := toolkit.Must(figures.Alpaydin10x4(figures.Alpaydin10x4Options{Lift: lift}))
		all, _ := fig.Data().Column("a.right")
		pairs, _ := fig.Data().Column("b.right")
		fmt.Println(all[0], pairs[0])
	}
	// Output:
	// 60 90
	// 90 90
}

func ExampleAlpaydin10x5() {
	fig := toolkit.Must(figures.Alpaydin10x5(figures.Alpaydin10x5Options{W: 3}))
	slope, _ := fig.Data().Column("middle.slope")
	fmt.Println(slope[0])
	// Output: 0.75
}

func ExampleAlpaydin10x6() {
	fig := toolkit.Must(figures.Alpaydin10x6(figures.Alpaydin10x6Options{Iterations: []int{0, 1, 5}}))
	e, _ := fig.Data().Column("trace.E")
	fmt.Printf("%.2f %.2f %.2f\n", e[0], e[1], e[5])
	// Output: 27.66 21.45 13.96
}

func ExampleAlpaydin10x7() {
	fig := toolkit.Must(figures.Alpaydin10x7(figures.Alpaydin10x7Options{}))
	norm, _ := fig.Data().Column("step.norm")
	wrong, _ := fig.Data().Column("step.misclassified")
	for i := range norm {
		fmt.Printf("%.2f, %v wrong\n", norm[i], wrong[i])
	}
	// Output:
	// 1.44, 1 wrong
	// 3.72, 0 wrong
	// 7.57, 0 wrong
}

func ExampleAlpaydin10x8() {
	fig := toolkit.Must(figures.Alpaydin10x8(figures.Alpaydin10x8Options{Iterations: []int{2, 20, 200}}))
	e, _ := fig.Data().Column("trace.E")
	fmt.Println(len(e)-1, "iterations lower the error:", e[200] < e[0])
	// Output: 200 iterations lower the error: true
}

func ExampleAlpaydin10x9() {
	fig := toolkit.Must(figures.Alpaydin10x9(figures.Alpaydin10x9Options{Spread: 1}))
	wrong, _ := fig.Data().Column("wrong")
	fmt.Println(wrong[0], "points are on the wrong side")
	// Output: 7 points are on the wrong side
}

func ExampleAlpaydin10x10() {
	fig := toolkit.Must(figures.Alpaydin10x10(figures.Alpaydin10x10Options{Azimuth: 30}))
	sum := 0.0
	for _, name := range []string{"b.C1.z", "b.C2.z", "b.C3.z"} {
		p, _ := fig.Data().Column(name)
		sum += p[0]
	}
	fmt.Printf("%.6f\n", sum)
	// Output: 1.000000
}

func ExampleGambosiGDA() {
	fig := toolkit.Must(figures.GambosiGDA(figures.GambosiGDAOptions{N1: 30, N2: 30}))
	a, _ := fig.Data().Column("d.C1.a")
	p, _ := fig.Data().Column("d.C1.p")
	fmt.Printf("σ(%.2f) = %.3f\n", a[0], p[0])
	// Output:
	// σ(0.32) = 0.580
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

func ExampleGambosiQDA() {
	fig := toolkit.Must(figures.GambosiQDA(figures.GambosiQDAOptions{}))
	mistakes, _ := fig.Data().Column("d.mistakes.row")
	fmt.Println(len(mistakes), "of 180 points are misclassified")
	// Output: 6 of 180 points are misclassified
}

func ExampleGambosiSigmoid() {
	fig := toolkit.Must(figures.GambosiSigmoid(figures.GambosiSigmoidOptions{A: 2}))
	below, _ := fig.Data().Column("marked.below")
	above, _ := fig.Data().Column("marked.above")
	fmt.Println(below[0], above[0])
	// Output: 0.119202922 0.119202922
}

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
			fmt.Printf("%.3f ", area[3]+area[4]) // the fraction of the plane that several classes claim, plus the fraction that no class claims
		}
		fmt.Println("of the plane without an answer")
	}
	// Output:
	// 0.071 0.272 0.009 of the plane without an answer
	// 0.000 0.000 0.000 of the plane without an answer
}

func ExamplePRML4x3() {
	fig := toolkit.Must(figures.PRML4x3(figures.PRML4x3Options{K: 4}))
	// Each region has exactly one ring, so it consists of one piece without a hole.
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
		fmt.Printf("shift %v: of the middle class least squares finds %.2f, logistic regression %.2f\n", shift, ls[1],
			lg[1])
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
	// One basis function centred on the middle cloud is enough, wherever the centre of the other
	// basis function is.
	fig := toolkit.Must(figures.PRML4x12(figures.PRML4x12Options{Centres: [][]float64{{0, 0}, {-1.5, -1}}}))
	before, _ := fig.Data().Column("mistakes.x")
	after, _ := fig.Data().Column("mistakes.φ")
	fmt.Printf("%v mistakes without basis functions, %v with them\n", before[0], after[0])
	// Output: 40 mistakes without basis functions, 1 with them
}

func ExamplePRML4x13() {
	// If all thresholds are near 0, the activation function is almost a step.
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
	show.LoadCharts() // once per notebook
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
