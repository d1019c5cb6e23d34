package region

import "fmt"

// A Step is one of the calls by which a region was built, in the order of the calls:
// conditions with their numbers, and what joins the two regions before it.
type Step struct {
	Op string
	V  []float64
}

// Encode returns the calls by which the region was built, for another process.
func (r Region) Encode() any { return r.steps() }

func (r Region) steps() []Step {
	if r.built == nil {
		return []Step{{Op: "none"}}
	}
	return r.built
}

// Decode returns the region that these calls build.
func (Region) Decode(code any) (any, error) {
	steps, _ := code.([]Step)
	var stack []Region
	for i, s := range steps {
		if join := joins[s.Op]; join != nil {
			n := len(stack)
			if n < 2 {
				return nil, fmt.Errorf("step %d joins two regions, there are %d", i, n)
			}
			stack = append(stack[:n-2], join(stack[n-2], stack[n-1]))
			continue
		}
		call, ok := calls[s.Op]
		if !ok || len(s.V) != call.numbers {
			return nil, fmt.Errorf("step %d is %q with %d numbers", i, s.Op, len(s.V))
		}
		stack = append(stack, call.of(s.V))
	}
	if len(stack) != 1 {
		return nil, fmt.Errorf("%d regions are left", len(stack))
	}
	return stack[0], nil
}

var joins = map[string]func(r, s Region) Region{
	"and": Region.And, "or": Region.Or, "except where": Region.Except,
}

var calls = map[string]struct {
	numbers int
	of      func(v []float64) Region
}{
	"none":       {0, func([]float64) Region { return Region{} }},
	"everywhere": {0, func([]float64) Region { return Everywhere() }},
	"nowhere":    {0, func([]float64) Region { return Nowhere() }},
	"disc":       {3, func(v []float64) Region { return Disc(v[0], v[1], v[2]) }},
	">":          {3, func(v []float64) Region { return Linear(v[0], v[1]).Above(v[2]) }},
	"≥":          {3, func(v []float64) Region { return Linear(v[0], v[1]).AtLeast(v[2]) }},
	"<":          {3, func(v []float64) Region { return Linear(v[0], v[1]).Below(v[2]) }},
	"≤":          {3, func(v []float64) Region { return Linear(v[0], v[1]).AtMost(v[2]) }},
	"=":          {3, func(v []float64) Region { return Linear(v[0], v[1]).Equals(v[2]) }},
	"between":    {4, func(v []float64) Region { return Linear(v[0], v[1]).Between(v[2], v[3]) }},
	"lattice":    {4, func(v []float64) Region { return Linear(v[0], v[1]).Lattice(v[2], v[3]) }},
}
