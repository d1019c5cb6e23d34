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

// Growth states, for each weight of a two-class likelihood, whether the weight can increase (Up) or
// decrease (Down) without bound in a direction in which the likelihood of no row decreases. At most
// one linear program for each weight and each sign (Konis 2007) decides this in exact arithmetic,
// with Farkas' lemma.
type Growth struct {
	Up, Down []bool
	Known    bool // whether the result is proved; false if exact arithmetic cannot decide
}

// Growth decides which weights can increase or decrease without bound. All its linear programs
// share one budget. The columns of Φ must be independent.
func (p *Problem) Growth(budget *existence.Budget) *Growth {
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
		for _, sign := range []int64{1, -1} { // with the b below, yᵀb < 0 means that y_j has this sign
			if sign > 0 && g.Up[j] || sign < 0 && g.Down[j] {
				continue
			}
			b := make([]*big.Int, m)
			for i := range b {
				b[i] = new(big.Int)
			}
			b[j].SetInt64(-sign)
			y, never := existence.NewFarkas(rows, b, budget).Solve()
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

// Profile is the profile of the objective E for one weight w_j. This function of c is the infimum of
// E(w) over all w with w_j = c.
type Profile struct {
	p     *Problem
	j     int
	least float64   // infimum of the objective over all weights
	w     []float64 // inner weights at the most recently computed minimum
	from  []float64 // inner weights at the minimum that was computed before w, or nil
}

// errProfile reports that the data are too large to decide in exact arithmetic which rows limit a
// profile.
var errProfile = errors.New("the data are separable and too large for exact arithmetic: use a Prior")

// problemOnPlane considers a direction d in which the likelihood of no row decreases. Of all such
// directions, it chooses one in which the likelihood of as many rows as possible tends to 1. If j ≥ 0,
// d_j must be 0. problemOnPlane returns the problem without the rows whose likelihood tends to 1. The
// remaining rows lie on the plane perpendicular to d. If no row remains, problemOnPlane returns nil.
// If all rows remain, it returns p itself. If exact arithmetic cannot decide, it returns errProfile.
func (p *Problem) problemOnPlane(j int, budget *existence.Budget) (*Problem, error) {
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
	d, on, decided := c.Widest(budget)
	switch {
	case !decided || budget.Products <= 0:
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
	rest.Proper, rest.MayChangeStart, rest.scratch, rest.recession = true, false, nil, nil
	return &rest, nil
}

// minimise starts at p.Start and returns the inner weights at the minimum of the objective, and E
// there. The minimum must exist. minimise returns an error if Newton's method does not converge.
func (p *Problem) minimise() (w []float64, e float64, err error) {
	path := Newton{}.Solve(p)
	if !path.Converged {
		return nil, 0, errors.New(path.Reason)
	}
	return path.W, path.Trace[len(path.Trace)-1].E, nil
}

// Profiles returns the profile of each weight. The entry of a weight is nil if its profile is
// constant. This is the case if the weight can both increase and decrease without bound along
// directions in which the likelihood of no row decreases. If the optimum exists, the argument
// `growth` must be nil, `optimum` contains the inner weights of the optimum, and `e` is the
// objective there. Otherwise `growth` states which weights grow.
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

// problemAt returns the problem with w_j = c, or nil if the rows do not determine w_j. For large c
// the weights are nearly linear in c. problemAt therefore compares two starting points with w_j = c.
// The first lies on the line through the last two vectors of weights. The second is the last vector,
// moved by Fixed. The start of the problem is the first point if E is lower there, else the second.
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

// At returns the value of the profile at c minus the infimum of the objective. It also returns the
// derivative of the profile with respect to c, which is ∂E/∂w_j at the minimum.
func (f *Profile) At(c float64) (rise, slope float64, err error) {
	p := f.problemAt(c)
	if p == nil {
		return 0, 0, fmt.Errorf("the rows do not determine weight %d", f.j)
	}
	w := p.Start
	if p.Rank.R > 0 {
		path := Newton{}.Solve(p)
		// The weights of a profile need fewer correct digits than the weights of a fit, because E
		// is flat at its minimum.
		if last := path.Quad; !path.Converged && (last == nil || !(last.decrement() <= 1e-6)) {
			return 0, 0, errors.New(path.Reason)
		}
		w = path.W
	}
	f.from, f.w = f.w, w
	ev, e := p.Evaluate(w, glm.WithGradient)
	return e - f.least, p.Coord.Gradient(p.fullGradient(w, ev))[f.j], nil
}

// mostFits is the largest number of fits that one call of End or Inside makes.
const mostFits = 200

// End returns the end of an interval: the c above start (side 1) or below start (side −1) at which
// the profile exceeds its infimum by `rise`. The start must be inside the interval, and `step` is
// about the distance to its end. End applies Newton's method to the square root of twice the excess
// of the profile, which is nearly linear in c. As long as all points found are inside the interval,
// End replaces a Newton step that leads back or is too long with a step whose length it doubles each
// time. Afterwards, if a Newton step does not end between the last points inside and outside, End
// uses their midpoint instead.
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
	return 0, fmt.Errorf("the end of the interval for weight %d was not found within %d fits", f.j, mostFits)
}

// Step returns the first step of a search along c, for fits without a standard error. If w_j changes
// by this step, the activations change by at most about 1, apart from a shift that is the same in all
// rows.
func (f *Profile) Step() float64 {
	if f.j == 0 {
		return 1
	}
	return f.p.Coord.Scale[f.j-1]
}

// Inside returns a c at which the profile exceeds its infimum by less than `rise`. As c grows (side 1)
// or falls (side −1), the profile must decrease forever.
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
	return 0, fmt.Errorf("the profile of weight %d does not come close enough to its infimum within %d fits",
		f.j, mostFits)
}

// Limits returns the limits of the weights for separable data, along the directions in which the
// likelihood of no row decreases. The limit of a weight is +Inf if the weight increases without
// bound along such a direction, −Inf if it decreases without bound, and NaN if it can do both.
// Every other weight has a finite limit.
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
