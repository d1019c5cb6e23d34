package ex01

import "fmt"

func stepQuestions(step func(c float64) Region) []question {
	var out []question
	for _, c := range []float64{1.5, 0, -3, 1e4} {
		q := question{fmt.Sprintf("1(x1 > c) with c = %g", c), wholly(func() Region { return step(c) }), X1.Above(c), []mistake{
			{"closed", 2, X1.AtLeast(c), closedEdge},
			{"flipped", 2, X1.Below(c), reversed},
			{"flipped", 2, X1.AtMost(c), reversed},
			{"wrong-variable", 2, X2.Above(c), fmt.Sprintf(otherVariable, "x1")},
			{"everywhere", 1, Everywhere(), "You say everywhere. The indicator is 0 where its condition is false."},
			{"nowhere", 1, Nowhere(), "You say nowhere. The indicator is 1 where its condition is true."},
			{"edge-only", 1, X1.Equals(c), "You say: on the line x1 = c. There the indicator steps; it stays 1 on one side."},
			{"edge-excluded-only", 2, Everywhere().Except(X1.Equals(c)), "Only the line x1 = c is left out. To one side of it the condition is false and the indicator 0."},
		}, nil}
		if c != 0 {
			q.mistakes = append(q.mistakes,
				mistake{"c-ignored", 2, X1.Above(0), "Your half-plane begins at 0 for every c."},
				mistake{"c-sign", 2, X1.Above(-c), "Your half-plane begins at −c."})
		}
		out = append(out, q)
	}
	return out
}

func halfPlanes(halfPlane func(a, b, c float64) Region) []question {
	var out []question
	for _, n := range [][3]float64{{1, 2, 3}, {-1, 0.5, 0.7}, {3, -4, -5}, {0, 2, 1}, {-2, 0, 3}, {1e-3, 2e3, 40}} {
		a, b, c := n[0], n[1], n[2]
		l := Linear(a, b)
		q := question{fmt.Sprintf("1(a·x1 + b·x2 > c) with a = %g, b = %g, c = %g", a, b, c), wholly(func() Region { return halfPlane(a, b, c) }), l.Above(c), []mistake{
			{"closed", 2, l.AtLeast(c), closedEdge},
			{"flipped", 2, l.Below(c), reversed},
			{"flipped", 2, l.AtMost(c), reversed},
			{"c-ignored", 2, l.Above(0), "Your line passes through the origin for every c."},
			{"c-sign", 2, l.Above(-c), "Your line is a·x1 + b·x2 = −c: the constant has changed sides without its sign, or with one too many."},
			{"normal-sign", 2, Linear(a, -b).Above(c), "You have a·x1 − b·x2 for a·x1 + b·x2."},
			{"normal-swapped", 2, Linear(b, a).Above(c), "a and b have changed places."},
			{"tangent", 2, Linear(-b, a).Above(c), "Your edge is turned by a right angle: (a, b) is normal to the edge, not along it."},
			{"tangent", 2, Linear(b, -a).Above(c), "Your edge is turned by a right angle: (a, b) is normal to the edge, not along it."},
			{"everywhere", 1, Everywhere(), "You say everywhere. The indicator is 0 where its condition is false."},
			{"nowhere", 1, Nowhere(), "You say nowhere. The indicator is 1 where its condition is true."},
			{"edge-only", 1, l.Equals(c), "You say: on the line. There the indicator steps; it stays 1 on one side."},
			{"edge-excluded-only", 2, Everywhere().Except(l.Equals(c)), "Only the line is left out. To one side of it the condition is false and the indicator 0."},
		}, nil}
		// Solving for x2 turns the sign round where b < 0, and fails where b = 0.
		if b < 0 {
			q.mistakes = append([]mistake{{"divided-by-negative", 2, Linear(a/b, 1).Above(c / b),
				"Here b < 0: dividing an inequality by a negative number turns it round. Leave it undivided."}}, q.mistakes...)
		}
		if a < 0 {
			q.mistakes = append([]mistake{{"divided-by-negative", 2, Linear(1, b/a).Above(c / a),
				"Here a < 0: dividing an inequality by a negative number turns it round. Leave it undivided."}}, q.mistakes...)
		}
		out = append(out, q)
	}
	return out
}
