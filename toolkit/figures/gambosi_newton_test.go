package figures

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

var newtonProperties = []property{
	{
		name:  "fig-gambosi-newton: each step lands at the tangent's root, the convergence is quadratic",
		wrong: with(GambosiNewton, GambosiNewtonOptions{Rate: 0.9}),
		holds: func(d show.Data) {
			tangentSteps(d)
			quadratic(d, "error.one weight")
			quadratic(d, "error.Newton")
			need(failing(func() { quadratic(d, "error.gradient descent") }) != nil,
				"gradient descent converges quadratically")
		},
	}, {
		name:  "fig-gambosi-newton: a rate of 1/2 is not quadratic, whatever the tangents do",
		draw:  with(GambosiNewton, GambosiNewtonOptions{Seed: 3}),
		wrong: with(GambosiNewton, GambosiNewtonOptions{Rate: 0.5}),
		holds: func(d show.Data) { quadratic(d, "error.Newton") },
	},
}

// tangentSteps checks every step of the first panel. The drawn tangent must start on the drawn
// curve, have the slope of the curve, and end at 0, where the next step begins.
func tangentSteps(d show.Data) {
	w, slope, curvature := column(d, "newton.w"), column(d, "newton.slope"), column(d, "newton.curvature")
	for k := range len(w) - 1 {
		near(w[k+1], w[k]-slope[k]/curvature[k], 1e-7, "the end of a step")
	}
	x, f := column(d, "a.x"), column(d, "a.dE/dw")
	tx, ty, _ := drawn(d, "a.tangents")
	need(len(tx) >= 6, "%d points of tangents", len(tx))
	h := x[1] - x[0]
	for k := 0; k+2 < len(tx); k += 3 {
		need(math.Abs(ty[k+1]) <= 1e-8 && tx[k] == w[k/3] && tx[k+1] == w[k/3+1], "tangent %d ends at (%v, %v)", k/3,
			tx[k+1], ty[k+1])
		// Near the point of contact, the curve differs from the chord of its mesh cell by at most
		// h²/8·|f″|. Its slope differs from the chord's slope by at most h/2·|f″|. |f″| is below 1.
		i := int((tx[k] - x[0]) / h)
		chord := (f[i+1] - f[i]) / h
		near(ty[k], f[i]+chord*(tx[k]-x[i]), h*h, "the beginning of a tangent on the curve")
		near((ty[k+1]-ty[k])/(tx[k+1]-tx[k]), chord, h, "the slope of a tangent")
	}
}

// quadratic checks that an error below 1/3 falls to at most twice its square in the next step. This
// must happen at least twice, and the last error must be at most 1e-4.
func quadratic(d show.Data, name string) {
	e := column(d, name)
	close := 0
	for k := 0; k+1 < len(e); k++ {
		if e[k] < 1.0/3 {
			close++
			need(e[k+1] <= 2*e[k]*e[k], "%s: %v after %v", name, e[k+1], e[k])
		}
	}
	need(close >= 2 && e[len(e)-1] <= 1e-4, "%s: %v", name, e)
}
