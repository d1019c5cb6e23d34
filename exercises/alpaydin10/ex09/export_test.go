package ex09

// Interval is the interval of the variant that the tests judge.
func Interval() (from, to float64) { return own().from, own().to }

// IntervalOf is the interval of a variant.
func IntervalOf(n uint64) (from, to float64) { i := intervalOf(n); return i.from, i.to }

// Vary is what the texts are filled with.
var Vary = vary
