package figures_test

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
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
