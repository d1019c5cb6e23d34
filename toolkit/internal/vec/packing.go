package vec

// Packing is x·scale − shift for rows of d columns, with a shift for each class.
type Packing struct {
	D, LD        int
	scale, shift []float64 // padded, column 0 first
	masks        [2]struct{ first, last [Pad]int64 }
}

// NewPacking pads scale and the shifts of the classes. A nil scale, or no shift, leaves x as it
// is. bias is the value of column 0 of the packed rows.
func NewPacking(d int, bias float64, scale []float64, shift ...[]float64) *Packing {
	p := &Packing{D: d, LD: Width(d + 1)}
	p.scale, p.shift = make([]float64, p.LD), make([]float64, max(len(shift), 1)*p.LD)
	for j := range d {
		p.scale[j+1] = 1
	}
	if scale != nil {
		copy(p.scale[1:], scale)
	}
	for k := 0; k < len(p.shift); k += p.LD {
		p.shift[k] = -bias // column 0 is 0·0 − (−bias)
	}
	for k, s := range shift {
		copy(p.shift[k*p.LD+1:], s)
	}
	for i := range p.masks {
		lanes := 4 << i
		last := p.vectors(lanes) - 1
		for j := range lanes {
			p.masks[i].first[j] = mask(j > 0 && j <= d)
			p.masks[i].last[j] = mask(last*lanes+j <= d)
		}
	}
	return p
}

// vectors returns the number of vectors of the given number of lanes that hold a row.
func (p *Packing) vectors(lanes int) int { return (p.D + lanes) / lanes }

// mask returns the mask of one lane.
func mask(on bool) int64 {
	if on {
		return -1
	}
	return 0
}
