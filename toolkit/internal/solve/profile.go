package solve

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/existence"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// Growth reports, for each weight of a two-class likelihood, whether the weight can grow or fall
// without end along directions in which the likelihood of no row falls. One linear program for each
// sign of each weight (Konis 2007) decides this in exact arithmetic, by Farkas' lemma.
type Growth struct {
	Up, Down []bool
	Known    bool // whether Growth is proved; false if exact arithmetic cannot solve the problem within its budget
}

// Growth decides, within one budget, which weights can grow or fall. The columns of Φ must be
// independent.
func (p *Problem) Growth(left *existence.Budget) *Growth {
	m := p.GLM.M
	g := &Growth{Up: make([]bool, m), Down: make([]bool, m)}
	c := p.signedRows()
	if c == nil {
		return g
	}
	rows := slices.Clone(c.Hard)
	for _, z := range c.Level {
		rows = append(rows, z, minus(z))
	}
	mark := func(y []*big.Int) {
		for j, v := range y {
			g.Up[j] = g.Up[j] || v.Sign() > 0
			g.Down[j] = g.Down[j] || v.Sign() < 0
		}
	}
	for j := range m {
		for _, sign := range []int64{1, -1} { // if yᵀb < 0, y_j has the sign of this program
			if sign > 0 && g.Up[j] || sign < 0 && g.Down[j] {
				continue
			}
			b := make([]*big.Int, m)
			for i := range b {
				b[i] = new(big.Int)
			}
			b[j].SetInt64(-sign)
			y, never := existence.NewFarkas(rows, b, left).Solve()
			if y == nil && !never {
				return g
			}
			mark(y)
		}
	}
	g.Known = true
	return g
}

func minus(z []float64) []float64 {
	out := slices.Clone(z)
	for i := range out {
		out[i] = -out[i]
	}
	return out
}

// Profile is the profile of the objective along one weight w_j: the minimum of E(w) over all w with
// w_j = c, as a function of c.
type Profile struct {
	p     *Problem
	j     int
	least float64   // infimum of the objective over all weights
	w     []float64 // weights of the last profile value, in inner coordinates
	from  []float64 // weights of the profile value before the last, or nil
}

// errProfile reports that the data are too large to decide where the profile ends.
var errProfile = errors.New("the data are separable and too large for exact arithmetic: use a Prior")

// problemOnPlane returns the problem without the rows that reach likelihood 1 along the widest
// direction d. The likelihood of no row falls along d. If j ≥ 0, d also has d_j = 0. The remaining
// rows stay on the plane of d. If no row remains, problemOnPlane returns nil. If all rows remain,
// it returns p itself.
func (p *Problem) problemOnPlane(j int, left *existence.Budget) (*Problem, error) {
	c := p.signedRows()
	if c == nil {
		return nil, errProfile
	}
	index := slices.Clone(c.level)
	if j >= 0 {
		e := make([]float64, c.M)
		e[j] = 1
		c.Level = append(c.Level, e)
	}
	d, on, decided := c.Widest(left)
	switch {
	case !decided || left.Products <= 0:
		return nil, errProfile
	case d == nil:
		return p, nil
	}
	for _, i := range on {
		index = append(index, c.row[i])
	}
	if len(index) == 0 {
		return nil, nil
	}
	slices.Sort(index)
	rest := *p
	rest.Src = block.NewSource(block.NewRowsView(p.Src, index))
	t := make([]float64, len(index))
	for i, at := range index {
		t[i] = p.GLM.Targets(at, at+1)[0]
	}
	rest.GLM = glm.New(p.Coord.Design(rest.Src), t, p.GLM.Loss)
	rest.Rank = linalg.RankOf(rest.GLM.Design, p.Coord)
	rest.Proper, rest.Warm, rest.scratch, rest.recession = true, false, nil, nil
	return &rest, nil
}

// minimise returns the minimum of the objective, starting at p.Start. The minimum must exist.
func (p *Problem) minimise() (w []float64, e float64, err error) {
	path := Newton{}.Solve(p)
	if !path.Converged {
		return nil, 0, errors.New(path.Reason)
	}
	return path.W, path.Trace[len(path.Trace)-1].E, nil
}

// Profiles returns the profile of each weight. The entry of a weight is nil if its profile is
// constant, because the weight both grows and falls along directions in which the likelihood of no
// row falls. If the optimum exists, optimum is the optimum in inner coordinates and e is its
// objective. If not, growth states which weights grow.
func (p *Problem) Profiles(optimum []float64, e float64, growth *Growth) ([]*Profile, error) {
	out := make([]*Profile, p.GLM.M)
	if growth == nil {
		for j := range out {
			out[j] = &Profile{p: p, j: j, least: e, w: optimum}
		}
		return out, nil
	}
	left := existence.NewBudget()
	limit, err := p.problemOnPlane(-1, left)
	if err != nil {
		return nil, err
	}
	w := make([]float64, p.GLM.M)
	least := 0.0
	if limit != nil {
		limit.Start = w
		if w, least, err = limit.minimise(); err != nil {
			return nil, err
		}
	}
	for j := range out {
		if growth.Up[j] && growth.Down[j] {
			continue
		}
		rest, err := p.problemOnPlane(j, left)
		if err != nil {
			return nil, err
		}
		out[j] = &Profile{p: rest, j: j, least: least, w: w}
	}
	return out, nil
}

