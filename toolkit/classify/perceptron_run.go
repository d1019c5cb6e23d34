package classify

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
)

// presenter presents the rows of x one at a time, in their order or shuffled.
type presenter struct {
	src   *block.Source
	order []int // nil: the order of the rows
	rng   *rand.Rand
	buf   []float64
}

func newPresenter(src *block.Source, shuffle bool, seed uint64) *presenter {
	n, d := src.Dims()
	p := &presenter{src: src, buf: make([]float64, d)}
	if shuffle {
		p.order = make([]int, n)
		for i := range p.order {
			p.order[i] = i
		}
		p.rng = rand.New(rand.NewPCG(seed, 0x7061747465726e73))
	}
	return p
}

// pass calls f for every row in the order of a new pass, until it returns false.
func (p *presenter) pass(f func(i int, x []float64) bool) {
	n, d := p.src.Dims()
	if p.order != nil {
		p.rng.Shuffle(n, func(i, j int) { p.order[i], p.order[j] = p.order[j], p.order[i] })
	}
	for k := range n {
		i := k
		if p.order != nil {
			i = p.order[k]
		}
		x, _ := p.src.Rows(i, i+1, p.buf)
		if !f(i, x[:d]) {
			return
		}
	}
}

// activation returns w0 + wᵀx.
func activation(w, x []float64) float64 {
	v := w[1:]
	v = v[:len(x)]
	var s0, s1, s2, s3 float64
	j := 0
	for ; j+4 <= len(x); j += 4 {
		s0 += x[j] * v[j]
		s1 += x[j+1] * v[j+1]
		s2 += x[j+2] * v[j+2]
		s3 += x[j+3] * v[j+3]
	}
	for ; j < len(x); j++ {
		s0 += x[j] * v[j]
	}
	return w[0] + ((s0 + s1) + (s2 + s3))
}

// perceptronRun is one run of the algorithm.
type perceptronRun struct {
	rows *presenter
	side []int8
	o    PerceptronOptions
	w    []float64
	m    *Perceptron

	pocket         []float64
	pocketMistakes int
	bestRun, run   int  // rows in a row right: of the pocket and of w
	counted        bool // w has been compared with the pocket
	visits, counts int  // presentations so far, and counts of all mistakes
}

func (r *perceptronRun) learn() error {
	m, o := r.m, r.o
	n := len(r.side)
	if o.Pocket {
		r.pocket, r.pocketMistakes = slices.Clone(r.w), r.mistakes(r.w, n)
	}
	for m.Epochs = 1; ; m.Epochs++ {
		before := m.Mistakes
		bad := -1
		r.rows.pass(func(i int, x []float64) bool {
			a := activation(r.w, x)
			if a-a != 0 {
				bad = i
				return false
			}
			r.visits++
			if !o.Rule.wrong(a, r.side[i]) {
				if r.run++; o.Pocket && r.run > r.bestRun {
					r.consider(n)
				}
				return true
			}
			r.correct(i, x)
			return true
		})
		if bad >= 0 {
			return fmt.Errorf("wᵀφ of row %d overflows: choose other units for x", bad)
		}
		if m.Mistakes == before {
			m.Converged = true
			return r.finite()
		}
		if m.Epochs == o.MaxEpochs {
			return r.finite()
		}
	}
}

// correct is (4.55).
func (r *perceptronRun) correct(i int, x []float64) {
	η := r.o.Rate * float64(r.side[i])
	r.w[0] += η
	floats.AddScaled(r.w[1:], η, x)
	r.m.Mistakes++
	if len(r.m.Updates) < r.o.KeepUpdates {
		r.m.Updates = append(r.m.Updates, Update{r.m.Epochs - 1, i, slices.Clone(r.w)})
	}
	r.run, r.counted = 0, false
}

func (r *perceptronRun) finite() error {
	for _, v := range r.w {
		if v-v != 0 {
			return fmt.Errorf("the weights overflow: choose other units for x")
		}
	}
	return nil
}

// consider puts w into the pocket if it has fewer mistakes on all rows.
func (r *perceptronRun) consider(n int) {
	if r.counted || r.counts*n > r.visits {
		return
	}
	r.counted = true
	r.counts++
	if k := r.mistakes(r.w, r.pocketMistakes); k < r.pocketMistakes {
		r.pocket, r.pocketMistakes, r.bestRun = slices.Clone(r.w), k, r.run
	}
}

// mistakes counts the rows that w gets wrong, up to limit. It asks for rows
// without disturbing the order of the presentations.
func (r *perceptronRun) mistakes(w []float64, limit int) int {
	rows := newPresenter(r.rows.src, false, 0)
	k := 0
	rows.pass(func(i int, x []float64) bool {
		if r.o.Rule.wrong(activation(w, x), r.side[i]) {
			k++
		}
		return k < limit
	})
	return k
}
