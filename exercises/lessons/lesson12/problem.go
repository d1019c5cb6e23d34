package lesson12

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// A problem contains the features phi of a new input, the mode w, the design matrix Phi and the
// prior covariance S0.
type problem struct {
	name   string
	phi, w []float64
	Phi    *mat.Dense
	S0     *mat.SymDense
}

func (p problem) String() string {
	n, m := p.Phi.Dims()
	return fmt.Sprintf("%s (N = %d, M = %d)", p.name, n, m)
}

type kind int

var kinds = []string{"few data", "many data", "a broad prior", "a point on the boundary", "a point far from the data",
	"rows of huge activations"}

const (
	few kind = iota
	many
	broad
	boundary
	far
	saturated
)

// on returns a function that draws problems of these kinds.
func on(kinds ...kind) func() []problem {
	return func() (list []problem) {
		for _, k := range kinds {
			for i := range 4 {
				list = append(list, draw(k, i))
			}
		}
		return list
	}
}

func draw(k kind, i int) problem {
	r := instance.Source(5012, uint64(10*int(k)+i))
	m, n := 2+i%3, 6
	if k == many {
		n = 60
	}
	centre, spread := make([]float64, m), make([]float64, m)
	for j := range m {
		spread[j] = 1
	}
	centre[0], spread[0] = 1, 0 // a bias
	p := problem{name: kinds[k], Phi: instance.Design(r, n, centre, spread), S0: instance.Covariance(r, m)}
	p.w = instance.Weights(r, p.Phi, 0.7)
	p.phi = append([]float64{1}, instance.Normals(r, m-1)...)
	switch k {
	case broad:
		p.S0.ScaleSym(1e3, p.S0)
	case boundary: // adding 0.1 to the size of the last weight makes the division safe
		p.w[m-1] = math.Copysign(math.Abs(p.w[m-1])+0.1, p.w[m-1])
		p.phi[m-1] -= dot(p.w, p.phi) / p.w[m-1]
	case far:
		for j := 1; j < m; j++ {
			p.phi[j] *= 1e4
		}
	case saturated:
		p.w = []float64{0.5, 1.5}
		p.phi = p.phi[:2]
		p.Phi = instance.Reaching(r, p.w, []float64{800, -800, 1, -0.5, 300, 2})
		p.S0 = instance.Covariance(r, 2)
	}
	return p
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// A question is a problem with methods for the matrices that wrong answers use.
type question struct{ problem }

// bend returns y(1−y) at activation a.
func (q question) bend(a float64) float64 { return kernel.Sigmoid(a) * kernel.Sigmoid(-a) }

// precision returns prior + Σ weight(a_n)φ_nφ_nᵀ.
func (q question) precision(prior mat.Symmetric, weight func(a float64) float64) *mat.SymDense {
	sum := mat.NewSymDense(len(q.w), nil)
	sum.CopySym(prior)
	for n, a := range instance.Activations(q.Phi, q.w) {
		sum.SymRankOne(sum, weight(a), q.Phi.RowView(n))
	}
	return sum
}

// inverse panics if s is not positive definite. judge ignores mistakes that panic.
func (q question) inverse(s *mat.SymDense) *mat.SymDense {
	var chol mat.Cholesky
	if !chol.Factorize(s) {
		panic("singular")
	}
	inverse := mat.NewSymDense(len(q.w), nil)
	if err := chol.InverseTo(inverse); err != nil {
		panic(err)
	}
	return inverse
}

// inner returns φᵀSφ.
func (q question) inner(s *mat.SymDense) float64 {
	x := mat.NewVecDense(len(q.phi), q.phi)
	return mat.Inner(x, s, x)
}

// with returns an answer that passes the mean of the activation and the result of variance to
// probability.
func with(variance func(q question) float64, probability func(mu, variance float64) float64) moderatedFunc {
	return func(phi, w []float64, Phi *mat.Dense, S0 *mat.SymDense) float64 {
		return probability(dot(w, phi), variance(question{problem{phi: phi, w: w, Phi: Phi, S0: S0}}))
	}
}
