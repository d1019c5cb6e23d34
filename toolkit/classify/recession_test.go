package classify

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

// exactRecession decides by enumeration in rational arithmetic, for inputs in the
// plane and hard targets, whether a direction d of three entries has zᵀd ≥ 0 for
// all signed rows z and > 0 for some, and whether one has > 0 for all. An extreme
// direction of the cone is orthogonal to two independent rows; where all rows span
// only a plane or a line, unit vectors make up for them.
func exactRecession(x *mat.Dense, t []float64) (weak, strict bool) {
	n, _ := x.Dims()
	z := make([][3]*big.Rat, n)
	for i := range z {
		s := big.NewRat(int64(2*t[i]-1), 1)
		for j, v := range []float64{1, x.At(i, 0), x.At(i, 1)} {
			z[i][j] = new(big.Rat).Mul(s, new(big.Rat).SetFloat64(v))
		}
	}
	product := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
	edges := append([][3]*big.Rat{}, z...)
	for j := range 3 {
		e := [3]*big.Rat{new(big.Rat), new(big.Rat), new(big.Rat)}
		e[j].SetInt64(1)
		edges = append(edges, e)
	}
	above := make([]bool, n) // some direction has the row off the plane
	for a := range edges {
		for b := range a {
			u, v := edges[a], edges[b]
			var d [3]*big.Rat
			for j := range 3 {
				k, l := (j+1)%3, (j+2)%3
				d[j] = new(big.Rat).Sub(product(u[k], v[l]), product(u[l], v[k]))
			}
			signs := make([]int, n)
			least, most := 1, -1
			for i := range z {
				s := new(big.Rat)
				for j := range 3 {
					s.Add(s, product(z[i][j], d[j]))
				}
				signs[i] = s.Sign()
				least, most = min(least, signs[i]), max(most, signs[i])
			}
			for _, c := range []struct{ low, high, sign int }{{least, most, 1}, {-most, -least, -1}} {
				if c.low < 0 || c.high <= 0 {
					continue
				}
				weak = true
				for i, s := range signs {
					above[i] = above[i] || s != 0
				}
			}
		}
	}
	strict = weak
	for _, a := range above {
		strict = strict && a
	}
	return weak, strict
}

// planeSets are labelled points of the plane: small integers, with one entry of
// 1e9 to 1e15, and exp(σ·N(0,1)).
func planeSets(n int, f func(name string, x *mat.Dense, t []float64)) {
	rng := rand.New(rand.NewPCG(41, 5))
	for trial := range n {
		rows := 6 + rng.IntN(9)
		x, t := mat.NewDense(rows, 2, nil), make([]float64, rows)
		kind := trial % 3
		name := [...]string{"integers", "one large entry", "exp"}[kind]
		σ := []float64{6, 8, 10}[rng.IntN(3)]
		turn := rng.IntN(3)
		for i := range rows {
			for j := range 2 {
				v := float64(rng.IntN(7) - 3)
				if kind == 2 {
					v = math.Exp(σ * rng.NormFloat64())
				}
				x.Set(i, j, v)
			}
			t[i] = float64(rng.IntN(2))
			if turn > 0 && kind != 2 { // near the order of the points
				t[i] = map[bool]float64{true: 1}[x.At(i, 0)+float64(rng.IntN(turn)) > 0]
			} else if turn > 0 {
				t[i] = map[bool]float64{true: 1}[x.At(i, 0) > x.At(i, 1)]
				if rng.IntN(rows) == 0 {
					t[i] = 1 - t[i]
				}
			}
		}
		if kind == 1 {
			x.Set(rng.IntN(rows), rng.IntN(2), math.Pow(10, 9+float64(rng.IntN(7))))
		}
		if check.OneClass(t) == nil {
			f(name, x, t)
		}
	}
}

// TestRecessionExact compares the answer with enumeration in rational arithmetic.
func TestRecessionExact(t *testing.T) {
	count := map[string][3]int{}
	planeSets(1500, func(name string, x *mat.Dense, target []float64) {
		src, cols, err := check.Inputs(x)
		if err != nil {
			t.Fatal(err)
		}
		weak, strict := exactRecession(x, target)
		r := newProblem(src, cols, target, glm.CrossEntropy{}, nil).recede()
		if !r.known || (r.direction != nil) != weak || weak && (r.on == 0) != strict {
			t.Errorf("%s: %+v, but weakly separable is %v, strictly %v\n%v\n%v", name, r, weak, strict, mat.Formatted(x), target)
		}
		c := count[name]
		switch {
		case strict:
			c[0]++
		case weak:
			c[1]++
		default:
			c[2]++
		}
		count[name] = c
	})
	t.Log("strict, quasi, overlapping:", count)
}
