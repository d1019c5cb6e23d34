// Package ex02 judges Alpaydin exercise 10.2: the signed distance of a point, and
// of the origin, from a hyperplane.
package ex02

import (
	_ "embed"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParse("exercises/alpaydin10/ex02/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges both functions of Alpaydin exercise 10.2. distance returns the
// signed distance of x (D) from the plane wᵀx + w0 = 0, (10.4). originDistance
// returns the distance of the origin, (10.5), with a sign or without.
func Check(distance func(x, w []float64, w0 float64) float64, originDistance func(w []float64, w0 float64) float64) *verify.Report {
	point := func(name string, judge func(distanceFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(distance) }}
	}
	origin := func(name string, judge func(originFunc) verify.Verdict) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(originDistance) }}
	}
	return exercise.Judge(
		point("Distance: a finite number comes back, and x and w stay as they were", judgeForm),
		point("Distance: the point x − r w/‖w‖ lies on the plane", judgeFoot),
		point("Distance: no point of the plane is nearer than |r|", judgeNearest),
		point("Distance: the sign tells the side, 0 means on the plane", judgeSign),
		point("Distance: another w for the same plane gives the same distance", judgeScale),
		origin("OriginDistance: a finite number comes back, and w stays as it was", judgeOriginForm),
		origin("OriginDistance: |w0|/‖w‖, with one convention for the sign", judgeOrigin),
	)
}
