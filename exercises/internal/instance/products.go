package instance

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Products has for every row of x (N×D) the features 1, x_j and x_j·x_l, N×(1+D+D²).
func Products(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	phi := mat.NewDense(n, 1+d+d*d, nil)
	for i := range n {
		from, to := x.RawRowView(i), phi.RawRowView(i)
		to[0] = 1
		copy(to[1:], from)
		for j, v := range from {
			floats.ScaleTo(to[1+d+j*d:1+d+j*d+d], v, from)
		}
	}
	return phi
}