// problemAt returns the problem with w_j = c. The problem starts at the last weights, or on the
// line through the last two weights if E is lower there. For large c, the weights grow in
// proportion to c.
func (f *Profile) problemAt(c float64) *Problem {
	p := f.p.Fixed(f.j, c, f.w)
	if p == nil || f.from == nil {
		return p
	}
	at := func(in []float64) float64 { return p.Coord.Outer(in)[f.j] }
	d := pointAlong(f.w, f.from, -1)
	q := f.p.Fixed(f.j, c, pointAlong(f.w, d, (c-at(f.w))/(at(f.w)-at(f.from))))
	if linalg.AllFinite(q.Start) && q.objectiveAt(q.Start) < p.objectiveAt(p.Start) {
		return q
	}
	return p
}

// objectiveAt returns the value of the objective at w.
func (p *Problem) objectiveAt(w []float64) float64 {
	_, e := p.Evaluate(w, glm.OnlyValue)
	return e
}

// At returns the profile at c minus the least value of the objective. It also returns the
// derivative with respect to c, which is ∂E/∂w_j at the minimum.
func (f *Profile) At(c float64) (rise, slope float64, err error) {
	p := f.problemAt(c)
	if p == nil {
		return 0, 0, fmt.Errorf("the rows do not determine weight %d", f.j)
	}
	w := p.Start
	if p.Rank.R > 0 {
		path := Newton{}.Solve(p)
		// A profile needs fewer digits than a fit, because E is flat at its minimum.
		if last := path.Quad; !path.Converged && (last == nil || !(last.decrement() <= 1e-6)) {
			return 0, 0, errors.New(path.Reason)
		}
		w = path.W
	}
	f.from, f.w = f.w, w
	ev, e := p.Evaluate(w, glm.WithGradient)
	return e - f.least, p.Coord.Gradient(p.fullGradient(w, ev))[f.j], nil
}

// mostFits is the largest number of fits for one end of an interval.
const mostFits = 200

// End returns the end of an interval: the c above start (side 1) or below start (side −1) at which
// the profile exceeds its least value by rise. start must be inside the interval, and step is about
// the distance to the end. End first brackets the end. It then applies Newton's method to the
// signed root √(2·rise), which is nearly linear in c. If a step leaves the bracket, End bisects
// instead.
func (f *Profile) End(start, step float64, side int, rise float64) (float64, error) {
	want, s := math.Sqrt(2*rise), float64(side)
	if want == 0 {
		return start, nil
	}
	inside, outside := start, math.NaN()
	c := start + s*step
	for range mostFits {
		r, slope, err := f.At(c)
		if err != nil {
			return 0, err
		}
		z := math.Sqrt(2 * math.Max(r, 0))
		if z < want {
			inside = c
		} else {
			outside = c
		}
		next := c + (want-z)*z/slope
		open := math.IsNaN(outside)
		switch {
		case math.Abs(next-c) <= 1e-12*math.Abs(c) || math.Abs(z-want) <= 1e-11*want:
			return next, nil
		case open && !(s*(next-c) > 0 && s*(next-c) < 4*step):
			next = c + s*step
			step *= 2
		case !open && !(s*(next-inside) > 0 && s*(next-outside) < 0):
			next = inside/2 + outside/2
		}
		if next == c || !open && next == inside {
			return next, nil
		}
		c = next
	}
	return 0, fmt.Errorf("the end of the profile of weight %d is not found after %d fits", f.j, mostFits)
}

// Step returns a first distance for a search without a standard error. If w_j changes by this
// distance, the activations change by about 1.
func (f *Profile) Step() float64 {
	if f.j == 0 {
		return 1
	}
	return f.p.Coord.Scale[f.j-1]
}

// Inside returns a c at which the profile exceeds its limit by less than rise. On the given side,
// the profile must fall for ever.
func (f *Profile) Inside(side int, rise float64) (float64, error) {
	c, step := 0.0, float64(side)*f.Step()
	for range mostFits {
		r, _, err := f.At(c)
		if err != nil || r < rise {
			return c, err
		}
		c += step
		step *= 2
	}
	return 0, fmt.Errorf("the profile of weight %d does not fall below its limit within %d fits", f.j, mostFits)
}

// Limits returns the limits of the weights of separable data along the directions in which the
// likelihood of no row falls. The limit of a weight that grows is +Inf, of a weight that falls
// −Inf, and of a weight that can do both NaN. Every other weight has a finite limit.
func Limits(f []*Profile, g *Growth) []float64 {
	w := make([]float64, len(f))
	for j := range w {
		switch {
		case g.Up[j] && g.Down[j]:
			w[j] = math.NaN()
		case g.Up[j]:
			w[j] = math.Inf(1)
		case g.Down[j]:
			w[j] = math.Inf(-1)
		default:
			w[j] = f[j].p.Coord.Outer(f[j].w)[j]
		}
	}
	return w
}
